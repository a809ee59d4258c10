"""The Library: what is in the folder."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from pokerlab.web.answers import json_answer
from pokerlab.web.site import site_of

__all__ = ["ROUTES"]


def _list(request: Request) -> Response:
    site = site_of(request)
    return json_answer({"folder": site.folder.name, "files": site.library.listing()})


ROUTES = [Route("/api/library", _list)]
