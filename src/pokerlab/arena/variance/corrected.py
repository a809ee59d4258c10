"""Payoffs with less luck in them: what is known of each player is used."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from operator import or_

from pokerlab.arena.hands import PlayedHand
from pokerlab.arena.variance.all_hands import KnownPlayer, averaged_payoffs
from pokerlab.arena.variance.as_dealt import Payoffs, all_known, as_dealt_payoffs, board_known
from pokerlab.arena.variance.call_down import GROWTH, GROWTH_OF_RANGES, CallDown
from pokerlab.arena.variance.margins import ShowdownCards
from pokerlab.players.bots.bot import Bot

_FEW = 100
"""Hands of a game for which any bot is asked one by one."""


def corrected_payoffs(
    hand: PlayedHand,
    bots: Mapping[str, Bot] | None = None,
    *,
    random_deal: bool = True,
    growth: float | None = None,
    hidden: Collection[str] = (),
    flop_first: bool = False,
) -> Payoffs:
    """The payoffs, corrected for the luck of the cards and of mixed strategies.

    What must be known of a player is their cards or, between two players, the strategy of all their
    hands. Against an opponent of whom neither is known, the luck of the own deal and of the own
    decisions is taken away, and that of the board stays; among three or more, the hand stays
    as it is.

    Parameters
    ----------
    hand
        What was played.
    bots
        Bots that tell their strategy, by the name of the player; they have been `reset`, and tell
        what they played by. Those that made a fault in this hand are not asked.
    random_deal
        Whether the hands were dealt at random; if they were chosen (a fixed pocket for a seat),
        the deal is no luck, and no hands but those dealt are looked at.
    growth
        Of the value function: how much more a lead is worth for each street to come. By default
        1.35 with the cards as dealt and 1.2 for means over all hands, which take most noise away.
    hidden
        Players whose cards are not known in all hands of the match (see `hidden_players`). Their
        cards are not looked at in any hand: hands that are shown down are not like others.
    flop_first
        Between two players of hold'em whose deals are whole: the flop is no luck, as if it was
        dealt before anything else, and hands are valued on it from the start. For flops of a list
        (`deal_on_flops`), and where a bot knows what hands are worth on a flop.

    Examples
    --------
    >>> from pokerlab.players.bots import Caller
    >>> from pokerlab.games import load_game
    >>> kuhn = load_game("kuhn")
    >>> hand = PlayedHand(kuhn, 0, kuhn.make_deal(["Ks", "Js"]), ("a", "b"), "cc", (1.0, -1.0))
    >>> corrected_payoffs(hand, {"a": Caller(), "b": Caller()}, growth=1.0)
    (0.0, 0.0)
    """
    at_fault = {fault.position for fault in hand.faults}
    known = [
        None if seat in at_fault else (bots or {}).get(name)
        for seat, name in enumerate(hand.players)
    ]
    if random_deal and len(known) == 2 and board_known(hand):
        rules = ShowdownCards.of(hand.game)
        seats = () if rules is None else _seats(hand, known, rules, hidden)
        if rules is not None and seats:
            values = CallDown(hand.game, GROWTH_OF_RANGES if growth is None else growth)
            return averaged_payoffs(hand, seats, rules, values, flop_first=flop_first)
    if hidden or not all_known(hand):
        return hand.payoffs
    values = CallDown(hand.game, GROWTH if growth is None else growth)
    return as_dealt_payoffs(hand, known, values, random_deal=random_deal)


def hidden_players(hands: Iterable[PlayedHand]) -> set[str]:
    """The players whose cards are not known in all of some hands.

    Examples
    --------
    >>> from pokerlab.games import load_game
    >>> kuhn = load_game("kuhn")
    >>> deal = kuhn.make_deal(["Ks", ""])
    >>> hidden_players([PlayedHand(kuhn, 0, deal, ("ann", "bob"), "rf", (1.0, -1.0))])
    {'bob'}
    """
    return {
        name
        for hand in hands
        for name, hole in zip(hand.players, hand.deal.holes, strict=True)
        if not hole
    }


def _seats(
    hand: PlayedHand, known: Sequence[Bot | None], rules: ShowdownCards, hidden: Collection[str]
) -> tuple[KnownPlayer, ...]:
    """What is known of two players; empty where the cards as dealt say all, or too little."""
    averaged = [bot is not None and _tells_all_hands(bot, rules) for bot in known]
    held = [
        rules.hands.index(tuple(sorted(hole, reverse=True)))
        if hole and name not in hidden
        else None
        for name, hole in zip(hand.players, hand.deal.holes, strict=True)
    ]
    shown = [each is not None for each in held]
    if not any(averaged) and all(shown):
        return ()
    if not all(map(or_, averaged, shown)):
        if not any(shown):
            return ()
        averaged = [False, False]  # of the two, one is hidden, and the other knows their own cards
    return tuple(map(KnownPlayer, known, averaged, held))


def _tells_all_hands(bot: Bot, rules: ShowdownCards) -> bool:
    """Whether a bot tells the strategy of all hands without being asked thousands of times."""
    own = type(bot).hand_strategy is not Bot.hand_strategy
    return own or len(rules.hands) <= _FEW
