"""Freeze-outs: everybody begins with the same chips and plays until one has them all.

Chips are carried from hand to hand, a player without chips is out, and the button moves left. The
cards of a hand depend on the seed, the tournament and the number of the hand, and on nothing
that was played before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from pokerlab.arena.hands import PlayedHand
from pokerlab.arena.table import play_hand
from pokerlab.games import BettingGame
from pokerlab.players.bots.bot import Bot
from pokerlab.players.bots.failures import reset_bot

MAX_HANDS = 20_000
"""The most hands of a tournament, for players who never bet; then the chips decide."""


@dataclass(frozen=True, slots=True)
class FreezeOut:
    """How one freeze-out ended.

    Attributes
    ----------
    stacks
        The chips of each player at the end.
    places
        The place of each player, 1 for the winner. Of two who went out in the same hand, the one
        who had more chips before it is in front; equal ones share the mean of their places.
    hands
        How many hands it took.
    faults
        How many faults each player made.
    """

    stacks: tuple[int, ...]
    places: tuple[float, ...]
    hands: int
    faults: tuple[int, ...]

    @property
    def finished(self) -> bool:
        """Whether one player has all chips."""
        return max(self.stacks) == sum(self.stacks)

    @property
    def shares(self) -> tuple[float, ...]:
        """1 for the winner; if it was stopped, everybody's share of the chips."""
        total = sum(self.stacks)
        return tuple(stack / total for stack in self.stacks)


@dataclass(frozen=True, slots=True)
class FreezeOutResult:
    """The results of many freeze-outs.

    Attributes
    ----------
    names
        The players.
    wins
        The share of the tournaments that each of them won.
    errors
        One standard error of each share; NaN after one tournament.
    places
        The mean place of each.
    faults
        How many faults each made.
    tournaments, hands, unfinished
        How many were played, with how many hands in all, and how many were stopped.
    """

    names: tuple[str, ...]
    wins: tuple[float, ...]
    errors: tuple[float, ...]
    places: tuple[float, ...]
    faults: tuple[int, ...]
    tournaments: int
    hands: int
    unfinished: int


def play_freeze_out(
    game: BettingGame,
    bots: Sequence[Bot],
    seed: int | Sequence[int],
    *,
    names: Sequence[str] | None = None,
    max_hands: int = MAX_HANDS,
    watch: Callable[[PlayedHand], None] | None = None,
) -> FreezeOut:
    """Play one freeze-out.

    Parameters
    ----------
    game
        A game with stacks: without blinds (blinds belong to seats, and here seats go away), or for
        two. If it names stacks of another number of players, everybody begins with the first of
        them.
    bots
        The players; the first to act in the first hand is the first of them.
    seed
        The same seed, the same tournament.
    names
        What to call the players in the record of hands.
    max_hands
        Stop after this number of hands.
    watch
        Called with every hand.

    Examples
    --------
    >>> from pokerlab.players.bots import Caller, Raiser
    >>> from pokerlab.games import load_game
    >>> end = play_freeze_out(load_game("draw"), [Caller(), Raiser(), Raiser()], seed=1)
    >>> end.finished, sorted(end.stacks), sum(end.places)
    (True, [0, 0, 3000], 6.0)
    """
    game = _for_players(game, len(bots))
    names = [type(bot).__name__ for bot in bots] if names is None else names
    path = [seed] if isinstance(seed, int) else list(seed)
    for player, bot in enumerate(bots):
        reset_bot(bot, names[player], game, _stream(path, 0, player))
    stacks = list(game.stacks)
    places = [1.0] * len(bots)
    faults = [0] * len(bots)
    order = list(range(len(bots)))  # who is left; the first of them acts first
    number = 0
    while len(order) > 1 and number < max_hands:
        before = [stacks[player] for player in order]
        hand_game = game if before == list(game.stacks) else game.with_stacks(before)
        hand = play_hand(
            hand_game,
            hand_game.deal(_stream(path, 1, number)),
            [bots[player] for player in order],
            players=order,
            names=[names[player] for player in order],
            number=number,
        )
        for player, won in zip(order, hand.payoffs, strict=True):
            stacks[player] += round(won * game.unit)
        for fault in hand.faults:
            faults[order[fault.position]] += 1
        if watch is not None:
            watch(hand)
        for player, place in _places_of_those_out(order, before, stacks):
            places[player] = place
        # The one who acted first goes to the end of the line: the button moves to the left.
        order = [player for player in [*order[1:], order[0]] if stacks[player]]
        number += 1
    for player in order:
        ahead = sum(stacks[other] > stacks[player] for other in order)
        level = sum(stacks[other] == stacks[player] for other in order)
        places[player] = ahead + (level + 1) / 2
    return FreezeOut(tuple(stacks), tuple(places), number, tuple(faults))


def play_freeze_outs(
    game: BettingGame,
    bots: Sequence[Bot],
    tournaments: int,
    seed: int,
    *,
    names: Sequence[str] | None = None,
    max_hands: int = MAX_HANDS,
    report: Callable[[int], None] | None = None,
) -> FreezeOutResult:
    """Play many freeze-outs, and say how often each bot wins.

    Who acts first in the first hand changes from one tournament to the next; the order around
    the table is drawn anew. Ctrl-C ends the last one that is begun, which then does not count; the
    result has those before it.

    Parameters
    ----------
    report
        Is called with the number of tournaments that are done.

    Examples
    --------
    >>> from pokerlab.players.bots import Caller, Folder
    >>> from pokerlab.games import load_game
    >>> result = play_freeze_outs(load_game("draw"), [Caller(), Folder()], 4, seed=1,
    ...                           max_hands=10)
    >>> result.names, sum(result.wins), result.unfinished
    (('Caller', 'Folder'), 1.0, 4)
    """
    if tournaments < 1:
        raise ValueError(f"{tournaments} tournaments cannot be played (1 or more)")
    names = _distinct([type(bot).__name__ for bot in bots] if names is None else names)
    ends: list[tuple[list[int], FreezeOut]] = []
    try:
        for number in range(tournaments):
            seats = _stream([seed, number], 2).permutation(len(bots)).tolist()
            end = play_freeze_out(
                game,
                [bots[player] for player in seats],
                [seed, number],
                names=[names[player] for player in seats],
                max_hands=max_hands,
            )
            ends.append((seats, end))
            if report is not None:
                report(number + 1)
    except KeyboardInterrupt:
        if not ends:
            raise
    return _result(names, ends)


def _result(names: Sequence[str], ends: Sequence[tuple[list[int], FreezeOut]]) -> FreezeOutResult:
    """The results; for each tournament, who sat where and how it ended."""
    shares = np.zeros((len(ends), len(names)))
    places = np.zeros((len(ends), len(names)))
    faults = np.zeros(len(names), dtype=np.int64)
    for number, (seats, end) in enumerate(ends):
        shares[number, seats] = end.shares
        places[number, seats] = end.places
        faults[seats] += np.array(end.faults)
    spread = shares.std(axis=0, ddof=1) if len(ends) > 1 else np.full(len(names), np.nan)
    return FreezeOutResult(
        tuple(names),
        tuple(shares.mean(axis=0).tolist()),
        tuple((spread / np.sqrt(len(ends))).tolist()),
        tuple(places.mean(axis=0).tolist()),
        tuple(faults.tolist()),
        len(ends),
        sum(end.hands for _, end in ends),
        sum(not end.finished for _, end in ends),
    )


def _stream(seed: Sequence[int], *key: int) -> np.random.Generator:
    """Random numbers of their own for each bot, for each hand and for the seats.

    A list of seeds alone would not do: to NumPy one that ends in zeros is the same as one without.
    """
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=key))


def _for_players(game: BettingGame, players: int) -> BettingGame:
    """The game for a number of players, in whole chips."""
    if not game.stacks or (game.blinds and not game.players == players == 2):
        missing = (
            "with more than two players, blinds belong to seats that go away"
            if game.stacks
            else "it has no stacks"
        )
        raise ValueError(
            f"{game.name} cannot be played as a freeze-out of {players}: {missing}; play draw, a"
            " no-limit game for two, or a .toml file with stacks and an ante instead of blinds"
        )
    if game.ante == 0 and not any(game.blinds):
        raise ValueError(f"{game.name} has no ante: a freeze-out might never end")
    if players < 2:
        raise ValueError(f"{players} bots: a freeze-out needs two or more")
    stacks = game.stacks if len(game.stacks) == players else (game.stacks[0],) * players
    return replace(game, players=players, stacks=stacks, odd_chips="first")


def _places_of_those_out(
    order: Sequence[int], before: Sequence[int], stacks: Sequence[int]
) -> Iterator[tuple[int, float]]:
    """The places of players who lost their last chips in a hand."""
    out = {player: had for player, had in zip(order, before, strict=True) if not stacks[player]}
    left = len(order) - len(out)
    for player, had in out.items():
        ahead = sum(other > had for other in out.values())
        level = sum(other == had for other in out.values())
        yield player, left + ahead + (level + 1) / 2


def _distinct(names: Sequence[str]) -> list[str]:
    """Names that differ: the second caller is ``caller.2``."""
    return [
        name if names[:place].count(name) == 0 else f"{name}.{names[:place].count(name) + 1}"
        for place, name in enumerate(names)
    ]
