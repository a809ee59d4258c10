import tomllib
from dataclasses import replace

import numpy as np
import pytest
import tomli_w
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pokerlab.arena.hands import PlayedHand
from pokerlab.arena.logs.phh_log import read_phh, write_phh
from pokerlab.arena.table import play_hand
from pokerlab.games import Street, load_betting_game
from pokerlab.players.bots.simple import Caller, RandomBot

NO_LIMIT = load_betting_game("holdem.nolimit.2p")
GAMES = [
    *(
        load_betting_game(f"holdem.{kind}.{seats}p")
        for kind in ("limit", "nolimit")
        for seats in (2, 3)
    ),
    load_betting_game("holdem.nolimit.3p").with_stacks([300, 5000, 20000]),
    replace(NO_LIMIT, ante=5),
    replace(load_betting_game("holdem.limit.2p"), stacks=(35, 70)),
]
HAND = """variant = 'NT'
antes = [0, 0, 0]
blinds_or_straddles = [0.25, 0.5, 0]
min_bet = 0.5
starting_stacks = [50, 61.75, 20]
actions = [
  'd dh p1 ????', 'd dh p2 AsKd', 'd dh p3 ????',
  'p3 cbr 1.5', 'p1 f', 'p2 cc # a comment',
  'd db 2c3d4h', 'p2 cc', 'p3 cbr 2.25', 'p2 f',
]
"""


def hands_of(game, count, seed=1):
    rng = np.random.default_rng(seed)
    bots = [RandomBot(1, 4, 3) for _ in range(game.players)]
    for bot in bots:
        bot.reset(game, rng)
    names = [f"player {seat}" for seat in range(game.players)]
    return [
        play_hand(game, deal, bots, names=names, number=number)
        for number, deal in enumerate(game.deals(rng, count))
    ]


def same(hand, other):
    """Equal but for the name of the game, and for public cards that nobody saw."""
    seen = len(hand.final.board)
    return (
        replace(other.game, name=hand.game.name) == hand.game
        and other.deal.holes == hand.deal.holes
        and other.deal.board == hand.deal.board[:seen]
        and (other.number, other.players, other.betting, other.payoffs)
        == (hand.number, hand.players, hand.betting, hand.payoffs)
    )


@pytest.mark.parametrize("game", GAMES, ids=lambda game: f"{game.name} {game.stacks} {game.ante}")
def test_what_is_written_is_read_again(tmp_path, game):
    hands = hands_of(game, 80)
    write_phh(tmp_path / "hands.phhs", hands)
    again = list(read_phh(tmp_path / "hands.phhs"))
    assert len(again) == 80
    assert all(map(same, hands, again))
    assert not list(tmp_path.glob("*.part"))


def test_games_of_the_catalogue_keep_their_names(tmp_path):
    for game in GAMES[:4]:
        write_phh(tmp_path / "hand.phh", hands_of(game, 1))
        assert next(read_phh(tmp_path / "hand.phh")).game is game


def read(tmp_path, text):
    (tmp_path / "hand.phh").write_text(text, encoding="utf-8")
    return list(read_phh(tmp_path / "hand.phh"))


def test_fractions_of_a_chip_and_hidden_cards(tmp_path):
    (hand,) = read(tmp_path, HAND)
    assert hand.game.unit == 100
    assert hand.game.stacks == (5000, 6175, 2000)
    assert hand.betting == "r150fc/cr375f"
    assert hand.payoffs == (-0.25, -1.5, 1.75)
    assert hand.players == ("p1", "p2", "p3")
    assert hand.deal.holes[0] == ()
    write_phh(tmp_path / "again.phh", [hand])
    assert next(read_phh(tmp_path / "again.phh")) == hand


def test_a_hidden_showdown_needs_the_stacks(tmp_path):
    text = HAND.replace(
        "'p2 f'", "'p2 cc', 'd db 5s', 'p2 cc', 'p3 cc', 'd db 6s', 'p2 cc', 'p3 cc'"
    )
    with pytest.raises(
        ValueError, match="nobody knows who won: the cards are hidden, finishing_st"
    ):
        read(tmp_path, text)
    (hand,) = read(tmp_path, text + "finishing_stacks = [49.75, 65.75, 16.25]\n")
    assert hand.payoffs == (-0.25, 4.0, -3.75)


def test_limit_with_more_raises_than_usual(tmp_path):
    game = replace(
        load_betting_game("holdem.limit.2p"),
        streets=tuple(
            replace(street, max_raises=9) for street in load_betting_game("holdem.limit.2p").streets
        ),
    )
    deal = game.make_deal(["AsKd", "QhQc"])
    hand = PlayedHand(game, 3, deal, ("a", "b"), "rrrrrf", game.replay("rrrrrf", deal).payoffs())
    write_phh(tmp_path / "hand.phh", [hand])
    (again,) = read_phh(tmp_path / "hand.phh")
    assert (again.betting, again.payoffs) == (hand.betting, hand.payoffs)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("'NT'", "'PO'", "variant: 'PO' is not one that pokerlab plays (FT or NT)"),
        ("variant = 'NT'\n", "", "antes is not a hand, and there is no variant"),
        ("min_bet = 0.5\n", "", "min_bet: nothing is not an amount of chips"),
        ("[50, 61.75, 20]", "[50, 61.75]", "3 antes, 3 blinds_or_straddles and 2 starting_stacks"),
        ("[50, 61.75, 20]", "[50, inf, 20]", "starting_stacks: Infinity is not an amount of chips"),
        ("[0, 0, 0]", "[0, 0, 1]", "antes: they differ"),
        ("'p1 f'", "'p2 f'", "action 'p2 f' is out of turn: player 1 acts after 'r150'"),
        ("'p1 f'", "'p1 folds'", "bad action 'p1 folds': hold'em has d dh"),
        ("cbr 2.25", "cbr 0.25", "illegal action 'r175'"),
        ("2c3d4h", "2c3dAs", "card As is dealt twice"),
        ("2c3d4h", "2c3d", "board 2c3d: hold'em has 0, 3, 4 or 5 public cards"),
        ("2c3d4h", "2c3d4x", "'x' is not a suit"),
        (", 'p2 f',\n]", "]", "the hand is cut: it is not over after 'r150fc/cr375'"),
        (", 'p2 f',\n]\n", "", "not a hand history, or cut in the middle"),
    ],
)
def test_a_bad_or_cut_file_is_one_line(tmp_path, old, new, message):
    assert old in HAND
    with pytest.raises(ValueError) as error:
        read(tmp_path, HAND.replace(old, new))
    text = str(error.value)
    assert message in text
    assert text.startswith(str(tmp_path / "hand.phh"))
    assert "\n" not in text


def test_hands_before_a_bad_one_are_read(tmp_path):
    bad = HAND.replace("'p1 f'", "'p2 f'")
    file = tmp_path / "hands.phhs"
    file.write_text(f"[1]\n{HAND}[2]\n{bad}", encoding="utf-8")
    hands = read_phh(file)
    assert next(hands).number == 0
    with pytest.raises(ValueError, match=r"hand \[2\]: action 'p2 f' is out of turn"):
        next(hands)


@settings(
    max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.data())
def test_a_file_cut_anywhere_is_read_or_one_line(tmp_path, data):
    text = HAND + "finishing_stacks = [49.75, 60.25, 21.75]\nhand = 7\n"
    end = data.draw(st.integers(0, len(text)))
    try:
        hands = read(tmp_path, text[:end])
    except ValueError as error:
        assert "\n" not in str(error)
    else:
        assert [hand.payoffs for hand in hands] == [(-0.25, -1.5, 1.75)]


VALUES = st.recursive(
    st.integers() | st.booleans() | st.text("NFT0?dhpAs ", max_size=8) | st.floats(),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.text("ab", min_size=1, max_size=2), inner, max_size=2)
    ),
    max_leaves=5,
)


@settings(
    max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    st.sampled_from(["variant", "antes", "blinds_or_straddles", "min_bet", "starting_stacks",
                     "actions", "hand", "players", "finishing_stacks"]),
    VALUES,
)  # fmt: skip
def test_fields_of_other_types_are_read_or_one_line(tmp_path, name, value):
    table = tomllib.loads(HAND) | {name: value}
    for text in (tomli_w.dumps(table), tomli_w.dumps({"1": table, "2": value})):
        try:
            read(tmp_path, text)
        except ValueError as error:
            assert "\n" not in str(error)
            assert len(str(error)) < 500


@pytest.mark.parametrize(
    "text", ["a = " + "[" * 100_000, "variant = []", "players = 3\nvariant = {a = 1}", "[[1]]"]
)
def test_hostile_documents_are_one_line(tmp_path, text):
    with pytest.raises(ValueError):
        read(tmp_path, text)


def test_games_without_a_variant_are_refused(tmp_path):
    for name in ("kuhn", "leduc", "draw"):
        game = load_betting_game(name)
        bots = [Caller(), Caller()]
        hand = play_hand(game, game.deal(np.random.default_rng(1)), bots)
        with pytest.raises(ValueError, match=f"PHH has no variant for {name}"):
            write_phh(tmp_path / "hand.phh", [hand])
    odd = replace(NO_LIMIT, streets=(*NO_LIMIT.streets[:3], Street(board=1, bet=500)))
    with pytest.raises(ValueError, match="PHH has no variant"):
        write_phh(tmp_path / "hand.phh", hands_of(odd, 1))
    assert list(tmp_path.iterdir()) == []


def test_bad_names_and_counts(tmp_path):
    hands = hands_of(NO_LIMIT, 2)
    with pytest.raises(ValueError, match=r"must end in .phh \(one hand\) or .phhs \(many\)"):
        write_phh(tmp_path / "hands.txt", hands)
    with pytest.raises(ValueError, match=r"a .phh file holds one hand; name it .phhs"):
        write_phh(tmp_path / "hands.phh", hands)
    with pytest.raises(ValueError, match="cannot be read: No such file"):
        next(read_phh(tmp_path / "none.phh"))
    (tmp_path / "binary.phh").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ValueError, match="not a text file in UTF-8"):
        next(read_phh(tmp_path / "binary.phh"))
    assert [file.name for file in tmp_path.iterdir()] == ["binary.phh"]
