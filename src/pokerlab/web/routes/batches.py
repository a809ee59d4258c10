"""Batches: begin one, extend it, and report a line on all of its boards.

What opens batches is imported with the first request: it brings the solver's kernels along.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from pokerlab.holdem.batches.question_file import QUESTION_FILE
from pokerlab.runtime.errors import shorten
from pokerlab.runtime.machine import duration_text, size_text
from pokerlab.web.answers import (
    FieldError,
    field_named,
    file_answer,
    json_answer,
    json_bytes,
    text_of,
    whole_of,
)
from pokerlab.web.files.library import check_name
from pokerlab.web.files.opened import file_identity
from pokerlab.web.site import Site, posting, site_of

_KEEPS = ("full", "partial", "root")
_FIELDS = ("spot", "name", "flops", "boards", "target", "precision", "keep")


def _show(request: Request) -> Response:
    from pokerlab.web.pages.batch_pages import batch_info, open_batch

    site = site_of(request)
    listed = site.library.find(request.path_params["id"])
    batch = open_batch(listed)
    solved = sum(1 for _ in (listed.path / "solutions").glob("*.json"))
    info = batch_info(batch, listed, min(solved, len(batch.question.boards)))
    return json_answer({**info, "job": _newest_job(site, listed.id)})


def _newest_job(site: Site, batch: str) -> dict[str, Any] | None:
    return next((view for view in site.jobs.views() if view.get("batch") == batch), None)


def _report(request: Request) -> Response:
    from pokerlab.web.pages.batch_pages import chosen_from, open_batch, report_payload

    site = site_of(request)
    listed = site.library.find(request.path_params["id"])
    chosen = chosen_from(request.query_params)
    batch = open_batch(listed)
    found = site.batch_reports.get(batch, chosen.line, chosen.hands)
    if isinstance(found, tuple):
        done, total = found
        return json_answer({"computing": {"done": done, "total": total}}, 202)
    version = file_identity(listed.path / "solutions"), chosen

    def make() -> bytes:
        return json_bytes(report_payload(batch, found, chosen))

    content = site.opened.answer(listed.path / QUESTION_FILE, version, make)
    return Response(content, media_type="application/json")


def _csv(request: Request) -> Response:
    from pokerlab.web.pages.batch_pages import chosen_from, open_batch, report_csv

    site = site_of(request)
    listed = site.library.find(request.path_params["id"])
    chosen = chosen_from(request.query_params)
    batch = open_batch(listed)
    found = site.batch_reports.get(batch, chosen.line, chosen.hands)
    if isinstance(found, tuple):
        raise ValueError("this report is not ready yet")
    text = report_csv(batch, found, chosen, request.query_params.get("unit", ""))
    return file_answer(text, f"{listed.path.name}.csv", "text/csv")


def _check(site: Site, data: dict[str, Any]) -> dict[str, Any]:
    """The cost of a batch, without beginning it."""
    from pokerlab.holdem.batches import plan_batch
    from pokerlab.views.batch_texts import plan_text

    question = _question(site, data)
    plan = plan_batch(question)
    time = None
    if plan.seconds is not None:
        low, high = (duration_text(each) for each in plan.seconds)
        time = f"{low} to {high}" if low != high else low
    return {
        "boards": len(plan.boards),
        "impossible": list(plan.impossible),
        "text": plan_text(plan),
        "time_text": time,
        "memory_text": size_text(plan.peak_bytes * max(plan.workers, 1)),
        "disk_text": size_text(plan.file_bytes),
    }


def _begin(site: Site, data: dict[str, Any]) -> dict[str, Any]:
    from pokerlab.holdem.batches import Batch, plan_batch

    question = _question(site, data)
    plan_batch(question)  # it must fit, and leave somebody a hand
    with field_named("name"):
        stem = check_name(text_of(data, "name"))
    folder = site.folder / stem
    if folder.exists():
        raise FieldError("name", f"there is a file or a folder {stem} already")
    batch = Batch.begin(folder, question)
    return _queue(site, batch.folder)


def _grow(site: Site, data: dict[str, Any], id_: str) -> dict[str, Any]:
    """More boards for a batch, if any are named; and solve those that are missing."""
    from dataclasses import replace

    from pokerlab.holdem.batches import Batch
    from pokerlab.web.pages.batch_pages import open_batch

    listed = site.library.find(id_)
    running = _newest_job(site, id_)
    if running is not None and not running["ended"]:
        raise ValueError("it runs already")
    if data.get("flops") is not None or data.get("boards") is not None:
        question = open_batch(listed).question
        boards, up_to_suits = _boards(data)
        if up_to_suits != question.up_to_suits:
            raise FieldError("flops", "this batch has boards of the other kind")
        Batch.begin(listed.path, replace(question, boards=boards))
    if running is not None and "go-on" in running["can"] and data.get("flops") is None:
        site.jobs.go_on(running["id"])
        return {"id": id_, "job": running["id"]}
    return _queue(site, listed.path)


def _queue(site: Site, folder: Path) -> dict[str, Any]:
    from pokerlab.holdem.batches import load_batch, plan_batch

    question = load_batch(folder).question
    plan = plan_batch(question)
    id_ = site.library.id_of(folder)
    job = site.jobs.add(
        {
            "kind": "batch",
            "name": folder.name,
            "output": str(folder),
            "batch_id": id_,
            "boards": len(plan.boards),
            "bytes": plan.peak_bytes * max(plan.workers, 1),
            "summary": {},
        }
    )
    return {"id": id_, "job": job}


def _question(site: Site, data: dict[str, Any]) -> Any:
    """The batch that a form describes."""
    from pokerlab.holdem.batches import BatchQuestion, read_question

    boards, up_to_suits = _boards(data)
    target = text_of(data, "target", "0.3%")
    precision = whole_of(data, "precision", 32, low=16, high=32)
    keep = text_of(data, "keep", "root")
    if keep not in _KEEPS:
        raise FieldError("keep", f"keep: {shorten(keep)!r} must be one of {', '.join(_KEEPS)}")
    settings: dict[str, Any] = {
        "target": target,
        "precision": precision,
        "keep": keep,
        "up_to_suits": up_to_suits,
    }
    listed = site.library.find(text_of(data, "spot"))
    with field_named("spot"):
        if listed.path.suffix.lower() == ".toml":
            return read_question(listed.path, boards, **settings)
        return BatchQuestion.of(site.opened.solution(listed.path).spot, boards, **settings)


def _boards(data: dict[str, Any]) -> tuple[dict[str, float], bool]:
    """The boards of a form with their weights, and whether they are flops up to suits."""
    from pokerlab.holdem.batches import parse_boards
    from pokerlab.holdem.batches.question import flop_boards

    boards = text_of(data, "boards", "")
    if boards.strip():
        with field_named("boards"):
            return parse_boards(boards), False
    with field_named("flops"):
        text = text_of(data, "flops")
        if not text.strip():
            raise ValueError("flops: name some, for example AK7r, 987tt, monotone")
        if text.lstrip().startswith("@") or Path(text.strip()).suffix:
            raise ValueError("flops: write the list itself here, not the name of a file")
        return flop_boards(text), True


def _choices(request: Request) -> Response:
    """The choices of the form: spots, sizes of subsets."""
    from pokerlab.cards.flops import SUBSET_SIZES

    entries = [
        entry
        for entry in site_of(request).library.listing()
        if entry["kind"] in ("spot", "solution")
        and not entry["error"]
        and entry.get("missing", []) in ([], ["board"])
    ]
    # Those first that fit many flops as they are: locks and later streets may not.
    entries.sort(key=_unlike_a_flop)
    named = [{name: entry[name] for name in ("id", "name", "kind")} for entry in entries]
    return json_answer({"subsets": list(SUBSET_SIZES), "spots": named})


def _unlike_a_flop(entry: dict[str, Any]) -> tuple[bool, bool, bool]:
    later = entry.get("street") in ("turn", "river")
    return bool(entry.get("locks")), later, entry["kind"] != "spot"


ROUTES = [
    Route("/api/batches", _choices, methods=["GET"]),
    Route("/api/batches", posting(_begin, *_FIELDS), methods=["POST"]),
    Route("/api/batches/check", posting(_check, *_FIELDS), methods=["POST"]),
    Route("/api/batches/{id}", _show),
    Route("/api/batches/{id}/report", _report),
    Route("/api/batches/{id}/csv", _csv),
    Route("/api/batches/{id}/go-on", posting(_grow, "flops", "boards"), methods=["POST"]),
]
