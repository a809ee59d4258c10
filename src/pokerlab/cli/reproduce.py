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

    if output.exists() and not output.is_dir():
        raise ValueError(f"--output {output}: this is a file, not a folder")
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
        for heading in ("fold", "bluff", "value bet", "game"):
            table.add_column(heading)
        for row in rows:
            changes = (row.bluff, row.value_bet, row.game)
            table.add_row(f"{row.fold:.4f}", *(f"{change:+.4f}" for change in changes))
        console.print(table)
        console.out(f"{len(files)} files in {output}", highlight=False)

    emit(data, render, as_json=as_json)
