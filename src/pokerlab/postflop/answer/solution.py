"""What a solve leaves behind: the strategies of a spot, what they are worth, and how exact.

The file is one safetensors file: the strategies in half precision, board by board as the engine
keeps them (`boards` says which board and hand an entry belongs to), and in its header the spot as
TOML, the rule, the values, the exploitability and a hash. Reading it maps the strategies into
memory: a file of any size opens at once.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

import pokerlab
from pokerlab.cards.codes import N_COMBOS
from pokerlab.cards.equities.showdowns import COMBO_MASKS
from pokerlab.files.hashes import content_hash
from pokerlab.files.tensor_files import write_hashed
from pokerlab.files.tensor_map import map_tensors
from pokerlab.postflop.answer.node_view import Exploitability, NodeView, equities_of, met_weights
from pokerlab.postflop.answer.resolve import river_spot
from pokerlab.postflop.cpu.solve_kernels import MEAN, StreetStorage
from pokerlab.postflop.cpu.walker import Walker
from pokerlab.postflop.engine import exploitability_of
from pokerlab.postflop.question.lines import LineLike, to_line
from pokerlab.postflop.question.spot import Spot
from pokerlab.postflop.tables.boards import Boards
from pokerlab.postflop.tables.runouts import RunOut, find_run_out
from pokerlab.postflop.tree.betting_tree import EdgeKind
from pokerlab.solvers.loop import Point
from pokerlab.solvers.rules import Dcfr

__all__ = ["POSTFLOP_FORMAT", "PostflopSolution", "as_storage", "load_postflop"]

Floats: TypeAlias = npt.NDArray[np.float64]

POSTFLOP_FORMAT = "pokerlab postflop solution 1"


@dataclass(frozen=True, eq=False)
class PostflopSolution:
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
        How it was solved.
    strategies
        For each street a pair of arrays, probabilities in half precision. Without those of the
        river it is a partial solution, and rivers are solved again when they are asked for.
    locks
        Decisions that were fixed, as they were given; a best response keeps to them.
    links
        In a partial solution, for each player the values at the roots of the river.
    history
        Measurements on the way; not saved.
    """

    spot: Spot
    isomorphism: bool
    values: tuple[float, float]
    best_values: tuple[float, float]
    equities: tuple[float, float]
    rule: str
    iterations: int
    seconds: float
    stopped: str
    strategies: tuple[tuple[npt.NDArray[np.float16], npt.NDArray[np.float16]], ...]
    locks: dict[str, dict[str, str]] = field(default_factory=dict)
    links: tuple[npt.NDArray[np.float32], ...] = field(default=(), repr=False)
    history: tuple[Point, ...] = field(default=(), repr=False)

    @property
    def partial(self) -> bool:
        """Whether the river's strategies are left out."""
        return len(self.strategies) < len(self.spot.tree.streets)

    @property
    def exploitability(self) -> Exploitability:
        """How far from equilibrium."""
        return Exploitability(
            exploitability_of(self.values, self.best_values), self.spot.pot, self.spot.big_blind
        )

    @cached_property
    def boards(self) -> Boards:
        """The boards and hands that the strategies belong to."""
        weights = (self.spot.oop.weights, self.spot.ip.weights)
        return Boards.of(self.spot.board, weights, isomorphism=self.isomorphism)

    def at(self, line: LineLike = "") -> NodeView:
        """What happens at a line; a line that leaves out a card is an error that says so."""
        place = self.spot.find(line)
        text = str(to_line(line))
        if place.kind != EdgeKind.NODE:
            what = "a card must come" if place.kind == EdgeKind.NEXT_STREET else "the hand is over"
            raise ValueError(f"line {text!r}: nobody decides here, {what}")
        if -1 in place.cards:
            raise ValueError(f"line {text!r}: name the cards that come, as in x/x/Qc/b50")
        run_outs = find_run_out(self.boards, place.cards)
        street = self.spot.tree.streets[place.level]
        if place.level >= len(self.strategies):
            return self._solve_river(text, run_outs, place.node)
        weights = self._weights(run_outs, place.level, place.node)
        here = run_outs[-1]
        player = int(street.player[place.node])
        return NodeView(
            line=text,
            board=here.cards,
            player=player,
            pot=self.spot.tree.chips(int(street.pot[place.node])),
            actions=tuple(street.labels(place.node)),
            weights=weights,
            strategy=self._node_strategy(here, place.node),
            ev=self._ev(run_outs, place.level, place.node, weights),
            equity=equities_of(here.cards, weights),
        )

    def _solve_river(self, line: str, run_outs: list[RunOut], node: int) -> NodeView:
        """The river of a partial solution, solved again as a spot of its own."""
        level = len(self.strategies)
        street = self.spot.tree.streets[level]
        root = int(street.root[node])
        edge = int(street.root_parent_edge[root])
        above = self.spot.tree.streets[level - 1]
        weights = self._weights(run_outs[:-1], level - 1, int(above.node[edge]), edge)
        key = (run_outs[-1].cards, root)
        if key not in self._rivers:
            from pokerlab.postflop.solving import solve_spot  # which imports this module

            river = river_spot(self.spot, run_outs[-1].cards, root, weights)
            target = max(self.exploitability.percent / 2, 0.01)
            self._rivers[key] = solve_spot(river, target=f"{target}%")
        solved = self._rivers[key]
        first = int(street.root_first_node[root])
        below = solved.spot.tree.line(0, node - first)
        found = solved.at(below)
        # The river was solved with ranges whose largest weight is 1.
        first_weights, second_weights = (
            each * max(float(before.max()), 0.0)
            for each, before in zip(found.weights, weights, strict=True)
        )
        return replace(found, line=line, weights=(first_weights, second_weights))

    @cached_property
    def _rivers(self) -> dict[tuple[tuple[int, ...], int], PostflopSolution]:
        """Rivers that have been solved again, by board and root."""
        return {}

    def _node_strategy(self, run_out: RunOut, node: int) -> Floats:
        street = self.spot.tree.streets[run_out.level]
        player = int(street.player[node])
        combos = run_out.combos(self.boards, player)
        edges = street.edges_of(node)
        slots = np.cumsum(np.diff(street.first_edge) * (street.player == player))
        slot = int(slots[node]) - len(edges)
        first = int(self.storage[run_out.level].first[player][run_out.number])
        start = first + slot * len(combos)
        kept = self.strategies[run_out.level][player][start : start + len(edges) * len(combos)]
        rows = kept.astype(np.float64).reshape(len(edges), len(combos))
        total = rows.sum(axis=0)
        rows = np.where(total > 0, rows / np.where(total > 0, total, 1), 1 / len(edges))
        strategy = np.full((len(edges), N_COMBOS), np.nan)
        strategy[:, combos[combos >= 0]] = rows[:, combos >= 0]
        return strategy

    def _weights(
        self, run_outs: list[RunOut], level: int, node: int, last: int = -1
    ) -> tuple[Floats, Floats]:
        """Follow the line backwards and multiply the strategies on it.

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
    ) -> tuple[Floats, Floats]:
        numbers = [run_out.number for run_out in run_outs[1:]]
        walker = self._walker
        update = walker.update(Dcfr().at(1), is_greedy=False, returned=0)
        found = []
        for hero in range(2):
            links = self.links[hero] if self.partial else None
            rows = walker.node_values(
                self.storage, hero, MEAN, update, numbers, node, average=True, links=links
            )
            combos = run_outs[-1].combos(self.boards, hero)
            met = met_weights(weights[1 - hero])
            ev = np.full(N_COMBOS, np.nan)
            known = (combos >= 0) & (met[combos] > 0)
            tree = self.spot.tree
            committed = tree.chips(int(tree.streets[level].committed[node][hero]))
            ev[combos[known]] = rows[known] / met[combos[known]] / walker.unit
            found.append(ev + self.spot.pot / 2 + committed)
        return found[0], found[1]

    @cached_property
    def _walker(self) -> Walker:
        return Walker(self.spot, self.boards, np.float64, 1)

    @cached_property
    def storage(self) -> tuple[StreetStorage, ...]:
        """The strategies as walks take them."""
        return as_storage(self.spot, self.boards, self.strategies)

    def without_river(self) -> PostflopSolution:
        """A partial solution: a file of it is a hundredth of the size.

        Flop and turn are as before; a river is solved again when it is asked for.
        """
        if self.partial or len(self.strategies) == 1:
            return self
        update = self._walker.update(Dcfr().at(1), is_greedy=False, returned=0)
        links = tuple(
            self._walker.link_values(self.storage, hero, MEAN, update) for hero in range(2)
        )
        return replace(self, strategies=self.strategies[:-1], links=links)

    def save(self, path: str | Path) -> None:
        """Write one safetensors file that `load_postflop` reads."""
        tensors: dict[str, npt.NDArray[Any]] = {
            f"strategy.{level}.{player}": array
            for level, pair in enumerate(self.strategies)
            for player, array in enumerate(pair)
        }
        tensors |= {f"links.{player}": array for player, array in enumerate(self.links)}
        metadata = {
            "format": POSTFLOP_FORMAT,
            "version": pokerlab.__version__,
            "spot": self.spot.to_toml(),
            "isomorphism": json.dumps(self.isomorphism),
            "values": json.dumps(self.values),
            "best_values": json.dumps(self.best_values),
            "equities": json.dumps(self.equities),
            "exploitability": json.dumps(self.exploitability.chips),
            "rule": self.rule,
            "iterations": str(self.iterations),
            "seconds": json.dumps(self.seconds),
            "stopped": self.stopped,
            "locks": json.dumps(self.locks),
        }
        write_hashed(path, tensors, metadata)


def as_storage(
    spot: Spot, boards: Boards, strategies: tuple[tuple[npt.NDArray[Any], ...], ...]
) -> tuple[StreetStorage, ...]:
    """Strategies in half precision as walks take them; streets that are missing are empty."""
    empty = np.zeros(0, np.uint16)
    storage = []
    missing = [(empty, empty)] * (len(boards.tables) - len(strategies))
    for street, tables, pair in zip(
        spot.tree.streets, boards.tables, (*strategies, *missing), strict=True
    ):
        first = []
        for player in range(2):
            hands = np.diff(tables.hands[player].first)
            slots = street.actions_of(player)
            first.append(np.concatenate([[0], np.cumsum(hands * slots)]).astype(np.int64))
        sums = tuple(each.view(np.uint16) for each in pair)
        storage.append(StreetStorage((empty, empty), (empty, empty), sums, tuple(first)))
    return tuple(storage)


def load_postflop(path: str | Path, *, check: bool = False) -> PostflopSolution:
    """Read a solution; with `check`, `ValueError` if the file is not as it was written."""
    tensors, metadata = map_tensors(path, POSTFLOP_FORMAT)
    if check and content_hash(tensors, metadata) != metadata.get("hash"):
        raise ValueError(f"{str(path)!r} has been changed: its content does not fit its hash")
    try:
        return _from_file(tensors, metadata, str(path))
    except KeyError as error:
        raise ValueError(f"{str(path)!r} is damaged: it has no {error.args[0]!r}") from None
    except json.JSONDecodeError as error:
        raise ValueError(f"{str(path)!r} is damaged: {error.doc[:40]!r} in its header") from None


def _from_file(
    tensors: dict[str, npt.NDArray[Any]], metadata: dict[str, str], name: str
) -> PostflopSolution:
    spot = Spot.from_toml(metadata["spot"], name)
    strategies: tuple[Any, ...] = tuple(
        (tensors[f"strategy.{level}.0"], tensors[f"strategy.{level}.1"])
        for level in range(len(spot.tree.streets))
        if f"strategy.{level}.0" in tensors
    )
    return PostflopSolution(
        spot=spot,
        isomorphism=json.loads(metadata["isomorphism"]),
        values=tuple(json.loads(metadata["values"])),
        best_values=tuple(json.loads(metadata["best_values"])),
        equities=tuple(json.loads(metadata["equities"])),
        rule=metadata["rule"],
        iterations=int(metadata["iterations"]),
        seconds=json.loads(metadata["seconds"]),
        stopped=metadata["stopped"],
        strategies=strategies,
        locks=json.loads(metadata["locks"]),
        links=tuple(tensors[f"links.{player}"] for player in range(2) if "links.0" in tensors),
    )
