"""Tasks: simple strategies, rules in words, bet sizes; and what they found."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from pokerlab.runtime.errors import shorten
from pokerlab.web.answers import (
    FieldError,
    UnknownIdError,
    field_named,
    flag_of,
    json_answer,
    text_of,
    whole_of,
)
from pokerlab.web.files.library import check_name
from pokerlab.web.jobs.job_folder import JobFolder
from pokerlab.web.jobs.task_view import TASKS
from pokerlab.web.routes.jobs import asked_spot, check_memory
from pokerlab.web.site import Site, posting, site_of

if TYPE_CHECKING:
    from pokerlab.holdem.spots import PostflopSolution, Spot

_SIMPLE = ("solution", "step", "max_actions", "by", "player", "street", "lines", "loss", "nearest")
_RULES = ("solution", "line", "step", "max_actions", "loss", "most_rules")
_LOSSES = ("first", "second")
_SIZES = ("spot", "id", "name", "candidates", "most", "streets", "player", "loss", "target")
_AGAINST = ("spot", "id", "name", "size", "streets", "player", "target")
_PATHS = ("file", "files", "spot")
"""Settings of a task that are the server's own, or too long to be told."""
_LONGEST = 2000
"""Letters of a list."""
_MOST_DECISIONS = 30_000


def begin_task(
    site: Site, kind: str, name: str, asked: dict[str, Any], *, needed: int, **more: Any
) -> dict[str, Any]:
    """Put a task into the queue, if this machine can ever hold it; its id."""
    check_memory(needed)
    task = {"kind": kind, "name": name, "asked": asked, "bytes": needed, "summary": {}, **more}
    return {"id": site.jobs.add_task(task)}


def _simplify(site: Site, data: dict[str, Any]) -> dict[str, Any]:
    from pokerlab.holdem.spots.simple.decisions import find_decisions
    from pokerlab.holdem.spots.simple.solved_spot import prepared_of

    listed, solution = _solution(site, data)
    settings = _rounding(data, solution) | {
        "by": text_of(data, "by", "hand"),
        "balanced": not flag_of(data, "nearest"),
    }
    chosen = {name: text_of(data, name, None) or None for name in ("player", "street")}
    lines = text_of(data, "lines", None)
    if lines is not None and len(lines) > _LONGEST:
        raise FieldError("lines", f"lines: at most {_LONGEST:,} letters")
    with field_named("by"):
        _check_rounding(settings)
    with field_named("solution"):
        prepared = prepared_of(solution)
    with field_named("lines"):
        find_decisions(prepared, **chosen, lines=lines)
    settings |= chosen | {"lines": lines, "loss": _loss(data, solution, None)}
    return _about_solution(site, "simplify", data, listed, settings)


def _write_rules(site: Site, data: dict[str, Any]) -> dict[str, Any]:
    from pokerlab.holdem.spots.simple.solved_spot import prepared_of

    listed, solution = _solution(site, data)
    with field_named("solution"):
        prepared_of(solution)
    with field_named("line"):
        line = solution.decision(text_of(data, "line", "")).line
    settings = _rounding(data, solution) | {
        "line": str(line),
        "loss": _loss(data, solution, "0.5%"),
        "most": whole_of(data, "most_rules", 8, low=1, high=30),
    }
    return _about_solution(site, "rules", data, listed, settings)


def _split_losses(site: Site, data: dict[str, Any]) -> dict[str, Any]:
    from pokerlab.holdem.spots.cost import estimate_cost
    from pokerlab.holdem.spots.simple.origins import has_origins, unlocked
    from pokerlab.holdem.spots.simple.solved_spot import prepared_of

    listed = [site.library.find(text_of(data, name), "solution") for name in _LOSSES]
    full, simple = (unlocked(site.opened.solution(each.path)) for each in listed)
    for name, solution in zip(_LOSSES, (full, simple), strict=True):
        with field_named(name):
            if not has_origins(prepared_of(solution)):
                raise ValueError("losses are not known on some run-outs alone")
    with field_named("second"):
        if full.spot.fields() != simple.spot.fields():
            raise ValueError(
                "losses are compared between solutions of one spot, with the same menus"
            )
    first, second = listed
    return begin_task(
        site,
        "losses",
        f"{first.path.stem} and {second.path.stem}, losses",
        {"files": [str(each.path) for each in listed]},
        needed=estimate_cost(full.spot).peak_bytes,
        address=f"/compare/{first.id}/{second.id}?losses=JOB",
        pair=[first.id, second.id],
    )


def _solution(site: Site, data: dict[str, Any]) -> tuple[Any, PostflopSolution]:
    listed = site.library.find(text_of(data, "solution"), "solution")
    return listed, site.opened.solution(listed.path)


def _rounding(data: dict[str, Any], solution: PostflopSolution) -> dict[str, Any]:
    """The step and the most actions."""
    settings = {
        "step": text_of(data, "step", "25%").strip(),
        "max_actions": whole_of(data, "max_actions", None, low=1, high=100),
    }
    with field_named("step"):
        _check_rounding(settings)
    return settings


def _check_rounding(settings: dict[str, Any]) -> None:
    from pokerlab.holdem.spots.simple.rounding import Rounding

    Rounding.of(settings["step"], settings["max_actions"], settings.get("by", "hand"))


def _loss(data: dict[str, Any], solution: PostflopSolution, otherwise: str | None) -> str | None:
    """The most that a simple strategy may lose; None for no bound."""
    from pokerlab.holdem.spots.simple.simplify import parse_loss

    loss = (text_of(data, "loss", None) or "").strip() or otherwise
    if loss is not None:
        with field_named("loss"):
            parse_loss(loss, solution.spot.pot)
    return loss


def _about_solution(
    site: Site, kind: str, data: dict[str, Any], listed: Any, settings: dict[str, Any]
) -> dict[str, Any]:
    from pokerlab.holdem.spots.cost import estimate_cost

    asked = {"file": str(listed.path), "settings": settings}
    needed = estimate_cost(site.opened.solution(listed.path).spot).peak_bytes
    where = f"/solution/{listed.id}?tab=simple&task=JOB"
    return begin_task(
        site,
        kind,
        f"{listed.path.stem}, {'rules' if kind == 'rules' else 'simple'}",
        asked,
        needed=needed,
        address=where,
        solution=listed.id,
    )


def _choose_sizes(site: Site, data: dict[str, Any]) -> dict[str, Any]:
    from pokerlab.holdem.spots.simple.simplify import parse_loss
    from pokerlab.holdem.spots.sizes.menu_places import (
        menu_places,
        read_candidates,
        with_menus,
    )
    from pokerlab.holdem.spots.sizes.valuing import check_comparable

    spot, name, _ = asked_spot(site, data)
    with field_named("candidates"):
        candidates = text_of(data, "candidates", "").strip()
        sizes = read_candidates(candidates)
    settings = _whose(data) | {
        "candidates": candidates,
        "most": whole_of(data, "most", 2, low=1, high=len(sizes)),
        "loss": text_of(data, "loss", "0.1%"),
    }
    with field_named("loss"):
        parse_loss(settings["loss"], spot.pot)
    with field_named("spot"):
        check_comparable(spot)
    with field_named("streets"):
        places = menu_places(spot, settings["streets"], settings["player"])
        largest = with_menus(spot, dict.fromkeys(places, sizes))
    return _about_spot(site, "sizes", data, spot, name, [largest], {"settings": settings})


def _price_answers(site: Site, data: dict[str, Any]) -> dict[str, Any]:
    from pokerlab.holdem.spots.sizes.menu_places import menu_places
    from pokerlab.holdem.spots.sizes.unlisted import spots_with_size
    from pokerlab.holdem.spots.sizes.valuing import check_comparable

    spot, name, _ = asked_spot(site, data)
    size, settings = text_of(data, "size").strip(), _whose(data)
    with field_named("spot"):
        check_comparable(spot)
    with field_named("streets"):
        menu_places(spot, settings["streets"], settings["player"])
    with field_named("size"):
        finer = spots_with_size(spot, size, settings["streets"], settings["player"])
    asked = {"size": size, "settings": settings}
    return _about_spot(site, "against", data, spot, name, [*finer.values()], asked)


def _whose(data: dict[str, Any]) -> dict[str, Any]:
    """Streets, player and target of a task about sizes."""
    return {
        "streets": text_of(data, "streets", "")[:_LONGEST].strip() or None,
        "player": text_of(data, "player", "") or None,
        "target": text_of(data, "target", "").strip() or "0.1%",
    }


def _about_spot(
    site: Site,
    kind: str,
    data: dict[str, Any],
    spot: Spot,
    name: str,
    largest: Sequence[Spot],
    asked: dict[str, Any],
) -> dict[str, Any]:
    """Begin a task about a spot, if the largest of its trees can be held."""
    from pokerlab.games.betting_trees.builder import build_tree
    from pokerlab.holdem.spots.cost import estimate_cost
    from pokerlab.holdem.spots.solving import parse_target

    with field_named("target"):
        parse_target(asked["settings"]["target"], spot.pot)
    with field_named("candidates" if kind == "sizes" else "size"):
        for each in largest:
            build_tree(each.tree_rules, _MOST_DECISIONS)
    id_ = text_of(data, "id", None)
    where = "new" if id_ is None else site.library.find(id_, "spot").id
    return begin_task(
        site,
        kind,
        f"{name}, {'sizes' if kind == 'sizes' else 'against ' + asked['size']}",
        asked | {"spot": spot.to_toml()},
        needed=max(estimate_cost(each).peak_bytes for each in largest),
        address=f"/spot/{where}?sizes=JOB",
    )


def find_task(site: Site, id_: str) -> JobFolder:
    """The folder of a task."""
    job = site.jobs.find(id_)
    if job.question().get("kind") not in TASKS:
        raise UnknownIdError("this is a solve: it has no result of its own")
    return job


def _result(request: Request) -> Response:
    """The settings of a task, and its result: null before it has ended."""
    job = find_task(site_of(request), request.path_params["id"])
    question = job.question()
    done = job.state()["status"] == "done"
    asked = {name: each for name, each in question["asked"].items() if name not in _PATHS}
    return json_answer(
        {
            "id": job.id,
            "kind": question["kind"],
            "name": question["name"],
            "solution": question.get("solution"),
            "kept": question.get("kept"),
            "pair": question.get("pair"),
            "asked": asked,
            "result": job.result() if done else None,
        }
    )


def _keep(site: Site, data: dict[str, Any], id_: str) -> dict[str, Any]:
    """Put the simple solution of a task into the Library."""
    from pokerlab.runtime.files.atomic import atomic_file

    job = find_task(site, id_)
    if not job.found_solution.is_file():
        raise ValueError("it has no solution to keep")
    path = site.folder / f"{check_name(text_of(data, 'name'))}.safetensors"
    if path.exists() or path in site.jobs.outputs():
        raise FieldError("name", f"there is a file {shorten(path.name)} already")
    with atomic_file(path) as temporary:
        shutil.copyfile(job.found_solution, temporary)
    kept = site.library.id_of(path)
    job.write_question({**job.question(), "kept": kept})
    return {"id": kept, "name": path.name}


ROUTES = [
    Route("/api/tasks/simplify", posting(_simplify, *_SIMPLE), methods=["POST"]),
    Route("/api/tasks/rules", posting(_write_rules, *_RULES), methods=["POST"]),
    Route("/api/tasks/losses", posting(_split_losses, *_LOSSES), methods=["POST"]),
    Route("/api/tasks/sizes", posting(_choose_sizes, *_SIZES), methods=["POST"]),
    Route("/api/tasks/against", posting(_price_answers, *_AGAINST), methods=["POST"]),
    Route("/api/tasks/{id}", _result),
    Route("/api/tasks/{id}/keep", posting(_keep, "name"), methods=["POST"]),
]
