"""What hands are worth to `NolimitBot`, from the solves at hand: nothing is solved for it.

Values are payoffs of the whole hand in chips, those of a chart or of a solve that was made to play
by. They are guesses for the reduction of variance (`Bot.hand_values`). No guess makes a result
wrong if it is made before the outcome is known: so a state has a value only where it does not
depend on what was done there later whether there is a solve. That is so

- before the flop, by the chart, for the player who acts;
- at the beginning of a flop of the library, unless flops are added to it;
- after an action of the bot, in the solve that it was taken from;
- at the next card, if all actions of the opponent since then were checks, calls and folds.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import numpy as np

from pokerlab.cards.codes import N_CARDS, N_COMBOS
from pokerlab.cards.equities.strength import hand_strength
from pokerlab.cards.isomorphism.suits import canonical, permute_cards, permute_combos
from pokerlab.games import DealtState
from pokerlab.players.bots.nolimit.library import FlopLibrary
from pokerlab.players.bots.nolimit.preflop import spread
from pokerlab.players.bots.nolimit.street import (
    Followed,
    UnsolvedError,
    worth_below,
)
from pokerlab.players.bots.nolimit.tracking import PublicHand, PublicPlay
from pokerlab.runtime.arrays import Floats

_LEAST_CARDS = 3
"""The turns of a subset of run-outs that must be known to guess the others."""


def decision_values(play: PublicPlay, view: DealtState, seat: int) -> Floats | None:
    """(2, 1326): what every hand of each seat is worth at a decision; None: no solve is at hand.

    Parameters
    ----------
    play
        That of the bot.
    view
        At a decision of any seat.
    seat
        That of the bot.
    """
    if not view.street:
        return _in_chart(play, view)
    hand = replace(PublicHand.of(view), seat=seat)
    done = hand.streets[view.street]
    if done and done[-1][0].player != seat:
        return None
    followed = _kept_line(play, hand, view.street) if done else _kept_flop(play, hand)
    if followed is None:
        return None
    try:
        ev = followed.solve.solution.at(followed.text).ev
    except ValueError:
        return None
    found = np.array([ev[hand.place(each)][hand.image] for each in range(2)])
    return np.asarray(found - np.array(view.node.spent, np.float64)[:, None])


def values_by_card(play: PublicPlay, view: DealtState, seat: int) -> Floats | None:
    """(52, 2, 1326): the same after each card that may come, by the solve of the street before.

    Where a flop was solved on some of the turns, the others get the mean of those, and as much
    more as the hand is farther ahead there. Only the hands of the opponent have values.
    """
    street, node = view.street, view.node
    if street < 2:
        return None
    old = view.board[: street + 1]
    flop, others = old[:3], [(card,) for card in old[3:]]
    first = canonical(flop, *others)
    some = next(card for card in range(N_CARDS) if card not in first.cards)
    hand = PublicHand(view.game, node, seat, (*first.cards, some), first.permutation)
    followed = _kept_line(play, hand, street - 1)
    if followed is None:
        return None
    followed = _without_values(followed)
    table = np.full((N_CARDS, 2, N_COMBOS), np.nan)
    found = table[:, 1 - seat]
    for card in range(N_CARDS):
        if card not in old:
            form = canonical(flop, *others, (card,))
            worth = worth_below(followed, form.cards[-1], 1 - hand.own, node.pot)
            if worth is not None:
                found[card] = worth[permute_combos(form.permutation)]
    if not _fill(found, old):
        return None
    return table - node.spent[1 - seat]


def _without_values(followed: Followed) -> Followed:
    """The same with a copy of the solution: what all cards are worth is not kept with the solve."""
    solve = followed.solve
    solution = replace(solve.solution, known=(solve.solution.boards, solve.solution.layout))
    return replace(followed, solve=replace(solve, solution=solution))


def _fill(found: Floats, old: tuple[int, ...]) -> bool:
    """Guess the rows of cards that a solve left out; False where it knows too few."""
    known = [card for card in range(N_CARDS) if np.isfinite(found[card]).any()]
    left = [card for card in range(N_CARDS) if card not in old and card not in known]
    if len(known) < _LEAST_CARDS:
        return False
    if not left:
        return True
    form = canonical(old)
    rows = [permute_cards((card,), form.permutation)[0] for card in range(N_CARDS)]
    ahead = _strengths(form.cards)[rows][:, permute_combos(form.permutation)]
    usual, lead = _mean(found[known]), _mean(ahead[known])
    more, farther = found[known] - usual, ahead[known] - lead
    there = np.isfinite(more) & np.isfinite(farther)
    spread = float(farther[there] @ farther[there])
    slope = float(more[there] @ farther[there]) / spread if spread > 0 else 0.0
    found[left] = usual + slope * (ahead[left] - lead)
    return True


@lru_cache(maxsize=64)
def _strengths(flop: tuple[int, ...]) -> Floats:
    """(52, 1326): the strength of hands after each turn."""
    found = np.full((N_CARDS, N_COMBOS), np.nan)
    for card in range(N_CARDS):
        if card not in flop:
            found[card] = hand_strength((*flop, card))
    return found


def _mean(rows: Floats) -> Floats:
    """The mean over the rows in which a hand is known."""
    known = np.isfinite(rows)
    count = known.sum(axis=0)
    sums = np.where(known, rows, 0.0).sum(axis=0)
    return np.where(count > 0, sums / np.maximum(count, 1), np.nan)


def _kept_line(play: PublicPlay, hand: PublicHand, street: int) -> Followed | None:
    """The line of a street in the solve of the bot's last decision there; None: it is not kept."""
    decisions = [node for node, _ in hand.streets[street] if node.player == hand.seat]
    if not decisions or not play.keeps(replace(hand, node=decisions[-1]), street):
        return None
    return _follow(play, hand, street)


def _kept_flop(play: PublicPlay, hand: PublicHand) -> Followed | None:
    """The beginning of a flop of the library."""
    if hand.node.street != 1 or not isinstance(play.flops, FlopLibrary) or play.flops.keep:
        return None
    return _follow(play, hand, 1) if play.flops.holds(play.root(hand, 1)) else None


def _follow(play: PublicPlay, hand: PublicHand, street: int) -> Followed | None:
    try:
        return play.follow(hand, street)
    except UnsolvedError:
        return None


def _in_chart(play: PublicPlay, view: DealtState) -> Floats | None:
    """By the classes of the chart, for the player who acts."""
    node = view.node
    chart = play.preflop(view.game)
    choices, values = chart.choices(node), chart.values(node)
    if not choices or any(action not in values for action in choices):
        return None
    mean = sum(
        np.where(often > 0, often * np.nan_to_num(values[action]), 0.0)
        for action, often in choices.items()
    )
    found = np.full((2, N_COMBOS), np.nan)
    found[node.player] = spread(np.asarray(mean)) - node.spent[node.player]
    return found
