"""What hands are worth to the no-limit player: by its chart and its solves; none is made for it."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from tests.players.bots.nolimit.small_menus import SMALL

from pokerlab.cards.codes import COMBO_CARDS, combo_index, parse_cards
from pokerlab.cards.isomorphism.suits import permute_cards, permute_combos
from pokerlab.cards.ranges.blockers import unblocked_weights
from pokerlab.games import DealtState, load_game
from pokerlab.players.bots import NolimitBot
from pokerlab.players.bots.nolimit import street
from pokerlab.players.bots.nolimit.tracking import PublicHand

GAME = load_game("holdem.nolimit.2p").with_stacks([6000, 6000])
BOARD = "KsQd4h9c2s"
SEAT = 1


@pytest.fixture(autouse=True, scope="module")
def small_menus() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(street, "LADDERS", SMALL)
        yield


@pytest.fixture(scope="module")
def bot() -> NolimitBot:
    """A player that has come to the river."""
    found = NolimitBot(iterations=3, threads=1)
    found.reset(GAME, np.random.default_rng(1))
    for betting in ("cc/c", "cc/cc/c", "cc/cc/cc/c"):
        found.hand_strategy(at(betting).view(SEAT))
    return found


def at(betting: str, board: str = BOARD) -> DealtState:
    return GAME.replay(betting, GAME.make_deal(["7h6h", "5d5c"], board))


def test_nothing_is_solved(bot: NolimitBot) -> None:
    solved = bot.play.solved
    for betting in ("", "c", "cc/cc/", "cc/c", "cc/cr300", "cc/cc/cr300", "cc/r200", "r250c/c"):
        bot.hand_values(at(betting).view(at(betting).player), SEAT)
    for betting in ("cc/cc/", "cc/cc/cc/", "r250c/cc/", "cc/r200c/"):
        bot.card_values(at(betting).view(0), SEAT)
    assert bot.play.solved == solved


def test_what_was_not_solved_has_no_value(bot: NolimitBot) -> None:
    assert bot.hand_values(at("r250c/cr500").view(0), SEAT) is None
    assert bot.hand_values(at("cc/").view(0), SEAT) is None
    # Whether there is a solve where the bot decides depends on what came later.
    assert bot.hand_values(at("cc/c").view(1), SEAT) is None
    assert bot.card_values(at("cc/r200c/").view(0), SEAT) is None
    assert bot.card_values(at("cc/").view(0), SEAT) is None


@pytest.mark.parametrize("bet", ["cc/cr300", "cc/cc/cr300", "cc/cc/cc/cr300"])
def test_values_after_an_action_are_of_a_game_without_a_rake(bot: NolimitBot, bet: str) -> None:
    """What one player wins on average the other loses: over the ranges of the solve."""
    state = at(bet)
    values = bot.hand_values(state.view(0), SEAT)
    assert values is not None
    hand = PublicHand(GAME, state.node, SEAT, *_standard(state))
    followed = bot.play.follow(hand, state.street)
    weights = followed.solve.solution.decision(followed.text).weights
    first, second = (weights[hand.place(seat)][hand.image] for seat in (0, 1))
    sums = [
        np.nansum(own * unblocked_weights(other) * value)
        for own, other, value in ((first, second, values[0]), (second, first, values[1]))
    ]
    scale = np.nansum(first * unblocked_weights(second))
    assert sum(sums) / scale == pytest.approx(0.0, abs=0.5)
    pot = state.pot
    assert np.nanmax(values) <= 6000
    assert np.nanmin(values[0]) >= -6000
    assert np.nanmax(values[0]) > pot / 4


def _standard(state: DealtState) -> tuple[tuple[int, ...], tuple[int, ...]]:
    found = PublicHand.of(state)
    return found.board, found.suits


@pytest.mark.parametrize("betting", ["cc/cc/", "cc/cc/cc/"])
def test_values_after_each_card(bot: NolimitBot, betting: str) -> None:
    table = bot.card_values(at(betting).view(0), SEAT)
    assert betting == "cc/cc/cc/" or table is None  # one turn says too little of the others
    if table is None:
        return
    old = at(betting).board[:4]
    assert np.isnan(table[:, SEAT]).all()
    for card in range(52):
        known = np.isfinite(table[card, 1 - SEAT])
        possible = ~np.isin(COMBO_CARDS, (*old, card)).any(axis=1)
        assert (known == (possible & (card not in old))).all()
    queens = combo_index(*parse_cards("QhQc"))
    rivers = table[:, 1 - SEAT, queens]
    assert rivers[parse_cards("Qs")[0]] > np.nanmean(rivers) + 50  # four of them


def test_suits_do_not_matter(bot: NolimitBot) -> None:
    suits = (2, 0, 3, 1)
    board = permute_cards(parse_cards(BOARD), suits)
    state = GAME.replay("cc/cc/cr300", GAME.make_deal(["", ""], board))
    found = bot.hand_values(state.view(0), SEAT)
    other = bot.hand_values(at("cc/cc/cr300").view(0), SEAT)
    assert found is not None
    assert other is not None
    assert np.array_equal(found[:, permute_combos(suits)], other, equal_nan=True)


def test_the_chart_values_the_player_who_acts(bot: NolimitBot) -> None:
    values = bot.hand_values(at("").view(1), SEAT)
    assert values is not None
    assert np.isnan(values[0]).all()
    aces, worst = (combo_index(*parse_cards(text)) for text in ("AsAd", "7h2c"))
    assert values[1, aces] > 100 > values[1, worst] >= -55
