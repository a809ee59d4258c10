from .chart import ChartDecision, PreflopChart
from .chart_file import CHART_FORMAT, read_chart, write_chart
from .shipped import DEPTHS, parse_depth, shipped_chart, shipped_depth

__all__ = [
    "CHART_FORMAT",
    "DEPTHS",
    "ChartDecision",
    "PreflopChart",
    "parse_depth",
    "read_chart",
    "shipped_chart",
    "shipped_depth",
    "write_chart",
]
