"""Push or fold: a table in a form or a link, and its charts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from pokerlab.runtime.errors import shorten
from pokerlab.web.answers import (
    FieldError,
    UnknownIdError,
    field_named,
    file_answer,
    flag_of,
    json_answer,
    number_of,
    text_of,
    whole_number,
    whole_of,
)
from pokerlab.web.routes.tasks import begin_task, find_task
from pokerlab.web.site import Site, posting, site_of

if TYPE_CHECKING:
    from pokerlab.holdem.pushfold import PushFoldRules

_LISTS = ("stacks", "payouts", "others", "bounties")
_FIELDS = (*_LISTS, "progressive", "small_blind", "ante", "ahead", "target", "iterations")
_BASE_BYTES = 250_000_000
"""Of the process and the tables of hands."""


def _look_for_table(request: Request) -> Response:
    """The table that a link describes, and the task that solved it before, if there is one."""
    site, asked = site_of(request), _table(dict(request.query_params))
    rules = _rules_of(asked)
    found = _same_table(site, asked)
    return json_answer({"positions": rules.positions, "pot": rules.pot, "job": found})


def _push_or_fold(site: Site, data: dict[str, Any]) -> dict[str, Any]:
    from pokerlab.holdem.pushfold.solving import memory_needed

    asked = _table(data)
    rules = _rules_of(asked)
    known = _same_table(site, asked)
    if known is not None:
        return {"id": known}
    name = "push or fold " + ", ".join(f"{stack:g}" for stack in rules.stacks)
    return begin_task(
        site,
        "pushfold",
        name,
        asked,
        needed=_BASE_BYTES + memory_needed(rules),
        address="/pushfold?job=JOB",
    )


def _table(data: dict[str, Any]) -> dict[str, Any]:
    """A table as a form or a link describes it: its rules, and how exactly it is solved."""
    from pokerlab.games.betting_trees.chips import read_numbers
    from pokerlab.holdem.pushfold.next_hand import MOST_AHEAD

    rules: dict[str, Any] = {}
    for name in _LISTS:
        with field_named(name):
            rules[name] = read_numbers(name, text_of(data, name, ""))
    for name, otherwise in (("small_blind", 0.5), ("ante", 0.0)):
        rules[name] = _share(data, name, otherwise, low=0.0, high=1.0)
    rules["progressive"] = _flag(data, "progressive")
    return {
        "rules": rules,
        "ahead": _whole(data, "ahead", 0, low=0, high=MOST_AHEAD),
        "target": _share(data, "target", 1e-3, low=1e-9, high=100.0),
        "iterations": _whole(data, "iterations", 1000, low=1, high=100_000),
    }


def _share(data: dict[str, Any], name: str, otherwise: float, **bounds: float) -> float:
    """A number that is given as one, or as a text of a link or of a form."""
    given = data.get(name)
    if isinstance(given, str):
        text = given
        try:
            given = float(text) if text.strip() else otherwise
        except ValueError:
            raise FieldError(name, f"{name}: {shorten(text)!r} is not a number") from None
    return float(number_of({name: given} if given is not None else {}, name, otherwise, **bounds))


def _whole(data: dict[str, Any], name: str, otherwise: int, *, low: int, high: int) -> int:
    given = data.get(name)
    if isinstance(given, str):
        return whole_number(given.strip() or str(otherwise), name, high, low)
    return whole_of({name: given} if given is not None else {}, name, otherwise, low=low, high=high)


def _flag(data: dict[str, Any], name: str) -> bool:
    given = data.get(name, False)
    return (given == "yes") if given in ("", "yes") else flag_of(data, name)


def _rules_of(asked: dict[str, Any]) -> PushFoldRules:
    """The table; `FieldError` names what is wrong with it."""
    from pokerlab.holdem.pushfold import PushFoldRules
    from pokerlab.holdem.pushfold.next_hand import check_ahead

    rules = asked["rules"]
    try:
        found = PushFoldRules(**rules)
        check_ahead(found, asked["ahead"])
    except ValueError as error:
        field = str(error).partition(":")[0]
        raise FieldError(field if field in _FIELDS else "stacks", str(error)) from None
    return found


def _same_table(site: Site, asked: dict[str, Any]) -> str | None:
    """The newest task with the same settings that ended well, or may yet."""
    for view in site.jobs.views():
        if view["kind"] == "pushfold" and view["status"] in ("queued", "running", "done"):
            question = site.jobs.find(view["id"]).question()
            if question.get("asked") == asked:
                return str(view["id"])
    return None


def _csv(request: Request) -> Response:
    """The charts of push or fold: a row for each class of hands, a column for each decision."""
    from pokerlab.runtime.files.columns import csv_text

    job = find_task(site_of(request), request.path_params["id"])
    found = job.result()
    if "decisions" not in found:
        raise UnknownIdError("there are no charts (yet)")
    columns: dict[str, Any] = {"hand": found["classes"]}
    for each in found["decisions"]:
        if each["share"] is None:  # play never comes there
            continue
        name = ":".join([each["position"], "+".join(each["after"])]).rstrip(":")
        columns[name] = each["shares"]
    return file_answer(csv_text(columns), f"{job.question()['name']}.csv", "text/csv")


ROUTES = [
    Route("/api/tasks/pushfold", _look_for_table),
    Route("/api/tasks/pushfold", posting(_push_or_fold, *_FIELDS), methods=["POST"]),
    Route("/api/tasks/{id}/charts.csv", _csv),
]
