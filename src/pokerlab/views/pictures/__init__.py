"""Pictures for notebooks and pages: colours, matrices, heat maps, curves and tables.

Everything is text: SVG and HTML that need no script, no style sheet and no other file, and that can
be read on a light and on a dark background. What comes from outside is escaped. Nothing here knows
cards or games; the classes that show themselves in a notebook put these parts together.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
