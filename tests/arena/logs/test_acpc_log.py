import io
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pokerlab.arena.acpc.match import TimeLimits
from pokerlab.arena.hands import Fault
from pokerlab.arena.logs.acpc_log import (
    AcpcLogWriter,
    read_acpc_log,
    read_acpc_scores,
    write_acpc_log,
)
from pokerlab.arena.matches import Match
from pokerlab.games import load_betting_game, read_acpc

LIMIT = load_betting_game("holdem.limit.2p")
HAND = "STATE:0:rf:AsKd|QhQc:-10|10:ann|bob"
SCORE = "SCORE:-10|10:ann|bob"


def match_hands(game, bots, count, seed=3):
    with Match(game, bots, count, seed) as match:
        return list(match)


@pytest.mark.parametrize(
    ("name", "bots"),
    [
        ("holdem.limit.2p", ["random", "raiser"]),
        ("holdem.nolimit.2p", ["random", "random"]),
        ("holdem.nolimit.3p", ["random", "caller", "raiser"]),
        ("kuhn.3p", ["random", "random", "caller"]),
    ],
)
def test_hands_come_back(name, bots, tmp_path):
    game = load_betting_game(name)
    hands = match_hands(game, bots, 60)
    write_acpc_log(tmp_path / "night.log", hands)
    back = list(read_acpc_log(tmp_path / "night.log", game))
    for hand, again in zip(hands, back, strict=True):
        assert (again.number, again.players, again.betting, again.payoffs) == (
            hand.number,
            hand.players,
            hand.betting,
            hand.payoffs,
        )
        assert again.deal.holes == hand.deal.holes
        assert again.deal.board == hand.final.board
    scores = dict(read_acpc_scores(tmp_path / "night.log"))
    for name_of_player, total in scores.items():
        won = [dict(zip(hand.players, hand.payoffs, strict=True)) for hand in hands]
        assert total == pytest.approx(sum(amounts[name_of_player] for amounts in won), abs=1e-6)
    assert [path.name for path in tmp_path.iterdir()] == ["night.log"]


def test_thirds_of_a_chip_are_exact_again():
    game = read_acpc(
        """GAMEDEF
        limit
        numPlayers = 4
        numRounds = 1
        blind = 5 10 0 0
        raiseSize = 10
        firstPlayer = 3
        maxRaises = 3
        numSuits = 4
        numRanks = 13
        numHoleCards = 1
        numBoardCards = 0
        END GAMEDEF""",
        "four",
    )
    line = "STATE:0:rccf:As|2c|Ah|Ac:3.333333|-10|3.333333|3.333333:ann|bob|eve|joe\n"
    (hand,) = read_acpc_log(line, game, partial=True)
    assert hand.payoffs == pytest.approx((10 / 3, -10.0, 10 / 3, 10 / 3), abs=1e-12)
    file = io.StringIO()
    AcpcLogWriter(file).hand(hand)
    assert file.getvalue() == line
    with pytest.raises(ValueError, match=r"line 1: hand 0 pays position 0 3\.333333 by the rules"):
        list(read_acpc_log(file.getvalue().replace("3.333333|-", "3.333334|-"), game))


def test_an_interrupted_log_gives_what_it_has():
    second = HAND.replace("STATE:0", "STATE:1")
    whole = f"# comment\n{HAND}\n{second}\nSCORE:-20|20:ann|bob\n"
    assert len(list(read_acpc_log(whole, LIMIT))) == 2
    for end in range(len("# comment\n"), len(whole) - 1):
        cut = whole[:end]
        hands = list(read_acpc_log(cut, LIMIT, partial=True))
        assert len(hands) == cut.count("|bob\n")
        with pytest.raises(ValueError, match=r"^log: line \d: "):
            list(read_acpc_log(cut, LIMIT))


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (f"{HAND}\n", "line 1: the log ends without a SCORE line: it is cut, or the match was"),
        (f"{HAND}\nSCORE:-10|1\n", "line 2: 'SCORE:-10|1' is cut: a score is SCORE:amounts:names"),
        (f"{HAND}\nSTATE:1:r", "line 2: 'STATE:1:r' is cut: a hand is STATE:hand:betting:cards:"),
        (f"{HAND}\nSCORE:-20|20:ann|bob\n", "line 2: the score of ann is -20, the hands before"),
        (f"{HAND}\nSCORE:-20:ann\n", "line 2: the score has 1 seats, the game 2"),
        (f"{HAND}\nSCORE:-20|20:ann\n", "line 2: 2 amounts and 1 names"),
        (f"{HAND}\n{SCORE}\nhello\n", "line 3: 'hello' is not a line of a log"),
        (
            HAND.replace("-10|10", "-20|20") + "\n",
            "line 1: hand 0 pays position 0 -10 by the rules",
        ),
        (HAND.replace("-10|10", "nan|10") + "\n", "line 1: 'nan|10' are not amounts"),
        (HAND.replace("-10|10", "-10") + "\n", "line 1: 1 amounts and 2 names"),
        (HAND.replace("rf", "r") + "\n", "line 1: hand 0 is not over after 'r'"),
        (HAND.replace("rf", "rx") + "\n", "line 1: bad state 'STATE:0:rx:AsKd|QhQc': bad betting"),
        (HAND.replace("Qc", "As") + "\n", "line 1: bad state .* dealt twice"),
    ],
)
def test_errors_name_the_line(text, complaint):
    with pytest.raises(ValueError, match=complaint.replace("|", r"\|")) as error:
        list(read_acpc_log(text, LIMIT))
    assert "\n" not in str(error.value)


@given(text=st.text(alphabet="STAECORMH:|/0123456789rfcAsKdQhann\n#-.", max_size=200))
def test_garbage_is_a_value_error(text):
    for partial in (False, True):
        try:
            list(read_acpc_log(f"{HAND}\n{text}", LIMIT, partial=partial))
        except ValueError as error:
            assert not partial and str(error).startswith("log: line ")


def test_files_that_cannot_be_read(tmp_path):
    with pytest.raises(ValueError, match=r"no\.log: cannot be read: No such file"):
        list(read_acpc_log(tmp_path / "no.log", LIMIT))
    (tmp_path / "bad.log").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ValueError, match=r"bad\.log: not a text file in UTF-8"):
        read_acpc_scores(str(tmp_path / "bad.log"))


def test_nothing_is_left_of_a_log_that_cannot_be_written(tmp_path):
    hands = match_hands(LIMIT, ["caller", "raiser"], 2)
    named = [replace(hand, players=("a|b", "c")) for hand in hands]
    with pytest.raises(ValueError, match=r"bad name 'a\|b' of a player"):
        write_acpc_log(tmp_path / "night.log", [hands[0], *named])
    assert list(tmp_path.iterdir()) == []


LINES = st.sampled_from([HAND, SCORE, "# comment", "STATE:1:rrc/", "", "SCORE:", "STATE::::::"])


@given(st.lists(LINES), st.lists(st.tuples(st.integers(0, 300), st.characters()), max_size=4))
def test_changed_characters_are_a_value_error(lines, changes):
    text = "\n".join([HAND, *lines, ""])
    for place, character in changes:
        place %= len(text)
        text = f"{text[:place]}{character}{text[place + 1 :]}"
    for partial in (False, True):
        try:
            list(read_acpc_log(text + "\n", LIMIT, partial=partial))
        except ValueError as error:
            assert not partial and str(error).startswith("log: line ")
            assert len(str(error)) < 1000


def test_a_log_without_end_is_not_read_into_memory(tmp_path):
    path = tmp_path / "endless.log"
    path.write_text(f"{HAND}\n" + 2_000_000 * "x")
    hands = read_acpc_log(path, LIMIT)
    assert next(hands).betting == "rf"
    with pytest.raises(ValueError, match=r"endless\.log: line 2: more than 1,000,000 characters"):
        next(hands)
    with pytest.raises(ValueError, match="/dev/zero: this is not a file with text"):
        next(read_acpc_log("/dev/zero", LIMIT))


def test_players_of_the_same_name_keep_their_own_totals():
    file = io.StringIO()
    writer = AcpcLogWriter(file)
    hands = match_hands(LIMIT, ["random", "random"], 40)
    by_seat = np.zeros(2)
    for hand in hands:
        writer.hand(replace(hand, players=("twin", "twin")))
        for position, chips in enumerate(hand.payoffs):
            by_seat[(position + hand.number) % 2] += chips
    writer.score()
    scores = read_acpc_scores(file.getvalue())
    assert scores == (("twin", by_seat[0]), ("twin", by_seat[1]))
    assert len(list(read_acpc_log(file.getvalue(), LIMIT))) == 40


def test_faults_are_comments_and_matches_can_follow_each_other():
    file = io.StringIO()
    writer = AcpcLogWriter(file)
    hands = match_hands(LIMIT, ["caller", "raiser"], 4)
    fault = Fault(1, "c", "fly", "c", "illegal action 'fly'")
    for seed in (1, 2):
        writer.header("night", "holdem.limit.2p", 4, seed, TimeLimits(action=1.5, match=10.0))
        for hand in hands:
            writer.hand(replace(hand, faults=(fault,)))
        writer.score()
    text = file.getvalue()
    assert text.startswith(
        "# name/game/hands/seed night holdem.limit.2p 4 1\n"
        "#--t_response 1500\n#--t_hand 600000\n#--t_per_hand 2500\n"
    )
    assert "# hand 0 raiser after 'c': answered 'fly', played 'c': illegal action 'fly'\n" in text
    assert len(list(read_acpc_log(text, LIMIT))) == 8
