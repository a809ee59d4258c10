"""Play before the flop: by a chart, whatever the opponent raises to.

The chart is that of the effective stack (`pokerlab.holdem.charts`), or a file. What is done at the
table is followed in it line by line, and where a raise has no equal there, several lines stand for
it, each with a chance (the pseudo-harmonic mapping):

- between two raises of the chart: for both;
- below the smallest raise: for that one and for no raise at all. A line of the chart that has come
  to the flop that way calls the rest;
- above the largest raise of a chart without all-in there: for that one and for all-in. Who goes
  all-in, and who calls it, is then as in the game of push or fold with a stack that is as large
  beside the pot.

What the player does is the mean over these lines, each with the probability that it got there with
the hand; ranges are sums over them. Chips are those of the table: raises of the chart are made to
the same number of big blinds, as far as the rules allow.

Below 15 big blinds (the charts begin there) the small blind pushes or folds, and an all-in of the
small blind is called, by the exact game of push or fold; what else an opponent does there is
followed in the chart of 20, where a raise of a third of the stack or more stands for all-in.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from pokerlab.cards.hand_classes import CLASS_OF_COMBO, CLASS_SIZES
from pokerlab.games.betting import Betting, first_betting
from pokerlab.games.betting_trees.translation import pseudo_harmonic
from pokerlab.games.rules import GameRules
from pokerlab.holdem.charts import PreflopChart, read_chart, shipped_chart, shipped_depth
from pokerlab.holdem.preflop.push_fold import solve_push_fold
from pokerlab.holdem.preflop.saved_solution import solution_of
from pokerlab.holdem.preflop.solution import PreflopSolution
from pokerlab.runtime.arrays import Floats

_PUSH_FOLD = 15.0
"""Big blinds below which the small blind pushes or folds."""
_DEEPEST = 300.0
"""Big blinds above which the chart of this stack is taken."""
_CLASSES = 169
_SMALL, _BIG = 0, 1
"""The players of a chart."""
_RARE = 1e-6
"""Lines with a smaller chance are dropped."""


class ChartLine(NamedTuple):
    """A line of the chart that may stand for what was done, and with what chance."""

    line: str
    chance: float
    """That of the translations."""
    reach: Floats
    """(2, 169): how often each class of the small blind and of the big blind follows it."""
    pushed: float = 0.0
    """The stack of the push-or-fold game that answers an all-in which the chart lacks."""
    ended: bool = False
    """Whether the chart is at the flop here."""


class PreflopPlay:
    """The play before the flop of one game: `lines` follow the betting, `choices` answer it.

    Parameters
    ----------
    game
        The game, with blinds and stacks.
    file
        A chart to use for all stacks; empty for those of the package.

    Examples
    --------
    >>> from pokerlab.games import load_game
    >>> game = load_game("holdem.nolimit.2p")
    >>> play = PreflopPlay(game)
    >>> play.depth, sorted(play.choices(game.first_betting))
    (200.0, ['c', 'f', 'r250', 'r350'])
    >>> facing = game.first_betting.after("r300")  # half way between two raises of the chart
    >>> [(each.line, round(each.chance, 2)) for each in play.lines(facing, 0)]
    [('r2.5', 0.44), ('r3.5', 0.56)]
    """

    def __init__(self, game: GameRules, file: str = "") -> None:
        self.game = game
        self.small = game.streets[0].first
        """The seat of the small blind."""
        self.unit = game.big_blind
        self.depth = (min(game.chips) - game.ante) / self.unit
        chart = (
            read_two_player_chart(file)
            if file
            else shipped_chart(shipped_depth(min(max(self.depth, _PUSH_FOLD), _DEEPEST)))
        )
        self.chart: PreflopChart = chart
        self._push_fold = self.depth < _PUSH_FOLD <= min(chart.stacks)

    def lines(self, node: Betting, seat: int) -> list[ChartLine]:
        """The lines of the chart for the betting before the flop; empty where none is left.

        `seat` is that of the player: where some lines take the action that it took, the others,
        which never do, end.
        """
        lines = [ChartLine("", 1.0, np.ones((2, _CLASSES)))]
        for table, action in node.path():
            if table.street:
                break
            following: dict[tuple[str, float, bool], ChartLine] = {}
            if table.player == seat:
                lines = [each for each in lines if self._labels(each, table, action)] or lines
            for line in lines:
                for each in self._follow(line, table, action):
                    key = each.line, each.pushed, each.ended
                    before = following.get(key)
                    following[key] = each if before is None else _joined(before, each)
            lines = [each for each in following.values() if each.chance > _RARE]
        return lines

    def ranges(self, node: Betting, seat: int) -> tuple[Floats, Floats]:
        """(169,) twice, by seat: how often each class does what was done, as `seat` sees it."""
        total = np.zeros((2, _CLASSES))
        for line in self.lines(node, seat):
            total += line.chance * line.reach
        ordered = total if self.small == 0 else total[::-1]
        return ordered[0], ordered[1]

    def choices(self, node: Betting) -> dict[str, Floats]:
        """The actions of the player at a node and (169,) how often each class takes them.

        Empty where no line of the chart is left.
        """
        player = self._player(node)
        lines = self.lines(node, node.player)
        total = sum((line.chance * line.reach[player] for line in lines), np.zeros(_CLASSES))
        found: dict[str, Floats] = {}
        for line in lines:
            # Hands that never get here play the mean over the lines.
            share = np.where(total > 0, line.chance * line.reach[player], line.chance)
            for label, often in self._answers(line).items():
                action = self._at_table(label, node)
                found[action] = found.get(action, np.zeros(_CLASSES)) + share * often
        whole = sum(found.values(), np.zeros(_CLASSES))
        if not found or not (whole > 0).all():
            return {}
        return {action: often / whole for action, often in found.items() if often.any()}

    def values(self, node: Betting, done: str = "") -> dict[str, Floats]:
        """(169,): what each action wins from a node on, in chips, as the chart has it.

        The actions are those of `choices`, and `done`: a raise that the chart does not have is
        worth the mean of those that stand for it. NaN where the chart has no value.

        Examples
        --------
        >>> from pokerlab.games import load_game
        >>> from pokerlab.cards.hand_classes import CLASS_NAMES
        >>> game = load_game("holdem.nolimit.2p")
        >>> found = PreflopPlay(game).values(game.first_betting, "r300")
        >>> aces = CLASS_NAMES.index("AA")
        >>> {action: bool(worth[aces] > 100) for action, worth in found.items()}
        {'f': False, 'c': True, 'r250': True, 'r350': True, 'r300': True}
        """
        player = self._player(node)
        lines = self.lines(node, node.player)
        total = sum((line.chance * line.reach[player] for line in lines), np.zeros(_CLASSES))
        sums: dict[str, tuple[Floats, Floats]] = {}
        for line in lines:
            share = np.where(total > 0, line.chance * line.reach[player], line.chance)
            worth = self._worth(line)
            parts = [(self._at_table(label, node), each, share) for label, each in worth.items()]
            if done and not self._labels(line, node, done):
                for each in self._follow(line, node, done):
                    known = worth.get(each.line.rsplit("/", 1)[-1], np.full(_CLASSES, np.nan))
                    parts.append((done, known, share * each.chance / line.chance))
            for action, won, part in parts:
                value, weight = sums.get(action, (np.zeros(_CLASSES), np.zeros(_CLASSES)))
                # A line that nobody takes with a class says nothing about it.
                value = value + np.where(part > 0, won * part, 0.0)
                sums[action] = value, weight + part
        with np.errstate(invalid="ignore", divide="ignore"):
            return {action: value / weight for action, (value, weight) in sums.items()}

    def _worth(self, line: ChartLine) -> dict[str, Floats]:
        """What the actions after a line win, in chips from there on; empty: not known."""
        if line.pushed or line.ended or line.line not in self.chart.by_line:
            return {}
        if self._push_fold:
            if line.line not in ("", "a"):
                return {}
            view = _solve(_rounded(self.depth)).at(line.line)
        else:
            view = _solution(self.chart).at(line.line)
        worth = dict(zip(view.actions, view.ev, strict=True))
        # Without a fold it is the big blind after a limp.
        spent = -worth["f"] if "f" in worth else np.full(_CLASSES, 1.0 + self.chart.ante)
        return {label: self.unit * (won + spent) for label, won in worth.items()}

    def betting(self, line: str) -> Betting:
        """What is done at the table where a line of the chart is followed."""
        node = first_betting(self.game)
        for label in line.split("/"):
            node = node.after(self._at_table(label, node))
        return node

    def _player(self, node: Betting) -> int:
        return _SMALL if node.player == self.small else _BIG

    def _answers(self, line: ChartLine) -> dict[str, Floats]:
        """What the chart says at a line: for each action how often each class takes it."""
        if line.pushed:
            call = push_or_fold(line.pushed)[_BIG]
            return {"f": 1.0 - call, "c": call}
        if line.ended:
            return {"c": np.ones(_CLASSES)}
        if self._push_fold and line.line in ("", "a"):
            often = push_or_fold(self.depth)[len(line.line)]
            return {"f": 1.0 - often, "a" if not line.line else "c": often}
        return self._chart_answers(line.line)

    def _chart_answers(self, line: str) -> dict[str, Floats]:
        number = self.chart.by_line.get(line)
        if number is None:
            return {}
        actions = self.chart.decisions[number].actions
        return dict(zip(actions, self.chart.strategy[number], strict=False))

    def _follow(self, line: ChartLine, table: Betting, action: str) -> Iterator[ChartLine]:
        """The lines that stand for an action at the table after a line."""
        player = self._player(table)
        told = self._answers(line)
        if same := self._labels(line, table, action):
            yield from self._split(line, player, {label: told[label] for label in same})
        elif action[0] == "r" and not (line.ended or line.pushed):
            if self._push_fold:
                told = self._chart_answers(line.line)
            yield from self._translated(line, table, int(action[1:]), player, told)
        elif self._push_fold and not (line.ended or line.pushed):
            # A limp, or a call where the game of push or fold has none.
            told = self._chart_answers(line.line)
            label = next((each for each in ("c", "x") if each in told), None)
            if label is not None and action == "c":
                yield self._taken(line, label, player, told[label])

    def _split(self, line: ChartLine, player: int, told: dict[str, Floats]) -> Iterator[ChartLine]:
        """The lines after actions of the chart that are one at the table.

        Each has a part of the chance, as often as the range takes it, so that the other player's
        range is not counted twice.
        """
        if len(told) == 1:
            for label, often in told.items():
                yield self._taken(line, label, player, often)
            return
        weights = {
            label: float((CLASS_SIZES * line.reach[player] * often).sum())
            for label, often in told.items()
        }
        total = sum(weights.values())
        for label, often in told.items():
            part = weights[label] / total if total > 0 else 1 / len(told)
            if part > 0:
                taken = self._taken(line, label, player, often / part)
                yield taken._replace(chance=line.chance * part)

    def _labels(self, line: ChartLine, table: Betting, action: str) -> list[str]:
        """The actions of the chart that are played as an action at the table."""
        told = self._answers(line)
        return [label for label in told if self._at_table(label, table) == action]

    def _taken(self, line: ChartLine, label: str, player: int, often: Floats) -> ChartLine:
        reach = line.reach.copy()
        reach[player] *= often
        text = f"{line.line}/{label}" if line.line else label
        ended = text not in self.chart.by_line
        return line._replace(line=text, reach=reach, pushed=0.0, ended=ended)

    def _translated(
        self, line: ChartLine, table: Betting, total: int, player: int, told: dict[str, Floats]
    ) -> Iterator[ChartLine]:
        """The lines that stand for a raise which the chart does not have."""
        price = _price(line.line)
        labels = {label: _size(label, self.chart) for label in told if label[0] in "ra"}
        shares = [(size - price) / (2 * price) for size in labels.values()]
        passive = next((each for each in ("c", "x") if each in told), None)
        names: list[str] = [*labels]
        # With a short stack, a raise of a third of it commits whoever makes it.
        all_in = total * (3 if self._push_fold else 1) >= min(self.game.chips)
        if not all_in and passive is not None:
            names, shares = [passive, *names], [0.0, *shares]
        pot = table.pot + table.price - table.spent[table.player]
        most = (min(self.game.chips) - table.price) / pot
        if "a" not in labels:
            largest = shares[-1] if shares else 0.0
            names, shares = [*names, "push"], [*shares, max(most, largest + 1e-9)]
        asked = shares[-1] if all_in else (total - table.price) / pot
        for number, chance in pseudo_harmonic(min(asked, shares[-1]), shares).items():
            if names[number] == "push":
                stack = min(self.game.chips) - max(table.spent)
                depth = 1.5 * (stack / table.pot) + 1.0
                reach = line.reach.copy()
                reach[player] *= push_or_fold(depth)[_SMALL]
                taken = line._replace(line=f"{line.line}/push".strip("/"), reach=reach)
                taken = taken._replace(pushed=depth)
            else:
                taken = self._taken(line, names[number], player, told[names[number]])
            yield taken._replace(chance=line.chance * chance)

    def _at_table(self, label: str, node: Betting) -> str:
        """An action of the chart as it is played at the table."""
        if label == "f":
            return "f" if node.to_call > 0 else "c"
        bounds = node.raise_bounds()
        if label in ("c", "x") or bounds is None:
            return "c"
        lowest, highest = bounds
        most = min(max(min(self.game.chips), lowest), highest)
        if label == "a":
            return f"r{int(most)}"
        wanted = round(float(label[1:]) * self.unit) + self.game.ante
        return f"r{int(min(max(wanted, lowest), most))}"


@lru_cache(maxsize=256)
def _solve(stack: float) -> PreflopSolution:
    return solve_push_fold(stack, "dcfr")


@lru_cache(maxsize=16)
def _solution(chart: PreflopChart) -> PreflopSolution:
    return solution_of(chart)


def _rounded(stack: float) -> float:
    steps = 10 if stack < 25 else 2
    return round(min(max(stack, 1.5), 500.0) * steps) / steps


def push_or_fold(stack: float) -> tuple[Floats, Floats]:
    """(169,) twice: how often each class pushes, and calls, with a stack in big blinds.

    Examples
    --------
    >>> push, call = push_or_fold(10)
    >>> bool(push.mean() > call.mean() > 0.2)
    True
    """
    solution = _solve(_rounded(stack))
    return solution.at("").strategy[-1], solution.at("a").strategy[-1]


def _joined(first: ChartLine, second: ChartLine) -> ChartLine:
    """Two ways to one line."""
    chance = first.chance + second.chance
    reach = (first.chance * first.reach + second.chance * second.reach) / chance
    return first._replace(chance=chance, reach=reach)


def _price(line: str) -> float:
    """What the last raise of a line is to, in big blinds."""
    sizes = [float(label[1:]) for label in line.split("/") if label[:1] == "r"]
    return sizes[-1] if sizes else 1.0


def _size(label: str, chart: PreflopChart) -> float:
    return min(chart.stacks) if label == "a" else float(label[1:])


@lru_cache(maxsize=8)
def read_two_player_chart(path: str) -> PreflopChart:
    """Read the chart of a file; `ValueError` where it is not one for two players."""
    chart = read_chart(path)
    if len(chart.players) != 2:
        raise ValueError(f"{path}: a chart of {len(chart.players)} players, this player needs 2")
    return chart


def spread(classes: Floats | Sequence[float]) -> Floats:
    """(1326,): numbers by class as numbers by combo."""
    return np.asarray(classes, np.float64)[CLASS_OF_COMBO]
