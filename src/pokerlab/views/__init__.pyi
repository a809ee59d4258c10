from .play_figures import draw_class_tables, draw_win_curves
from .table import Column, Table
from .training_figure import draw_trainings

__all__ = ["Column", "Table", "draw_class_tables", "draw_trainings", "draw_win_curves"]
