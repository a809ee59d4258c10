"""The Train pages: tables at which somebody plays hands of solutions against them."""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from pokerlab.web.answers import (
    FieldError,
    UnknownIdError,
    flag_of,
    json_answer,
    number_of,
    text_of,
    whole_of,
)
from pokerlab.web.files.library import boards_of
from pokerlab.web.site import Site, posting, site_of

if TYPE_CHECKING:
    from pokerlab.drills import DrillSource, MixedSession, Setup
    from pokerlab.drills.log import Clock, DrillLog
    from pokerlab.web.files.library import Listed

SETTINGS = ("seat", "street", "line", "mistakes", "due", "close", "clear", "seconds", "seed")
"""What a request may say of how hands are dealt."""
_FIELD = re.compile(r"(?:^|: )(seat|street|line|seed|close|clear|seconds|due)\b")
_LARGEST_SEED = 2**62
_LONGEST = 86_400


@dataclass
class DrillTable:
    """A session over files of the folder.

    Attributes
    ----------
    files
        Their ids; empty for whole hands against `nolimit`.
    session
        The session over them.
    whole
        How whole hands are played (`bot`, `stack`, `blinds`), and the table of the Play page at
        which they are (`play`); None where there are none.
    kept
        Solves of whole hands that were kept, by the decision.
    """

    files: list[str]
    session: MixedSession
    whole: dict[str, Any] | None = None
    kept: dict[str, dict[str, str]] = field(default_factory=dict)

    def state(self) -> dict[str, Any]:
        """The state that is saved."""
        weights = [each.weight for each in self.session.sources]
        own = {"files": self.files, "weights": weights, "whole": self.whole, "kept": self.kept}
        return {**own, "mixed": self.session.state()}

    def data(self, id_: str) -> dict[str, Any]:
        """The data that the page draws."""
        from pokerlab.views.payloads.drill_payload import mixed_data

        found = mixed_data(self.session)
        place = self.session.current or 0
        source = self.session.sources[place].source
        for each in found["score"]["worst"]:
            own = self.session.sources[each["place"]].source
            each["file"], each["kind"] = self.files[each["place"]], kind_of(own)
            each["kept"] = self.kept.get(decision_key(each))
        for file, each in zip(self.files, found["sources"], strict=True):
            each["file"] = file
        whole = self.whole if self.session.whole_hand else None
        head = {"table": id_, "file": self.files[place], "kind": kind_of(source)}
        return {**head, "money": money_of_source(source), "whole": whole, **found}


def decision_key(judged: Mapping[str, Any]) -> str:
    """What tells decisions of whole hands apart."""
    return " ".join(str(judged[name]) for name in ("board", "line", "hand"))


def kind_of(source: DrillSource | None) -> str:
    """Which page shows a source."""
    from pokerlab.drills import BatchSource

    if source is None:
        return "nolimit"
    return "batch" if isinstance(source, BatchSource) else "solution"


def money_of_source(source: DrillSource | None) -> dict[str, Any] | None:
    """What the page needs to show results in other units than chips."""
    from pokerlab.drills import BatchSource
    from pokerlab.web.pages.money import money_of

    if source is None:
        return None
    if isinstance(source, BatchSource):
        return money_of(source.batch.question.spot(next(iter(source.batch.question.boards))))
    return money_of(source.solution.spot)  # type: ignore[attr-defined]


def clock_of(site: Site) -> Clock:
    """What tells the time."""
    from pokerlab.drills.log import local_time

    return site.clock or local_time


def open_listed(site: Site, file: str) -> tuple[Listed, DrillSource]:
    """A solution or a batch of the folder by its id, as a source of hands."""
    from pokerlab.drills import BatchSource, SolutionSource
    from pokerlab.holdem.batches import load_batch

    listed = site.library.find(file)
    kind = site.library.summary(listed)["kind"]
    if kind == "batch":
        batch, boards = load_batch(listed.path), boards_of(file)
        return listed, BatchSource(batch, site.opened.solution, most_open=1, boards=boards)
    if kind != "solution":
        raise UnknownIdError(
            f"{listed.name} is no solution and no batch: there is nothing to train"
        )
    return listed, SolutionSource(site.opened.solution(listed.path), listed.path.name)


def log_of(site: Site, path: Path | None) -> DrillLog:
    """The results of a file of the folder; None for those of whole hands."""
    from pokerlab.drills.log import NOLIMIT_LOG, default_log, source_name

    if path is None:
        return site.logs.get(site.folder / NOLIMIT_LOG)
    return site.logs.get(default_log(path), source_name(path))


def read_setup(data: Mapping[str, Any]) -> Setup:
    """How hands are dealt, from the JSON of a request."""
    from pokerlab.drills import Setup

    seed = whole_of(data, "seed", None, low=0, high=_LARGEST_SEED)
    with field_found():
        return Setup(
            seat=text_of(data, "seat", None) or None,
            street=text_of(data, "street", None) or None,
            line=text_of(data, "line", "").strip(),
            mistakes=flag_of(data, "mistakes"),
            seed=secrets.randbelow(_LARGEST_SEED) if seed is None else seed,
            close=number_of(data, "close", None),
            clear=number_of(data, "clear", None),
            seconds=number_of(data, "seconds", None),
            due=text_of(data, "due", ""),
        )


class field_found(AbstractContextManager[None]):  # noqa: N801 - it is used as `field_named` is
    """Say of a `ValueError` in here which field of the form it names."""

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        if isinstance(error, ValueError) and not isinstance(error, FieldError):
            found = _FIELD.search(str(error))
            raise FieldError(found[1] if found else "", str(error)) from None


def begin(site: Site, table: DrillTable) -> dict[str, Any]:
    """Deal the first hand at a new table, and keep it."""
    with field_found():
        deal_next(site, table)
    return table.data(site.drills.add(table, table.state()))


def deal_next(site: Site, table: DrillTable) -> None:
    """Deal the next hand; where it is the turn of a whole hand, at its table of the Play page."""
    if table.session.whole_hand and table.whole is not None and not table.whole["judged"]:
        raise ValueError("this hand is not over")
    if table.session.deal() is None and table.whole is not None:
        from pokerlab.web.routes.play import deal_whole_hand

        table.whole["judged"] = None
        table.whole["play"] = deal_whole_hand(site, table.whole)


def _describe(request: Request) -> Response:
    """The drills of a file, and the results so far."""
    from pokerlab.drills import GRADES, MISTAKES, DrillScore
    from pokerlab.drills.schedule import due_positions, open_mistakes
    from pokerlab.games.betting_trees.menus import STREETS
    from pokerlab.views.payloads.drill_payload import judgement_data

    site, file = site_of(request), request.path_params["file"]
    listed, source = open_listed(site, file)
    entries = log_of(site, listed.path).entries()
    score = DrillScore.of(entries)
    first, kind = source.first_street, kind_of(source)
    worst = [{**judgement_data(each), "file": file, "kind": kind} for each in score.worst]
    today = clock_of(site)().date()
    return json_answer(
        {
            "id": file,
            "name": source.name,
            "file": listed.name,
            "kind": kind,
            "board": getattr(source, "board", None),
            "note": source.note,
            "streets": list(STREETS[first : min(first + source.kept_streets, 2) + 1]),
            "money": money_of_source(source),
            "mistakes": len(open_mistakes(entries, source.name)),
            "due": len(due_positions(entries, source.name, today)),
            "grades": {
                name: None if most == float("inf") else most for name, most in GRADES.items()
            },
            "wrong": list(MISTAKES),
            "score": {**score.to_json(), "worst": worst},
        }
    )


def _sit_down(site: Site, data: dict[str, Any], file: str) -> dict[str, Any]:
    from pokerlab.drills import MixedSession, MixedSource

    listed, source = open_listed(site, file)
    setup = read_setup(data)
    with field_found():
        part = MixedSource(source, log_of(site, listed.path))
        session = MixedSession([part], setup, clock=clock_of(site))
    return begin(site, DrillTable([file], session))


def _look(request: Request) -> Response:
    id_ = request.path_params["table"]
    with use_table(site_of(request), id_) as table:
        return json_answer(table.data(id_))


def _act(site: Site, data: dict[str, Any], id_: str) -> dict[str, Any]:
    action, line = text_of(data, "action"), text_of(data, "line")
    seconds = number_of(data, "seconds", None, low=0, high=_LONGEST)

    def take(table: DrillTable) -> None:
        _check_line(table, line)
        table.session.act(action, seconds)

    return change(site, id_, take)


def _time_is_over(site: Site, data: dict[str, Any], id_: str) -> dict[str, Any]:
    line = text_of(data, "line")

    def end(table: DrillTable) -> None:
        _check_line(table, line)
        if table.session.setup.seconds is None:
            raise ValueError("there is no time limit at this table")
        table.session.run_out_of_time()

    return change(site, id_, end)


def _check_line(table: DrillTable, line: str) -> None:
    hand = table.session.hand
    decision = None if hand is None else hand.decision
    if decision is None or decision.line != line:
        raise ValueError("this decision has been made already")


def _next(site: Site, data: dict[str, Any], id_: str) -> dict[str, Any]:
    return change(site, id_, lambda table: deal_next(site, table))


def change(site: Site, id_: str, step: Callable[[DrillTable], object]) -> dict[str, Any]:
    """Do something at a table, and keep its state."""
    with use_table(site, id_) as table:
        step(table)
        site.drills.save(id_, table.state())
        return table.data(id_)


def use_table(site: Site, id_: str) -> AbstractContextManager[DrillTable]:
    """A table, opened again if the server was started anew."""

    def restore(state: dict[str, Any]) -> DrillTable:
        from pokerlab.drills import MixedSession, MixedSource

        files, weights, mixed = _files_of(state)
        sources = []
        for file, weight in zip(files, weights, strict=True):
            if file:
                listed, source = open_listed(site, file)
                sources.append(MixedSource(source, log_of(site, listed.path), weight))
            else:
                sources.append(MixedSource(None, log_of(site, None), weight))
        session = MixedSession.resume(sources, mixed, clock_of(site))
        return DrillTable(files, session, state.get("whole"), dict(state.get("kept") or {}))

    return site.drills.use(id_, restore)


def _files_of(state: Mapping[str, Any]) -> tuple[list[str], list[int], Mapping[str, Any]]:
    """The files of a state, their weights, and the session; earlier versions had one file."""
    if "mixed" in state:
        return list(state["files"]), list(state["weights"]), state["mixed"]
    own = {name: value for name, value in state.items() if name != "file"}
    mixed: dict[str, Any] = {
        "setup": own.get("setup"),
        "name": own.get("name"),
        "counts": [own.get("number", 0)],
        "credit": [0],
        "current": 0,
        "ended": {},
        "sessions": [own],
    }
    return [str(state.get("file"))], [1], mixed


ROUTES = [
    Route("/api/train/files/{file}", _describe),
    Route("/api/train/files/{file}", posting(_sit_down, *SETTINGS), methods=["POST"]),
    Route("/api/train/tables/{table}", _look),
    Route(
        "/api/train/tables/{table}/act",
        posting(_act, "action", "line", "seconds"),
        methods=["POST"],
    ),
    Route("/api/train/tables/{table}/late", posting(_time_is_over, "line"), methods=["POST"]),
    Route("/api/train/tables/{table}/next", posting(_next), methods=["POST"]),
]
