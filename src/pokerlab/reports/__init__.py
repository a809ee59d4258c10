"""Tables and pictures for people; the results of the documents, computed and drawn again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pokerlab.lazy import lazy_names

if TYPE_CHECKING:
    from pokerlab.reports.tree_figures import TREE_FIGURES, deviation_table, write_tree_figures
    from pokerlab.reports.tree_pictures import tree_picture

__all__ = ["TREE_FIGURES", "deviation_table", "tree_picture", "write_tree_figures"]

__getattr__ = lazy_names(
    __name__,
    {
        "tree_figures": ["TREE_FIGURES", "deviation_table", "write_tree_figures"],
        "tree_pictures": ["tree_picture"],
    },
)
