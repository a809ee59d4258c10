"""Compare: two solutions of a spot at a line."""

from __future__ import annotations

import shlex

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from pokerlab.web.answers import field_named, json_bytes
from pokerlab.web.files.opened import file_identity
from pokerlab.web.routes.study import find_solution


def _compare(request: Request) -> Response:
    from pokerlab.holdem.spots.reports.comparison import comparison_data
    from pokerlab.web.pages.money import money_of

    site, first = find_solution(request, "first")
    second = find_solution(request, "second")[1]
    line = request.query_params.get("line", "")
    names = [listed.name for listed in (first, second)]

    def answer() -> bytes:
        one, other = (site.opened.solution(listed.path) for listed in (first, second))
        data = comparison_data(one, other, line)
        command = " ".join(["pokerlab diff", *map(shlex.quote, (*names, data["line"]))])
        return json_bytes({"names": names, "command": command, "money": money_of(one.spot), **data})

    with field_named("line"):
        key = ("compare", file_identity(second.path), line)
        body = site.opened.answer(first.path, key, answer)
    return Response(body, media_type="application/json")


ROUTES = [Route("/api/compare/{first}/{second}", _compare)]
