"""Hands of equilibrium play over the boards of a batch: both players follow its solutions.

For each hand a board is drawn, as likely as its weight times the deals that the ranges leave on it;
then it goes on as in `pokerlab.postflop.answer.play_outs`. The same seed gives the same hands.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from pokerlab.arrays import Bytes, Floats
from pokerlab.batches.folder import Batch
from pokerlab.batches.rows import BoardRow
from pokerlab.batches.whole_hands import Path, Paths, write_betting
from pokerlab.cards.codes import COMBO_CARDS
from pokerlab.cards.isomorphism.suits import SUIT_PERMUTATIONS
from pokerlab.games.play_runs import Totals, known
from pokerlab.postflop.answer.dealing import hand_pairs
from pokerlab.postflop.answer.play_outs import BLOCK, PlayOuts
from pokerlab.postflop.answer.simulation import check_hands, pair_of, z_scores
from pokerlab.postflop.question.menus import PLAYERS
from pokerlab.postflop.question.spot import Spot
from pokerlab.postflop.tree.betting_tree import BettingTree


@dataclass(frozen=True, eq=False)
class BoardHands:
    """The hands that were played on one board.

    Attributes
    ----------
    spot
        What was played.
    holes, cards
        (hands, 2, 2) cards of both players, and (hands, 5) of the board, dealt or not seen.
    bettings
        What the players did, in the notation of the rules (`pokerlab.games`), without what
        happened before the spot.
    """

    spot: Spot
    holes: Bytes
    cards: Bytes
    bettings: list[str]


class LineCount(NamedTuple):
    """A decision: how often it was reached, and the actions there."""

    line: str
    """The line without cards."""
    player: str
    reached: int
    actions: dict[str, int]

    def frequency(self, action: str) -> tuple[float, float]:
        """How often an action was taken, and the standard error of that.

        Examples
        --------
        >>> LineCount("x", "ip", 100, {"x": 80, "b50": 20}).frequency("b50")
        (0.2, 0.04)
        """
        part = self.actions[action] / self.reached
        return part, float(np.sqrt(part * (1 - part) / self.reached))


@dataclass(frozen=True)
class BatchSimulation:
    """The result of a simulation over boards.

    Attributes
    ----------
    hands, boards, seed, seconds
        How many hands on how many boards.
    mean, stderr
        What each player (oop, ip) took from the pot on average, in chips, and the error of that.
    expected
        What the solutions say; of the boards that were played, if not all hands were.
    lines
        All decisions that were reached, those of the first street first.
    """

    hands: int
    boards: int
    seed: int
    seconds: float
    mean: tuple[float, float]
    stderr: tuple[float, float]
    expected: tuple[float, float]
    lines: tuple[LineCount, ...]

    @property
    def z(self) -> tuple[float, float]:
        """How far played and expected are apart, in errors."""
        return z_scores(self.mean, self.stderr, self.expected)

    def to_json(self) -> dict[str, Any]:
        """The form that ``simulate FOLDER --json`` prints."""
        return {
            "hands": self.hands,
            "seconds": self.seconds,
            "boards": self.boards,
            "seed": self.seed,
            "mean": list(self.mean),
            "stderr": list(self.stderr),
            "expected": list(self.expected),
            "z": [known(each) for each in self.z],
            "lines": [
                {
                    "line": each.line,
                    "player": each.player,
                    "reached": each.reached,
                    "actions": {
                        action: dict(
                            zip(("frequency", "stderr"), each.frequency(action), strict=True)
                        )
                        for action in each.actions
                    },
                }
                for each in self.lines
            ],
        }


class BatchPlay:
    """Hands of a batch's solutions against themselves.

    Iterate over it for the hands, board by board; ask for the result when they are played.

    Parameters
    ----------
    batch
        Its solutions must be whole; boards that are not finished are not played.
    hands
        How many, 2 at least.
    seed
        The same seed gives the same hands.
    """

    def __init__(self, batch: Batch, hands: int, seed: int = 0) -> None:
        check_hands(hands)
        if batch.question.keep != "full":
            raise ValueError(
                f"{batch.folder} keeps {batch.question.keep} solutions; to play hands out, solve "
                "it without --partial and --root-only"
            )
        self.batch, self.hands, self.seed = batch, hands, seed
        self.rows = batch.rows()
        if not self.rows:
            raise ValueError(f"{batch.folder}: no board is finished")
        self._rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(0,)))
        self._totals = Totals(2, hands)
        self._lines: dict[str, LineCount] = {}
        self._boards = 0
        self._dealt = np.zeros(len(self.rows))
        self._seconds = 0.0

    @property
    def played(self) -> int:
        """Hands so far."""
        return self._totals.last.deals

    @property
    def _likely(self) -> Floats:
        weights = np.array([row.weight * row.deals for row in self.rows])
        return np.asarray(weights / weights.sum())

    def __iter__(self) -> Iterator[BoardHands]:
        """Play from the first hand on."""
        counts = self._rng.multinomial(self.hands, self._likely)
        for number, (row, count) in enumerate(zip(self.rows, counts.tolist(), strict=True), 1):
            if count:
                began = perf_counter()
                self._dealt[number - 1] = count
                played = self._play(row, count, number)
                self._seconds += perf_counter() - began
                yield played

    def _play(self, row: BoardRow, count: int, number: int) -> BoardHands:
        solution = self.batch.solution(row.board)
        spot = solution.spot
        seed = int(np.random.SeedSequence(self.seed, spawn_key=(number,)).generate_state(1)[0])
        first, second = (hands.weights for hands in spot.ranges)
        pairs = hand_pairs((first, second))
        play = PlayOuts((solution, solution), spot.find(""), pairs, count, 1, seed, 1)
        numbers, cards, ends = [], [], []
        for block in range(-(-count // BLOCK)):
            games = play.play_block(block, min(BLOCK, count - block * BLOCK))
            self._totals.add(play.settle(games)[:, 0] + spot.pot / 2)
            numbers.append(games.hands)
            cards.append(games.cards)
            ends.append(games.end)
        hands = np.concatenate(numbers)
        board, holes = np.concatenate(cards), np.zeros((count, 2, 2), np.uint8)
        for player in range(2):
            holes[:, player] = COMBO_CARDS[pairs.combos[player]][hands[:, player]]
        if self.batch.question.up_to_suits:
            board, holes = self._rename_suits(board, holes)
        paths = Paths(spot.tree)
        found, counts = np.unique(end := np.concatenate(ends), return_counts=True)
        for each, times in zip(found.tolist(), counts.tolist(), strict=True):
            self._count(spot.tree, paths.to(each), times)
        texts = {each: write_betting(spot.tree, paths.to(each)) for each in found.tolist()}
        self._boards += 1
        return BoardHands(spot, holes, board, [texts[each] for each in end.tolist()])

    def _rename_suits(self, cards: Bytes, holes: Bytes) -> tuple[Bytes, Bytes]:
        """Each hand on one of the boards that its board stands for."""
        suits = np.asarray(SUIT_PERMUTATIONS, np.uint8)
        chosen = suits[self._rng.integers(len(suits), size=len(cards))]

        def renamed(some: Bytes) -> Bytes:
            flat = some.reshape(len(some), -1)
            found = flat & ~np.uint8(3) | np.take_along_axis(chosen, (flat & 3).astype(int), 1)
            return found.reshape(some.shape)

        return renamed(cards), renamed(holes)

    def _count(self, tree: BettingTree, path: Path, times: int) -> None:
        for level, edge in path:
            street = tree.streets[level]
            node = int(street.node[edge])
            line = tree.line(level, node)
            before = self._lines.get(line)
            if before is None:
                before = LineCount(line, PLAYERS[int(street.player[node])], 0, {})
            actions = dict.fromkeys(street.labels(node), 0) | before.actions
            actions[street.label(edge)] += times
            self._lines[line] = before._replace(reached=before.reached + times, actions=actions)

    def result(self) -> BatchSimulation:
        """The result of the hands played so far."""
        last = self._totals.last
        likely = self._likely if self.played == self.hands else self._dealt / self._dealt.sum()
        expected = likely @ np.array([row.ev for row in self.rows])
        lines = sorted(self._lines.values(), key=lambda each: (each.line.count("/"), each.line))
        return BatchSimulation(
            hands=last.deals,
            boards=self._boards,
            seed=self.seed,
            seconds=self._seconds,
            mean=pair_of(last.mean),
            stderr=pair_of(last.stderr),
            expected=pair_of(expected),
            lines=tuple(lines),
        )
