"""Tables and pictures for people; the results of the documents, computed and drawn again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pokerlab.lazy import lazy_names

if TYPE_CHECKING:
    from pokerlab.reports.play_figures import draw_class_tables, draw_win_curves
    from pokerlab.reports.training_figure import draw_trainings
    from pokerlab.reports.tree_figures import TREE_FIGURES, deviation_table, write_tree_figures
    from pokerlab.reports.tree_pictures import tree_picture

__all__ = [
    "TREE_FIGURES",
    "deviation_table",
    "draw_class_tables",
    "draw_trainings",
    "draw_win_curves",
    "tree_picture",
    "write_tree_figures",
]

__getattr__ = lazy_names(
    __name__,
    {
        "play_figures": ["draw_class_tables", "draw_win_curves"],
        "training_figure": ["draw_trainings"],
        "tree_figures": ["TREE_FIGURES", "deviation_table", "write_tree_figures"],
        "tree_pictures": ["tree_picture"],
    },
)
