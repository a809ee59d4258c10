"""The nested data of a tree are those of its arrays, and previews are sizes of the tree."""

from __future__ import annotations

import pytest

from pokerlab.games.betting_trees.betting_tree import EdgeKind
from pokerlab.holdem.spots import Spot
from pokerlab.holdem.spots.question.outline import preview_sizes, tree_outline


def make(**fields):
    common = {"board": "QhJh2c4d", "oop": "AA, KQs", "ip": "QQ, AJs", "pot": 100, "stack": 400}
    return Spot.from_fields(common | {"bet": "50%, a", "raise": "3x"} | fields)


def decisions(node):
    yield node
    for action in node["actions"]:
        if action["below"] is not None:
            yield from decisions(action["below"])


def test_the_first_decision_as_it_stands():
    assert tree_outline(make()) == {
        "line": "",
        "street": "turn",
        "player": "oop",
        "pot": 100,
        "behind": 400,
        "to_call": 0,
        "least": 1,
        "actions": [
            {"label": "x", "action": "check", "chips": None, "percent": None, "line": "x",
             "added": None, "then": "decision", "pot": 100, "below": None},
            {"label": "b50", "action": "bet", "chips": 50, "percent": 50.0, "line": "b50",
             "added": None, "then": "decision", "pot": 150, "below": None},
            {"label": "a", "action": "all-in", "chips": 400, "percent": 400.0, "line": "a",
             "added": None, "then": "decision", "pot": 500, "below": None},
        ],
        "removed": [],
    }  # fmt: skip


def test_answers_to_a_bet():
    node = tree_outline(make(), opened=["b50"])["actions"][1]["below"]
    assert (node["player"], node["pot"], node["behind"]) == ("ip", 150, 400)
    assert (node["to_call"], node["least"]) == (50, 100)
    seen = [(action["label"], action["chips"], action["then"]) for action in node["actions"]]
    assert seen == [("f", None, "fold"), ("c", 50, "street"), ("r150", 150, "decision")]
    assert node["actions"][2]["percent"] == 50.0  # 100 more than a call, of a pot of 200
    assert [action["pot"] for action in node["actions"]] == [100, 200, 300]


def test_the_river_opens_below_a_call():
    spot = make()
    node = tree_outline(spot, opened=["x", "x/x"])["actions"][0]["below"]["actions"][0]["below"]
    assert (node["line"], node["street"], node["player"]) == ("x/x", "river", "oop")
    assert tree_outline(spot, opened=["x/x"])["actions"][0]["below"] is None


def test_lines_made_by_hand_are_marked():
    spot = make(added=["b77", "x/x/b10%"], removed=["b77/r231", "x/a", "x/x/b50", "b50"])
    root = tree_outline(spot, opened=["b77", "x", "x/x"])
    assert [(action["label"], action["added"]) for action in root["actions"]] == [
        ("x", None),
        ("b77", 0),
        ("a", None),
    ]
    assert root["removed"] == [3]
    after_check, after_bet = (root["actions"][number]["below"] for number in (0, 1))
    assert after_bet["removed"] == [0]
    assert after_check["removed"] == [1]
    river = after_check["actions"][0]["below"]
    assert river["removed"] == [2]
    assert [action["added"] for action in river["actions"]] == [None, 1, None]


def test_an_added_line_below_a_removed_one_is_nowhere():
    spot = make(added=["b77"], removed=["b77"])
    assert [action["added"] for action in tree_outline(spot)["actions"]] == [None] * 3


EVERY_MENU = pytest.mark.parametrize("bet", ["", "33%", "50%, a", "25%, 100%, a", "2e"])
EVERY_RAISE = pytest.mark.parametrize("raise_", ["", "3x", "60%, a"])
EVERY_STACK = pytest.mark.parametrize("stack", [20, 150, 400])


@EVERY_MENU
@EVERY_RAISE
@EVERY_STACK
def test_everything_open_is_the_whole_tree(bet, raise_, stack):
    spot = make(bet=bet, **{"raise": raise_}, stack=stack)
    lines = {line for _, _, line in spot.tree.walk()}
    nodes = {node["line"]: node for node in decisions(tree_outline(spot, lines))}
    assert nodes.keys() == lines
    for level, number, line in spot.tree.walk():
        street = spot.tree.streets[level]
        shown = nodes[line]
        assert [action["label"] for action in shown["actions"]] == street.labels(number)
        ends = [street.kind[edge] == EdgeKind.NODE for edge in street.edges_of(number)]
        assert [action["then"] == "decision" for action in shown["actions"]] == ends


@EVERY_MENU
@EVERY_RAISE
@EVERY_STACK
def test_previews_are_sizes_of_the_tree(bet, raise_, stack):
    spot = make(bet=bet, **{"raise": raise_}, stack=stack)
    preview = preview_sizes(spot)
    assert list(preview) == ["turn", "river"]
    for pots in preview.values():
        plain = [pot["pot"] for pot in pots if not pot["donk"]]
        assert plain == sorted(set(plain))
        for pot in pots:
            place = spot.find(pot["line"])
            if place.kind == EdgeKind.NEXT_STREET:
                place = spot.tree.deal(place, -1)
            labels = spot.tree.streets[place.level].labels(place.node)
            assert [size["label"] for size in pot["bet"]["oop"]] == labels[1:]
            assert pot["pot"] + 2 * pot["behind"] == 100 + 2 * stack
            for size in pot["bet"]["oop"]:
                assert abs(size["chips"] - pot["pot"] * size["percent"] / 100) < 1e-9


def test_donk_bets_are_previewed_where_they_are_possible():
    spot = make(donk="river: 10%, 20%", aggressor="ip", bet="50%")
    turn, river = preview_sizes(spot).values()
    assert [pot["donk"] for pot in turn] == [True]  # after a bet of ip on the flop
    assert [pot["donk"] for pot in river][-1] is True
    assert [size["chips"] for size in river[-1]["bet"]["oop"]] == [20, 40]
    assert river[-1]["line"] == "x/b50/c"
    assert [size["chips"] for size in river[0]["bet"]["oop"]] == [50]
    never = make(bet={"turn": {"oop": "50%", "ip": ""}, "river": "50%"}, **{"raise": ""})
    assert not any(pot["donk"] for pot in preview_sizes(never)["river"])


def test_streets_that_nobody_can_bet_on_have_no_preview():
    assert preview_sizes(make(stack=0, bet="a")) == {"turn": [], "river": []}
