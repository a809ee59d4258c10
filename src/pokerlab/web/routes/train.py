"""The Train page: a table at which somebody plays hands of a solution against it."""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from pokerlab.web.answers import (
    FieldError,
    UnknownIdError,
    flag_of,
    json_answer,
    text_of,
    whole_of,
)
from pokerlab.web.site import Site, posting, site_of

if TYPE_CHECKING:
    from pokerlab.drills import DrillSession, DrillSource

_FIELD = re.compile(r"(seat|street|line|seed)\b")
_LARGEST_SEED = 2**62


@dataclass(frozen=True)
class DrillTable:
    """A session, and the id of the file that it is about."""

    file: str
    session: DrillSession

    def state(self) -> dict[str, Any]:
        """The state that is saved."""
        return {"file": self.file, **self.session.state()}

    def data(self, id_: str) -> dict[str, Any]:
        """The data that the page draws."""
        from pokerlab.drills import BatchSource
        from pokerlab.views.payloads.drill_payload import session_data

        kind = "batch" if isinstance(self.session.source, BatchSource) else "solution"
        head = {"table": id_, "file": self.file, "kind": kind, "money": _money(self.session.source)}
        return head | session_data(self.session)


def _money(source: DrillSource) -> dict[str, Any]:
    from pokerlab.drills import BatchSource
    from pokerlab.web.pages.money import money_of

    if isinstance(source, BatchSource):
        return money_of(source.batch.question.spot(next(iter(source.batch.question.boards))))
    return money_of(source.solution.spot)  # type: ignore[attr-defined]


def _describe(request: Request) -> Response:
    """The drills of a file, and the results so far."""
    from pokerlab.drills import GRADES, MISTAKES, DrillScore, default_log, open_log
    from pokerlab.drills.schedule import open_mistakes
    from pokerlab.games.betting_trees.menus import STREETS
    from pokerlab.views.payloads.drill_payload import judgement_data

    site, file = site_of(request), request.path_params["file"]
    source = _open_source(site, file)
    listed = site.library.find(file)
    entries = open_log(default_log(listed.path)).entries()
    score = DrillScore.of(entries)
    first = source.first_street
    return json_answer(
        {
            "id": file,
            "name": source.name,
            "file": listed.name,
            "kind": "batch" if listed.path.is_dir() else "solution",
            "board": getattr(source, "board", None),
            "note": source.note,
            "streets": list(STREETS[first : min(first + source.kept_streets, 2) + 1]),
            "money": _money(source),
            "mistakes": len(open_mistakes(entries, source.name)),
            "grades": {
                name: None if most == float("inf") else most for name, most in GRADES.items()
            },
            "wrong": list(MISTAKES),
            "score": {**score.to_json(), "worst": [judgement_data(each) for each in score.worst]},
        }
    )


def _sit_down(site: Site, data: dict[str, Any], file: str) -> dict[str, Any]:
    from pokerlab.drills import DrillSession, Setup, default_log, open_log

    source = _open_source(site, file)
    seed = whole_of(data, "seed", None, low=0, high=_LARGEST_SEED)
    try:
        setup = Setup(
            seat=text_of(data, "seat", None) or None,
            street=text_of(data, "street", None) or None,
            line=text_of(data, "line", "").strip(),
            mistakes=flag_of(data, "mistakes"),
            seed=secrets.randbelow(_LARGEST_SEED) if seed is None else seed,
        )
        log = open_log(default_log(site.library.find(file).path))
        session = DrillSession(source, setup, log)
        session.deal()
    except FieldError:
        raise
    except ValueError as error:
        found = _FIELD.match(str(error))
        raise FieldError(found[1] if found else "", str(error)) from None
    table = DrillTable(file, session)
    return table.data(site.drills.add(table, table.state()))


def _look(request: Request) -> Response:
    id_ = request.path_params["table"]
    with _use(site_of(request), id_) as table:
        return json_answer(table.data(id_))


def _act(site: Site, data: dict[str, Any], id_: str) -> dict[str, Any]:
    action, line = text_of(data, "action"), text_of(data, "line")

    def take(session: DrillSession) -> None:
        decision = None if session.hand is None else session.hand.decision
        if decision is None or decision.line != line:
            raise ValueError("this decision has been made already")
        session.act(action)

    return _change(site, id_, take)


def _next(site: Site, data: dict[str, Any], id_: str) -> dict[str, Any]:
    return _change(site, id_, lambda session: session.deal())


def _change(site: Site, id_: str, step: Callable[[DrillSession], object]) -> dict[str, Any]:
    with _use(site, id_) as table:
        step(table.session)
        site.drills.save(id_, table.state())
        return table.data(id_)


def _open_source(site: Site, file: str) -> DrillSource:
    from pokerlab.drills import BatchSource, SolutionSource
    from pokerlab.holdem.batches import load_batch

    listed = site.library.find(file)
    kind = site.library.summary(listed)["kind"]
    if kind == "batch":
        return BatchSource(load_batch(listed.path), site.opened.solution, most_open=1)
    if kind != "solution":
        raise UnknownIdError(
            f"{listed.name} is no solution and no batch: there is nothing to train"
        )
    return SolutionSource(site.opened.solution(listed.path), listed.path.name)


def _use(site: Site, id_: str) -> AbstractContextManager[DrillTable]:
    """A table, opened again if the server was started anew."""
    from pokerlab.drills import DrillSession, default_log, open_log

    def restore(state: dict[str, Any]) -> DrillTable:
        file = str(state.get("file"))
        log = open_log(default_log(site.library.find(file).path))
        return DrillTable(file, DrillSession.resume(_open_source(site, file), state, log))

    return site.drills.use(id_, restore)


ROUTES = [
    Route("/api/train/files/{file}", _describe),
    Route(
        "/api/train/files/{file}",
        posting(_sit_down, "seat", "street", "line", "mistakes", "seed"),
        methods=["POST"],
    ),
    Route("/api/train/tables/{table}", _look),
    Route("/api/train/tables/{table}/act", posting(_act, "action", "line"), methods=["POST"]),
    Route("/api/train/tables/{table}/next", posting(_next), methods=["POST"]),
]
