"""Hands are dealt as often as the solution brings them to the place."""

from collections import Counter

import numpy as np
import pytest

from pokerlab.cards import parse_card
from pokerlab.cards.codes import COMBO_CARDS
from pokerlab.drills.dealing import Dealer, Position, arriving_weights, deal_position
from pokerlab.drills.hand import combo_of
from pokerlab.games.betting_trees import Line
from pokerlab.players.strategies import SpotLookUp


def dealt(solution, line, level, count, seed=1):
    rng = np.random.default_rng(seed)
    dealer = Dealer(SpotLookUp(solution), Line.parse(line), level)
    return [dealer.deal(rng) for _ in range(count)]


def check_frequencies(found, likely):
    """Counts beside probabilities: chi-square, each cell of five or more."""
    total = sum(found.values())
    assert set(found) <= {key for key, chance in likely.items() if chance > 0}
    cells = [(found[key], total * chance) for key, chance in likely.items() if total * chance >= 5]
    square = sum((seen - expected) ** 2 / expected for seen, expected in cells)
    assert square < len(cells) + 4 * np.sqrt(2 * len(cells))
    assert len(cells) > 1


def pair_chances(weights):
    """Each pair of combos that share no card, by the product of the weights."""
    chances = {
        (first, second): weights[0][first] * weights[1][second]
        for first in np.flatnonzero(weights[0]).tolist()
        for second in np.flatnonzero(weights[1]).tolist()
        if not set(COMBO_CARDS[first].tolist()) & set(COMBO_CARDS[second].tolist())
    }
    total = sum(chances.values())
    return {pair: chance / total for pair, chance in chances.items()}


def test_pairs_of_hands_arrive_at_a_line(river):
    deals = dealt(river, "x/b50", 0, 700)
    view = river.at("x/b50")
    check_frequencies(Counter(deal.combos for deal in deals), pair_chances(view.weights))
    assert {deal.board for deal in deals} == {river.spot.board}


def lines_to_the_river(turn):
    """The chance of each line that ends the turn without all-in, by all pairs of hands."""
    tree = turn.spot.tree
    chances = {}
    for edge in np.flatnonzero(tree.streets[0].kind == 3).tolist():
        node = int(tree.streets[0].node[edge])
        line = "/".join(filter(None, [tree.line(0, node), tree.streets[0].label(edge)]))
        weights = arriving_weights(turn, Line.parse(line))
        first, second = (COMBO_CARDS[np.flatnonzero(each)] for each in weights)
        apart = ~(first[:, None, :, None] == second[None, :, None, :]).any(axis=(2, 3))
        chances[line] = float(
            (np.outer(*(each[np.flatnonzero(each)] for each in weights)) * apart).sum()
        )
    total = sum(chances.values())
    return {line: chance / total for line, chance in chances.items()}


def test_a_street_is_reached_as_often_as_play_brings_it(turn):
    deals = dealt(turn, "", 1, 400)
    found = Counter("/".join(map(str, deal.line.actions)) for deal in deals)
    check_frequencies(found, lines_to_the_river(turn))
    assert all(deal.line.cards == deal.board[4:] for deal in deals)
    assert len({deal.board[4] for deal in deals}) > 35


def test_cards_that_a_line_leaves_out(turn):
    """After a bet on the river the cards are those on which it is bet."""
    deals = dealt(turn, "x/x/b50", 0, 150)
    assert {str(Line(deal.line.actions)) for deal in deals} == {"x/x/b50"}
    mass = {}
    for card in range(52):
        if card not in turn.spot.board:
            line = Line((*Line.parse("x/x").tokens, card, *Line.parse("b50").tokens))
            mass[card] = sum_of_pairs(arriving_weights(turn, line))
    total = sum(mass.values())
    check_frequencies(
        Counter(deal.line.cards[0] for deal in deals),
        {card: each / total for card, each in mass.items()},
    )


def sum_of_pairs(weights):
    first, second = (np.flatnonzero(each) for each in weights)
    cards = COMBO_CARDS[first], COMBO_CARDS[second]
    apart = ~(cards[0][:, None, :, None] == cards[1][None, :, None, :]).any(axis=(2, 3))
    return float((np.outer(weights[0][first], weights[1][second]) * apart).sum())


def test_a_line_with_its_card_begins_there(turn):
    deal = dealt(turn, "x/x/2d/x", 0, 1)[0]
    assert str(deal.line) == "x/x/2d/x" and deal.board[4] == parse_card("2d")
    assert str(dealt(turn, "x/x", 0, 1)[0].line) == "x/x"


def test_a_decision_again(turn):
    strategy, rng = SpotLookUp(turn), np.random.default_rng(3)
    position = Position("QhJh2c4d", "x/x/2d/x", "QsQc")
    deals = [deal_position(strategy, position, combo_of("QsQc"), 1, rng) for _ in range(200)]
    assert {deal.combos[1] for deal in deals} == {combo_of("QsQc")}
    weights = list(turn.at("x/x/2d/x").weights)
    weights[1] = np.zeros(1326)
    weights[1][combo_of("QsQc")] = 1
    check_frequencies(Counter(deal.combos for deal in deals), pair_chances(weights))


@pytest.mark.parametrize("streets", [1, 2])
def test_weights_of_partial_solutions(turn, streets):
    """Those of streets that are left out are those of the street solved again."""
    part = turn.first_streets(streets)
    weights = arriving_weights(part, Line.parse("x/x/2d/x"))
    view = part.at("x/x/2d/x")
    for own, other in zip(weights, view.weights, strict=True):
        np.testing.assert_allclose(own, other, atol=1e-12)


def test_lines_at_which_nothing_can_be_dealt(turn):
    with pytest.raises(ValueError, match=r"line 'x/b50/f': the hand is over here"):
        dealt(turn, "x/b50/f", 0, 1)
    with pytest.raises(ValueError, match=r"line 'x/b60': token 2, 'b60': not possible here"):
        dealt(turn, "x/b60", 0, 1)
