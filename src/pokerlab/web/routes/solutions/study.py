"""Study: the decisions of a solution, values, filters, ranges and CSV."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from pokerlab.views.texts import number_text
from pokerlab.web.answers import (
    FieldError,
    field_named,
    file_answer,
    json_answer,
    json_bytes,
    share_of,
    whole_number,
)
from pokerlab.web.files.library import LIVE, Listed
from pokerlab.web.site import Site, site_of


def find_solution(request: Request, name: str = "id") -> tuple[Site, Listed]:
    """The site and the solution that an address means."""
    site = site_of(request)
    return site, site.find_solution(request.path_params[name])


def _kept(request: Request, kind: str, make: Callable[[Any, str], Any]) -> Response:
    """What `make` gives for a solution and a line, or gave before."""
    site, listed = find_solution(request)
    line = request.query_params.get("line", "")

    def answer() -> bytes:
        return json_bytes(make(site.opened.solution(listed.path), line))

    with field_named("line"):
        body = site.opened.answer(listed.path, (kind, line), answer)
    return Response(body, media_type="application/json")


def _solution(request: Request) -> Response:
    from pokerlab.holdem.spots.reports.study import solution_data
    from pokerlab.web.pages.money import money_of

    site, listed = find_solution(request)
    solution = site.opened.solution(listed.path)
    money = money_of(solution.spot)
    if money["prizes"] is not None:
        money["prizes"]["shares"] = solution.prize_shares
    data = solution_data(solution)
    if not solution.certified:
        reached = number_text(solution.exploitability.percent)
        data["state"] = f"ε {reached}% of the pot at iteration {solution.iterations:,}"
    return json_answer({"id": listed.id, "name": listed.name, "money": money, **data})


def _node(request: Request) -> Response:
    from pokerlab.holdem.spots.reports.study import decision_data

    site, listed = find_solution(request)
    name = shlex.quote(_name_to_type(site, listed))

    def make(solution: Any, line: str) -> dict[str, Any]:
        data = decision_data(solution, line)
        return {**data, "command": _command(name, data)}

    return _kept(request, "node", make)


def _name_to_type(site: Site, listed: Listed) -> str:
    """What a command names; the state of a solve under way lies in the folder of its job."""
    live = listed.id.startswith(LIVE)
    return listed.path.relative_to(site.folder).as_posix() if live else listed.name


def _command(name: str, data: dict[str, Any]) -> str:
    """What prints a place: a decision, the cards that may come, or the decision before an end."""
    verb = "report" if data["kind"] == "card" else "show"
    line = data["path"][-1]["line"] if data["kind"] == "end" else data["line"]
    return " ".join([f"pokerlab {verb}", name, *([shlex.quote(line)] if line else [])])


def _values(request: Request) -> Response:
    from pokerlab.holdem.spots.reports.study import value_data

    return _kept(request, "values", value_data)


def _hand(request: Request) -> Response:
    """What a hand of a player earns at a decision, what it beats, and what it blocks."""
    from pokerlab.web.pages.hand_views import hand_combos, hand_data

    site, listed = find_solution(request)
    query = request.query_params
    line, hand = query.get("line", ""), query.get("hand", "")
    solution = site.opened.solution(listed.path)
    with field_named("line"):
        decision = solution.decision(line)
    player = _seat(request, decision.player)
    with field_named("hand"):
        hand_combos(hand, decision.board)

    def answer() -> bytes:
        return json_bytes(hand_data(solution, line, player, hand))

    with field_named("line"):
        body = site.opened.answer(listed.path, ("hand", line, player, hand), answer)
    return Response(body, media_type="application/json")


def _deal(request: Request) -> Response:
    """The lines of one deal from a line on; where no deal is named, of one at random."""
    from pokerlab.web.pages.deal_views import deal_at_random

    site, listed = find_solution(request)
    solution = site.opened.solution(listed.path)
    return deal_answer(
        request, listed, solution, lambda line, seed: deal_at_random(solution, line, seed)
    )


def deal_answer(
    request: Request, listed: Listed, source: Any, at_random: Callable[[str, int], str]
) -> Response:
    """The tree of the deal that a request names, or of one at random.

    Without `least`, the smallest share of 2, 5, 10 or 20% below which actions are left out so that
    the tree can be read.
    """
    from pokerlab.web.pages.deal_views import LEASTS, deal_tree_data, readable_tree

    query = request.query_params
    line, deal = query.get("line", ""), query.get("deal", "")
    leasts = (share_of(request, "least"),) if query.get("least") else LEASTS
    if not deal.strip():
        with field_named("line"):
            deal = at_random(line, whole_number(query.get("seed") or "0", "seed", 10**9))
    with field_named("deal"):
        tree, least = readable_tree(source, deal, line, leasts)
    data = deal_tree_data(tree) | {"least": f"{100 * least:g}"}
    name = shlex.quote(_name_to_type(site_of(request), listed))
    words = [f"pokerlab show {name}", *([shlex.quote(line)] if line else [])]
    words += [f"--deal {shlex.quote(data['deal'])}", f"--least {100 * least:g}%"]
    return json_answer(data | {"command": " ".join(words)})


def _filter(request: Request) -> Response:
    """Which hands a filter lets through, as numbers in the order of each player's hands."""
    from pokerlab.cards import filter_hands
    from pokerlab.holdem.spots.reports.study import study_hands

    site, listed = find_solution(request)
    solution = site.opened.solution(listed.path)
    with field_named("line"):
        place = solution.spot.find(request.query_params.get("line", ""))
    board = (*solution.spot.board, *(card for card in place.cards if card >= 0))
    with field_named("hands"):
        passed = filter_hands(request.query_params.get("hands", ""), board)
    found = [np.flatnonzero(passed[study_hands(solution, seat)]).tolist() for seat in range(2)]
    return json_answer({"hands": found})


def _range(request: Request) -> Response:
    """The range of a player at a line, or the part of it that takes an action, as text."""
    from pokerlab.cards import Range, filter_hands
    from pokerlab.holdem.spots.reports.export import arriving_range

    site, listed = find_solution(request)
    query = request.query_params
    with field_named("line"):
        decision = site.opened.solution(listed.path).decision(query.get("line", ""))
    chosen = arriving_range(decision, _seat(request, decision.player), query.get("action") or None)
    if query.get("hands"):
        with field_named("hands"):
            chosen = Range(chosen.weights * filter_hands(query["hands"], decision.board))
    return json_answer({"range": chosen.plain_text(), "combos": chosen.combos})


def _csv(request: Request) -> Response:
    """The hands of a decision as ``pokerlab show --csv`` writes them, EVs in the chosen unit."""
    from pokerlab.holdem.spots.reports.choice import choose_hands
    from pokerlab.holdem.spots.reports.export import hand_rows, table_columns
    from pokerlab.runtime.files.columns import csv_text
    from pokerlab.web.pages.money import columns_in_unit

    site, listed = find_solution(request)
    query = request.query_params
    solution = site.opened.solution(listed.path)
    with field_named("line"):
        view = solution.at(query.get("line", ""))
    seat = _seat(request, view.player)
    with field_named("hands"):
        rows = choose_hands(
            hand_rows(view, seat), view.actions, hands=query.get("hands") or None, board=view.board
        )
    stem = "-".join([Path(listed.name).stem, *view.line.split("/")]).strip("-")
    columns = table_columns(view, rows, seat)
    columns = columns_in_unit(columns, query.get("unit", ""), solution.spot, view.pot)
    return file_answer(csv_text(columns), f"{stem}.csv", "text/csv")


def _seat(request: Request, acting: int) -> int:
    player = request.query_params.get("player", "")
    if player not in ("", "oop", "ip"):
        raise FieldError("player", f"player: {player[:20]!r} is not oop or ip")
    return {"": acting, "oop": 0, "ip": 1}[player]


ROUTES = [
    Route("/api/solutions/{id}", _solution),
    Route("/api/solutions/{id}/node", _node),
    Route("/api/solutions/{id}/values", _values),
    Route("/api/solutions/{id}/hand", _hand),
    Route("/api/solutions/{id}/deal", _deal),
    Route("/api/solutions/{id}/filter", _filter),
    Route("/api/solutions/{id}/range", _range),
    Route("/api/solutions/{id}/hands.csv", _csv),
]
