"""The cost of a solve, in words: the dry run, and the refusal if it does not fit."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, Any

from pokerlab.cli.shared.output import bold
from pokerlab.machine import duration_text, free_memory, parse_size, size_text
from pokerlab.views import Table

if TYPE_CHECKING:
    from rich.console import Console

    from pokerlab.postflop import Spot
    from pokerlab.postflop.cost import SolveCost
    from pokerlab.postflop.tables.group_counts import GroupCounts

WHAT_TO_CUT = "offer fewer bet sizes, narrow the ranges, or use --precision 16 or --groups view"

_MAX_WAYS = 3
_BITS = (32, 16)


def check_memory(spot: Spot, cost: SolveCost, *, isomorphism: bool = True) -> None:
    """Refuse what does not fit into the free memory, before anything is allocated."""
    free = free_memory()
    if cost.peak_bytes > free:
        ways = _what_fits(spot, cost, free, isomorphism=isomorphism)
        raise ValueError(
            f"memory: this solve needs about {size_text(cost.peak_bytes)}, and {size_text(free)} "
            f"are free; {ways}"
        )


@contextmanager
def enough_memory(advice: str = WHAT_TO_CUT) -> Iterator[None]:
    """One line if memory runs out after all: other programs may have taken it."""
    try:
        yield
    except MemoryError:
        raise ValueError(f"memory: there is not enough for this solve; {advice}") from None


def parse_memory(text: str) -> int:
    """The bytes that ``--memory`` names."""
    try:
        return parse_size(text)
    except ValueError as error:
        raise ValueError(f"--memory: {error}") from None


def print_cost(
    console: Console,
    spot: Spot,
    cost: SolveCost,
    data: Mapping[str, Any],
    percent: float,
    *,
    isomorphism: bool,
) -> None:
    """The counts as tables for people, and what fits where the whole does not.

    `percent` is the target of which the time is said.
    """
    from pokerlab.cards.codes import format_cards

    board = format_cards(spot.board, separator=" ", symbols=True)
    console.print(
        bold(board),
        f", pot {spot.pot:,}, stacks {spot.effective_stack:,}, "
        f"{spot.ranges[0].count} hands against {spot.ranges[1].count}",
        sep="",
    )
    kinds = ("player_nodes", "dealer_nodes", "leaves")
    rows = [
        (street, counts["boards"], *(counts[kind] for kind in kinds), data["nodes"][street])
        for street, counts in data["streets"].items()
    ]
    heads = dict.fromkeys(("boards", "player", "dealer", "leaf", "total"), "count")
    totals = ("all", "", *(data[kind] for kind in kinds), data["nodes"]["total"])
    console.print(Table({"nodes": "text", **heads}, rows, totals))
    console.print(f"{data['information_sets']:,} information sets, {data['actions']:,} actions")
    if cost.groups is not None:
        console.print(groups_text(cost.groups))
    for bits in _BITS:
        chosen = replace(cost, bits=bits)
        console.print(
            f"{bits} bits: {size_text(chosen.table_bytes)} of tables, "
            f"{size_text(chosen.peak_bytes)} of memory at the peak"
        )
    free = data["free_bytes"]
    console.print(f"free now: {size_text(free)}")
    if cost.peak_bytes > free:
        console.print(
            f"{cost.bits} bits do not fit; {_what_fits(spot, cost, free, isomorphism=isomorphism)}"
        )
    low, high = (_duration(seconds) for seconds in cost.seconds(percent))
    likely = low if low == high else f"{low} to {high}"
    console.print(f"{percent:g}% of the pot takes {likely}, by how busy the machine is")
    _print_sizes(console, data["sizes"])


def _print_sizes(console: Console, sizes: Mapping[str, list[dict[str, Any]]]) -> None:
    """What the menus come to in chips, for some of the pots with which a street begins."""
    console.print()
    rows = [
        (
            f"{street}, donk" if pot["donk"] else street,
            pot["pot"],
            *(
                " ".join(f"{size['chips']:,}" for size in pot[kind][player]) or "–"
                for kind in ("bet", "raise")
                for player in ("oop", "ip")
            ),
        )
        for street, pots in sizes.items()
        for pot in pots
    ]
    heads = dict.fromkeys(("oop bets", "ip bets", "oop raises to", "ip raises to"), "text")
    console.print(Table({"sizes": "text", "pot": "count", **heads}, rows))


def _what_fits(spot: Spot, cost: SolveCost, free: int, *, isomorphism: bool) -> str:
    from pokerlab.postflop.cost import Cheaper, cheaper_solves

    def text(way: Cheaper) -> str:
        if not way.size:
            bits = [f"--precision {way.bits}"] if way.bits != cost.bits else []
            what = " ".join(bits + ([f"--groups {way.groups}"] if way.groups else []))
        else:
            size = "all-in" if way.size == "a" else way.size
            what = f"without the {way.kind} {size} on the {way.street}"
        return f"{what} ({size_text(way.peak_bytes)})"

    ways = cheaper_solves(spot, cost, free, isomorphism=isomorphism)
    found = [text(way) for way in islice(ways, _MAX_WAYS)]
    return f"what fits: {', '.join(found)}" if found else WHAT_TO_CUT


def groups_text(counts: GroupCounts) -> str:
    """How many groups there are for how many hands, street by street.

    Examples
    --------
    >>> from pokerlab.postflop import Spot
    >>> from pokerlab.postflop.tables.group_counts import count_spot_groups
    >>> spot = Spot("QhJh2c4d7h", "AA, KQs, JTs", "QQ, AJs, T9s", pot=100, stack=80)
    >>> groups_text(count_spot_groups(spot, "rank"))
    'groups rank/river: river 4 for 11 hands'
    """
    streets = [
        f"{street} {groups:,.0f} for {hands:,.0f}"
        for street, (groups, hands) in counts.means().items()
    ]
    return f"groups {counts.text}: {', '.join(streets)} hands"


def _duration(seconds: float) -> str:
    return "below a second" if seconds < 1 else duration_text(seconds)
