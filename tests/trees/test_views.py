from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from typing import ClassVar

import numpy as np
import pytest

from pokerlab.games import BettingGame, Street, load_game
from pokerlab.games.protocol import CHANCE, TERMINAL
from pokerlab.games.state import HandState
from pokerlab.trees import GameTree, View, influence, make_view, showdowns, view_names
from pokerlab.trees.chance_tree import chance_reach
from pokerlab.trees.views import SEVERAL

GAMES = ["kuhn", "kuhn.3p", "kuhn2", "leduc", "rps", "coins.3p", "seminar1", "seminar2"]


@cache
def grow(name: str) -> GameTree:
    return GameTree.build(load_game(name))


@cache
def look(game: str, view: str) -> View:
    return make_view(grow(game), view)


ALL_VIEWS = [(game, view) for game in GAMES for view in view_names(grow(game))]


@pytest.mark.parametrize(("game", "name"), ALL_VIEWS)
def test_a_view_is_a_tree_in_preorder_that_the_game_tree_covers(game: str, name: str) -> None:
    view, tree = look(game, name), grow(game)
    assert view.parent[0] == -1
    assert view.end[0] == len(view)
    for node in range(len(view)):
        children = view.children(node)
        assert [int(view.parent[child]) for child in children] == [node] * len(children)
        assert len({view.edge(child) for child in children}) == len(children)
        assert view.end[node] == (view.end[children[-1]] if children else node + 1)
    assert set(view.node_of.tolist()) == set(range(len(view)))
    listed = [view.nodes(node).tolist() for node in range(len(view))]
    assert sorted(node for nodes in listed for node in nodes) == list(range(len(tree)))
    assert all(view.node_of[one] == node for node, ones in enumerate(listed) for one in ones)
    for node in range(1, len(tree)):
        before = view.node_of[tree.parent[node]]
        assert view.node_of[node] == before or view.parent[view.node_of[node]] == before


@pytest.mark.parametrize(("game", "name"), ALL_VIEWS)
def test_every_path_of_a_view_leads_back(game: str, name: str) -> None:
    view = look(game, name)
    for node in range(0, len(view), max(1, len(view) // 60)):
        moves, here = [], node
        while here > 0:
            moves.insert(0, view.edge(here))
            here = int(view.parent[here])
        assert view.path(node) == " ".join(moves)
        for between in (" ", "/", ""):
            assert view.find_one(between.join(moves)) == node


@pytest.mark.parametrize("game", GAMES)
def test_a_player_tree_knows_what_the_player_knows(game: str) -> None:
    tree = grow(game)
    views = [look(game, f"player:{seat}") for seat in range(tree.players)]
    public = look(game, "observer")
    seen: dict[tuple[int, int], set[str]] = {}
    shown: dict[int, set[str]] = {}
    for node, state in tree.states():
        for seat, view in enumerate(views):
            seen.setdefault((seat, int(view.node_of[node])), set()).add(state.seen_by(seat))
        shown.setdefault(int(public.node_of[node]), set()).add(state.public())
    assert all(len(texts) == 1 for texts in seen.values())
    assert all(len(texts) == 1 for texts in shown.values())
    for seat, view in enumerate(views):
        # A player's nodes are his information sets, one for one.
        mine = view.player == seat
        infosets = np.flatnonzero(tree.infosets.player == seat)
        assert sorted(view.infoset[mine].tolist()) == infosets.tolist()
        moved = np.flatnonzero(mine[view.parent[1:]]) + 1
        assert sorted(view.slot[moved].tolist()) == tree.infosets.slots_of(seat).tolist()


def test_kuhn_has_the_nodes_of_the_document() -> None:
    # Numbers of nodes: see figures 9 (h6, h7, h13, h16, h18, h26, h27) and 10 (h9, h10, 17, …).
    first = {6: "0d{Js} 1d{} 0c 1r 0f", 7: "0d{Js} 1d{} 0c 1r 0c", 9: "0d{Js} 1d{} 0r 1f"}
    first |= {13: "0d{Qs} 1d{} 0c", 18: "0d{Qs} 1d{} 0r", 26: "0d{Ks} 1d{} 0c 1r 0f"}
    first |= {2: "0d{Js} 1d{}", 22: "0d{Ks} 1d{}", 28: "0d{Ks} 1d{} 0r", 30: "0d{Ks} 1d{} 0r 1c"}
    second = {9: "0d{} 1d{Js} 0r 1f", 10: "0d{} 1d{Js} 0r 1c", 17: "0d{} 1d{Qs} 0r"}
    second |= {13: "0d{} 1d{Qs} 0c 1c", 14: "0d{} 1d{Qs} 0c 1r", 28: "0d{} 1d{Ks} 0r 1c"}
    for name, paths in [("player:0", first), ("player:1", second)]:
        assert {node: look("kuhn", name).path(node) for node in paths} == paths


def test_sizes_that_can_be_counted_by_hand() -> None:
    # One betting round of Kuhn poker has 9 nodes: "", c, cc, cr, crf, crc, r, rf, rc.
    kuhn = {name: len(look("kuhn", name)) for name in view_names(grow("kuhn"))}
    assert kuhn == {
        "game": 1 + 3 + 6 * 9,
        "player:0": 1 + 3 * (1 + 9),  # own card, hidden card and betting
        "player:1": 1 + 1 + 3 * 9,  # hidden card, own card and betting
        "observer": 1 + 1 + 9,
        "chance": 1 + 3 + 6,
        "action": 9,
    }
    # Leduc: a round has 15 nodes: c, r, then cc | crf crc crr | rf rc rr, then 2 + 2 after the
    # second raise. 5 nodes of the first round lead to a second: cc, crc, crrc, rc, rrc.
    betting = 1 + 2 + (1 + 3) + (1 + 2) + 2 + 2 + 1
    assert betting == 15
    leduc = {name: len(look("leduc", name)) for name in view_names(grow("leduc"))}
    assert leduc == {
        "game": 1 + 6 + 30 * (betting + 5 * 4 * betting),
        "player:0": 1 + 6 * (1 + betting + 5 * 5 * betting),
        "player:1": 1 + 1 + 6 * (betting + 5 * 5 * betting),
        "observer": 1 + 1 + betting + 5 * 6 * betting,
        "chance": 1 + 6 + 6 * 5 + 6 * 5 * 4,
        "action": betting + 5 * (betting - 1),
    }


def test_hidden_moves_have_one_edge() -> None:
    assert look("rps", "player:1").labels == ("", "0{}", "1rock", "1paper", "1scissors")
    assert look("seminar2", "player:1").labels == ("", "0{X or Y}", "1x", "1y", "0Z", "1w", "1z")
    assert look("rps", "observer").labels == ("", "0{}", "1{}")
    assert look("rps", "chance").labels == ("",)


def test_cards_are_in_the_order_of_the_deck_for_everybody() -> None:
    for game, cards in [("kuhn", "Js Qs Ks"), ("leduc", "Jh Js Qh Qs Kh Ks")]:
        view = look(game, "player:1")
        assert [view.edge(child) for child in view.children(1)] == [
            f"1d{{{card}}}" for card in cards.split()
        ]


def test_who_moves() -> None:
    action = look("leduc", "action")
    assert set(action.player.tolist()) == {0, 1, TERMINAL}
    assert (action.player == TERMINAL).sum() == (action.end == np.arange(1, len(action) + 1)).sum()
    chance = look("leduc", "chance")
    assert set(chance.player.tolist()) == {CHANCE, TERMINAL}
    assert (chance.player == TERMINAL).sum() == 120


@dataclass(frozen=True)
class Toss:
    """A coin decides who moves, and whether there is another toss; a table says the rest."""

    history: str = ""
    name = "toss"
    players = 2
    movers: ClassVar[dict[str, int]] = {
        "": CHANCE,
        "h": 0,
        "t": 1,
        "ha": CHANCE,
        "hb": TERMINAL,
        "ta": CHANCE,
    }

    def start(self) -> Toss:
        return self

    @property
    def player(self) -> int:
        return self.movers.get(self.history, TERMINAL)

    def actions(self) -> Sequence[str]:
        known = {"": "ht", "h": "ab", "t": "ab", "ha": "xy", "ta": "yz"}
        return tuple(known.get(self.history, ""))

    def chances(self) -> Sequence[float]:
        return (0.5, 0.5)

    def apply(self, action: str) -> Toss:
        return type(self)(self.history + action)

    def payoffs(self) -> Sequence[float]:
        return (0.0, 0.0)

    def seen_by(self, seat: int) -> str:
        return self.history

    def public(self) -> str:
        return self.history


def test_chance_may_decide_who_moves() -> None:
    view = make_view(GameTree.build(Toss()), "action")
    assert view.labels == ("", "0a", "0b", "1a", "1b")
    assert view.player.tolist() == [SEVERAL, *[TERMINAL] * 4]


def test_no_chance_tree_where_cards_depend_on_moves() -> None:
    class Drawn(Toss):
        movers: ClassVar[dict[str, int]] = {"": 0, "h": CHANCE, "t": CHANCE}

        def actions(self) -> Sequence[str]:
            return {"": ("h", "t"), "h": ("x", "y"), "t": ("y", "z")}.get(self.history, ())

    message = "toss has no chance tree: the cards after '0h' and after '0t' differ"
    with pytest.raises(ValueError, match=message):
        make_view(GameTree.build(Drawn()), "chance")


@pytest.mark.parametrize("name", ["player:3", "player", "players:0", "", "Chance"])
def test_unknown_view(name: str) -> None:
    with pytest.raises(ValueError) as raised:
        make_view(grow("kuhn"), name)
    assert str(raised.value) == (
        f"unknown view {name!r} of kuhn: game, player:0, player:1, observer, chance or action"
    )


@pytest.mark.parametrize("game", ["kuhn", "kuhn.3p", "leduc"])
def test_showdowns_give_every_payoff_of_the_game(game: str) -> None:
    tree, view = grow(game), look(game, "chance")
    found = showdowns(view)
    assert found.probability.sum() == pytest.approx(1)
    assert (chance_reach(view)[found.leaves] == found.probability).all()
    seats = range(tree.players)
    everybody = [tuple(s) for size in (3, 2) for s in combinations(seats, size)]
    assert found.sets == tuple(everybody)
    assert len(found.sets) == {2: 1, 3: 4}[tree.players]
    np.testing.assert_allclose(found.shares.sum(axis=2), 1)
    np.testing.assert_allclose(found.results.sum(axis=2), 0, atol=1e-12)
    leaf_of = {int(leaf): row for row, leaf in enumerate(found.leaves)}
    compared = 0
    for node, state in tree.states():
        assert isinstance(state, HandState)
        left = tuple(seat for seat in seats if not state.folded[seat])
        if state.player != TERMINAL or len(left) < 2:
            continue
        row = leaf_of[int(view.node_of[node])]
        number = found.sets.index(left)
        assert found.probability[row] == pytest.approx(_chance_before(tree, node))
        expected = found.shares[row, number] * state.pot - np.array(state.spent)
        np.testing.assert_allclose(state.payoffs(), expected)
        if tree.players == 2:  # the coefficient k of the document, without the probability
            stake = state.spent[0]
            np.testing.assert_allclose(state.payoffs(), stake * found.results[row, number])
        compared += 1
    assert compared > 0


def _chance_before(tree: GameTree, node: int) -> float:
    chance = 1.0
    while node > 0:
        chance *= float(tree.chance[node])
        node = int(tree.parent[node])
    return chance


def test_a_tie_is_shared() -> None:
    found = showdowns(look("leduc", "chance"))
    leaf = look("leduc", "chance").find_one("0d{Jh} 1d{Js} d{Qh}")
    row = found.leaves.tolist().index(leaf)
    assert found.shares[row].tolist() == [[0.5, 0.5]]
    assert found.results[row].tolist() == [[0, 0]]


def test_games_that_are_not_poker_have_deals_without_showdowns() -> None:
    found = showdowns(look("rps", "chance"))
    assert found.leaves.tolist() == [0]
    assert found.probability.tolist() == [1]
    assert found.results.shape == (1, 0, 2)
    with pytest.raises(ValueError, match="showdowns belong to the chance tree, not to the game"):
        showdowns(look("kuhn", "game"))


def test_sums_over_a_view() -> None:
    tree = grow("leduc")
    chance = np.array([_chance_before(tree, node) for node in range(len(tree))])
    for name in ("player:0", "observer"):
        view = look("leduc", name)
        total = view.sum(chance)
        assert total[0] == 1
        deals = view.player[view.parent[1:]] == CHANCE
        for node in np.unique(view.parent[1:][deals]).tolist():
            assert total[view.children(node)].sum() == pytest.approx(total[node])
    action = look("leduc", "action").sum(chance)
    # Nobody chooses here, so each line of betting comes with probability 1, deals or not.
    np.testing.assert_allclose(action, 1)
    assert look("leduc", "game").sum(tree.infoset).tolist() == tree.infoset.tolist()


def test_influence_of_the_document() -> None:
    # Figures 1 to 3: player 1 holds K and answers a check. Four nodes in his tree (c, r, rf,
    # rc), a copy for each card of player 0 in the game tree, and as many in player 0's tree.
    tree = grow("kuhn")
    found = influence(tree, 1, "0d{} 1d{K} 0c")
    own, opponent = look("kuhn", "player:1"), look("kuhn", "player:0")
    assert found.on(own).tolist() == [22, 23, 24, 25]
    assert len(found.clusters_on(own)) == 1
    assert [tree.path(int(cluster[0])) for cluster in found.clusters] == [
        "0d{Js} 1d{Ks} 0c 1c",
        "0d{Qs} 1d{Ks} 0c 1c",
    ]
    assert [len(cluster) for cluster in found.clusters] == [4, 4]
    assert [nodes.tolist() for nodes in found.clusters_on(opponent)] == [
        [4, 5, 6, 7],
        [14, 15, 16, 17],
    ]
    assert found.on(look("kuhn", "game")).tolist() == [13, 14, 15, 16, 32, 33, 34, 35]
    assert found.on(look("kuhn", "action")).tolist() == [2, 3, 4, 5]


def test_influence_of_one_move_of_a_decision() -> None:
    tree = grow("kuhn")
    raised = influence(tree, 1, "0d{} 1d{K} 0c 1r")
    assert raised.on(raised.view).tolist() == [23, 24, 25]
    assert influence(tree, 1, raised.node).on(raised.view).tolist() == [23, 24, 25]
    # Node 17 of the document acts on the terminal nodes 9, 10, 29 and 30 of the opponent.
    assert influence(tree, 1, 17).on(look("kuhn", "player:0")).tolist() == [9, 10, 29, 30]


def test_influence_with_three_players() -> None:
    tree = grow("kuhn.3p")
    found = influence(tree, 0, "0d{J} 1d{} 2d{}")
    assert len(found.clusters) == 3 * 2  # the cards of both others
    for seat in (1, 2):
        assert len(found.clusters_on(make_view(tree, f"player:{seat}"))) == 3


@pytest.mark.parametrize(
    ("move", "message"),
    [
        ("0d{J} 1d{Q}", "'0d{} 1d{Qs}' is no move of player 1 and no decision of that player"),
        ("0d{} 1d{J} 0c 1r 0f", "'0d{} 1d{Js} 0c 1r 0f' is no move of player 1 and no decision"),
        ("0d{} 1d{} 0c", "the path '0d{} 1d{} 0c' fits 3 nodes of kuhn, tree of player 1, such as"),
        ("0d{} 1d{J} 1c", "no path '0d{} 1d{J} 1c' in kuhn, tree of player 1: after '0d{} 1d{Js}'"),
        (29, "no node 29 in kuhn, tree of player 1: it has 29, from 0"),
        (0, "'' is no move of player 1 and no decision of that player"),
    ],
)
def test_what_is_no_move(move: str | int, message: str) -> None:
    with pytest.raises(ValueError) as raised:
        influence(grow("kuhn"), 1, move)
    assert str(raised.value).startswith(message)


@pytest.mark.parametrize(
    ("name", "pattern", "paths"),
    [
        ("game", "0d{J}1d{K}0c", ["0d{Js} 1d{Ks} 0c"]),
        ("game", "/0d{ }/1d{K}/0r", ["0d{Js} 1d{Ks} 0r", "0d{Qs} 1d{Ks} 0r"]),
        ("game", "0d{*} 1d{K} 0r", ["0d{Js} 1d{Ks} 0r", "0d{Qs} 1d{Ks} 0r"]),
        ("game", "…1r0f", None),
        (
            "player:1",
            "0d{J} 1d{K} 0r …",
            [f"0d{{}} 1d{{Ks}} 0r{end}" for end in ("", " 1f", " 1c")],
        ),
        ("player:1", "0d{}1d{K}0r*", [f"0d{{}} 1d{{Ks}} 0r{end}" for end in ("", " 1f", " 1c")]),
        ("action", "0c...0f", ["0c 1r 0f"]),
        ("action", "0c 1c | 0r 1c", ["0c 1c", "0r 1c"]),
        ("action", "0c … 1r …", ["0c 1r", "0c 1r 0f", "0c 1r 0c"]),
        ("action", "", [""]),
    ],
)
def test_path_patterns(name: str, pattern: str, paths: list[str] | None) -> None:
    view = look("kuhn", name)
    found = [view.path(node) for node in view.find(pattern).tolist()]
    if paths is None:
        paths = [view.path(node) for node in range(len(view)) if view.path(node).endswith("1r 0f")]
        assert len(paths) == 6
    assert found == paths


def test_any_rank_of_a_card() -> None:
    view = look("leduc", "chance")
    assert len(view.find("0d{J} 1d{J} d{}")) == 2 * 4
    assert len(view.find("0d{J} 1d{Q} d{J}")) == 2 * 2


@pytest.mark.parametrize(
    ("pattern", "message"),
    [
        ("1c", "no path '1c' in kuhn, game tree: it starts with 0d{Js}, 0d{Qs}, 0d{Ks}"),
        ("0d{J}1d{J}…", "no path '0d{J}1d{J}…' in kuhn, game tree: after '0d{Js}' comes 1d{Qs}, "),
        ("0d{J", "no path '0d{J' in kuhn, game tree: it starts with 0d{Js}, 0d{Qs}, 0d{Ks}"),
        ("0d{J}1d{Q}0r1c0c", "no path '0d{J}1d{Q}0r1c0c' in kuhn, game tree: after '0d{Js} 1d{Qs}"),
        ("0d{J} | 2d{J}", "no path ' 2d{J}' in kuhn, game tree: it starts with 0d{Js}"),
    ],
)
def test_patterns_that_fit_nothing(pattern: str, message: str) -> None:
    with pytest.raises(ValueError) as raised:
        look("kuhn", "game").find(pattern)
    assert str(raised.value).startswith(message)


def test_private_cards_on_a_later_street() -> None:
    game = BettingGame(
        name="twice",
        players=2,
        betting="limit",
        ranks="JQKA",
        suits="s",
        ante=1,
        showdown="high-card",
        streets=(Street(hole=1, bet=1, max_raises=0), Street(hole=1, bet=1, max_raises=0)),
    )
    tree = GameTree.build(game)
    found = showdowns(make_view(tree, "chance"))
    assert len(found.leaves) == 4 * 3 * 2 * 1
    assert found.probability.sum() == pytest.approx(1)
    # Own cards are seen, those of the other are not: 4 × 3 hands of two cards in order.
    view = make_view(tree, "player:0")
    assert len(view.find("0d{}1d{}0c1c0d{}1d{}")) == 4 * 3
