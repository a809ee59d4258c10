"""Models of lines: what is counted, how it is smoothed, and what becomes of it in a spot."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.holdem.spots.solved_spots import SPOTS, solved
from tests.hostile.mutations import check_all, damaged_text

from pokerlab.cards.ranges.blockers import unblocked_weights
from pokerlab.engine.locks import parse_locks
from pokerlab.games import load_betting_game
from pokerlab.games.betting import Betting
from pokerlab.games.betting_trees.betting_tree import EdgeKind
from pokerlab.holdem.spots import Spot, solve_spot
from pokerlab.players.opponents import LineKey, LineModel, line_locks, load_line_model
from pokerlab.players.opponents.line_model import line_decisions
from pokerlab.players.opponents.spot_locks import line_key

GAME = replace(load_betting_game("holdem.nolimit.2p"), stacks=(1300, 1300))
THREE = load_betting_game("holdem.nolimit.3p")


def played(rng: np.random.Generator, game=GAME) -> Betting:
    """A hand of random actions, some of which are raises of random sizes."""
    node = game.first_betting
    while node.player >= 0:
        bounds = node.raise_bounds()
        choice = rng.random()
        if bounds is not None and choice < 0.35:
            node = node.after(f"r{rng.integers(bounds[0], bounds[1] + 1)}")
        elif node.to_call and choice > 0.85:
            node = node.after("f")
        else:
            node = node.after("c")
    return node


@given(st.integers(0, 2**32 - 1), st.sampled_from([GAME, THREE]))
def test_every_decision_of_two_players_is_counted_once(seed, game):
    final = played(np.random.default_rng(seed), game)
    found = [list(line_decisions(final, seat)) for seat in range(game.players)]
    began = {}
    for node, _ in final.path():
        began.setdefault(node.street, len(node.live))
    expected = Counter(
        node.player for node, _ in final.path() if node.street > 0 and began[node.street] == 2
    )
    assert [len(each) for each in found] == [expected[seat] for seat in range(game.players)]
    for key, action in [each for own in found for each in own]:
        assert action in key.actions


def test_a_spot_has_the_lines_of_the_hands_that_lead_there():
    """Every decision of a spot, played as a hand, is found under the same name."""
    spot = Spot(
        "QhJh2c",
        "AA",
        "KK",
        pot=600,
        stack=1000,
        aggressor="ip",
        bet="33%, 75%, a",
        raise_="60%, a",
    )
    seen = set()
    for level, node, line in spot.tree.walk():
        street = spot.tree.streets[level]
        before = 300 + int(street.root_matched[street.root[node]])
        betting = as_betting(spot, level, node)
        if GAME.replay(betting).node.player < 0:
            continue  # rounded sizes
        seat = int(street.player[node])
        key = line_key(spot, level, node)
        final = GAME.replay(betting + "c").node
        assert list(line_decisions(final, seat))[-1][0] == key, (line, before)
        seen.add((key.street, key.initiative, key.kind))
    assert len(seen) > 40
    unknown = replace(spot, aggressor=None)
    assert line_key(unknown, 0, 0).initiative == "nobody"


def as_betting(spot: Spot, level: int, node: int) -> str:
    """The line to a node as the rules write it; all sizes are totals of the hand."""
    tree = spot.tree
    parts: list[str] = []
    edge = int(tree.streets[level].parent_edge[node])
    while True:
        street = tree.streets[level]
        here = ""
        matched = int(street.root_matched[street.root[node]])
        while edge >= 0:
            label = street.label(edge)
            total = 300 + matched + int(street.amount[edge])
            here = ("c" if label in "xc" else "f" if label == "f" else f"r{total}") + here
            node = int(street.node[edge])
            edge = int(street.parent_edge[node])
        parts.append(here)
        if level == 0:
            return "/".join(["r300c", *reversed(parts)])
        edge = int(street.root_parent_edge[street.root[node]])
        level -= 1
        node = int(tree.streets[level].node[edge])


FACING = LineKey("flop", "ip", "self", "x/medium")


def test_frequencies_are_smoothed_towards_all_lines_of_the_kind():
    other = FACING._replace(street="turn")
    model = LineModel("bob", 100, {FACING: {"fold": 3, "call": 1}, other: {"fold": 40}}, 2.0)
    kind = (43 + 2 / 6) / 46
    assert model.at(FACING).shares["fold"] == pytest.approx((3 + 2 * kind) / 6)
    assert model.at(FACING).observations == 4
    never = FACING._replace(street="river")
    assert model.at(never).observations == 0
    assert model.at(never).shares["fold"] == pytest.approx(kind)
    raised = FACING._replace(line="x/small/medium")
    assert model.at(raised).shares["fold"] == pytest.approx(1 / 6)
    assert model.at(FACING._replace(initiative="nobody"), any_initiative=True).observations == 4


def test_many_hands_give_the_frequencies_back():
    rng = np.random.default_rng(1)
    ends = rng.choice(["f", "c/cc/cc", "r1300f"], 4000, p=[0.5, 0.3, 0.2])
    hands = [(GAME.replay(f"r300c/cr700{end}").node, 0) for end in ends.tolist()]
    found = LineModel.of("ann", hands).at(LineKey("flop", "oop", "other", "x/medium"))
    assert found.observations == 4000
    for action, share in (("fold", 0.5), ("call", 0.3), ("small", 0.2)):
        assert found.shares[action] == pytest.approx(share, abs=0.03)


@given(
    st.dictionaries(
        st.builds(
            LineKey,
            st.sampled_from(["flop", "turn", "river"]),
            st.sampled_from(["oop", "ip"]),
            st.sampled_from(["self", "other", "nobody"]),
            st.sampled_from(["", "x", "x/small", "large!", "small/overbet", "x/medium/large!"]),
        ),
        st.integers(1, 10**6),
        max_size=6,
    ),
    st.floats(0, 1e6),
)
def test_files_give_the_model_back(tmp_path_factory, counts, weight):
    file = tmp_path_factory.mktemp("lines") / "bob.toml"
    lines = {key: {key.actions[0]: count} for key, count in counts.items()}
    model = LineModel("bob", 7, lines, weight)
    model.save(file)
    again = load_line_model(file)
    assert (again.player, again.hands, again.prior_weight) == ("bob", 7, weight)
    assert again.counts == lines


def test_damaged_files_are_read_or_are_one_line(tmp_path: Path):
    LineModel("bob", 9, {FACING: {"fold": 3, "call": 1, "small": 5}}).save(tmp_path / "good")
    text = (tmp_path / "good").read_text()
    refused, loaded = check_all(tmp_path / "m.toml", damaged_text(text, 5, 300), load_line_model)
    assert refused > 1 / 3 and loaded > 0


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("line model 1", "line model 9", "its format is 'pokerlab line model 9', not"),
        ('"ip"', '"button"', "line 1: position: 'button' is not one of oop, ip"),
        ("x/medium", "x/huge", "line 1: line: 'x/huge' is not a line such as 'x/medium'"),
        ("fold =", "check =", "line 1: no action 'check' there; possible: fold, call, small"),
        ("fold = 3", "fold = -3", "line 1: fold: -3 is not a number of observations"),
        ("hands = 9", "hands = true", "hands: True is not a number of hands"),
    ],
)
def test_bad_files_are_named(tmp_path: Path, old: str, new: str, said: str):
    LineModel("bob", 9, {FACING: {"fold": 3}}).save(tmp_path / "m.toml")
    text = (tmp_path / "m.toml").read_text()
    assert old in text
    (tmp_path / "m.toml").write_text(text.replace(old, new))
    with pytest.raises(ValueError, match=r"m\.toml: ") as caught:
        load_line_model(tmp_path / "m.toml")
    assert said in str(caught.value)


TURN_FACING = LineKey("turn", "ip", "nobody", "medium")
TURN_FIRST = LineKey("turn", "ip", "nobody", "x")
MODEL = LineModel(
    "bob",
    200,
    {TURN_FACING: {"fold": 80, "call": 10}, TURN_FIRST: {"check": 10, "large": 20}},
    prior_weight=0,
)


def test_locks_have_the_frequencies_of_the_model_in_the_order_of_the_solution():
    solution = solved("turn")
    found = {each.line: each for each in line_locks(MODEL, solution, "ip")}
    assert set(found) == {"b50", "x"}
    facing = found["b50"]
    assert (facing.observations, facing.weight) == (90, pytest.approx(0.9))
    assert facing.frequencies == pytest.approx({"f": 80 / 90, "c": 10 / 90, "a": 0})
    # Large bets are not on the menu: they are the size that is nearest.
    assert found["x"].frequencies == pytest.approx({"x": 1 / 3, "b50": 2 / 3, "a": 0})
    decision = solution.at("b50")
    spot = solution.spot.with_locks({line: each.lock for line, each in found.items()})
    lock = next(lock for lock in parse_locks(spot, spot.locks) if lock.line == "b50")
    assert lock.weight == pytest.approx(0.9)
    here = lock.shares[0] >= 0
    often = (decision.weights[1] * unblocked_weights(decision.weights[0]))[here]
    assert lock.shares[0, here] @ often / often.sum() == pytest.approx(80 / 90, abs=2e-3)
    # The more a fold costs, the less a hand folds.
    cost = decision.action_ev[1:, here].max(axis=0) - decision.action_ev[0, here]
    assert (np.diff(lock.shares[0, here][np.argsort(cost)]) <= 1e-3).all()
    locked = solve_spot(spot, target="0.3%", threads=1)
    assert locked.values[0] > solution.values[0] + 1
    assert Spot.from_toml(spot.to_toml()) == spot


def test_alike_needs_no_solution_and_locks_all_streets():
    river = LineKey("river", "ip", "other", "medium")
    model = replace(MODEL, counts={**MODEL.counts, river: {"fold": 5, "call": 5}})
    found = {each.line: each for each in line_locks(model, SPOTS["turn"], "ip", uniform=True)}
    assert set(found) == {"b50", "x", "b50/c/b150"}
    assert found["b50/c/b150"].lock == {"f": 0.5, "c": 0.5, "weight": 0.5}
    spot = SPOTS["turn"].with_locks({line: each.lock for line, each in found.items()})
    assert len(spot.locks) == 3
    with pytest.raises(ValueError, match="the order of hands is that of a solution"):
        line_locks(model, SPOTS["turn"], "ip")
    assert line_locks(model, SPOTS["turn"], "oop", uniform=True) == []


def test_the_first_decision_of_a_later_street_is_locked_on_all_cards():
    """Its line ends where the card comes."""
    first = LineKey("river", "oop", "self", "")
    then = LineKey("river", "oop", "other", "x/medium")
    counts = {first: {"check": 10, "medium": 10}, then: {"fold": 5, "call": 5}}
    model = LineModel("pool", 30, counts, prior_weight=0)
    locks = line_locks(model, SPOTS["turn"], "oop", uniform=True)
    kinds = {SPOTS["turn"].find(each.line).kind for each in locks}
    assert kinds == {EdgeKind.NODE, EdgeKind.NEXT_STREET}
    spot = SPOTS["turn"].with_locks({each.line: each.lock for each in locks})
    placed = parse_locks(spot, spot.locks)
    assert len(placed) == len(locks) and not any(lock.cards for lock in placed)
    firsts = [each for each in locks if each.key == first]
    assert firsts and all(each.observations == 20 for each in firsts)
