import os
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pokerlab.cards import COMBO_CARDS, combo_index, hand_strength, parse_cards
from pokerlab.games import load_betting_game
from pokerlab.holdem.limit.buckets import buckets as buckets_module
from pokerlab.holdem.limit.buckets import caching
from pokerlab.holdem.limit.buckets.bucket_kernels import (
    count_flops,
    count_rivers,
    count_turns,
    hands_on_board,
    map_strengths,
)
from pokerlab.holdem.limit.buckets.buckets import (
    BUCKETS_FORMAT,
    Buckets,
    load_buckets,
    random_deals,
)
from pokerlab.holdem.limit.buckets.caching import cached_buckets, open_buckets
from pokerlab.holdem.limit.buckets.making import count_deals, make_buckets, nested_parts
from pokerlab.holdem.limit.buckets.plan import BucketPlan, parse_buckets
from pokerlab.holdem.limit.buckets.street_buckets import check_buckets
from pokerlab.holdem.limit.buckets.survey import compare_buckets, survey_buckets
from pokerlab.holdem.limit.sampling.bucketed_game import BucketedGame
from pokerlab.holdem.limit.strength.tables import all_combos, hand_indexers, strength_tables
from pokerlab.runtime.errors import DamagedFileError
from pokerlab.runtime.files import builds as building
from pokerlab.runtime.files.tensor_files import write_hashed, write_tensors


@given(
    st.builds(
        lambda kind, parts, classes: BucketPlan(
            kind, (169, *parts[1:]) if classes else parts, classes
        ),
        st.sampled_from(["ehs2", "ehs2-flat", "kmeans"]),
        st.tuples(*[st.integers(1, 12)] * 4),
        st.booleans(),
    )
)
def test_a_plan_reads_back_from_its_text(plan):
    assert parse_buckets(str(plan)) == plan


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", r"buckets '' are not known; write them as ehs2:10,10,10,10"),
        ("ehs3:1,1,1,1", r"buckets 'ehs3:1,1,1,1' are not known"),
        ("ehs2:10,10", r"2 numbers, but ehs2 has 4 streets"),
        ("169/ehs2:10,10,10,10", r"4 numbers, but 169/ehs2 has 3 streets"),
        ("ehs2:10,,10,10", r"4 numbers, but ehs2 has 4 streets"),
        ("ehs2:10,0,10,10", r"a street has at least 1 bucket"),
        ("ehs2:170,1,1,1", r"only 169 different hands before the flop"),
        ("kmeans:5,5,5,2000", r"2,000 are more than the 1,981 different strengths"),
        ("ehs2:100,100,100,100", r"100,000,000 on the river are too many"),
    ],
)
def test_bad_texts_say_what_is_wrong(text, message):
    with pytest.raises(ValueError, match=message):
        parse_buckets(text)


@given(
    st.lists(st.lists(st.integers(0, 100), min_size=12, max_size=12), min_size=1, max_size=4),
    st.integers(1, 6),
)
def test_parts_rise_with_the_value_and_hold_no_more_than_their_share_and_one_value(rows, parts):
    counts = np.array(rows)
    found = nested_parts(counts, parts)
    for row, part_of in zip(counts, found, strict=True):
        assert (np.diff(part_of.astype(int)) >= 0).all()
        assert part_of.max() < parts
        sizes = np.bincount(part_of, row, parts)
        assert (sizes <= row.sum() / parts + row.max() + 1e-9).all() or not row.any()


def test_a_bucket_follows_from_the_one_before(toy_buckets):
    hole, board = parse_cards("AsKd"), parse_cards("QhJh2c7s7d")
    before = 0
    for street, size in enumerate((0, 3, 4, 5)):
        groups = toy_buckets.groups[street]
        value = groups.values[hand_indexers()[street].index([*hole, *board[:size]])]
        expected = value if groups.next_bucket is None else groups.next_bucket[before, value]
        before = toy_buckets.bucket(street, hole, board[:size], before)
        assert before == expected
        assert toy_buckets.sequence(hole, board[:size])[-1] == before
    deals = np.array([[*hole, *board]], np.uint8)
    assert tuple(toy_buckets.of_deals(deals)[0]) == toy_buckets.sequence(hole, board)


def test_hands_that_do_not_fit_are_refused(toy_buckets):
    with pytest.raises(ValueError, match=r"a hand has 2 cards, 'As' has 1"):
        toy_buckets.bucket(0, "As")
    with pytest.raises(ValueError, match=r"street 1 and a board of 4 cards do not belong"):
        toy_buckets.bucket(1, "AsKd", "QhJh2c7s")
    with pytest.raises(ValueError, match=r"3 is not a bucket of the pre-flop: it has 3"):
        toy_buckets.bucket(1, "AsKd", "QhJh2c", 3)


def test_groups_fit_the_game(toy_buckets):
    check_buckets(load_betting_game("holdem.limit.2p"), toy_buckets.groups)
    assert toy_buckets.recall
    assert toy_buckets.counts == (3, 6, 12, 24)


def test_hands_on_a_board_have_the_buckets_of_their_deals(toy_buckets):
    found = np.empty(1326, np.int32)
    room = np.empty(7, np.uint8)
    for text in ("", "QhJh2c", "QhJh2c7s", "QhJh2c7s7d"):
        board = np.array(parse_cards(text), np.uint8)
        hands_on_board(board, toy_buckets.look_up, all_combos().hands.cards, room, found)
        for combo in range(0, 1326, 97):
            cards = COMBO_CARDS[combo].tolist()
            possible = not set(cards) & set(board.tolist())
            assert found[combo] == (toy_buckets.sequence(cards, board)[-1] if possible else -1)


@pytest.mark.slow
def test_counts_of_flop_and_turn_are_those_of_all_hands(toy_buckets):
    cards = all_combos().hands.cards
    flop = parse_cards("QhJh2c")
    counts = np.zeros((3, 6), np.int64)
    count_flops(np.array([flop], np.uint8), np.array([2]), cards, toy_buckets.look_up, counts)
    expected = np.zeros_like(counts)
    for hand in COMBO_CARDS.tolist():
        if not set(hand) & set(flop):
            value = toy_buckets.groups[1].values[hand_indexers()[1].index([*hand, *flop])]
            expected[toy_buckets.bucket(0, hand), value] += 2
    assert np.array_equal(counts, expected)

    board = parse_cards("QhJh2c7s")
    counts = np.zeros((6, 4), np.int64)
    count_turns(np.array([board], np.uint8), np.array([1]), cards, toy_buckets.look_up, counts)
    expected = np.zeros_like(counts)
    for hand in COMBO_CARDS.tolist():
        if not set(hand) & set(board):
            value = toy_buckets.groups[2].values[hand_indexers()[2].index([*hand, *board])]
            for last in board:
                past = [card for card in board if card != last]
                expected[toy_buckets.sequence(hand, past)[-1], value] += 1
    assert np.array_equal(counts, expected)


@pytest.mark.slow
@pytest.mark.parametrize("recall", [True, False])
def test_counts_of_rivers_are_those_of_all_hands_and_cards(toy_buckets, recall):
    turn = toy_buckets.groups[2]
    flat = replace(turn, groups=4, next_bucket=None)
    groups = (*toy_buckets.groups[:2], turn if recall else flat, toy_buckets.groups[3])
    buckets = replace(toy_buckets, groups=groups)
    board = parse_cards("QhJh2c7s")
    value_of = (np.arange(1981) % 3).astype(np.uint16)
    counts = np.zeros((12, 3), np.int64)
    once = np.array([1])
    cards = np.array([board], np.uint8)
    count_rivers(cards, once, all_combos(), buckets.look_up, value_of, counts)
    expected = np.zeros_like(counts)
    before = {
        (*hand, last): buckets.sequence(hand, [*(card for card in board if card != last), last])[-1]
        for hand in COMBO_CARDS.tolist()
        if not set(hand) & set(board)
        for last in board
    }
    for river in set(range(52)) - set(board):
        strength = np.rint(hand_strength([*board, river]) * 1980)
        for (one, other, _), bucket in before.items():
            if river not in (one, other):
                combo = combo_index(one, other)
                expected[bucket, int(strength[combo]) % 3] += 1
    assert np.array_equal(counts, expected)


def test_strengths_are_mapped_only_where_they_decide():
    river = np.array([0, 1, 1, 2], np.uint16)
    value_of = np.full(4, -1)
    assert map_strengths(river, np.array([5, 6, 6, 7], np.uint16), value_of)
    assert value_of.tolist() == [5, 6, 7, -1]
    assert not map_strengths(river, np.array([5, 6, 4, 7], np.uint16), np.full(4, -1))


def test_a_file_reads_back_and_names_its_version(toy_buckets, tmp_path):
    path = tmp_path / "toy.safetensors"
    toy_buckets.save(path)
    again = load_buckets(path, verify=True)
    assert again.name == "toy"
    assert again.counts == toy_buckets.counts
    deals = random_deals(100, np.random.default_rng(1))
    assert np.array_equal(again.of_deals(deals), toy_buckets.of_deals(deals))
    assert again.digest == toy_buckets.digest
    assert open_buckets(path).counts == toy_buckets.counts
    # A number that was changed is noticed, without being asked to verify.
    change_last_byte(path)
    for verify in (False, True):
        with pytest.raises(DamagedFileError, match="is damaged: its content does not fit its hash"):
            load_buckets(path, verify=verify)
    # A file that was cut off is noticed at once.
    os.truncate(path, path.stat().st_size - 1)
    with pytest.raises(DamagedFileError, match=r"is damaged: tensor 'values_\d' is not complete"):
        load_buckets(path)
    os.truncate(path, 100)
    with pytest.raises(DamagedFileError, match="is damaged or no safetensors file"):
        load_buckets(path)


def test_a_large_file_is_hashed_once_until_it_changes(toy_buckets, tmp_path, monkeypatch):
    monkeypatch.setenv("POKERLAB_CACHE", str(tmp_path / "cache"))
    hashed = []
    monkeypatch.setattr(buckets_module, "check_hash", lambda *_: hashed.append(1))
    path = tmp_path / "toy.safetensors"
    toy_buckets.save(path)
    for _ in range(2):
        load_buckets(path)
    assert len(hashed) == 1
    load_buckets(path, verify=True)
    assert len(hashed) == 2
    os.utime(path)
    load_buckets(path)
    assert len(hashed) == 3


@pytest.mark.slow
def test_values_that_lead_astray_are_refused_although_the_hash_fits(toy_buckets, tmp_path):
    """A kernel would read beyond its tables."""
    path = tmp_path / "toy.safetensors"
    flop = toy_buckets.groups[1]
    values = np.array(flop.values)
    values[1000] = 6
    for changed, message in (
        (replace(flop, values=values), "a value of the flop is not one of 6"),
        (flop, "the steps to the flop do not fit the buckets"),
    ):
        groups = (toy_buckets.groups[0], changed, *toy_buckets.groups[2:])
        tensors, metadata = replace(toy_buckets, groups=groups)._contents()
        if changed is flop:
            tensors["steps_1"] = np.full_like(tensors["steps_1"], 2)
        write_hashed(path, tensors, metadata)
        with pytest.raises(DamagedFileError, match=message):
            load_buckets(path)


@pytest.mark.slow
def test_a_file_tells_the_digest_of_its_streets_without_being_read(toy_buckets, tmp_path):
    path = tmp_path / "toy.safetensors"
    toy_buckets.save(path)
    again = load_buckets(path)
    computed = [replace(street).digest for street in again.groups]
    assert [street.digest for street in again.groups] == computed
    assert [street.digest for street in toy_buckets.groups] == computed
    limit = load_betting_game("holdem.limit.2p")
    game = BucketedGame(limit, again.groups, "toy")
    assert game.digest == BucketedGame(limit, toy_buckets.groups, "toy").digest
    # Groups that were changed have their own.
    other = np.array(again.groups[0].values)
    other[:] = other[::-1]
    changed = (replace(again.groups[0], values=other), *again.groups[1:])
    assert BucketedGame(limit, changed, "toy").digest != game.digest
    assert replace(again, groups=changed).digest != again.digest


@pytest.mark.parametrize("digests", ["", "0" * 64, " ".join(["x" * 64] * 4)])
def test_a_file_without_digests_is_damaged(toy_buckets, tmp_path, digests):
    path = tmp_path / "bad.safetensors"
    tensors, metadata = toy_buckets._contents()
    write_hashed(path, tensors, metadata | {"digests": digests})
    with pytest.raises(DamagedFileError, match="it has no digest for each street"):
        load_buckets(path)


def test_two_who_need_the_same_buckets_make_them_once(toy_buckets, tmp_path, monkeypatch):
    monkeypatch.setenv("POKERLAB_CACHE", str(tmp_path))
    made = []

    def make(text, *, report):
        made.append(text)
        report("parts of the buckets", 1, 1000)
        time.sleep(0.3)
        return toy_buckets

    monkeypatch.setattr(caching, "make_buckets", make)
    told = []
    with ThreadPoolExecutor(2) as pool:
        both = [
            pool.submit(cached_buckets, text, report=lambda *report: told.append(report))
            for text in ("ehs2:3,2,2,2", " EHS2:3,2,2,2")
        ]
        found = [each.result() for each in both]
    assert made == ["ehs2:3,2,2,2"]
    assert [each.digest for each in found] == [toy_buckets.digest] * 2
    assert ("parts of the buckets", 1, 1000) in told
    assert [report for report in told if report[2] == 1][-1] == ("builds by another pokerlab", 1, 1)
    (file,) = (tmp_path / "buckets").iterdir()
    # A file that was damaged later is noticed, and what to do is said.
    os.truncate(file, 1000)
    with pytest.raises(ValueError, match=r"is damaged .*; remove it, and it is made again$"):
        cached_buckets("ehs2:3,2,2,2")


def test_buckets_that_come_back_damaged_from_the_disk_are_not_kept(
    toy_buckets, tmp_path, monkeypatch
):
    monkeypatch.setenv("POKERLAB_CACHE", str(tmp_path))
    monkeypatch.setattr(caching, "make_buckets", lambda text, report: BadDisk(toy_buckets))
    with pytest.raises(ValueError, match="is damaged: its content does not fit its hash"):
        cached_buckets("ehs2:3,2,2,2")
    assert list((tmp_path / "buckets").iterdir()) == []


@dataclass
class BadDisk:
    """Buckets whose file is not what was written."""

    buckets: Buckets

    def save(self, path):
        self.buckets.save(path)
        change_last_byte(path)


def change_last_byte(path):
    with path.open("r+b") as file:
        file.seek(-1, os.SEEK_END)
        last = file.read(1)
        file.seek(-1, os.SEEK_END)
        file.write(bytes([last[0] ^ 1]))


def test_too_little_room_for_buckets_is_said_before_they_are_made(tmp_path, monkeypatch):
    monkeypatch.setenv("POKERLAB_CACHE", str(tmp_path))
    monkeypatch.setattr(caching, "make_buckets", lambda *_, **__: pytest.fail("it began"))
    usage = SimpleNamespace(free=900_000_000)
    monkeypatch.setattr(building.shutil, "disk_usage", lambda folder: usage)
    # 277 MB for the buckets, 800 MB for the strength tables, which are missing too.
    message = r"the buckets ehs2:3,2,2,2 need 1,077 MB in .*, and 900 MB are free"
    with pytest.raises(ValueError, match=message):
        cached_buckets("ehs2:3,2,2,2")
    assert list((tmp_path / "buckets").iterdir()) == []


def test_the_size_of_a_file_is_known_before(toy_buckets, tmp_path):
    path = tmp_path / "toy.safetensors"
    toy_buckets.save(path)
    assert path.stat().st_size <= parse_buckets("ehs2:3,2,2,2").file_bytes < 280_000_000


@pytest.mark.slow
def test_counting_tells_how_it_goes_on(toy_buckets):
    told = []
    counts = count_deals(1, toy_buckets.look_up, 3, 6, tick=told.append)
    assert sum(told) == pytest.approx(1)
    assert len(told) > 100
    assert counts.sum() == 1326 * 19600  # all hands with all flops


def test_files_of_another_version_or_kind_are_refused_in_one_line(tmp_path):
    path = tmp_path / "old.safetensors"
    write_tensors(path, {"x": np.zeros(1)}, {"format": "pokerlab buckets 0"})
    with pytest.raises(ValueError, match=r"has buckets of version 0, this pokerlab reads version"):
        load_buckets(path)
    write_tensors(path, {"x": np.zeros(1)}, {"format": "something else"})
    with pytest.raises(ValueError, match=r"is not a pokerlab buckets 2 but something else"):
        load_buckets(path)
    write_tensors(
        path,
        {"x": np.zeros(1)},
        {"format": BUCKETS_FORMAT, "counts": "[1, 1, 1, 1]", "digests": " ".join(["0" * 64] * 4)},
    )
    with pytest.raises(ValueError, match=r"is damaged: there is no 'name'"):
        load_buckets(path)
    write_tensors(
        path, {"x": np.zeros(1)}, {"format": BUCKETS_FORMAT, "name": "x", "counts": "[1, 1, 1, 1]"}
    )
    with pytest.raises(ValueError, match=r"is damaged: there is no tensor 'values_0'"):
        load_buckets(path)
    for counts, message in (
        ("[1, 1]", "counts has 2 numbers, not 4"),
        ("[1, 1, 1, 0]", "counts: 0 is not in 1"),
        ("[1, 1, 1, 1.5]", "counts are not whole numbers"),
        ("[1, 1, 1, 1e300]", "counts: 1e"),
        ("many", "counts is many, not a list"),
    ):
        entries = {"format": BUCKETS_FORMAT, "name": "x", "counts": counts}
        write_tensors(path, {"x": np.zeros(1)}, entries)
        with pytest.raises(DamagedFileError, match=message):
            load_buckets(path)
    with pytest.raises(ValueError, match=r"there is no file"):
        open_buckets(tmp_path / "none.safetensors")


@pytest.mark.slow  # builds the strength tables where the cache folder has none
def test_percentiles_are_balanced_and_rise_with_strength():
    buckets = make_buckets("ehs2:4,3,2,2")
    assert buckets.counts == (4, 12, 24, 48)
    for shares in buckets.shares[1:]:
        assert shares.sum() == pytest.approx(1)
        assert 0.8 < shares.min() * len(shares) <= shares.max() * len(shares) < 1.2
    found = buckets.of_deals(random_deals(100_000, np.random.default_rng(2)))
    for street in range(4):
        seen = np.bincount(found[:, street], minlength=buckets.counts[street]) / len(found)
        error = np.sqrt(buckets.shares[street] / len(found))
        assert (np.abs(seen - buckets.shares[street]) < 5 * error).all()
    assert buckets.sequence("AsAd") == (3,)
    assert buckets.sequence("7c2d", "AsKhQd")[-1] == 0
    (pre_flop, *_) = survey_buckets(buckets, strength_tables(), 50_000, np.random.default_rng(3))
    assert (np.diff(pre_flop.strength) > 0).all()
    same = compare_buckets(buckets, buckets, strength_tables(), 20_000, np.random.default_rng(4))
    assert all(street.shared_bits == pytest.approx(street.bits[0]) for street in same)
    # A look-up of one bucket takes well under a microsecond.
    deals = random_deals(50_000, np.random.default_rng(5))
    assert min(_seconds(buckets, deals) for _ in range(3)) / (4 * len(deals)) < 1e-6


def _seconds(buckets, deals):
    began = time.perf_counter()
    buckets.of_deals(deals)
    return time.perf_counter() - began
