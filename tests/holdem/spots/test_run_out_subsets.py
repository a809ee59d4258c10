"""Flops on a subset of their run-outs: solves, certificates, and what was left out."""

from dataclasses import replace

import numpy as np
import pytest
from tests.holdem.spots.explicit_game import money_of, win_tie_lose

from pokerlab.cards import format_cards
from pokerlab.cards.codes import combo_cards
from pokerlab.engine.cpu import walker
from pokerlab.holdem.spots import (
    PostflopSolver,
    Spot,
    load_postflop,
    report_run_outs,
    simulate_solution,
    solve_spot,
)
from pokerlab.holdem.spots.checks.verify import verify
from pokerlab.holdem.spots.coarse.all_run_outs import first_street_shares, price_first_street
from pokerlab.holdem.spots.cost import merges_suits

RANGES = "AA:0.5, JTs, T9s", "KK, AQs, 98s:0.7"
SPOT = Spot(
    "QsJh2h", *RANGES, pot=100, stack=300, bet="66%", raise_="100%", max_bets=2, add_allin=1.5,
    runouts="5x4",
)  # fmt: skip


@pytest.fixture(scope="module")
def solution():
    return solve_spot(SPOT, iterations=30)


def left_out(solution):
    """A turn that was not solved."""
    solved = [each for found in solution.boards.classes[1] for each in found.members]
    return next(card for card in range(51, -1, -1) if card not in (*solved, *SPOT.board))


def test_the_certificate_holds_without_the_engine(solution):
    found = verify(solution)
    assert found.problems == ()
    assert found.values == pytest.approx(solution.values, abs=1e-3)
    assert found.best_values == pytest.approx(solution.best_values, abs=1e-3)


@pytest.mark.parametrize("runouts", ["49x3", "4x48"])
def test_a_subset_of_one_street_is_certified_with_rake(runouts):
    spot = replace(SPOT, runouts=runouts, rake=0.05, bet="flop: 66%; turn: 66%; river:")
    assert verify(solve_spot(spot, iterations=6)).problems == ()


PRIZES = replace(
    SPOT,
    oop="AA:0.5, JTs, T9s, 22",
    ip="KK, AQs, T9s:0.7",
    payouts="50, 30, 20",
    others=[260],
    stack=(300, 340),
)


@pytest.mark.parametrize("runouts", ["5x4", "49x3", "4x48"])
def test_prizes_are_certified_on_a_subset(runouts):
    whole = solve_spot(replace(PRIZES, runouts=runouts), iterations=12)
    found = verify(whole)
    assert found.problems == ()
    assert min(whole.gains) > 0


def test_prizes_for_a_check_down_are_those_of_all_run_outs():
    """Both stay in, split or lose; each hand against each, by going through all run-outs."""
    spot = replace(PRIZES, bet="", raise_="", add_allin=0, runouts="3x2")
    solution = solve_spot(spot, iterations=1)
    view, share = solution.at(""), spot.prizes.chips / 100
    assert verify(solution).problems == ()
    for player in range(2):
        ends = np.array([(300.0, 340.0)] * 3) + np.array([(100, 0), (50, 50), (0, 100)])
        money = [money_of(spot, each.tolist())[player] for each in ends]
        low = money[2 if player == 0 else 0]
        for own in np.flatnonzero(view.weights[player])[::5].tolist():
            worth = total = 0.0
            for other in np.flatnonzero(view.weights[1 - player]).tolist():
                if not set(combo_cards(own)) & set(combo_cards(other)):
                    pair = (own, other) if player == 0 else (other, own)
                    chances = win_tie_lose(spot.board, *pair)
                    mean = sum(a * b for a, b in zip(chances, money, strict=True))
                    worth += view.weights[1 - player][other] * (mean - low) * share
                    total += view.weights[1 - player][other]
            assert view.ev[player][own] == pytest.approx(worth / total, abs=0.02)


def test_players_take_the_pot_together(solution):
    assert sum(solution.values) == pytest.approx(SPOT.pot, abs=1e-3)


def test_a_check_down_is_worth_what_it_is_over_all_run_outs():
    spot = replace(SPOT, bet="", raise_="", add_allin=0, runouts="3x2")
    view = solve_spot(spot, iterations=1).at("")
    for player in range(2):
        known = ~np.isnan(view.ev[player])
        equity = spot.pot * view.equity[player][known]
        np.testing.assert_allclose(view.ev[player][known], equity, atol=0.02)


def test_all_run_outs_are_no_subset():
    assert replace(SPOT, runouts="49x48").runouts is None


def test_the_number_of_threads_changes_nothing(monkeypatch):
    # Helpers and several batches for the least of work, too.
    monkeypatch.setattr(walker, "_HELPER_NUMBERS", 1)
    monkeypatch.setattr(walker, "CPU_SHAPE", replace(walker.CPU_SHAPE, batch_bytes=0))
    solvers = [PostflopSolver(SPOT, threads=threads) for threads in (1, 2, 4)]
    # Five turns are shared out in pieces where threads would wait.
    assert [solver._walker._pieces > 1 for solver in solvers] == [False, True, True]
    for solver in solvers:
        solver.iterate(3)
    for first, *others in zip(*(solver.storage for solver in solvers), strict=True):
        for other in others:
            for mine, theirs in zip(first.sums, other.sums, strict=True):
                np.testing.assert_array_equal(mine, theirs)


def test_groups_of_hands_go_with_a_subset():
    grouped = solve_spot(SPOT, iterations=10, groups="view/river")
    assert verify(grouped).problems == ()


def test_a_file_is_of_the_subset(solution, tmp_path):
    solution.save(tmp_path / "a.safetensors")
    read = load_postflop(tmp_path / "a.safetensors")
    assert read.spot.runouts == "5x4"
    assert [len(cards) for cards in read.boards.cards] == [1, 5, 20]
    turn = format_cards([int(read.boards.cards[1][2, 3])])
    np.testing.assert_array_equal(
        read.at(f"x/x/{turn}").strategy, solution.at(f"x/x/{turn}").strategy
    )


def test_evs_on_a_turn_of_the_subset_share_the_pot(solution):
    for number in range(len(solution.boards.cards[1])):
        view = solution.at(f"x/x/{format_cards([int(solution.boards.cards[1][number, 3])])}")
        assert view.mean_ev(0) + view.mean_ev(1) == pytest.approx(100, abs=1e-6)


def test_a_turn_that_was_left_out_is_solved_again(solution):
    card = left_out(solution)
    line = f"x/x/{format_cards([card])}"
    assert solution.streets_kept([card]) == 1
    view = solution.at(line)
    assert card in view.board
    oop, ip = view.weights
    alone = solve_spot(replace(SPOT, board=view.board, oop=oop, ip=ip, runouts=None))
    assert view.mean_ev(0) == pytest.approx(alone.values[0], abs=1.5)


def test_a_report_has_the_rows_of_the_subset(solution):
    report = report_run_outs(solution, "x/x")
    members = sum(found.multiplicity for found in solution.boards.classes[1])
    assert len(report.rows) == members < 49
    assert report.weights.sum() == pytest.approx(49)
    assert sum(report.mean().ev) == pytest.approx(100, abs=1e-6)


def test_nobody_plays_a_solution_that_lacks_cards(solution):
    with pytest.raises(ValueError, match=r"is of 5x4 run-outs: it has no strategies on other"):
        simulate_solution(solution, 10)


def test_a_partial_solution_of_a_subset_is_its_flop(solution):
    flop = solution.without_river()
    assert len(flop.strategies) == 1
    np.testing.assert_allclose(flop.at("x").ev[1], solution.at("x").ev[1], atol=1e-3)


@pytest.mark.slow
def test_the_price_of_a_whole_solve_is_what_it_has_left():
    whole = solve_spot(replace(SPOT, runouts=None, stack=60), target="0.1%")
    price = price_first_street(whole)
    assert abs(price.exploitability.percent) <= price.error.percent + 0.1
    assert set(first_street_shares(whole, 0)) | set(first_street_shares(whole, 1)) >= {"", "x"}
    assert merges_suits(whole.spot.with_locks(first_street_shares(whole, 0)), isomorphism=True)


@pytest.mark.slow
def test_more_run_outs_cost_less():
    prices = [
        price_first_street(solve_spot(replace(SPOT, stack=60, runouts=each), target="0.1%"))
        for each in ("1x1", "20x20")
    ]
    few, many = (price.exploitability.percent for price in prices)
    assert many < few
    assert many < 0.3


@pytest.mark.parametrize(
    ("runouts", "message"),
    [
        ("12", "runouts: '12' is not a number of turns"),
        ("0x5", "runouts: '0x5' is not a number of turns"),
        (12, "runouts: 12 is not a text such as 12x10"),
    ],
)
def test_bad_subsets_are_refused(runouts, message):
    with pytest.raises(ValueError, match=message):
        replace(SPOT, runouts=runouts)


def test_only_flops_have_subsets():
    with pytest.raises(ValueError, match="12x10 is for flops; the board QsJh2h3c has 4 cards"):
        replace(SPOT, board="QsJh2h3c", runouts="12x10")
