"""Push or fold beside plain enumeration on a small deck, and beside the linear program."""

from collections import Counter
from dataclasses import replace
from functools import cache
from itertools import permutations, product

import numpy as np
import pytest
from scipy.optimize import linprog

from pokerlab.cards.codes import COMBO_CARDS
from pokerlab.cards.equities.equity import equity
from pokerlab.cards.evaluator import tables as evaluator_tables
from pokerlab.cards.hand_classes import CLASS_NAMES, CLASS_OF_COMBO, CLASS_SIZES
from pokerlab.holdem.preflop import class_tables, solve_push_fold
from pokerlab.holdem.preflop.class_matchups import N_CLASSES
from pokerlab.holdem.pushfold import (
    HandTables,
    PushFoldRules,
    hand_tables,
    solve_push_fold_table,
    solving,
)
from pokerlab.holdem.pushfold.hand_tables import count_triples, order_codes, sorted_triples
from pokerlab.holdem.pushfold.rules import ORDERS
from pokerlab.holdem.pushfold.solving import PushFoldTable
from pokerlab.holdem.pushfold.three_way_kernels import sample_orders

RANKS, COPIES = 4, 3
DECK = [rank for rank in range(RANKS) for _ in range(COPIES)]
"""A small deck: each player holds one card, rank 0 is the best."""

THREE = [
    PushFoldRules((3, 8, 5)),
    PushFoldRules((3, 8, 5), (50, 30, 20)),
    PushFoldRules((6, 2, 2.5), (60, 40), (4,), ante=0.1),
    PushFoldRules((6, 2), (60, 40), (4,), ante=0.1),
    PushFoldRules((3, 8, 5), (50, 30, 20), bounties=(10, 20, 5), progressive=True),
    PushFoldRules((6, 0.3, 2.5), (60, 40), (4,), ante=0.1, bounties=(10,)),
    PushFoldRules((0.1, 5, 0.7), ante=0.1),
]


def ranks_of(cards):
    return tuple(sorted(set(cards)).index(card) for card in cards)


def small_tables() -> HandTables:
    pairs, triples = np.zeros((RANKS,) * 2), np.zeros((RANKS,) * 3)
    for one, two, three in permutations(range(len(DECK)), 3):
        pairs[DECK[one], DECK[two]] += 1
        triples[DECK[one], DECK[two], DECK[three]] += 1
    own = np.indices((RANKS, RANKS))
    pair_orders = np.array([own[0] < own[1], own[0] == own[1], own[0] > own[1]], float)
    orders = np.zeros((len(sorted_triples(RANKS)), 13), np.float32)
    for number, triple in enumerate(sorted_triples(RANKS).tolist()):
        orders[number, ORDERS[3].index(ranks_of(triple))] = 1
    chances = np.full(RANKS, 1 / RANKS)
    triples = (triples / triples.sum()).astype(np.float32)
    return HandTables(chances, pairs / pairs.sum(), pair_orders, triples, orders)


def endless_tables() -> HandTables:
    """The same with a deck for each player: their hands are independent."""
    tables, even = small_tables(), np.full(RANKS, 1 / RANKS)
    return replace(tables, pairs=np.outer(even, even))


def deals_of(players):
    """How often each deal of the small deck comes."""
    dealt = permutations(range(len(DECK)), players)
    return Counter(tuple(DECK[card] for card in deal) for deal in dealt)


def enumerate_values(rules, shares, worth=None, deals=None):
    """What each player has on average, over all deals and lines."""
    worth = worth or (lambda result: rules.worth(*result))
    node_of = {node: place for place, node in enumerate(rules.nodes)}
    deals = deals or deals_of(rules.players)
    paid = cache(lambda seats: [worth(result) for result in rules.results(seats)])

    def play(hands, player, seats):
        if player == rules.players:
            shown = rules.shown(seats)
            ranks = ranks_of([hands[each] for each in shown]) if len(shown) > 1 else (0,)
            number = ORDERS.get(len(shown), ((0,),)).index(ranks)
            return paid(seats)[number]
        node = node_of.get((player, seats))
        share = 0.0 if node is None else shares[node][hands[player]]
        lines = ((share, (*seats, player)), (1 - share, seats))
        return sum(part * play(hands, player + 1, line) for part, line in lines if part)

    return sum(count * play(hands, 0, ()) for hands, count in deals.items()) / deals.total()


@pytest.mark.parametrize("rules", THREE, ids=str)
def test_values_and_responses_by_plain_enumeration(rules):
    table = PushFoldTable(rules, small_tables())
    shares = np.random.default_rng(1).random((len(rules.nodes), RANKS))
    values, gains, reach = table.measure(shares)
    assert values == pytest.approx(enumerate_values(rules, shares), abs=1e-5)
    assert reach[rules.nodes.index((rules.nodes[0][0], ()))] == pytest.approx(1)
    for hero in range(rules.players):
        push, fold = table.action_values(shares, hero)
        best = shares.copy()
        best[table.own_nodes[hero]] = push > fold
        gained = enumerate_values(rules, best)[hero] - values[hero]
        assert gains[hero] == pytest.approx(gained, abs=1e-5)
        # No other change of one decision and hand gains more than there.
        assert gained >= -1e-6


@pytest.mark.parametrize("rules", [*THREE[:3], THREE[4]], ids=str)
def test_an_equilibrium_that_enumeration_confirms(rules):
    found = solve_push_fold_table(rules, tables=small_tables(), target=1e-3, iterations=5000)
    assert found.gains.max() <= 1e-3
    assert found.values == pytest.approx(enumerate_values(rules, found.shares), abs=1e-5)
    assert found.capped == 0


@pytest.mark.parametrize("progressive", (False, True))
def test_bounties_of_two_players_by_a_linear_program(progressive):
    """What the two win is all there is: the value is that of a matrix of pure strategies."""
    heads = (15.0, 10.0)
    rules = PushFoldRules((3, 5), (60, 40), bounties=heads, progressive=progressive)
    payoffs = np.zeros((2**RANKS, 2**RANKS))
    for one, two in product(range(2**RANKS), repeat=2):
        pure = np.array([[each >> card & 1 for card in range(RANKS)] for each in (one, two)])
        payoffs[one, two] = enumerate_values(rules, pure.astype(float), plain_money)[0]
    found = solve_push_fold_table(rules, tables=small_tables(), target=1e-4, iterations=9000)
    assert found.values[0] == pytest.approx(value_of(payoffs), abs=1e-3)
    assert found.values.sum() == pytest.approx(100)


def plain_money(result):
    """Of 125 in prizes and bounties, by hand: who is left has all but the second prize."""
    first, second = result.stacks
    if second == 0:
        return np.array([85, 40]) / 1.25
    if first == 0:
        return np.array([40, 85]) / 1.25
    share = first / 8
    return np.array([40 + 45 * share, 85 - 45 * share]) / 1.25


def value_of(payoffs):
    """The value of a matrix game to the player of the rows."""
    rows, columns = payoffs.shape
    found = linprog(
        np.append(np.zeros(rows), -1),
        A_ub=np.column_stack([-payoffs.T, np.ones(columns)]),
        b_ub=np.zeros(columns),
        A_eq=[np.append(np.ones(rows), 0)],
        b_eq=[1],
        bounds=[(0, None)] * rows + [(None, None)],
    )
    return -found.fun


def test_a_decision_that_is_never_met():
    found = solve_push_fold_table(PushFoldRules((5, 5)), tables=small_tables())
    never = replace(found, reach=np.array([1.0, 0.0]))
    assert (never.is_met(0), never.is_met(1)) == (True, False)
    assert found.is_met(1) and never.range_text(1) == "never met"


def test_a_solve_that_does_not_fit_is_refused(monkeypatch):
    monkeypatch.setattr(solving, "free_memory", lambda: 10**9)
    with pytest.raises(ValueError, match=r"^memory: push or fold for 6 players needs about 1.2 GB"):
        solve_push_fold_table(PushFoldRules((10,) * 6), tables=small_tables())


def test_four_players_are_close_to_enumeration():
    """Hands of the others count independent: 12 cards show it more than 52 do."""
    rules = PushFoldRules((6, 2, 3, 4), (50, 30, 20), ante=0.1)
    table = PushFoldTable(rules, small_tables())
    shares = np.random.default_rng(1).random((len(rules.nodes), RANKS))
    values, _, _ = table.measure(shares)
    assert values == pytest.approx(enumerate_values(rules, shares), abs=0.2)
    assert values.sum() == pytest.approx(100, abs=0.3)


@pytest.mark.parametrize(
    "rules",
    [
        PushFoldRules((6, 2, 3, 4), (50, 30, 20), ante=0.1, bounties=(10, 5, 5, 0)),
        PushFoldRules((3, 0.1, 4, 5, 2), ante=0.1),
        PushFoldRules((4, 2, 6, 3, 5, 2), (60, 40), (4,)),
    ],
    ids=str,
)
def test_more_players_are_exact_where_hands_are_independent(rules):
    """With a deck for each player nothing is left to be an approximation."""
    table = PushFoldTable(rules, endless_tables())
    shares = np.random.default_rng(3).integers(0, 2, (len(rules.nodes), RANKS)).astype(float)
    deals = Counter(product(range(RANKS), repeat=rules.players))
    assert table.measure(shares)[0] == pytest.approx(
        enumerate_values(rules, shares, deals=deals), abs=1e-5
    )


@pytest.mark.parametrize("stack, ante", [(6, 0), (10, 0.1), (15, 0)])
def test_two_players_are_those_of_the_linear_program(stack, ante):
    exact = solve_push_fold(stack, ante=ante)
    found = solve_push_fold_table(
        PushFoldRules((stack + ante,) * 2, ante=ante), target=2e-5, iterations=3000
    )  # here stacks are counted before antes, there after them
    assert found.gains.max() <= 2e-5
    assert found.values[0] - stack - ante == pytest.approx(exact.value, abs=4e-5)
    pushes = exact.at("").strategy[-1]
    clear = np.abs(pushes - 0.5) > 0.499
    assert (np.abs(found.shares[0] - pushes)[clear] > 0.3).sum() <= 3


def test_winner_takes_all_plays_as_for_chips():
    chips, prizes = (
        solve_push_fold_table(PushFoldRules((9, 7), payouts), iterations=60, target=1e-9)
        for payouts in ((), (100,))
    )
    assert prizes.values == pytest.approx(100 * chips.values / 16)
    assert prizes.shares == pytest.approx(chips.shares, abs=1e-6)


def test_the_bubble_makes_calls_tighter():
    """Two prizes for three players: the third one's stack is at another table."""
    chips = solve_push_fold_table(PushFoldRules((10, 10)))
    bubble = solve_push_fold_table(PushFoldRules((10, 10), (50, 50), (10,)))
    assert bubble.share(0) > chips.share(0)
    assert bubble.share(1) < 0.5 * chips.share(1)


def test_ties_of_pairs_are_exact():
    tables = HandTables.load(2)
    one, two = CLASS_NAMES.index("AA"), CLASS_NAMES.index("KK")
    wins, ties, losses = tables.pair_orders[:, one, two]
    assert wins + ties / 2 == pytest.approx(class_tables().equities[one, two])
    found = equity("AA", "KK", exact=True)
    assert (wins, losses) == pytest.approx(found.wins, abs=1e-12)


def test_sampled_orders_are_near_exact_equities():
    names = ("AKs", "QQ", "98s")
    classes = sorted(CLASS_NAMES.index(name) for name in names)
    ordered = np.argsort(CLASS_OF_COMBO, kind="stable")
    first = np.concatenate([[0], np.cumsum(CLASS_SIZES)]).astype(np.int64)
    counts = np.zeros((1, 13), np.uint16)
    triples = np.array([classes], np.int64)
    cards = COMBO_CARDS[ordered].astype(np.uint8)
    tables = evaluator_tables.load()
    sample_orders(triples, 60_000, 3, first, cards, order_codes(), counts, tables)
    exact = equity(*(CLASS_NAMES[each] for each in classes), samples=200_000, rng=1)
    assert counts.sum() == 60_000
    shares = np.zeros(3)
    for ranks, count in zip(ORDERS[3], counts[0] / 60_000, strict=True):
        best = [player for player in range(3) if ranks[player] == 0]
        shares[best] += count / len(best)
    assert shares == pytest.approx(exact.values, abs=0.01)


def test_triples_by_plain_loops():
    """What three classes are worth and how often they finish in each order, triple by triple."""
    rng, classes = np.random.default_rng(2), 3
    number = sorted_triples(classes).tolist()
    orders = rng.dirichlet(np.ones(13), len(number)).astype(np.float32)
    tables = HandTables(np.ones(classes), *3 * [np.zeros(0)], orders)
    worths, weights = rng.normal(size=13), rng.random((3, classes))
    paid, counted = np.zeros((classes,) * 3), np.zeros(13)
    for hands in product(range(classes), repeat=3):
        places = sorted(range(3), key=lambda player: hands[player])  # stable
        row = orders[number.index([hands[player] for player in places])]
        for chance, ranks in zip(row, ORDERS[3], strict=True):
            own = ORDERS[3].index(tuple(ranks[places.index(player)] for player in range(3)))
            paid[hands] += chance * worths[own]
            counted[own] += chance * np.prod([weights[p, hand] for p, hand in enumerate(hands)])
    assert tables.pay_triples(worths) == pytest.approx(paid, abs=1e-6)
    assert tables.pay_triples(worths, (2, 0, 1)) == pytest.approx(paid.transpose(2, 0, 1), abs=1e-6)
    assert tables.count_orders(weights) == pytest.approx(counted)


def test_a_cache_that_cannot_be_written_is_done_without(monkeypatch, tmp_path):
    folder = tmp_path / "no folder"
    folder.write_text("")
    count = len(sorted_triples(N_CLASSES))
    sampled = np.full((N_CLASSES,) * 3, 1, np.uint16), np.full((count, 13), 2, np.uint16)
    monkeypatch.setattr(hand_tables, "cache_folder", lambda: folder)
    monkeypatch.setattr(hand_tables, "count_triples", lambda: sampled[0])
    monkeypatch.setattr(hand_tables, "sample_three_way", lambda *given: sampled[1])
    triples, orders = hand_tables.load_three_way()
    assert triples.shape == (N_CLASSES,) * 3 and orders[0, 0] == np.float32(2 / hand_tables.DEALS)


@pytest.mark.slow
def test_three_way_table():
    tables = HandTables.load(3)
    assert int(count_triples().sum(dtype=np.int64)) == 1326 * 1225 * 1128
    assert tables.triples.sum(dtype=np.float64) == pytest.approx(1, abs=1e-4)
    # Given two hands, the third is anybody's: pairs are margins of triples.
    assert tables.triples.sum(axis=2, dtype=np.float64) == pytest.approx(tables.pairs, rel=1e-4)
    found = solve_push_fold_table(PushFoldRules((10, 8, 12), (50, 30, 20)))
    assert found.gains.max() <= 1e-4
    assert found.values.sum() == pytest.approx(100, abs=0.01)
    # All but one are paid, and the one has next to nothing: aces are not worth a risk.
    rules = PushFoldRules((5, 5, 5), (1, 1, 1), (0.01,))
    found = solve_push_fold_table(rules)
    assert [found.is_met(node) for node in range(6)] == [True, True, False, False, False, False]
