"""What it costs to answer a bet size that a solution does not have."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from pokerlab.games.betting_trees.menus import PLAYERS, parse_menu
from pokerlab.holdem.spots.coarse.lifting import ANSWERS
from pokerlab.holdem.spots.coarse.menu_loss import MenuLoss, menu_losses
from pokerlab.holdem.spots.question.spot import Spot
from pokerlab.holdem.spots.sizes.menu_places import menu_places, with_menus
from pokerlab.holdem.spots.sizes.valuing import check_comparable, solve_whole
from pokerlab.runtime.errors import shorten


def unlisted_losses(
    spot: Spot,
    size: str,
    *,
    answers: Sequence[str] = ANSWERS,
    streets: str | Sequence[str] | None = None,
    player: str | None = None,
    target: float | str = "0.1%",
    threads: int | None = None,
    device: str = "auto",
    report: Callable[[str, int, int], None] | None = None,
) -> Iterator[MenuLoss]:
    """What each player loses who answers a size of the opponent with a solution that lacks it.

    For each player the spot is solved again in which the opponent alone may also bet this size. The
    loss is what the opponent's best response takes beyond the equilibrium of that spot: see
    `menu_losses`. Without rake and locks.

    Parameters
    ----------
    spot
        What the solution is of.
    size
        One size or more, as ``"67%"``.
    answers
        How the size is answered: by the nearest of the solution, by a mixture (``linear``,
        ``pseudo-harmonic``), or by solving again from there on (on the first street; on later ones
        pseudo-harmonic).
    streets, player
        On which streets, and which player answers; both by default.
    target, threads, device
        Of the solves.
    report
        Called with what is being done, how much of it is done, and how much there is.

    Examples
    --------
    >>> spot = Spot("KsTs7d4c2h", "77, 65s", "AA, QQ", pot=100, stack=200, bet="100%", raise_="a")
    >>> losses = list(unlisted_losses(spot, "30%", answers=["nearest"], player="ip"))
    >>> [(loss.player, loss.most >= 0) for loss in losses]
    [(1, True)]
    """
    finer = spots_with_size(spot, size, streets, player)
    for each in finer.values():
        if [street.edges for street in each.tree.streets] == [
            street.edges for street in spot.tree.streets
        ]:
            raise ValueError(
                f"against: {shorten(size)} is no new bet: the menus have it, or merge it with one"
            )
    tell = report or (lambda what, done, total: None)
    options: dict[str, Any] = {"target": target, "threads": threads, "device": device}
    total = 1 + len(finer) * (1 + len(answers))
    tell("solves and answers", 0, total)
    coarse = solve_whole(spot, **options)
    done = 1
    for seat, spot_with_size in finer.items():
        tell("solves and answers", done, total)
        fine = solve_whole(spot_with_size, **options)
        done += 1
        tell("solves and answers", done, total)
        for loss in menu_losses(coarse, fine, answers, players=[seat], **options):
            done += 1
            tell("solves and answers", done, total)
            yield loss


def spots_with_size(
    spot: Spot,
    size: str,
    streets: str | Sequence[str] | None = None,
    player: str | None = None,
) -> dict[int, Spot]:
    """For each player who answers, the spot in which the opponent alone has one size more.

    Examples
    --------
    >>> spot = Spot("QhJh2c4d7h", "AA", "KK", pot=100, stack=100, bet="50%")
    >>> {seat: str(each.bet) for seat, each in spots_with_size(spot, "33%", "river", "oop").items()}
    {0: 'flop: 50%; turn: 50%; oop river: 50%; ip river: 50%, 33%'}
    """
    check_comparable(spot)
    try:
        added = parse_menu(size, "bet")
    except ValueError as error:
        raise ValueError(f"against: {error}") from None
    if not added:
        raise ValueError("against: give a size, such as 67%")
    found = {}
    for seat in sorted({place.player for place in menu_places(spot, streets, player)}):
        menus = {}
        for place in menu_places(spot, streets, PLAYERS[1 - seat]):
            known = spot.bet.at(place.street, place.player) or ()
            menus[place] = tuple(dict.fromkeys((*known, *added)))
        found[seat] = with_menus(spot, menus)
    return found
