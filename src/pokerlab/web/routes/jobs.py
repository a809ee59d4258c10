"""Solves: begin one, watch it, stop it, go on."""

from __future__ import annotations

import asyncio
import shutil
import time
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from pokerlab.runtime.errors import one_line, shorten
from pokerlab.runtime.machine import free_memory, size_text
from pokerlab.web.answers import (
    FieldError,
    UnknownIdError,
    field_named,
    json_answer,
    json_bytes,
    number_of,
    text_of,
    whole_of,
)
from pokerlab.web.files.library import check_name
from pokerlab.web.files.summaries import spot_summary
from pokerlab.web.site import Site, posting, site_of

if TYPE_CHECKING:
    from pokerlab.holdem.spots import Spot

_SECONDS_BETWEEN_LOOKS = 0.2
_HEARTBEAT = 15.0
_PRECISIONS = (32, 16)
_FIELDS = (
    *("spot", "solution", "name", "start", "keep", "locks", "unlocked", "target", "iterations"),
    *("seconds", "threads", "precision", "rule", "groups", "device"),
)
"""The keys that a solve may have."""


def _begin(site: Site, data: dict[str, Any]) -> dict[str, Any]:
    """Check all that can be checked, and put the solve into the queue."""
    from pokerlab.holdem.spots.cost import estimate_cost
    from pokerlab.holdem.spots.solver import DEFAULT_RULE
    from pokerlab.solvers.rules import parse_rule

    spot, name, source = asked_spot(site, data)
    start = _start(site, data, spot)
    with field_named("unlocked"):
        spot = _without_locks(spot, data.get("unlocked", []))
    with field_named("locks"):
        spot = spot.with_locks(checked_locks(data.get("locks") or {}))
    iterations = whole_of(data, "iterations", None, low=1, high=10**9)
    seconds = number_of(data, "seconds", None, low=0.0, high=1e9)
    chips = _target(data, spot.pot)
    if chips is None and iterations is None and seconds is None:
        chips = 0.003 * spot.pot
    precision = number_of(data, "precision", 32)
    if precision not in _PRECISIONS:
        raise FieldError("precision", f"precision: {precision} is not 32 or 16")
    threads = whole_of(data, "threads", None, low=1, high=1024)
    rule, groups = text_of(data, "rule", None), text_of(data, "groups", None)
    device = text_of(data, "device", "auto")
    if device not in ("auto", "cpu", "gpu"):
        raise FieldError("device", f"device: {shorten(device)!r} is not auto, cpu or gpu")
    with field_named("rule"):
        parse_rule(rule or DEFAULT_RULE)
    with field_named("groups"):
        cost = estimate_cost(spot, rule or DEFAULT_RULE, precision=int(precision), groups=groups)
    check_memory(cost.peak_bytes)
    _check_disk(site.folder, cost.answer_bytes)
    output = _output(site, data, name)
    question = {
        "name": output.stem,
        "spot": spot.to_toml(),
        "pot": spot.pot,
        "target": chips,
        "iterations": iterations,
        "seconds": seconds,
        "threads": threads,
        "precision": int(precision),
        "rule": rule,
        "groups": groups,
        "device": device,
        "streets": _streets(data, spot),
        "start": None if start is None else str(start),
        "output": str(output),
        "bytes": cost.peak_bytes,
        "spot_id": source,
        "solution_id": site.library.id_of(output),
        "summary": spot_summary(spot),
    }
    return {"id": site.jobs.add(question), "output": output.name}


def _target(data: dict[str, Any], pot: float) -> float | None:
    """The exploitability that is wanted, in chips."""
    from pokerlab.holdem.spots.solving import parse_target

    target = data.get("target")
    if target is not None and not isinstance(target, str):
        target = number_of(data, "target", low=0.0, high=1e9)
    with field_named("target"):
        return parse_target(target, pot)


def asked_spot(site: Site, data: dict[str, Any]) -> tuple[Spot, str, str | None]:
    """The spot that a request means, what to call it, and the id of its file."""
    from pokerlab.holdem.spots import Spot
    from pokerlab.web.pages.spot_forms import spot_of_form

    given = data.get("spot", data.get("solution"))
    if isinstance(given, dict):
        return spot_of_form(given, site.folder), text_of(data, "name", "spot"), None
    if not isinstance(given, str):
        raise FieldError("spot", "spot is missing: the id of a file, TOML, or fields")
    if "=" in given:
        with field_named("spot"):
            return Spot.from_toml(given), text_of(data, "name", "spot"), None
    listed = site.library.find(given)
    if listed.path.suffix.lower() == ".safetensors":
        return site.opened.solution(listed.path).spot, listed.path.stem, None
    with field_named("spot"):
        return Spot.from_file(listed.path), listed.path.stem, listed.id


def _start(site: Site, data: dict[str, Any], spot: Spot) -> Path | None:
    """The solution to go on from."""
    given = text_of(data, "start", None)
    if given is None:
        return None
    listed = site.library.find(given, "solution")
    if site.opened.solution(listed.path).spot != spot:
        raise FieldError("start", f"{listed.name} is a solution of another spot")
    return listed.path


def _without_locks(spot: Spot, lines: Any) -> Spot:
    """The spot with the decisions at some lines free again."""
    locked = {str(lock.line): lock for lock in spot.locks}
    if not isinstance(lines, list) or not all(isinstance(line, str) for line in lines):
        raise ValueError("unlocked: a list of lines is expected")
    for line in lines:
        if locked.pop(line, None) is None:
            raise ValueError(f"unlocked: {shorten(line)!r} is not locked")
    return replace(spot, locks=tuple(locked.values()))


def checked_locks(locks: Any) -> dict[str, dict[str, Any]]:
    """Locks by line and action as a request has them."""
    good = isinstance(locks, dict) and all(
        isinstance(actions, dict)
        and all(
            isinstance(who, str | int | float) and not isinstance(who, bool)
            for who in actions.values()
        )
        for actions in locks.values()
    )
    if not good:
        raise ValueError("locks are given by line and action: {'x': {'b50': 0.3}}")
    return dict(locks)


def _streets(data: dict[str, Any], spot: Spot) -> int | None:
    """How many streets of the answer are kept."""
    keep = text_of(data, "keep", "full")
    if keep not in ("full", "partial"):
        raise FieldError("keep", f"keep: {shorten(keep)!r} is not full or partial")
    levels = len(spot.tree.streets)
    return None if keep == "full" or levels == 1 else levels - 1


def check_memory(needed: int) -> None:
    """Refuse what this machine can never hold."""
    import psutil

    free, whole = free_memory(), int(psutil.virtual_memory().total)
    if needed > whole:
        raise FieldError(
            "memory",
            f"this solve needs about {size_text(needed)}, and this machine has {size_text(whole)} "
            f"({size_text(free)} free): offer fewer sizes, narrow the ranges, or use 16 bits",
        )


def _check_disk(folder: Path, needed: int) -> None:
    free = shutil.disk_usage(folder).free
    if needed > free:
        raise FieldError(
            "disk",
            f"the disk is full: the solution takes {size_text(needed)}, and there is room for "
            f"{size_text(free)}",
        )


def _output(site: Site, data: dict[str, Any], name: str) -> Path:
    """A file that is not there yet, named after the spot or as the user says."""
    wanted = text_of(data, "name", None)
    stem = check_name(wanted if wanted is not None else name)
    taken = site.jobs.outputs()
    for number in range(1, 10_000):
        path = site.folder / f"{stem}{'' if number == 1 else f'-{number}'}.safetensors"
        if not path.exists() and path not in taken:
            return path
    raise FieldError("name", f"there are too many files called {shorten(stem)}")


def _list(request: Request) -> Response:
    views = site_of(request).jobs.views()
    return json_answer({"jobs": [{**view, "points": []} for view in views]})


def _show(request: Request) -> Response:
    return json_answer(site_of(request).jobs.view(request.path_params["id"]))


async def _events(request: Request) -> Response:
    site, id_ = site_of(request), request.path_params["id"]
    first = await run_in_threadpool(site.jobs.view, id_)

    async def stream() -> AsyncIterator[bytes]:
        view, sent, at = first, b"", time.monotonic()
        while True:
            # What counts the seconds is no news.
            news = json_bytes({**view, "elapsed": None, "elapsed_text": None})
            if news != sent or time.monotonic() - at > _HEARTBEAT:
                sent, at = news, time.monotonic()
                yield b"event: job\ndata: " + json_bytes(view) + b"\n\n"
            if view["ended"] or await request.is_disconnected():
                return
            await asyncio.sleep(_SECONDS_BETWEEN_LOOKS)
            try:
                view = await run_in_threadpool(site.jobs.view, id_)
            except UnknownIdError:
                yield b"event: gone\ndata: {}\n\n"
                return

    return StreamingResponse(stream(), media_type="text/event-stream")


def _act(site: Site, data: dict[str, Any], id_: str, action: str) -> dict[str, Any]:
    jobs = site.jobs
    if action == "stop":
        jobs.stop(id_)
    elif action == "pause":
        jobs.pause(id_)
    elif action == "look":
        jobs.look(id_)
    elif action == "cancel":
        jobs.cancel(id_)
    elif action == "go-on":
        pot = float(jobs.find(id_).question().get("pot") or 1.0)
        jobs.go_on(id_, _target(data, pot))
    else:
        raise UnknownIdError(f"{one_line(action, 20)!r} is nothing that a solve can do")
    try:
        return jobs.view(id_)
    except UnknownIdError:
        return {"id": id_, "status": "forgotten"}


ROUTES = [
    Route("/api/jobs", _list, methods=["GET"]),
    Route("/api/jobs", posting(_begin, *_FIELDS), methods=["POST"]),
    Route("/api/jobs/{id}", _show),
    Route("/api/jobs/{id}/events", _events),
    Route("/api/jobs/{id}/{action}", posting(_act, "target"), methods=["POST"]),
]
