from .play_figures import draw_class_tables, draw_win_curves
from .training_figure import draw_trainings

__all__ = ["draw_class_tables", "draw_trainings", "draw_win_curves"]
