"""Kernels of training against plain Python, iteration by iteration."""

import numpy as np
import pytest
from tests.holdem.limit.plain_training import ACTIONS, PlainTraining, public_step

from pokerlab.games import load_betting_game
from pokerlab.holdem.limit.buckets.look_up_kernels import buckets_of_cards
from pokerlab.holdem.limit.buckets.street_buckets import card_buckets
from pokerlab.holdem.limit.sampling.bucketed_game import BucketedGame
from pokerlab.holdem.limit.sampling.public_kernels import public_walks
from pokerlab.holdem.limit.sampling.training_kernels import (
    chance_sampling,
    external_sampling,
    outcome_sampling,
)
from pokerlab.holdem.limit.sampling.walk_kernels import leaf_worth
from pokerlab.holdem.limit.sampling.workspaces import board_workspace, deal_workspace
from pokerlab.holdem.limit.training.sampling_rules import SAMPLING_RULES, sampling_weights
from pokerlab.solvers.rules import RULES, parse_rule
from pokerlab.trees.limit.cards_kernels import cards_strength, deal_cards

STEPS = 40


def coarse_leduc():
    """Leduc with groups by rank, and one group for two boards: nobody recalls everything."""
    game = load_betting_game("leduc")
    first = card_buckets(np.array([0, 0, 1, 1, 2, 2], np.uint16), numbers="cards")
    pairs = np.array([[own // 2 == board // 2 for board in range(6)] for own in range(6)])
    second = card_buckets(pairs.astype(np.uint16).ravel(), numbers="cards")
    return BucketedGame(game, (first, second), "coarse")


GAMES = {
    "kuhn": lambda: BucketedGame.of(load_betting_game("kuhn"), "each"),
    "leduc": lambda: BucketedGame.of(load_betting_game("leduc"), "each"),
    "coarse": coarse_leduc,
    "three": lambda: BucketedGame(
        load_betting_game("kuhn.3p"),
        BucketedGame.of(load_betting_game("kuhn.3p"), "each").groups,
        "each",
    ),
}


def plain_for(game, state):
    def groups_of(cards):
        groups = np.zeros(len(game.groups), np.int64)
        buckets_of_cards(cards, game.look_up, groups)
        return groups

    return PlainTraining(game.game, groups_of, state)


def assert_same(game, found, expected):
    """Rows of a trainer against a dictionary by betting and group."""
    seen = np.zeros(len(found), bool)
    for (text, group), values in expected.items():
        node = game.betting.number_of[text]
        street = int(game.betting.streets[node])
        row = int(game.tree.base[node] + group * game.tree.width[street])
        seen[row] = True
        for action, value in values.items():
            assert found[row, ACTIONS.index(action)] == pytest.approx(value, rel=1e-3, abs=1e-4)
    assert not found[~seen].any()


TWO_PLAYERS = ["kuhn", "leduc", "coarse"]
METHODS = [
    *((method, name) for method in ("external", "outcome") for name in [*TWO_PLAYERS, "three"]),
    *(("chance", name) for name in TWO_PLAYERS),
]


@pytest.mark.parametrize("rule", SAMPLING_RULES)
@pytest.mark.parametrize(("method", "name"), METHODS)
def test_iterations_are_those_of_plain_python(name, method, rule):
    game = GAMES[name]()
    players = game.game.players
    weights = sampling_weights(parse_rule(rule))
    regret, total = (np.zeros((game.rows, 3), np.float32) for _ in range(2))
    state, own_state = (np.array([77], np.uint64) for _ in range(2))
    work, deck = deal_workspace(game), game.rules.deck.copy()
    cards = np.zeros_like(work.cards)
    plain = plain_for(game, own_state)
    for time in range(1, STEPS + 1):
        shared = (weights, game.tree, game.rules, game.look_up, regret, total)
        if method == "external":
            heroes = np.arange(players)
            external_sampling(time, 1, 1, *shared, None, None, heroes, state, work)
        elif method == "chance":
            chance_sampling(time, 1, 1, *shared, None, state, work)
        else:
            outcome_sampling(time, 1, 1, weights, 0.6, *shared[1:], state, work)
        deal_cards(cards, deck, game.rules.hole, own_state)
        plain.begin(cards, game.rules.hole, float(time), weights)
        if method == "chance":
            plain.chance(plain.first, [1.0, 1.0])
        else:
            for hero in range(players):
                if method == "external":
                    plain.external(plain.first, hero)
                else:
                    plain.outcome(plain.first, hero, 0.6)
        assert state[0] == own_state[0]
    assert_same(game, regret, plain.regret)
    assert_same(game, total, plain.total)
    assert len(plain.total) > 5


@pytest.mark.parametrize("name", TWO_PLAYERS)
@pytest.mark.parametrize("rule", SAMPLING_RULES)
def test_public_iterations_are_those_of_plain_python(name, rule):
    game = GAMES[name]()
    weights = sampling_weights(parse_rule(rule))
    regret, total = (np.zeros((game.rows, 3), np.float32) for _ in range(2))
    state, work = np.array([5], np.uint64), board_workspace(game)
    plain = plain_for(game, state)
    hands, hole = len(work.strength), game.rules.hole
    for time in range(1, 4):  # later, rounded numbers near 0 lead elsewhere
        public_walks(
            time,
            1,
            1,
            weights,
            game.tree,
            game.rules,
            game.look_up,
            regret,
            total,
            None,
            state,
            work,
        )
        plain.board = work.cards[0, hole:].tolist()
        plain.regret_weight = float(time) ** weights.regret_power
        plain.average_weight = float(time) ** weights.average_power
        plain.floor = weights.floor
        assert len({tuple(row) for row in work.cards.tolist()}) == hands
        public_step(
            plain,
            work.cards.tolist(),
            work.strength,
            work.groups,
            1.0 / (hands * (hands - 1)),
        )
    assert_same(game, regret, plain.regret)
    assert_same(game, total, plain.total)


@pytest.mark.parametrize("name", ["leduc", "kuhn.3p", "holdem.limit.2p"])
def test_leaves_pay_what_the_rules_say(name):
    game = BucketedGame.of(load_betting_game(name), "none")
    rng = np.random.default_rng(1)
    for number in rng.integers(0, len(game.betting.leaves), 60):
        leaf = game.betting.leaves[number]
        deal = game.game.deal(rng)
        state = game.game.replay(leaf.text, deal)
        cards = [np.array([*hole, *deal.board], np.uint8) for hole in deal.holes]
        strength = np.array([cards_strength(each, game.rules) for each in cards], np.int64)
        for hero in range(game.game.players):
            found = leaf_worth(
                number, hero, game.tree, strength, game.rules.whole_chips, game.rules.unit
            )
            assert found == pytest.approx(state.payoffs()[hero])


@pytest.mark.parametrize("rule", [name for name in RULES if name not in SAMPLING_RULES])
def test_rules_that_need_all_rows_are_refused(rule):
    with pytest.raises(ValueError, match=r"does not work with sampling \(cfr, linear, cfr\+\)"):
        sampling_weights(parse_rule(rule))


@pytest.mark.parametrize("rule", [*SAMPLING_RULES, "cfr+(0.5)"])
def test_weights_accumulate_what_discounts_leave(rule):
    """The sum of t^power x over iterations, in units of the last weight, is the discounted sum."""
    chosen = parse_rule(rule)
    weights = sampling_weights(chosen)
    discounted = total = average = summed = 0.0
    for time, gain in enumerate(np.random.default_rng(2).normal(size=20), 1):
        step = chosen.at(time)
        discounted = discounted * (step.positive if discounted > 0 else step.negative) + gain
        total += time**weights.regret_power * gain
        if weights.floor:
            discounted, total = max(discounted, 0.0), max(total, 0.0)
        assert total / time**weights.regret_power == pytest.approx(discounted)
        average = average * step.average + 1.0
        summed += time**weights.average_power
        assert summed / time**weights.average_power == pytest.approx(average)
