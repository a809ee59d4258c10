"""The next-card report: rows as cards are computed, then the whole."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from pokerlab.web.answers import field_named, json_bytes
from pokerlab.web.routes.solutions.study import find_solution


def _report(request: Request) -> Response:
    from pokerlab.holdem.spots.reports.run_outs import run_out_parts

    site, listed = find_solution(request)
    line = request.query_params.get("line", "")
    solution = site.opened.solution(listed.path)
    key = ("report", line)
    with field_named("line"):
        parts = run_out_parts(solution, line, cards=_one_card(solution, line))
    kept = site.opened.known_answer(listed.path, key)

    def stream() -> Iterator[bytes]:
        if kept is not None:
            yield kept
            return
        for name, data in _events(solution, line, parts):
            body = f"event: {name}\n".encode() + b"data: " + json_bytes(data) + b"\n\n"
            if name == "done":
                with suppress(OSError):  # a newer state of its solve has taken its place
                    site.opened.answer(listed.path, key, lambda made=body: made)  # type: ignore[misc]
            yield body

    return StreamingResponse(stream(), media_type="text/event-stream")


def _one_card(solution: Any, line: str) -> int | None:
    """After an all-in the next card alone; elsewhere the card that the line leaves out."""
    from pokerlab.games.betting_trees import EdgeKind

    place = solution.spot.find(line)
    if place.cards.count(-1) + (place.kind == EdgeKind.NEXT_STREET) > 1:
        raise ValueError(f"line {line!r} leaves out two cards: name the first, as in x/x/Qc/x/x")
    return 1 if place.kind == EdgeKind.ALLIN and -1 not in place.cards else None


def _events(solution: Any, line: str, parts: Any) -> Iterator[tuple[str, dict[str, Any]]]:
    """Rows of each card, and at last the report as ``report --by texture --json`` prints it."""
    from pokerlab.cards import parse_cards
    from pokerlab.games.betting_trees import EdgeKind
    from pokerlab.holdem.spots.reports.run_outs import join_run_outs, line_with_cards
    from pokerlab.views.report_tables import report_data, row_data

    place = solution.spot.find(line)
    goes_on = place.kind in (EdgeKind.NODE, EdgeKind.NEXT_STREET)

    def with_lines(data: dict[str, Any]) -> dict[str, Any]:
        for row in data["rows"]:
            row["line"] = (
                line_with_cards(solution.spot, line, parse_cards(row["card"])) if goes_on else None
            )
        return data

    seen = []
    for part in parts:
        seen.append(part)
        yield "rows", with_lines(report_data(part))
    whole = join_run_outs(seen)
    groups = [
        row_data(whole, group) | {"texture": whole.card_textures[places[0]]}
        for group, places in zip(
            whole.groups("texture"), whole.group_places("texture").values(), strict=True
        )
    ]
    yield "done", with_lines(report_data(whole)) | {"groups": groups}


def _steps(request: Request) -> Response:
    """The way to the report of a line, and on from there."""
    from pokerlab.cards.board_hands.next_cards import CARD_TEXTURES
    from pokerlab.holdem.spots.reports.steps import report_steps

    site, listed = find_solution(request)
    line = request.query_params.get("line", "")
    solution = site.opened.solution(listed.path)

    def answer() -> bytes:
        return json_bytes(report_steps(solution, line) | {"textures": dict(CARD_TEXTURES)})

    with field_named("line"):
        body = site.opened.answer(listed.path, ("report steps", line), answer)
    return Response(body, media_type="application/json")


ROUTES = [
    Route("/api/solutions/{id}/report", _report),
    Route("/api/solutions/{id}/report/steps", _steps),
]
