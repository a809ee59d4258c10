"""The solution of a spot: strategies, values, and exploitability."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import InitVar, asdict, dataclass, field, fields, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from pokerlab.cards.codes import COMBO_CARDS, N_COMBOS, Cards, format_cards
from pokerlab.cards.equities.showdowns import COMBO_MASKS
from pokerlab.cards.ranges.blockers import mean_by_combo, unblocked_weights
from pokerlab.engine.locks import NodeLock, lock_texts, parse_locks
from pokerlab.engine.tables.board_values import BoardValues
from pokerlab.engine.tables.boards import Boards
from pokerlab.engine.tables.group_counts import SpotGroupCounts, count_stored_groups
from pokerlab.engine.tables.hand_groups import BoardGroups
from pokerlab.engine.tables.layout import StrategyLayout
from pokerlab.engine.tables.runouts import RunOut, find_run_out, find_solved
from pokerlab.engine.walker import Probabilities, Storage, as_storage
from pokerlab.games.betting_trees.betting_tree import EdgeKind, Place
from pokerlab.games.betting_trees.lines import Line, LineLike, to_line
from pokerlab.games.betting_trees.menus import PLAYERS
from pokerlab.holdem.spots.answer.all_responses import HandResponses
from pokerlab.holdem.spots.answer.kept_values import KeptValues
from pokerlab.holdem.spots.answer.margins import Margin, least_margin
from pokerlab.holdem.spots.answer.node_values import NodeValues
from pokerlab.holdem.spots.answer.node_view import (
    Decision,
    Exploitability,
    NodeView,
    equity_against,
)
from pokerlab.holdem.spots.answer.resolve import solve_again, spot_below
from pokerlab.holdem.spots.answer.solution_file import (
    read_solution,
    value_names,
    write_solution,
)
from pokerlab.holdem.spots.prepared import PreparedSpot, deal_spot
from pokerlab.holdem.spots.question.gadget import Gadget
from pokerlab.holdem.spots.question.spot import Spot
from pokerlab.holdem.spots.solver import Certified, PostflopSolver, exploitability_of
from pokerlab.runtime.arrays import AnyArray, Floats, Halves, Singles
from pokerlab.runtime.forks import renew_after_fork
from pokerlab.runtime.shown import Shown, function_named
from pokerlab.solvers.history import History, Point, history_tensors

SUM_TOLERANCE = 2.0**-10
"""How far probabilities may be from a sum of 1: halves are exact to 2⁻¹¹ of themselves."""

UNDER_WAY = "under way"
"""Why a solve stopped that has not: its state was saved to be looked at."""

_MAX_BELOW = 200
"""Turns or rivers that are kept of those that were solved again."""

_HARDLY = 1e-6
"""The weight of a hand that does not arrive, beside the most likely one that does."""


@dataclass(frozen=True, eq=False)
class PostflopSolution(Shown):
    """A solved spot.

    Attributes
    ----------
    spot, isomorphism
        What was solved, and whether suits were merged.
    values
        What each player takes from the pot on average, in chips.
    best_values
        What each would take with a best response against the other's strategy: the upper
        bounds of the certificate.
    equities
        Of the two ranges at the beginning.
    rule, iterations, seconds, stopped
        How it was solved; `UNDER_WAY` for the state of a solve that has not ended.
    strategies
        For each street a pair of arrays, probabilities in half precision; large ones stay in
        their file (`pokerlab.runtime.files.stored_tensor`). Without those of the last streets it is
        a partial solution: what is left out is solved again when it is asked for.
    locks
        Decisions that were fixed, as they were given; a best response keeps to them.
    groups
        Hands that play one strategy together; None where each plays its own.
    best_by_group
        As `best_values`, for responses that play one strategy for each group: the bounds of a
        certificate inside the abstraction.
    values_below
        In a partial solution, for each player the values where the first street begins that is
        left out; in one that was just solved those where the second street begins, so that the
        first one can be kept alone.
    first_values
        For each player the values on the first street: with them, EVs there need no walk over the
        tree. Empty where nobody kept them.
    history
        Measurements on the way.
    gadget
        What a player could do before the spot began (see `Gadget`); None without one. The values
        and the exploitability are those of the spot itself, for the range of the player.
    margin
        With a gadget, the least by which a hand of that player was worth more than a best response
        now takes; below 0, some hand gains.
    kept_values
        What each hand is worth where the second street begins, if it was to be kept.
    boards, layout
        The boards and hands that the strategies belong to, and where the strategy of a node begins
        on a board. `known` are both where they have been made before.
    """

    _picture = "pokerlab.views.pictures.spot_picture:solution_html"

    spot: Spot
    isomorphism: bool
    values: tuple[float, float]
    best_values: tuple[float, float]
    equities: tuple[float, float]
    rule: str
    iterations: int
    seconds: float
    stopped: str
    strategies: Probabilities
    locks: dict[str, dict[str, str]] = field(default_factory=dict)
    groups: BoardGroups | None = field(default=None, repr=False)
    best_by_group: tuple[float, float] | None = None
    values_below: tuple[Singles, ...] = field(default=(), repr=False)
    first_values: tuple[BoardValues, ...] = field(default=(), repr=False)
    history: History = field(default=History(), repr=False)
    gadget: Gadget | None = field(default=None, repr=False)
    margin: Margin | None = None
    kept_values: KeptValues | None = field(default=None, repr=False)
    known: InitVar[tuple[Boards, StrategyLayout] | None] = None
    boards: Boards = field(init=False, repr=False)
    layout: StrategyLayout = field(init=False, repr=False)
    _node_values: NodeValues = field(init=False, repr=False)

    def __post_init__(self, known: tuple[Boards, StrategyLayout] | None) -> None:
        if known is None:
            boards = deal_spot(self.spot, isomorphism=self.isomorphism, gadget=self.gadget)
            known = boards, StrategyLayout.of(self.spot.tree, boards, self.groups)
        boards, layout = known
        _check_shapes(self.strategies, layout)
        values = NodeValues(
            self.spot,
            boards,
            layout,
            self.strategies,
            self.values_below if self.partial else (),
            self.first_values,
            self.groups,
        )
        made = {"boards": boards, "layout": layout, "_node_values": values}
        for name, value in made.items():
            object.__setattr__(self, name, value)
        renew_after_fork(self)

    def __reduce__(self) -> tuple[Any, ...]:
        """How another process gets it: boards and layout are made anew there."""
        return _from_fields, (
            {each.name: getattr(self, each.name) for each in fields(self) if each.init},
        )

    def renew(self) -> None:
        """Begin as if nobody solved a street again."""
        self.__dict__.pop("_below_lock", None)

    def __repr__(self) -> str:
        return (
            f"<PostflopSolution {format_cards(self.spot.board)} {self.rule}, "
            f"{self.iterations:,} iterations, "
            f"exploitability {self.exploitability.percent:.2g}% of the pot>"
        )

    @cached_property
    def node_locks(self) -> list[NodeLock]:
        """The locks, each with its decision in the tree; later ones go before earlier ones."""
        return parse_locks(self.spot, self.locks)

    @property
    def storage(self) -> Storage:
        """The strategies as walks over all boards take them; what is in a file is read."""
        return as_storage(self.layout, self.strategies)

    @property
    def partial(self) -> bool:
        """Whether strategies of the last streets are left out."""
        return len(self.strategies) < len(self.spot.tree.streets)

    @property
    def exploitability(self) -> Exploitability:
        """How far from equilibrium."""
        return Exploitability(
            exploitability_of(self.values, self.best_values), self.spot.pot, self.spot.big_blind
        )

    @property
    def certified(self) -> bool:
        """Whether the values were computed in float64; not those of a solve that is under way."""
        return self.stopped != UNDER_WAY

    @property
    def gains(self) -> tuple[float, float]:
        """What each player gains by a best response, in chips; exploitability is their mean."""
        first, second = (
            best - value for best, value in zip(self.best_values, self.values, strict=True)
        )
        return first, second

    @property
    def prize_shares(self) -> tuple[float, float] | None:
        """What each player has of the prize pool on average; None without payouts."""
        prizes = self.spot.prizes
        if prizes is None:
            return None
        return prizes.share(0, self.values[0]), prizes.share(1, self.values[1])

    @property
    def exploitability_abstract(self) -> Exploitability | None:
        """How far from equilibrium for players who must play one strategy for each group.

        See `PostflopSolver.exploitability_abstract`; None without groups.
        """
        if self.best_by_group is None:
            return None
        return Exploitability(
            exploitability_of(self.values, self.best_by_group), self.spot.pot, self.spot.big_blind
        )

    @property
    def group_counts(self) -> SpotGroupCounts | None:
        """How many groups there are on each board, for how many hands; None without groups."""
        if self.groups is None:
            return None
        return count_stored_groups(self.groups, self.boards, self.spot.street)

    def streets_kept(self, cards: Sequence[int]) -> int:
        """How many streets have strategies on the way of some cards that come.

        A partial solution leaves out the last streets, one on a subset of run-outs the turns and
        rivers that it was not solved on. What is left out is solved again when it is asked for.

        Examples
        --------
        >>> from pokerlab.holdem.spots import solve_spot
        >>> spot = Spot("QsJh2h", "AA", "KK", 100, 80, bet="a", raise_="", runouts="1x1")
        >>> solution = solve_spot(spot, iterations=1)
        >>> [solution.streets_kept([card]) for card in (0, int(solution.boards.cards[1][0, 3]))]
        [1, 2]
        """
        return min(len(find_solved(self.boards, cards)), len(self.strategies))

    def decision(self, line: LineLike = "") -> Decision:
        """The decision at a line, without values: no walk, so it takes a millisecond.

        Of a street that the solution leaves out it is a `NodeView`: both take a solve.
        A line that leaves out a card is an error that says so.

        Examples
        --------
        >>> from pokerlab.holdem.spots import solve_spot
        >>> spot = Spot("KsTs7d4c2h", "77, 65s", "AA", pot=100, stack=100, bet="a", raise_="")
        >>> decision = solve_spot(spot, target="0.01%").decision("a")
        >>> decision.actions, decision.frequencies.round(1)
        (('f', 'c'), array([0.5, 0.5]))
        """
        place = self._find_decision(line)
        run_outs = find_solved(self.boards, place.cards)
        if place.level >= self.streets_kept(place.cards):
            return self._solve_below(to_line(line), run_outs, place)
        return Decision(**self._play(line, place, run_outs))

    def at(self, line: LineLike = "") -> NodeView:
        """The decision at a line, with values; see `decision`."""
        place = self._find_decision(line)
        run_outs = find_solved(self.boards, place.cards)
        if place.level >= self.streets_kept(place.cards):
            return self._solve_below(to_line(line), run_outs, place)
        played = self._play(line, place, run_outs)
        ev, action_ev = self._ev(run_outs, place.level, place.node, played["weights"])
        return NodeView(**played, ev=ev, action_ev=action_ev)

    def picture_of_deal(self, deal: str, line: str = "", *, least: float = 0.02) -> Any:
        """The lines that are played with given hands on a given run-out, as a tree.

        A `pokerlab.players.strategies.DealTree`: see `make_deal_tree`.

        Examples
        --------
        >>> from pokerlab.holdem.spots import solve_spot
        >>> spot = Spot("KsTs7d4c2h", "77, 65s", "AA", pot=100, stack=100, bet="a", raise_="")
        >>> tree = solve_spot(spot, target="0.01%").picture_of_deal("6s5s AdAc")
        >>> [(node.line, round(node.probability, 1)) for node in tree.nodes]
        [('', 1.0), ('x', 0.6), ('x/x', 1.0), ('a', 0.4), ('a/f', 0.5), ('a/c', 0.5)]
        """
        make = function_named("pokerlab.players.strategies.deal_tree:make_deal_tree")
        return make(self, deal, line, least=least)

    def below(self, line: LineLike, card: Cards = ()) -> Any:
        """The street that begins after a line and a card as a spot, and what hands are worth there.

        A `pokerlab.holdem.spots.answer.below.SpotBelow`; the card may stand in the line.

        Examples
        --------
        >>> from pokerlab.holdem.spots import solve_spot
        >>> spot = Spot("QhJh2c4d", "AA, KQs", "QQ, AJs", pot=100, stack=80, bet="30%, a")
        >>> below = solve_spot(spot, target="1%").below("x/b30/c", "7h")
        >>> below.spot.pot, below.spot.stack, len(below.worth(1))
        (160, 50, 1326)
        """
        return function_named("pokerlab.holdem.spots.answer.below:find_below")(self, line, card)

    def all_hands(self, player: int) -> HandResponses:
        """The best responses of a player with every hand that the board allows."""
        if self.partial:
            raise ValueError(
                "a solution without its last streets does not say what hands are worth; solve with"
                " --keep-values, or keep all streets"
            )
        if self.groups is not None:
            raise ValueError("values of all hands: a solution with groups does not have them")
        with self._below_lock:
            if player not in self._responses:
                self._responses[player] = HandResponses(
                    self.spot,
                    self.isomorphism,
                    self.gadget,
                    self.strategies,
                    player,
                    self.boards,
                )
            return self._responses[player]

    @cached_property
    def _responses(self) -> dict[int, HandResponses]:
        return {}

    def board_values(self, numbers: Sequence[int], player: int) -> BoardValues:
        """A player's values under the strategies: the numbers of the boards on the way."""
        return self._node_values.at(numbers, player)

    def _find_decision(self, line: LineLike) -> Place:
        place = self.spot.find(line)
        text = str(to_line(line))
        if place.kind != EdgeKind.NODE:
            what = "a card must come" if place.kind == EdgeKind.NEXT_STREET else "the hand is over"
            raise ValueError(f"line {text!r}: nobody decides here, {what}")
        if -1 in place.cards:
            raise ValueError(f"line {text!r}: name the cards that come, as in x/x/Qc/b50")
        return place

    def _play(self, line: LineLike, place: Place, run_outs: list[RunOut]) -> dict[str, Any]:
        """The fields of a `Decision`."""
        street = self.spot.tree.streets[place.level]
        return {
            "line": str(to_line(line)),
            "board": run_outs[-1].cards,
            "player": int(street.player[place.node]),
            "pot": self.spot.tree.chips(int(street.pot[place.node])),
            "actions": tuple(street.labels(place.node)),
            "weights": self.arriving(run_outs, place.level, place.node),
            "strategy": self._node_strategy(run_outs[-1], place.node),
        }

    def _solve_below(self, line: Line, run_outs: list[RunOut], place: Place) -> NodeView:
        """A street that the solution leaves out, solved again as a spot of its own."""
        level, node = self.streets_kept(place.cards), place.node
        streets = self.spot.tree.streets
        for lower in range(place.level, level, -1):
            edge = int(streets[lower].root_parent_edge[streets[lower].root[node]])
            node = int(streets[lower - 1].node[edge])
        street, above = streets[level], streets[level - 1]
        root = int(street.root[node])
        edge = int(street.root_parent_edge[root])
        weights = self.arriving(run_outs[:level], level - 1, int(above.node[edge]), edge)
        board = (*self.spot.board, *place.cards[:level])
        key = (board, root)
        with self._below_lock:
            if key not in self._below:
                spot = spot_below(self.spot, board, root, self._all_hands(weights, board))
                percent = max(self.exploitability.percent / 2, 0.01)
                solver, run = solve_again(spot, percent / 100 * spot.pot)
                seconds = run.seconds + run.measuring
                solved = make_solution(solver, seconds, run.stopped, run.history)
                self._below[key] = solved
                if len(self._below) > _MAX_BELOW:
                    self._below.pop(next(iter(self._below)))
            solved = self._below[key]
        begins = line.tokens.index(board[-1]) + 1
        found = solved.at(Line(line.tokens[begins:]))
        # It was solved with ranges whose largest weight is 1, and with hands that do not arrive.
        first_weights, second_weights = (
            np.where(before > 0, each * float(before.max()), 0.0)
            for each, before in zip(found.weights, weights, strict=True)
        )
        return replace(found, line=str(line), weights=(first_weights, second_weights))

    def _all_hands(
        self, weights: tuple[Floats, Floats], board: tuple[int, ...]
    ) -> tuple[Floats, Floats]:
        """Weights at a street with next to nothing for each hand of the ranges that is not there.

        So it has a strategy and an EV too, as in a solution that leaves nothing out.
        """
        blocked = COMBO_MASKS & np.uint64(sum(1 << card for card in board)) != 0
        first, second = (
            np.maximum(each, np.where(blocked | (chosen.weights <= 0), 0.0, _HARDLY * most))
            for each, chosen in zip(weights, self.spot.ranges, strict=True)
            for most in [float(each.max()) or 1.0]
        )
        return first, second

    @cached_property
    def _below(self) -> dict[tuple[tuple[int, ...], int], PostflopSolution]:
        """The last turns or rivers that have been solved again, by board and root."""
        return {}

    @cached_property
    def _below_lock(self) -> threading.Lock:
        return threading.Lock()

    def _node_strategy(self, run_out: RunOut, node: int) -> Floats:
        street = self.spot.tree.streets[run_out.level]
        player = int(street.player[node])
        combos = run_out.combos(self.boards, player)
        rows = self.hand_rows(run_out.level, player, run_out.number, node).astype(np.float64)
        total = rows.sum(axis=0)
        known = combos >= 0
        good = (abs(total - 1) <= SUM_TOLERANCE) & (rows >= 0).all(axis=0)  # neither is true of NaN
        if not good[known].all():
            wrong = int(np.flatnonzero(known & ~good)[0])
            hand = format_cards(COMBO_CARDS[combos[wrong]].tolist())
            raise ValueError(
                f"the strategy of {hand} at {self.spot.tree.line(run_out.level, node)!r} is not "
                f"a distribution: its numbers sum to {total[wrong]:.4g}; the file may be damaged"
            )
        rows = np.where(total > 0, rows / np.where(total > 0, total, 1), 1 / len(rows))
        strategy = np.full((len(rows), N_COMBOS), np.nan)
        strategy[:, combos[known]] = rows[:, known]
        return strategy

    def hand_rows(self, level: int, player: int, board: int, node: int) -> Halves:
        """The stored strategy of a node on a board: (actions, hands), in the order of the board."""
        layout = self.layout.at(level, player)
        return layout.by_hand(layout.node(self.strategies[level][player], board, node), board)

    def weights_after(self, place: Place) -> tuple[Floats, Floats]:
        """How likely each combo of both players is after the last action of a place (1326)."""
        run_outs = find_run_out(self.boards, place.cards)
        return self.arriving(run_outs, place.level, place.node, place.edge)

    def arriving(
        self, run_outs: Sequence[RunOut], level: int, node: int, last: int = -1
    ) -> tuple[Floats, Floats]:
        """How likely each combo of both players is at a node (1326), on a run-out.

        The line is followed backwards, and the strategies on it are multiplied.

        With `last`, an edge of the node, its action has been taken too.
        """
        weights = [chosen.weights.copy() for chosen in self.spot.ranges]
        blocked = COMBO_MASKS & np.uint64(sum(1 << card for card in run_outs[-1].cards)) != 0
        edge = last
        while True:
            street = self.spot.tree.streets[level]
            if edge < 0:
                edge = int(street.parent_edge[node])
            if edge < 0:
                if level == 0:
                    break
                edge = int(street.root_parent_edge[street.root[node]])
                level -= 1
                street = self.spot.tree.streets[level]
            node = int(street.node[edge])
            strategy = self._node_strategy(run_outs[level], node)
            played = strategy[edge - int(street.first_edge[node])]
            weights[int(street.player[node])] *= np.nan_to_num(played)
            edge = -1
        for each in weights:
            each[blocked] = 0.0
        return weights[0], weights[1]

    def _ev(
        self, run_outs: list[RunOut], level: int, node: int, weights: tuple[Floats, Floats]
    ) -> tuple[tuple[Floats, Floats], Floats]:
        """The EVs of both players at a node, and those of each action of the player to act."""
        player = int(self.spot.tree.streets[level].player[node])
        layout = self.layout.at(level, player)
        slots = slice(int(layout.slot[node]), int(layout.slot[node] + layout.actions[node]))
        numbers = [run_out.number for run_out in run_outs[1:]]
        found = []
        for hero in range(2):
            values = self._node_values.at(numbers, hero)
            rows = values.nodes[node : node + 1]
            if hero == player:
                rows = np.concatenate([rows, values.actions[slots]])
            found.append(self._by_combo(rows, run_outs[-1], node, hero, weights[1 - hero]))
        return (found[0][0], found[1][0]), found[player][1:]

    def _by_combo(
        self, rows: Floats, run_out: RunOut, node: int, hero: int, opposing: Floats
    ) -> Floats:
        """Values at a node (rows, hands) as chips for each combo: (rows, 1326)."""
        combos = run_out.combos(self.boards, hero)
        won = mean_by_combo(rows, combos, unblocked_weights(opposing))
        tree = self.spot.tree
        committed = tree.chips(int(tree.streets[run_out.level].committed[node][hero]))
        return won + self.spot.given_up(hero, committed)

    def without_river(self) -> PostflopSolution:
        """A partial solution: a file of it is a hundredth of the size.

        Flop and turn are as before; a river is solved again when it is asked for.
        """
        return self.first_streets(max(len(self.spot.tree.streets) - 1, 1))

    def first_streets(self, count: int) -> PostflopSolution:
        """The strategies of the first `count` streets; what lies below them as values alone.

        Those streets are as before; what comes later is solved again when it is asked for. Of a
        flop on a subset of run-outs only the flop is kept, unless all is.

        Examples
        --------
        >>> from pokerlab.holdem.spots import solve_spot
        >>> spot = Spot("QhJh2c4d", "AA, KQs", "QQ, AJs", pot=100, stack=80, bet="a")
        >>> turn = solve_spot(spot, target="1%").first_streets(1)
        >>> turn.partial, turn.at("x").actions
        (True, ('x', 'a'))
        """
        if count < 1:
            raise ValueError(f"{count} is not a number of streets to keep (1, 2, 3)")
        count = streets_to_keep(self.spot, count)
        if count >= len(self.strategies):
            return self
        if self.partial:
            raise ValueError("a partial solution holds too little to leave out more of it")
        walker, storage = self._node_values.walker, self.storage
        first, second = (walker.values_below(storage, hero, count - 1) for hero in range(2))
        return replace(
            self,
            strategies=self.strategies[:count],
            values_below=(first, second),
            known=(self.boards, self.layout),
        )

    def save(self, path: str | Path) -> None:
        """Write one safetensors file that `load_postflop` reads."""
        tensors: dict[str, AnyArray] = {
            f"strategy.{level}.{player}": np.asarray(array)
            for level, pair in enumerate(self.strategies)
            for player, array in enumerate(pair)
        }
        for player, first in enumerate(self.first_values):
            tensors[f"first_nodes.{player}"] = first.nodes.astype(np.float32)
            tensors[f"first_actions.{player}"] = first.actions.astype(np.float32)
        names = value_names(self.spot, len(self.strategies))
        if self.partial:
            tensors |= zip(names, self.values_below, strict=True)
        if self.groups is not None:
            for level, pair in enumerate(self.groups.streets):
                for player, columns in enumerate(pair):
                    tensors[f"groups.{level}.{player}"] = columns.column.astype(np.uint16)
        tensors |= history_tensors(self.history)
        gadget: dict[str, Any] = {}
        if self.gadget is not None and self.margin is not None:
            gadget = {"gadget": self.gadget.fields(), "margin": asdict(self.margin)}
        if self.kept_values is not None:
            tensors |= {name: np.asarray(each) for name, each in self.kept_values.tensors.items()}
        entries = {
            "spot": self.spot.to_toml(),
            "streets": len(self.strategies),
            "isomorphism": self.isomorphism,
            "values": self.values,
            "best_values": self.best_values,
            "equities": self.equities,
            "exploitability": self.exploitability.chips,
            "rule": self.rule,
            "iterations": self.iterations,
            "seconds": self.seconds,
            "stopped": self.stopped,
            "locks": self.locks,
            "groups": None if self.groups is None else self.groups.text,
            "best_by_group": self.best_by_group,
            **gadget,
        }
        write_solution(path, tensors, entries)


def _from_fields(found: dict[str, Any]) -> PostflopSolution:
    return PostflopSolution(**found)


def load_postflop(path: str | Path, *, check: bool = False) -> PostflopSolution:
    """Read a solution; `DamagedFileError` if the file is not as it was written.

    With `check` all of it is read and compared with its hash; see `solution_file`.
    """
    return PostflopSolution(**read_solution(path, check=check))


def make_solution(
    solver: PostflopSolver,
    seconds: float,
    stopped: str,
    history: tuple[Point, ...] = (),
    report: Callable[[float], None] | None = None,
    streets: int | None = None,
    *,
    exact: bool = True,
) -> PostflopSolution:
    """The solution of a solver, certified in float64 on the strategies that are saved.

    `report` is called with the part of the certificate that is done. With `streets`, only the
    first streets are kept, as by `PostflopSolution.first_streets`. Where not `exact`, the
    certificate has the precision of the solve.
    """
    shares = solver.shares()
    averages = as_storage(solver.layout, shares) if exact else solver.averages()
    certified = solver.certify(averages, report, exact=exact)
    kept = len(shares) if streets is None else streets_to_keep(solver.spot, streets)
    below: tuple[Singles, ...] = ()
    if kept < len(shares):
        below = certified.below if kept == 1 else solver.values_below(averages, kept)
    found = certified_solution(
        solver.prepared,
        solver.read_shares(shares[:kept]),
        certified,
        rule=str(solver.rule),
        iterations=solver.iteration,
        seconds=seconds,
        stopped=stopped,
        values_below=below,
        history=history,
        margin=_margin(solver, certified, shares),
    )
    return _with_first_values(found, certified.below) if kept > 1 else found


def solution_under_way(
    solver: PostflopSolver, seconds: float, history: tuple[Point, ...] = ()
) -> PostflopSolution:
    """The solution that a solver has now, measured in the precision of the solve, not certified.

    It keeps no values of streets: they are computed from the strategies when they are asked for.
    """
    shares = solver.shares()
    certified = solver.certify(exact=False)
    return certified_solution(
        solver.prepared,
        solver.read_shares(shares),
        certified,
        rule=str(solver.rule),
        iterations=solver.iteration,
        seconds=seconds,
        stopped=UNDER_WAY,
        history=history,
        margin=_margin(solver, certified, shares),
    )


def _with_first_values(solution: PostflopSolution, below: tuple[Singles, ...]) -> PostflopSolution:
    """Keep the values of the first street, given those where the second begins."""
    walker, storage = solution._node_values.walker, solution.storage
    first, second = (walker.board_values(storage, hero, (), below[hero]) for hero in range(2))
    known = solution.boards, solution.layout
    kept = solution.values_below if solution.partial else below
    return replace(solution, first_values=(first, second), values_below=kept, known=known)


def streets_to_keep(spot: Spot, streets: int) -> int:
    """How many streets a partial solution has where some are asked for."""
    whole = len(spot.tree.streets)
    return 1 if spot.runouts is not None and streets < whole else min(streets, whole)


def certified_solution(
    prepared: PreparedSpot,
    strategies: Probabilities,
    certified: Certified,
    *,
    rule: str,
    iterations: int,
    seconds: float,
    stopped: str,
    history: tuple[Point, ...],
    values_below: tuple[Singles, ...] = (),
    margin: Margin | None = None,
) -> PostflopSolution:
    """A solution, given strategies and their values.

    Where those of the last streets are left out, `values_below` are needed.
    """
    return PostflopSolution(
        spot=prepared.spot,
        isomorphism=prepared.isomorphism,
        values=certified.values,
        best_values=certified.best_values,
        best_by_group=certified.best_by_group,
        groups=prepared.groups,
        equities=_range_equities(prepared.spot),
        rule=rule,
        iterations=iterations,
        seconds=seconds,
        stopped=stopped,
        strategies=strategies,
        values_below=values_below,
        locks=lock_texts(prepared.spot.locks),
        history=History(history),
        gadget=prepared.gadget,
        margin=margin,
        known=(prepared.boards, prepared.layout),
    )


def _margin(
    solver: PostflopSolver, certified: Certified, shares: Sequence[tuple[Any, Any]]
) -> Margin | None:
    """The least margin of a solve with a gadget; hands outside of the range count, too."""
    gadget = solver.prepared.gadget
    if gadget is None:
        return None
    best = certified.best_by_hand[gadget.player]
    if not gadget.everyone:
        strategies = solver.read_shares(shares)
        hands = HandResponses(
            solver.spot,
            solver.isomorphism,
            gadget,
            strategies,
            gadget.player,
            solver.boards,
        )
        best = hands.at_root()
    return least_margin(gadget, best, solver.spot)


def _check_shapes(strategies: Probabilities, layout: StrategyLayout) -> None:
    """`ValueError` for strategies of another spot: kernels trust the layout."""
    streets = len(layout.streets)
    if not 1 <= len(strategies) <= streets:
        raise ValueError(
            f"the strategies do not fit the spot: {len(strategies)} of {streets} streets"
        )
    for level, pair in enumerate(strategies):
        for player, array in enumerate(pair):
            size = layout.at(level, player).size
            if array.shape != (size,):
                raise ValueError(
                    f"the strategies do not fit the spot: those of {PLAYERS[player]} on street "
                    f"{level + 1} have the shape {array.shape}, the spot needs ({size},)"
                )


def _range_equities(spot: Spot) -> tuple[float, float]:
    first, second = (chosen.weights for chosen in spot.ranges)
    equity = equity_against(spot.board, second)
    arriving = first * unblocked_weights(second)
    known = arriving > 0
    mean = float(equity[known] @ arriving[known] / arriving[known].sum())
    return mean, 1 - mean
