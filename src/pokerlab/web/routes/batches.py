"""Batches: begin one, extend it, and report a line on all of its boards.

What opens batches is imported with the first request: it brings the solver's kernels along.
"""

from __future__ import annotations

from contextlib import nullcontext, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

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
from pokerlab.web.files.library import Listed, check_name
from pokerlab.web.files.opened import file_identity
from pokerlab.web.site import Site, posting, site_of

if TYPE_CHECKING:
    from pokerlab.holdem.batches import BatchQuestion

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
    """More boards for a batch, if any are named; and solve those that are missing.

    While a job works on the batch, they come to the end of its boards.
    """
    listed = site.library.find(id_)
    running = _newest_job(site, id_)
    named = data.get("flops") is not None or data.get("boards") is not None
    if not named:
        if running is not None and not running["ended"]:
            raise ValueError("it runs already")
        return _go_on(site, listed, running) | {"added": 0}
    question, new = _with_boards(listed, data)
    with nullcontext() if running is None else site.jobs.find(running["id"]).ending():
        added = _add(listed, question, new)
        running = _newest_job(site, id_)
        if running is None or running["ended"] or not added:
            done = {"id": id_, "job": None if running is None else running["id"]}
            return (_go_on(site, listed, running) if added else done) | {"added": added}
        site.jobs.enlarge(running["id"], running["total"] + added)
    return {"id": id_, "job": running["id"], "added": added}


def _with_boards(listed: Listed, data: dict[str, Any]) -> tuple[BatchQuestion, list[str]]:
    """The batch with the boards of a form, and those of them that are new."""
    from dataclasses import replace

    from pokerlab.web.pages.batch_pages import open_batch

    before = open_batch(listed).question
    boards, up_to_suits = _boards(data)
    field = "boards" if data.get("boards") else "flops"
    if up_to_suits != before.up_to_suits:
        kinds = ("boards, each for itself", "flops up to suits")
        raise FieldError(field, f"this batch has {kinds[before.up_to_suits]}")
    named = replace(before, boards=boards)
    new = [board for board in boards if board not in before.boards]
    with field_named(field):
        fitting = _fitting(named, new)
        if new and not fitting:
            raise ValueError("none of these boards leaves both players a hand")
    return named, fitting


def _fitting(question: BatchQuestion, boards: list[str]) -> list[str]:
    """The boards on which both players can hold a hand; any other fault is a `ValueError`."""
    found = []
    for board in boards:
        try:
            question.spot(board)
        except ValueError as error:
            if not str(error).startswith(("oop", "ip")):
                raise ValueError(f"{board}: {error}") from None
        else:
            found.append(board)
    return found


def _add(listed: Listed, question: BatchQuestion, new: list[str]) -> int:
    """Put boards into the folder; how many of the new ones were not there."""
    from pokerlab.holdem.batches import Batch, load_batch

    before = load_batch(listed.path).question.boards
    Batch.begin(listed.path, question)
    return sum(board not in before for board in new)


def _go_on(site: Site, listed: Listed, job: dict[str, Any] | None) -> dict[str, Any]:
    """Let a process solve what is missing: that of the newest job, if it can go on."""
    from pokerlab.holdem.batches import plan_batch
    from pokerlab.web.pages.batch_pages import open_batch

    if job is None or "go-on" not in job["can"]:
        return _queue(site, listed.path)
    site.jobs.enlarge(job["id"], len(plan_batch(open_batch(listed).question).boards))
    site.jobs.go_on(job["id"])
    return {"id": listed.id, "job": job["id"]}


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


def _boards_of_batches(request: Request) -> Response:
    """Solved boards: those of batches near a solution, and the solutions of one that is typed."""
    from pokerlab.web.pages.batch_pages import open_batch
    from pokerlab.web.pages.solved_boards import (
        batch_data,
        batches_of,
        check_board,
        offers,
        renaming,
    )

    site, query = site_of(request), request.query_params
    board, near = query.get("board", "")[:_LONGEST_BOARD], query.get("near", "")
    batches = []
    for listed in site.library.batches():
        with suppress(OSError, ValueError):  # a damaged one is named in the Library
            batches.append((listed, open_batch(listed)))
    answer: dict[str, Any] = {}
    spot = None
    if near:
        path = site.library.find(near, "solution").path
        if batches:
            spot = site.opened.solution(path).spot
            batches = batches_of(batches, spot)
        answer["batches"] = [batch_data(*each) for each in batches]
    if board.strip():
        with field_named("board"):
            wanted = check_board(board)
        suits = []
        if spot is not None and query.get("as"):
            with field_named("as"):
                suits.append(renaming(spot, check_board(query["as"][:_LONGEST_BOARD])))
        with field_named("line"):
            answer["found"] = offers(batches, wanted, query.get("line", ""), *suits)
        answer["board"] = wanted
    elif not near:
        raise FieldError("board", "board: name one, for example Kh7d2c")
    return json_answer(answer)


_LONGEST_BOARD = 40

ROUTES = [
    Route("/api/boards", _boards_of_batches),
    Route("/api/batches", _choices, methods=["GET"]),
    Route("/api/batches", posting(_begin, *_FIELDS), methods=["POST"]),
    Route("/api/batches/check", posting(_check, *_FIELDS), methods=["POST"]),
    Route("/api/batches/{id}", _show),
    Route("/api/batches/{id}/report", _report),
    Route("/api/batches/{id}/csv", _csv),
    Route("/api/batches/{id}/go-on", posting(_grow, "flops", "boards"), methods=["POST"]),
]
