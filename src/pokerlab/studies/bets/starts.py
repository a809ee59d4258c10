"""Does a better start pay? Iterations and seconds to a target, from different starts."""

from __future__ import annotations

from dataclasses import dataclass, replace
from time import perf_counter
from typing import Any

from pokerlab.cards.codes import parse_cards
from pokerlab.cards.flops import parse_flops
from pokerlab.holdem.spots import PostflopSolution, PostflopSolver, Spot, solve_spot
from pokerlab.holdem.spots.coarse.starts import start_from_cards, start_from_menu
from pokerlab.holdem.spots.solver import Start
from pokerlab.studies.bets.games import BetGame

TARGETS = (0.5, 0.1)
"""In percent of the pot."""
UNIFORM = "uniform play"
_EVERY = 4
_MOST = 2000


@dataclass(frozen=True)
class StartTask:
    """Solves of one game from different starts.

    Attributes
    ----------
    game
        What is solved.
    coarse_bet
        The bet sizes of the start with fewer of them.
    other_hands
        The range of the start with other ranges.
    other_flop
        The board of the start from another flop; none if empty.
    weights
        How many iterations a start counts as.
    start_target
        Of the solves that are started from, in percent of the pot.
    """

    game: BetGame
    coarse_bet: str
    other_hands: str
    other_flop: str
    weights: tuple[int, ...]
    start_target: float

    def run(self, device: str, threads: int) -> dict[str, Any]:
        """Solve from each start; the record as JSON."""
        spot = self.game.spot
        options: dict[str, Any] = {"device": device, "threads": threads}

        def solved(game: BetGame) -> PostflopSolution:
            return solve_spot(game.spot, target=f"{self.start_target}%", **options)

        solver = PostflopSolver(spot, **options)  # compiles what is not compiled yet
        solver.iterate(1)
        prepared = solver.prepared
        rows = [[UNIFORM, 0, 0.0, *_race(spot, None, options)]]
        sources = {
            "itself": self.game,
            "other ranges": replace(self.game, hands=self.other_hands),
            "fewer sizes": replace(self.game, bet=self.coarse_bet),
        }
        if self.other_flop:
            sources["nearest flop"] = replace(self.game, board=self.other_flop)
        for name, game in sources.items():
            source = solved(game)
            for weight in self.weights:
                if name == "itself":
                    start: Start = replace(source, iterations=weight, known=_known(source))
                elif name == "fewer sizes":
                    start = start_from_menu(source, prepared, weight)
                else:
                    cards = carry_flop(self.game.board, game.board)
                    start = start_from_cards(source, prepared, weight, cards)
                rows.append([name, weight, source.seconds, *_race(spot, start, options)])
        return {"rows": rows}


def _known(solution: PostflopSolution) -> Any:
    return solution.boards, solution.layout


def _race(spot: Spot, start: Start | None, options: dict[str, Any]) -> list[float]:
    """ε at the start in percent of the pot; iterations and seconds to each of `TARGETS`."""
    solver = PostflopSolver(spot, **options)
    before = 0
    if start is not None:
        solver.start_from(start)
        before = solver.iteration
    found = [100 * solver.exploitability() / spot.pot if start is not None else float("nan")]
    seconds = 0.0
    for target in TARGETS:
        while 100 * solver.exploitability() / spot.pot > target:
            if solver.iteration - before >= _MOST:
                return [*found, *[float("nan")] * (2 * len(TARGETS) + 1 - len(found))]
            began = perf_counter()
            solver.iterate(_EVERY)
            seconds += perf_counter() - began
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
