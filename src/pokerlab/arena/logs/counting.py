"""Counting millions of hands: statistics by player and lines after the flop, without the hands.

What is counted of a decision is a number: the row of the player, and a column for the street, the
players left and the action. Numbers are collected in a list, and all of them counted at once; two
counts are added row by row. So hands can be counted file by file, in any order, anywhere.
"""

from __future__ import annotations

import re
from base64 import b64decode, b64encode
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from json import dumps, loads
from typing import Any
from zlib import compress, decompressobj

import numpy as np

from pokerlab.arena.logs.history_hand import CALL, RAISE, HistoryHand
from pokerlab.arena.logs.statistics import PlayStatistics, WonTotals
from pokerlab.cards.codes import combo_index, parse_cards
from pokerlab.cards.hand_classes import CLASS_OF_COMBO, GRID
from pokerlab.players.opponents.line_model import (
    ALL_IN,
    POSITIONS,
    SIZES,
    STREETS,
    LineKey,
    LineModel,
    size_class,
)
from pokerlab.runtime.arrays import Floats, Int64s

POOL = "pool"
"""The name of all players together."""
_FACTS = (
    "hands",
    "entered",
    "raised_first",
    "bets",
    "calls",
    "showdowns",
    "showdowns_won",
    "showdowns_hidden",
)
_FACT = {name: column for column, name in enumerate(_FACTS)}
_MOVES = len(_FACTS)
_COLUMNS = _MOVES + 4 * 9 * 3
_CLASSES = GRID * GRID * 9 * 3
_MOST_EXAMPLES = 5
_MOST_BYTES = 1 << 30
"""Bytes of the packed tables of one file."""


class _Classes(dict[str, int]):
    """The class of a starting hand by its cards as text."""

    def __missing__(self, text: str) -> int:
        value = int(CLASS_OF_COMBO[combo_index(*parse_cards(text))])
        self[text] = value
        return value


_CLASS = _Classes()


@dataclass
class HandCounts:
    """What was counted in some hands.

    Attributes
    ----------
    together
        Whether all players count as one, the `POOL`.
    lines
        Whether decisions after the flop are counted by line, too.
    player
        The only player that is counted; None: everybody.
    rows
        The row of each player.
    table : (at least rows, columns)
        Counts of facts and actions.
    won : (at least rows, 3)
        Hands whose result is known, what was won in them in big blinds, and the squares of it.
    classes
        Moves before the flop of hands that are known, by row, class, players left and action.
    by_line
        Moves after the flop, by row, line and action.
    hands, stakes
        The hands that were counted, also by ``small blind/big blind``.
    left_out, examples
        The hold'em hands that could not be read, by reason; and some, with file and number.
    other_games
        Hands of other games, which are passed over, by what they are.

    Examples
    --------
    >>> from pokerlab.arena.logs.following import follow
    >>> from pokerlab.arena.logs.history_hand import HistoryRecord
    >>> deals = ["d dh p1 AsKd", "d dh p2 ????"]
    >>> acts = ["p2 cbr 300", "p1 cc", "d db QhJh2c", "p1 cbr 200", "p2 f"]
    >>> stacks, players = (9000, 9000), ("a", "b")
    >>> record = HistoryRecord(False, 1, (0, 0), (50, 100), stacks, 100, deals + acts, players)
    >>> counts = HandCounts(lines=True)
    >>> counts.add(follow(record))
    >>> found = counts.statistics()
    >>> found["a"].vpip, found["a"].pfr, found["b"].pfr, found["b"].mean
    (1.0, 0.0, 1.0, -3.0)
    >>> counts.model("b").counts
    {LineKey(street='flop', position='ip', initiative='self', line='small'): {'fold': 1}}
    """

    together: bool = False
    lines: bool = False
    player: str | None = None
    rows: dict[str, int] = field(default_factory=dict)
    table: Int64s = field(default_factory=lambda: np.zeros((0, _COLUMNS), np.int64))
    won: Floats = field(default_factory=lambda: np.zeros((0, 3)))
    classes: Counter[int] = field(default_factory=Counter)
    by_line: Counter[tuple[int, LineKey, str]] = field(default_factory=Counter)
    hands: int = 0
    stakes: Counter[str] = field(default_factory=Counter)
    left_out: Counter[str] = field(default_factory=Counter)
    other_games: Counter[str] = field(default_factory=Counter)
    examples: list[str] = field(default_factory=list)

    def add(self, hand: HistoryHand) -> None:
        """Count a hand."""
        self.add_all([hand])

    def add_all(self, hands: Iterable[HistoryHand]) -> None:
        """Count many hands, much faster than one by one."""
        codes: list[int] = []
        results: list[tuple[int, float]] = []
        for hand in hands:
            self.hands += 1
            small, big = hand.blinds
            self.stakes[f"{small:g}/{big:g}"] += 1
            rows = self._rows_of(hand.players)
            if self.player is None or any(row >= 0 for row in rows):
                self._count(hand, rows, codes, results)
        self._collect(codes, results)

    def leave_out(self, reason: str, where: str, variant: str = "") -> None:
        """Count a hand that could not be read, or of another game."""
        if variant:
            self.other_games[reason.removesuffix(" is not hold'em")] += 1
            return
        kind = re.sub(r"'[^']*'|\"[^\"]*\"|\d[\d.,]*", "…", reason)
        self.left_out[kind] += 1
        if len(self.examples) < _MOST_EXAMPLES:
            self.examples.append(f"{where}: {reason}")

    def merge(self, other: HandCounts) -> None:
        """Add what others have counted in the same way."""
        rows = [self._row(name) for name in other.rows]
        self._grow()
        self.table[rows] += other.table[: len(rows)]  # no row comes twice
        self.won[rows] += other.won[: len(rows)]
        for code, count in other.classes.items():
            self.classes[rows[code // _CLASSES] * _CLASSES + code % _CLASSES] += count
        for (row, key, action), count in other.by_line.items():
            self.by_line[rows[row], key, action] += count
        self.hands += other.hands
        self.stakes.update(other.stakes)
        self.left_out.update(other.left_out)
        self.other_games.update(other.other_games)
        self.examples = (self.examples + other.examples)[:_MOST_EXAMPLES]

    def statistics(self, most: int | None = None) -> dict[str, PlayStatistics]:
        """The statistics of the players with the most hands; winnings are in big blinds."""
        order = sorted(self.rows, key=lambda name: -int(self.table[self.rows[name], 0]))[:most]
        found = {name: self._statistics_of(name) for name in order}
        names = {self.rows[name]: name for name in found}
        for code, count in self.classes.items():
            row, rest = divmod(code, _CLASSES)
            if row not in names:
                continue
            active, cell = divmod(rest, GRID * GRID * 3)
            table = found[names[row]].classes.setdefault(
                active + 2, np.zeros((GRID * GRID, 3), np.int64)
            )
            table[divmod(cell, 3)] += count
        return found

    def model(self, player: str, prior_weight: float = 1.0) -> LineModel:
        """The lines of a player after the flop."""
        row = self.rows[player]
        counts: dict[LineKey, dict[str, float]] = {}
        for (owner, key, action), count in self.by_line.items():
            if owner == row:
                counts.setdefault(key, {})[action] = count
        return LineModel(player, int(self.table[row, 0]), counts, prior_weight)

    def to_json(self) -> dict[str, Any]:
        """As JSON, the tables packed."""
        filled = np.flatnonzero(self.table)
        packed = {
            "names": list(self.rows),
            "cells": filled.tolist(),
            "counts": self.table.ravel()[filled].tolist(),
            "won": self.won[: len(self.rows)].ravel().tolist(),
            "classes": list(self.classes.items()),
            "lines": [[row, *key, action, n] for (row, key, action), n in self.by_line.items()],
        }
        return {
            "together": self.together,
            "lines": self.lines,
            "player": self.player,
            "hands": self.hands,
            "stakes": dict(self.stakes),
            "left_out": dict(self.left_out),
            "other_games": dict(self.other_games),
            "examples": self.examples,
            "packed": b64encode(compress(dumps(packed).encode())).decode(),
        }

    @classmethod
    def from_json(cls, data: Any) -> HandCounts:
        """Read what `to_json` made; `ValueError` for anything else."""
        try:
            packed = loads(decompressobj().decompress(b64decode(data["packed"]), _MOST_BYTES))
            names = packed["names"]
            table = np.zeros((len(names), _COLUMNS), np.int64)
            table.ravel()[np.array(packed["cells"], np.int64)] = packed["counts"]
            lines = {
                (int(row), LineKey(*key), str(action)): int(count)
                for row, *key, action, count in packed["lines"]
            }
            return cls(
                together=bool(data["together"]),
                lines=bool(data["lines"]),
                player=data["player"],
                rows={name: row for row, name in enumerate(names)},
                table=table,
                won=np.array(packed["won"], float).reshape(len(names), 3),
                classes=Counter({int(code): int(count) for code, count in packed["classes"]}),
                by_line=Counter(lines),
                hands=int(data["hands"]),
                stakes=Counter(data["stakes"]),
                left_out=Counter(data["left_out"]),
                other_games=Counter(data["other_games"]),
                examples=list(data["examples"]),
            )
        except Exception:
            raise ValueError("not the counts of a file of hands") from None

    def _rows_of(self, players: Iterable[str]) -> list[int]:
        """The row of each position; −1 for those who are not counted."""
        if self.player is None:
            return [self._row(name) for name in players]
        return [self._row(name) if name == self.player else -1 for name in players]

    def _row(self, name: str) -> int:
        return self.rows.setdefault(POOL if self.together else name, len(self.rows))

    def _grow(self) -> None:
        """Give each player a row, and many files of new players no more than twice the room."""
        missing = len(self.rows) - len(self.table)
        if missing > 0:
            more = max(missing, len(self.table) // 2)
            self.table = np.vstack([self.table, np.zeros((more, _COLUMNS), np.int64)])
            self.won = np.vstack([self.won, np.zeros((more, 3))])

    def _collect(self, codes: list[int], results: list[tuple[int, float]]) -> None:
        self._grow()
        counted = np.bincount(np.array(codes, np.int64), minlength=self.table.size)
        self.table += counted[: self.table.size].reshape(self.table.shape)
        if results:
            rows, won = (np.array(each) for each in zip(*results, strict=True))
            np.add.at(self.won, rows, np.stack([np.ones(len(won)), won, won**2], axis=1))

    def _count(
        self, hand: HistoryHand, rows: list[int], codes: list[int], results: list[tuple[int, float]]
    ) -> None:
        starts = [row * _COLUMNS for row in rows]
        count, chosen = codes.append, self.player is not None
        entered = raised = 0
        for street, seat, kind, active, owed, _, _, _ in hand.moves:
            if chosen and rows[seat] < 0:
                continue
            count(starts[seat] + _MOVES + 27 * street + 3 * active - 6 + kind)
            if street == 0:
                if kind == RAISE:
                    entered |= 1 << seat
                    raised |= 1 << seat
                elif kind == CALL and owed > 0:
                    entered |= 1 << seat
                if hand.holes[seat]:
                    where = (active - 2) * GRID * GRID + _CLASS[hand.holes[seat]]
                    self.classes[rows[seat] * _CLASSES + 3 * where + kind] += 1
            elif kind == RAISE:
                count(starts[seat] + 3)
            elif kind == CALL and owed > 0:
                count(starts[seat] + 4)
        payoffs, big = hand.payoffs, hand.big_blind
        shown = hand.live if len(hand.live) > 1 else ()
        for seat, start in enumerate(starts):
            if start < 0:
                continue
            count(start)
            if entered >> seat & 1:
                count(start + 1)
            if raised >> seat & 1:
                count(start + 2)
            if payoffs is not None:
                results.append((rows[seat], payoffs[seat] / big))
            if seat in shown:
                count(start + 5)
                if payoffs is None:
                    count(start + 7)
                elif payoffs[seat] > 0:
                    count(start + 6)
        if self.lines and len(hand.moves) and hand.moves[-1].street:
            for seat, key, action in hand_lines(hand):
                if rows[seat] >= 0:
                    self.by_line[rows[seat], key, action] += 1

    def _statistics_of(self, name: str) -> PlayStatistics:
        row = self.rows[name]
        facts: dict[str, Any] = {
            fact: int(self.table[row, column]) for fact, column in _FACT.items()
        }
        moves = self.table[row, _MOVES:].reshape(4, 9, 3)
        actions = {
            (int(street), int(active) + 2): moves[street, active].copy()
            for street, active in zip(*np.nonzero(moves.any(axis=2)), strict=True)
        }
        known, total, squares = self.won[row].tolist()
        return PlayStatistics(
            name, actions=actions, winnings=WonTotals(int(known), total, squares), **facts
        )


_KEYS: dict[tuple[int, bool, int, str], LineKey] = {}


def hand_lines(hand: HistoryHand) -> Iterator[tuple[int, LineKey, str]]:
    """The decisions after the flop of two players: seat, line and action.

    The same as `pokerlab.players.opponents.line_model.line_decisions` finds in a hand that was
    played by our rules.
    """
    street, tokens, bettor, before, first, counted = 0, list[str](), -1, -1, -1, False
    for move in hand.moves:
        if move.street != street:
            street, tokens, before, bettor = move.street, [], bettor, -1
            first, counted = move.seat, move.active == 2
        facing = bool(tokens) and tokens[-1] != "x"
        if facing and move.closed and move.kind != RAISE:
            tokens[-1] = tokens[-1].removesuffix(ALL_IN) + ALL_IN
        if move.kind == RAISE:
            done = size_class(move.share)
        elif move.kind == CALL:
            done = "call" if facing else "check"
        else:
            done = "fold"
        # Some fold where they could check, when their connection breaks: not counted.
        if counted and street > 0 and (facing or done != "fold"):
            who = 2 if before < 0 else 0 if before == move.seat else 1
            place = (street, move.seat == first, who, "/".join(tokens))
            key = _KEYS.get(place)
            if key is None:
                key = LineKey(
                    STREETS[street - 1],
                    POSITIONS[0 if move.seat == first else 1],
                    ("self", "other", "nobody")[who],
                    place[3],
                )
                if len(_KEYS) < 100_000:
                    _KEYS[place] = key
            yield move.seat, key, done
        if done in SIZES:
            bettor = move.seat
        tokens.append("x" if done == "check" else done)
