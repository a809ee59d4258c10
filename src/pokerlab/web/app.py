"""`make_app`: the application over one folder."""

from __future__ import annotations

import mimetypes
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Receive, Scope, Send

from pokerlab.runtime.files.confined import confined_to
from pokerlab.web.answers import ERROR_HANDLERS, UnknownIdError
from pokerlab.web.files.receiving import remove_left_over
from pokerlab.web.routes import (
    batches,
    games,
    jobs,
    library,
    palette,
    play,
    preflop,
    pushfold,
    spots,
    strategies,
    tasks,
)
from pokerlab.web.routes.histories import hands, judged_hands
from pokerlab.web.routes.practice import programmes, train
from pokerlab.web.routes.solutions import compare, locks, report, study
from pokerlab.web.security import Security
from pokerlab.web.site import Site

STATIC = Path(__file__).parent / "static"
# Systems do not know this ending, or call it something else.
mimetypes.add_type("application/manifest+json", ".webmanifest")

_ROUTE_MODULES = (
    library,
    jobs,
    spots,
    palette,
    batches,
    study,
    locks,
    strategies,
    report,
    compare,
    programmes,
    train,
    play,
    hands,
    judged_hands,
    games,
    preflop,
    pushfold,
    tasks,
)
"""Each page adds its module here; an address of its own stands before one with a part in braces."""


def make_app(
    folder: str | Path = ".", *, token: str | None = None, host: str = "127.0.0.1"
) -> Starlette:
    """Make the application over a folder.

    Parameters
    ----------
    folder
        Spots, solutions and batches; nothing outside of it is read or written.
    token
        What requests must show; by default a random one, which `serve` prints.
    host
        The name or address that the server listens on.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from starlette.testclient import TestClient
    >>> with TemporaryDirectory() as folder:
    ...     app = make_app(folder, token="secret")
    ...     with TestClient(app, base_url="http://127.0.0.1") as client:
    ...         first = client.get("/api/library").status_code
    ...         _ = client.get("/?token=secret")
    ...         print(first, client.get("/api/library").status_code)
    403 200
    """
    token = token or secrets.token_urlsafe(24)
    routes: list[BaseRoute] = [route for module in _ROUTE_MODULES for route in module.ROUTES]
    routes += [
        Route("/api/{path:path}", _no_such_address, methods=["GET", "POST"]),
        Mount("/static", StaticFiles(directory=STATIC)),
        Route("/{path:path}", _page),
    ]
    site = Site(folder)
    remove_left_over(site.folder)
    app = Starlette(
        routes=routes,
        middleware=[
            Middleware(Security, token=token, host=host),
            Middleware(GZipMiddleware, minimum_size=1000, compresslevel=5),
            Middleware(_Confined, folder=site.folder),
        ],
        exception_handlers=ERROR_HANDLERS,
        lifespan=_lifespan,
    )
    app.state.site = site
    app.state.token = token
    return app


@asynccontextmanager
async def _lifespan(app: Starlette) -> AsyncIterator[None]:
    """Look after the queue while the server runs; solves go on without it."""
    app.state.site.jobs.start()
    try:
        yield
    finally:
        app.state.site.jobs.close()


async def _page(request: Request) -> Response:
    """Every page is the same file, which looks at its address."""
    return FileResponse(STATIC / "index.html", headers={"cache-control": "no-cache"})


async def _no_such_address(request: Request) -> Response:
    raise UnknownIdError("there is nothing at this address")


class _Confined:
    """Whatever a request names, no file outside of the folder is read for it."""

    def __init__(self, app: ASGIApp, folder: Path) -> None:
        self.app = app
        self.folder = folder

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        with confined_to(self.folder):
            await self.app(scope, receive, send)
