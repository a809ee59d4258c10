from .app import make_app
from .server import serve

__all__ = ["make_app", "serve"]
