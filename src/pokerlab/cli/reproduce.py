"""`pokerlab reproduce`: the results of the documents, computed again."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pokerlab.cli.output import Json, emit

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["register"]

Folder = Annotated[Path, typer.Option("--output", "-o", help="The folder to write to.")]


def register(app: typer.Typer) -> None:
    """Add the commands to the application."""
    group = typer.Typer(
        no_args_is_help=True, help="Compute the results of the documents again, side by side."
    )
    group.command("trees")(_trees)
    app.add_typer(group, name="reproduce")


def _trees(
    names: Annotated[
        list[str] | None, typer.Argument(help="Figures to draw; all if none are named.")
    ] = None,
    output: Folder = Path("figures"),
    as_json: Json = False,
) -> None:
    """Draw the figures of the document on poker trees, and its table of deviations."""
    from pokerlab.reports import TREE_FIGURES, deviation_table, write_tree_figures

    files = write_tree_figures(output, names or ())
    rows = deviation_table()
    data = {
        "files": [str(file) for file in files],
        "deviations": [asdict(row) for row in rows],
    }

    def render(console: Console) -> None:
        from rich.table import Table

        for name in names or TREE_FIGURES:
            console.print(f"[bold]{name}[/bold]: {TREE_FIGURES[name].caption}")
        table = Table(box=None, pad_edge=False)
        for heading in asdict(rows[0]):
            table.add_column(heading.replace("_", " "))
        for row in rows:
            table.add_row(
                *(
                    f"{cell:+.4f}" if isinstance(cell, float) else str(cell)
                    for cell in asdict(row).values()
                )
            )
        console.print(table)
        console.print(f"{len(files)} files in {output}")

    emit(data, render, as_json=as_json)
