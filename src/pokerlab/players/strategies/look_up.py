"""A saved strategy for look-up in play, by cards and betting."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from pokerlab.cards.codes import combo_index, format_cards
from pokerlab.engine.tables.runouts import RunOut, find_solved
from pokerlab.games import (
    Betting,
    BettingGame,
    DealtState,
    SuitIsomorphic,
    load_betting_game,
    merge_suits,
    read_toml,
    split_betting,
)
from pokerlab.games.betting_trees.betting_tree import BettingTree, EdgeKind
from pokerlab.holdem.spots import PostflopSolution, load_postflop
from pokerlab.holdem.spots.answer.solution_file import POSTFLOP_FORMAT
from pokerlab.holdem.spots.play.spot_rules import rules_action
from pokerlab.players.strategies.merged_hands import merged_state
from pokerlab.players.strategies.spot_game import SpotGame
from pokerlab.runtime.arrays import Floats
from pokerlab.runtime.files.tensor_map import file_kind, kind_of
from pokerlab.solvers import Solution, load_solution

if TYPE_CHECKING:
    from pokerlab.players.strategies.limit_file import LimitStrategy

_MAX_BOARDS = 1000


class StrategyLookUp(ABC):
    """A strategy for every seat of a game.

    Attributes
    ----------
    game
        The game that was solved. Its betting nodes name the lines of the solution.
    """

    game: BettingGame

    @abstractmethod
    def actions(self, node: Betting) -> Sequence[str]:
        """The actions of the solution at a node of its game; empty if it has no such line."""

    def labels(self, node: Betting) -> Sequence[str]:
        """The same actions as lines of the solution name them."""
        return self.actions(node)

    def hand_values(self, node: Betting, board: Sequence[int]) -> Floats | None:
        """What each hand of both players is worth at a node of its game; None if nobody knows.

        (2, hands): the payoff of the whole hand to players who follow the solution; NaN for hands
        that are not in their range, or on the board.
        """
        return None

    @abstractmethod
    def probabilities(self, node: Betting, view: DealtState) -> Mapping[str, float] | None:
        """How likely each of `actions` is with the cards of a view, for the player of the node.

        The view may be a later one of the same hand; cards that came after the node do not
        count. None where the solution knows no such cards or line.
        """

    def hand_probabilities(
        self, node: Betting, view: DealtState, hands: Sequence[tuple[int, ...]]
    ) -> Floats:
        """(hands, actions): the same for the player of the view with many hands.

        Zeros where the solution knows no such cards or line, and for hands that hold a public card.
        """
        actions, public = self.actions(node), set(view.board)
        table = np.zeros((len(hands), len(actions)))
        for row, hand in zip(table, hands, strict=True):
            if not public.intersection(hand):
                own = self.probabilities(node, view.holding(hand)) or {}
                row[:] = [own.get(action, 0.0) for action in actions]
        return table


def open_strategy(
    source: str | os.PathLike[str] | Solution | PostflopSolution | LimitStrategy,
) -> StrategyLookUp:
    """Open a solution, or the file of one, for look-up in play.

    Examples
    --------
    >>> from pokerlab.solvers import solve
    >>> strategy = open_strategy(solve("kuhn", "lp"))
    >>> state = strategy.game.replay("r", strategy.game.make_deal(["Js", "Ks"]))
    >>> strategy.probabilities(state.node, state.view(1))
    {'f': 0.0, 'c': 1.0}
    >>> open_strategy(solve("pennies", "lp"))
    Traceback (most recent call last):
    ValueError: a solution of pennies cannot be played at a table: it is not a card game
    """
    if isinstance(source, Solution):
        return GameLookUp(source)
    if isinstance(source, PostflopSolution):
        return SpotLookUp(source)
    if not isinstance(source, str | os.PathLike):
        return LimitLookUp(source)
    path = Path(source)
    if not path.is_file():
        raise ValueError(f"{str(path)!r}: there is no such file; name one of `pokerlab solve -o`")
    kind = file_kind(path)
    if kind == kind_of(POSTFLOP_FORMAT):
        return SpotLookUp(load_postflop(path))
    if kind == "pokerlab limit strategy":
        # It brings training with it, which the others need not wait for.
        from pokerlab.players.strategies.limit_file import LimitStrategy

        return LimitLookUp(LimitStrategy.load(path))
    return GameLookUp(load_solution(path))


class GameLookUp(StrategyLookUp):
    """The solution of a game of cards and chips, or of one up to suits (`merge_suits`)."""

    def __init__(self, solution: Solution) -> None:
        self.solution = solution
        self._merged: SuitIsomorphic | None = None
        name = solution.game
        if solution.rules:
            self.game = read_toml(solution.rules, name, "rules of the solution")
            return
        suffix = merge_suits(load_betting_game("kuhn")).name.removeprefix("kuhn")
        if not name.endswith(suffix):
            raise ValueError(
                f"a solution of {name} cannot be played at a table: it is not a card game"
            )
        self.game = load_betting_game(name.removesuffix(suffix))
        self._merged = merge_suits(self.game)

    def actions(self, node: Betting) -> Sequence[str]:
        """The actions that the game lists: of no-limit sizes, those of its menu."""
        return node.actions()

    def probabilities(self, node: Betting, view: DealtState) -> Mapping[str, float] | None:
        """Look the information set up by its name."""
        return self.solution.strategy.get(self._name(node, view))

    def _name(self, node: Betting, view: DealtState) -> str:
        seat = node.player
        if self._merged is not None:
            return merged_state(self._merged, node, view.holes[seat], view.board).seen_by(seat)
        if view.player == seat and view.node.text == node.text:
            return view.seen_by(seat)
        return self.game.replay(node.text, view.deal).seen_by(seat)


class LimitLookUp(StrategyLookUp):
    """A strategy of a limit game by groups of cards; also a model of a player."""

    def __init__(self, strategy: LimitStrategy) -> None:
        self.strategy = strategy
        self.game = strategy.game.game

    def actions(self, node: Betting) -> Sequence[str]:
        """The actions that the game lists."""
        return node.actions()

    def probabilities(self, node: Betting, view: DealtState) -> Mapping[str, float] | None:
        """The row of the betting and the group of the cards; None where training never came."""
        board = view.board[: self.game.board_cards[node.street]]
        triple = self.strategy.at(node, view.holes[node.player], board)
        if triple is None:
            return None
        legal = self.actions(node)
        found = dict.fromkeys(legal, 0.0)
        for action, chance in zip("fcr", triple, strict=True):
            found[action if action in legal else "c"] += chance
        return found

    def hand_probabilities(
        self, node: Betting, view: DealtState, hands: Sequence[tuple[int, ...]]
    ) -> Floats:
        """The rows of all groups at once."""
        board = view.board[: self.game.board_cards[node.street]]
        rows = np.nan_to_num(self.strategy.at_hands(node, hands, board))
        legal = self.actions(node)
        table = np.zeros((len(hands), len(legal)))
        for column, action in enumerate("fcr"):
            table[:, legal.index(action if action in legal else "c")] += rows[:, column]
        return table


class SpotLookUp(StrategyLookUp):
    """The solution of a spot; its game is the `SpotGame` of the spot."""

    def __init__(self, solution: PostflopSolution) -> None:
        self.solution = solution
        self.game: SpotGame = SpotGame.of(solution.spot)
        self._nodes: dict[str, tuple[int, int] | None] = {"": (0, 0)}
        self._actions: dict[tuple[int, int], Sequence[str]] = {}
        self._boards: dict[tuple[int, ...], RunOut | None] = {}
        self._hands: dict[tuple[tuple[int, ...], int], dict[int, int]] = {}

    def actions(self, node: Betting) -> Sequence[str]:
        """The actions of the solution's betting tree, as the rules name them."""
        place = self._place(node)
        if place is None:
            return ()
        if place not in self._actions:
            level, number = place
            edges = self._tree.streets[level].edges_of(number)
            self._actions[place] = [rules_action(self._tree, level, edge) for edge in edges]
        return self._actions[place]

    def labels(self, node: Betting) -> Sequence[str]:
        """Bets and raises by their chips on the street: ``x``, ``b50``, ``r150``."""
        place = self._place(node)
        return () if place is None else self._tree.streets[place[0]].labels(place[1])

    def probabilities(self, node: Betting, view: DealtState) -> Mapping[str, float] | None:
        """Look up the row of the hand on the board."""
        place, hole = self._place(node), view.holes[node.player]
        if place is None or not hole:
            return None
        level, number = place
        known = len(self.solution.spot.board)
        if view.board[:known] != self.solution.spot.board or len(view.board) < known + level:
            return None
        rows = self.row(level, number, view.board[known : known + level], combo_index(*hole))
        if rows is None:
            return None
        return {
            action: row / sum(rows) for action, row in zip(self.actions(node), rows, strict=True)
        }

    def hand_probabilities(
        self, node: Betting, view: DealtState, hands: Sequence[tuple[int, ...]]
    ) -> Floats:
        """The rows of all hands on the board at once."""
        table = np.zeros((len(hands), len(self.actions(node))))
        place, board = self._place(node), self.solution.spot.board
        if place is None:
            return table
        level, number = place
        cards = view.board[len(board) : len(board) + level]
        if view.board[: len(board)] != board or len(cards) < level:
            return table
        run_out = self._run_out(cards)
        if run_out is not None and level < len(self.solution.strategies):
            player = int(self._tree.streets[level].player[number])
            combos = run_out.combos(self.solution.boards, player)
            rows = self.solution.hand_rows(level, player, run_out.number, number).T.astype(float)
            rows[rows.sum(axis=1) <= 0] = 1.0
            table[combos[combos >= 0]] = rows[combos >= 0]
        else:
            stored = self.solution.at(self._line(level, number, cards)).strategy
            table = np.nan_to_num(stored.T.astype(float))
        totals = table.sum(axis=1, keepdims=True)
        return np.asarray(table / np.where(totals > 0, totals, 1.0))

    def row(
        self, level: int, node: int, cards: tuple[int, ...], combo: int
    ) -> Sequence[float] | None:
        """The probabilities of a hand at a node of the betting tree, given the board.

        None where the player's range has no such hand.
        """
        run_out = self._run_out(cards)
        if run_out is None or level >= len(self.solution.strategies):
            rows = self.solution.at(self._line(level, node, cards)).strategy[:, combo].tolist()
        else:
            rows = self._look_up(level, node, cards, combo, run_out)
        return rows if rows is not None and sum(rows) > 0 else None  # NaN is not above 0

    def hand_values(self, node: Betting, board: Sequence[int]) -> Floats | None:
        """By walks over the board, of which the last ones are kept.

        Examples
        --------
        >>> from pokerlab.cards.codes import parse_cards
        >>> from pokerlab.holdem.spots import Spot, solve_spot
        >>> spot = Spot("KsTs7d4c2h", "77, 65s", "AA", pot=100, stack=100, bet="a", raise_="")
        >>> strategy = SpotLookUp(solve_spot(spot, target="0.01%"))
        >>> values = strategy.hand_values(strategy.game.first_betting, spot.board)
        >>> values[0, combo_index(*parse_cards("7s7h"))].round()  # 150 or 50, as often
        np.float64(100.0)
        """
        place, known = self._place(node), len(self.solution.spot.board)
        if place is None or tuple(board[:known]) != self.solution.spot.board:
            return None
        level, cards = place[0], tuple(board[known:])
        if len(cards) < level or level >= self.solution.streets_kept(cards[:level]):
            return None
        found = self.solution.at(self._line(*place, cards[:level])).ev
        return np.array(found) - np.array(node.spent)[:, None] / self.game.unit

    def line(self, node: Betting, board: Sequence[int]) -> str:
        """The line to a node of the rules on a board, as `PostflopSolution.at` takes it."""
        place = self._place(node)
        assert place is not None
        return self._line(*place, tuple(board[len(self.solution.spot.board) :]))

    @cached_property
    def _tree(self) -> BettingTree:
        return self.solution.spot.tree

    def _look_up(
        self, level: int, number: int, cards: tuple[int, ...], combo: int, run_out: RunOut
    ) -> list[float] | None:
        street = self._tree.streets[level]
        player = int(street.player[number])
        hands = self._places(run_out, cards, player)
        if combo not in hands:
            return None
        stored = self.solution.hand_rows(level, player, run_out.number, number)
        rows: list[float] = stored[:, hands[combo]].astype(float).tolist()
        return rows if sum(rows) > 0 else [1.0] * len(rows)

    def _places(self, run_out: RunOut, cards: tuple[int, ...], player: int) -> dict[int, int]:
        """Where the hands of a player stand in the rows of a board."""
        if (cards, player) not in self._hands:
            combos = run_out.combos(self.solution.boards, player).tolist()
            self._hands[cards, player] = {
                combo: place for place, combo in enumerate(combos) if combo >= 0
            }
        return self._hands[cards, player]

    def _run_out(self, cards: tuple[int, ...]) -> RunOut | None:
        """The board after some cards; None if a card was left out of the solve."""
        if cards not in self._boards:
            if len(self._boards) >= _MAX_BOARDS:
                self._boards.clear()
                self._hands.clear()
            found = find_solved(self.solution.boards, cards)
            self._boards[cards] = found[-1] if len(found) > len(cards) else None
        return self._boards[cards]

    def _place(self, node: Betting) -> tuple[int, int] | None:
        """Level and node of the betting tree for a node of the rules; None if there is none."""
        text = node.text
        if text not in self._nodes:
            self._nodes[text] = self._find(text)
        return self._nodes[text]

    def _find(self, text: str) -> tuple[int, int] | None:
        level = number = 0
        for action in split_betting(text):
            street = self._tree.streets[level]
            for edge in street.edges_of(number):
                if rules_action(self._tree, level, edge) == action:
                    break
            else:
                return None
            kind, target = EdgeKind(street.kind[edge]), int(street.target[edge])
            if kind == EdgeKind.NODE:
                number = target
            elif kind == EdgeKind.NEXT_STREET:
                level += 1
                number = int(self._tree.streets[level].root_first_node[target])
            else:
                return None
        return level, number

    def _line(self, level: int, number: int, cards: tuple[int, ...]) -> str:
        """The line of a node with its cards, as `PostflopSolution.at` takes it."""
        come = list(cards)
        tokens: list[str] = []
        spot = self.solution.spot
        for token in self._tree.line(level, number).split("/"):
            line = "/".join(tokens)
            if spot.find(line).kind == EdgeKind.NEXT_STREET:
                tokens.append(format_cards([come.pop(0)]))
            tokens.append(token)
        tokens = [token for token in tokens if token]
        return "/".join([*tokens, *(format_cards([card]) for card in come)])
