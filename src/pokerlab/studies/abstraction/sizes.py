"""Tables 2, 3 and 5 from counts: nodes, information sets, actions and game states.

The thesis merges boards in its own way: cards of suits that can no longer make a flush are one if
their ranks are. On a flop a suit can make one if the board has a card of it, on a turn if it has
two. That is coarser than suit isomorphism, which keeps Js and 2c of QhJs2c apart for ever because
hands hold such cards; so it is not without loss, as the thesis says, but nearly.

Its formulas, found by putting its own numbers into them:

- game states = Σ over streets of nodes × hands², with the hands (or groups) of the street;
- information sets without groups = player nodes × 1,176;
- information sets with groups = 57 · G(flop) + 15,340 · G(turn) + 559,632 · G(river), where 57 and
  15,340 are *all* nodes of those streets, leaves and dealer's nodes included, and the last number
  is what is left of all player nodes (and the dealer's). Right are 20, 132 a turn and 564 a river;
- actions with groups = information sets × 2.597, the mean without groups.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from math import comb
from typing import NamedTuple

from pokerlab.cards import parse_cards
from pokerlab.games.betting_trees import EdgeKind
from pokerlab.holdem.spots import Spot
from pokerlab.studies.abstraction.thesis import (
    GROUP_COUNTS,
    MERGED_BOARDS,
    REFERENCE_MENU,
    SIZES,
    TreeSizes,
)

HANDS = (comb(49, 2), comb(48, 2), comb(47, 2))
"""Two-card hands that are left on the flop, the turn and the river."""


class StreetNodes(NamedTuple):
    """The nodes of one street on one board."""

    nodes: int
    players: int
    dealers: int
    leaves: int
    actions: int


class BoardCounts(NamedTuple):
    """How many boards the streets of a flop have; a mean over flops need not be whole."""

    flop: float
    turn: float
    river: float


PLAIN = BoardCounts(1, 49, 49 * 48)


@cache
def reference_nodes(
    menu: str = REFERENCE_MENU, pot: float = 2, stack: float = 49, max_bets: int | None = 4
) -> tuple[StreetNodes, ...]:
    """The nodes of a tree, street by street, on one board each.

    Examples
    --------
    >>> [street.nodes for street in reference_nodes()]
    [57, 369, 1521]
    """
    spot = Spot(
        "QhJh2c", "AA", "KK", pot=pot, stack=stack, bet=menu, raise_=menu, max_bets=max_bets
    )
    found = []
    for street in spot.tree.streets:
        kinds = (EdgeKind.FOLD, EdgeKind.SHOWDOWN, EdgeKind.ALLIN)
        leaves = sum(street.count(kind) for kind in kinds)
        dealers = street.count(EdgeKind.NEXT_STREET)
        nodes = street.nodes + dealers + leaves
        found.append(StreetNodes(nodes, street.nodes, dealers, leaves, street.edges))
    return tuple(found)


def merged_boards(flop: str | Sequence[int]) -> BoardCounts:
    """How many boards a flop has when suits that cannot make a flush are one, as in the thesis.

    Examples
    --------
    >>> merged_boards("QhJs5c"), merged_boards("QhJh2c"), merged_boards("QhJh2h")[1:]
    (BoardCounts(flop=1, turn=49, river=1033), BoardCounts(flop=1, turn=36, river=985), (23, 519))
    """
    cards = parse_cards(flop) if isinstance(flop, str) else list(flop)
    ranks = list(dict.fromkeys(card // 4 for card in cards))
    return _merged(tuple(4 * ranks.index(card // 4) + card % 4 for card in cards))


@cache
def _merged(cards: tuple[int, ...]) -> BoardCounts:
    """The same for a flop of the lowest ranks: which ranks they are makes no difference."""
    turns = [turn[0] for turn in card_classes(cards, least=1)]
    rivers = sum(len(card_classes([*cards, turn], least=2)) for turn in turns)
    return BoardCounts(1, len(turns), rivers)


def card_classes(board: Sequence[int], least: int) -> list[list[int]]:
    """The cards that may come next, by classes.

    Suits with `least` cards on the board can still make a flush, and stay apart.

    Examples
    --------
    >>> len(card_classes(parse_cards("QhJs5cQd"), least=2))
    13
    """
    suits = [sum(card % 4 == suit for card in board) >= least for suit in range(4)]
    found: dict[tuple[int, int], list[int]] = {}
    for card in range(52):
        if card not in board:
            key = card // 4, card % 4 if suits[card % 4] else -1
            found.setdefault(key, []).append(card)
    return list(found.values())


def tree_sizes(
    nodes: Sequence[StreetNodes], boards: BoardCounts, hands: Sequence[float] = HANDS
) -> TreeSizes:
    """The dimensions of a tree as the thesis counts them, rounded to whole numbers.

    Examples
    --------
    >>> tree_sizes(reference_nodes(), PLAIN).states
    4203485577648
    """
    by_street = [
        StreetNodes(*(round(each * count) for each in street))
        for street, count in zip(nodes, boards, strict=True)
    ]
    players = sum(street.players * count for street, count in zip(nodes, boards, strict=True))
    actions = sum(street.actions * count for street, count in zip(nodes, boards, strict=True))
    flop, turn, river = (street.nodes for street in by_street)
    return TreeSizes(
        nodes=flop + turn + river,
        leaves=_whole(nodes, boards, "leaves"),
        player_nodes=round(players),
        dealer_nodes=_whole(nodes, boards, "dealers"),
        flop_nodes=flop,
        turn_nodes=turn,
        river_nodes=river,
        information_sets=round(players * HANDS[0]),
        actions=round(actions * HANDS[0]),
        states=round(
            sum(street.nodes * each**2 for street, each in zip(by_street, hands, strict=True))
        ),
    )


def _whole(nodes: Sequence[StreetNodes], boards: BoardCounts, kind: str) -> int:
    counts: list[int] = [getattr(street, kind) for street in nodes]
    return round(sum(each * count for each, count in zip(counts, boards, strict=True)))


@dataclass(frozen=True)
class FlopSample:
    """How many flops of each kind give the means of table 3."""

    rainbow: int
    two_tone: int
    monotone: int

    @property
    def flops(self) -> int:
        """All of them."""
        return self.rainbow + self.two_tone + self.monotone

    @property
    def boards(self) -> BoardCounts:
        """The mean number of boards."""
        kinds = [merged_boards(flop) for flop in ("QhJs5c", "QhJh2c", "QhJh2h")]
        counts = (self.rainbow, self.two_tone, self.monotone)
        turn, river = (
            sum(count * kind[street] for count, kind in zip(counts, kinds, strict=True))
            for street in (1, 2)
        )
        return BoardCounts(1, turn / self.flops, river / self.flops)


@cache
def flop_sample(most: int = 12) -> list[FlopSample]:
    """All samples of up to `most` flops that give every number of table 3.

    Examples
    --------
    >>> flop_sample()
    [FlopSample(rainbow=3, two_tone=4, monotone=0)]
    """
    nodes = reference_nodes()
    found = []
    for flops in range(1, most + 1):
        for monotone in range(flops + 1):
            for two_tone in range(flops - monotone + 1):
                sample = FlopSample(flops - monotone - two_tone, two_tone, monotone)
                if tree_sizes(nodes, sample.boards) == MERGED_BOARDS:
                    found.append(sample)
    return found


def group_sizes(
    nodes: Sequence[StreetNodes], boards: BoardCounts, groups: Sequence[float]
) -> tuple[float, float, float]:
    """Information sets, actions and game states of a tree with groups of hands.

    Examples
    --------
    >>> sets, actions, states = group_sizes(reference_nodes(), PLAIN, (1176, 1176, 1176))
    >>> round(sets), round(actions)
    (1567626816, 4070164224)
    """
    every = list(zip(nodes, boards, groups, strict=True))
    return (
        sum(street.players * count * group for street, count, group in every),
        sum(street.actions * count * group for street, count, group in every),
        sum(street.nodes * count * group**2 for street, count, group in every),
    )


def thesis_information_sets(groups: Sequence[float]) -> float:
    """Information sets as the thesis counts them with groups; see the module.

    Examples
    --------
    >>> round(thesis_information_sets((0, 0, 1))), round(thesis_information_sets((1, 1, 0)))
    (559632, 15397)
    """
    merged = MERGED_BOARDS
    upper = merged.flop_nodes + merged.turn_nodes
    river = merged.player_nodes + merged.dealer_nodes - upper
    return merged.flop_nodes * groups[0] + merged.turn_nodes * groups[1] + river * groups[2]


@dataclass(frozen=True)
class ImpliedGroups:
    """The means that a row of table 5 was computed from.

    Attributes
    ----------
    turn, river
        Groups of the street.
    rounds_to_table_4
        Whether they round to what table 4 prints.
    """

    turn: float
    river: float
    rounds_to_table_4: bool


def implied_groups(name: str) -> ImpliedGroups:
    """Solve the two formulas of the thesis for the groups of turn and river.

    Those of the flop, which hardly count, are taken from table 4.

    Examples
    --------
    >>> found = implied_groups("view/river")
    >>> round(found.turn, 1), round(found.river, 1), found.rounds_to_table_4
    (327.5, 190.5, True)
    """
    merged, sizes, printed = MERGED_BOARDS, SIZES[name], GROUP_COUNTS[name]
    flop = printed[0].mean
    river_nodes = round(thesis_information_sets((0, 0, 1)))
    sets = sizes.information_sets - merged.flop_nodes * flop
    states = sizes.states - merged.flop_nodes * flop**2
    # turn · t + river · r = sets and turn · t² + nodes · r² = states: a quadratic equation in t.
    turn, nodes = merged.turn_nodes, merged.river_nodes
    a = turn + nodes * turn**2 / river_nodes**2
    b = -2 * nodes * sets * turn / river_nodes**2
    c = nodes * sets**2 / river_nodes**2 - states
    root = (b * b - 4 * a * c) ** 0.5
    options = [(-b + sign * root) / (2 * a) for sign in (1, -1)]
    found = min(options, key=lambda option: abs(option - printed[1].mean))
    river = (sets - turn * found) / river_nodes
    fits = abs(found - printed[1].mean) <= 0.5 and abs(river - printed[2].mean) <= 0.5
    return ImpliedGroups(found, river, fits)
