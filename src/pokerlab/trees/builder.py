"""Writing a game out: from states to the columns of a `GameTree`.

The walk is a loop, so no game is too deep for it, and it checks what solvers rely on: the nodes
of an information set offer the same actions, players remember what they did, chances are
probabilities. Columns grow as typed arrays: 10 million nodes take about 0.6 GB.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any

import numpy as np

from pokerlab.games.protocol import CHANCE, TERMINAL, Game, State
from pokerlab.runtime.errors import one_line, shorten
from pokerlab.trees.infosets import Infosets

_PROBES = ((1_000, 2), (100_000, 16))
"""Numbers of nodes past which a tree is probed (does it ever end?), with the paths a group.

Few paths find all games that are far too large. They seldom reject a smaller one: the mean of any
number of paths is right on average, so it is 20 times too large at most once in 20, and the median
of 9 such means at most once in 25,000.
"""
_HOPELESS = 20
"""How many times too large a game must seem, to be given up before the limit is reached."""
_MAX_MOVES = 32_767
"""How many children a node can have: `GameTree.n_children` is 16 bits wide."""


class TreeTooLargeError(ValueError):
    """A game of more nodes than are to be written out."""


def estimate_nodes(game: Game, groups: int = 9, probes: int = 16, seed: int = 0) -> float:
    """How many nodes a game has, roughly, from random paths through it.

    A path counts for the product of its branchings, which gives the right number on average
    ("Estimating the efficiency of backtrack programs", 1975). Single paths are far off, so this
    is the median of the means of some groups.

    Examples
    --------
    >>> from pokerlab.games import load_game
    >>> 3e8 < estimate_nodes(load_game("rhodeisland")) < 3e10
    True
    """
    rng = np.random.default_rng(seed)

    def probe() -> float:
        state, nodes, paths = game.start(), 1.0, 1.0
        while state.player != TERMINAL:
            actions = state.actions()
            paths *= len(actions)
            nodes += paths
            state = state.apply(actions[int(rng.integers(len(actions)))])
        return nodes

    return float(np.median([np.mean([probe() for _ in range(probes)]) for _ in range(groups)]))


@dataclass
class _Infoset:
    """An information set while the tree is being built."""

    number: int
    player: int
    parent: int
    first_slot: int
    actions: tuple[str, ...]
    labels: list[int]


class TreeBuilder:
    """Walks a game once; `columns` are the fields of its tree."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.parent, self.end = array("i"), array("i")
        self.player, self.n_children = array("b"), array("h")
        self.infoset, self.slot, self.label = array("i"), array("i"), array("i")
        self.chance = array("d")
        self.terminals, self.terminal_slots = array("i"), array("i")
        self.payoffs, self.terminal_chance = array("d"), array("d")
        self.label_numbers: dict[str, int] = {}
        self.sets: dict[tuple[int, str], _Infoset] = {}
        self.slots = 0
        self.probes = list(_PROBES)

    def columns(self, limit: int) -> dict[str, Any]:
        """Walk the game and return all fields of a `GameTree` but the game.

        `ValueError` for a game or a state that is none: people write games of their own.
        """
        name, players = (getattr(self.game, each, None) for each in ("name", "players"))
        has_name = isinstance(name, str) and isinstance(players, int) and players > 0
        if not has_name or isinstance(self.game, type) or not hasattr(self.game, "start"):
            raise ValueError(
                f"{shorten(repr(self.game))} is not a game: it must be an object with a name (a"
                " text), players (a number from 1 on) and start()"
            )
        try:
            return self._walk(limit)
        except (ArithmeticError, AttributeError, LookupError, TypeError) as error:
            raise ValueError(
                f"{self.game.name}: after {self._here()!r}, {type(error).__name__}:"
                f" {one_line(str(error), 100)}; a state must have player (0 …"
                f" {self.game.players - 1}, CHANCE or TERMINAL), actions() and seen_by(seat) in"
                " texts, chances() and payoffs() in numbers, and apply(action), which gives a state"
            ) from error

    def _walk(self, limit: int) -> dict[str, Any]:
        players = self.game.players
        # What waits: state, parent, slot, probability, label, product of chances, last slots.
        waiting = [(self.game.start(), -1, -1, 1.0, -1, 1.0, (-1,) * players)]
        open_nodes: list[int] = []
        while waiting:
            state, parent, slot, probability, label, reach, last_slots = waiting.pop()
            node = len(self.parent)
            while open_nodes and open_nodes[-1] != parent:
                self.end[open_nodes.pop()] = node
            open_nodes.append(node)
            player = state.player
            self.parent.append(parent)
            self.end.append(0)
            self.player.append(player)
            self.slot.append(slot)
            self.chance.append(probability)
            self.label.append(label)
            if player == TERMINAL:
                self.infoset.append(-1)
                self.n_children.append(0)
                self.terminals.append(node)
                self._add_payoffs(state)
                self.terminal_chance.append(reach)
                self.terminal_slots.extend(last_slots)
            elif player == CHANCE:
                self.infoset.append(-1)
                chances = state.chances()
                self._check_size(len(chances), node + 1 + len(waiting), limit)
                outcomes = state.actions()
                self._check_chances(chances, len(outcomes))
                self.n_children.append(len(outcomes))
                states = [state.apply(outcome) for outcome in outcomes]
                seats = self._who_sees(state, states)
                for outcome, after, share in reversed(
                    list(zip(outcomes, states, chances, strict=True))
                ):
                    edge = self._label(f"{seats}d{{{outcome}}}")
                    waiting.append((after, node, -1, share, edge, reach * share, last_slots))
            else:
                actions = state.actions()
                self._check_size(len(actions), node + 1 + len(waiting), limit)
                found = self._infoset(state, player, actions, last_slots)
                self.infoset.append(found.number)
                self.n_children.append(len(found.actions))
                before, after_player = last_slots[:player], last_slots[player + 1 :]
                for number in range(len(found.actions) - 1, -1, -1):
                    own = found.first_slot + number
                    after = state.apply(found.actions[number])
                    slots = (*before, own, *after_player)
                    waiting.append((after, node, own, 1.0, found.labels[number], reach, slots))
        for node in open_nodes:
            self.end[node] = len(self.parent)
        return self._finish()

    def _check_size(self, moves: int, known: int, limit: int) -> None:
        """Refuse a tree that has `known` nodes and then `moves` more, before these are made.

        All that waits counts. A game with thousands of moves at a node fills the memory with
        what waits long before the nodes that are done are many.
        """
        if moves > _MAX_MOVES:
            raise TreeTooLargeError(
                f"{self.game.name} has {moves:,} moves after {self._here()!r}, too many"
                f" to write out (at most {_MAX_MOVES:,} at a node)"
            )
        known += moves
        guess = 0.0
        if self.probes and self.probes[0][0] < known <= limit:
            guess = estimate_nodes(self.game, probes=self.probes.pop(0)[1])
        hopeless = guess > _HOPELESS * limit
        if known > limit or hopeless:
            rough = f": by a rough estimate {guess:.0e} or more" if hopeless else ""
            raise TreeTooLargeError(
                f"{self.game.name} has more than {limit:,} nodes, too many to write out{rough}"
            )

    def _infoset(
        self, state: State, player: int, offered: Sequence[str], last_slots: tuple[int, ...]
    ) -> _Infoset:
        actions = tuple(offered)
        if not 0 <= player < self.game.players or not actions:
            raise ValueError(
                f"{self.game.name}: player {player} moves after {self._here()!r} with"
                f" the actions {shorten(str(actions))}; a player is 0 …"
                f" {self.game.players - 1} and has an action"
            )
        name, last_slot = state.seen_by(player), last_slots[player]
        known = self.sets.get((player, name))
        if known is None:
            texts = isinstance(name, str) and all(isinstance(each, str) for each in actions)
            if not texts or len({*actions}) < len(actions):
                raise ValueError(
                    f"{self.game.name}: information set {shorten(repr(name))} of player {player}"
                    f" has the actions {shorten(str(actions))}; its name and its actions must be"
                    " texts, and no action may come twice"
                )
            labels = [self._label(f"{player}{action}") for action in actions]
            known = _Infoset(len(self.sets), player, last_slot, self.slots, actions, labels)
            self.sets[player, name] = known
            self.slots += len(actions)
        elif known.actions != actions:
            raise ValueError(
                f"{self.game.name}: information set {name!r} of player {player} offers "
                f"{', '.join(known.actions)} at one node and {', '.join(actions)} at another"
            )
        elif known.parent != last_slot:
            raise ValueError(
                f"{self.game.name}: player {player} forgets what they did: information set "
                f"{name!r} follows different own actions (perfect recall is required)"
            )
        return known

    def _add_payoffs(self, state: State) -> None:
        given: Any = state.payoffs()
        won = list(given) if isinstance(given, Iterable) else [given]
        if len(won) != self.game.players or not isfinite(sum(won)):
            raise ValueError(
                f"{self.game.name}: payoffs {', '.join(map(str, won))} after"
                f" {self._here()!r}; there must be {self.game.players} finite"
                " numbers, one for each player"
            )
        self.payoffs.extend(won)

    def _here(self) -> str:
        """The way to the node that is being written, as `GameTree.path` writes it."""
        texts, moves, node = list(self.label_numbers), [], len(self.parent) - 1
        while node > 0:
            moves.append(texts[self.label[node]])
            node = self.parent[node]
        return shorten(" ".join(reversed(moves)))

    def _label(self, text: str) -> int:
        return self.label_numbers.setdefault(text, len(self.label_numbers))

    def _check_chances(self, chances: Sequence[float], outcomes: int) -> None:
        if not chances or min(chances) < 0 or not abs(sum(chances) - 1) <= 1e-9:
            raise ValueError(
                f"{self.game.name}: the probabilities of chance after {self._here()!r}"
                f" are {shorten(', '.join(map(str, chances)))}; they must be at least 0 and"
                " sum to 1"
            )
        if len(chances) != outcomes:
            raise ValueError(
                f"{self.game.name}: chance has {outcomes} outcomes after {self._here()!r} and"
                f" {len(chances)} probabilities; there must be one for each"
            )

    def _who_sees(self, state: State, after: Sequence[State]) -> str:
        """The seats that can tell the outcomes of chance apart, as `GameTree.path` writes them."""
        seats = [
            seat
            for seat in range(self.game.players)
            if len({one.seen_by(seat) for one in after}) > 1
            or (len(after) == 1 and after[0].seen_by(seat) != state.seen_by(seat))
        ]
        if len(seats) == self.game.players:
            return ""
        return ",".join(map(str, seats)) or "-"

    def _finish(self) -> dict[str, Any]:
        """Renumber the information sets by player and turn the columns into arrays."""
        found = list(self.sets.values())
        texts = [name for _, name in self.sets]
        order = np.argsort([one.player for one in found], kind="stable")
        new_number = np.empty(len(found) + 1, np.int32)
        new_number[order] = np.arange(len(found), dtype=np.int32)
        new_number[-1] = -1  # -1 (no information set, no slot) stays -1
        offset = np.zeros(len(found) + 1, np.int32)
        np.cumsum([len(found[number].actions) for number in order], out=offset[1:])
        new_slot = np.empty(self.slots + 1, np.int32)
        for one in found:
            first = offset[new_number[one.number]]
            new_slot[one.first_slot : one.first_slot + len(one.actions)] = range(
                first, first + len(one.actions)
            )
        new_slot[-1] = -1
        repeated = len(set(texts)) < len(texts)
        infosets = Infosets(
            player=np.array([found[number].player for number in order], np.int8),
            offset=offset,
            parent=new_slot[np.array([found[number].parent for number in order], np.int32)],
            names=tuple(
                f"{found[number].player}:{texts[number]}" if repeated else texts[number]
                for number in order
            ),
            actions=tuple(found[number].actions for number in order),
        )
        players = self.game.players
        return {
            "parent": np.array(self.parent, np.int32),
            "end": np.array(self.end, np.int32),
            "player": np.array(self.player, np.int8),
            "n_children": np.array(self.n_children, np.int16),
            "infoset": new_number[np.array(self.infoset, np.int32)],
            "chance": np.array(self.chance),
            "slot": new_slot[np.array(self.slot, np.int32)],
            "label": np.array(self.label, np.int32),
            "labels": tuple(self.label_numbers),
            "terminals": np.array(self.terminals, np.int32),
            "payoffs": np.array(self.payoffs).reshape(-1, players),
            "terminal_chance": np.array(self.terminal_chance),
            "terminal_slots": new_slot[np.array(self.terminal_slots, np.int32)].reshape(
                -1, players
            ),
            "infosets": infosets,
        }
