"""Does a better start pay? Iterations and seconds to a target, from different starts."""

from __future__ import annotations

from dataclasses import dataclass
from time import perf_counter
from typing import Any

from pokerlab.cards.codes import parse_cards
from pokerlab.cards.flops import parse_flops
from pokerlab.holdem.spots import PostflopSolution, PostflopSolver, solve_spot
from pokerlab.holdem.spots.coarse.starts import start_from_cards, start_from_menu
from pokerlab.holdem.spots.prepared import PreparedSpot
from pokerlab.holdem.spots.solver import Start
from pokerlab.studies.bets.games import BetGame

TARGETS = (0.5, 0.1)
"""In percent of the pot."""
UNIFORM, FEWER = "uniform play", "fewer sizes"
_EVERY = 8
_MOST = 2000


@dataclass(frozen=True)
class StartTask:
    """Solves of a game from one start.

    Attributes
    ----------
    game
        What is solved.
    start
        What it starts from: `UNIFORM`, `FEWER`, or strategies of other cards, by any name.
    source
        What the start is a solution of.
    weights
        How many iterations the start counts as; a solve for each.
    target
        Of the solution that is started from, in percent of the pot.
    """

    game: BetGame
    start: str
    source: BetGame
    weights: tuple[int, ...]
    target: float

    def run(self, device: str, threads: int) -> dict[str, Any]:
        """Solve from the start; the record as JSON."""
        options: dict[str, Any] = {"device": device, "threads": threads}
        solver = PostflopSolver(self.game.spot, **options)
        solver.iterate(1)  # compiles what is not compiled yet
        solver.exploitability()
        if self.start == UNIFORM:
            return {"rows": [[0, 0.0, *self._race(None, options)]]}
        source = solve_spot(self.source.spot, target=f"{self.target}%", **options)
        rows = []
        for weight in self.weights:
            start = self._carried(source, solver.prepared, weight)
            rows.append([weight, source.seconds, *self._race(start, options)])
        return {"rows": rows}

    def _carried(self, source: PostflopSolution, prepared: PreparedSpot, weight: int) -> Start:
        if self.start == FEWER:
            return start_from_menu(source, prepared, weight)
        cards = carry_flop(self.game.board, self.source.board)
        return start_from_cards(source, prepared, weight, cards)

    def _race(self, start: Start | None, options: dict[str, Any]) -> list[float]:
        """ε at the start in percent of the pot; iterations and seconds to each of `TARGETS`."""
        solver = PostflopSolver(self.game.spot, **options)
        if start is not None:
            solver.start_from(start)
        before, seconds = solver.iteration, 0.0
        now = self.game.percent(solver.exploitability())
        found = [now]
        for target in TARGETS:
            while now > target and solver.iteration - before < _MOST:
                began = perf_counter()
                solver.iterate(_EVERY)
                seconds += perf_counter() - began
                now = self.game.percent(solver.exploitability())
            found += [solver.iteration - before, seconds]
        return found


def nearest_flop(flop: str, size: int = 25) -> str:
    """The flop of a subset that is nearest to one, of the same suits and pairs; "" if none is.

    Examples
    --------
    >>> nearest_flop("Qs9h7d"), nearest_flop("AsAhAd")
    ('As9h6d', '')
    """
    wanted = parse_cards(flop)
    others = [other for other in parse_flops(str(size)) if other.name != flop]
    alike = [other for other in others if _pattern(other.cards) == _pattern(wanted)]

    def distance(cards: Any) -> int:
        return sum(abs(one // 4 - other // 4) for one, other in zip(cards, wanted, strict=True))

    return min(alike, key=lambda other: distance(other.cards)).name if alike else ""


def _pattern(cards: Any) -> tuple[tuple[int, ...], ...]:
    """Which cards of a flop share a rank, and which a suit."""
    ranks, suits = [card // 4 for card in cards], [card % 4 for card in cards]
    return tuple(map(ranks.index, ranks)), tuple(map(suits.index, suits))


def carry_flop(flop: str, other: str) -> list[int]:
    """For each card the one that stands for it on another board of the same suits and pairs.

    The ranks of the board go to those of the other board, the other ranks keep their order.

    Examples
    --------
    >>> from pokerlab.cards.codes import format_cards
    >>> cards = carry_flop("Qs9h7d", "Ts9h6d")
    >>> format_cards([cards[card] for card in parse_cards("QsQc9dAsJs7c2c")])
    'TsTc9dAsQs6c2c'
    """
    if flop == other:
        return list(range(52))
    own, there = parse_cards(flop), parse_cards(other)
    ranks = _carried([card // 4 for card in own], [card // 4 for card in there], 13)
    suits = _carried([card % 4 for card in own], [card % 4 for card in there], 4)
    return [4 * ranks[card // 4] + suits[card % 4] for card in range(52)]


def _carried(own: list[int], there: list[int], count: int) -> list[int]:
    known = dict(zip(own, there, strict=True))
    left = iter([each for each in range(count) if each not in there])
    return [known[each] if each in known else next(left) for each in range(count)]
