"""`simplify`: a solution with few frequencies, and exactly what that costs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from pokerlab.holdem.spots.answer.node_view import Exploitability
from pokerlab.holdem.spots.answer.solution import PostflopSolution
from pokerlab.holdem.spots.simple.choosing import choose_within
from pokerlab.holdem.spots.simple.decisions import SimpleDecision, find_decisions
from pokerlab.holdem.spots.simple.origins import has_origins, loss_origins
from pokerlab.holdem.spots.simple.pricing import PricedStrategies
from pokerlab.holdem.spots.simple.rounding import Rounding, round_strategy
from pokerlab.holdem.spots.solving import parse_target

Report = Callable[[str, int, int], None]
"""Takes what is being done, how much of it is done, and how much there is."""


@dataclass(frozen=True)
class SimpleLine:
    """A decision of a simplified solution.

    Attributes
    ----------
    line, player, street
        Which: a line without cards, all boards are meant.
    simple
        Whether it was made simple.
    alone
        The chips that the player loses if this decision alone is simple; None if not measured.
    given
        The player's loss at this decision against the opponent's best response to the whole simple
        strategy, in chips (see `pokerlab.holdem.spots.simple.origins`); None if not computed.
    """

    line: str
    player: int
    street: str
    simple: bool
    alone: float | None
    given: float | None


@dataclass(frozen=True, eq=False)
class Simplified:
    """A simple solution and its price.

    Attributes
    ----------
    solution
        The simple one, with its own certificate.
    before
        The exploitability of the full one.
    rounding
        How decisions were made simple.
    losses
        What each player loses in chips: what the opponent's best response takes more.
    lines
        The decisions that could have become simple, those that lose most first.
    responses
        The number of best responses that were computed.
    """

    solution: PostflopSolution
    before: Exploitability
    rounding: Rounding
    losses: tuple[float, float]
    lines: tuple[SimpleLine, ...]
    responses: int

    @property
    def loss(self) -> Exploitability:
        """The losses of both players together, in chips, percent of the pot and mbb."""
        return self.in_units(sum(self.losses))

    def in_units(self, chips: float) -> Exploitability:
        """Chips beside percent of the pot and mbb."""
        return Exploitability(chips, self.before.pot, self.before.big_blind)

    @property
    def complicated(self) -> tuple[SimpleLine, ...]:
        """The decisions that stay as they were."""
        return tuple(each for each in self.lines if not each.simple)

    def __repr__(self) -> str:
        simple = len(self.lines) - len(self.complicated)
        return (
            f"<Simplified {self.rounding.text}: {simple} of {len(self.lines)} decisions, "
            f"loss {self.loss.percent:.2g}% of the pot>"
        )


def simplify(
    solution: PostflopSolution,
    step: float | str = "25%",
    *,
    max_actions: int | None = None,
    by: str = "hand",
    balanced: bool = True,
    player: str | int | None = None,
    street: str | None = None,
    lines: str | Sequence[str] | None = None,
    loss: float | str | None = None,
    origins: bool = True,
    threads: int | None = None,
    device: str = "auto",
    resume: str | Path | None = None,
    report: Report | None = None,
) -> Simplified:
    """Round the strategies of a solution, and measure exactly what the simple ones lose.

    The loss of a player is what the opponent's best response takes more against the simple strategy
    than against the full one. Both losses together are twice what the exploitability grows by (with
    rake or prizes the values change, too). With prizes the losses are in the opponent's chips that
    are worth the same.

    Parameters
    ----------
    solution
        With all streets, without groups and gadget. Locked decisions stay as they are.
    step
        Probabilities become multiples of it: ``"25%"`` or 0.25; 0 leaves them.
    max_actions
        The most actions that a hand may mix.
    by
        What plays one strategy together: each ``hand``, each starting hand (``class``), or each
        made hand with its best draw (``made``).
    balanced
        Round hand after hand so that the errors cancel and the range takes each action nearly as
        often as before; otherwise each hand is rounded to the nearest.
    player, street, lines
        Which decisions: see `find_decisions`.
    loss
        Leave decisions as they are so that both players together lose at most this: chips, or text
        such as ``"0.5%"`` of the pot. See `choose_within`.
    origins
        Whether to compute where the loss comes from (`SimpleLine.given`); not possible with locks
        or on a subset of run-outs.
    threads, device
        Of the best responses.
    resume
        A file that keeps what was measured: the same call goes on from it.
    report
        Called with what is being done, how much of it is done, and how much there is.

    Examples
    --------
    >>> from pokerlab.holdem.spots import Spot, solve_spot
    >>> spot = Spot("QhJh2c4d7h", "AA, KQs, JTs", "QQ, AJs, T9s", pot=100, stack=80)
    >>> solution = solve_spot(spot, target="0.01%")
    >>> simple = simplify(solution, "50%")
    >>> len(simple.lines), 0 < simple.loss.percent < 5
    (8, True)
    >>> careful = simplify(solution, "50%", loss="0.1%")
    >>> careful.loss.percent <= 0.1, len(careful.complicated) > 0
    (True, True)
    """
    rounding = Rounding.of(step, max_actions, by, balanced=balanced)
    most = None if loss is None else parse_loss(loss, solution.spot.pot)

    tell = report or (lambda what, done, total: None)
    priced = PricedStrategies(
        solution,
        lambda prepared, seat, full: round_strategy(prepared, seat, full, rounding),
        threads,
        device,
        resume,
    )
    decisions = find_decisions(priced.prepared, player=player, street=street, lines=lines)
    chosen, alone = decisions, dict[SimpleDecision, float]()
    if most is not None:
        chosen, alone = choose_within(priced, decisions, most, tell)
    losses = (priced.loss(0, chosen), priced.loss(1, chosen))
    made = priced.made_solution(
        chosen, lambda part: tell("parts of the certificate", round(4 * part), 4)
    )
    given = _given(priced, chosen, tell) if origins and has_origins(priced.prepared) else {}
    simple = set(chosen)
    listed = [
        SimpleLine(
            each.line,
            each.player,
            each.street,
            each in simple,
            alone.get(each),
            given.get(each),
        )
        for each in decisions
    ]
    listed.sort(key=lambda each: -(each.given or each.alone or 0.0))
    return Simplified(
        made, solution.exploitability, rounding, losses, tuple(listed), priced.responses
    )


def parse_loss(loss: float | str, pot: float) -> float:
    """A loss in chips: a number, or text in percent of the pot.

    Examples
    --------
    >>> parse_loss("0.5%", 200), parse_loss("1.5", 200)
    (1.0, 1.5)
    """
    try:
        found = parse_target(loss, pot)
    except ValueError:
        raise ValueError(f"loss: {loss!r} is not 0.5% (of the pot) or a number of chips") from None
    if found is None or not 0 <= found < float("inf"):
        raise ValueError(f"loss: {loss!r} is not 0.5% (of the pot) or a number of chips")
    return found


def _given(
    priced: PricedStrategies, chosen: Sequence[SimpleDecision], tell: Report
) -> dict[SimpleDecision, float]:
    found: dict[SimpleDecision, float] = {}
    total = 2 * sum(map(len, priced.prepared.boards.cards))
    players = {each.player for each in chosen}
    for number, player in enumerate(sorted(players)):
        done = number * total

        def count(boards: int, done: int = done) -> None:
            tell("boards searched for the loss", done + boards, total * len(players))

        after = priced.strategy(player, chosen)
        parts = loss_origins(priced.prepared, player, priced.full[player], after, count)
        for each in chosen:
            if each.player == player:
                found[each] = float(parts.nodes[each.level][each.node])
    return found
