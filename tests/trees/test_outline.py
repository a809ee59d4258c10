"""The tops of trees, against the same views of whole trees."""

import re
from math import comb

import pytest

from pokerlab.games import BettingGame, Street, load_betting_game
from pokerlab.trees import GameTree, make_outline, make_view, view_names
from pokerlab.trees.drawing import draw, draw_outline
from pokerlab.trees.outline_counts import NodeCounter

SMALL_DRAW = BettingGame(
    name="small-draw",
    players=2,
    betting="limit",
    showdown="kinds",
    ranks="9TJQK",
    suits="h",
    ante=1,
    streets=(Street(hole=1, bet=1, max_raises=1), Street(draw=1, bet=1, max_raises=1)),
)
STUD = BettingGame(
    name="stud",
    players=2,
    betting="limit",
    showdown="kinds",
    ranks="JQK",
    suits="hs",
    ante=1,
    streets=(Street(hole=1, bet=1, max_raises=1), Street(hole=1, bet=1, max_raises=1)),
)
SHORT = BettingGame(
    name="short-stacks",
    players=2,
    betting="no-limit",
    showdown="kinds",
    ranks="TJQK",
    suits="h",
    menu="50%, a",
    ante=1,
    stacks=(5, 7),
    streets=(Street(hole=1, bet=1), Street(board=1, bet=1)),
)
GAMES = {
    game.name: game
    for game in (
        load_betting_game("kuhn"),
        load_betting_game("kuhn.3p"),
        load_betting_game("leduc"),
        STUD,
        SHORT,
        SMALL_DRAW,
    )
}
VIEWS = ["game", "player:0", "player:1", "observer", "chance", "action"]


@pytest.fixture(scope="module")
def built():
    return {name: GameTree.build(game) for name, game in GAMES.items()}


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("name", GAMES)
def test_the_top_is_that_of_the_whole_tree(built, name, view):
    game, tree = GAMES[name], built[name]
    if (view == "chance" and name in ("stud", "small-draw")) or (
        view == "action" and name == "small-draw"
    ):
        pytest.skip("no such tree, or draws by their number there")
    whole = make_view(tree, view)
    for depth in (0, 3, 5, 30):
        full = draw(whole, depth=depth, limit=100_000).nodes
        if len(full) > 1000:
            continue
        top = make_outline(game, view, depth, limit=1000)
        assert [(node.parent, node.depth, node.player, node.move) for node in top.nodes] == [
            (node.parent, node.depth, node.player, node.move) for node in full
        ]
        for node, theirs in zip(top.nodes, full, strict=True):
            written = [line.text for line in theirs.lines]
            left = sum(int(re.sub(r"\D", "", line)) for line in written if line.startswith("…"))
            assert node.left_out == left
            payoffs = [line for line in written if not line.startswith("…")]
            if node.payoffs is not None:
                assert payoffs == [
                    " ".join(f"{chips:g}".replace("-", "−") for chips in node.payoffs)
                ]
            elif payoffs:  # whatever the hidden cards are, the result is the same
                assert view.startswith("player:")


def test_paths_are_those_of_the_whole_tree(built):
    for pattern in ("0d{J} 1d{} 0r …", "…1r…", "0d{K}1d{Q}0c1r0c | 0d{J}…1f", "0d{}"):
        for view in ("game", "player:0", "observer"):
            full = draw(make_view(built["kuhn"], view), path=pattern).nodes
            top = make_outline(GAMES["kuhn"], view, path=pattern)
            assert [top.path(place) for place in range(len(top))] == [node.path for node in full]
    full = draw(make_view(built["leduc"], "game"), path="0d{Kh}1d{Ks}0c1c d{Qh}…", depth=6).nodes
    top = make_outline(GAMES["leduc"], "game", 6, path="0d{Kh} 1d{Ks} 0c 1c d{Qh} …")
    assert [top.path(place) for place in range(len(top))] == [node.path for node in full]


def test_probabilities_of_deals():
    top = make_outline(load_betting_game("holdem.limit.2p"), "chance", 1)
    assert len(top) == 1 + comb(52, 2)
    assert sum(node.chance for node in top.nodes[1:]) == pytest.approx(1)
    path = "0d{AsAh} 1d{KsKh} d{2c3c4c} d{5d} d{6d}"
    end = make_outline(load_betting_game("holdem.limit.2p"), "chance", path=path).nodes[-1]
    deals = comb(52, 2) * comb(50, 2) * comb(48, 3) * 45 * 44
    assert end.chance == pytest.approx(1 / deals) and end.left_out == 0


def test_the_action_tree_of_limit_holdem():
    limit = load_betting_game("holdem.limit.2p")
    top = make_outline(limit, "action", 1)
    nodes = 1 + sum(1 + node.left_out for node in top.nodes[1:])
    known, waiting = 0, [limit.first_betting]
    while waiting:
        node = waiting.pop()
        known += 1
        waiting += [node.after(action) for action in node.actions()]
    assert nodes == known


def test_the_size_of_limit_holdem():
    """Once more, from the betting nodes and how often each is dealt."""
    limit = load_betting_game("holdem.limit.2p")
    for view, deals in (
        ("game", [comb(52, 2), comb(50, 2), comb(48, 3), 45, 44]),
        ("player:1", [1, comb(52, 2), comb(50, 3), 47, 46]),
        ("observer", [1, 1, comb(52, 3), 49, 48]),
    ):
        times = [deals[0] * deals[1]]
        for ways in deals[2:]:
            times.append(times[-1] * ways)
        total = 1 + deals[0]
        waiting = [limit.first_betting]
        while waiting:
            node = waiting.pop()
            total += times[node.street]
            if node.text.endswith("/"):  # the node at which the board is dealt
                total += times[node.street - 1]
            waiting += [node.after(action) for action in node.actions()]
        assert make_outline(limit, view, 0).nodes[0].left_out == total - 1


def test_no_limit_shows_three_sizes_and_those_of_the_path():
    game = load_betting_game("holdem.nolimit.2p")
    top = make_outline(game, "action", 1)
    assert [node.move for node in top.nodes] == ["", "1f", "1c", "1r200", "1r300", "1r20000"]
    assert top.nodes[0].left_out is None
    assert top.nodes[0].moves_left_out == 19_803 - 5
    path = make_outline(game, "action", path="1r457 0c")
    assert [node.move for node in path.nodes] == ["", "1r457", "0c"]
    assert "… 19,802 other moves" in draw_outline(path).text()


def test_a_player_of_five_card_draw_sees_own_cards_only():
    game = load_betting_game("draw")
    path = "0d{2c3d5h7s9c} 1d{} 0c 1c 0d2c3d"
    top = make_outline(game, "player:0", path=path)
    assert top.nodes[-1].player == -1 and top.nodes[-1].moves_left_out == comb(47, 2)
    more = make_outline(game, "player:0", path=path + " 0d{AsAh} 1{(3)} 1d{}")
    assert more.path(len(more) - 1).endswith("0d2c3d 0d{AhAs} 1{(3)} 1d{}")
    moves = [node.move for node in make_outline(game, "action", path="0c1c0(2)1(0)0c").nodes]
    assert moves == ["", "0c", "1c", "0(2)", "1(0)", "0c"]


@pytest.mark.parametrize(
    ("name", "view", "depth", "path", "message"),
    [
        ("holdem.limit.2p", "player:0", 2, "", r"limit them by a depth of 1 \(1,327 nodes\)"),
        ("holdem.limit.2p", "player:2", 2, "", "unknown view 'player:2' of holdem.limit.2p: game"),
        ("holdem.limit.2p", "action", -1, "", "depth: -1 must be a number of moves"),
        ("holdem.limit.2p", "action", 3, "0c", "no path '0c' in .*: it starts with 1f, 1c, 1r"),
        ("holdem.limit.2p", "action", 9, "1c0x", "after '1c' comes 0c, 0r"),
        ("holdem.limit.2p", "observer", 9, "0d{}1d{}1f0c", "after .* comes nothing, it ends"),
        ("holdem.limit.2p", "action", None, "…0r…", "too many nodes to draw"),
        ("holdem.limit.2p", "player:0", None, "…1r…0r", "too many nodes to look through"),
        ("draw", "chance", 2, "", "draw has no chance tree: cards are drawn"),
    ],
)
def test_bad_requests_are_one_line(name, view, depth, path, message, monkeypatch):
    if "look through" in message:
        monkeypatch.setattr("pokerlab.trees.outline._MAX_VISITED", 4000)
    with pytest.raises(ValueError, match=message) as error:
        make_outline(load_betting_game(name), view, depth, path=path)
    assert "\n" not in str(error.value)


def test_a_count_that_would_take_long_is_given_up():
    game = load_betting_game("holdem.nolimit.2p")
    counter = NodeCounter(game, "action", ())
    assert counter.count(game.first_betting, (), 0) is None
    assert view_names(game) == ["game", "player:0", "player:1", "observer", "chance", "action"]
