"""A match between players at sockets and bots of our own: turns, clocks, faults and the score."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from time import monotonic

import numpy as np

from pokerlab.arena.chosen_deals import MatchCards
from pokerlab.arena.hands import Fault, PlayedHand
from pokerlab.arena.table import legal_answer
from pokerlab.bots.bot import Bot
from pokerlab.bots.external.acpc_connection import LineConnection, read_action
from pokerlab.bots.failures import failure_text, reset_bot
from pokerlab.errors import shorten
from pokerlab.games import BettingGame, Deal, DealtState, split_betting
from pokerlab.games.formats.match_state import format_match_state

MAX_ROUND_ACTIONS = 64
"""The actions of a betting round for which programs made from the official sources have room; the
official dealer takes no raise that could lead to more."""


@dataclass(frozen=True)
class TimeLimits:
    """How long a player may think, in seconds; by default as long as under the official dealer.

    Attributes
    ----------
    action
        For one answer (``t_response``).
    hand
        For all answers in a hand (``t_hand``).
    match
        For all answers in a match (``t_per_hand`` times the number of hands); None: 7 s a hand.
    """

    action: float = 600.0
    hand: float = 600.0
    match: float | None = None

    def __post_init__(self) -> None:
        for name, seconds in (("action", self.action), ("hand", self.hand), ("match", self.match)):
            if seconds is not None and not 0.0 < seconds <= 1e9:
                raise ValueError(f"time limit of {seconds:g} s for {name}: it must be above 0")

    def of_match(self, hands: int) -> float:
        """The seconds that a player has for a match."""
        return 7.0 * hands if self.match is None else self.match


class SeatLostError(Exception):
    """A player that cannot go on: the match is over."""

    def __init__(self, seat: int, why: str) -> None:
        super().__init__(why)
        self.seat = seat


class AcpcMatch:
    """One match.

    In hand k the player of seat s sits at position s - k, counted round the table: the official
    dealer moves the button so. With a fixed button every seat is its position in all hands.

    Parameters
    ----------
    game
        What is played.
    names
        Who sits at each seat.
    bots
        The bot at each seat; None where a guest sits.
    guests
        The connection to the player at each of the other seats.
    limits
        How long guests may think.
    hands
        How many hands to play.
    seed
        Seed of the cards, which do not depend on what the players do.
    cards
        Where the cards come from.
    fixed_button
        Whether the button stays where it is.
    warn
        Takes a seat, and a line about what its player did wrong.
    record
        Takes each hand as soon as it is over.

    Attributes
    ----------
    played
        How many hands were played to the end.
    totals
        What each seat won or lost in them.
    fault_counts
        How often each seat answered against the rules.
    """

    def __init__(
        self,
        game: BettingGame,
        names: Sequence[str],
        bots: Sequence[Bot | None],
        guests: Mapping[int, LineConnection],
        limits: TimeLimits,
        *,
        hands: int,
        seed: int,
        cards: MatchCards,
        fixed_button: bool = False,
        warn: Callable[[int, str], None],
        record: Callable[[PlayedHand], None],
    ) -> None:
        if hands < 1:
            raise ValueError(f"{hands} hands: a match has one or more")
        if seed < 0:
            raise ValueError(f"seed {seed}: must be a whole number, 0 or more")
        self.game = game
        self.names = names
        self.bots = bots
        self.guests = guests
        self.limits = limits
        self.hands = hands
        self.fixed_button = fixed_button
        self.warn = warn
        self.record = record
        self.played = 0
        self.totals = [0.0] * game.players
        self.fault_counts = [0] * game.players
        self._used_in_hand = [0.0] * game.players
        self._used_in_match = [0.0] * game.players
        # The first child of the seed deals the cards, as in all matches of the arena.
        card_rng, *self._bot_rngs = np.random.default_rng(seed).spawn(1 + game.players)
        self._deals = cards.deal(hands, card_rng)

    def play(self) -> None:
        """Play all hands; `SeatLostError` if a player cannot go on."""
        for bot, name, rng in zip(self.bots, self.names, self._bot_rngs, strict=True):
            if bot is not None:
                reset_bot(bot, name, self.game, rng)
        for number, deal in enumerate(self._deals):
            self._play_hand(number, deal)

    def _play_hand(self, number: int, deal: Deal) -> None:
        players = self.game.players
        turn = 0 if self.fixed_button else number
        seats = [(position + turn) % players for position in range(players)]
        self._used_in_hand = [0.0] * players
        faults: list[Fault] = []
        state = self.game.start(deal)
        for position, seat in enumerate(seats):
            if (bot := self.bots[seat]) is not None:
                try:
                    bot.begin(position, seats)
                except BaseException as error:
                    faults.append(Fault(position, "", "", "", failure_text(error)))
        while (position := state.player) >= 0:
            asked = self._send_states(state, seats, number)
            state = state.apply(self._action(state, seats[position], asked, number, faults))
        for position, seat in enumerate(seats):
            if (bot := self.bots[seat]) is not None:
                try:
                    bot.end(state.view(position))
                except BaseException as error:
                    faults.append(Fault(position, state.betting, "", "", failure_text(error)))
        self._count(state, seats, number, deal, faults)
        self._send_states(state, seats, number)

    def _count(
        self, state: DealtState, seats: list[int], number: int, deal: Deal, faults: list[Fault]
    ) -> None:
        """Add a hand to the score, and hand it on."""
        payoffs = state.payoffs()
        for position, seat in enumerate(seats):
            self.totals[seat] += payoffs[position]
        for fault in faults:
            seat = seats[fault.position]
            self.fault_counts[seat] += 1
            shown = f" answered {fault.answer!r}" if fault.answer else ""
            self.warn(seat, f"hand {number}{shown}, played {fault.action or '-'}: {fault.why}")
        self.played += 1
        names = tuple(self.names[seat] for seat in seats)
        self.record(
            PlayedHand(self.game, number, deal, names, state.betting, payoffs, tuple(faults))
        )

    def _send_states(self, state: DealtState, seats: list[int], number: int) -> str:
        """Send a state to every guest; last to the one that acts, whose clock starts then.

        Gives the text that was sent last.
        """
        order = self.game.order_from(max(state.player, 0))
        text = ""
        for position in (*order[1:], order[0]):
            guest = self.guests.get(seats[position])
            if guest is None:
                continue
            text = format_match_state(state, position, number)
            try:
                guest.send(text, self.limits.action)
            except (TimeoutError, ConnectionError) as error:
                raise SeatLostError(seats[position], f"{error} (hand {number})") from None
        return text

    def _action(
        self, state: DealtState, seat: int, asked: str, number: int, faults: list[Fault]
    ) -> str:
        """The action of the player whose turn it is, made legal."""
        answer: object = None
        why = ""
        bot = self.bots[seat]
        if bot is None:
            answer = self._ask_guest(asked, seat, number)
        else:
            try:
                answer = bot.act(state.view(state.player))
            except BaseException as error:
                why = failure_text(error)
        action = legal_answer(state, answer)
        if action.startswith("r") and _round_is_full(state):
            action = "c"
            why = f"no more raises: a betting round has at most {MAX_ROUND_ACTIONS} actions"
        if action != answer:
            shown = "" if answer is None else shorten(str(answer), 60)
            why = why or _why_illegal(state, answer)
            faults.append(Fault(state.player, state.betting, shown, action, why))
        return action

    def _ask_guest(self, asked: str, seat: int, number: int) -> str:
        """Wait for a guest's answer to a state, as long as its clock allows."""
        limit, which = min(
            (self.limits.action, "for an action"),
            (self.limits.hand - self._used_in_hand[seat], "left for the hand"),
            (self.limits.of_match(self.hands) - self._used_in_match[seat], "left for the match"),
        )
        started = monotonic()
        try:
            answer = self.guests[seat].receive_answer(asked, started + limit)
        except TimeoutError as error:
            raise SeatLostError(
                seat, f"{error}: it had {limit:.3g} s {which} (hand {number})"
            ) from None
        except ConnectionError as error:
            raise SeatLostError(seat, f"{error} (hand {number})") from None
        used = monotonic() - started
        self._used_in_hand[seat] += used
        self._used_in_match[seat] += used
        if answer.ignored:
            self.warn(
                seat,
                f"hand {number}: ignored {answer.ignored} lines that were no answer to the state"
                f" sent, as {answer.example!r}",
            )
        return read_action(answer.action, self.game)


def _round_is_full(state: DealtState) -> bool:
    """Whether a raise could lead to more actions than programs have room for."""
    text = state.node.text
    if len(text) + state.game.players <= MAX_ROUND_ACTIONS:
        return False
    actions = len(split_betting(text.rpartition("/")[2]))
    return actions + state.game.players > MAX_ROUND_ACTIONS


def _why_illegal(state: DealtState, answer: object) -> str:
    try:
        state.apply(str(answer))
    except ValueError as error:
        return shorten(str(error), 200)
    return f"the answer is of type {type(answer).__name__}, not text"
