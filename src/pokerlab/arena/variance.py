"""Less luck in a result: payoffs corrected by what chance and mixed strategies added to them.

A payoff is corrected by terms that are zero on average, whatever the players do, so the mean stays
what it is and only the noise goes:

- *all-in*: once nobody can bet any more, the cards still to be dealt are replaced by their average.
- *AIVAT-style* (after Burch, Schmid, Moravčík, Morrill and Bowling, "AIVAT: a new variance
  reduction technique for agent evaluation in imperfect information games", 2018): at the deal, at
  every public card, and at every decision of a bot that tells its strategy (`Bot.probabilities`),
  the guess of a value function for what happened is taken away, and its mean over all that could
  have happened there is added.

The value function is what the players would get if all who are still in called, and the pot were
shared out by their chances to win with all cards known, the lead counted a little more for each
street of betting to come; at decisions, what bots that tell would do next on the street is
looked at first. Any function leaves the mean as it is; a better one takes away more
noise. Two things of the paper are not done: the hands that a known strategy might also have held
are not averaged over, and draws are not corrected for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from math import sqrt

import numpy as np

from pokerlab.arena.hands import PlayedHand
from pokerlab.arena.logs.replay import steps
from pokerlab.cards.codes import N_CARDS, card_mask, combo_index
from pokerlab.games import SHOWDOWN_RULES, TERMINAL, Betting, BettingGame, DealtState
from pokerlab.players.bots.bot import Bot
from pokerlab.players.bots.winning_chances import completed_boards
from pokerlab.players.strategies import SpotGame
from pokerlab.runtime.arrays import Floats

Cards = tuple[int, ...]
Payoffs = tuple[float, ...]

_SAMPLES = 10_000
_LOOKAHEAD = 4
"""How many actions to look ahead where bots tell what they do."""
_GROWTH = 1.35
"""How much more a lead is worth for each street of betting to come."""


@dataclass(frozen=True, slots=True)
class ScoreEstimate:
    """A player's winnings a hand, in chips: the mean and its standard error."""

    mean: float
    """The mean of all hands."""
    stderr: float
    """The standard error of the mean."""
    hands: int
    """How many hands there were."""


def estimate(
    hands: Iterable[PlayedHand],
    payoffs: Callable[[PlayedHand], Sequence[float]] = lambda hand: hand.payoffs,
) -> dict[str, ScoreEstimate]:
    """The mean result of each player, by the name of the player.

    Parameters
    ----------
    hands
        Hands of a match; each counts as one, also those of a duplicate match.
    payoffs
        What a hand gave to each position: the payoffs, or `all_in_payoffs`, or
        `corrected_payoffs` with bots.

    Examples
    --------
    >>> from pokerlab.games import load_game
    >>> kuhn = load_game("kuhn")
    >>> deal = kuhn.make_deal(["Ks", "Js"])
    >>> hands = [
    ...     PlayedHand(kuhn, 0, deal, ("ann", "bob"), "rc", (2.0, -2.0)),
    ...     PlayedHand(kuhn, 1, deal, ("bob", "ann"), "cc", (1.0, -1.0)),
    ... ]
    >>> {name: (found.mean, round(found.stderr, 3)) for name, found in estimate(hands).items()}
    {'ann': (0.5, 1.5), 'bob': (-0.5, 1.5)}
    """
    won: dict[str, list[float]] = {}
    for hand in hands:
        for player, chips in zip(hand.players, payoffs(hand), strict=True):
            won.setdefault(player, []).append(float(chips))
    found = {}
    for player, each in won.items():
        spread = float(np.std(each, ddof=1)) if len(each) > 1 else float("nan")
        found[player] = ScoreEstimate(float(np.mean(each)), spread / sqrt(len(each)), len(each))
    return found


def all_in_payoffs(hand: PlayedHand) -> Payoffs:
    """The payoffs, with cards dealt after the last decision replaced by their average.

    A hand of which some cards are not known stays as it is.

    Examples
    --------
    Aces against kings, all-in on the flop; a king was dealt, but that was luck:

    >>> from pokerlab.games import load_game
    >>> game = load_game("holdem.nolimit.2p")
    >>> deal = game.make_deal(["AsAd", "KsKd"], "2c7d9hKc3s")
    >>> hand = PlayedHand(game, 0, deal, ("ann", "bob"), "cc/r20000c//", (-20000.0, 20000.0))
    >>> [round(chips) for chips in all_in_payoffs(hand)]
    [16646, -16646]
    """
    played = list(steps(hand))
    if not played or not _all_known(hand):
        return hand.payoffs
    before, after = played[-1].before, played[-1].after
    if len(after.node.live) == 1 or after.board == before.board:
        return hand.payoffs
    return tuple(_Values(hand, 1.0).at(after.node, after.holes, before.board).tolist())


def corrected_payoffs(
    hand: PlayedHand,
    bots: Mapping[str, Bot] | None = None,
    *,
    random_deal: bool = True,
    growth: float = _GROWTH,
) -> Payoffs:
    """The payoffs, corrected for the luck of the cards and of mixed strategies.

    A hand of which some cards are not known stays as it is.

    Parameters
    ----------
    hand
        What was played.
    bots
        Bots that tell their strategy, by the name of the player; they have been `reset`. Their
        decisions are corrected for, except where one made a fault in this hand.
    random_deal
        Whether the hands were dealt at random; if they were chosen (a fixed pocket for a seat),
        the deal is no luck. The deal of a spot is never corrected for.
    growth
        Of the value function: how much more a lead is worth for each street to come.

    Examples
    --------
    >>> from pokerlab.players.bots import Caller
    >>> from pokerlab.games import load_game
    >>> kuhn = load_game("kuhn")
    >>> hand = PlayedHand(kuhn, 0, kuhn.make_deal(["Ks", "Js"]), ("a", "b"), "cc", (1.0, -1.0))
    >>> corrected_payoffs(hand, {"a": Caller(), "b": Caller()}, growth=1.0)
    (0.0, 0.0)
    """
    if not _all_known(hand):
        return hand.payoffs
    values = _Values(hand, growth)
    total = np.array(hand.payoffs)
    first = hand.game.start(hand.deal)
    if random_deal and not isinstance(hand.game, SpotGame):
        # All seats are dealt at random: on average nobody is ahead.
        total += values.even(first.node) - values.at(first.node, first.holes, first.board)
    choices = _Choices(hand, bots or {}, values)
    for step in steps(hand):
        total += choices.correction(step.before, step.action)
        old, new = step.before.board, step.after.board
        if old != new:
            node, holes = step.after.node, step.after.holes
            total += values.at(node, holes, old) - values.at(node, holes, new)
    return tuple(total.tolist())


class _Choices:
    """What bots that tell their strategy might have done: the luck of a decision."""

    def __init__(self, hand: PlayedHand, bots: Mapping[str, Bot], values: _Values) -> None:
        at_fault = {fault.position for fault in hand.faults}
        self.bots = [
            None if seat in at_fault else bots.get(name) for seat, name in enumerate(hand.players)
        ]
        self.values = values

    def correction(self, before: DealtState, taken: str) -> Floats:
        """The mean value of the actions that a bot could take, less the value of the one taken."""
        probabilities = self._probabilities(before)
        if probabilities is None:
            return np.zeros(len(before.holes))
        each = {
            action: self._ahead(before.apply(action), before, _LOOKAHEAD)
            for action, chance in probabilities.items()
            if chance > 0.0 or action == taken
        }
        mean = sum((probabilities[action] * value for action, value in each.items()), np.zeros(1))
        return np.asarray(mean / sum(probabilities.values()) - each[taken])

    def _ahead(self, state: DealtState, before: DealtState, depth: int) -> Floats:
        """The value of a state: the mean over what bots do next, to the end of the street."""
        probabilities = None
        if depth and state.street == before.street:
            probabilities = self._probabilities(state)
        if probabilities is None:
            return self.values.at(state.node, before.holes, before.board)
        total = np.zeros(len(before.holes))
        for action, chance in probabilities.items():
            if chance > 0.0:
                total += chance * self._ahead(state.apply(action), before, depth - 1)
        return total / sum(probabilities.values())

    def _probabilities(self, state: DealtState) -> Mapping[str, float] | None:
        """The strategy of the player; None if it does not tell it, and at a draw."""
        if state.player == TERMINAL or state.node.drawing:
            return None
        bot = self.bots[state.player]
        return None if bot is None else bot.probabilities(state.view(state.player))


def showdown_shares(
    game: BettingGame, holes: Sequence[Cards], board: Cards, dead: Cards = ()
) -> tuple[float, ...]:
    """The share of the pot that each of some known hands wins on average.

    Every way to complete the board is played; in hold'em before the flop 10,000 of them, always
    the same for the same hands.

    Parameters
    ----------
    game
        Whose deck and showdown.
    holes
        The hands that are still in.
    board
        The public cards so far.
    dead
        Cards that cannot be dealt: those of hands that were folded.

    Examples
    --------
    >>> from pokerlab.cards.codes import parse_cards
    >>> from pokerlab.games import load_game
    >>> leduc = load_game("leduc")
    >>> showdown_shares(leduc, [parse_cards("Ks"), parse_cards("Js")], ())
    (0.75, 0.25)
    """
    # One order for the same hands, so that sampling cannot favour a seat.
    order = sorted(range(len(holes)), key=lambda place: sorted(holes[place]))
    ordered = tuple(tuple(sorted(holes[place])) for place in order)
    rules = (game.showdown, game.deck, game.board_cards[-1])
    found = _shares(rules, ordered, tuple(sorted(board)), tuple(sorted(dead)))
    shares = [0.0] * len(holes)
    for place, share in zip(order, found, strict=True):
        shares[place] = share
    return tuple(shares)


@lru_cache(maxsize=1 << 14)
def _shares(
    rules: tuple[str, Cards, int], holes: tuple[Cards, ...], board: Cards, dead: Cards
) -> tuple[float, ...]:
    showdown, deck, full = rules
    if showdown == "five-card" and full == 5 and len(deck) == N_CARDS and len(holes[0]) == 2:
        return _holdem_shares(holes, board, dead)
    gone = {*board, *dead, *(card for hole in holes for card in hole)}
    left = [card for card in deck if card not in gone]
    strength = SHOWDOWN_RULES[showdown].strength
    won = np.zeros(len(holes))
    run_outs = list(combinations(left, full - len(board)))
    for cards in run_outs:
        strengths = np.array([strength(hole, board + cards) for hole in holes])
        winners = strengths == strengths.max()
        won += winners / winners.sum()
    return tuple((won / len(run_outs)).tolist())


def _holdem_shares(holes: tuple[Cards, ...], board: Cards, dead: Cards) -> tuple[float, ...]:
    from pokerlab.cards.equities.equity_kernels import Seats, add_deals, sample_deals
    from pokerlab.cards.equities.showdowns import COMBO_MASKS
    from pokerlab.cards.evaluator import tables as evaluator_tables

    tables = evaluator_tables.load()
    combos = np.array([combo_index(*hole) for hole in holes])
    seats = Seats(
        np.arange(len(holes) + 1),
        COMBO_MASKS[combos],
        tables.combo_key[combos],
        tables.combo_bit[combos],
        np.ones(len(holes)),
    )
    deal = np.arange(len(holes), dtype=np.int32)[None]
    sums = np.zeros((len(holes) + 1, 3))
    if len(board) < 3:
        seed = np.uint64(card_mask(card for hole in holes for card in hole))
        gone = np.uint64(card_mask(dead))
        known = np.array(board, np.uint8)
        sample_deals(_SAMPLES, seed, known, gone, seats, np.ones(1), deal, sums, tables)
    else:
        cards = (*board, *dead, *(card for hole in holes for card in hole))
        boards = completed_boards(board, card_mask(cards))
        ones = np.ones(len(boards), np.int64)
        add_deals(boards, ones, seats, deal, np.ones(1), sums, tables)
    return tuple(((sums[:-1, 0] + sums[:-1, 1]) / sums[-1, 0]).tolist())


class _Values:
    """The value function: the payoff of each seat if all who are still in call."""

    def __init__(self, hand: PlayedHand, growth: float) -> None:
        self.game = hand.game
        self.growth = growth

    def at(self, node: Betting, holes: tuple[Cards, ...], board: Cards) -> Floats:
        """The value of a node with these cards, in the unit of payoffs."""
        even = self.even(node)
        if len(node.live) == 1:
            return even
        won = self._shared_out(node, lambda seats: self._shares(seats, holes, board))
        return even + self._weight(node) * (won - even)

    def even(self, node: Betting) -> Floats:
        """The value if all hands that are still in were worth the same."""
        return self._shared_out(node, lambda seats: (1 / len(seats),) * len(seats))

    def _shared_out(
        self, node: Betting, shares: Callable[[list[int]], tuple[float, ...]]
    ) -> Floats:
        """Cut the pot at the totals of those still in, and share out each layer."""
        live, paid = node.live, self._paid(node)
        won = -np.array(paid, np.float64)
        below = 0
        for level in sorted({paid[seat] for seat in live}):
            layer = sum(min(chips, level) - min(chips, below) for chips in paid)
            below = level
            entitled = [seat for seat in live if paid[seat] >= level]
            won[entitled] += layer * np.array(shares(entitled))
        return won / self.game.unit

    def _paid(self, node: Betting) -> list[int]:
        """The chips of each seat once all who are still in have called."""
        if node.player == TERMINAL:
            return list(node.spent)
        return [
            spent if gone else max(spent, int(min(node.price, chips)))
            for spent, gone, chips in zip(node.spent, node.folded, self.game.chips, strict=True)
        ]

    def _weight(self, node: Betting) -> float:
        streets = 0 if node.player == TERMINAL else len(self.game.streets) - node.street
        return float(self.growth**streets)

    def _shares(
        self, entitled: list[int], holes: tuple[Cards, ...], board: Cards
    ) -> tuple[float, ...]:
        if len(entitled) == 1:
            return (1.0,)
        dead = tuple(
            card for seat, hole in enumerate(holes) if seat not in entitled for card in hole
        )
        return showdown_shares(self.game, [holes[seat] for seat in entitled], board, dead)


def _all_known(hand: PlayedHand) -> bool:
    """Whether every card is known, and all private ones from the beginning."""
    game, deal = hand.game, hand.deal
    return (
        game.hole_cards[0] == game.hole_cards[-1]
        and all(deal.holes)
        and len(deal.board) == game.board_cards[-1]
    )
