"""A whole night's hands, judged in the background: what it takes, the task, and what was found."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from pokerlab.arena.logs.hand_query import HandQuery, own_plays, select
from pokerlab.runtime.files.columns import csv_text
from pokerlab.runtime.machine import duration_text
from pokerlab.web.answers import (
    FieldError,
    UnknownIdError,
    file_answer,
    flag_of,
    json_answer,
    number_of,
    text_of,
)
from pokerlab.web.files.library import check_name
from pokerlab.web.jobs.job_folder import JobFolder
from pokerlab.web.jobs.tasks import JUDGED
from pokerlab.web.routes.histories.hands import open_hands, query_of, ranges_file
from pokerlab.web.routes.tasks import begin_task, find_task
from pokerlab.web.site import Site, posting, site_of

if TYPE_CHECKING:
    from pokerlab.drills.played.judged_histories import HandJudging

KEPT = "judged"
"""The folder, below the one that is served, for the solutions of judged hands."""
_MOST_HANDS = 2_000
_SAMPLE = 60
"""Hands that are looked at to say how many can be judged, and how long that takes."""
_MOST_WORST = 500
_FILTER = tuple(
    name for name in HandQuery.__dataclass_fields__ if name not in ("order", "descending", "two")
)
_SETTINGS = ("ranges", "street", "runouts", "target", "seconds", "keep")
_FIELDS = ("files", *_FILTER, *_SETTINGS, "keep_mistakes", "name")


def _weigh(site: Site, data: dict[str, Any]) -> dict[str, Any]:
    """How many hands can be judged, why others cannot, and how long it takes."""
    from pokerlab.drills.played.judged_histories import hands_to_judge

    judging, places = _asked(site, data)
    count = sum(map(len, places.values()))
    share = max(count / _SAMPLE, 1.0)
    flat = [(path, place) for path, found in places.items() for place in found]
    sample: dict[Path, set[int]] = {}
    for path, place in flat[:: max(int(share), 1)][:_SAMPLE]:
        sample.setdefault(path, set()).add(place)
    found = hands_to_judge(sample, judging)
    low, high = found.seconds(judging)
    whole = max(found.looked_at, 1)
    low, high = (each * count / whole for each in (low, high))
    return {
        "player": judging.player,
        "hands": count,
        "can": round(len(found.hands) * count / whole),
        "exact": count <= whole,
        "passed": [
            {"reason": reason, "hands": round(number * count / whole)}
            for reason, number in found.passed.most_common()
        ],
        "seconds": [low, high],
        "text": f"{_about(low)} to {_about(high)}" if _about(low) != _about(high) else _about(low),
    }


def _about(seconds: float) -> str:
    return "under a second" if seconds < 1 else duration_text(seconds)


def _begin(site: Site, data: dict[str, Any]) -> dict[str, Any]:
    """Put the hands into the queue."""
    from pokerlab.drills.played.judged_histories import hands_to_judge
    from pokerlab.holdem.spots.cost import estimate_cost

    judging, places = _asked(site, data)
    count = sum(map(len, places.values()))
    if not count:
        raise FieldError(
            "files",
            f"no hand of these can be judged: {judging.player} and one other must have"
            " seen the flop, with cards that are known",
        )
    if count > _MOST_HANDS:
        raise FieldError(
            "files", f"{count:,} hands are more than {_MOST_HANDS:,}: choose fewer by the filters"
        )
    path, first = next((path, min(found)) for path, found in places.items() if found)
    sample = hands_to_judge({path: {first}}, judging).hands
    needed = max(
        (estimate_cost(judging.spot(each.hand).spot).peak_bytes for each in sample), default=0
    )
    name = check_name(text_of(data, "name", "") or path.stem)
    return begin_task(
        site,
        "hands",
        f"{name}, hands judged",
        {
            "files": {str(each): sorted(found) for each, found in places.items() if found},
            "judging": judging.__dict__,
            "solutions": None if judging.keep == "none" else str(site.folder / KEPT / name),
            "keep_mistakes": flag_of(data, "keep_mistakes", True),
        },
        needed=needed,
        address="/hands/judged/JOB",
    )


def _asked(site: Site, data: dict[str, Any]) -> tuple[HandJudging, dict[Path, set[int]]]:
    """How to judge, and the places of hands that may be judged, by file."""
    from pokerlab.drills.played.judged_histories import RUNOUTS, HandJudging

    texts = {name: text_of(data, name, "") for name in ("files", *_FILTER)}
    opened = open_hands(site, texts)
    if opened.reading:
        raise FieldError("files", "files: a history is still being read")
    query = query_of(texts, opened)
    if not query.player:
        raise FieldError("player", "player: whose decisions? choose a player")
    runouts = text_of(data, "runouts", RUNOUTS).strip()
    try:
        judging = HandJudging(
            query.player,
            ranges_file(site, text_of(data, "ranges", "")),
            text_of(data, "street", "flop"),
            None if runouts in ("", "all") else runouts,
            text_of(data, "target", "1%").strip() or "1%",
            float(number_of(data, "seconds", 120, low=1, high=100_000)),
            text_of(data, "keep", "mistakes"),
        )
    except FieldError:
        raise
    except ValueError as error:
        raise FieldError(str(error).partition(":")[0], str(error)) from None
    rows = select(opened.hands, replace(query, flop=True, two=True))
    own = own_plays(opened.hands, query.player)[rows]
    rows = rows[opened.hands.plays["cards"][own] >= 0]
    places: dict[Path, set[int]] = {}
    hands = opened.hands.hands
    for row in rows.tolist():
        path = opened.files[int(hands["file"][row])].path
        places.setdefault(path, set()).add(int(hands["place"][row]))
    return judging, places


def _found(request: Request) -> Response:
    """What was found so far: sums, and the worst decisions with links."""
    from pokerlab.drills.played.judged_histories import judged_summary
    from pokerlab.drills.words import action_words

    site = site_of(request)
    job = _job(site, request.path_params["id"])
    rows, asked = _rows(job), job.question()["asked"]
    found = judged_summary(rows)
    ids = {path: site.library.id_of(Path(path)) for path in asked["files"]}
    place = asked["solutions"]
    worst = []
    for each in found["worst"][:_MOST_WORST]:
        kept = each["solution"]
        path = None if kept is None or place is None else Path(place) / kept
        there = path is not None and path.is_file()
        worst.append(
            {name: each[name] for name in _SHOWN}
            | {
                "action_words": action_words(each["action"]),
                "best_words": action_words(each["best"]),
                "file": ids.get(each.get("path")),
                "solution": site.library.id_of(path) if path is not None and there else None,
            }
        )
    asked_for = asked["judging"] | {
        "ranges": asked["judging"]["ranges"] and Path(asked["judging"]["ranges"]).name
    }
    passed = job.result().get("passed", {})
    return json_answer(
        found
        | {
            "name": job.question()["name"],
            "asked": asked_for,
            "total": sum(map(len, asked["files"].values())),
            "worst": worst,
            "passed": passed,
        }
    )


_SHOWN = (
    *("place", "number", "cards", "board", "position", "kind", "street", "line", "action", "best"),
    *("size", "grade", "loss_bb", "loss_percent", "pot", "seat", "move"),
)


def _csv(request: Request) -> Response:
    """All decisions, the worst first."""
    from pokerlab.drills.played.judged_histories import judged_summary

    job = _job(site_of(request), request.path_params["id"])
    worst = judged_summary(_rows(job))["worst"]
    names = ("file", *(name for name in _SHOWN if name not in ("pot", "seat", "move")))
    columns = {name: [each[name] for each in worst] for name in names}
    return file_answer(csv_text(columns), f"{job.question()['name']}.csv", "text/csv")


def _job(site: Site, id_: str) -> JobFolder:
    job = find_task(site, id_)
    if job.question()["kind"] != "hands":
        raise UnknownIdError("this task judges no hands")
    return job


def _rows(job: JobFolder) -> list[dict[str, Any]]:
    from pokerlab.drills.played.judged_histories import judged_rows

    return judged_rows(job.path / JUDGED)


ROUTES = [
    Route("/api/hands/judge", posting(_begin, *_FIELDS), methods=["POST"]),
    Route("/api/hands/judge/weigh", posting(_weigh, *_FIELDS), methods=["POST"]),
    Route("/api/hands/judged/{id}", _found),
    Route("/api/hands/judged/{id}/decisions.csv", _csv),
]
