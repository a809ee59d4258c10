"""Random hands beside PokerKit, action by action: actor, pot, stacks, bounds, payoffs.

PokerKit differs from card rooms in one place, which `compare` names: after an all-in for
less than the smallest bet, with no full bet on the street, it lets players raise who have
already acted.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from tests.effort import some_of

from pokerlab.cards.codes import format_cards, parse_cards
from pokerlab.games import (
    SHOWDOWN_RULES,
    BettingGame,
    Deal,
    DealtState,
    Street,
    load_betting_game,
)

pokerkit = pytest.importorskip("pokerkit")

AUTOMATIONS = (
    pokerkit.Automation.ANTE_POSTING,
    pokerkit.Automation.BET_COLLECTION,
    pokerkit.Automation.BLIND_OR_STRADDLE_POSTING,
    pokerkit.Automation.HOLE_CARDS_SHOWING_OR_MUCKING,
    pokerkit.Automation.HAND_KILLING,
    pokerkit.Automation.CHIPS_PUSHING,
    pokerkit.Automation.CHIPS_PULLING,
    pokerkit.Automation.RUNOUT_COUNT_SELECTION,
)
STRUCTURES = {
    "limit": pokerkit.BettingStructure.FIXED_LIMIT,
    "pot-limit": pokerkit.BettingStructure.POT_LIMIT,
    "no-limit": pokerkit.BettingStructure.NO_LIMIT,
}
HANDS = {
    "five-card": (pokerkit.Deck.STANDARD, pokerkit.StandardHighHand),
    "three-card": (pokerkit.Deck.STANDARD, pokerkit.RhodeIslandHoldemHand),
}
NO_STACK = 10**6


def exact_share(chips: int, parts: int) -> Any:
    """Shares without odd chips, as `odd_chips = "split"` has them."""
    return Fraction(chips, parts), 0


def pokerkit_state(game: BettingGame) -> pokerkit.State:
    """The same game, with whole chips, as a state of PokerKit."""
    deck, hand_type = HANDS[game.showdown]
    blinds = game.blinds[::-1] if game.players == 2 else game.blinds
    return pokerkit.State(
        AUTOMATIONS,
        deck,
        (hand_type,),
        tuple(
            pokerkit.Street(
                False,
                (False,) * street.hole,
                street.board,
                street.draw > 0,
                pokerkit.Opening.POSITION,
                game.smallest_bet(number),
                street.max_raises,
            )
            for number, street in enumerate(game.streets)
        ),
        STRUCTURES[game.betting],
        True,
        game.ante,
        blinds or 0,
        0,
        game.stacks or (NO_STACK,) * game.players,
        game.players,
        divmod=exact_share,
    )


def deal_pokerkit(peer: pokerkit.State, state: DealtState) -> None:
    """Give PokerKit the cards that it waits for, as far as our state has them."""
    while True:
        if peer.hole_dealee_index is not None and not peer.stand_patter_or_discarder_index:
            seat = peer.hole_dealee_index
            swaps = [swap for swap in state.swaps if swap.seat == seat]
            cards = swaps[-1].received if swaps else state.deal.holes[seat]
            peer.deal_hole(format_cards(cards))
        elif peer.board_dealing_count:
            known = sum(len(cards) for cards in peer.board_cards)
            peer.deal_board(
                format_cards(state.deal.board[known : known + peer.board_dealing_count])
            )
        else:
            return


def play(game: BettingGame, deal: Deal, rng: np.random.Generator) -> int:
    """Play one random hand in both; return how often the two disagreed on a short all-in."""
    state, peer = game.start(deal), pokerkit_state(game)
    deal_pokerkit(peer, state)
    deviations = 0
    while state.player >= 0:
        deviations += compare(state, peer)
        action = random_action(state, rng)
        before, state = state, state.apply(action)
        if before.node.drawing:
            peer.stand_pat_or_discard(action[1:])
        elif action == "f":
            peer.fold()
        elif action == "c":
            peer.check_or_call()
        else:
            peer.complete_bet_or_raise_to(state.spent[before.player] - paid_before(before))
        deal_pokerkit(peer, state)
    assert not peer.status
    assert state.payoffs() == pytest.approx([float(won) for won in peer.payoffs])
    return deviations


def paid_before(state: DealtState) -> int:
    """What a player with chips left had put in on earlier streets; antes count as earlier."""
    if state.street == 0:
        return state.game.ante
    earlier = state.betting.rpartition("/")[0]
    return state.game.replay(earlier, state.deal).node.price


def compare(state: DealtState, peer: pokerkit.State) -> int:
    """Check that both see the same table; 1 if PokerKit allows a raise that we do not."""
    assert peer.street_index == state.street
    assert peer.total_pot_amount == state.pot
    stacks = state.game.stacks or (NO_STACK,) * state.game.players
    left = [had - spent for had, spent in zip(stacks, state.spent, strict=True)]
    assert left == list(peer.stacks)
    assert [not gone for gone in state.folded] == list(peer.statuses)
    if state.node.drawing:
        assert peer.stand_patter_or_discarder_index == state.player
        return 0
    assert peer.actor_index == state.player
    assert peer.checking_or_calling_amount == state.to_call
    assert peer.can_fold() == ("f" in state.actions())
    lowest: Any = peer.min_completion_betting_or_raising_to_amount
    highest: Any = peer.max_completion_betting_or_raising_to_amount
    bounds = state.raise_bounds()
    if bounds is None and lowest is not None:
        assert peer.completion_betting_or_raising_amount < state.game.smallest_bet(state.street)
        return 1
    if bounds is None:
        assert lowest is None
    else:
        paid = paid_before(state)
        assert bounds == (lowest + paid, highest + paid)
    return 0


def random_action(state: DealtState, rng: np.random.Generator) -> str:
    """An action with many small raises and all-ins, and few folds, to reach side pots."""
    actions = state.actions()
    if state.node.drawing:
        return actions[int(rng.integers(len(actions)))]
    bounds = state.raise_bounds()
    if "f" in actions and rng.random() < 0.12:
        return "f"
    if bounds is None or rng.random() < 0.55:
        return "c"
    if state.game.betting == "limit":
        return "r"
    lowest, highest = bounds
    sizes = [lowest, highest, int(rng.integers(lowest, highest + 1)), (3 * lowest) // 2]
    return f"r{min(sizes[int(rng.integers(4))], highest)}"


def holdem(betting: str, stacks: list[int], ante: int = 0) -> BettingGame:
    """Hold'em with blinds 1 and 2 for these stacks."""
    players = len(stacks)
    first, blinds = (1, (2, 1)) if players == 2 else (2 % players, (1, 2) + (0,) * (players - 2))
    return BettingGame(
        name="holdem",
        players=players,
        betting=betting,
        blinds=blinds,
        stacks=tuple(stacks),
        ante=ante,
        streets=(
            Street(hole=2, first=first, bet=2, max_raises=4 if betting == "limit" else None),
            Street(board=3, bet=2, max_raises=4 if betting == "limit" else None),
            Street(board=1, bet=4 if betting == "limit" else 2),
            Street(board=1, bet=4 if betting == "limit" else 2),
        ),
    )


@pytest.mark.parametrize("hands", [some_of(40), pytest.param(400, marks=pytest.mark.slow)])
@pytest.mark.parametrize("betting", ["limit", "pot-limit", "no-limit"])
@pytest.mark.parametrize(
    "players", [2, 3, 6, *(pytest.param(each, marks=pytest.mark.slow) for each in (4, 5))]
)
def test_holdem_with_unequal_stacks(betting: str, players: int, hands: int) -> None:
    rng = np.random.default_rng([players, len(betting)])
    deviations = 0
    for _ in range(hands):
        stacks = rng.choice([4, 7, 11, 20, 33, 60, 100], size=players).tolist()
        game = holdem(betting, stacks, ante=int(rng.choice([0, 0, 1])))
        deviations += play(game, game.deal(rng), rng)
    assert deviations < hands / 4


@pytest.mark.parametrize("name", ["holdem.limit.2p", "holdem.limit.3p", "rhodeisland"])
def test_limit_games_of_the_catalogue(name: str) -> None:
    rng = np.random.default_rng(5)
    game = load_betting_game(name)
    for deal in game.deals(rng, some_of(100)):
        assert play(game, deal, rng) == 0


@pytest.mark.parametrize("name", ["holdem.nolimit.2p", "holdem.nolimit.3p"])
def test_no_limit_games_of_the_catalogue(name: str) -> None:
    rng = np.random.default_rng(6)
    game = load_betting_game(name)
    for deal in game.deals(rng, some_of(100)):
        assert play(game, deal, rng) == 0


@pytest.mark.parametrize("players", range(2, 7))
def test_five_card_draw(players: int) -> None:
    rng = np.random.default_rng(players)
    draw = replace(load_betting_game("draw"), odd_chips="split")
    deviations = 0
    count = some_of(60)
    for _ in range(count):
        stacks = rng.choice([25, 60, 100, 400, 1000], size=players).tolist()
        game = draw.with_stacks(stacks)
        deviations += play(game, game.deal(rng), rng)
    assert deviations < count / 3


def test_three_card_hands_rank_as_in_pokerkit() -> None:
    rng = np.random.default_rng(7)
    game = load_betting_game("rhodeisland")
    hands = [deal.holes[0] + deal.board for deal in game.deals(rng, 300)]
    hands += [tuple(parse_cards(text)) for text in ("As2d3c", "QsKdAc", "AsKs2s", "2s3s4s")]
    ours = [SHOWDOWN_RULES["three-card"].strength(cards, ()) for cards in hands]
    theirs = [pokerkit.RhodeIslandHoldemHand(format_cards(cards)) for cards in hands]
    order = sorted(range(len(hands)), key=ours.__getitem__)
    for one, other in pairwise(order):  # both are total orders: neighbours speak for all pairs
        assert theirs[one] <= theirs[other]
        assert (ours[one] == ours[other]) == (theirs[one] == theirs[other])
