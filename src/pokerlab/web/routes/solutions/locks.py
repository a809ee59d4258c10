"""Locks: made of strategies and of models of players, copied to other cards, and what they win."""

from __future__ import annotations

from typing import Any

import numpy as np
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from pokerlab.web.answers import (
    FieldError,
    field_named,
    flag_of,
    json_bytes,
    number_of,
    text_of,
)
from pokerlab.web.files.library import Listed
from pokerlab.web.files.opened import file_identity
from pokerlab.web.routes.jobs import checked_locks
from pokerlab.web.routes.solutions.study import find_solution
from pokerlab.web.site import Site, posting

_LEAST_WEIGHT = 0.0001


def _lock(site: Site, data: dict[str, Any], id_: str) -> dict[str, Any]:
    """The texts and the strategy of a lock, from a strategy, from wanted frequencies, or texts."""
    from pokerlab.holdem.spots.answer.locking import lock_actions, towards_frequencies
    from pokerlab.holdem.spots.reports.study import study_hands
    from pokerlab.web.pages.lock_views import locked_shares

    solution = site.opened.solution(site.library.find(id_, "solution").path)
    with field_named("line"):
        decision = solution.decision(text_of(data, "line", ""))
    order = study_hands(solution, decision.player)
    if "lock" in data:
        with field_named("lock"):
            texts = checked_locks({"": data["lock"]})[""]
            strategy = locked_shares(solution, decision, texts)
        return {"line": decision.line, "lock": texts, "strategy": _shown(strategy[:, order])}
    if "wanted" in data:
        with field_named("wanted"):
            strategy = towards_frequencies(decision, _numbers_by_action(data["wanted"]))
    else:
        strategy = _given(data, solution, decision)
    with field_named("strategy"):
        locks = lock_actions(decision, strategy)
    return {"line": decision.line, "lock": locks, "strategy": _shown(strategy[:, order])}


def _copy(site: Site, data: dict[str, Any], id_: str) -> dict[str, Any]:
    """The lock of a decision on other cards, and in words what it will do."""
    from pokerlab.holdem.spots.answer.copied_locks import copy_lock
    from pokerlab.web.pages.lock_views import copy_words

    solution = site.opened.solution(site.library.find(id_, "solution").path)
    with field_named("line"):
        decision = solution.decision(text_of(data, "line"))
    strategy = _given(data, solution, decision)
    to, by = text_of(data, "to"), text_of(data, "by", "hand")
    try:
        copied = copy_lock(solution, decision, strategy, to, by)
    except ValueError as error:
        field = str(error).partition(":")[0]
        raise FieldError(field if field in ("to", "by") else "strategy", str(error)) from None
    return {"locks": copied.locks, "boards": copied.boards, "words": copy_words(copied, to, by)}


def _from_model(site: Site, data: dict[str, Any], id_: str) -> dict[str, Any]:
    """The locks of a seat that a model of a player makes, line by line."""
    from pokerlab.players.opponents import load_line_model
    from pokerlab.web.pages.lock_views import model_locks, model_rows

    solution = site.opened.solution(site.library.find(id_, "solution").path)
    listed = site.library.find(text_of(data, "model"), "model")
    player = text_of(data, "player")
    if player not in ("oop", "ip"):
        raise FieldError("player", f"player: {player[:20]!r} is not oop or ip")
    streets = data.get("streets")
    if streets is not None and not (
        isinstance(streets, list) and streets and all(isinstance(each, str) for each in streets)
    ):
        raise FieldError("streets", "streets: a list of streets is expected, at least one")
    uniform = flag_of(data, "uniform")
    half_at = number_of(data, "half_at", 10.0, low=_LEAST_WEIGHT, high=1e12)
    most = number_of(data, "most", 1.0, low=_LEAST_WEIGHT, high=1.0)
    with field_named("model"):
        model = load_line_model(listed.path)
    with field_named("streets"):
        found = model_locks(
            model, solution, player, streets, uniform=uniform, half_at=half_at, most=most
        )
    return {
        "name": listed.name,
        "player": model.player,
        "hands": model.hands,
        "seat": player,
        "rows": model_rows(solution.spot, found),
        "locks": {each.line: each.lock for each in found},
    }


def _gain(request: Request) -> Response:
    """What the locks of a solution win, compared with a solution of the same spot without any."""
    from pokerlab.web.pages.lock_views import gain_data, lock_list

    site, listed = find_solution(request)
    solution = site.opened.solution(listed.path)
    free = _without_locks(site, listed) if solution.locks else None
    key = ("gain", None if free is None else file_identity(free.path))

    def answer() -> bytes:
        before = None if free is None else site.opened.solution(free.path)
        found = None if before is None else gain_data(before, solution)
        name = None if free is None else {"id": free.id, "name": free.name}
        return json_bytes({"locks": lock_list(solution), "free": name, "gain": found})

    return Response(site.opened.answer(listed.path, key, answer), media_type="application/json")


def _without_locks(site: Site, listed: Listed) -> Listed | None:
    """The best solution of the same spot without locks that is in the folder."""
    spot = site.library.summary(listed).get("same")
    found = [
        entry
        for entry in site.library.listing()
        if entry["kind"] == "solution"
        and entry["error"] is None
        and not entry["locks"]
        and entry["groups"] is None
        and entry["same"] == spot
    ]
    best = min(found, key=lambda entry: entry["exploitability"]["chips"], default=None)
    return None if best is None else site.library.find(best["id"], "solution")


def _given(data: dict[str, Any], solution: Any, decision: Any) -> Any:
    """The strategy (actions, 1326) that was sent, or the solution's lock; NaN for free hands."""
    from pokerlab.holdem.spots.reports.locked import locked_combos
    from pokerlab.holdem.spots.reports.study import study_hands

    strategy = np.full(decision.strategy.shape, np.nan)
    if "strategy" not in data:
        kept = locked_combos(solution, decision)
        strategy[:, kept] = decision.strategy[:, kept]
        return strategy
    order = study_hands(solution, decision.player)
    strategy[:, order] = _strategy(data["strategy"], len(decision.actions), len(order))
    return strategy


def _shown(strategy: Any) -> list[list[float | None]]:
    rows: list[list[float | None]] = np.round(strategy, 4).tolist()
    return rows


def _numbers_by_action(wanted: Any) -> dict[str, float]:
    if not isinstance(wanted, dict) or not all(_is_number(each) for each in wanted.values()):
        raise ValueError("wanted: frequencies are given by action, for example {'b50': 0.3}")
    return {str(action): float(share) for action, share in wanted.items()}


def _strategy(rows: Any, actions: int, hands: int) -> list[list[float]]:
    """Shares by action and hand; None for hands that are free."""
    fits = isinstance(rows, list) and len(rows) == actions
    fits = fits and all(isinstance(row, list) and len(row) == hands for row in rows)
    if not fits or not all(each is None or _is_number(each) for row in rows for each in row):
        raise FieldError(
            "strategy", f"strategy: {actions} rows of {hands} numbers or nulls are expected"
        )
    return [[np.nan if each is None else float(each) for each in row] for row in rows]


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e9


ROUTES = [
    Route(
        "/api/solutions/{id}/lock",
        posting(_lock, "line", "wanted", "strategy", "lock"),
        methods=["POST"],
    ),
    Route(
        "/api/solutions/{id}/lock/copy",
        posting(_copy, "line", "strategy", "to", "by"),
        methods=["POST"],
    ),
    Route(
        "/api/solutions/{id}/lock/model",
        posting(_from_model, "model", "player", "streets", "uniform", "half_at", "most"),
        methods=["POST"],
    ),
    Route("/api/solutions/{id}/gain", _gain),
]
