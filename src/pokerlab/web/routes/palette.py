"""The colours of actions and heat maps as a style sheet, from the table that all pictures share."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from pokerlab.views.pictures.palette import palettes_css


def _style_sheet(request: Request) -> Response:
    return Response(palettes_css(), media_type="text/css", headers={"cache-control": "no-cache"})


ROUTES = [Route("/static/palette.css", _style_sheet)]
