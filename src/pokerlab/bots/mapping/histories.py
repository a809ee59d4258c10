"""Both sides of a mapping: the decision of three players, and the histories of two players.

The two-player game has 6,378 betting histories at which somebody must act. Their properties are
arrays here, so that a decision is compared with all of them at once. Chips are counted in small
blinds on both sides.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Literal

import numpy as np

from pokerlab.arrays import Bools, Floats, Indices
from pokerlab.bots.mapping.rounds import betting_rounds
from pokerlab.games import Betting
from pokerlab.games.betting import first_betting
from pokerlab.games.loading import load_betting_game
from pokerlab.games.rules import GameRules

Position = Literal["SB", "BB", "BU"]
POSITIONS: tuple[Position, ...] = ("SB", "BB", "BU")
"""Seats of the three-player game. With two players, seat 0 is BB and seat 1 is SB."""


@dataclass(frozen=True)
class ThreePlayerDecision:
    """A decision of a three-player hand, as it is against one of the opponents still in.

    Attributes
    ----------
    street
        0 for pre-flop.
    pot, to_call
        In small blinds; all chips in the middle, whoever put them there.
    raise_possible
        Whether the player may raise.
    opponents
        How many are still in.
    position, opponent_position
        Where the player and this opponent sit.
    spent, opponent_spent
        What each of them has put in, in small blinds.
    actions, opponent_actions
        What each of them did, by street.
    rounds
        What everybody did, by street.
    players
        How many were in when each street began.
    """

    street: int
    pot: float
    to_call: float
    raise_possible: bool
    opponents: int
    position: Position
    opponent_position: Position
    spent: float
    opponent_spent: float
    actions: tuple[str, ...]
    opponent_actions: tuple[str, ...]
    rounds: tuple[str, ...]
    players: tuple[int, ...]


def decisions_of(node: Betting) -> tuple[ThreePlayerDecision, ...]:
    """A three-player decision as seen against each opponent still in, in seat order.

    Examples
    --------
    >>> from pokerlab.games import load_game
    >>> decision, = decisions_of(load_game("holdem.limit.3p").replay("rfc/r").node)
    >>> decision.position, decision.opponent_position, decision.actions, decision.opponent_actions
    ('BU', 'BB', ('r', ''), ('c', 'r'))
    >>> decision.pot, decision.to_call, decision.players
    (11.0, 2.0, (3, 2))
    """
    unit = small_blind(node.game)
    rounds = tuple(node.text.split("/"))
    done = [["", "", ""] for _ in rounds]
    players = []
    step = first_betting(node.game)
    for street, actions in enumerate(rounds):
        players.append(len(step.live))
        for action in actions:
            done[street][step.player] += action
            step = step.after(action)
    hero = node.player
    return tuple(
        ThreePlayerDecision(
            street=node.street,
            pot=node.pot / unit,
            to_call=node.to_call / unit,
            raise_possible=node.raise_bounds() is not None,
            opponents=len(node.live) - 1,
            position=POSITIONS[hero],
            opponent_position=POSITIONS[seat],
            spent=node.spent[hero] / unit,
            opponent_spent=node.spent[seat] / unit,
            actions=tuple(by_seat[hero] for by_seat in done),
            opponent_actions=tuple(by_seat[seat] for by_seat in done),
            rounds=rounds,
            players=tuple(players),
        )
        for seat in node.live
        if seat != hero
    )


def small_blind(game: GameRules) -> int:
    """The unit of all amounts here."""
    return min(blind for blind in game.blinds if blind > 0)


@dataclass(frozen=True, eq=False)
class Histories:
    """The two-player histories at which somebody must act; entry n of all arrays is history n.

    The player who must act is the one that the mapped player becomes.

    Attributes
    ----------
    texts
        The histories, ``rc/cr``; those of a street follow each other.
    first
        Number of the first history of each street, and behind it the number of all.
    pot, to_call
        In small blinds.
    raise_possible
        Whether the player may raise.
    in_small_blind
        Whether the player posted the small blind (and is the last to act after the flop).
    spent, opponent_spent
        What the player and the other have put in, in small blinds.
    rounds
        What was done on each of the four streets, as a number: shape (4, histories). Twice the
        number of the round in `betting_rounds`, plus 1 if the player did not begin it.
    """

    texts: tuple[str, ...]
    first: tuple[int, ...]
    pot: Floats
    to_call: Floats
    raise_possible: Bools
    in_small_blind: Bools
    spent: Floats
    opponent_spent: Floats
    rounds: Indices

    def on_street(self, street: int) -> Indices:
        """The numbers of all histories of a street.

        Examples
        --------
        >>> histories = two_player_histories()
        >>> [len(histories.on_street(street)) for street in range(4)]
        [8, 70, 630, 5670]
        """
        return np.arange(self.first[street], self.first[street + 1])

    def number(self, text: str) -> int:
        """The number of a history.

        Examples
        --------
        >>> two_player_histories().number("rc/")
        48
        >>> two_player_histories().number("f")
        Traceback (most recent call last):
        ValueError: 'f' is not a history at which one of two players must act
        """
        number = _numbers(self.texts).get(text)
        if number is None:
            raise ValueError(f"{text[:60]!r} is not a history at which one of two players must act")
        return number


@cache
def two_player_histories() -> Histories:
    """All 6,378 histories of limit hold'em for two.

    Examples
    --------
    >>> histories = two_player_histories()
    >>> len(histories.texts), histories.texts[:4]
    (6378, ('', 'c', 'cr', 'crr'))
    """
    game = load_betting_game("holdem.limit.2p")
    unit = small_blind(game)
    nodes = sorted(_open_nodes(game.first_betting), key=lambda node: node.street)
    streets = [node.street for node in nodes]
    heroes = [node.player for node in nodes]
    spent = np.array([node.spent for node in nodes]) / unit
    every = np.arange(len(nodes))
    return Histories(
        texts=tuple(node.text for node in nodes),
        first=tuple(int(np.searchsorted(streets, street)) for street in range(5)),
        pot=spent.sum(axis=1),
        to_call=np.array([node.to_call for node in nodes]) / unit,
        raise_possible=np.array([node.raise_bounds() is not None for node in nodes]),
        in_small_blind=np.array(heroes) == 1,
        spent=spent[every, heroes],
        opponent_spent=spent[every, 1 - np.array(heroes)],
        rounds=np.array([_round_numbers(node) for node in nodes]).T.copy(),
    )


def action_distances(
    decision: ThreePlayerDecision, histories: Histories, candidates: Indices
) -> Indices:
    """How many actions of the player and of the opponent differ, over all streets.

    On each street and for each of the two, actions are compared place by place; each that one of
    them took more often than the other counts one.

    Examples
    --------
    >>> from pokerlab.games import load_game
    >>> decision, _ = decisions_of(load_game("holdem.limit.3p").replay("rcc/rr").node)
    >>> histories = two_player_histories()
    >>> texts = ("rc/r", "rc/rrr", "cc/cr")
    >>> action_distances(decision, histories, np.array([histories.number(text) for text in texts]))
    array([0, 2, 2])
    """
    total = np.zeros(len(candidates), dtype=np.intp)
    for street, (own, other) in enumerate(
        zip(decision.actions, decision.opponent_actions, strict=True)
    ):
        total += _round_distances(own, other)[histories.rounds[street][candidates]]
    return total


def _open_nodes(node: Betting) -> Iterator[Betting]:
    if node.player < 0:
        return
    yield node
    for action in node.actions():
        if action != "f":
            yield from _open_nodes(node.after(action))


def _round_numbers(node: Betting) -> list[int]:
    """The round of each street, and whether the player who acts at the node began it."""
    rounds = (node.text.split("/") + [""] * 3)[:4]
    order = tuple(betting_rounds(2))
    begins = [street.first == node.player for street in node.game.streets]
    return [
        2 * order.index(actions) + (not first)
        for actions, first in zip(rounds, begins, strict=True)
    ]


@lru_cache(maxsize=20_000)
def _round_distances(own: str, other: str) -> Indices:
    """The distance of one street to every round of two players, numbered as `Histories.rounds`."""
    found = []
    for actions in betting_rounds(2):
        first, second = actions[::2], actions[1::2]
        found.append(_differences(own, first) + _differences(other, second))
        found.append(_differences(own, second) + _differences(other, first))
    return np.array(found)


def _differences(one: str, other: str) -> int:
    differing = sum(mine != theirs for mine, theirs in zip(one, other, strict=False))
    return differing + abs(len(one) - len(other))


@cache
def _numbers(texts: tuple[str, ...]) -> dict[str, int]:
    return {text: number for number, text in enumerate(texts)}
