"""Play before the flop together with boards; rivers stand for flops, which would take minutes."""

import signal

import numpy as np
import pytest
from tests.runtime.gpu.emulation import EmulatedMachine, find_compiler

from pokerlab.cards.isomorphism.suits import permute_cards
from pokerlab.engine.groups import HandGrouping
from pokerlab.holdem.preflop import (
    BIG_BLIND,
    SMALL_BLIND,
    FlopBets,
    FlopSubtrees,
    PreflopGame,
    PreflopRules,
    PreflopSolver,
    PreparedFlops,
    fit_subtrees,
    solve_preflop,
)
from pokerlab.holdem.preflop.solving import measure_parts
from pokerlab.holdem.preflop.subtree_memory import SubtreeMemory
from pokerlab.holdem.spots import Spot, solve_spot
from pokerlab.solvers.checkpoints import checkpoint_identity

RULES = PreflopRules(6, "2x, a; a", ante=0.1)
BOARDS = [("QhJh2c4d7h", 1.0), ("AsKd7c7h2s", 2.0)]
TURNS = [("QhJh2c4d", 1.0), ("AsKd7c7h", 2.0)]
in_bits = pytest.mark.parametrize("bits", [32, pytest.param(16, marks=pytest.mark.slow)])
BETS = FlopBets(bet="60%, a", raise_="a")
HEROES = (SMALL_BLIND, BIG_BLIND)


def random_strategy(game, seed=1):
    rng = np.random.default_rng(seed)
    rows = rng.random(game.uniform()[0].shape) * game.uniform()[0]
    return [rows / rows.sum(axis=1, keepdims=True)]


@pytest.fixture(scope="module")
def learnt():
    """A game whose subtrees have learnt a little."""
    flops = FlopSubtrees(RULES, BOARDS, BETS, precision=32)
    solver = PreflopSolver(PreflopGame(RULES, flops), flops.rule, flops)
    solver.iterate(6)
    return solver


def test_without_bets_any_subset_gives_the_exact_game():
    flops = FlopSubtrees(RULES, BOARDS, FlopBets(bet="", raise_=""), precision=32)
    with_boards, exact = PreflopGame(RULES, flops), PreflopGame(RULES)
    strategy = random_strategy(exact)
    for hero in HEROES:
        for found, known in [
            (with_boards.values(strategy, hero), exact.values(strategy, hero)),
            (with_boards.best_values(strategy, hero), exact.best_values(strategy, hero)),
        ]:
            np.testing.assert_allclose(found, known, atol=1e-7)


@pytest.mark.slow
def test_without_bets_a_subset_of_run_outs_gives_the_exact_game():
    rules = PreflopRules(4, "")
    bets = FlopBets(bet="", raise_="", runouts="3x2")
    with_flop = PreflopGame(rules, FlopSubtrees(rules, [("QhJh2c", 1.0)], bets, precision=32))
    exact = PreflopGame(rules)
    strategy = random_strategy(exact)
    for hero in HEROES:
        found, known = with_flop.values(strategy, hero), exact.values(strategy, hero)
        np.testing.assert_allclose(found, known, atol=2e-6)  # corrections are in 16 bits


def test_values_of_both_players_sum_to_zero(learnt):
    game, strategy = learnt.game, random_strategy(learnt.game)
    values = [game.values(strategy, hero) for hero in HEROES]
    assert sum(each.sum() for each in values) == pytest.approx(0, abs=1e-6)
    for hero, own in zip(HEROES, values, strict=True):
        after = game.values(strategy, hero, flop_best=True)
        assert after.sum() > own.sum()
        assert (game.best_values(strategy, hero) >= after - 1e-9).all()


def test_a_line_alone_is_the_spot_that_it_leads_to():
    """All hands limp and check: the same value as a solve of the spot."""
    board = "QhJh2c4d7h"
    flops = FlopSubtrees(PreflopRules(4, ""), [(board, 3.0)], BETS, precision=32)
    everybody = np.ones((1, 169))
    for iteration in range(1, 101):
        for hero in HEROES:
            flops.learn(everybody, hero, iteration)
    spot = Spot(board, "any", "any", 2, 3, bet="60%, a", raise_="a", smallest_chip=0.01)
    solution = solve_spot(spot, target="0.1%")
    deals = 1081 * 990 * flops.weights[0]
    for hero, value in zip(HEROES, solution.values[::-1], strict=True):  # BB acts first
        won = flops.gains(everybody, hero, best=False).sum() / deals
        assert won == pytest.approx(value - 1, abs=0.004)


def test_suits_of_a_board_do_not_matter(learnt):
    strategy = random_strategy(learnt.game)
    moved = [(permute_cards(board, [2, 0, 3, 1]), weight) for board, weight in BOARDS]
    flops = FlopSubtrees(RULES, moved, BETS, precision=32)
    other = PreflopSolver(PreflopGame(RULES, flops), flops.rule, flops)
    other.iterate(6)
    for hero in HEROES:
        found, known = (game.values(strategy, hero) for game in (other.game, learnt.game))
        np.testing.assert_allclose(found, known, atol=1e-5)  # it learnt in float32


def test_a_solve_and_the_parts_of_its_exploitability():
    rules = PreflopRules(4, "a")
    found = solve_preflop(rules, BOARDS, BETS, target=0.002)
    parts = found.parts
    assert found.run.stopped == "target"
    assert 0 < parts.inside <= 0.002
    assert found.solution.exploitability == parts.inside
    assert parts.inside == pytest.approx(found.run.exploitability, abs=2e-5)  # it is rounded
    assert parts.flop_solves > 0
    assert parts.before_flop > 0
    assert 0 < parts.subset < 0.5
    assert found.facts.flops == 2
    one, same = (
        solve_preflop(rules, boards, BETS, iterations=3).parts.subset
        for boards in ([BOARDS[0]], [BOARDS[0], ("QsJs2h4c7s", 5.0)])
    )
    assert one is None
    assert same == pytest.approx(0, abs=1e-6)  # boards that differ by suits alone


class TwoBoards:
    """Bets on one board win a fortune for a limp of the small blind, and cost it on the other."""

    weights = np.array([1.0, 1.0])

    def board_gains(self, reach, hero):
        return 1000.0 * np.array([1, -1])[:, None, None] * np.ones((1, 169)) * (hero == SMALL_BLIND)


def test_what_other_flops_would_let_the_players_gain():
    """Half of all draws have one board twice: he limps, or folds, with hands that mix by half."""
    game = PreflopGame(PreflopRules(4, ""))
    parts = measure_parts(game, TwoBoards(), game.uniform())
    assert parts.inside == pytest.approx(0, abs=2)
    # With two boards, the means of draws with replacement have half of the variance.
    gained = np.sqrt(2) * 2 * 1000 * 169 / 2 / 2
    assert parts.subset == pytest.approx(gained / 2, rel=0.15)


def test_threads_change_nothing_and_a_checkpoint_goes_on(tmp_path):
    rules, file = PreflopRules(4, "a"), tmp_path / "state"
    whole = solve_preflop(rules, BOARDS, BETS, iterations=6, threads=1)
    solve_preflop(rules, BOARDS, BETS, iterations=3, threads=2, checkpoint=file)
    rest = solve_preflop(rules, BOARDS, BETS, iterations=6, threads=2, checkpoint=file)
    assert rest.parts == whole.parts
    with pytest.raises(ValueError, match="flops"):
        solve_preflop(rules, BOARDS[:1], BETS, iterations=6, checkpoint=file)


def test_ctrl_c_does_not_wait_for_a_measurement(tmp_path):
    """What is kept goes on as if nothing had happened."""
    rules, file = PreflopRules(4, "a"), tmp_path / "state"
    told = []

    def press(progress):
        told.append((progress.iteration, progress.phase))
        if told[-1] == (when, "measuring"):
            signal.raise_signal(signal.SIGINT)

    asked = {"rules": rules, "boards": BOARDS[:1], "bets": BETS, "checkpoint": file}
    when = 1
    with pytest.raises(KeyboardInterrupt):  # there is nothing yet that could be shown
        solve_preflop(**asked, iterations=6, report=press)
    assert [phase for _, phase in told].count("saving checkpoint") == 1
    when = 4
    found = solve_preflop(**asked, iterations=6, report=press)
    assert (found.run.stopped, found.run.iterations) == ("interrupted", 4)
    assert found.run.history[-1].iteration == 2
    # The answer has its own exploitability, not that of the last measurement.
    whole = solve_preflop(rules, BOARDS[:1], BETS, iterations=4)
    assert found.parts == whole.parts
    assert found.solution.exploitability == whole.solution.exploitability


@in_bits
def test_groups_of_one_hand_change_nothing(bits):
    rules = PreflopRules(4, "a")
    alone, grouped = (
        solve_preflop(rules, BOARDS, BETS, iterations=6, precision=bits, groups=groups)
        for groups in (None, "kmeans:1326")
    )
    assert grouped.parts._replace(groups=None) == alone.parts
    assert grouped.parts.groups == pytest.approx(0, abs=1e-6)
    assert (alone.facts.groups, grouped.facts.groups) == (None, "kmeans:1326")


@in_bits
def test_groups_have_a_price_and_a_checkpoint_knows_them(tmp_path, bits):
    """Two groups a board are few: best responses by hand gain more."""
    file = tmp_path / "state"
    asked = {"rules": PreflopRules(20, "a"), "boards": BOARDS, "bets": BETS, "precision": bits}
    found = solve_preflop(**asked, iterations=40, groups="percentile:2")
    assert 0 < found.parts.inside_groups < found.parts.inside
    assert found.parts.groups > 0.5 * found.parts.inside
    inside = found.run.history[-1].exploitability_abstract
    assert inside == pytest.approx(found.parts.inside_groups, rel=1e-3)
    solve_preflop(**asked, iterations=20, groups="percentile:2", checkpoint=file)
    rest = solve_preflop(**asked, iterations=40, groups="percentile:2", checkpoint=file)
    assert rest.parts == found.parts
    with pytest.raises(ValueError, match="its groups is percentile:2, not view/river"):
        solve_preflop(**asked, iterations=40, groups="view", checkpoint=file)


def test_lines_of_other_trees_share_the_groups_of_a_board():
    """After a raise nobody has chips for a second bet: nodes have fewer actions there."""
    rules, bets = PreflopRules(2.5, "2x, a; a"), FlopBets(bet="50%, a", raise_="a")
    both = FlopSubtrees(rules, BOARDS, bets, precision=32, groups="view")
    spots = bets.spots(rules, BOARDS[0][0])
    assert len({int(spot.tree.streets[0].first_edge[1]) for spot in spots}) > 1
    reach = np.random.default_rng(0).random((len(spots), 169))
    alone = FlopSubtrees(rules, BOARDS, bets, precision=32, groups="kmeans:1326")
    found, known = (each.gains(reach, 0, best=True) for each in (both, alone))
    np.testing.assert_allclose(found, known, atol=1e-6)


def test_memory_is_counted_for_all_lines_and_boards():
    flops = [("QhJh2c", 1.0), ("AsKs7d", 1.0), ("9s9d4h", 2.0)]
    rules = PreflopRules(10, "a")
    one, two, three = (SubtreeMemory(rules, flops[:count]) for count in (1, 2, 3))
    base = 2 * one.peak_bytes(16) - two.peak_bytes(16)  # both have two suits and three ranks
    assert 0 < base < one.peak_bytes(16) / 2
    assert two.peak_bytes(16) < three.peak_bytes(16) < 2 * two.peak_bytes(16)
    lines = SubtreeMemory(PreflopRules(10), flops[:1])
    assert len(lines._boards[0].spots) == 3
    assert one.peak_bytes(16) < lines.peak_bytes(16) < 3 * one.peak_bytes(16)


def test_memory_chooses_bits_and_groups():
    rules, bets = PreflopRules(20), FlopBets("50%, a", "a")
    flops = [(f"{rank}hJh2c4d", 1.0) for rank in "QKA98"]
    counted = SubtreeMemory(rules, flops, bets, threads=1)
    sizes = [
        counted.peak_bytes(32),
        counted.peak_bytes(16),
        *(counted.peak_bytes(16, HandGrouping.parse(each)) for each in ("view", "strength")),
    ]
    assert sizes == sorted(sizes, reverse=True)
    ways = [(32, None), (16, None), (16, "view/river"), (16, "strength/river")]
    for (bits, groups), size in zip(ways, sizes, strict=True):
        choice = fit_subtrees(rules, flops, bets, size, threads=1)
        assert (choice.precision, choice.groups, choice.peak_bytes) == (bits, groups, size)
    assert choice.reason.startswith("16 bits and groups strength/river fit: ")
    assert "(too large: 32 bits " in choice.reason
    with pytest.raises(ValueError, match=r"memory: .* are too little: even 16 bits and groups"):
        fit_subtrees(rules, flops, bets, size - 1, threads=1)


def test_what_cannot_be_solved_is_one_line(monkeypatch):
    with pytest.raises(ValueError, match="flops: none is named"):
        FlopSubtrees(RULES, [])
    with pytest.raises(ValueError, match="flops: all boards have three cards, or all four"):
        FlopSubtrees(RULES, [("QhJh2c4d7h", 1.0), ("QhJh2c4d", 1.0)])
    with pytest.raises(ValueError, match="flops: no line leads to one; allow limps"):
        FlopSubtrees(PreflopRules.push_fold(5), BOARDS)
    with pytest.raises(ValueError, match="precision: 8 is not a number of bits"):
        FlopSubtrees(RULES, BOARDS, precision=8)
    with pytest.raises(ValueError, match="device: 'tpu' is not auto, cpu or gpu"):
        FlopSubtrees(RULES, BOARDS, device="tpu")
    with pytest.raises(ValueError, match="groups 'colour': no measure 'colour'"):
        FlopSubtrees(RULES, BOARDS, groups="colour")
    monkeypatch.setattr("pokerlab.holdem.preflop.flop_subtrees.free_memory", lambda: 1000)
    with pytest.raises(ValueError, match=r"flops: 2 flops after 3 lines need about .*--groups"):
        FlopSubtrees(RULES, BOARDS)


def test_what_was_prepared_for_another_solve_is_refused():
    prepared = PreparedFlops(BOARDS[:1])
    prepared.check(BOARDS[:1], None, None)
    for boards, groups, runouts, name in (
        (BOARDS, None, None, "flops"),
        ([(BOARDS[0][0], 2.0)], None, None, "flops"),
        (BOARDS[:1], HandGrouping.parse("view"), None, "groups"),
        (BOARDS[:1], None, "3x2", "runouts"),
    ):
        with pytest.raises(ValueError, match=f"prepared: the {name} are not those of the solve"):
            prepared.check(boards, groups, runouts)
    with pytest.raises(ValueError, match="prepared: the flops are not those of the solve"):
        FlopSubtrees(RULES, BOARDS, BETS, prepared=prepared)


@pytest.fixture
def emulated(monkeypatch):
    """An emulated GPU."""
    if find_compiler() is None:
        pytest.skip("no C++ compiler for the emulation of a GPU: pip install ziglang")
    monkeypatch.setattr("pokerlab.runtime.gpu.machine.CudaMachine", EmulatedMachine)


DEEP = PreflopRules(40, "2.5x; 3x", limp_raises="3x; a")
DEEP_BETS = FlopBets("75%", "a", donk="", force_allin=0.2, max_bets=2)


@pytest.mark.slow
@pytest.mark.parametrize("boards", [BOARDS, TURNS])
def test_lines_on_a_gpu(emulated, boards):
    """All boards of a line at once: the numbers of the processor, and states for both.

    Two depths share what is prepared.
    """
    prepared = PreparedFlops(boards)
    for rules in (DEEP, PreflopRules(8, "2.5x; a")):
        devices = [
            FlopSubtrees(rules, boards, DEEP_BETS, precision=32),
            FlopSubtrees(rules, boards, DEEP_BETS, precision=32, device="gpu", prepared=prepared),
        ]
        reach = learn_a_little(devices, len(DEEP_BETS.spots(rules, boards[0][0])))
        compare_gains(devices, reach, 1e-6)
        devices[1].restore(devices[0].state())
        compare_gains(devices, reach, 5e-7)


def learn_a_little(devices, lines):
    """Two iterations for fixed ranges, which are given back."""
    reach = np.random.default_rng(0).random((lines, 169))
    for iteration in (1, 2):
        for hero in HEROES:
            for each in devices:
                each.learn(reach, hero, iteration)
    return reach


def compare_gains(devices, reach, atol):
    for hero in HEROES:
        for best in (False, True):
            known, found = (each.gains(reach, hero, best=best) for each in devices)
            np.testing.assert_allclose(found, known, atol=atol)


@pytest.mark.slow
def test_some_lines_of_a_gpu_are_stored_by_hand(emulated, monkeypatch):
    """Where there is room for some: each line learns what it learns with all lines like it."""
    rules, bets = PreflopRules(8, "2.5x; a"), FlopBets("a", "")
    prepared = PreparedFlops(BOARDS, "percentile:6")
    asked = {"precision": 32, "groups": prepared.groups, "device": "gpu", "prepared": prepared}
    monkeypatch.setattr(EmulatedMachine, "free_bytes", lambda machine: 0)
    with pytest.raises(ValueError, match=r"device: 2 flops after 3 lines need about .* on the GPU"):
        FlopSubtrees(rules, BOARDS, bets, **asked)
    assert FlopSubtrees(rules, BOARDS, bets, **asked | {"device": "auto"}).device == "cpu"
    monkeypatch.setattr(EmulatedMachine, "free_bytes", lambda machine: 400_000)
    mixed = FlopSubtrees(rules, BOARDS, bets, **asked)
    by_hand = mixed.identity["by_hand"].split()
    assert 0 < len(by_hand) < 3
    alone = {
        by_line: FlopSubtrees(rules, BOARDS, bets, precision=32, groups=groups)
        for by_line, groups in ((True, None), (False, "percentile:6"))
    }
    reach = learn_a_little([mixed, *alone.values()], 3)
    for hero in HEROES:
        found = mixed.gains(reach, hero, best=True, by_group=True)
        known = {
            by_line: each.gains(reach, hero, best=True, by_group=True)
            for by_line, each in alone.items()
        }
        for line in range(3):
            expected = known[str(line) in by_hand][line]
            np.testing.assert_allclose(found[line], expected, atol=1e-6)


@pytest.mark.slow
def test_a_checkpoint_of_a_gpu_knows_which_lines_are_by_hand(emulated, monkeypatch, tmp_path):
    """Whatever is free when it goes on; with all lines by hand groups have no price."""
    file = tmp_path / "state"
    asked = {
        "rules": PreflopRules(8, "2.5x; a"),
        "boards": BOARDS[:1],
        "bets": FlopBets("a", ""),
        "groups": "percentile:6",
        "device": "auto",
    }
    monkeypatch.setattr(EmulatedMachine, "free_bytes", lambda machine: 130_000)
    whole = solve_preflop(**asked, iterations=4)
    solve_preflop(**asked, iterations=2, checkpoint=file)
    assert 0 < len(checkpoint_identity(file)["by_hand"].split()) < 3
    monkeypatch.setattr(EmulatedMachine, "free_bytes", lambda machine: 10**9)
    rest = solve_preflop(**asked, iterations=4, checkpoint=file)
    assert (rest.facts.device, rest.facts.groups) == ("gpu", "percentile:6")
    assert rest.parts == whole.parts
    alone = solve_preflop(**asked, iterations=4)
    assert (alone.facts.groups, alone.parts.groups) == (None, None)


@pytest.mark.slow
def test_a_flop():
    rules = PreflopRules(4, "")
    boards = [("QhJh2c", 1.0), ("9s8h8d", 1.0)]
    exact = PreflopGame(rules)
    strategy = random_strategy(exact)
    checked = PreflopGame(rules, FlopSubtrees(rules, boards, FlopBets(bet="", raise_="")))
    for hero in HEROES:
        found, known = checked.values(strategy, hero), exact.values(strategy, hero)
        np.testing.assert_allclose(found, known, atol=1e-7)
    found = solve_preflop(rules, boards, FlopBets(bet="a", raise_="a"), target=0.02)
    game, answer = found.solution.game, found.solution.strategy
    assert found.parts.inside <= 0.02
    values = [float(game.values(answer, hero).sum()) for hero in HEROES]
    assert sum(values) == pytest.approx(0, abs=1e-6)
