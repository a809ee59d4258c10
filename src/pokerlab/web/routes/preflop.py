"""Before the flop: the charts of the package and of the folder, line by line, and what follows."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from pokerlab.web.answers import field_named, json_answer, text_of
from pokerlab.web.files.library import check_name, free_path
from pokerlab.web.site import Site, posting, site_of

if TYPE_CHECKING:
    from pokerlab.web.pages.preflop.chart_views import OpenChart


_LONGEST = 500
"""Letters of a line that is looked for."""


def _charts(request: Request) -> Response:
    """The charts that there are, and the flops to choose from."""
    from pokerlab.holdem.charts import DEPTHS
    from pokerlab.web.pages.preflop.chart_views import flop_choices

    files = [
        {name: entry.get(name) for name in ("id", "name", "stack", "players", "error")}
        for entry in site_of(request).library.listing()
        if entry["kind"] == "chart"
    ]
    shipped = [{"id": f"{depth}bb", "stack": depth} for depth in DEPTHS]
    return json_answer({"shipped": shipped, "files": files, "flops": flop_choices()})


def _open(site: Site, id_: str) -> OpenChart:
    """The chart of the package or of the folder that an id means."""
    from pokerlab.holdem.charts import DEPTHS
    from pokerlab.holdem.preflop import facts_of
    from pokerlab.web.pages.preflop.chart_views import OpenChart, open_shipped

    if id_ in {f"{depth}bb" for depth in DEPTHS}:
        return open_shipped(int(id_.removesuffix("bb")))
    listed = site.library.find(id_, "chart")
    solution = site.opened.chart(listed.path)
    assert solution.chart is not None
    return OpenChart(listed.id, listed.name, False, solution, facts_of(solution.chart))


def _chart(request: Request) -> Response:
    from pokerlab.web.pages.preflop.chart_views import chart_data

    return json_answer(chart_data(_open(site_of(request), request.path_params["id"])))


def _node(request: Request) -> Response:
    from pokerlab.web.pages.preflop.chart_views import chart_node

    opened = _open(site_of(request), request.path_params["id"])
    with field_named("line"):
        return json_answer(chart_node(opened, request.query_params.get("line", "")))


def _near(request: Request) -> Response:
    """The line of a chart that is nearest to one of another chart."""
    from pokerlab.web.pages.preflop.line_spots import nearest_line

    opened = _open(site_of(request), request.path_params["id"])
    line = request.query_params.get("line", "")[:_LONGEST]
    return json_answer({"line": nearest_line(opened.chart, line)})


def _spot(request: Request) -> Response:
    """The Editor's form for a line of a chart and a flop."""
    from pokerlab.web.pages.preflop.line_spots import check_flop, line_fields
    from pokerlab.web.pages.spot_forms import form_fields

    opened = _open(site_of(request), request.path_params["id"])
    line, flop = (request.query_params.get(name, "") for name in ("line", "flop"))
    with field_named("flop"):
        flop = check_flop(flop)
    with field_named("line"):
        fields = line_fields(opened.chart, line, flop)
    version = f"{opened.id} {line} {flop}"
    return json_answer({"id": None, "name": "", "version": version, "fields": form_fields(fields)})


def _save_spot(site: Site, data: dict[str, Any], id_: str) -> dict[str, Any]:
    """Keep the spot of a line without a board, for a batch; the same spot is kept once."""
    from pokerlab.holdem.spots.question.spot_file import write_spot_fields
    from pokerlab.runtime.files.atomic import write_text
    from pokerlab.web.pages.preflop.line_spots import told_fields

    opened, line = _open(site, id_), text_of(data, "line")
    with field_named("line"):
        text = write_spot_fields(told_fields(opened.chart, line, shipped=opened.shipped))
    stem = opened.id if opened.shipped else Path(opened.name).stem
    path = site.folder / f"{check_name(f'{stem} {line}'.replace('/', '-'))}.toml"
    if not (path.is_file() and not path.is_symlink() and path.read_bytes() == text.encode()):
        path = free_path(path)
        write_text(path, text)
    return {"id": site.library.find(site.library.id_of(path)).id, "name": path.name}


ROUTES = [
    Route("/api/charts", _charts),
    Route("/api/charts/{id}", _chart),
    Route("/api/charts/{id}/node", _node),
    Route("/api/charts/{id}/near", _near),
    Route("/api/charts/{id}/spot", _spot),
    Route("/api/charts/{id}/spot", posting(_save_spot, "line"), methods=["POST"]),
]
