"""`find_sizes`: begin with one size each, and add the size that gains most.

A *place* is a player on a street. What a menu at a place is worth is the value to that player of
the game with this menu there and the present menus everywhere else: both players know all menus,
so the opponent answers every size as well as possible (solving again, not translating). It is
computed by a solve, and the certificate of the solve gives its bounds. The *loss* of a menu is what
all candidates together are worth at this place, less what the menu is worth. Fewer sizes are never
worth more, so a menu whose loss is small cannot gain more than this by any candidate.

With prizes this is no theorem: equilibria need not be worth the same, and a size that the opponent
must fear may cost the one who has it. The worth is then that of the equilibrium which the solve
found, in the player's own chips that are worth the same, and a loss may be negative.

In each round all places are looked at with the menus of the round before, and then changed
together. The losses of the result are computed once more, with the menus that were chosen.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

from pokerlab.games.betting_trees.menus import Menu, Menus, menu_text
from pokerlab.holdem.spots.question.spot import Spot
from pokerlab.holdem.spots.simple.simplify import parse_loss
from pokerlab.holdem.spots.sizes.menu_places import (
    MenuPlace,
    PlacedMenus,
    first_size,
    in_order,
    menu_places,
    menus_of,
    read_candidates,
    with_menus,
)
from pokerlab.holdem.spots.sizes.valuing import ChipBounds, MenuValues


@dataclass(frozen=True)
class TriedMenu:
    """A menu that was tried.

    Attributes
    ----------
    place, menu
        Where, and its sizes.
    loss
        What all candidates there are worth more, in chips.
    """

    place: MenuPlace
    menu: Menu
    loss: ChipBounds

    @property
    def text(self) -> str:
        """The sizes."""
        return menu_text(self.menu)


@dataclass(frozen=True)
class SizesRound:
    """The menus after a round.

    Attributes
    ----------
    most
        How many sizes each may have.
    menus
        The menus that were chosen.
    losses
        By place what all candidates there would be worth more, in chips, all other menus as chosen.
    """

    most: int
    menus: PlacedMenus
    losses: Mapping[MenuPlace, ChipBounds]


@dataclass(frozen=True, eq=False)
class FoundSizes:
    """Few bet sizes and what they lose.

    Attributes
    ----------
    spot
        The spot with the menus that were chosen.
    candidates
        The sizes to choose from.
    rounds
        The menus with one size, with two, and so on.
    players
        What all candidates on all these streets would be worth more to each player; None for one
        whose sizes were not chosen.
    tried
        All menus that were tried, in order.
    solves
        How many spots were solved.
    """

    spot: Spot
    candidates: Menu
    rounds: tuple[SizesRound, ...]
    players: tuple[ChipBounds | None, ChipBounds | None]
    tried: tuple[TriedMenu, ...]
    solves: int

    @property
    def menus(self) -> PlacedMenus:
        """The menus that were chosen."""
        return self.rounds[-1].menus

    @property
    def kind(self) -> str:
        """Which sizes were chosen: ``bet``, ``raise`` or ``donk``."""
        return next(iter(self.menus)).kind

    @property
    def chosen(self) -> Menus:
        """The menus of this kind, those that were not chosen too."""
        return menus_of(self.spot, self.kind)

    @property
    def loss(self) -> ChipBounds:
        """The losses of both players together, in chips."""
        known = [each for each in self.players if each is not None]
        return ChipBounds(sum(each.least for each in known), sum(each.most for each in known))

    def shown(self, loss: ChipBounds) -> tuple[float, float, float]:
        """The middle of a loss and its bounds; without prizes no loss is negative."""
        if self.spot.pays_prizes:
            return loss.middle, loss.least, loss.most
        return loss.never_negative()

    def __repr__(self) -> str:
        percent = 100 * self.loss.middle / self.spot.pot
        return f"<FoundSizes {self.chosen}: loss {percent:.2g}% of the pot, {self.solves} solves>"


def find_sizes(
    spot: Spot,
    candidates: str | None = None,
    *,
    kind: str = "bet",
    most: int = 2,
    loss: float | str = "0.1%",
    streets: str | Sequence[str] | None = None,
    player: str | None = None,
    every: bool = False,
    boards: Mapping[str, float] | None = None,
    target: float | str = "0.1%",
    threads: int | None = None,
    device: str = "auto",
    resume: str | Path | None = None,
    report: Callable[[str, int, int], None] | None = None,
) -> FoundSizes:
    """Find a few bet sizes that are nearly as good as all candidates.

    Parameters
    ----------
    spot
        Without rake and locks. Its sizes stay where none are chosen.
    candidates
        The sizes to choose from; `DEFAULT_CANDIDATES` of the kind by default.
    kind
        Which sizes to choose: ``bet``, ``raise`` or ``donk``.
    most
        The most sizes of a player on a street.
    loss
        Add no size where the loss is at most this: chips, or text such as ``"0.1%"`` of the pot.
    streets, player
        Whose sizes to choose: see `menu_places`.
    every
        Try all menus with one size more in each round, not only those that add one to the menu of
        the round before.
    boards
        Boards by name with their weights: one menu for all of them, chosen by the mean.
    target
        Of every solve; bounds are about twice as wide.
    threads, device
        See `solve_spot`.
    resume
        A file that keeps what was solved: the same call goes on from it.
    report
        Called with what is being done, how much of it is done, and how much there is.

    Examples
    --------
    >>> spot = Spot("QhJh2c4d7h", "AA, KQs, JTs, 98s", "QQ, AJs, T9s, 55", pot=100, stack=200)
    >>> found = find_sizes(spot, "33%, 75%, 150%", most=1, player="oop")
    >>> list(map(str, found.menus)), found.solves
    (['oop river'], 4)
    """
    sizes = read_candidates(candidates, kind)
    if not 1 <= most <= len(sizes):
        raise ValueError(f"most: {most} must be from 1 to {len(sizes)} sizes")
    allowed = parse_loss(loss, spot.pot)
    tell = report or (lambda what, done, total: None)
    values = MenuValues(
        spot,
        boards,
        target=target,
        threads=threads,
        device=device,
        resume=resume,
        report=lambda: tell("spots solved, at most", values.solves, total),
    )
    places = menu_places(values.spot, streets, player, kind)
    total = _count_solves(len(places), len(sizes), most, len(boards or [0]), every=every)
    tell("spots solved, at most", 0, total)
    menus: dict[MenuPlace, Menu] = dict.fromkeys(places, first_size(sizes))
    rounds: list[SizesRound] = []
    tried: list[TriedMenu] = []
    losses: dict[MenuPlace, ChipBounds] = {}
    for count in range(1, most + 1):
        chosen = dict(menus)
        for place in places:
            if count > 1 and losses[place].middle <= allowed:
                continue
            listed = _menus(sizes, menus[place], count, every=every)
            found = [
                TriedMenu(place, menu, _loss(values, menus, place, menu, sizes)) for menu in listed
            ]
            tried += found
            best = min(found, key=lambda each: each.loss.middle)
            if count == 1 or best.loss.middle < losses[place].middle:
                chosen[place] = best.menu
        changed, menus = chosen != menus, chosen
        losses = {place: _loss(values, menus, place, menus[place], sizes) for place in places}
        rounds.append(SizesRound(count, dict(menus), dict(losses)))
        if count > 1 and not changed:
            break
        if all(each.middle <= allowed for each in losses.values()):
            break
    return FoundSizes(
        with_menus(values.spot, menus),
        sizes,
        tuple(rounds),
        (_player_loss(values, menus, 0, sizes), _player_loss(values, menus, 1, sizes)),
        tuple(tried),
        values.solves,
    )


def _menus(sizes: Menu, present: Menu, count: int, *, every: bool) -> list[Menu]:
    """The menus to try in a round."""
    if every or count == 1:
        return list(combinations(sizes, count))
    return [in_order(sizes, (*present, each)) for each in sizes if each not in present]


def _loss(
    values: MenuValues, menus: PlacedMenus, place: MenuPlace, menu: Menu, sizes: Menu
) -> ChipBounds:
    """What all candidates at a place are worth more than a menu, other places as they are."""
    if menu == sizes:
        return ChipBounds(0.0, 0.0)
    everything = values.value(place.player, {**menus, place: sizes})
    return everything.minus(values.value(place.player, {**menus, place: menu}))


def _player_loss(
    values: MenuValues, menus: PlacedMenus, player: int, sizes: Menu
) -> ChipBounds | None:
    """The same for all places of a player."""
    own = {place: sizes for place in menus if place.player == player}
    if not own:
        return None
    return values.value(player, {**menus, **own}).minus(values.value(player, menus))


def _count_solves(places: int, sizes: int, most: int, boards: int, *, every: bool) -> int:
    """The most spots that a search solves."""
    total = 0
    for count in range(1, most + 1):
        tried = len(list(combinations(range(sizes), count))) if every else sizes - count + 1
        total += places * (tried + 1) + 1
    return boards * (total + places + 2)
