"""Compare: two solutions of a spot at a line."""

from __future__ import annotations

import shlex

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from pokerlab.web.answers import field_named, json_bytes
from pokerlab.web.files.opened import file_identity
from pokerlab.web.routes.solutions.study import find_solution


def _compare(request: Request) -> Response:
    from pokerlab.holdem.spots.reports.comparison import comparison_data
    from pokerlab.web.pages.lock_views import gain_data, lock_list, lock_sides
    from pokerlab.web.pages.money import money_of

    site, first = find_solution(request, "first")
    second = find_solution(request, "second")[1]
    line = request.query_params.get("line", "")
    names = [listed.name for listed in (first, second)]

    def answer() -> bytes:
        one, other = (site.opened.solution(listed.path) for listed in (first, second))
        data = comparison_data(one, other, line)
        command = " ".join(["pokerlab diff", *map(shlex.quote, (*names, data["line"]))])
        decisions = [step for step in data["path"] if step["kind"] == "decision"]
        decisions += [data] if data["kind"] == "decision" else []
        for step, sides in zip(decisions, lock_sides((one, other), decisions), strict=True):
            step["lock_sides"] = sides
        more = {
            "locked_lines": [lock_list(one), lock_list(other)],
            "gain": gain_data(one, other) or gain_data(other, one),
        }
        head = {"names": names, "command": command, "money": money_of(one.spot)}
        return json_bytes(head | data | more)

    with field_named("line"):
        key = ("compare", file_identity(second.path), line)
        body = site.opened.answer(first.path, key, answer)
    return Response(body, media_type="application/json")


ROUTES = [Route("/api/compare/{first}/{second}", _compare)]
