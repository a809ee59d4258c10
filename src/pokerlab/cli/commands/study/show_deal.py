"""`pokerlab show --deal`: a strategy as a tree along one deal."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from pokerlab.cli.options.files import check_distinct, check_output, save_bytes
from pokerlab.cli.progress.building import building_progress
from pokerlab.cli.progress.compiling import announce_compiling
from pokerlab.cli.terminal.output import bold, emit
from pokerlab.runtime.errors import shorten

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text
    from rich.tree import Tree

    from pokerlab.players.strategies import DealNode, DealTree


def show_deal(
    file: Path, line: str, deal: str, *, least: str, svg: Path | None, as_json: bool
) -> None:
    """Print or draw the lines that are played with given hands."""
    from pokerlab.players.strategies import make_deal_tree

    if svg is not None and svg.suffix.lower() != ".svg":
        raise ValueError(f"--svg {svg}: the name must end in .svg")
    check_output(svg, "--svg")
    check_distinct({"--svg": svg}, [file])
    share = parse_share(least, "--least")
    with announce_compiling(quiet=as_json), building_progress(quiet=as_json):
        tree = make_deal_tree(file, deal, line, least=share)
    if svg is not None:
        save_bytes(svg, tree.svg().encode(), "--svg")
    data = tree.payload() | {"files": [] if svg is None else [str(svg)]}

    def render(console: Console) -> None:
        if svg is not None:
            console.out(f"wrote {svg}")
            return
        _print(console, tree)

    emit(data, render, as_json=as_json)


def parse_share(text: str, name: str) -> float:
    """A share as ``2%`` or ``0.02``.

    Examples
    --------
    >>> parse_share("2%", "--least"), parse_share("0.5", "--least")
    (0.02, 0.5)
    >>> parse_share("200%", "--least")
    Traceback (most recent call last):
    ValueError: --least '200%': must be a share from 0% to 100%, for example 2%
    """
    number, percent = text.strip().removesuffix("%"), text.strip().endswith("%")
    try:
        share = float(number) / (100 if percent else 1)
    except ValueError:
        share = -1.0
    if not 0 <= share <= 1:
        raise ValueError(
            f"{name} {shorten(text)!r}: must be a share from 0% to 100%, for example 2%"
        )
    return share


def _print(console: Console, tree: DealTree) -> None:
    from rich.tree import Tree

    from pokerlab.views.pictures.deal_words import deal_title

    console.print(bold(deal_title(tree)))
    first = tree.nodes[0]
    where = f"after {first.line}" if first.line else "first decision"
    branches = [Tree(f"{where}, {_acts(tree, first)}")]
    below = Counter(node.parent for node in tree.nodes)
    for node in tree.nodes[1:]:
        branches.append(branches[node.parent].add(_line(tree, node)))
        below[node.parent] -= 1
        if not below[node.parent]:
            _add_left_out(branches[node.parent], tree.nodes[node.parent])
    console.print(branches[0])
    ends = sum(node.player < 0 for node in tree.nodes)
    lines = "line" if ends == 1 else "lines"
    console.print(f"{ends:,} {lines}, in brackets how often each is played", style="dim")
    if tree.left_out:
        console.print(f"{tree.left_out:,} actions are left out; --least sets which", style="dim")


def _add_left_out(branch: Tree, node: DealNode) -> None:
    """After the actions that are played, those that hardly are."""
    from rich.text import Text

    from pokerlab.views.pictures.deal_words import left_out_words

    if words := left_out_words(node):
        branch.add(Text(words, style="dim"))


def _line(tree: DealTree, node: DealNode) -> Text:
    from rich.text import Text

    from pokerlab.cli.tables.matrix import action_styles
    from pokerlab.views.pictures.deal_words import end_words, move_words, won_words
    from pokerlab.views.pictures.tables import percent_text

    actions = tree.nodes[node.parent].actions
    style = action_styles(actions)[actions.index(node.action)]
    line = Text(f"{tree.seats[node.actor]} ", style="bold")
    line.append(f" {move_words(tree, node)} ", style=style)
    line.append(f" {percent_text(node.probability)}")
    if node.player < 0:
        words = [end_words(node)] if node.outcome != "fold" else []
        words += [won] if (won := won_words(tree, node)) else []
        line.append(f"  {': '.join(words)}", style="dim")
        line.append(f" ({percent_text(node.reach)})")
    return line


def _acts(tree: DealTree, node: DealNode) -> str:
    from pokerlab.trees.drawing.drawing import number_text

    who = f"{tree.seats[node.player]} acts, " if node.player >= 0 else ""
    return f"{who}pot {number_text(node.pot, 2)}"
