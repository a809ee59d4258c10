"""A bot that repeats the actions of a player of a log: old opponents, played again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from pokerlab.cards.codes import parse_cards
from pokerlab.games import BettingGame, DealtState, split_betting
from pokerlab.games.formats.match_state import parse_state
from pokerlab.games.formats.phh import parse_hand_histories
from pokerlab.players.bots.bot import Bot
from pokerlab.runtime.files.text_lines import whole_text


class LoggedHand(NamedTuple):
    """A hand of a log: how it ended, and who sat at each position."""

    final: DealtState
    players: tuple[str, ...]


class RecordedHand(NamedTuple):
    """Everybody's actions in one hand.

    Attributes
    ----------
    players
        Who sat at each position.
    actions
        The actions of each position, in order, as `DealtState.apply` takes them.
    """

    players: tuple[str, ...]
    actions: tuple[tuple[str, ...], ...]


def record_of(final: DealtState, players: Sequence[str]) -> RecordedHand:
    """The actions of a hand by position.

    Examples
    --------
    >>> from pokerlab.games import load_game
    >>> record_of(load_game("leduc").replay("crc/rf"), ["ann", "bob"]).actions
    (('c', 'c', 'r'), ('r', 'f'))
    """
    actions: list[list[str]] = [[] for _ in players]
    for (node, _), action in zip(final.node.path(), split_betting(final.betting), strict=True):
        actions[node.player].append(action)
    return RecordedHand(tuple(players), tuple(map(tuple, actions)))


class ParrotBot(Bot):
    """Repeats a player's actions of a log, hand after hand, whatever its cards.

    What is not legal any more, because others play differently, becomes the nearest thing: a
    raise of another size, or a check or call; so does what follows after the end of a recorded
    hand. After the last hand it begins again with the first.

    Parameters
    ----------
    log
        A log of the ACPC dealer (for the game of the match), a ``.phh`` or ``.phhs`` file, or
        the hands themselves.
    seat
        Whom to repeat: the one who sat at this position in the first hand. In later hands it is
        found by its name; if two share the name, positions are taken to move on by one a hand.

    Examples
    --------
    >>> from pokerlab.games import load_game
    >>> game = load_game("leduc")
    >>> bot = ParrotBot([record_of(game.replay("crc/rf"), ["ann", "bob"])], seat=1)
    >>> bot.reset(game, np.random.default_rng(1))
    >>> bot.begin(1, [0, 1])
    >>> bot.act(game.replay("c").view(1)), bot.act(game.replay("crc/r").view(1))
    ('r', 'f')
    """

    def __init__(self, log: str | Path | Sequence[RecordedHand], seat: int = 0) -> None:
        if seat < 0:
            raise ValueError(f"seat: {seat} is not a position (0 or more)")
        self.seat = seat
        self._log = Path(log) if isinstance(log, str | Path) else None
        self._text = "" if self._log is None else whole_text(self._log)
        self._hands = () if isinstance(log, str | Path) else tuple(log)
        self._next_hand = 0
        self._left: list[str] = []

    def reset(self, game: BettingGame, rng: np.random.Generator) -> None:
        """Begin with the first hand of the log again."""
        super().reset(game, rng)
        if self._log is not None:
            hands = logged_hands(self._text, self._log, game)
            self._hands = tuple(record_of(*hand) for hand in hands)
        if not self._hands:
            raise ValueError(f"{self._log or 'the log'}: there is no hand in it to repeat")
        seats = len(self._hands[0].players)
        if self.seat >= seats:
            raise ValueError(f"seat: {self.seat} is not a position of the log (0 to {seats - 1})")
        self._next_hand = 0

    def begin(self, position: int, players: Sequence[int]) -> None:
        """Turn to the next hand of the log."""
        number = self._next_hand % len(self._hands)
        first, hand = self._hands[0], self._hands[number]
        self._left = list(hand.actions[position_of(self.seat, first.players, hand.players, number)])
        self._next_hand += 1

    def act(self, view: DealtState) -> str:
        """The recorded action, or the nearest legal one."""
        action = self._left.pop(0) if self._left else ""
        if view.node.drawing:
            return _same_draw(action, view)
        if action == "f" and view.to_call:
            return "f"
        bounds = view.raise_bounds()
        if action[:1] != "r" or bounds is None:
            return "c"
        if view.game.betting == "limit":
            return "r"
        size = int(action[1:]) if action[1:] else bounds[0]
        return f"r{min(max(size, bounds[0]), bounds[1])}"


def position_of(seat: int, first: Sequence[str], players: Sequence[str], number: int) -> int:
    """Where somebody sits in a later hand of a log: by name, or as the button moves.

    Parameters
    ----------
    seat
        The position in the first hand.
    first, players
        The names by position in the first hand and in the later one.
    number
        How many hands later it is.

    Examples
    --------
    >>> position_of(0, ["ann", "bob"], ["bob", "ann"], 1)
    1
    >>> position_of(0, ["ann", "ann"], ["ann", "ann"], 2)
    0
    """
    if players.count(first[seat]) == 1:
        return players.index(first[seat])
    return (seat + number) % len(players)


def _same_draw(action: str, view: DealtState) -> str:
    """Throw the same cards, those of them that it holds."""
    if action[:1] != "d":
        return "d"
    hand = view.holes[view.player]
    thrown = [action[at : at + 2] for at in range(1, len(action), 2)]
    held = [card for card in thrown if parse_cards(card)[0] in hand]
    return "d" + "".join(held[: view.game.streets[view.street].draw])


def logged_hands(text: str, path: Path, game: BettingGame) -> Iterator[LoggedHand]:
    """The hands of a log: ``.phh`` or ``.phhs``, else of the ACPC dealer for this game."""
    if path.suffix in (".phh", ".phhs"):
        try:
            for record in parse_hand_histories(text):
                yield LoggedHand(record.final, tuple(record.players))
        except ValueError as error:
            raise ValueError(f"{path}: {error}") from None
        return
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.startswith("STATE:"):
            continue
        parts = line.split(":")
        try:
            if len(parts) != 6:
                raise ValueError(f"{line[:60]!r} is cut")
            _, state = parse_state(":".join(parts[:4]), game)
        except ValueError as error:
            raise ValueError(f"{path}: line {number}: {error}") from None
        players = tuple(parts[5].split("|"))
        if len(players) != game.players:
            raise ValueError(f"{path}: line {number}: {len(players)} names, not {game.players}")
        yield LoggedHand(state, players)
