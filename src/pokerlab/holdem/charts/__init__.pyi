from .chart import ChartDecision, PreflopChart
from .chart_file import CHART_FORMAT, read_chart, write_chart
from .shipped import DEPTHS, shipped_chart, shipped_depth

__all__ = [
    "CHART_FORMAT",
    "DEPTHS",
    "ChartDecision",
    "PreflopChart",
    "read_chart",
    "shipped_chart",
    "shipped_depth",
    "write_chart",
]
