"""Hands of files, one by one: quick reading of PHH against TOML and our rules; sites; counts."""

import re
import tomllib
import tracemalloc
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.effort import some_of

from pokerlab.arena.hands import PlayedHand
from pokerlab.arena.logs import phh_text
from pokerlab.arena.logs.counting import HandCounts, hand_lines
from pokerlab.arena.logs.folder_counts import count_files
from pokerlab.arena.logs.following import follow
from pokerlab.arena.logs.hand_spot import spot_of_history
from pokerlab.arena.logs.histories import (
    FoundHand,
    HandFilter,
    UnreadHand,
    history_files,
    is_history,
    read_hands,
)
from pokerlab.arena.logs.history_hand import UnreadHandError
from pokerlab.arena.logs.phh_log import write_phh
from pokerlab.arena.logs.phh_text import hand_texts, read_hand, toml_record
from pokerlab.arena.logs.statistics import play_statistics
from pokerlab.arena.table import play_hand
from pokerlab.games import load_betting_game
from pokerlab.games.formats.phh import parse_hand_histories
from pokerlab.players.bots.simple import RandomBot
from pokerlab.players.opponents.line_model import LineCounts, line_decisions, load_line_model

DATA = Path(__file__).parents[2] / "data" / "histories"
PHH = [DATA / "online.phhs", DATA / "pluribus.phhs"]


def texts_of(*files):
    return [each.text for file in files for each in hand_texts(file)]


def same(hand, other):
    return (hand.moves, hand.holes, hand.board, hand.payoffs, hand.players, hand.blinds) == (
        other.moves,
        other.holes,
        other.board,
        other.payoffs,
        other.players,
        other.blinds,
    )


def random_hands(count, seed):
    rng = np.random.default_rng(seed)
    for seats in (2, 3):
        stacks = [int(stack) for stack in rng.integers(300, 9000, seats)]
        game = load_betting_game(f"holdem.nolimit.{seats}p").with_stacks(stacks)
        bots = [RandomBot(1, 4, 2) for _ in range(seats)]
        for bot in bots:
            bot.reset(game, rng)
        names = [f"player {seat}" for seat in range(seats)]
        for number, deal in enumerate(game.deals(rng, count)):
            yield play_hand(game, deal, bots, names=names, number=number)


@pytest.fixture(scope="module")
def ours(tmp_path_factory):
    """Hands of random bots with short stacks, and their file."""
    path = tmp_path_factory.mktemp("ours") / "random.phhs"
    hands = list(random_hands(some_of(250), 3))
    write_phh(path, hands)
    return hands, path


def test_the_quick_reading_is_that_of_toml(ours):
    """With none of the slow way taken: all of these are plain."""
    count = 0
    for text in texts_of(*PHH, ours[1]):
        fields = phh_text._plain_fields(text)
        if fields is not None:
            quick = follow(phh_text._plain_record(fields))
            assert same(quick, follow(toml_record(text)))
            assert same(read_hand(text), quick)
            count += 1
    assert count > some_of(250)


def test_moves_statistics_and_lines_are_those_of_our_rules(ours):
    hands = list(ours[0])
    for text in texts_of(DATA / "pluribus.phhs"):
        (found,) = parse_hand_histories(text)
        final = found.final
        hands.append(
            PlayedHand(final.game, 0, final.deal, found.players, final.betting, found.payoffs)
        )
    seen = [read_hand(text) for text in texts_of(ours[1], DATA / "pluribus.phhs")]
    counts = HandCounts(lines=True)
    counts.add_all(seen)
    slow, fast = play_statistics(hands), counts.statistics()
    assert set(slow) == set(fast)
    for name, one in slow.items():
        other = fast[name]
        for fact in ("hands", "vpip", "pfr", "showdowns", "showdowns_won", "bets", "calls"):
            assert getattr(one, fact) == getattr(other, fact), (name, fact)
        assert one.aggression == other.aggression or one.calls == other.calls == 0
        for part in ("actions", "classes"):
            own, others = getattr(one, part), getattr(other, part)
            assert set(own) == set(others)
            assert all((own[key] == others[key]).all() for key in own)
        lines = LineCounts()
        for hand in hands:
            if name in hand.players:
                lines.add(hand.final.node, hand.players.index(name))
        expected = {key: dict(count) for key, count in lines.model(name).counts.items()}
        assert counts.model(name).counts == expected
    for hand, other in zip(hands, seen, strict=True):
        assert other.payoffs == pytest.approx(hand.payoffs)
        for seat in range(len(hand.players)):
            mine = [(key, done) for at, key, done in hand_lines(other) if at == seat]
            assert mine == list(line_decisions(hand.final.node, seat))


def test_what_online_files_leave_open(tmp_path):
    """Unknown stacks, blinds out of turn, hidden showdowns: all are read, by PokerKit's rules."""
    found = list(read_hands(DATA / "online.phhs"))
    assert len(found) == 12 and all(isinstance(each, FoundHand) for each in found)
    hands = [each.hand for each in found]
    assert any(10**15 in hand.record.stacks for hand in hands)
    assert any(min(hand.record.blinds) < 0 for hand in hands)
    assert any(hand.payoffs is None for hand in hands)
    for hand in hands:
        if hand.payoffs is not None:
            assert -0.11 * hand.pot <= sum(hand.payoffs) <= 1e-9


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_pokerkit_agrees_on_actors_and_bets():
    pokerkit = pytest.importorskip("pokerkit")
    checked = 0
    for text in texts_of(*PHH):
        hand = read_hand(text)
        if 10**15 in hand.record.stacks:
            continue  # PokerKit repairs such hands by checks of its own
        history = pokerkit.HandHistory.loads(text)
        moves = iter(hand.moves)
        for state, action in history.state_actions:
            if action is not None and action[:1] == "p" and action.split()[1] != "sm":
                move = next(moves)
                assert action.startswith(f"p{move.seat + 1} ")
                start = state.starting_stacks[move.seat]
                assert move.to == round(100 * float(start - state.stacks[move.seat]))
                checked += 1
        assert next(moves, None) is None
    assert checked > 60


CHANGES = [
    *[("0", "0.5"), ("0", "00"), ("1", "1.50"), (", ", " , "), ("'", '"'), ("0", "0.125")],
    *[("5", "inf"), ("0", "-1"), ("p1", "p9"), ("cc", "f"), ("]", ",]"), ("= ", "=  ")],
    *[("'NT'", "'FT'"), ("f'", "f # done'"), ("0", "1_0"), ("1", "1e2"), ("0", "nan")],
]


@given(st.data())
def test_amounts_and_texts_as_toml_has_them(data):
    """Any hand of plain lines gives the record of TOML, or is refused by both."""
    text = texts_of(DATA / "online.phhs")[data.draw(st.integers(0, 11))]
    lines = text.strip().split("\n")
    at = data.draw(st.integers(0, 6))
    old, new = data.draw(st.sampled_from(CHANGES))
    lines[at] = lines[at].replace(old, new, data.draw(st.sampled_from([1, 9])))
    changed = "\n".join(lines)

    def outcome(read):
        try:
            hand = read(changed)
        except UnreadHandError as error:
            return str(error)
        return hand.moves, hand.holes, hand.board, hand.payoffs

    assert outcome(read_hand) == outcome(lambda text: follow(toml_record(text)))


@pytest.mark.parametrize("name", ["antes", "starting_stacks"])
def test_only_blinds_may_be_below_0(name):
    for text in texts_of(DATA / "online.phhs"):
        before, equals, after = text.partition(f"{name} = [")
        with pytest.raises(UnreadHandError, match=f"{name}: an amount is below 0"):
            read_hand(f"{before}{equals}-1{after.replace('inf', '5')}")


def test_each_hand_alone(tmp_path):
    path = tmp_path / "mixed.phhs"
    good = texts_of(DATA / "pluribus.phhs")[0]
    path.write_bytes(
        b"[1]\n"
        + good.encode()
        + b"\n[2]\nvariant = 'PO'\n[3]\nvariant = \"F7S\"\nactions = [\n 'x',\n]\n[4]\n\xff\xfe\n"
        + b"[5]\n"
        + b"x" * 1_200_000
        + b"\n[6]\n"
        + good.replace("\n", "\r\n").encode()
    )
    found = list(read_hands(path))
    assert [type(each).__name__ for each in found] == [
        "FoundHand",
        *["UnreadHand"] * 4,
        "FoundHand",
    ]
    assert [each.variant for each in found[1:3]] == ["PO", "F7S"]
    assert [each.reason for each in found[1:5]] == [
        "pot-limit Omaha (PO) is not hold'em",
        "seven-card stud (F7S) is not hold'em",
        "not a text in UTF-8",
        "more than 1,000,000 bytes",
    ]
    counts = count_files([path])
    assert counts.hands == 2 and sum(counts.left_out.values()) == 2
    assert counts.other_games == {"pot-limit Omaha (PO)": 1, "seven-card stud (F7S)": 1}


SITES = ["party.txt", "full-tilt.txt", "ipoker.xml", "ongame.txt", "absolute.txt"]


@pytest.mark.parametrize("name", SITES)
def test_one_hand_as_five_sites_write_it(name):
    pytest.importorskip("pokerkit")
    (found,) = read_hands(DATA / name)
    assert isinstance(found, FoundHand), found
    hand = found.hand
    assert hand.players == ("bob", "cy", "ann") and hand.blinds == (1.0, 2.0)
    assert hand.payoffs == (-1.0, 12.0, -11.0) and hand.board == "QhJh2c"
    assert [(move.seat, move.kind) for move in hand.moves] == [
        *[(2, 2), (0, 0), (1, 1)],
        *[(1, 1), (2, 2), (1, 2), (2, 0)],
    ]
    assert hand.record.number


def test_pokerstars_and_gg(tmp_path):
    pytest.importorskip("pokerkit")
    text = (DATA / "stars.txt").read_text()
    other = tmp_path / "gg.txt"
    other.write_text("\ufeff" + text.replace("PokerStars Hand #", "Poker Hand #HD"))
    for path in (DATA / "stars.txt", other):
        first, second, third, fourth = read_hands(path)
        assert first.hand.payoffs == (-0.5, 6.0, -5.5)
        assert first.hand.holes == ("", "", "AsKd")
        assert second.hand.payoffs == (97.5, -97.5)
        assert isinstance(third, UnreadHand)
        assert third.reason.startswith("hand 1003: 'ann: posts small & big blinds $1.50': ")
        assert fourth.hand.payoffs == (-25.0, 30.0, -5.0)  # with antes
        assert fourth.hand.record.number == "1004"


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "cp1252", "utf-8-sig"])
def test_texts_of_sites_in_other_encodings(tmp_path, encoding):
    pytest.importorskip("pokerkit")
    text = (DATA / "stars.txt").read_text(encoding="utf-8").replace("cy dee", "Zoë €")
    mark = "\ufeff" if encoding.startswith("utf-16") else ""
    path = tmp_path / "night.txt"
    path.write_bytes((mark + text.replace("\n", "\r\n")).encode(encoding))
    assert is_history(path) and history_files([tmp_path]) == [path]
    plain = tmp_path / "plain.txt"
    plain.write_text(text, encoding="utf-8")
    first, *rest = read_hands(path)
    assert first.hand.players[1] == "Zoë €"
    for each, other in zip([first, *rest], read_hands(plain), strict=True):
        assert type(each) is type(other)
        assert isinstance(each, UnreadHand) or same(each.hand, other.hand)


def test_marks_and_huge_numbers_in_phh(tmp_path):
    good = texts_of(DATA / "pluribus.phhs")[0]
    path = tmp_path / "night.phhs"
    huge = "0x" + "f" * 5000  # Python reads it, and writes no number that long
    others = [good + f"{key} = {huge}\n" for key in ("hand", "year", "month")]
    others[0] = re.sub(r"(?m)^hand = .*\n", "", others[0])
    others.append(good.replace("[0, 0, 0, 0, 0, 0]", f"{{ a = {huge} }}", 1))
    others[1:3] = [text + "month = 1\nday = 1\n" for text in others[1:3]]
    parts = [f"[{number}]\n{text}\n" for number, text in enumerate([good, *others, good], 1)]
    path.write_text("\ufeff" + "".join(parts), encoding="utf-8")
    first, *between, last = read_hands(path)
    assert isinstance(first, FoundHand) and isinstance(last, FoundHand)
    assert len(between) == 4
    for each in between:
        assert isinstance(each, FoundHand) or len(each.reason) < 200


def test_sites_without_a_parser_are_named(tmp_path):
    path = tmp_path / "winamax.txt"
    path.write_text('Winamax Poker - CashGame - HandId: #1-2-3 - Holdem no limit\nSeat 1: "x"\n')
    (found,) = read_hands(path)
    assert "hands of Winamax are not read: PokerKit has no parser for them" in found.reason


def test_without_pokerkit_the_extra_is_named(monkeypatch):
    import sys

    from pokerlab.arena.logs import site_text

    site_text._parser.cache_clear()
    monkeypatch.setitem(sys.modules, "pokerkit", None)
    with pytest.raises(ValueError, match=r"pip install 'pokerlab\[hands\]'"):
        list(read_hands(DATA / "party.txt"))


def test_folders_are_counted_in_parts_and_again_from_where_they_stopped(tmp_path):
    keep = tmp_path / "counts.jsonl"
    folder = tmp_path / "all"
    folder.mkdir()
    for number, file in enumerate(PHH):
        (folder / f"{number}.phhs").write_bytes(file.read_bytes())
    (folder / "notes.txt").write_text("no hands")
    files = history_files([folder])
    assert [file.name for file in files] == ["0.phhs", "1.phhs"]
    whole = HandCounts()
    whole.add_all(read_hand(text) for text in texts_of(*PHH))
    told = []
    for _ in range(2):
        counts = count_files(files, keep=keep, report=told.append)
        assert counts.hands == 18 and counts.statistics().keys() == whole.statistics().keys()
        order = [counts.rows[name] for name in whole.rows]
        assert (counts.table[order] == whole.table).all()
        np.testing.assert_allclose(counts.won[order], whole.won)
        assert counts.classes.total() == whole.classes.total()
    assert [each.done for each in told] == [1, 2]  # nothing was left for the second time
    (folder / "2.phhs").write_bytes(PHH[1].read_bytes())
    again = count_files(history_files([folder]), keep=keep, report=told.append)
    assert again.hands == 24 and told[-1].known == 2
    keep.write_text('{"key": "x", "packed": "?"}\n')
    with pytest.raises(ValueError, match=r"counts\.jsonl.*damaged.*not the counts"):
        count_files(files, keep=keep)


def test_all_players_together(tmp_path):
    counts = count_files(PHH, together=True, lines=True)
    one = count_files(PHH, lines=True)
    assert list(counts.rows) == ["pool"]
    assert (counts.table[0] == one.table.sum(axis=0)).all()
    assert counts.statistics()["pool"].hands == sum(map(len, map(_seats, texts_of(*PHH))))
    path = tmp_path / "pool.toml"
    model = counts.model("pool")
    model.save(path)
    assert load_line_model(path).counts == model.counts
    total = sum(sum(count.values()) for count in model.counts.values())
    assert total == sum(one.by_line.values())
    assert HandCounts.from_json(counts.to_json()).by_line == counts.by_line


def test_only_the_players_with_the_most_hands(tmp_path):
    counts = count_files(PHH, lines=True)
    whole, few = counts.statistics(), counts.statistics(3)
    assert list(few) == list(whole)[:3]
    for name, each in few.items():
        assert each.to_json() == whole[name].to_json()
        assert {key: table.sum() for key, table in each.classes.items()} == {
            key: table.sum() for key, table in whole[name].classes.items()
        }


def test_counts_of_any_parts_in_any_order_are_the_same():
    """Also of parts with players that others have not, and more of them than there was room for."""
    files = [PHH[0], PHH[1], PHH[0]]
    parts = [count_files([file], lines=True) for file in files]
    for order in ((0, 1, 2), (1, 0, 2)):
        whole = HandCounts(lines=True)
        for place in order:
            whole.merge(parts[place])
        again = HandCounts.from_json(whole.to_json())
        for counts in (whole, again):
            found = counts.statistics()
            for name, each in found.items():
                assert each.hands == sum(
                    part.statistics()[name].hands for part in parts if name in part.rows
                )
        assert whole.won[len(whole.rows) :].sum() == 0


def _seats(text):
    return tomllib.loads(text)["starting_stacks"]


def test_filters():
    stars = [read_hand(text) for text in texts_of(*PHH)]
    for hand in stars:
        assert HandFilter.parse(f"{hand.blinds[0]:g}/{hand.blinds[1]:g}").takes(hand)
        assert HandFilter.parse(f"{hand.blinds[1]:g}").takes(hand)
        assert not HandFilter.parse("77/78").takes(hand)
        assert HandFilter.parse(seats=str(len(hand.spent))).takes(hand)
    assert sum(HandFilter.parse(pot="3-bet").takes(hand) for hand in stars) == sum(
        hand.raises == 2 for hand in stars
    )
    for bad in ({"stakes": "x"}, {"stakes": "1/0"}, {"seats": "11"}, {"pot": "6-bet"}):
        with pytest.raises(ValueError):
            HandFilter.parse(**bad)


def test_the_spot_of_a_hand():
    acts = (
        "'p3 f', 'p4 cbr 250', 'p5 f', 'p6 f', 'p1 f', 'p2 cc',"
        " 'd db 2c7dKh', 'p2 cc', 'p4 cbr 300', 'p2 f'"
    )
    text = (
        "variant = 'NT'\nantes = [0, 0, 0, 0, 0, 0]\nblinds_or_straddles = [50, 100, 0, 0, 0, 0]\n"
        f"min_bet = 100\nstarting_stacks = [{', '.join(['10000'] * 6)}]\nactions = [{acts}]\n"
    )
    hand = read_hand(text)
    assert hand.positions == ("SB", "BB", "UTG", "HJ", "CO", "BTN") or len(hand.positions) == 6
    found = spot_of_history(hand)
    assert found.spot.pot == 550 and found.spot.aggressor == "ip" and found.seats == (1, 3)
    assert found.note == "ranges: six-max, for 100 big blinds"
    limped = "'p3 cc', 'p4 f', 'p5 f', 'p6 f', 'p1 f', 'p2 cc', 'd db 2c7dKh', 'p2 cbr 99', 'p3 f'"
    odd = spot_of_history(read_hand(text.replace(acts, limped)))
    assert odd.note.startswith("ranges: any two cards, as six-max has none here")
    assert [each.count for each in odd.spot.ranges] == [1176, 1176]
    file = "six-max"
    named = spot_of_history(hand, ranges=file)
    assert named.spot.ranges[0].count < 700 and named.spot.ranges[1].count < 700
    said = spot_of_history(hand, oop="AA", ranges=file)
    assert (said.spot.ranges[0].count, said.spot.ranges[1]) == (6, named.spot.ranges[1])
    with pytest.raises(ValueError, match="no two players saw a flop"):
        spot_of_history(read_hand(text.replace(acts, "'p3 f', 'p4 f', 'p5 f', 'p6 f', 'p1 f'")))


def check_long_lines(tmp_path, size):
    path, text = tmp_path / "long.phhs", tmp_path / "long.txt"
    with path.open("wb") as file:
        file.write(b"[1]\nactions = ['")
        file.truncate(size)  # all of it nothing, in no room on the disk
    with path.open("ab") as file:
        file.write(b"\n[2]\nvariant = 'PO'\n")
    with text.open("wb") as file:
        file.write(b"PokerStars Hand #1: Hold'em\n")
        file.truncate(size)
    tracemalloc.start()
    try:
        first, second = read_hands(path)
        assert first.reason == "more than 1,000,000 bytes"
        assert second.variant == "PO"
        (found,) = read_hands(text)
        assert found.reason.endswith("a line of more than 600 characters")
        assert tracemalloc.get_traced_memory()[1] < 30_000_000
    finally:
        tracemalloc.stop()


def test_long_lines_take_no_memory(tmp_path):
    check_long_lines(tmp_path, 1 << 25)


@pytest.mark.slow
def test_a_line_of_a_gigabyte_takes_no_memory(tmp_path):
    check_long_lines(tmp_path, 1 << 30)
