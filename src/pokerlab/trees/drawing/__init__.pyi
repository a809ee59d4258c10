from .drawing import Drawing, Mark, draw
from .outlines import draw_outline

__all__ = ["Drawing", "Mark", "draw", "draw_outline"]
