"""Trained strategies of limit games: their decisions, and lines of one deal."""

from __future__ import annotations

import shlex

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from pokerlab.web.answers import field_named, json_answer, json_bytes
from pokerlab.web.files.library import Listed
from pokerlab.web.routes.solutions.study import deal_answer
from pokerlab.web.site import Site, site_of


def _find(request: Request) -> tuple[Site, Listed]:
    site = site_of(request)
    return site, site.library.find(request.path_params["id"], "strategy")


def _strategy(request: Request) -> Response:
    from pokerlab.web.pages.strategy_views import strategy_data

    site, listed = _find(request)
    data = strategy_data(site.opened.strategy(listed.path))
    return json_answer({"id": listed.id, "name": listed.name, **data})


def _node(request: Request) -> Response:
    from pokerlab.web.pages.strategy_views import strategy_node

    site, listed = _find(request)
    line, board = (request.query_params.get(name, "") for name in ("line", "board"))

    def answer() -> bytes:
        data = strategy_node(site.opened.strategy(listed.path), line, board)
        words = ["pokerlab show", shlex.quote(listed.name)]
        words += [shlex.quote(line)] if line else []
        words += [f"--board {shlex.quote(board)}"] if board else []
        return json_bytes(data | {"command": " ".join(words)})

    with field_named("board" if board else "line"):
        body = site.opened.answer(listed.path, ("strategy", line, board), answer)
    return Response(body, media_type="application/json")


def _deal(request: Request) -> Response:
    from pokerlab.web.pages.strategy_views import deal_for

    site, listed = _find(request)
    strategy = site.opened.strategy(listed.path)
    board = request.query_params.get("board", "")

    def at_random(line: str, seed: int) -> str:
        with field_named("board"):
            return deal_for(strategy, board, seed)

    return deal_answer(request, listed, strategy, at_random)


ROUTES = [
    Route("/api/strategies/{id}", _strategy),
    Route("/api/strategies/{id}/node", _node),
    Route("/api/strategies/{id}/deal", _deal),
]
