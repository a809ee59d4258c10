"""Logs, played again: step by step, or with another bot in the place of one of the players."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path

import numpy as np

from pokerlab.arena.hands import PlayedHand
from pokerlab.arena.logs.acpc_log import read_acpc_log
from pokerlab.arena.logs.phh_log import read_phh
from pokerlab.arena.logs.site_text import site_of_file
from pokerlab.arena.logs.unfinished import finished_name
from pokerlab.arena.matches import seat_players
from pokerlab.arena.table import play_hand
from pokerlab.games import BettingGame, Deal, DealtState, split_betting
from pokerlab.games.exchange import Swap
from pokerlab.players.bots.bot import Bot
from pokerlab.players.bots.failures import reset_bot
from pokerlab.players.bots.parrot import ParrotBot, RecordedHand, position_of, record_of
from pokerlab.players.strategies import load_table_game
from pokerlab.runtime.files.text_lines import text_lines

_HEADER = re.compile(r"# name/game/hands/seed \S+ (.+) \d+ \d+$")


@dataclass(frozen=True, slots=True)
class ReplayStep:
    """One action of a hand.

    Attributes
    ----------
    before, after
        The state when it was taken, and what it led to.
    action
        What was done.
    """

    before: DealtState
    action: str
    after: DealtState

    @property
    def position(self) -> int:
        """Who acted."""
        return self.before.player

    @property
    def swap(self) -> Swap | None:
        """The cards that a draw exchanged, empty if not known; None for any other action."""
        return self.after.swaps[-1] if self.before.node.drawing else None

    @property
    def drawn(self) -> int:
        """How many cards a draw exchanged, also in a hand that is not known."""
        return int(split_betting(self.after.node.text)[-1].strip("()")) if self.swap else 0


def steps(hand: PlayedHand) -> Iterator[ReplayStep]:
    """All actions of a hand, in order.

    Examples
    --------
    >>> from pokerlab.games import load_game
    >>> game = load_game("leduc")
    >>> hand = PlayedHand(game, 0, game.make_deal(["Js", "Kh"]), ("ann", "bob"), "crf", (-1.0, 1.0))
    >>> [(step.position, step.action, step.after.pot) for step in steps(hand)]
    [(0, 'c', 2), (1, 'r', 4), (0, 'f', 2)]
    """
    state = hand.game.start(hand.deal)
    for action in split_betting(hand.betting):
        after = state.apply(action)
        yield ReplayStep(state, action, after)
        state = after


def read_log(path: Path | str, game: BettingGame | None = None) -> Iterator[PlayedHand]:
    """Read a ``.phh`` or ``.phhs`` file, or a log in the form of the ACPC dealer.

    Of a log that a killed match left (``night.log.part``), all complete hands are read.

    Parameters
    ----------
    game
        What was played. An ACPC log names it in its first line, which is good for games of the
        catalogue and game files that are still there; PHH files tell the rules. A game that
        takes any number of players is played by as many as the first hand names.
    """
    path = Path(path)
    finished = finished_name(path)
    partial = finished is not None
    if (finished or path).suffix.lower() in (".phh", ".phhs"):
        yield from read_phh(path, partial=partial)
        return
    _refuse_site_text(path)
    rules = _game_of_log(path) if game is None else game
    yield from read_acpc_log(path, _with_seats(rules, path), partial=partial)


def play_again(
    hands: Iterable[PlayedHand], bot: Bot, seat: int, seed: int = 0, *, name: str | None = None
) -> Iterator[PlayedHand]:
    """Play hands again with a bot in one seat; the others repeat their actions.

    Everybody holds the same cards, and replacements at a draw come in the same order. What the
    log does not tell, because nobody got to see it, is drawn at random, the same for every bot.

    Parameters
    ----------
    hands
        Those of one match, in order.
    bot
        The new player.
    seat
        Whose place it takes: the one who sat at this position in the first hand (see
        `ParrotBot`).
    seed
        Of the bot, and of the cards that are not told.
    name
        What to call the bot in the record; by default the name of its class.

    Examples
    --------
    >>> from pokerlab.players.bots import Folder
    >>> from pokerlab.games import load_game
    >>> game = load_game("leduc")
    >>> deal = game.make_deal(["Js", "Kh"], "Qs")
    >>> hand = PlayedHand(game, 0, deal, ("ann", "bob"), "crc/cc", (-3.0, 3.0))
    >>> [(again.players, again.betting) for again in play_again([hand], Folder(), 0)]
    [(('Folder', 'bob'), 'crf')]
    """
    first: tuple[str, ...] = ()
    for number, hand in enumerate(hands):
        game = hand.game
        if not first:
            first = hand.players
            if not 0 <= seat < len(first):
                raise ValueError(
                    f"seat {seat} is not a position of the log (0 to {len(first) - 1})"
                )
            reset_bot(bot, name or type(bot).__name__, game, np.random.default_rng([seed, 0]))
        place = position_of(seat, first, hand.players, number)
        names = list(hand.players)
        names[place] = type(bot).__name__ if name is None else name
        deal = complete_deal(game, hand.deal, np.random.default_rng([seed, 1, number]))
        record = record_of(hand.final, hand.players)
        yield play_hand(
            game,
            deal,
            [
                bot if position == place else _parrot(game, record, position)
                for position in range(game.players)
            ],
            players=_player_numbers(first, hand.players, number),
            names=names,
            number=hand.number,
        )


def complete_deal(game: BettingGame, deal: Deal, rng: np.random.Generator) -> Deal:
    """Fill a deal in which some cards are not known with random ones.

    Examples
    --------
    >>> from pokerlab.games import load_game
    >>> game = load_game("leduc")
    >>> print(complete_deal(game, game.make_deal(["Js", ""]), np.random.default_rng(1)))
    Js|Kh/Jh
    """
    held = {card for cards in (*deal.holes, deal.board) for card in cards}
    # What was thrown away and dealt again comes from the discards of this play, if at all.
    stub = tuple(takewhile(lambda card: card not in held, deal.stub))
    free = [int(card) for card in rng.permutation(game.deck) if card not in held.union(stub)]
    holes = []
    for hole in deal.holes:
        missing = game.hole_cards[-1] - len(hole)
        holes.append((*hole, *free[:missing]))
        free = free[missing:]
    missing = game.board_cards[-1] - len(deal.board)
    board = (*deal.board, *free[:missing])
    if not any(street.draw for street in game.streets):
        return deal._replace(holes=tuple(holes), board=board)
    again = deal.reshuffled or tuple(map(int, rng.permutation(game.deck)))
    return Deal(tuple(holes), board, (*stub, *free[missing:]), again)


def _parrot(game: BettingGame, record: RecordedHand, position: int) -> ParrotBot:
    parrot = ParrotBot([record], position)
    parrot.reset(game, np.random.default_rng(0))
    return parrot


def _player_numbers(first: tuple[str, ...], players: tuple[str, ...], number: int) -> list[int]:
    """The number of the player at each position: its position in the first hand."""
    seats = {position_of(seat, first, players, number): seat for seat in range(len(first))}
    return [seats.get(position, position) for position in range(len(players))]


def _with_seats(game: BettingGame, path: Path) -> BettingGame:
    """The game with as many seats as the first hand of a log, if it may have as many."""
    first = next((line for line in text_lines(path) if line.startswith("STATE:")), "")
    try:
        return seat_players(game, 1 + first.rpartition(":")[2].count("|"))
    except ValueError:
        return game  # that the hands do not fit is for the reader of the hands to say


def _refuse_site_text(path: Path) -> None:
    """`ValueError` for the text that a poker site writes of hands: others read it."""
    site = site_of_file(path)
    if site is not None:
        raise ValueError(
            f"{path}: the text of a poker site cannot be played again ({site.name}); `pokerlab"
            " hands`, statistics and model read it (pokerlab[hands])"
        )


def _game_of_log(path: Path) -> BettingGame:
    match = _HEADER.match(next(text_lines(path), ""))
    if match is None:
        raise ValueError(f"{path}: the log does not say which game was played; name it (--game)")
    try:
        return load_table_game(match.group(1))
    except ValueError as error:
        raise ValueError(f"{path}: {error}; name the game of the log (--game)") from None
