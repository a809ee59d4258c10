"""The Editor: spots that are checked with every change, saved, and the ranges that are kept.

What counts and weighs is imported with the first request: it brings the solver's kernels along.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from pokerlab.cards.codes import to_cards
from pokerlab.cards.ranges.pasted import form_words
from pokerlab.cards.ranges.range import Range
from pokerlab.holdem.spots.question.spot_file import write_spot_fields
from pokerlab.runtime.errors import shorten
from pokerlab.runtime.files.atomic import write_text
from pokerlab.runtime.files.toml_text import parse_toml
from pokerlab.web.answers import (
    FieldError,
    field_named,
    flag_of,
    json_answer,
    text_of,
    whole_number,
)
from pokerlab.web.files.library import check_name
from pokerlab.web.files.opened import file_identity
from pokerlab.web.files.saved_files import (
    delete_range,
    list_ranges,
    list_stories,
    range_data,
    save_range,
)
from pokerlab.web.site import Site, posting, site_of

_OPTIONS = ("spot", "id", "open", "target", "precision", "device", "groups")
"""What the Editor tells with every change."""


def _new(request: Request) -> Response:
    """A new spot; with `history` and `hand`, the spot of a hand that was played."""
    from pokerlab.web.pages.spot_forms import NEW_SPOT, form_fields
    from pokerlab.web.routes.histories.hands import find_hand, spot_of_hand

    site, query = site_of(request), request.query_params
    if not query.get("history"):
        return json_answer(
            {"id": None, "name": "", "version": None, "fields": form_fields(NEW_SPOT)}
        )
    file, number, hand = find_hand(site, query["history"], query.get("hand", ""))
    with field_named("hand"):
        found = spot_of_hand(site, hand, query.get("ranges", ""))
    name = f"{Path(file).stem} {hand.record.number or number}"
    fields = form_fields(found.spot.fields())
    return json_answer({"id": None, "name": name, "version": name, "fields": fields})


def _ready(request: Request) -> Response:
    """The choices of a new spot; with one of them, its fields."""
    from pokerlab.holdem.charts import DEPTHS
    from pokerlab.web.pages.ready_spots import SIX_MAX_STACK, TABLES, ready_fields, ready_spots
    from pokerlab.web.pages.spot_forms import form_fields

    query = request.query_params
    if not query.get("stack"):
        return json_answer({"choices": [each._asdict() for each in ready_spots()]})
    stack = whole_number(query.get("stack", ""), "stack", 1000)
    if stack not in DEPTHS:
        raise FieldError("stack", f"stack: {stack} is not one of {', '.join(map(str, DEPTHS))}")
    table = query.get("table", TABLES[0])
    if table not in TABLES:
        raise FieldError("table", f"table: {shorten(table)!r} is not {' or '.join(TABLES)}")
    if table == "six-max" and stack != SIX_MAX_STACK:
        raise FieldError(
            "stack", f"stack: ranges for six players are for {SIX_MAX_STACK} big blinds alone"
        )
    opener, other = query.get("opener", "SB"), query.get("other", "BB")
    with field_named("pot"):
        pot, raiser = query.get("pot", ""), query.get("raiser", "")
        fields = ready_fields(table, opener, other, stack, pot, raiser)
    return json_answer({"fields": form_fields(fields)})


def _load(request: Request) -> Response:
    from pokerlab.web.pages.spot_forms import form_fields

    listed = site_of(request).library.find(request.path_params["id"], "spot")
    try:
        fields = parse_toml(listed.path.read_text(encoding="utf-8"))
    except UnicodeDecodeError:
        raise ValueError(f"{listed.name} is not a text file in UTF-8") from None
    return json_answer(
        {
            "id": listed.id,
            "name": listed.path.stem,
            "version": _version(listed.path),
            "fields": form_fields(_without_dates(fields)),
        }
    )


def _without_dates(fields: dict[str, Any]) -> dict[str, Any]:
    """JSON has no dates, and a spot has none either: as texts they are refused in words."""
    plain = (str, int, float, list, dict)
    return {name: each if isinstance(each, plain) else str(each) for name, each in fields.items()}


def _version(path: Path) -> str:
    _, modified, size = file_identity(path)
    return f"{modified}-{size}"


def _check(site: Site, data: dict[str, Any]) -> dict[str, Any]:
    from pokerlab.web.pages.spot_forms import check_form

    place = _place(site, data)
    found = check_form(_fields(data), data, place)
    # Files are named as the user wrote them, from the folder of the spot on.
    near = {name: text.replace(f"{place}{os.sep}", "") for name, text in found["errors"].items()}
    return found | {"errors": near}


def _weigh(site: Site, data: dict[str, Any]) -> dict[str, Any]:
    from pokerlab.web.pages.spot_forms import weigh_form

    return weigh_form(_fields(data), data, _place(site, data))


def _fit(site: Site, data: dict[str, Any]) -> dict[str, Any]:
    from pokerlab.web.pages.spot_forms import fit_form

    return fit_form(_fields(data), data, _place(site, data))


def _fields(data: dict[str, Any]) -> dict[str, Any]:
    fields = data.get("spot")
    if not isinstance(fields, dict):
        raise FieldError("spot", "spot is missing: the fields of a spot by their names")
    return fields


def _place(site: Site, data: dict[str, Any]) -> Path:
    """The folder of the file that a form was opened from."""
    id_ = text_of(data, "id", None)
    return site.folder if id_ is None else site.library.find(id_, "spot").path.parent


def _save(site: Site, data: dict[str, Any]) -> dict[str, Any]:
    """Save a new spot, beside the one that it was made from."""
    path = _place(site, data) / f"{check_name(text_of(data, 'name'))}.toml"
    if path.exists() and not flag_of(data, "replace"):
        raise FieldError("name", f"there is a file {shorten(path.name)!r} already")
    return _write(site, path, _fields(data))


def _save_again(site: Site, data: dict[str, Any], id_: str) -> dict[str, Any]:
    """Save a spot in its place, unless somebody else has done so since it was opened."""
    path = site.library.find(id_, "spot").path
    version = text_of(data, "version", None)
    if version is not None and version != _version(path):
        raise FieldError(
            "name", f"{path.name} was changed elsewhere since it was opened: save it as another"
        )
    return _write(site, path, _fields(data))


def _write(site: Site, path: Path, fields: dict[str, Any]) -> dict[str, Any]:
    from pokerlab.web.pages.spot_forms import saved_fields, spot_of_form

    spot = spot_of_form(fields, path.parent)
    write_text(path, write_spot_fields(saved_fields(fields, spot)))
    return {"id": site.library.id_of(path), "name": path.stem, "version": _version(path)}


def _ranges(request: Request) -> Response:
    folder = site_of(request).folder
    return json_answer({"ranges": list_ranges(folder), "stories": list_stories(folder)})


def _save_range(site: Site, data: dict[str, Any]) -> dict[str, str]:
    replace = flag_of(data, "replace")
    name, text = text_of(data, "name"), text_of(data, "text")
    return {"file": save_range(site.folder, name, text, replace=replace)}


def _delete_range(site: Site, data: dict[str, Any]) -> dict[str, str]:
    delete_range(site.folder, text_of(data, "file"))
    return {}


def _check_range(site: Site, data: dict[str, Any]) -> dict[str, Any]:
    """A range of its text, or of the weights that somebody painted."""
    with field_named("board"):
        board = to_cards(text_of(data, "board", ""))
    with field_named("text"):
        hands = Range(_numbers(data["weights"]) if "weights" in data else text_of(data, "text"))
    form = None if "weights" in data else form_words(text_of(data, "text"))
    return range_data(hands, board) | {"form": form}


def _numbers(weights: object) -> list[float]:
    if not isinstance(weights, list) or not all(
        isinstance(each, int | float) and not isinstance(each, bool) for each in weights
    ):
        raise ValueError("weights are 1,326 numbers from 0 to 1")
    return [round(float(each), 4) for each in weights]


ROUTES = [
    Route("/api/spots/new", _new),
    Route("/api/spots/ready", _ready),
    Route("/api/spots/check", posting(_check, *_OPTIONS), methods=["POST"]),
    Route("/api/spots/weigh", posting(_weigh, *_OPTIONS), methods=["POST"]),
    Route("/api/spots/fit", posting(_fit, *_OPTIONS), methods=["POST"]),
    Route(
        "/api/spots", posting(_save, "spot", "id", "version", "name", "replace"), methods=["POST"]
    ),
    Route("/api/spots/{id}", _load),
    Route(
        "/api/spots/{id}",
        posting(_save_again, "spot", "id", "version", "name", "replace"),
        methods=["POST"],
    ),
    Route("/api/ranges", _ranges),
    Route("/api/ranges", posting(_save_range, "name", "text", "replace"), methods=["POST"]),
    Route("/api/ranges/delete", posting(_delete_range, "file"), methods=["POST"]),
    Route("/api/ranges/check", posting(_check_range, "board", "text", "weights"), methods=["POST"]),
]
