"""Exact best responses against plain ones, explicit trees, and each other."""

from dataclasses import replace

import numpy as np
import pytest
from tests.holdem.limit.best_response.games import (
    bucketed,
    by_suits,
    grouped,
    one_bucket,
    random_chances,
    remembered,
    short_holdem,
)
from tests.holdem.limit.best_response.plain_response import plain_best_responses

from pokerlab.games import Deal, load_game
from pokerlab.holdem.limit.best_response.boards import ResponseBoards
from pokerlab.holdem.limit.best_response.public_response import PublicResponse
from pokerlab.holdem.limit.response.bounds import exact_exploitability
from pokerlab.solvers import Strategy, best_response
from pokerlab.trees import GameTree


def responses(game, probabilities, dtype=np.float64, **settings):
    walk = PublicResponse(game, probabilities, dtype=dtype, **settings)
    total = sum(walk.boards_values(range(len(walk.boards.cards))))
    return tuple(walk.value(hero, total[hero], total[hero]) for hero in range(2))


def one_card_boards(**changes):
    """Two private cards and two streets of one public card: pairs and high cards."""
    return short_holdem([1, 1], ranks="JQK", showdown="kinds", **changes)


def suited_groups(game, *, named=False):
    return grouped(
        game,
        by_suits(game, 0, 4, named=named),
        by_suits(game, 1, 12, named=named),
        *(remembered(12) for _ in game.streets[2:]),
    )


GAMES = {
    "kuhn": lambda: bucketed("kuhn"),
    "leduc": lambda: bucketed("leduc"),
    "leduc blind": lambda: bucketed("leduc", "none"),
    "two private cards": lambda: suited_groups(one_card_boards()),
    "suits have names": lambda: suited_groups(one_card_boards(), named=True),
    "all-in": lambda: suited_groups(one_card_boards(stacks=(7, 7))),
    "flop": lambda: suited_groups(short_holdem([3])),
    "board before the first bet": lambda: board_first(),
}


def board_first():
    game = short_holdem([1], ranks="TJQK", showdown="kinds")
    first, *later = game.streets
    game = replace(game, streets=(replace(first, board=1), *later))
    return grouped(game, *(one_bucket() for _ in game.streets))


@pytest.mark.parametrize("name", GAMES)
def test_best_responses_are_those_of_plain_code(name):
    game = GAMES[name]()
    probabilities = random_chances(game)
    expected = plain_best_responses(game, probabilities)
    assert responses(game, probabilities) == pytest.approx(expected, abs=1e-9)
    assert responses(game, probabilities, symmetric=False) == pytest.approx(expected, abs=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("boards", [[1, 2], [3, 1], [3, 1, 1]])
def test_short_holdem_of_more_streets(boards):
    ranks, suits = ("JQKA", "hs") if len(boards) == 2 else ("QKA", "dhs")
    game = short_holdem(boards, ranks, suits)
    groups = suited_groups(game).groups
    game = grouped(game, *groups[:3], *(one_bucket() for _ in game.streets[3:]))
    probabilities = random_chances(game)
    assert responses(game, probabilities, threads=2) == pytest.approx(
        plain_best_responses(game, probabilities), abs=1e-9
    )


def test_which_games_are_worked_out_up_to_suits():
    symmetric = {name: len(ResponseBoards(make()).symmetries) > 1 for name, make in GAMES.items()}
    assert symmetric == {
        "kuhn": True,
        "leduc": False,
        "leduc blind": True,
        "two private cards": True,
        "suits have names": False,
        "all-in": True,
        "flop": True,
        "board before the first bet": True,
    }


@pytest.mark.parametrize("name", ["kuhn", "leduc"])
def test_best_responses_are_those_of_the_explicit_tree(name):
    game = bucketed(name)
    probabilities = random_chances(game, seed=2)
    tree = GameTree.of(load_game(name))
    strategy = Strategy.of(tree.infosets, choices(game, probabilities))
    expected = [best_response(tree, strategy, seat).value for seat in range(2)]
    assert responses(game, probabilities) == pytest.approx(expected, abs=1e-9)


def choices(game, probabilities):
    """A table as probabilities by the names of information sets."""
    found = {}
    rules = game.game
    for number, node in enumerate(game.betting.nodes):
        board_size = rules.board_cards[node.street]
        for own in rules.deck:
            for board in [(card,) for card in rules.deck if card != own] if board_size else [()]:
                holes = tuple((own,) if seat == node.player else () for seat in range(2))
                state = rules.replay(node.text, Deal(holes, board))
                row = probabilities[game.first_row[number] + group(game, node.street, own, board)]
                fold, call, raise_ = [0, 1, 0] if np.isnan(row[0]) else row
                legal = node.actions()
                played = {"c": call}
                for action, chance in (("f", fold), ("r", raise_)):
                    played[action if action in legal else "c"] = chance + (
                        played["c"] if action not in legal else 0.0
                    )
                found[state.seen_by(node.player)] = {each: played[each] for each in legal}
    return found


def group(game, street, own, board):
    from pokerlab.holdem.limit.buckets.look_up_kernels import buckets_of_cards

    groups = np.zeros(street + 1, np.int64)
    buckets_of_cards(np.array([own, *board], np.uint8), game.look_up, groups)
    return groups[-1]


def test_the_mean_is_the_exploitability_by_all_deals():
    game = bucketed("leduc")
    probabilities = np.random.default_rng(3).dirichlet([1, 1, 1], size=game.rows)
    for node, street in enumerate(game.betting.streets):
        first = game.first_row[node]
        rows = probabilities[first : first + game.counts[street]]
        rows *= game.tree.nodes[node, :3] >= 0
        rows /= rows.sum(axis=1, keepdims=True)
    trained = np.empty_like(probabilities)
    for node, street in enumerate(game.betting.streets):
        places = game.tree.base[node] + np.arange(game.counts[street]) * game.tree.width[street]
        trained[places] = probabilities[game.first_row[node] :][: game.counts[street]]
    expected = exact_exploitability(game, trained.astype(np.float32)).value
    found = responses(game, trained_rows(game, trained.astype(np.float32)))
    assert sum(found) / 2 == pytest.approx(expected, abs=1e-6)


def test_whoever_knows_groups_alone_wins_no_more():
    """Responses that tell as little apart as the strategy, against those that tell all hands."""
    blind = bucketed("leduc", "none")
    rows = np.random.default_rng(4).dirichlet([1, 1, 1], size=blind.rows).astype(np.float32)
    for node in range(len(blind.betting.nodes)):
        row = rows[blind.tree.base[node]]
        row *= blind.tree.nodes[node, :3] >= 0
        row /= row.sum()
    among_groups = exact_exploitability(blind, rows).value
    assert 0 < among_groups < sum(responses(blind, trained_rows(blind, rows))) / 2


def trained_rows(game, rows):
    out = np.empty_like(rows)
    game.to_nodes(rows, out)
    return out


def test_single_precision_and_threads():
    game = suited_groups(one_card_boards())
    probabilities = random_chances(game)
    exact = responses(game, probabilities)
    assert responses(game, probabilities, np.float32) == pytest.approx(exact, rel=1e-6)
    assert responses(game, probabilities, threads=2) == exact


@pytest.mark.parametrize("action", [0, 1])
def test_lines_that_end_early(action):
    """Against who folds, or calls, whatever happens: streets without a line."""
    game = suited_groups(one_card_boards())
    probabilities = np.tile(np.eye(3)[action], (game.rows, 1))
    expected = plain_best_responses(game, probabilities)
    assert responses(game, probabilities) == pytest.approx(expected, abs=1e-9)


def test_games_that_are_refused():
    with pytest.raises(ValueError, match=r"for two players .*, not for kuhn.3p"):
        ResponseBoards(bucketed("kuhn.3p"))
    game = short_holdem([1, 1, 1, 1])
    with pytest.raises(ValueError, match="at most 3 streets with public cards, not for the 4"):
        ResponseBoards(grouped(game, *(one_bucket() for _ in game.streets)))
