"""The pages that `pokerlab web` serves: see, study, train and play in a browser.

`make_app` gives a Starlette application over one folder, `serve` runs it and opens a browser. The
pages are static files without a build step; every word and number in them is made in Python and
comes as JSON, which serves scripts as well. The application listens on this machine alone, asks
for a token, and sees no file outside its folder.

The packages it needs are installed by ``pip install 'pokerlab[web]'``.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
