"""Prize money in what is made of solutions, each number beside one that was found another way."""

from dataclasses import replace

import numpy as np
import pytest
from tests.holdem.spots.explicit_game import SpotGame, money_of, win_tie_lose
from tests.holdem.spots.test_prizes import PRIZES
from tests.holdem.spots.test_solver import Places

from pokerlab.cards import combo_index, parse_cards
from pokerlab.cards.ranges.blockers import unblocked_weights
from pokerlab.drills import DrillDeal, DrillHand, Judgement
from pokerlab.engine.walker import as_storage
from pokerlab.games.betting_trees import EdgeKind, Line
from pokerlab.games.betting_trees.menus import Menus
from pokerlab.holdem.batches import BatchQuestion, plan_batch, run_batch
from pokerlab.holdem.batches.play import BatchPlay
from pokerlab.holdem.batches.reporting import report_boards
from pokerlab.holdem.spots import PostflopSolver, Spot, simplify, solve_spot
from pokerlab.holdem.spots.checks.verify import verify
from pokerlab.holdem.spots.coarse.menu_loss import menu_losses
from pokerlab.holdem.spots.play.simulation import simulate_solution
from pokerlab.holdem.spots.play.solution_match import simulate_match
from pokerlab.holdem.spots.play.spot_rules import Settlement
from pokerlab.holdem.spots.real_game import RealGame
from pokerlab.holdem.spots.reports.diff import diff
from pokerlab.holdem.spots.simple.origins import best_response_strategy, losses_between
from pokerlab.holdem.spots.simple.solved_spot import prepared_of
from pokerlab.holdem.spots.sizes.choosing import find_sizes
from pokerlab.holdem.spots.sizes.menu_places import MenuPlace
from pokerlab.holdem.spots.sizes.valuing import MenuValues
from pokerlab.players.strategies import SpotLookUp
from pokerlab.solvers import Strategy, best_response, values
from pokerlab.trees import GameTree

RIVER = PRIZES["river, many ties"]
TURN = PRIZES["turn, the last three with bounties"]


def as_written(solution):
    """The written game of a solution's spot, and its strategy there."""
    tree = GameTree.build(SpotGame(solution.spot))
    where = Places(PostflopSolver(solution.spot, threads=1), tree)
    averages = as_storage(solution.layout, solution.strategies)
    return tree, Strategy.from_weights(where.infosets, where.read_storage(averages, "sums"))


@pytest.mark.parametrize("name", PRIZES)
def test_the_rules_pay_the_prizes_that_all_orders_of_finish_give(name) -> None:
    spot = PRIZES[name]
    settlement, stacks = Settlement(spot), np.broadcast_to(spot.stack, 2).astype(float)
    prizes = spot.prizes
    share = prizes.chips / (sum(spot.payouts) + sum(spot.bounty))
    given_up = [
        money_of(spot, stacks + np.array(pot))[player] * share
        for player, pot in enumerate(((0, spot.pot), (spot.pot, 0)))
    ]
    for level, street in enumerate(spot.tree.streets):
        for edge in range(street.edges):
            if street.kind[edge] in (EdgeKind.NODE, EdgeKind.NEXT_STREET):
                continue
            matched = street.matched[edge] / spot.units
            pot = spot.pot + 2 * matched
            taken = [0, 0.5, 1]
            if street.kind[edge] == EdgeKind.FOLD:
                taken = 3 * [float(street.player[street.node[edge]] == 1)]
            found = settlement.at(level, edge)
            for row, part in zip(found, taken, strict=True):
                ends = stacks - matched + np.array([part, 1 - part]) * pot
                expected = money_of(spot, ends.tolist()) * share - given_up - spot.pot / 2
                assert row == pytest.approx(expected, abs=1e-9 * prizes.chips)


def test_play_earns_what_the_solution_says() -> None:
    for spot, line in ((RIVER, ""), (RIVER, "x/a"), (TURN, ""), (TURN, "x/x/7s")):
        solution = solve_spot(spot, target="0.5%")
        played = simulate_solution(solution, 200_000, 1, line, threads=1)
        assert max(map(abs, played.z)) < 4
        assert min(played.stderr) > 0


def test_two_solutions_meet() -> None:
    good, rough = solve_spot(RIVER, target="0.1%"), solve_spot(RIVER, iterations=3)
    result = simulate_match(good, rough, 100_000, 1, names=("good", "rough"), threads=1)
    for seats in result.seats.values():
        for seat in ("oop", "ip", "sum"):
            assert abs(seats[seat].z) < 4
            assert seats[seat].at_least is None  # of prizes the others may get a part


def test_drills_count_prizes() -> None:
    solution = solve_spot(RIVER, target="0.1%")
    hands = tuple(combo_index(*parse_cards(each)) for each in ("AsTc", "QhJs"))
    deal = DrillDeal(Line(), hands, RIVER.board)
    for action in solution.at().actions:
        hand = DrillHand(SpotLookUp(solution), deal, 0, np.random.default_rng(4))
        judged = hand.act(action)
        while hand.result is None:
            hand.act(hand.decision.actions[-1])
        worth = solution.at().action_ev[:, hands[0]]
        assert judged.ev == pytest.approx(tuple(worth))
        lost = worth.max() - worth[judged.actions.index(action)]
        assert judged.loss_share == pytest.approx(lost / (150 + 220 + 60 + 90))
        assert Judgement.from_json(judged.to_json()) == judged
        # What was won is what one has in the end less what one has who gives up at once.
        stacks = np.array(RIVER.stack, float)
        matched = max(hand.strategy.solution.spot.tree.streets[0].matched[hand._place.edge], 0)
        shown, line = hand.result.shown, hand.result.line
        part = float(line.endswith("f") and hand.events[-1].who == "solution")
        if shown:  # a pair of tens loses to a straight
            part = 0.0
        ends = stacks - matched + np.array([part, 1 - part]) * (RIVER.pot + 2 * matched)
        least = money_of(RIVER, [150.0, 280.0])[0]
        expected = (money_of(RIVER, ends.tolist())[0] - least) * RIVER.prizes.chips / 100
        assert hand.result.won == pytest.approx(expected)


def test_losses_of_simple_strategies_are_those_of_the_written_game() -> None:
    solution = solve_spot(RIVER, target="0.05%")
    simple = simplify(solution, "50%", threads=1)
    assert verify(simple.solution).ok
    tree, full = as_written(solution)
    _, rough = as_written(simple.solution)
    for player in range(2):
        answers = [best_response(tree, each, 1 - player).value for each in (full, rough)]
        assert simple.losses[player] == pytest.approx(answers[1] - answers[0], abs=2e-3)
        assert simple.losses[player] > 0.01
    # Where it comes from: the player's own prize money against that best response.
    prepared = prepared_of(solution)
    game = RealGame(prepared, threads=1)
    for player, parts in enumerate(losses_between(solution, simple.solution)):
        before, after = (
            [np.asarray(pair[player]) for pair in each.strategies]
            for each in (solution, simple.solution)
        )
        response = best_response_strategy(prepared, player, after)
        own = []
        for strategy in (before, after):
            both = (strategy, response) if player == 0 else (response, strategy)
            own.append(game.certify(tuple(zip(*both, strict=True))).values[player])
        assert parts.total == pytest.approx(own[0] - own[1], abs=1e-5)
        given = [each.given for each in simple.lines if each.player == player]
        assert parts.total == pytest.approx(sum(given), abs=1e-9)


def test_menus_are_worth_what_the_solves_say(tmp_path) -> None:
    found = find_sizes(RIVER, "30%, 90%", most=1, player="oop", threads=1, resume=tmp_path / "r")
    place = next(iter(found.menus))
    assert place == MenuPlace(0, 2)
    menus = MenuValues(RIVER, target="0.1%", threads=1)
    for each in found.tried:
        least, most = [], []
        for menu in (found.candidates, each.menu):
            bounds = menus.value(0, {place: menu})
            bet = ", ".join(str(size) for size in menu)
            spot = replace(RIVER, bet=Menus.of("bet", f"oop river: {bet}; ip river: 30%, a"))
            solution = solve_spot(spot, target="0.1%", threads=1)
            assert bounds == pytest.approx((solution.values[0], solution.best_values[0]), abs=1e-9)
            least.append(bounds.least)
            most.append(bounds.most)
        assert each.loss == pytest.approx((least[0] - most[1], most[0] - least[1]), abs=1e-9)
        assert found.shown(each.loss)[1:] == tuple(each.loss)  # it may be negative
    again = find_sizes(RIVER, "30%, 90%", most=1, player="oop", threads=1, resume=tmp_path / "r")
    assert (again.solves, again.tried) == (0, found.tried)


def test_what_a_menu_gives_the_opponent_is_a_best_response_of_the_written_game() -> None:
    fine = solve_spot(RIVER, target="0.05%")
    same = [*menu_losses(fine, fine, ["nearest"], threads=1)]
    tree, strategy = as_written(fine)
    played = values(tree, strategy)
    for loss in same:  # the same menu: what the opponent gains
        other = 1 - loss.player
        best = best_response(tree, strategy, other).value
        assert loss.response == pytest.approx(best + RIVER.pot / 2, abs=2e-3)
        assert loss.least == pytest.approx(0.0, abs=2e-3)
        assert loss.most == pytest.approx(best - played[other], abs=4e-3)
    coarse = solve_spot(replace(RIVER, bet="a"), target="0.05%")
    for loss in menu_losses(coarse, fine, ["nearest", "solve again"], threads=1):
        assert loss.most - loss.least == pytest.approx(fine.gains[1 - loss.player], abs=1e-9)
        assert loss.most > -1e-3


BOARDS = {"Ts9s8d7c3h": 1.0, "Ts9s8d7c2h": 3.0, "KsTh8d4c4h": 2.0}


def test_batches_and_reports_have_the_values_of_the_written_games(tmp_path) -> None:
    question = BatchQuestion.of(RIVER, BOARDS, target="0.3%", keep="full")
    batch = run_batch(question, tmp_path / "rivers", plan_batch(question, workers=1)).batch
    report, after = report_boards(batch), report_boards(batch, "a")
    for place, board in enumerate(BOARDS):
        solution = batch.solution(board)
        assert solution.spot == RIVER.with_board(board)
        assert verify(solution).ok
        tree, strategy = as_written(solution)
        expected = values(tree, strategy) + RIVER.pot / 2
        assert report.ev[place] == pytest.approx(expected, abs=2e-3)
        view = solution.at("a")
        assert after.ev[place] == pytest.approx((view.mean_ev(0), view.mean_ev(1)), abs=1e-3)
        row = batch.row(board)
        assert row.ev == pytest.approx(tuple(expected), abs=2e-3)
    chosen = report_boards(batch, "a", hands="pair")
    assert np.isnan(chosen.ev[:, 0]).all()  # what is not ours is not all the opponent's
    play = BatchPlay(batch, 60_000, seed=1)
    assert sum(len(each.bettings) for each in play) == 60_000
    assert max(map(abs, play.result().z)) < 4


def test_differences_are_those_of_the_values() -> None:
    one, other = (solve_spot(RIVER, target=each) for each in ("0.1%", "3%"))
    changes = diff(one, other, "x")
    assert changes
    for change in changes[:5]:
        combo = combo_index(*parse_cards(change.hand))
        first, second = (each.at("x").ev[1][combo] for each in (one, other))
        assert change.ev_change == pytest.approx(second - first, abs=1e-6)
    chips = solve_spot(replace(RIVER, payouts="60, 30, 10"), target="3%")
    with pytest.raises(ValueError, match="payouts"):
        diff(one, chips)


def test_turns_by_brute_force() -> None:
    """The EV of a call of an all-in on the turn, by going through the rivers."""
    spot = PRIZES["turn, all-ins that tie"]
    solution = solve_spot(spot, target="0.1%")
    view = solution.at("a")
    share = spot.prizes.chips / 100
    call = view.actions.index("c")
    for text in ("AcKs", "QcTc"):
        own = combo_index(*parse_cards(text))
        opposing = view.weights[0] * (unblocked_weights(np.eye(1326)[own]) > 0)
        worth = total = 0.0
        for other in np.flatnonzero(opposing).tolist():
            chances = win_tie_lose(spot.board, own, other)
            ends = ([0.0, 110.0], [55.0, 55.0], [110.0, 0.0])
            money = sum(
                chance * money_of(spot, end)[1] for chance, end in zip(chances, ends, strict=True)
            )
            worth += opposing[other] * (money - money_of(spot, [75.0, 35.0])[1]) * share
            total += opposing[other]
        assert view.action_ev[call][own] == pytest.approx(worth / total, abs=2e-3)


def test_spots_with_one_prize_settle_as_chips() -> None:
    spot = Spot("QhJh2c4d7h", "AA, KQs", "QQ, AJs", pot=100, stack=80, bet="a", raise_="")
    paid = [Settlement(each).at(0, 7).tolist() for each in (spot, replace(spot, payouts=[9]))]
    assert paid[0] == paid[1]
