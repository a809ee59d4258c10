from .trees.figures import TREE_FIGURES, deviation_table, write_tree_figures
from .trees.pictures import tree_picture

__all__ = ["TREE_FIGURES", "deviation_table", "tree_picture", "write_tree_figures"]
