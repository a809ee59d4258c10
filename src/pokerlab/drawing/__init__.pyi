from .drawing import Drawing, Mark, draw

__all__ = ["Drawing", "Mark", "draw"]
