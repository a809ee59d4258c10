from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pytest

from pokerlab.games import load_betting_game, load_game
from pokerlab.games.protocol import CHANCE, TERMINAL
from pokerlab.trees import GameTree
from pokerlab.trees.builder import TreeTooLargeError, estimate_nodes

SMALL = ["kuhn", "kuhn.3p", "kuhn2", "onecard", "leduc", "rps", "coins.3p", "seminar1", "seminar2"]


@pytest.fixture(scope="module", params=SMALL)
def tree(request: pytest.FixtureRequest) -> GameTree:
    return GameTree.build(load_game(request.param))


@dataclass(frozen=True)
class Drawn:
    """A game given by functions of the history, to build wrong games from."""

    name: str = "drawn"
    players: int = 2
    movers: dict[str, int] = field(default_factory=dict)
    moves: dict[str, str] = field(default_factory=dict)
    odds: dict[str, list[float]] = field(default_factory=dict)
    seen: dict[str, str] = field(default_factory=dict)

    def start(self) -> DrawnState:
        return DrawnState(self, "")


@dataclass(frozen=True)
class DrawnState:
    game: Drawn
    history: str

    @property
    def player(self) -> int:
        return self.game.movers.get(self.history, TERMINAL)

    def actions(self) -> Sequence[str]:
        return list(self.game.moves.get(self.history, ""))

    def chances(self) -> Sequence[float]:
        return self.game.odds.get(self.history, [])

    def apply(self, action: str) -> DrawnState:
        return DrawnState(self.game, self.history + action)

    def payoffs(self) -> Sequence[float]:
        return [1.0, -1.0]

    def seen_by(self, seat: int) -> str:
        return self.game.seen.get(self.history, self.history)

    def public(self) -> str:
        return self.history


def test_preorder_columns_describe_the_same_tree(tree: GameTree) -> None:
    for node in range(len(tree)):
        children = tree.children(node)
        assert len(children) == tree.n_children[node]
        assert [int(tree.parent[child]) for child in children] == [node] * len(children)
        if children:
            assert children[0] == node + 1
            assert tree.end[children[-1]] == tree.end[node]
        else:
            assert tree.end[node] == node + 1
    assert tree.parent[0] == -1
    assert tree.end[0] == len(tree)


def test_nodes_agree_with_the_states_of_the_game(tree: GameTree) -> None:
    leaf = 0
    infosets = tree.infosets
    for node, state in tree.states():
        assert tree.player[node] == state.player
        if state.player == TERMINAL:
            assert tree.terminals[leaf] == node
            assert tree.payoffs[leaf].tolist() == list(state.payoffs())
            leaf += 1
            continue
        children = tree.children(node)
        assert [tree.action(child) for child in children] == list(state.actions())
        if state.player == CHANCE:
            assert tree.chance[children].tolist() == list(state.chances())
            assert (tree.slot[children] == -1).all()
        else:
            infoset = int(tree.infoset[node])
            assert infosets.names[infoset].endswith(state.seen_by(state.player))
            assert infosets.player[infoset] == state.player
            assert infosets.actions[infoset] == tuple(state.actions())
            first = infosets.offset[infoset]
            assert tree.slot[children].tolist() == list(range(first, first + len(children)))
            assert (tree.chance[children] == 1).all()
    assert leaf == len(tree.terminals)


def test_last_slots_and_chances_at_terminal_nodes(tree: GameTree) -> None:
    for leaf, terminal in enumerate(tree.terminals.tolist()):
        last, chance, node = [-1] * tree.players, 1.0, terminal
        while node > 0:
            slot = int(tree.slot[node])
            if slot >= 0 and last[tree.infosets.slot_player[slot]] < 0:
                last[tree.infosets.slot_player[slot]] = slot
            chance *= tree.chance[node]
            node = int(tree.parent[node])
        assert tree.terminal_slots[leaf].tolist() == last
        assert tree.terminal_chance[leaf] == pytest.approx(chance)
    assert tree.terminal_chance.sum() >= 1 - 1e-12


def test_infosets_are_numbered_by_player_and_parents_come_first(tree: GameTree) -> None:
    infosets = tree.infosets
    assert (np.diff(infosets.player) >= 0).all()
    for infoset, slot in enumerate(infosets.parent.tolist()):
        if slot >= 0:
            assert infosets.slot_infoset[slot] < infoset
            assert infosets.slot_player[slot] == infosets.player[infoset]
    assert len(set(infosets.names)) == len(infosets)
    assert [infosets.number(name) for name in infosets.names] == list(range(len(infosets)))


def test_sizes_of_known_games() -> None:
    sizes = {"kuhn": (58, 30, 12), "leduc": (9457, 5520, 936), "kuhn.3p": (617, 312, 48)}
    for name, expected in sizes.items():
        tree = GameTree.build(load_game(name))
        assert (len(tree), len(tree.terminals), len(tree.infosets)) == expected


def test_leduc_is_small() -> None:
    tree = GameTree.build(load_game("leduc"))
    assert tree.bytes_per_node == tree.nbytes / len(tree) < 60


def test_every_path_leads_back_to_its_node(tree: GameTree) -> None:
    for node in range(0, len(tree), max(1, len(tree) // 300)):
        path = tree.path(node)
        assert tree.find(path) == node
        assert tree.find(path.replace(" ", "")) == node
        assert tree.find("/" + path.replace(" ", "/")) == node


def test_paths_are_those_of_the_document() -> None:
    kuhn = GameTree.build(load_game("kuhn"))
    node = kuhn.find("0d{J} 1d{K} 0c 1r")
    assert kuhn.path(node) == "0d{Js} 1d{Ks} 0c 1r"
    assert kuhn.path(0) == ""
    assert kuhn.edge(0) == kuhn.action(0) == ""
    leduc = GameTree.build(load_game("leduc"))
    assert leduc.path(leduc.find("0d{Jh}1d{Ks}0c1cd{Qh}0c")) == "0d{Jh} 1d{Ks} 0c 1c d{Qh} 0c"


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("x", "no path 'x' in kuhn: it starts with 0d{Js}, 0d{Qs}, 0d{Ks}"),
        (
            "0d{J} 1d{J}",
            "no path '0d{J} 1d{J}' in kuhn: after '0d{Js}' comes 1d{Qs}, 1d{Ks}",
        ),
        ("0d{}", "no path '0d{}' in kuhn: it starts with 0d{Js}, 0d{Qs}, 0d{Ks}"),
        (
            "0d{J}1d{Q}0c1c0c",
            "no path '0d{J}1d{Q}0c1c0c' in kuhn: "
            "after '0d{Js} 1d{Qs} 0c 1c' comes nothing, it ends",
        ),
    ],
)
def test_unknown_path_says_how_far_it_came(path: str, message: str) -> None:
    tree = GameTree.build(load_game("kuhn"))
    with pytest.raises(ValueError) as raised:
        tree.find(path)
    assert str(raised.value) == message


def test_a_shortened_card_must_be_the_only_one() -> None:
    leduc = GameTree.build(load_game("leduc"))
    with pytest.raises(ValueError, match=r"it starts with 0d\{Jh\}, 0d\{Js\}"):
        leduc.find("0d{J}")


def test_unknown_infoset_lists_some() -> None:
    tree = GameTree.build(load_game("kuhn"))
    with pytest.raises(ValueError, match="no information set 'Xs'; there are 12: 'Js', 'Js:cr'"):
        tree.infosets.number("Xs")


def test_names_tell_players_apart_who_have_seen_the_same() -> None:
    assert GameTree.build(load_game("rps")).infosets.names == ("0:", "1:")
    assert GameTree.build(load_game("seminar1")).infosets.names == ("", "X", "Y")


def test_digest_changes_with_the_payoffs() -> None:
    kuhn = GameTree.build(load_game("kuhn"))
    assert kuhn.digest == GameTree.build(load_game("kuhn")).digest
    names = ["kuhn", "kuhn2", "rps", "rps.dynamite", "leduc", "leduc.reversed"]
    assert len({GameTree.build(load_game(name)).digest for name in names}) == len(names)


def test_chance_seen_by_some_or_none() -> None:
    game = Drawn(
        players=3,
        movers={"": CHANCE, "a": 0, "b": 0},
        moves={"": "ab", "a": "xy", "b": "xy"},
        odds={"": [0.5, 0.5]},
    )

    class SomeSee(DrawnState):
        def seen_by(self, seat: int) -> str:
            hidden = "?" + self.history[1:]
            return (
                self.history if seat in self.game.players_who_see else hidden[: len(self.history)]
            )

        def apply(self, action: str) -> SomeSee:
            return SomeSee(self.game, self.history + action)

        def payoffs(self) -> Sequence[float]:
            return [0.0, 0.0, 0.0]

    for seats, text in [((0, 2), "0,2d{a}"), ((), "-d{a}"), ((0, 1, 2), "d{a}"), ((1,), "1d{a}")]:

        class Seen(Drawn):
            players_who_see = seats

            def start(self) -> SomeSee:
                return SomeSee(self, "")

        tree = GameTree.build(Seen("seen", 3, game.movers, game.moves, game.odds))
        assert tree.path(1) == text
        assert tree.find(text) == 1


def test_different_actions_in_one_infoset() -> None:
    game = Drawn(
        movers={"": 0, "a": 1, "b": 1},
        moves={"": "ab", "a": "xy", "b": "xz"},
        seen={"a": "?", "b": "?"},
    )
    message = r"drawn: information set '\?' of player 1 offers x, y at one node and x, z at another"
    with pytest.raises(ValueError, match=message):
        GameTree.build(game)


def test_a_player_who_forgets() -> None:
    game = Drawn(
        movers={"": 0, "a": 0, "b": 0},
        moves={"": "ab", "a": "xy", "b": "xy"},
        seen={"a": "?", "b": "?"},
    )
    with pytest.raises(ValueError, match=r"player 0 forgets what they did: information set '\?'"):
        GameTree.build(game)


@pytest.mark.parametrize("odds", [[0.5, 0.6], [1.5, -0.5], [float("nan"), 0.5], []])
def test_chances_that_are_none(odds: list[float]) -> None:
    game = Drawn(movers={"": CHANCE}, moves={"": "ab"}, odds={"": odds})
    with pytest.raises(ValueError, match="the probabilities of chance after '' are"):
        GameTree.build(game)


@pytest.mark.parametrize(("mover", "moves"), [(2, "ab"), (0, "")])
def test_players_and_actions_that_are_none(mover: int, moves: str) -> None:
    game = Drawn(movers={"": mover}, moves={"": moves})
    with pytest.raises(ValueError, match=f"drawn: player {mover} moves after ''"):
        GameTree.build(game)


def test_payoffs_for_too_few() -> None:
    game = Drawn(players=3, movers={"": 0, "a": 1}, moves={"": "a", "a": "a"})
    message = r"payoffs 1\.0, -1\.0 after '0a 1a'; there must be 3 finite"
    with pytest.raises(ValueError, match=message):
        GameTree.build(game)


@pytest.mark.parametrize("given", [1.0, [1.0], [1.0, float("nan")]])
def test_wrong_payoffs_name_the_path_and_not_what_is_public(given: object) -> None:
    class Secret(DrawnState):
        def public(self) -> str:
            return ""

        def apply(self, action: str) -> Secret:
            return Secret(self.game, self.history + action)

        def payoffs(self) -> Any:
            return given

    class Game(Drawn):
        def start(self) -> Secret:
            return Secret(self, "")

    game = Game(movers={"": 0, "a": 1}, moves={"": "a", "a": "a"})
    with pytest.raises(ValueError, match=r"payoffs 1\.0.* after '0a 1a'; there must be 2 finite"):
        GameTree.build(game)


def test_information_sets_can_be_gone_through() -> None:
    tree = GameTree.build(load_game("leduc"))
    assert tuple(tree.infosets) == tree.infosets.names
    assert all(name in tree.infosets for name in tree.infosets)
    assert "nothing" not in tree.infosets
    assert repr(tree) == "<GameTree leduc: 9,457 nodes, 936 information sets>"
    assert repr(tree.infosets) == "<Infosets: 936 of 2 players>"


def test_a_game_that_is_too_large() -> None:
    assert len(GameTree.build(load_game("kuhn"), limit=58)) == 58
    with pytest.raises(ValueError, match="kuhn has more than 57 nodes, too many to write out"):
        GameTree.build(load_game("kuhn"), limit=57)


@pytest.mark.parametrize("name", ["kuhn", "onecard", "leduc", "kuhn.3p"])
def test_estimate_of_the_size(name: str) -> None:
    game = load_game(name)
    nodes = len(GameTree.build(game))
    assert nodes / 3 < estimate_nodes(game, groups=9, probes=50) < 3 * nodes


def test_the_last_small_trees_are_kept() -> None:
    kuhn = load_betting_game("kuhn")
    tree = GameTree.of(kuhn)
    assert GameTree.of(load_game("kuhn")) is tree
    assert GameTree.of(replace(kuhn, ante=2)) is not tree
    assert GameTree.of(replace(kuhn, ante=2)).payoffs.max() == 3.0
    with pytest.raises(TreeTooLargeError):
        GameTree.of(kuhn, limit=57)
    assert GameTree.of(kuhn) is tree
    with pytest.raises(ValueError, match="read-only"):
        tree.payoffs[0] = 100.0
    with pytest.raises(ValueError, match="read-only"):
        tree.infosets.parent[0] = 1
    for ante in range(3, 7):
        GameTree.of(replace(kuhn, ante=ante))
    assert GameTree.of(kuhn) is not tree
    other = load_game("rps")  # rules that others write may change
    assert GameTree.of(other) is not GameTree.of(other)


def test_a_game_that_is_deep() -> None:
    depth = 5000
    game = Drawn(
        players=1,
        movers={"a" * length: 0 for length in range(depth)},
        moves={"a" * length: "a" for length in range(depth)},
    )

    class One(DrawnState):
        def payoffs(self) -> Sequence[float]:
            return [1.0]

        def apply(self, action: str) -> One:
            return One(self.game, self.history + action)

    class Deep(Drawn):
        def start(self) -> One:
            return One(self, "")

    tree = GameTree.build(Deep("deep", 1, game.movers, game.moves))
    assert len(tree) == depth + 1


@dataclass(frozen=True)
class Pennies:
    """Two players choose in turn; whoever derives from it makes a mistake."""

    moves: tuple[str, ...] = ()
    name = "pennies"
    players = 2

    def start(self) -> Any:
        return self

    @property
    def player(self) -> Any:
        return len(self.moves) if len(self.moves) < 2 else TERMINAL

    def actions(self) -> Any:
        return ("h", "t") if len(self.moves) < 2 else ()

    def chances(self) -> Any:
        return ()

    def apply(self, action: str) -> Any:
        return type(self)((*self.moves, action))

    def payoffs(self) -> Any:
        return (1.0, -1.0)

    def seen_by(self, seat: int) -> Any:
        return ""

    def public(self) -> str:
        return ""


NO_GAME = "is not a game: it must be an object with a name (a text), players"
NO_STATE = "a state must have player (0 … 1, CHANCE or TERMINAL), actions() and seen_by(seat)"
NO_TEXTS = "its name and its actions must be texts, and no action may come twice"
BY_CHANCE = property(lambda state: TERMINAL if state.moves else CHANCE)


@pytest.mark.parametrize(
    ("members", "message"),
    [
        ({"name": None}, NO_GAME),
        ({"players": "2"}, NO_GAME),
        ({"players": 0}, NO_GAME),
        ({"start": lambda state: None}, NO_STATE),
        ({"player": property(lambda state: "x")}, NO_STATE),
        ({"player": property(lambda state: 7)}, "player 7 moves after '' with the actions"),
        ({"actions": lambda state: None}, NO_STATE),
        ({"actions": lambda state: (1, 2)}, NO_TEXTS),
        ({"actions": lambda state: ("h", "h")}, NO_TEXTS),
        ({"seen_by": lambda state, seat: 3}, NO_TEXTS),
        ({"seen_by": lambda state, seat: []}, NO_STATE),
        ({"apply": lambda state, action: None}, NO_STATE),
        ({"apply": lambda state, action: 1 / 0}, "ZeroDivisionError: division by zero; a state"),
        ({"payoffs": lambda state: ("won", "lost")}, NO_STATE),
        ({"player": BY_CHANCE, "chances": lambda state: (1.0,)}, "chance has 2 outcomes after"),
        ({"player": BY_CHANCE, "chances": lambda state: ("x", "y")}, NO_STATE),
    ],
)
def test_mistakes_in_games_of_ones_own_are_one_line(members: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError) as caught:
        GameTree.build(type("Mine", (Pennies,), members)())
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_what_is_no_game_at_all_is_one_line() -> None:
    assert len(GameTree.build(Pennies()).infosets) == 2
    for wrong in (5, Pennies, None):
        with pytest.raises(ValueError, match="is not a game: it must be an object"):
            GameTree.build(wrong)  # type: ignore[arg-type]
