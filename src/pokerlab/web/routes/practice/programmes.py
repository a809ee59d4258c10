"""The Train page of a whole folder: what can be practised, programmes, progress."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from pokerlab.runtime.errors import shorten
from pokerlab.web.answers import (
    FieldError,
    UnknownIdError,
    field_named,
    json_answer,
    number_of,
    text_of,
    whole_of,
)
from pokerlab.web.files.library import check_name
from pokerlab.web.routes.practice.train import (
    SETTINGS,
    DrillTable,
    begin,
    change,
    clock_of,
    decision_key,
    field_found,
    log_of,
    open_listed,
    read_setup,
    use_table,
)
from pokerlab.web.site import Site, posting, site_of

if TYPE_CHECKING:
    from pokerlab.drills import LogEntry, Programme, ProgrammeSource

_SETTINGS = tuple(name for name in SETTINGS if name != "line")
_MOST_SOURCES = 1_000
_WORST, _RECENT_DAYS = 12, 30


def _overview(request: Request) -> Response:
    """All that can be practised in the folder, what is due, and the programmes."""
    site = site_of(request)
    rows = [_row(site, entry) for entry in _practicable(site)]
    whole, error = _entries(site, None)
    return json_answer(
        {
            "sources": rows,
            "due": sum(row["due"] for row in rows),
            "mistakes": sum(row["mistakes"] for row in rows),
            "nolimit": {**_summary(whole), "error": error},
            "programmes": list(_programmes(site, rows)),
        }
    )


def _practicable(site: Site) -> list[dict[str, Any]]:
    found = [each for each in site.library.listing() if each["kind"] in ("solution", "batch")]
    return sorted(found, key=lambda each: each["name"].casefold())[:_MOST_SOURCES]


def _row(site: Site, entry: Mapping[str, Any]) -> dict[str, Any]:
    from pokerlab.drills.schedule import due_positions, open_mistakes

    listed = site.library.find(entry["id"])
    entries, error = _entries(site, listed.path)
    today = clock_of(site)().date()
    empty = entry["kind"] == "batch" and not entry.get("done")
    return {
        **{name: entry.get(name) for name in ("id", "name", "kind", "board", "street")},
        "boards": entry.get("done"),
        "simple": entry.get("stopped") == "simplified",
        "mistakes": len(open_mistakes(entries, listed.path.name)),
        "due": len(due_positions(entries, listed.path.name, today)),
        "error": entry["error"] or error or ("no board is finished" if empty else None),
        **_summary(entries),
    }


def _summary(entries: list[LogEntry]) -> dict[str, Any]:
    from pokerlab.drills import DrillScore

    score = DrillScore.of(entries, worst=0)
    days = [entry.day for entry in entries if entry.day is not None]
    last = max(days).isoformat() if days else None
    return {"decisions": score.decisions, "loss_percent": score.loss_percent, "last": last}


def _entries(site: Site, path: Path | None) -> tuple[list[LogEntry], str | None]:
    """The results of a file, or what is wrong with them."""
    try:
        return log_of(site, path).entries(), None
    except ValueError as error:
        return [], str(error).replace(str(site.folder) + "/", "")


def _progress(request: Request) -> Response:
    """Results over time, and what went wrong lately."""
    from pokerlab.drills import PracticeProgress

    site = site_of(request)
    logs: dict[str, list[LogEntry]] = {}
    places: dict[str, dict[str, Any]] = {}
    for entry in _practicable(site):
        listed = site.library.find(entry["id"])
        logs[listed.name], _ = _entries(site, listed.path)
        places[listed.name] = {"file": entry["id"], "kind": entry["kind"]}
    logs["nolimit"], _ = _entries(site, None)
    places.setdefault("nolimit", {"file": "", "kind": "nolimit"})
    today = clock_of(site)().date()
    found = PracticeProgress.of(logs, today).to_json()
    days = [{"day": day, **each} for day, each in found["days"].items()]
    worst = _worst_lately(logs, places, today.toordinal())
    return json_answer({**found, "days": days, "today": today.isoformat(), "worst": worst})


def _worst_lately(
    logs: Mapping[str, list[LogEntry]], places: Mapping[str, Mapping[str, Any]], today: int
) -> list[dict[str, Any]]:
    from pokerlab.views.payloads.drill_payload import judgement_data

    last = {  # of a decision that went wrong several times, the last one
        (name, entry.position): (name, entry, entry.decision)
        for name, entries in logs.items()
        for entry in entries
        if entry.decision is not None and entry.decision.wrong and entry.decision.loss > 0
    }
    lost = list(last.values())
    recent = [
        each
        for each in lost
        if each[1].day is not None and today - each[1].day.toordinal() <= _RECENT_DAYS
    ]
    shown = sorted(recent or lost, key=lambda each: -each[2].loss_percent)[:_WORST]
    return [
        {
            **judgement_data(judged),
            **places[name],
            "source": name,
            "day": None if entry.day is None else entry.day.isoformat(),
        }
        for name, entry, judged in shown
    ]


def _begin(site: Site, data: dict[str, Any]) -> dict[str, Any]:
    """A table over several sources."""
    from pokerlab.drills import MixedSession, MixedSource

    setup = read_setup({name: value for name, value in data.items() if name in _SETTINGS})
    files, parts = [], []
    for file, weight in _chosen(site, data):
        listed, source = open_listed(site, file)
        with field_named("sources"):
            parts.append(MixedSource(source, log_of(site, listed.path), weight))
        files.append(file)
    whole = _whole(data)
    if whole is not None:
        with field_named("whole"):
            parts.append(MixedSource(None, log_of(site, None), whole.pop("weight")))
        files.append("")
    if not parts:
        raise FieldError("sources", "choose something to practise")
    with field_found():
        session = MixedSession(parts, setup, clock=clock_of(site))
    return begin(site, DrillTable(files, session, whole))


def _chosen(site: Site, data: Mapping[str, Any]) -> Iterator[tuple[str, int]]:
    found = data.get("sources", [])
    if not isinstance(found, list) or len(found) > _MOST_SOURCES:
        raise FieldError("sources", f"sources: name up to {_MOST_SOURCES} files")
    seen = set()
    for each in found:
        if not isinstance(each, dict) or not isinstance(each.get("id"), str):
            raise FieldError("sources", f"sources: {shorten(repr(each))} is not a file with an id")
        if set(each) - {"id", "weight"} or each["id"] in seen:
            raise FieldError("sources", f"sources: {shorten(repr(each))} is there already, or more")
        seen.add(each["id"])
        with field_named("sources"):
            yield each["id"], whole_of(each, "weight", 1, low=1, high=100)


def _whole(data: Mapping[str, Any]) -> dict[str, Any] | None:
    """How whole hands against `nolimit` are played; None without them."""
    from pokerlab.web.routes.play import check_whole_hands

    found = data.get("whole")
    if found is None:
        return None
    if not isinstance(found, dict) or set(found) - {"weight", "bot", "stack", "blinds"}:
        raise FieldError("whole", "whole: weight, bot, stack and blinds can be given")
    with field_named("whole"):
        asked = {
            "bot": text_of(found, "bot", "nolimit"),
            "stack": number_of(found, "stack", None, low=5, high=250),
            "blinds": text_of(found, "blinds", ""),
            "weight": whole_of(found, "weight", 1, low=1, high=100),
        }
        check_whole_hands(asked)
    return {**asked, "play": None, "judged": None}


def _programmes(site: Site, rows: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    from pokerlab.drills import Programme
    from pokerlab.drills.programme import SUFFIX

    ids = {row["name"]: row["id"] for row in rows}
    for path in sorted(site.folder.glob(f"*{SUFFIX}")):
        name = path.name.removesuffix(SUFFIX)
        if name.startswith(".") or not path.is_file() or path.is_symlink():
            continue
        try:
            found = Programme.load(path)
        except (ValueError, OSError) as error:
            text = str(error).replace(f"{path}: ", "").replace(str(path), path.name)
            yield {"name": name, "error": text}
            continue
        yield {"name": name, "error": None, **_programme_data(found, ids)}


def _programme_data(programme: Programme, ids: Mapping[str, str]) -> dict[str, Any]:
    files = [each for each in programme.sources if each.file]
    whole = next((each for each in programme.sources if not each.file), None)
    setup = programme.setup
    return {
        "sources": [
            {"id": ids[each.file], "weight": each.weight} for each in files if each.file in ids
        ],
        "missing": [each.file for each in files if each.file not in ids],
        "whole": None if whole is None else _whole_json(whole),
        "setup": {
            name: getattr(setup, name)
            for name in ("seat", "street", "close", "clear", "seconds", "due")
        },
    }


def _whole_json(whole: ProgrammeSource) -> dict[str, Any]:
    data = whole.to_json()
    return {name: data[name] for name in ("weight", "bot", "stack", "blinds")}


def _save(site: Site, data: dict[str, Any]) -> dict[str, Any]:
    """Keep what is chosen under a name; one of this name is replaced."""
    from pokerlab.drills import Programme, ProgrammeSource

    path = _programme_path(site, text_of(data, "name"))
    settings = {name: value for name, value in data.items() if name in _SETTINGS}
    setup = read_setup({**settings, "mistakes": False})
    sources = []
    for file, weight in _chosen(site, data):
        listed = site.library.find(file)
        sources.append(ProgrammeSource(listed.name, weight))
    whole = _whole(data)
    if whole is not None:
        own = {name: whole[name] for name in ("weight", "bot", "stack", "blinds")}
        sources.append(ProgrammeSource(**own))
    if not sources:
        raise FieldError("sources", "choose something to practise")
    Programme(tuple(sources), setup).save(path)
    return {"name": path.name}


def _delete(site: Site, data: dict[str, Any]) -> dict[str, Any]:
    path = _programme_path(site, text_of(data, "name"))
    if not path.is_file():
        raise UnknownIdError(f"there is no programme {path.name}")
    path.unlink()
    return {}


def _programme_path(site: Site, name: str) -> Path:
    from pokerlab.drills.programme import SUFFIX

    path = site.folder / f"{check_name(name)}{SUFFIX}"
    if path.is_symlink() or (path.exists() and not path.is_file()):
        raise FieldError("name", f"{path.name} is not a file of ours")
    return path


def _judge_whole(site: Site, data: dict[str, Any], id_: str) -> dict[str, Any]:
    """Judge the whole hand that is over, and record it."""
    from pokerlab.views.payloads.drill_payload import judgement_data
    from pokerlab.web.routes.play import judged_hand

    def judge(table: DrillTable) -> None:
        whole = table.whole
        if whole is None or not table.session.whole_hand or whole["judged"] is not None:
            raise ValueError("no whole hand waits to be judged")
        hand = judged_hand(site, whole["play"])
        judged = [each for _, each in hand.judged]
        table.session.add_whole_hand(judged, hand.line, hand.won)
        whole["judged"] = {
            "decisions": [
                {**judgement_data(each), "number": number} for number, each in hand.judged
            ],
            "unjudged": hand.unjudged,
            "note": hand.note,
            "loss_bb": sum(each.loss_bb or 0.0 for each in judged),
        }

    return change(site, id_, judge)


def _keep(site: Site, data: dict[str, Any], id_: str) -> dict[str, Any]:
    """Keep the solve of a decision of the whole hand; its decision leads there from then on."""
    from pokerlab.web.routes.play import keep_solve

    with use_table(site, id_) as table:
        whole = table.whole
        if whole is None or not whole["judged"]:
            raise ValueError("no whole hand is judged at this table")
        kept = keep_solve(site, data, whole["play"])
        for each in whole["judged"]["decisions"]:
            if each["number"] == data["decision"]:
                own = {"file": kept["id"], "line": kept["line"]}
                table.kept[decision_key(each)] = own
                each["kept"] = own
        site.drills.save(id_, table.state())
    return kept


ROUTES = [
    Route("/api/train/folder", _overview),
    Route("/api/train/folder", posting(_begin, "sources", "whole", *_SETTINGS), methods=["POST"]),
    Route("/api/train/progress", _progress),
    Route(
        "/api/train/programmes",
        posting(_save, "name", "sources", "whole", *_SETTINGS),
        methods=["POST"],
    ),
    Route("/api/train/programmes/delete", posting(_delete, "name"), methods=["POST"]),
    Route("/api/train/tables/{table}/judge", posting(_judge_whole), methods=["POST"]),
    Route("/api/train/tables/{table}/keep", posting(_keep, "decision"), methods=["POST"]),
]
