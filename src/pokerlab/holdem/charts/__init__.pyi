from .chart import ChartDecision, PreflopChart
from .chart_file import CHART_FORMAT, read_chart, write_chart
from .shipped import (
    DEPTHS,
    SIX_MAX,
    is_shipped,
    parse_depth,
    shipped_chart,
    shipped_depth,
    shipped_ranges,
)

__all__ = [
    "CHART_FORMAT",
    "DEPTHS",
    "SIX_MAX",
    "ChartDecision",
    "PreflopChart",
    "is_shipped",
    "parse_depth",
    "read_chart",
    "shipped_chart",
    "shipped_depth",
    "shipped_ranges",
    "write_chart",
]
