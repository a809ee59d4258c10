"""Matches: many hands between the same bots, with cards that depend on the seed alone.

Positions rotate as in the ACPC: player p sits in hand k at position (p − k) mod n. In a duplicate
match every deal is played in several seatings, so that luck of the cards cancels out:

- 2 players: both seatings; 3 players: all 6, or the 3 rotations when two are the same bot (then
  the others say nothing new); more players: the n rotations;
- a block is all deals in one seating; bots forget everything between blocks.

The cards may also be chosen (`pokerlab.arena.chosen_deals`): fixed pockets, or deals of a file. To
give one bot a pocket in every hand, let the button stay: then every bot keeps its position.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Callable, Iterator, Sequence
from itertools import permutations
from time import perf_counter
from types import TracebackType

import numpy as np

from pokerlab.arena.chosen_deals import DealsLike, MatchCards, Pockets, pocket_texts
from pokerlab.arena.hands import PlayedHand
from pokerlab.arena.results import MatchPlan, MatchResult
from pokerlab.arena.table import play_hand
from pokerlab.arena.timed_bot import TimedBot
from pokerlab.bots.bot import Bot
from pokerlab.bots.catalogue import make_bot
from pokerlab.bots.failures import close_bot, reset_bot
from pokerlab.games import BettingGame
from pokerlab.strategies import load_table_game


def play_match(
    game: BettingGame | str,
    bots: Sequence[Bot | str],
    hands: int | None = None,
    seed: int = 0,
    *,
    duplicate: bool = False,
    time_limit: float | None = None,
    deals: DealsLike | None = None,
    pockets: Pockets | None = None,
    fixed_button: bool = False,
    on_hand: Callable[[PlayedHand], None] | None = None,
) -> MatchResult:
    """Play a match to its end.

    Parameters
    ----------
    game
        The rules, or the name of a game.
    bots
        The players, or their names as `make_bot` takes them. The same name twice is the same
        bot twice; two objects are two different bots.
    hands
        How many hands, all seatings counted: it must divide by their number. May be left out
        where `deals` are given: then each of them is played once, or once in each seating.
    seed
        The same seed gives the same match, and hand k gets the same cards whoever plays.
    duplicate
        Whether to play each deal in all seatings.
    time_limit
        Seconds for an action; one that takes longer is a call, and the match goes on without
        it (see `pokerlab.arena.timed_bot`).
    deals
        The cards of the hands in their order, or the file of them that ``pokerlab deals`` made.
    pockets
        By seat (a position: 0 is dealt to first): private cards, or a range of them.
    fixed_button
        Whether players keep their positions, instead of moving on after every hand.
    on_hand
        Called with every hand as soon as it is over.

    Examples
    --------
    >>> result = play_match("holdem.limit.2p", ["caller", "raiser"], 1000, 7, duplicate=True)
    >>> result.names, result.chips, result.stderr
    (('caller', 'raiser'), (0.0, 0.0), (0.0, 0.0))
    >>> kings = play_match("kuhn", ["raiser", "caller"], 100, pockets={0: "K"}, fixed_button=True)
    >>> kings.chips
    (200.0, -200.0)
    >>> play_match("leduc", ["caller"], 1000)
    Traceback (most recent call last):
    ValueError: leduc is a game for 2 players, and 1 bot was given
    """
    with Match(
        game,
        bots,
        hands,
        seed,
        duplicate=duplicate,
        time_limit=time_limit,
        deals=deals,
        pockets=pockets,
        fixed_button=fixed_button,
    ) as match:
        for hand in match:
            if on_hand is not None:
                on_hand(hand)
    return match.result()


class Match:
    """A match that is played hand by hand: iterate over it, and ask for the result at any time.

    Bots given by name are made here, and closed at the end of a ``with`` block; bots given as
    objects stay open. A bot that fails to close has one more fault in the result after that.

    Examples
    --------
    >>> with Match("kuhn", ["caller", "caller"], 1000, seed=3) as match:
    ...     for hand in match:
    ...         if hand.number == 9:
    ...             break
    ...     result = match.result()
    >>> result.names, result.hands, result.complete
    (('caller', 'caller#2'), 10, False)
    """

    def __init__(
        self,
        game: BettingGame | str,
        bots: Sequence[Bot | str],
        hands: int | None = None,
        seed: int = 0,
        *,
        duplicate: bool = False,
        time_limit: float | None = None,
        deals: DealsLike | None = None,
        pockets: Pockets | None = None,
        fixed_button: bool = False,
    ) -> None:
        named = game if isinstance(game, str) else game.name
        rules = load_table_game(game) if isinstance(game, str) else game
        self.game = seat_players(rules, len(bots))
        texts = tuple(bot if isinstance(bot, str) else type(bot).__name__ for bot in bots)
        self.names = different_names(texts)
        if duplicate:
            # Two objects of a class may differ in what they were made with.
            by_name = [bot for bot in bots if isinstance(bot, str)]
            self.seatings = seatings(len(bots), same_twice=len(set(by_name)) < len(by_name))
        else:
            self.seatings = (tuple(range(len(bots))),)
        self._cards = MatchCards(self.game, deals, pockets)
        if hands is None:
            if self._cards.count is None:
                raise ValueError("hands: say how many (without deals a match has no end)")
            hands = self._cards.count * len(self.seatings)
        check_hands(hands, len(self.seatings), seed)
        self._cards.check_enough(hands, len(self.seatings))
        if time_limit is not None and not time_limit > 0:
            raise ValueError(f"time limit: {time_limit:g} is not a number of seconds above 0")
        self.plan = MatchPlan(
            named,
            texts,
            hands,
            seed,
            duplicate,
            time_limit,
            fixed_button,
            pocket_texts(pockets),
            self._cards.source,
            self._cards.digest,
        )
        self._won = [array("d") for _ in bots]
        self._faults = [0] * len(bots)
        self._first_faults = [""] * len(bots)
        self._seconds = 0.0
        self._made: list[int] = []
        self._bots: list[Bot] = []
        try:
            for player, bot in enumerate(bots):
                if isinstance(bot, str):
                    bot = make_bot(bot)
                    self._made.append(player)
                self._bots.append(bot if time_limit is None else TimedBot(bot, time_limit))
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Match:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the bots that were made here."""
        while self._made:
            player = self._made.pop()
            if failure := close_bot(self._bots[player]):
                self._count_fault(player, failure)

    def __iter__(self) -> Iterator[PlayedHand]:
        """Play from the first hand on; a match is played once."""
        if self._won[0]:
            raise ValueError("this match has been played: make another one")
        began = perf_counter()
        players = len(self._bots)
        count = self.plan.hands // len(self.seatings)
        # The first child of the seed deals the cards, so nothing that bots draw changes them.
        cards, *blocks = np.random.SeedSequence(self.plan.seed).spawn(1 + len(self.seatings))
        for block, (seating, block_seed) in enumerate(zip(self.seatings, blocks, strict=True)):
            self._reset_bots(block_seed)
            rotations = [
                tuple(seating[(position + turn) % players] for position in range(players))
                for turn in range(1 if self.plan.fixed_button else players)
            ]
            tables = [
                (
                    order,
                    [self._bots[player] for player in order],
                    tuple(self.names[player] for player in order),
                )
                for order in rotations
            ]
            deals = self._cards.deal(count, np.random.default_rng(cards))
            for turn, deal in enumerate(deals):
                order, seated, names = tables[turn % len(tables)]
                hand = play_hand(
                    self.game,
                    deal,
                    seated,
                    players=order,
                    names=names,
                    number=block * count + turn,
                )
                for player, chips in zip(order, hand.payoffs, strict=True):
                    self._won[player].append(chips)
                if hand.faults:
                    self._count_faults(hand, order)
                self._seconds = perf_counter() - began
                yield hand

    def result(self) -> MatchResult:
        """The result of the hands played so far."""
        won = np.array(self._won)  # player × hand
        players, played = won.shape
        chips = won.sum(axis=1)
        per_sample = len(self.seatings) if played == self.plan.hands else 1
        samples = won.reshape(players, per_sample, -1).mean(axis=1)
        count = samples.shape[1]
        mbb = self.game.mbb
        errors = (
            samples.std(axis=1, ddof=1) / math.sqrt(count) * mbb
            if count > 1
            else np.full(players, math.nan)
        )
        return MatchResult(
            self.plan,
            self.names,
            played,
            tuple(chips.tolist()),
            tuple((chips / max(played, 1) * mbb).tolist()),
            tuple(errors.tolist()),
            tuple(self._faults),
            tuple(self._first_faults),
            self._seconds,
        )

    def _reset_bots(self, seed: np.random.SeedSequence) -> None:
        seeds = seed.spawn(len(self._bots))
        for bot, name, own in zip(self._bots, self.names, seeds, strict=True):
            reset_bot(bot, name, self.game, np.random.default_rng(own))

    def _count_faults(self, hand: PlayedHand, order: Sequence[int]) -> None:
        for fault in hand.faults:
            answer = f" answered {fault.answer!r}," if fault.answer else ""
            text = f"hand {hand.number}, after {fault.betting!r}:{answer} {fault.why}"
            self._count_fault(order[fault.position], text)

    def _count_fault(self, player: int, text: str) -> None:
        self._first_faults[player] = self._first_faults[player] or text
        self._faults[player] += 1


def seat_players(game: BettingGame, players: int) -> BettingGame:
    """The game with `players` seats; `ValueError` if its number of seats is fixed and differs.

    A game without blinds in which all begin with the same stack has as many seats as needed.

    Examples
    --------
    >>> from pokerlab.games import load_game
    >>> seat_players(load_game("draw"), 4).stacks
    (1000, 1000, 1000, 1000)
    """
    if players == game.players:
        return game
    if players < 2 or game.blinds or len(set(game.stacks)) != 1:
        given = "1 bot was given" if players == 1 else f"{players} bots were given"
        raise ValueError(f"{game.name} is a game for {game.players} players, and {given}")
    return game.with_stacks(game.stacks[:1] * players)


def seatings(players: int, *, same_twice: bool = False) -> tuple[tuple[int, ...], ...]:
    """The orders in which a duplicate match seats its players.

    Rotations alone give every player every position equally often. That is all there is where
    two of three are the same bot; where all three differ, who sits before whom matters too.

    Examples
    --------
    >>> seatings(2), len(seatings(3)), seatings(3, same_twice=True)
    (((0, 1), (1, 0)), 6, ((0, 1, 2), (1, 2, 0), (2, 0, 1)))
    """
    if players <= 3 and not same_twice:
        return tuple(permutations(range(players)))
    return tuple(
        tuple((first + place) % players for place in range(players)) for first in range(players)
    )


def different_names(texts: Sequence[str]) -> tuple[str, ...]:
    """Different names for players, some of which may have the same.

    Examples
    --------
    >>> different_names(["caller", "fair", "caller"])
    ('caller', 'fair', 'caller#2')
    """
    names = []
    for place, text in enumerate(texts):
        earlier = list(texts[:place]).count(text)
        names.append(f"{text}#{earlier + 1}" if earlier else text)
    return tuple(names)


def check_hands(hands: int, blocks: int, seed: int) -> None:
    """Refuse numbers of hands and seeds that no match has."""
    if hands < 1:
        raise ValueError(f"hands: {hands} is not a number of hands (1 or more)")
    if hands % blocks:
        below = hands - hands % blocks
        near = f"{below} or {below + blocks}" if below else f"{blocks}"
        raise ValueError(
            f"hands: {hands} hands cannot be shared by the {blocks} seatings of a duplicate match"
            f" (take {near})"
        )
    if seed < 0:
        raise ValueError(f"seed: {seed} is not a seed (0 or more)")
