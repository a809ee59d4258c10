"""Batches as pages show them: the settings, and a line on all boards."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from pokerlab.cards.codes import parse_cards
from pokerlab.games.betting_trees.betting_tree import EdgeKind
from pokerlab.games.betting_trees.lines import action_words, to_line
from pokerlab.holdem.batches import Batch, is_batch, load_batch
from pokerlab.holdem.batches.question_file import QUESTION_FILE
from pokerlab.holdem.spots import Spot
from pokerlab.holdem.spots.reports.line_report import FEATURE_VALUES, LineReport, ReportRow
from pokerlab.runtime.files.columns import csv_text
from pokerlab.views.flop_figure import flop_place
from pokerlab.views.report_tables import groups_data, mean_data
from pokerlab.web.answers import UnknownIdError, field_named
from pokerlab.web.files.library import Listed
from pokerlab.web.files.opened import file_identity
from pokerlab.web.pages.money import columns_in_unit, money_of

_DIGITS = 5
"""Digits of numbers on the page."""
_NOUNS = {6: "flops", 8: "turns", 10: "rivers"}
"""Boards that all have this number of letters."""
_LENGTHS = {"turn": 8, "river": 10}
"""The letters of boards that have such a feature."""
_KEEPS = {"full": "whole solutions", "partial": "no rivers", "root": "the first street"}


@dataclass(frozen=True)
class Chosen:
    """The rows of a batch to show, as ``pokerlab report FOLDER`` takes them; empty is all."""

    line: str = ""
    hands: str = ""
    flops: str = ""
    where: str = ""
    group: str = ""


def batch_info(batch: Batch, listed: Listed, solved: int) -> dict[str, Any]:
    """The settings of a batch, and its progress."""
    question = batch.question
    fields = question.fields
    limits = [
        f"to {question.target}" if question.target is not None else "",
        f"{question.iterations:,} iterations" if question.iterations is not None else "",
        f"{question.seconds:g} s" if question.seconds is not None else "",
    ]
    lengths = {len(board) for board in question.boards}
    return {
        "id": listed.id,
        "name": listed.name,
        "boards": len(question.boards),
        "solved": solved,
        "flops": lengths == {6},
        "noun": _NOUNS.get(max(lengths), "boards") if len(lengths) == 1 else "boards",
        "pot": fields.get("pot"),
        "stack": fields.get("stack"),
        "money": money_of(_any_spot(batch)),
        "ranges": {name: fields.get(name, "") for name in ("oop", "ip")},
        "how": ", ".join(each for each in (*limits, _KEEPS[question.keep]) if each),
        "keep": question.keep,
        "up_to_suits": question.up_to_suits,
        "features": {
            name: list(values)
            for name, values in FEATURE_VALUES.items()
            if max(lengths) >= _LENGTHS.get(name, 6)
        },
    }


def narrowed(report: LineReport, chosen: Chosen) -> LineReport:
    """The boards of a texture that fulfil a condition."""
    if chosen.flops.strip():
        with field_named("flops"):
            report = report.of_texture(chosen.flops)
    if chosen.where.strip():
        with field_named("where"):
            report = report.where(chosen.where)
    return report


def report_payload(batch: Batch, whole: LineReport, chosen: Chosen) -> dict[str, Any]:
    """All that the page shows of a report: the table by columns, classes of flops, and the mean."""
    report = narrowed(whole, chosen)
    groups: list[ReportRow] = []
    if chosen.group.strip():
        with field_named("group"):
            groups = report.groups(chosen.group)
    numbers = list(report.numbers(()))
    places: list[list[int]] = []
    if all(len(board) == 6 for board in report.names):
        places = [list(flop_place(parse_cards(board))) for board in report.names]
    return {
        "line": report.line,
        "player": ("oop", "ip")[report.player or 0],
        "seat": report.player,
        "actions": list(report.actions),
        "words": [action_words(action) for action in report.actions],
        "steps": _steps(report.line),
        "next": _next(batch, report),
        "pot": float(report.pot[0]),
        "columns": {
            name: [round(each, _DIGITS) if isinstance(each, float) else each for each in cells]
            for name, cells in report.columns().items()
        },
        "places": places,
        "groups": groups_data(report, groups),
        "mean": mean_data(report, report.mean()),
        "all": len(whole.names),
        "left_out": list(report.left_out),
        "shares": [name for name in numbers if report.is_share(name)],
        "numbers": numbers,
        "command": _command(batch, chosen),
    }


def report_csv(batch: Batch, report: LineReport, chosen: Chosen, unit: str) -> str:
    """The table of the boards that are shown, as a CSV file."""
    columns = narrowed(report, chosen).columns()
    return csv_text(columns_in_unit(columns, unit, _any_spot(batch), float(report.pot[0])))


def _any_spot(batch: Batch) -> Spot:
    """The spot on the first board; the chips are those of all boards."""
    return batch.question.spot(next(iter(batch.question.boards)))


def _steps(line: str) -> list[dict[str, str]]:
    """The actions and cards on the way, each with the line that ends in it."""
    tokens = to_line(line).tokens
    texts = str(to_line(line)).split("/") if tokens else []
    return [
        {"text": text, "line": "/".join(texts[: place + 1]), "words": _token_words(text)}
        for place, text in enumerate(texts)
    ]


def _token_words(text: str) -> str:
    return action_words(text) if text[0] in "fxcbra" else text


def _next(batch: Batch, report: LineReport) -> list[dict[str, Any]]:
    """The lines that go on from here to another decision; where a card must come, none does."""
    found: dict[str, dict[str, Any]] = {}
    kinds = {batch.question.kind(board)[3]: board for board in reversed(report.names)}
    for board in kinds.values():
        spot = batch.question.spot(board)
        for action in report.actions:
            line = f"{report.line}/{action}" if report.line else action
            try:
                kind = spot.find(line).kind
            except ValueError:
                continue
            found.setdefault(
                action, {"action": action, "line": line, "goes_on": kind == EdgeKind.NODE}
            )
    return [found[action] for action in report.actions if action in found]


def _command(batch: Batch, chosen: Chosen) -> str:
    words = ["pokerlab report", shlex.quote(batch.folder.name)]
    words += [shlex.quote(chosen.line)] if chosen.line else []
    for name in ("hands", "flops", "where", "group"):
        if getattr(chosen, name).strip():
            words.append(f"--{name} {shlex.quote(getattr(chosen, name))}")
    return " ".join(words)


def open_batch(listed: Listed) -> Batch:
    """The batch of a folder that the Library knows; its settings are read once."""
    if not is_batch(listed.path):
        raise UnknownIdError(f"{listed.name} is not a batch")
    return _opened(*file_identity(listed.path / QUESTION_FILE))


@lru_cache(maxsize=16)
def _opened(file: str, changed: int, size: int) -> Batch:
    return load_batch(Path(file).parent)


def chosen_from(query: Mapping[str, str]) -> Chosen:
    """The choice in the address of a request."""
    names = ("line", "hands", "flops", "where", "group")
    return Chosen(**{name: query.get(name, "")[:2000] for name in names})
