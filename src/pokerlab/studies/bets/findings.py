"""How equilibria play: what the thesis observed of its strategies, measured on a flop."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from pokerlab.cards.codes import COMBO_CARDS, format_cards
from pokerlab.cards.ranges.blockers import unblocked_weights
from pokerlab.engine.tables.layout import PlayerLayout
from pokerlab.games.betting_trees.menus import PLAYERS, STREETS
from pokerlab.holdem.spots import Decision, PostflopSolution, Spot, solve_together
from pokerlab.holdem.spots.answer.node_view import equity_against
from pokerlab.holdem.spots.prepared import PreparedSpot
from pokerlab.holdem.spots.real_game import RealGame
from pokerlab.runtime.arrays import AnyArray, Floats, Halves
from pokerlab.studies.bets.games import BetGame
from pokerlab.studies.bets.purify_kernels import purify
from pokerlab.studies.reporting.data import read_data

THESIS = read_data("bets", "thesis.toml")
"""What the thesis says of bets, boards and how equilibria play."""
THIRDS = ("weak", "middle", "strong")
"""Of the hands that arrive, by their equity against the opponent's hands there."""
BLUFFS: tuple[float, float] = (
    THESIS["findings"]["bluff_least"],
    THESIS["findings"]["bluff_most"],
)
"""How often the thesis bluffs."""

_LEAST = 1e-3
"""Lines that are rarer than this are left out."""


@dataclass(frozen=True)
class FindingTask:
    """A flop solved from flop to river, and how it is played.

    Attributes
    ----------
    game
        What is solved.
    weight
        Of the flop, among those of the study.
    target
        In percent of the pot.
    turns, rivers
        How many turn cards, and river cards for each of them, are looked at on the river.
    """

    game: BetGame
    weight: float
    target: float
    turns: int = 12
    rivers: int = 3

    def run(self, device: str, threads: int) -> dict[str, Any]:
        """Solve and measure; the record as JSON."""
        spot = self.game.spot
        options: dict[str, Any] = {
            "target": f"{self.target}%",
            "device": device,
            "threads": threads,
        }
        (solution,) = solve_together([spot], **options)
        pure = self._pure_losses(solution, device, threads)
        # Without sizes on later streets, the flop is the only round of betting.
        alone = replace(spot, bet=_flop_only(spot.bet), raise_=_flop_only(spot.raise_))
        (one_street,) = solve_together([alone], **options)
        return {
            "percent": solution.exploitability.percent,
            "in_position": self.game.percent(solution.values[1]) - 50,
            "pure": pure,
            "streets": {name: self._street(solution, level) for level, name in enumerate(STREETS)},
            "cards": self._cards(solution),
            "alone": _aggression(one_street),
            "whole": _aggression(solution),
        }

    # ---- how the streets are played

    def _street(self, solution: PostflopSolution, level: int) -> dict[str, Any]:
        """Bets where nobody has bet yet: by thirds of the range, and how often weak hands do."""
        sums = [_Play(), _Play()]
        for chance, line, decision in self._openings(solution, level):
            sums[0].add(chance, decision)
            if decision.frequencies[0] > _LEAST:
                after = solution.decision(f"{line}/x" if line else "x")
                sums[1].add(chance * float(decision.frequencies[0]), after)
        return {seat: each.result() for seat, each in zip(PLAYERS, sums, strict=True)}

    def _openings(
        self, solution: PostflopSolution, level: int
    ) -> Iterator[tuple[float, str, Decision]]:
        """The first decisions of a street: how likely, the line, and the decision."""
        tree = solution.spot.tree
        street = tree.streets[level]
        for chance, cards in self._run_outs(solution, level):
            for node in street.root_first_node[:-1].tolist():
                line = tree.line(level, node, cards)
                decision = solution.decision(line)
                arrives = decision.weights[0] @ unblocked_weights(decision.weights[1])
                if arrives > _LEAST * _pairs(solution.spot):
                    yield chance * float(arrives), line, decision

    def _run_outs(
        self, solution: PostflopSolution, level: int
    ) -> Iterator[tuple[float, tuple[int, ...]]]:
        """The cards of a street that are looked at, with how many deals they stand for."""
        boards = solution.boards
        if level == 0:
            yield 1.0, ()
            return
        turns = _spread(len(boards.cards[1]), len(boards.cards[1]) if level == 1 else self.turns)
        for turn in turns:
            often = boards.classes[1][turn]
            chance = float(often.multiplicity) if often is not None else 1.0
            if level == 1:
                yield chance, (int(boards.cards[1][turn][3]),)
                continue
            first, last = boards.tables[1].child_first[turn : turn + 2]
            for place in _spread(int(last - first), self.rivers):
                river = int(first) + place
                count = boards.classes[2][river]
                again = float(count.multiplicity) if count is not None else 1.0
                yield chance * again, tuple(map(int, boards.cards[2][river][3:]))

    # ---- what new cards change

    def _cards(self, solution: PostflopSolution) -> dict[str, float]:
        """How much a card changes the equity of hands and what they do."""
        spot = solution.spot
        own, other = (each.weights for each in spot.ranges)
        board = tuple(spot.board)
        before = equity_against(board, other)
        turns = list(self._run_outs(solution, 1))
        moved = total = within = spread = 0.0
        bluffs, bets, changes, chances = [], [], [], []
        arriving = np.zeros_like(own)
        mean = float(np.nansum(own * before) / own[~np.isnan(before)].sum())
        for chance, cards in turns:
            possible = _without(cards) & (own > 0)
            after = equity_against((*board, *cards), _kept(other, cards))
            weight = chance * own[possible]
            moved += float(weight @ abs(after[possible] - before[possible]))
            within += float(weight @ (after[possible] - before[possible]) ** 2)
            spread += float(weight @ (before[possible] - mean) ** 2)
            total += float(weight.sum())
            line = "x/x/" + format_cards(cards)
            decision = solution.decision(line)
            chances.append(chance)
            changes.append(_mean_equity(decision))
            play = _Play()
            play.add(1.0, decision)
            bluffs.append(play.bets[0])
            bets.append(1 - decision.strategy[0])
            arriving = np.maximum(arriving, decision.weights[0])
        weights, ranges = np.array(chances), np.array(changes)
        # NaN, where a hand is not possible, is neither.
        either = (np.array(bets) > 0.5).any(axis=0) & (np.array(bets) < 0.5).any(axis=0)
        return {
            "equity_moves": moved / total,
            "new_variance": within / max(within + spread, 1e-12),
            "range_spread": float(np.sqrt(np.cov(ranges, aweights=weights))),
            "both_actions": float(arriving @ either / max(arriving.sum(), 1e-12)),
            "bluffs_by_equity": _correlation(np.array(bluffs), ranges, weights),
        }

    # ---- pure strategies

    def _pure_losses(self, solution: PostflopSolution, device: str, threads: int) -> list[float]:
        """What each player loses who always takes the most likely action, in percent of the pot."""
        prepared = PreparedSpot.of(solution.spot, isomorphism=solution.isomorphism)
        game = RealGame(prepared, threads, device)
        losses = []
        for player in range(len(PLAYERS)):
            strategy = [
                purified(np.asarray(pair[player]), solution.layout.at(level, player))
                for level, pair in enumerate(solution.strategies)
            ]
            response = game.best_value(1 - player, strategy)
            losses.append(self.game.percent(response - solution.values[1 - player]))
        return losses


class _Play:
    """Bets at decisions where nobody has bet, added up."""

    def __init__(self) -> None:
        self.bets, self.often = np.zeros(3), np.zeros(3)
        self.bluffs = np.zeros(3)

    def add(self, chance: float, decision: Decision) -> None:
        """Count a decision that is this likely."""
        player = decision.player
        arriving = decision.weights[player] * unblocked_weights(decision.weights[1 - player])
        hands = np.flatnonzero(arriving > 0)
        if not len(hands):
            return
        equity = equity_against(decision.board, decision.weights[1 - player])[hands]
        order = hands[np.argsort(equity, kind="stable")]
        weight = arriving[order] / arriving[order].sum()
        end = np.cumsum(weight)
        bet = 1 - decision.strategy[0, order]
        for third in range(3):
            # A hand on the border counts with both thirds, by its parts.
            part = np.clip(end, third / 3, (third + 1) / 3) - np.clip(
                end - weight, third / 3, (third + 1) / 3
            )
            self.bets[third] += chance * float(part @ bet)
            self.often[third] += chance * float(part.sum())
            if third == 0:
                for place, kind in enumerate((bet < BLUFFS[0], bet > BLUFFS[1])):
                    self.bluffs[2 * place] += chance * float(part @ kind)
        self.bluffs[1] = self.often[0] - self.bluffs[0] - self.bluffs[2]

    def result(self) -> dict[str, Any]:
        """How often each third bets; how many weak hands seldom, at times, and mostly bet."""
        often = np.maximum(self.often, 1e-300)
        return {
            "bets": (self.bets / often).tolist(),
            "checks": 1 - float(self.bets.sum() / max(self.often.sum(), 1e-300)),
            "bluffs": (self.bluffs / often[0]).tolist(),
        }


def purified(shares: AnyArray, layout: PlayerLayout) -> Halves:
    """A stored strategy in which every hand takes its most likely action, the first of several."""
    found = np.zeros(layout.size, np.uint16)
    purify(shares.view(np.uint16), layout.first, layout.rows, layout.own_actions, found)
    return found.view(np.float16)


def _aggression(solution: PostflopSolution) -> dict[str, float]:
    """Bets on the flop: how often each player bets first, and the chips that go in."""
    first, second = solution.decision(), solution.decision("x")
    street = solution.spot.tree.streets[0]
    tree = solution.spot.tree
    put_in = total = 0.0
    for node in range(street.nodes):
        decision = solution.decision(tree.line(0, node))
        player = decision.player
        arriving = decision.weights[player] * unblocked_weights(decision.weights[1 - player])
        for edge, share in zip(street.edges_of(node), decision.strategy, strict=True):
            if street.target[edge] < 0 or street.kind[edge] != 0:
                chance = float(np.nansum(arriving * share))
                put_in += chance * tree.chips(int(street.matched[edge]))
                total += chance
    return {
        "oop_bets": 1 - float(first.frequencies[0]),
        "ip_bets": 1 - float(second.frequencies[0]),
        "put_in": 100 * put_in / total / solution.spot.pot,
    }


def _flop_only(menus: Any) -> Any:
    return replace(menus, cells=(menus.cells[0], ((), ()), ((), ())))


def _mean_equity(decision: Decision) -> float:
    """Of the range of the player who acts."""
    own, other = decision.weights[decision.player], decision.weights[1 - decision.player]
    arriving = own * unblocked_weights(other)
    equity = equity_against(decision.board, other)
    known = arriving > 0
    return float(arriving[known] @ equity[known] / arriving[known].sum())


def _pairs(spot: Spot) -> float:
    first, second = (each.weights for each in spot.ranges)
    return float(first @ unblocked_weights(second))


def _spread(count: int, wanted: int) -> Sequence[int]:
    """Numbers below a count, evenly spread."""
    if wanted >= count:
        return range(count)
    return [int((place + 0.5) * count / wanted) for place in range(wanted)]


def _without(cards: Sequence[int]) -> AnyArray:
    return np.asarray(~np.isin(COMBO_CARDS, cards).any(axis=1))


def _kept(weights: Floats, cards: Sequence[int]) -> Floats:
    return np.where(_without(cards), weights, 0.0)


def _correlation(first: Floats, second: Floats, weights: Floats) -> float:
    matrix = np.cov(np.stack([first, second]), aweights=weights)
    size = float(np.sqrt(matrix[0, 0] * matrix[1, 1]))
    return float(matrix[0, 1]) / size if size > 0 else 0.0
