"""The search of `montecarlo:deep`, beside all plans of a player and the rules engine."""

from itertools import product

import numpy as np
import pytest

from pokerlab.cards import Range, equity
from pokerlab.cards.codes import COMBO_CARDS, N_COMBOS, combo_index, format_cards, parse_cards
from pokerlab.games import load_game
from pokerlab.players.bots.montecarlo.bot import MonteCarloBot, _pair_shares, _universe
from pokerlab.players.bots.montecarlo.depth_search import StreetSearch, showdown_shares
from pokerlab.players.bots.simple import Folder, Raiser


def nodes_of(node, street):
    if node.player < 0 or node.street > street:
        return []
    return [
        node,
        *(each for action in node.actions() for each in nodes_of(node.after(action), street)),
    ]


def brute_force(game, line, board, hole, weights, model):
    """The best plan of the player to act, against hands one by one, paid by the rules."""
    start = game.replay(line, game.make_deal(["", ""], board)).node
    seat = start.player
    mine = [node for node in nodes_of(start, start.street) if node.player == seat]
    hands, best = _universe(game).hands, -np.inf
    for plan in product(*(node.actions() for node in mine)):
        chosen = {node.text: action for node, action in zip(mine, plan, strict=True)}
        total = 0.0
        for number in np.flatnonzero(weights):
            cards = [format_cards(hole), format_cards(hands[number])]
            deal = game.make_deal(cards if seat == 0 else cards[::-1], board)

            def worth(state, number=number, chosen=chosen):
                if state.player < 0:
                    return state.payoffs()[seat]
                node = state.node
                if node.player == seat:
                    return worth(state.apply(chosen[node.text]))
                return sum(
                    model[node.text][action][number] * worth(state.apply(action))
                    for action in node.actions()
                )

            total += weights[number] * worth(game.replay(line, deal))
        best = max(best, total / weights.sum())
    return best


@pytest.mark.parametrize(
    ("name", "line", "board", "hand"),
    [
        ("kuhn", "", "", "Qs"),
        ("kuhn", "c", "", "Js"),
        ("kuhn", "r", "", "Ks"),
        ("kuhn2", "", "", "Ks"),
        ("leduc", "rc/", "Qs", "Kh"),
        ("leduc", "crc/cr", "Jh", "Js"),
    ],
)
def test_values_are_those_of_the_best_plan(name, line, board, hand):
    game, rng = load_game(name), np.random.default_rng(len(line))
    hole, public = parse_cards(hand), parse_cards(board)
    start = game.replay(line, game.make_deal(["", ""], board)).node
    hands = _universe(game).hands
    weights = rng.random(len(hands))
    weights[[bool({*each} & {*hole, *public}) for each in hands]] = 0.0
    model = {}
    for node in nodes_of(start, start.street):
        chances = rng.dirichlet(np.ones(len(node.actions())), len(hands)).T
        model[node.text] = dict(zip(node.actions(), chances, strict=True))
    search = StreetSearch(
        start.player,
        start.street,
        _pair_shares(game, hole, public),
        lambda node, action, _: model[node.text][action],
    )
    values = search.action_values(start, weights)
    expected = brute_force(game, line, board, hole, weights, model)
    assert max(values.values()) == pytest.approx(expected, abs=1e-12)
    assert search.value(start, weights) == max(values.values())


@pytest.mark.parametrize(
    ("board", "tolerance"),
    [("", 0.05), ("4h5h6h", 0.03), ("4h5h6hTc", 0.02), ("4h5h6hTc2d", 1e-9)],
)
def test_shares_are_equities(board, tolerance):
    cards = parse_cards(board)
    shares = showdown_shares(combo_index(*parse_cards("8s8d")), cards)
    blocked = np.isin(COMBO_CARDS, [*cards, *parse_cards("8s8d")]).any(axis=1)
    assert not shares[blocked].any()
    weights = np.where(blocked, 0.0, np.random.default_rng(1).random(N_COMBOS))
    samples = None if board else 20_000
    exact = equity("8s8d", Range(weights), board=board, samples=samples).value
    assert weights @ shares / weights.sum() == pytest.approx(exact, abs=tolerance)


@pytest.mark.parametrize(
    ("opponent", "hand", "best"),
    [(Folder(), "7h2c", "r"), (Raiser(), "7h2c", "f"), (Raiser(), "AsAd", "r")],
)
def test_it_bluffs_who_folds_and_not_who_raises(opponent, hand, best):
    game = load_game("holdem.limit.2p")
    bot = MonteCarloBot(deep=True)
    bot.reset(game, np.random.default_rng(1))
    for _ in range(60):
        bot.begin(1, [0, 1])
        state = game.start(game.make_deal(["KcQd", "9s8s"], "KhTh4dJs6c"))
        while state.player >= 0:
            own = "r" if "r" in state.actions() else "c"
            state = state.apply(own if state.player else opponent.act(state.view(0)))
        bot.end(state.view(1))
    bot.begin(1, [0, 1])
    view = game.start(game.make_deal(["", hand], "")).view(1)
    assert bot.act(view) == best
    values = bot._search(view)
    assert max(values, key=values.get) == best and values["f"] == -5.0


@pytest.mark.parametrize("name", ["leduc", "holdem.limit.2p"])
def test_it_plays_legally(name):
    game = load_game(name)
    bot, rng = MonteCarloBot(50, deep=True), np.random.default_rng(2)
    bot.reset(game, rng)
    for deal in game.deals(rng, 30):
        bot.begin(0, [0, 1])
        state = game.start(deal)
        while state.player >= 0:
            view = state.view(state.player)
            action = bot.act(view) if state.player == 0 else str(rng.choice(view.actions()))
            state = state.apply(action)
        bot.end(state.view(0))
