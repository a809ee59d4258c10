"""What a strategy of a coarse menu loses against an opponent with a finer one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pokerlab.games.betting_trees.menus import PLAYERS
from pokerlab.holdem.spots.answer.solution import PostflopSolution
from pokerlab.holdem.spots.coarse.lifting import ANSWERS, Lift
from pokerlab.holdem.spots.prepared import PreparedSpot
from pokerlab.holdem.spots.question.spot import Spot
from pokerlab.holdem.spots.real_game import RealGame


@dataclass(frozen=True)
class MenuLoss:
    """What a coarse strategy loses.

    Attributes
    ----------
    player, answer
        Whose strategy it is (0: out of position), and how it answers unknown sizes.
    response
        What the best response to it takes from the pot, in chips.
    least, most
        Bounds of the loss in chips: of the response less what the opponent takes at equilibrium,
        which is known up to the exploitability of the finer solution. With prizes, in the
        opponent's chips that are worth the same, and at the equilibrium of the finer solution:
        there may be others.
    solves
        How many spots were solved again for it.
    """

    player: int
    answer: str
    response: float
    least: float
    most: float
    solves: int = 0

    @property
    def chips(self) -> float:
        """The middle of the bounds."""
        return (self.least + self.most) / 2


def menu_losses(
    coarse: PostflopSolution,
    fine: PostflopSolution,
    answers: Sequence[str] = ANSWERS,
    *,
    players: Sequence[int] = range(len(PLAYERS)),
    target: float | str = "0.1%",
    threads: int | None = None,
    device: str = "auto",
) -> Iterator[MenuLoss]:
    """What both players lose who play a coarse solution against all sizes of a finer one.

    Exact: the strategy is written into the tree of the finer spot (`Lift`), a best response with
    all its sizes is computed, and the loss is what it takes beyond the equilibrium of the finer
    spot.

    Parameters
    ----------
    coarse, fine
        Solutions of the same spot with other menus, without rake. The finer menu should have the
        sizes of the coarse one: the coarse player bets the nearest that it has.
    answers
        How the coarse player answers sizes that the coarse menu does not have.
    players
        Who plays the coarse solution; each in turn.
    target, threads, device
        Of the solves again (see `Lift`); best responses take the same threads and device.

    Examples
    --------
    >>> from dataclasses import replace
    >>> from pokerlab.holdem.spots import Spot, solve_spot
    >>> from pokerlab.games.betting_trees import Menus
    >>> spot = Spot("KsTs7d4c2h", "77, 65s", "AA, QQ", pot=100, stack=200, bet="100%", raise_="a")
    >>> fine = replace(spot, bet=Menus.of("bet", "20%, 100%"))
    >>> solutions = [solve_spot(each, target="0.01%") for each in (spot, fine)]
    >>> losses = list(menu_losses(*solutions, ["nearest"]))
    >>> [loss.chips > -0.01 for loss in losses]
    [True, True]
    """
    check_no_rake(fine.spot)
    check_no_rake(coarse.spot)
    prepared = PreparedSpot.of(fine.spot, isomorphism=fine.isomorphism)
    game = RealGame(prepared, threads, device)
    for answer in answers:
        lift = Lift(coarse, prepared, answer, target=target, threads=threads, device=device)
        for player in players:
            responder, before = 1 - player, len(lift.solves)
            response = game.best_value(responder, lift.strategy(player))
            least_taken, most_taken = equilibrium_bounds(fine, responder)
            solves = len(lift.solves) - before
            least, most = response - most_taken, response - least_taken
            yield MenuLoss(player, answer, response, least, most, solves)


def equilibrium_bounds(solution: PostflopSolution, player: int) -> tuple[float, float]:
    """What a player takes at equilibrium, in chips: at least and at most.

    Where the players share the pot, bounds of the value of the game. With prizes there may be
    several equilibria; what counts is the one of the solution: what the player takes there, and
    what they could take by a best response.
    """
    if solution.spot.pays_prizes:
        return solution.values[player], solution.best_values[player]
    return solution.spot.pot - solution.best_values[1 - player], solution.best_values[player]


def check_no_rake(spot: Spot) -> None:
    """Refuse a spot with rake: what one player loses is not what the other wins."""
    if spot.rake:
        raise ValueError(f"rake {spot.rake:g}: losses are measured without rake; it must be 0")
