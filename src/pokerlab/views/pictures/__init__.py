"""Pictures for notebooks and pages: colours, matrices, heat maps, curves and tables.

Everything is text: SVG and HTML that need no script, no style sheet and no other file, and that can
be read on a light and on a dark background. Text from outside is escaped. The parts here know no
cards and no games; the modules ``*_picture`` put them together for solutions, ranges and matches.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
