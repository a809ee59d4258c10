"""`pokerlab buckets`: build, look at and compare card abstractions of hold'em."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pokerlab.cli.options import declared as options
from pokerlab.cli.options.bounds import bounded
from pokerlab.cli.options.files import (
    check_distinct,
    check_output,
    check_picture,
    save_bytes,
    saving,
)
from pokerlab.cli.progress.building import building_progress
from pokerlab.cli.terminal.output import bold, emit
from pokerlab.runtime.machine import size_text
from pokerlab.views import Table

if TYPE_CHECKING:
    from rich.console import Console

    from pokerlab.holdem.limit.buckets.survey import StreetComparison, StreetSurvey

_BLOCKS = " ▁▂▃▄▅▆▇█"

Source = Annotated[
    str, typer.Argument(help="A file of buckets, or a text such as ehs2:10,10,10,10.")
]
Deals = Annotated[
    int,
    typer.Option(
        "--deals", callback=bounded(1, 20_000_000), help="Number of random deals to sample."
    ),
]


def register(app: typer.Typer) -> None:
    """Add the commands to the application."""
    buckets = typer.Typer(
        no_args_is_help=True,
        help="Buckets: cards of similar strength, which are played the same way.",
    )
    buckets.command("build")(_build)
    buckets.command("show")(_show)
    buckets.command("compare")(_compare)
    buckets.command("verify")(_verify)
    app.add_typer(buckets, name="buckets")


def _build(
    text: Annotated[
        str,
        "ehs2:10,10,10,10 (percentiles, perfect recall), ehs2-flat:5,5,5,5,"
        " ehs-flat:5,5,5,5, kmeans:8,50,50,50, or 169/ehs2:6,6,6.",
    ],
    output: Annotated[options.Output, "By default it is kept in the cache folder."] = None,
    seed: options.Seed = 0,
    as_json: options.Json = False,
) -> None:
    """Make buckets; the strength tables that they need are built the first time (minutes)."""
    import numpy as np

    from pokerlab.holdem.limit.buckets.caching import cached_buckets
    from pokerlab.holdem.limit.buckets.making import make_buckets
    from pokerlab.holdem.limit.buckets.plan import parse_buckets

    check_output(output, "--output", size=parse_buckets(text).file_bytes)
    if output is None and seed:
        raise ValueError("--seed needs --output: buckets of the cache have a seed of their own")
    began = time.perf_counter()
    with building_progress(quiet=as_json):
        if output is None:
            buckets = cached_buckets(text)
        else:
            buckets = make_buckets(text, rng=np.random.default_rng(seed))
            with saving(output, "--output"):
                buckets.save(output)
    seconds = time.perf_counter() - began
    data = {
        "name": buckets.name,
        "counts": list(buckets.counts),
        "recall": buckets.recall,
        "seconds": seconds,
        "file": None if output is None else str(output),
    }

    def render(console: Console) -> None:
        sizes = ", ".join(f"{count:,}" for count in buckets.counts)
        console.print(f"{buckets.name}: {sizes} buckets in {seconds:.1f} s")
        if output is not None:
            console.print(f"written to {output} ({size_text(output.stat().st_size)})")

    emit(data, render, as_json=as_json)


def _show(
    source: Source,
    street: Annotated[str | None, "pre-flop, flop, turn or river; all if missing."] = None,
    rows: Annotated[int, "Buckets to show of each street.", bounded(1, 10_000)] = 10,
    deals: Deals = 200_000,
    figure: Annotated[options.Figure, "Of the histograms."] = None,
    seed: options.Seed = 0,
    as_json: options.Json = False,
) -> None:
    """Show sizes, example hands and how strong the buckets become on the river."""
    import numpy as np

    from pokerlab.holdem.limit.buckets.caching import open_buckets
    from pokerlab.holdem.limit.buckets.survey import survey_buckets
    from pokerlab.holdem.limit.strength.tables import STREETS, strength_tables

    if street is not None and street not in STREETS:
        raise ValueError(f"--street {street!r}: expected one of {', '.join(STREETS)}")
    check_picture(figure, "--figure")
    check_distinct({"--figure": figure}, [source])
    with building_progress(quiet=as_json):
        buckets = open_buckets(source)
        tables = strength_tables()
    surveys = [
        survey
        for survey in survey_buckets(buckets, tables, deals, np.random.default_rng(seed))
        if street in (None, survey.street)
    ]
    if figure is not None:
        from pokerlab.views.bucket_figure import draw_buckets

        chosen = {survey.street: _chosen(len(survey.shares), rows) for survey in surveys}
        title = f"{buckets.name}: strength on the river"
        kind = figure.suffix[1:].lower()
        save_bytes(figure, draw_buckets(surveys, chosen, title=title, kind=kind), "--figure")
    data = {
        "name": buckets.name,
        "recall": buckets.recall,
        "deals": deals,
        "streets": [_street_json(survey, rows) for survey in surveys],
    }

    def render(console: Console) -> None:
        recall = "perfect recall" if buckets.recall else "what was before is forgotten"
        console.print(f"{buckets.name}, {recall}; {deals:,} random deals")
        for survey in surveys:
            _render_street(console, survey, rows)

    emit(data, render, as_json=as_json)


def _compare(
    first: Source,
    second: Source,
    deals: Deals = 500_000,
    seed: options.Seed = 0,
    as_json: options.Json = False,
) -> None:
    """Compare two sets of buckets: how much each says about a deal, and how much both say."""
    import numpy as np

    from pokerlab.holdem.limit.buckets.caching import open_buckets
    from pokerlab.holdem.limit.buckets.survey import compare_buckets
    from pokerlab.holdem.limit.strength.tables import strength_tables

    with building_progress(quiet=as_json):
        one, other = open_buckets(first), open_buckets(second)
        tables = strength_tables()
    streets = compare_buckets(one, other, tables, deals, np.random.default_rng(seed))
    data = {
        "names": [one.name, other.name],
        "deals": deals,
        "streets": [
            {
                "street": street.street,
                "counts": list(street.counts),
                "bits": list(street.bits),
                "shared_bits": street.shared_bits,
                "spread": list(street.spread),
            }
            for street in streets
        ],
    }
    emit(
        data,
        lambda console: _render_comparison(console, (one.name, other.name), deals, streets),
        as_json=as_json,
    )


def _verify(source: Source, as_json: options.Json = False) -> None:
    """Read all of a file of buckets and compare it with the hash that was written with it."""
    from pokerlab.holdem.limit.buckets.caching import open_buckets

    with building_progress(quiet=as_json):
        buckets = open_buckets(source, verify=True)
    data = {"ok": True, "name": buckets.name, "digest": buckets.digest}
    emit(
        data,
        lambda console: console.print(f"{buckets.name}: as it was written"),
        as_json=as_json,
    )


def _street_json(survey: StreetSurvey, rows: int) -> dict[str, Any]:
    return {
        "street": survey.street,
        "buckets": len(survey.shares),
        "empty": int((survey.shares == 0).sum()),
        "smallest": float(survey.shares.min()),
        "largest": float(survey.shares.max()),
        "spread": survey.spread,
        "rows": [
            {
                "bucket": int(bucket),
                "share": float(survey.shares[bucket]),
                # A bucket that no deal came to has no strength.
                "strength": float(survey.strength[bucket]) if survey.examples[bucket] else None,
                "histogram": survey.histograms[bucket].tolist() if survey.examples[bucket] else [],
                "examples": list(survey.examples[bucket]),
            }
            for bucket in _chosen(len(survey.shares), rows)
        ],
    }


def _render_street(console: Console, survey: StreetSurvey, rows: int) -> None:
    shares, count = survey.shares, len(survey.shares)
    empty = int((shares == 0).sum())
    console.print(
        "\n",
        bold(survey.street),
        f": {count:,} buckets"
        f"{f', {empty:,} of them empty' if empty else ''}; shares {shares.min():.3%} to"
        f" {shares.max():.3%}; strength inside a bucket ±{survey.spread:.3f}",
        sep="",
    )
    heads = {"bucket": "count", "share": "share.2", "strength": "chips.3", "on the river": "name"}
    cells = []
    for bucket in _chosen(count, rows):
        examples = survey.examples[bucket]
        cells.append(
            (
                bucket,
                float(shares[bucket]),
                float(survey.strength[bucket]) if examples else "",
                _picture(survey.histograms[bucket].tolist()) if examples else "",
                ", ".join(examples),
            )
        )
    console.print(Table({**heads, "examples": "text"}, cells))


def _chosen(count: int, rows: int) -> list[int]:
    """Buckets from the first to the last, evenly spread where there are too many."""
    if count <= rows:
        return list(range(count))
    return sorted({round(place * (count - 1) / max(rows - 1, 1)) for place in range(rows)})


def _picture(shares: list[float]) -> str:
    """A histogram as one row of blocks, the largest bin full.

    Examples
    --------
    >>> _picture([0.0, 0.1, 0.4, 0.2])
    ' ▂█▄'
    """
    top = max(shares) or 1.0
    return "".join(_BLOCKS[0 if not share else max(1, round(8 * share / top))] for share in shares)


def _render_comparison(
    console: Console, names: tuple[str, str], deals: int, streets: tuple[StreetComparison, ...]
) -> None:
    console.print(f"A: {names[0]}\nB: {names[1]}\n{deals:,} random deals")
    columns = {
        "street": "text bold",
        **dict.fromkeys(("buckets A", "buckets B"), "count"),
        **dict.fromkeys(("bits A", "bits B", "shared"), "chips"),
        **dict.fromkeys(("±strength A", "±strength B"), "chips.4"),
    }
    rows = (
        (each.street, *each.counts, *each.bits, each.shared_bits, *each.spread) for each in streets
    )
    console.print(Table(columns, rows))
