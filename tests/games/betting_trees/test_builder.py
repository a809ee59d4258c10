"""Trees: the lines that the menus allow, edits by hand, and what holds in any tree."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pokerlab.games.betting_trees import BettingTree, EdgeKind
from pokerlab.games.betting_trees import builder as tree_builder
from pokerlab.holdem.spots import Spot

BOARDS = ["Td9d6h", "Td9d6hQc", "Td9d6hQc2s"]


def spot(street: int = 0, **changes) -> Spot:
    values = {"pot": 200, "stack": 900, "bet": "60%, e, a", "raise_": "2.5x"}
    return Spot(BOARDS[street], "66+, A8s+, KQo", "QQ-22, ATo+", **values | changes)


S1 = {"donk": "river: 50%", "add_allin": 1.5, "force_allin": 0.15, "merge": 0.1}


def labels(tree: BettingTree, line: str) -> list[str]:
    place = tree.find(line)
    if place.kind == EdgeKind.NEXT_STREET:
        street = tree.streets[place.level + 1]
        root = tree.streets[place.level].target[place.edge]
        return street.labels(int(street.root_first_node[root]))
    assert place.kind == EdgeKind.NODE
    return tree.streets[place.level].labels(place.node)


def test_the_flop_of_s1():
    """60% and e (57.7%) merge; 2.5x of 300 leaves 150 behind in 1,700, so it is all-in."""
    tree = spot(**S1).tree
    assert tree.draw() == (
        "flop, pot 200\n"
        "  oop\n"
        "    x    ip\n"
        "      x    turn 0, pot 200\n"
        "      b120 oop\n"
        "        f    fold for 200\n"
        "        c    turn 1, pot 440\n"
        "        r300 ip\n"
        "          f fold for 440\n"
        "          c turn 2, pot 800\n"
        "          a oop\n"
        "            f fold for 800\n"
        "            c all-in for 2000\n"
        "      a    oop\n"
        "        f fold for 200\n"
        "        c all-in for 2000\n"
        "    b120 ip\n"
        "      f    fold for 200\n"
        "      c    turn 3, pot 440\n"
        "      r300 oop\n"
        "        f fold for 440\n"
        "        c turn 4, pot 800\n"
        "        a ip\n"
        "          f fold for 800\n"
        "          c all-in for 2000\n"
        "    a    ip\n"
        "      f fold for 200\n"
        "      c all-in for 2000"
    )
    assert [(street.roots, street.nodes, street.edges) for street in tree.streets] == [
        (1, 10, 26),
        (5, 50, 130),
        (21, 113, 255),
    ]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        # Turn after a called bet: pot 440, 780 behind. 60% is 264, e (56.6%) merges with it.
        ("x/b120/c", ["x", "b264", "a"]),
        # 2.5x is 660, which leaves 120 in a pot of 1,760 (15% are 264): all-in.
        ("x/b120/c/b264", ["f", "c", "a"]),
        # River: pot 968, 516 behind; 60% is more than that.
        ("b120/c/b264/c", ["x", "a"]),
        # Turn after a raise: pot 800, 600 behind; 60% is 480, leaves 120 in 1,760: all-in. The
        # geometric size is 29.1%, 232: (1 + 2f)² = 2.5.
        ("b120/r300/c", ["x", "b232", "a"]),
        # River after checks: e is all-in on the last street.
        ("x/x/x/x", ["x", "b120", "a"]),
        ("x/x/x/x/b120", ["f", "c", "r300"]),
        ("x/x/x/x/b120/r300", ["f", "c", "a"]),
        # The second player called the turn: the bet menu.
        ("x/x/b120/c", ["x", "b264", "a"]),
        # The first player called the turn: the donk menu, and all-in (780) is over 1.5 pots.
        ("x/x/x/b120/c", ["x", "b220"]),
        # After a check the second player bets from the bet menu.
        ("x/x/x/b120/c/x", ["x", "b264", "a"]),
        # It called the flop, but the turn was checked: the bet menu.
        ("x/b120/c/x/x", ["x", "b264", "a"]),
        # There is no donk menu for the turn.
        ("x/b120/c/x", ["x", "b264", "a"]),
    ],
)
def test_later_streets_of_s1(line, expected):
    assert labels(spot(**S1).tree, line) == expected


def test_an_empty_donk_menu_means_no_donk_bets():
    assert labels(spot(donk="").tree, "x/b120/c") == ["x"]
    assert labels(spot(donk="turn:").tree, "x/b120/c") == ["x"]
    assert labels(spot(donk="river:").tree, "x/b120/c") == ["x", "b249", "b264", "a"]
    assert labels(spot(donk="").tree, "b120/c") == ["x", "b249", "b264", "a"]


def test_without_an_aggressor_the_first_street_of_a_spot_has_no_donk_bets():
    assert labels(spot(1, donk="").tree, "") == ["x", "b120", "b216", "a"]
    assert labels(spot(1, donk="", aggressor="oop").tree, "") == ["x", "b120", "b216", "a"]


def test_a_bet_into_the_player_who_raised_before_the_flop_is_a_donk_bet():
    assert labels(spot(donk="", aggressor="ip").tree, "") == ["x"]
    assert labels(spot(donk="flop: 25%", aggressor="ip").tree, "") == ["x", "b50"]
    assert labels(spot(donk="turn:", aggressor="ip").tree, "") == labels(spot().tree, "")
    # The answer to a check is no donk bet, nor is a raise.
    tree = spot(donk="", aggressor="ip").tree
    assert labels(tree, "x") == labels(spot().tree, "x")
    assert labels(tree, "x/b120") == labels(spot().tree, "x/b120")


def test_nobody_is_the_aggressor_after_a_street_that_was_checked_through():
    tree = spot(donk="", aggressor="ip").tree
    assert labels(tree, "x/x") == labels(spot().tree, "x/x")
    assert labels(tree, "x/b120/c") == ["x"]
    assert labels(tree, "x/b120/c/x/x") == labels(spot().tree, "x/b120/c/x/x") != ["x"]
    # Who raised last is the aggressor, whoever bet first.
    assert labels(tree, "x/b120/r300/c") == labels(spot().tree, "x/b120/r300/c") != ["x"]


def test_menus_by_street_and_player():
    tree = spot(bet="oop: 50%; ip: 75%; ip river: a", raise_="flop: a; turn:; river: 3x").tree
    assert labels(tree, "") == ["x", "b100"]
    assert labels(tree, "x") == ["x", "b150"]
    assert labels(tree, "b100") == ["f", "c", "a"]
    assert labels(tree, "x/x/b100") == ["f", "c"]
    assert labels(tree, "x/x/x/x/x") == ["x", "a"]
    assert labels(tree, "x/x/x/x/b100") == ["f", "c", "r300"]


def test_unequal_stacks_play_for_the_smaller_one():
    one, other = spot(stack=[900, 2000]).tree, spot(stack=900).tree
    assert [line for *_, line in one.walk()] == [line for *_, line in other.walk()]


def test_without_chips_behind_the_hand_is_checked_down():
    assert spot(stack=0).tree.draw() == ("flop, pot 200\n  oop\n    x ip\n      x all-in for 200")
    assert (
        spot(2, stack=0).tree.draw() == "river, pot 200\n  oop\n    x ip\n      x showdown for 200"
    )


def test_all_in_is_left_alone_after_the_cap():
    tree = spot(bet="50%", raise_="50%", stack=10**6, max_bets=2).tree
    assert labels(tree, "b100/r300") == ["f", "c", "a"]
    assert labels(tree, "x/b100") == ["f", "c", "r300"]
    for street in tree.streets:
        capped = (street.bets >= 2)[street.node] & (street.amount > 0)
        assert (
            street.amount[capped] == 10**6 - street.root_matched[street.root[street.node]][capped]
        ).all()


class TestEdits:
    def test_added_lines_go_on_by_the_menus(self):
        tree = spot(2, bet="50%", raise_="2x", added=["b30", "x/a", "b30/r90", "x/b80%"]).tree
        assert labels(tree, "") == ["x", "b30", "b100"]
        assert labels(tree, "b30") == ["f", "c", "r60", "r90"]
        assert labels(tree, "b30/r90") == ["f", "c", "r180"]
        assert labels(tree, "x") == ["x", "b100", "b160", "a"]

    def test_removed_lines_take_all_below_with_them(self):
        whole = spot(2, bet="50%, a", raise_="2x")
        tree = replace(whole, removed=["x/b100", "b50%/f"]).tree
        assert labels(tree, "x") == ["x", "a"]
        assert labels(tree, "b100") == ["c", "r200"]
        assert tree.streets[0].nodes < whole.tree.streets[0].nodes

    def test_edits_reach_later_streets_without_cards(self):
        tree = spot(bet="50%", raise_="", added="x/x/b20", removed=["x/x/b20/c/x"]).tree
        assert labels(tree, "x/x") == ["x", "b20", "b100"]
        assert labels(tree, "x/x/b20/c") == ["b120"]
        assert labels(tree, "b100/c") == ["x", "b200"]

    def test_all_chips_as_a_number_are_all_in(self):
        assert labels(spot(2, bet="50%", added=["b900"]).tree, "") == ["x", "b100", "a"]

    @pytest.mark.parametrize(
        ("edits", "message"),
        [
            (
                {"added": ["x/b100"]},
                "added: line 'x/b100': token 2, 'b100': it is there already; "
                "the actions here are x, b100",
            ),
            (
                {"added": ["b901"]},
                "added: line 'b901': token 1, 'b901': only b1 to b900 (a) can be",
            ),
            (
                {"added": ["b100/r150"]},
                "added: line 'b100/r150': token 2, 'r150': only r200 to r900 (a) can be added here",
            ),
            ({"added": ["r300"]}, "added: line 'r300': token 1, 'r300': only b1 to b900 (a) can"),
            ({"added": ["x/c"]}, "added: line 'x/c': token 2, 'c': only b1 to b900 (a) can be"),
            (
                {"added": ["a", "a/r950"]},
                "added: line 'a/r950': token 2, 'r950': nobody has chips behind for another bet",
            ),
            (
                {"added": ["b70/c/b50"]},
                "added: line 'b70/c/b50': token 1, 'b70': not possible here; possible: x, b100",
            ),
            (
                {"removed": ["x/b70"]},
                "removed: line 'x/b70': token 2, 'b70': not possible here; possible: x, b100",
            ),
            ({"removed": ["x/x/x"]}, "removed: line 'x/x/x': token 3, 'x': the hand is over here"),
            (
                {"removed": ["x", "b100"]},
                "removed: line 'b100': token 1, 'b100': it is the last action that is left here",
            ),
            (
                {"removed": ["x", "x/x"]},
                "removed: line 'x/x': token 1, 'x': not possible here; possible: b100",
            ),
            (
                {"removed": ["x/x/Qc"]},
                "removed: line 'x/x/Qc': the betting is the same on every "
                "card, leave cards out (x/b50/c/x/b100)",
            ),
            ({"removed": [""]}, "removed: line '': empty (x/b50/c/x/b100)"),
            ({"removed": "b1o0"}, "removed: line 'b1o0': token 1, 'b1o0': '1o0' is not a number"),
            ({"added": 7}, "added: 7 is not a list of lines such as x/b50"),
        ],
    )
    def test_edits_that_do_not_fit_are_named_when_the_spot_is_made(self, edits, message):
        with pytest.raises(ValueError) as caught:
            spot(2, bet="50%", raise_="2x", **edits)
        assert str(caught.value).startswith(message)


def test_huge_trees_are_refused(monkeypatch):
    monkeypatch.setattr(tree_builder, "MAX_NODES", 40)
    with pytest.raises(ValueError, match=r"^the menus give more than 40 decisions on the turn; "):
        _ = spot(**S1).tree


def test_what_is_removed_may_make_a_huge_tree_small(monkeypatch):
    monkeypatch.setattr(tree_builder, "MAX_NODES", 40)
    tree = spot(1, bet="50%", raise_="50%", removed=["b100", "x/b100", "x/x/b100"]).tree
    assert max(street.nodes for street in tree.streets) <= 40


def test_too_many_decisions_are_found_before_they_are_built():
    """59 sizes each, in a stack of 5,000 pots: too many to be followed one by one."""
    sizes = ", ".join(f"{number}%" for number in range(1, 60))
    wild = spot(bet=sizes, raise_=sizes, stack=10**6)
    with pytest.raises(ValueError, match=r"^the menus give more than 1,000 decisions on the flop"):
        tree_builder.build_tree(wild.tree_rules, 1000)
    assert tree_builder.build_tree(spot(**S1).tree_rules, 113).streets[2].nodes == 113
    with pytest.raises(ValueError, match=r"^the menus give more than 112 decisions on the river"):
        tree_builder.build_tree(spot(**S1).tree_rules, 112)


def test_long_raising_wars_are_no_problem():
    street = spot(2, pot=2, stack=3000, bet="1c", raise_="1c").tree.streets[0]
    assert street.bets.max() == 3000


bets = st.lists(
    st.sampled_from(["33%", "50%", "100%", "250%", "3c", "e", "2e", "a"]), max_size=2, unique=True
).map(", ".join)
raises = st.lists(
    st.sampled_from(["50%", "100%", "2.5x", "3x", "5c", "e", "a"]), max_size=2, unique=True
).map(", ".join)


@st.composite
def random_spots(draw) -> Spot:
    street = draw(st.integers(0, 2))
    return spot(
        street,
        pot=draw(st.sampled_from([1, 2, 7, 30, 200])),
        stack=draw(st.sampled_from([0, 1, 5, 49, 300])),
        bet="; ".join(f"{name}: {draw(bets)}" for name in ("flop", "turn", "river")) + "; ip: 40%",
        raise_="; ".join(f"{name}: {draw(raises)}" for name in ("oop", "ip")),
        donk=draw(st.none() | bets.map("river: {}".format)),
        add_allin=draw(st.sampled_from([0.0, 0.5, 2.0])),
        force_allin=draw(st.sampled_from([0.0, 0.15, 0.5])),
        merge=draw(st.sampled_from([0.0, 0.1])),
        max_bets=draw(st.none() | st.integers(0, 2)),
    )


@given(random_spots())
def test_any_tree_keeps_its_order_and_its_chips(spot):
    tree = spot.tree
    for level, street in enumerate(tree.streets):
        matched_before = street.root_matched[street.root]
        on_street = street.committed - matched_before[:, None]
        # Every edge, seen from its node.
        own = on_street[street.node, street.player[street.node]]
        other = on_street[street.node, 1 - street.player[street.node]]
        sized = street.amount > 0

        assert (street.committed >= 0).all() and (street.committed <= tree.stack).all()
        assert (street.pot == tree.pot + street.committed.sum(axis=1)).all()
        assert (street.end_pot == tree.pot + 2 * street.matched).all()
        assert (street.facing[street.node] == other).all()
        # A raise goes up by what it answers, unless it is all-in.
        most = tree.stack - matched_before[street.node]
        raised_by = street.amount - other
        assert (sized <= (raised_by > 0)).all()
        assert (sized <= ((raised_by >= other - own) | (street.amount == most))).all()
        assert (street.amount <= most).all()

        # Where an action leads.
        to_node = street.kind == EdgeKind.NODE
        target = street.target[to_node]
        assert (street.parent_edge[target] == to_node.nonzero()[0]).all()
        assert (target > street.node[to_node]).all()
        assert (street.root[target] == street.root[street.node[to_node]]).all()
        assert (street.player[target] != street.player[street.node[to_node]]).all()
        assert sorted([*target, *street.root_first_node[:-1]]) == list(range(street.nodes))
        put_in = own.copy()
        put_in[sized] = street.amount[sized]
        called = ~to_node & (street.kind != EdgeKind.FOLD)
        put_in[called] = other[called]
        assert (put_in[to_node] == on_street[target, 1 - street.player[target]]).all()
        # At the end of a street both have put in the same; a fold loses what was put in.
        assert (street.matched[called] == (matched_before[street.node] + other)[called]).all()
        fold = street.kind == EdgeKind.FOLD
        assert (street.matched[fold] == (matched_before[street.node] + own)[fold]).all()
        assert (own < other)[fold].all()
        leaves = called & (street.kind != EdgeKind.NEXT_STREET)
        all_in = street.matched == tree.stack
        assert ((street.kind == EdgeKind.ALLIN) <= all_in).all()
        if street.number == 2:
            assert (street.kind[leaves] == EdgeKind.SHOWDOWN).all()
            assert not (street.kind == EdgeKind.NEXT_STREET).any()
        else:
            onward = (street.kind == EdgeKind.NEXT_STREET).nonzero()[0]
            following = tree.streets[level + 1]
            assert not all_in[onward].any()
            assert (following.root_parent_edge == onward).all()
            assert (street.target[onward] == range(following.roots)).all()
            assert (following.root_matched == street.matched[onward]).all()
        assert (street.player[street.root_first_node[:-1]] == 0).all()


@settings(max_examples=25, deadline=None)
@given(random_spots())
def test_every_line_leads_to_its_node_and_replays(spot):
    """An independent replay of the labels gives the chips that the arrays hold."""
    tree = spot.tree
    seen = set()
    for level, node, line in tree.walk():
        street = tree.streets[level]
        assert line not in seen
        seen.add(line)
        place = tree.find(line)
        if place.kind == EdgeKind.NEXT_STREET:
            target = tree.streets[place.level].target[place.edge]
            place = place._replace(
                level=level, kind=EdgeKind.NODE, node=int(street.root_first_node[target])
            )
        assert (place.level, place.kind, place.node) == (level, EdgeKind.NODE, node)
        committed, player = replayed(line, tree.stack)
        assert tuple(street.committed[node]) == committed
        assert street.player[node] == player


def replayed(line: str, stack: int) -> tuple[tuple[int, int], int]:
    committed, player, begun, closing = [0, 0], 0, 0, False
    for token in line.split("/") if line else []:
        if token[0] in "br":
            committed[player] = begun + int(token[1:])
            player, closing = 1 - player, True
        elif token == "a":
            committed[player] = stack
            player, closing = 1 - player, True
        elif token == "c" or closing:
            committed = [max(committed)] * 2
            player, begun, closing = 0, max(committed), False
        else:
            player, closing = 1, True
    return (committed[0], committed[1]), player
