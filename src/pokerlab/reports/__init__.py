"""Tables and pictures for people; the results of the documents, computed and drawn again."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
