"""Columns of many hands: to filter, sort and count them in milliseconds, without the hands.

A history is read once. What lists and statistics need of a hand are then a few numbers, and a few
for each player in it; `pokerlab.arena.logs.hand_query` chooses among them. A row says in which file
and at which place the hand is.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from pokerlab.arena.logs.histories import FoundHand, UnreadHand, read_hands
from pokerlab.arena.logs.history_hand import CALL, FOLD, RAISE, HistoryHand
from pokerlab.cards.codes import combo_index, parse_cards
from pokerlab.holdem.spots.question.preflop_story import POSITIONS
from pokerlab.runtime.arrays import AnyArray
from pokerlab.runtime.files.tensor_files import write_tensors
from pokerlab.runtime.files.tensor_map import read_tensors

SHOWDOWN = 4
"""What `reached` is where two players or more came to the end."""
MOST_UNREAD = 1_000
"""Hands that are named one by one; all are counted."""
_FORMAT = "pokerlab-hands 1"
_HANDS = {
    "place": np.int32,
    "when": np.int64,
    "small": np.float64,
    "big": np.float64,
    "pot": np.float32,
    "raises": np.int8,
    "players": np.int8,
    "reached": np.int8,
    "flop": np.int8,
    "first": np.int64,
}
_PLAYS = {
    "player": np.int32,
    "position": np.int8,
    "cards": np.int16,
    "won": np.float64,
    "reached": np.int8,
    "entered": np.int8,
    "raised": np.int8,
    "bets": np.int16,
    "calls": np.int16,
}
_NUMBER = 24
"""Letters of the number that a site gives a hand."""
_REPORT_EVERY = 500
_MINE = 0.6
"""The cards of whose files these are, are known in this part of their hands at least."""


@dataclass
class HandIndex:
    """What is known of the hands of some files.

    Attributes
    ----------
    files
        The names of the files.
    names
        All players.
    hands
        By column, a value for each hand: ``file`` and ``place`` (from 1), ``when`` (its minute, as
        202401020304), ``small`` and ``big`` blind in chips, ``pot`` in big blinds, ``raises``
        before the flop, ``players``, the street ``reached`` (0 before the flop to 4, a showdown),
        how many saw the ``flop``, the ``first`` of its rows in `plays`, ``board`` (5 codes of
        cards, −1 where there is none) and ``number`` (as bytes).
    plays
        By column, a value for each player in each hand: ``player``, ``position`` (in `POSITIONS`),
        ``cards`` (a combo, −1 where they are hidden), ``won`` in big blinds (NaN where nobody
        knows), the street ``reached``, whether the player ``entered`` and ``raised`` before the
        flop, ``bets`` and ``calls`` after it.
    unread
        Hands that could not be read, at most `MOST_UNREAD`: the file, the place and the reason.
    left_out, other_games
        How many could not be read, and how many are of which other game.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> hand = '''variant = 'NT'
    ... antes = [0, 0]
    ... blinds_or_straddles = [1, 2]
    ... min_bet = 2
    ... starting_stacks = [200, 200]
    ... actions = ['d dh p1 ????', 'd dh p2 AsKd', 'p2 cbr 6', 'p1 f']
    ... players = ['ann', 'bob']'''
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "night.phh")
    ...     _ = path.write_text(hand)
    ...     found = index_file(path)
    >>> len(found), found.names, found.plays["won"].tolist(), found.plays["raised"].tolist()
    (1, ['ann', 'bob'], [-1.0, 1.0], [0, 1])
    """

    files: list[str]
    names: list[str]
    hands: dict[str, AnyArray]
    plays: dict[str, AnyArray]
    unread: list[tuple[int, int, str]]
    left_out: int
    other_games: dict[str, int]

    def __len__(self) -> int:
        return len(self.hands["place"])

    @property
    def hand_of_play(self) -> AnyArray:
        """The hand of each row of `plays`."""
        return np.repeat(np.arange(len(self)), self.hands["players"])

    def hero(self) -> str:
        """Whose files these are: who is dealt cards that are known, hand by hand; or nobody."""
        plays = self.plays["player"]
        if not len(plays):
            return ""
        dealt = np.bincount(plays, minlength=len(self.names))
        known = np.bincount(plays[self.plays["cards"] >= 0], minlength=len(self.names))
        most = int(known.argmax())
        others = np.delete(known, most).max(initial=0)
        mine = known[most] >= _MINE * dealt[most] and others <= known[most] / 2
        return self.names[most] if mine and known[most] else ""

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the columns to a file."""
        tensors = {f"hands.{name}": column for name, column in self.hands.items()}
        tensors |= {f"plays.{name}": column for name, column in self.plays.items()}
        about = (self.files, self.names, self.unread, self.left_out, self.other_games)
        write_tensors(Path(path), tensors, {"format": _FORMAT, "about": json.dumps(about)})

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> HandIndex:
        """Read what `save` wrote; `ValueError` for anything else."""
        tensors, metadata = read_tensors(Path(path), _FORMAT)
        try:
            files, names, unread, left_out, others = json.loads(metadata["about"])
            columns: dict[str, dict[str, AnyArray]] = {"hands": {}, "plays": {}}
            for name, column in tensors.items():
                kind, _, rest = name.partition(".")
                columns[kind][rest] = np.array(column)
            faults = [(int(file), int(place), str(reason)) for file, place, reason in unread]
            found = cls(
                files, names, **columns, unread=faults, left_out=left_out, other_games=others
            )
            same = len(found.plays["player"]) == int(found.hands["players"].sum())
        except (KeyError, TypeError, ValueError):
            same = False
        if not same:
            raise ValueError(f"{path}: these are not the hands of a history")
        return found

    @classmethod
    def join(cls, parts: Sequence[HandIndex]) -> HandIndex:
        """The hands of several, in order."""
        if len(parts) == 1:
            return parts[0]
        files: list[str] = []
        rows: dict[str, int] = {}
        hands: dict[str, list[AnyArray]] = {}
        plays: dict[str, list[AnyArray]] = {}
        unread: list[tuple[int, int, str]] = []
        others: dict[str, int] = {}
        first = 0
        for part in parts:
            own = np.array([rows.setdefault(name, len(rows)) for name in part.names], np.int32)
            for name, column in part.hands.items():
                more = {"file": len(files), "first": first}.get(name, 0)
                hands.setdefault(name, []).append(column + more if more else column)
            for name, column in part.plays.items():
                plays.setdefault(name, []).append(own[column] if name == "player" else column)
            unread += [(file + len(files), place, reason) for file, place, reason in part.unread]
            for game, count in part.other_games.items():
                others[game] = others.get(game, 0) + count
            files += part.files
            first += len(part.plays["player"])
        return cls(
            files,
            list(rows),
            {name: np.concatenate(columns) for name, columns in hands.items()},
            {name: np.concatenate(columns) for name, columns in plays.items()},
            unread[:MOST_UNREAD],
            sum(part.left_out for part in parts),
            others,
        )


def index_file(
    path: str | os.PathLike[str],
    *,
    name: str | None = None,
    report: Callable[[int], None] | None = None,
) -> HandIndex:
    """Read the hands of a PHH file or of a site's text; `report` gets how many were read so far."""
    path = Path(path)
    return index_hands(read_hands(path), name or path.name, report)


def index_hands(
    found: Iterable[FoundHand | UnreadHand],
    file: str,
    report: Callable[[int], None] | None = None,
) -> HandIndex:
    """The same of hands that somebody reads."""
    hands: list[tuple[float, ...]] = []
    numbers: list[str] = []
    boards: list[tuple[int, ...]] = []
    plays: list[tuple[float, ...]] = []
    rows: dict[str, int] = {}
    unread: list[tuple[int, int, str]] = []
    others: dict[str, int] = {}
    left_out = 0
    for count, each in enumerate(found, 1):
        if report is not None and count % _REPORT_EVERY == 0:
            report(count)
        if isinstance(each, UnreadHand):
            if each.variant:
                game = each.reason.removesuffix(" is not hold'em")
                others[game] = others.get(game, 0) + 1
            else:
                left_out += 1
                if len(unread) < MOST_UNREAD:
                    unread.append((0, each.number, each.reason))
            continue
        hands.append((each.number, *_of_hand(each.hand), len(plays)))
        numbers.append(each.hand.record.number)
        board = parse_cards(each.hand.board)
        boards.append((*board, *(-1,) * (5 - len(board))))
        plays += _of_players(each.hand, rows)
    table = _columns(hands, _HANDS)
    table["file"] = np.zeros(len(hands), np.int32)
    table["board"] = np.array(boards, np.int8).reshape(-1, 5)
    encoded = np.array([number.encode("ascii", "replace") for number in numbers], f"S{_NUMBER}")
    table["number"] = encoded.view(np.uint8).reshape(-1, _NUMBER)
    return HandIndex([file], list(rows), table, _columns(plays, _PLAYS), unread, left_out, others)


def _columns(rows: list[tuple[float, ...]], kinds: dict[str, Any]) -> dict[str, AnyArray]:
    columns = zip(*rows, strict=True) if rows else ((),) * len(kinds)
    return {
        name: np.array(column, kind)
        for (name, kind), column in zip(kinds.items(), columns, strict=True)
    }


def _of_hand(hand: HistoryHand) -> tuple[float, ...]:
    small, big = hand.blinds
    street = max(len(hand.board) // 2 - 2, 0)
    shown = len(hand.live) > 1
    saw = len(hand.before(1)[1]) if street else 0
    reached = SHOWDOWN if shown else street
    pot = hand.pot / hand.big_blind
    return hand.record.when, small, big, pot, hand.raises, len(hand.spent), reached, saw


def _of_players(hand: HistoryHand, rows: dict[str, int]) -> list[tuple[float, ...]]:
    seats = len(hand.spent)
    entered, raised, bets, calls = ([0] * seats for _ in range(4))
    end = SHOWDOWN if len(hand.live) > 1 else max(len(hand.board) // 2 - 2, 0)
    reached = [end] * seats
    for street, seat, kind, _, owed, _, _, _ in hand.moves:
        if kind == FOLD:
            reached[seat] = street
        elif kind == RAISE:
            if street == 0:
                entered[seat] = raised[seat] = 1
            else:
                bets[seat] += 1
        elif kind == CALL and owed > 0:
            if street == 0:
                entered[seat] = 1
            else:
                calls[seat] += 1
    big, payoffs = hand.big_blind, hand.payoffs
    return [
        (
            rows.setdefault(name, len(rows)),
            POSITIONS.index(position),
            combo_index(*parse_cards(cards)) if cards else -1,
            float("nan") if payoffs is None else payoffs[seat] / big,
            reached[seat],
            entered[seat],
            raised[seat],
            bets[seat],
            calls[seat],
        )
        for seat, (name, position, cards) in enumerate(
            zip(hand.players, hand.positions, hand.holes, strict=True)
        )
    ]
