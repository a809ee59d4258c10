"""Gadgets at the root of a spot: against the laboratory's linear programs, and their promises."""

from __future__ import annotations

import pickle
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tests.holdem.spots.explicit_game import SpotGame

from pokerlab.cards import Range
from pokerlab.cards.codes import combo_cards, combo_index, format_cards, parse_cards
from pokerlab.cards.ranges.blockers import met_weights
from pokerlab.holdem.spots import Gadget, PostflopSolver, Spot, load_postflop, solve_spot
from pokerlab.holdem.spots.answer.margins import least_margin
from pokerlab.holdem.spots.checks.hand_responses import hand_responses
from pokerlab.holdem.spots.checks.verify import verify
from pokerlab.holdem.spots.question.gadget import allowed_combos
from pokerlab.runtime.arrays import Bools, Floats
from pokerlab.solvers import Strategy, run
from pokerlab.solvers.evaluation.tree_values import arrival, best_response, counterfactual_values
from pokerlab.solvers.resolving.gadgets import Entrance, solve_gadget
from pokerlab.solvers.resolving.kinds import KINDS, entry_weights
from pokerlab.trees import GameTree

RANGES = "AA, KQs, JTs:0.5, 55", "QQ, AJs, T9s, 88:0.7"
RIVER = Spot("QhJh2c4d7s", *RANGES, pot=100, stack=150, bet="60%", raise_="a")
TURN = Spot("QhJh2h4c", *RANGES, pot=100, stack=150, bet="60%", raise_="a")


def random_turn(seed: int) -> tuple[Spot, int]:
    """A turn with random ranges, and a river card."""
    rng = np.random.default_rng(seed)
    cards = rng.permutation(52)[:5].tolist()
    weights = np.zeros((2, 1326))
    for row in weights:
        chosen = rng.permutation(1326)[:60]
        row[chosen] = rng.uniform(0.2, 1, 60)
    oop, ip = map(Range, weights)
    spot = Spot(cards[:4], oop, ip, pot=100, stack=150, bet="60%", raise_="a")
    return spot, cards[4]


@pytest.mark.parametrize(
    "seed", [*range(2), *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(2, 100))]
)
def test_own_equilibrium_values_change_nothing(seed: int) -> None:
    # With values of an equilibrium no hand can lose and the range as a whole cannot gain: all
    # kinds have a mean margin of 0, and maxmargin a least margin of 0. Wrong units cost far more.
    spot, card = random_turn(seed)
    turn = solve_spot(spot, target="0.02%", threads=1)
    player = seed % 2
    # Where hardly anybody gets, the turn's strategy is far from an equilibrium.
    often = turn.at("").frequencies[1] > 0.1
    line = "b60/c" if often and seed // 2 % 2 else "x/x"
    river = turn.below(line, [card]).spot
    for kind in KINDS:
        gadget = Gadget.from_solution(turn, line, [card], player=player, kind=kind)
        solution = solve_spot(river, gadget=gadget, target="0.05%", threads=1)
        assert solution.margin is not None
        assert abs(solution.margin.mean) < 0.006 * river.pot
        if kind == "maxmargin":
            assert abs(solution.margin.chips) < 0.004 * river.pot


HANDS = "QsQd", "AsJs", "8s8d", "KsTs", "6c5c", "AcKd"
FAR = 1000.0
"""What other hands are worth: they always stop, and nobody chooses them."""


def gadget_of(kind: str) -> Gadget:
    values = np.full(1326, FAR)
    rng = np.random.default_rng(3)
    for hand in HANDS:
        values[combo_index(*parse_cards(hand))] = rng.uniform(20, 100)
    return Gadget("ip", values, kind=kind)


def exact_values(gadget: Gadget, spot: Spot, hands: tuple[str, ...], kind: str) -> Floats:
    """What a best response takes with each hand after the linear program, in chips."""
    tree = GameTree.build(SpotGame(replace(spot, ip=Range(", ".join(hands)))))
    roots, combos, weights = [], [], []
    for node, state in tree.states():
        if len(state.hands) == 2 and state.line == "":
            roots.append(node)
            combos.append(state.hands[1])
            weights.append(spot.ranges[0].weights[state.hands[0]])
    unique, numbers = np.unique(combos, return_inverse=True)
    entrance = Entrance(
        tree,
        0,
        np.array(roots),
        np.array(weights),
        numbers,
        gadget.worth[unique] - spot.pot / 2,
        spot.ranges[1].weights[unique],
    )
    slots, plan = solve_gadget(entrance, kind)
    infosets = tree.infosets
    whole = np.zeros(infosets.slots)
    whole[slots] = plan
    sums = np.repeat(np.add.reduceat(whole, infosets.offset[:-1]), infosets.n_actions)
    even = 1 / np.repeat(infosets.n_actions, infosets.n_actions)
    found = Strategy(infosets, np.where(sums > 1e-12, whole / np.where(sums > 0, sums, 1), even))
    best = best_response(tree, found, 1).strategy
    now = counterfactual_values(tree, best, 1)[:, 1]
    cards = arrival(tree, np.ones(infosets.slots))
    won = np.bincount(numbers, now[roots]) / np.bincount(numbers, cards[roots])
    result = np.full(1326, np.nan)
    result[unique] = won + spot.pot / 2
    return result


def objective(gadget: Gadget, spot: Spot, best: Floats, known: Bools) -> float:
    """What the hero of a gadget makes as small as can be, in chips for each arrival."""
    kind = gadget.plain_kind
    if kind == "maxmargin":
        return -float((gadget.worth - best)[known].min())
    mass, prior = met_weights(spot.ranges[0].weights), spot.ranges[1].weights
    arrives = mass @ prior / prior.max()
    must, free = entry_weights(kind, prior[known], mass[known])
    best, worth = best[known], gadget.worth[known]
    return float(mass[known] @ (must * best + free * np.maximum(best, worth)) / arrives)


@pytest.mark.parametrize("kind", ["resolve", "maxmargin"])
def test_linear_program_finds_the_same(kind: str) -> None:
    gadget = gadget_of(kind)
    best = exact_values(gadget, RIVER, HANDS, kind)
    solution = solve_spot(RIVER, gadget=gadget, target=0.005, threads=1)
    known = ~np.isnan(best)
    assert known.sum() == len(HANDS)
    ours, theirs = (
        objective(gadget, RIVER, each, known) for each in (solution.all_hands(1).at_root(), best)
    )
    assert theirs - 1e-5 <= ours <= theirs + 2 * 0.005


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["combined", "resolve", "maxmargin"])
def test_linear_program_with_every_hand_finds_the_same(kind: str) -> None:
    spot = replace(RIVER, oop=Range("AsAh, KsQs, 5s5d"), bet="a", raise_="")
    gadget = Gadget("ip", np.random.default_rng(5).uniform(20, 140, 1326), kind=kind)
    possible = np.flatnonzero(allowed_combos(spot.board)).tolist()
    hands = tuple(format_cards(combo_cards(combo)) for combo in possible)
    best = exact_values(gadget, spot, hands, kind)
    solution = solve_spot(spot, gadget=gadget, target=0.02, threads=1)
    known = ~np.isnan(best)
    own = solution.all_hands(1).at_root()
    assert np.array_equal(known, ~np.isnan(own))
    ours, theirs = (objective(gadget, spot, each, known) for each in (own, best))
    assert theirs - 1e-4 <= ours <= theirs + 2 * 0.02


@pytest.mark.parametrize("player", [0, 1])
def test_maxmargin_never_has_a_negative_margin_beyond_its_gap(player: int) -> None:
    # Values of a best response to some strategy: that strategy has a margin of 0.
    turn = solve_spot(TURN, iterations=6, threads=1)
    river = turn.below("x/x/7s").spot
    gadget = Gadget.from_solution(turn, "x/x", "7s", player=player, kind="maxmargin")
    solution = solve_spot(river, gadget=gadget, target="0.2%", threads=1)
    assert solution.margin is not None
    assert solution.margin.chips > -2 * 0.002 * river.pot


def test_unsafe_is_a_plain_solve_to_the_bit() -> None:
    gadget = gadget_of("unsafe")
    with_it, plain = (
        solve_spot(RIVER, iterations=40, threads=1, gadget=each) for each in (gadget, None)
    )
    for mine, others in zip(with_it.strategies, plain.strategies, strict=True):
        for one, other in zip(mine, others, strict=True):
            assert np.array_equal(one, other)
    assert with_it.values == plain.values and plain.margin is None
    assert with_it.margin is not None and with_it.margin.chips < 0


@pytest.mark.parametrize("kind", ["unsafe", "combined"])
def test_independent_walk_confirms_the_margin(kind: str, tmp_path: Path) -> None:
    gadget = Gadget("oop", np.full(1326, 55.0), kind=kind)
    solution = solve_spot(TURN, iterations=8, threads=1, gadget=gadget)
    assert len(solution.boards.cards[1]) < 48  # suits are merged
    solution.save(tmp_path / "turn.safetensors")
    read = load_postflop(tmp_path / "turn.safetensors")
    assert read.gadget is not None and read.gadget.kind == kind
    assert read.margin == solution.margin
    certificate = verify(tmp_path / "turn.safetensors")
    assert certificate.ok and certificate.margin is not None
    assert solution.margin is not None
    wrong = replace(solution.margin, chips=solution.margin.chips + 0.1)
    told = verify(replace(solution, margin=wrong, known=(solution.boards, solution.layout)))
    assert any(text.startswith("least margin") for text in told.problems)


def test_suits_are_merged_only_if_the_values_allow_it() -> None:
    values = np.full(1326, 50.0)
    values[combo_index(*parse_cards("AsKs"))] = 51.0
    apart = PostflopSolver(TURN, threads=1, gadget=Gadget("ip", values))
    assert len(apart.boards.cards[1]) == 48
    assert len(apart.boards.combos[1]) == 1128 and (apart.boards.weights[1] == 0).any()


def test_hands_out_of_range_have_values() -> None:
    turn = solve_spot(TURN, iterations=30, threads=1)
    below = turn.below("b60/c", "7s")
    for values in ("response", "average"):
        worth = below.worth(1, values)
        assert np.isfinite(worth[allowed_combos(below.spot.board)]).all()
    response, average = below.worth(1), below.worth(1, "average")
    held = turn.spot.ranges[1].weights > 0
    known = np.isfinite(response)
    assert (response[held & known] >= average[held & known] - 1e-9).all()
    assert np.array_equal(response[~held], average[~held], equal_nan=True)
    # The same hands, when the range holds them, are worth as much to a best response.
    more = replace(TURN, ip=Range(np.maximum(TURN.ip.weights, 1e-9)))
    wide = solve_spot(more, iterations=1, threads=1)
    strategies = tuple(
        (one, wide.strategies[level][1]) for level, (one, _) in enumerate(turn.strategies)
    )
    same = replace(wide, strategies=strategies)
    found = same.below("b60/c", "7s").worth(1)
    assert np.allclose(found[known], response[known], atol=1e-6)


def test_gifts_are_what_a_hand_gave_away() -> None:
    turn = solve_spot(TURN, iterations=30, threads=1)
    below = turn.below("x/b60/c/7s")
    gifts = below.gifts(0)
    assert (gifts >= 0).all() and gifts.max() > 1
    # Of one decision: the best action less the one taken, as best responses value them.
    everyone = turn.all_hands(0).at(())
    view = turn.at("")
    met = met_weights(view.weights[1])
    hand = combo_index(*parse_cards("KsQs"))
    place = list(turn.all_hands(0).boards.combos[0]).index(hand)
    first = (everyone.actions[:2, place].max() - everyone.actions[0, place]) / met[hand]
    assert gifts[hand] >= first - 1e-9
    gadget = Gadget.from_solution(turn, "x/b60/c", "7s", player=0, kind="reach-maxmargin")
    assert gadget.worth[hand] == pytest.approx(gadget.values[hand] + gifts[hand] / 2)


def test_kept_values_are_read_from_the_file(tmp_path: Path) -> None:
    turn = solve_spot(TURN, iterations=30, threads=1, keep_values=True)
    step = (TURN.pot / 2 + TURN.effective_stack) / 32767
    turn.save(tmp_path / "turn.safetensors")
    turn.without_river().save(tmp_path / "partial.safetensors")
    plain = replace(turn, kept_values=None, known=(turn.boards, turn.layout))
    for name in ("turn", "partial"):
        read = load_postflop(tmp_path / f"{name}.safetensors")
        assert read.kept_values is not None
        for card in ("7s", "7d", "Ac"):  # 7d is merged with another card
            for player in range(2):
                for values in ("response", "average"):
                    kept = read.below("b60/c", card).worth(player, values)
                    exact = plain.below("b60/c", card).worth(player, values)
                    assert np.allclose(kept, exact, atol=0.51 * step, equal_nan=True)
    with pytest.raises(ValueError, match="needs all streets of the solution"):
        Gadget.from_solution(read, "x/x", "7s", player=1, kind="reach-resolve")


@pytest.mark.parametrize(
    ("spot", "options", "message"),
    [(RIVER, {}, "begins on the river"), (TURN, {"groups": "view/river"}, "with groups")],
)
def test_values_that_cannot_be_kept_are_refused_before_the_solve(spot, options, message) -> None:
    with pytest.raises(ValueError, match=f"keep values: .*{message}"):
        # Nobody would wait for the end of this solve.
        solve_spot(spot, iterations=10**9, target=0.0, stall=False, keep_values=True, **options)


def test_a_start_that_is_good_enough_gets_values() -> None:
    start = solve_spot(TURN, iterations=9, threads=1)
    kept = solve_spot(TURN, start=start, target="100%", keep_values=True, streets=1)
    assert kept.partial and kept.kept_values is not None


def test_checkpoints_and_pickles_go_on(tmp_path: Path) -> None:
    gadget = gadget_of("combined")
    solver, other = (PostflopSolver(RIVER, threads=1, gadget=gadget) for _ in range(2))
    run(solver, iterations=12, checkpoint=tmp_path / "a")
    run(other, iterations=24)
    again = PostflopSolver(RIVER, threads=1, gadget=gadget)
    run(again, iterations=24, checkpoint=tmp_path / "a")
    copied = pickle.loads(pickle.dumps(solver))
    copied.iterate(12)
    for each in (again, copied):
        assert np.array_equal(each.storage[0].sums[0], other.storage[0].sums[0])
        assert each.exploitability() == other.exploitability()
    with pytest.raises(ValueError, match="gadget"):
        run(
            PostflopSolver(RIVER, threads=1, gadget=gadget_of("resolve")),
            iterations=24,
            checkpoint=tmp_path / "a",
        )


@pytest.mark.parametrize("rule", ["cfr+", "pcfr+"])
def test_rules_that_match_regrets_agree(rule: str) -> None:
    gadget = gadget_of("maxmargin")
    solution = solve_spot(RIVER, rule, gadget=gadget, target=0.05, threads=1)
    expected = least_margin(gadget, exact_values(gadget, RIVER, HANDS, "maxmargin"), RIVER)
    assert solution.margin is not None
    assert solution.margin.chips == pytest.approx(expected.chips, abs=0.15)


def test_sixteen_bits_are_enough() -> None:
    gadget = gadget_of("maxmargin")
    solution = solve_spot(RIVER, gadget=gadget, target=0.1, precision=16, threads=1)
    expected = least_margin(gadget, exact_values(gadget, RIVER, HANDS, "maxmargin"), RIVER)
    assert solution.margin is not None
    assert solution.margin.chips == pytest.approx(expected.chips, abs=0.3)


@pytest.mark.parametrize(
    ("change", "options", "message"),
    [
        ({"rake": 0.05}, {}, "the spot has a rake"),
        ({}, {"groups": "view/river"}, "groups do not work"),
        ({"locks": {"x": {"x": 1}}}, {}, "ip is locked at 'x'"),
        ({}, {"rule": "cgh"}, "matches no regrets"),
        ({"board": "QhJh2c4d8s"}, {}, "not of QhJh2c4d8s"),
        ({"pot": 90}, {}, "pot of 100 chips, not of 90"),
    ],
)
def test_what_does_not_fit_is_refused(change, options, message) -> None:
    gadget = Gadget("ip", np.full(1326, 50.0), board=RIVER.board, pot=100)
    spot = replace(RIVER, **change)
    with pytest.raises(ValueError, match=message):
        solve_spot(spot, gadget=gadget, iterations=1, **options)


def test_certificate_is_of_the_spot_in_every_precision() -> None:
    # In 64 bits the walker that learns also certifies: it must hold the ranges of the spot again.
    gadget = gadget_of("resolve")
    assert verify(solve_spot(RIVER, gadget=gadget, iterations=9, precision=64, threads=1)).ok


@pytest.mark.parametrize("player", [0, 1])
def test_a_solve_with_a_gadget_has_values_for_the_next_one(player: int) -> None:
    gadget = Gadget("ip", np.full(1326, 55.0), kind="resolve")
    turn = solve_spot(TURN, iterations=8, threads=1, gadget=gadget)
    best = turn.all_hands(player).at_root()
    for hand in hand_responses(turn, player):
        assert best[combo_index(*parse_cards(hand.hand))] == pytest.approx(hand.best, abs=1e-3)
    following = Gadget.from_solution(turn, "x/x", "7s", player=player)
    assert solve_spot(turn.below("x/x/7s").spot, gadget=following, iterations=2).margin is not None


def test_locks_of_the_hero_are_kept() -> None:
    spot = RIVER.with_locks({"": {"x": 1}})
    solution = solve_spot(spot, gadget=gadget_of("combined"), iterations=20, threads=1)
    assert solution.at("").frequencies[0] == 1
    assert verify(solution).ok


def test_a_solve_with_a_gadget_cannot_be_continued() -> None:
    start = solve_spot(RIVER, iterations=5, threads=1)
    with pytest.raises(ValueError, match="cannot be continued"):
        solve_spot(RIVER, start=start, iterations=9, gadget=gadget_of("resolve"), threads=1)
    behind = solve_spot(RIVER, iterations=2, gadget=gadget_of("resolve"), threads=1)
    with pytest.raises(ValueError, match="cannot be continued"):
        solve_spot(RIVER, start=behind, iterations=9, threads=1)
