import importlib
import json
import os
import subprocess
import sys

import numpy as np
import pytest
from tests.holdem.limit import small_build

from pokerlab.cards import (
    COMBO_CARDS,
    combo_index,
    hand_strength,
    parse_cards,
    river_distribution,
)
from pokerlab.cards.equities.showdown_kernels import make_workspace
from pokerlab.holdem.limit.strength.strength_kernels import (
    CLOSED,
    STRENGTHS,
    add_up_boards,
    board_strengths,
    river_rows,
    write_river,
)
from pokerlab.holdem.limit.strength.tables import (
    BOARD_CARDS,
    RUN_OUTS,
    all_combos,
    build_strength_tables,
    hand_indexers,
    strength_tables,
    tables_path,
)
from pokerlab.runtime.files.tensor_files import write_tensors

# The package gives the function of this name.
module = importlib.import_module("pokerlab.holdem.limit.strength.tables")


def board(text):
    return np.array(parse_cards(text), np.uint8)


def numbers_on(cards, street):
    """The possible combos on a board, and their numbers."""
    possible = ~np.isin(COMBO_CARDS, cards).any(axis=1)
    deals = np.array([[*combo, *cards] for combo in COMBO_CARDS[possible]])
    return possible, hand_indexers()[street].index_batch(deals)


@pytest.mark.parametrize("text", ["2c7dJhQsAd", "4h5h6h7h8h", "AsKsQsJsTs", "2c2d2h2s3c"])
def test_strengths_of_a_board_are_those_against_a_random_hand(text):
    strengths = np.empty(1326, np.uint16)
    board_strengths(board(text), all_combos(), make_workspace(1326), strengths)
    expected = hand_strength(text)
    possible = ~np.isnan(expected)
    assert np.array_equal(strengths == CLOSED, ~possible)
    assert np.allclose(strengths[possible] / (STRENGTHS - 1), expected[possible], atol=1e-12)


def test_river_rows_are_the_boards_with_each_river():
    rows = np.empty((52, 1326), np.uint16)
    work = make_workspace(1326)
    river_rows(board("2c7dJhQs"), all_combos(), work, rows)
    strengths = np.empty(1326, np.uint16)
    board_strengths(board("2c7dJhQsAd"), all_combos(), work, strengths)
    assert np.array_equal(rows[parse_cards("Ad")[0]], strengths)
    assert (rows[list(parse_cards("2c7dJhQs"))] == CLOSED).all()
    assert ((rows != CLOSED).any(axis=1)).sum() == 48


def test_river_strengths_go_to_their_numbers_and_into_the_sums_before_the_flop():
    cards = parse_cards("2c7dJhQsAd")
    river = np.full(hand_indexers()[3].size, CLOSED, np.uint16)
    sums = np.zeros((2, 1326), np.uint64)
    write_river(
        np.array([cards], np.uint8),
        np.array([3]),
        all_combos(),
        hand_indexers()[3].tables,
        river,
        sums,
    )
    possible, numbers = numbers_on(cards, 3)
    expected = np.rint(hand_strength(cards)[possible] * (STRENGTHS - 1))
    assert np.array_equal(river[numbers], expected)
    assert np.array_equal(sums[0, possible], 3 * expected)
    assert np.array_equal(sums[1, possible], 3 * expected**2)
    assert not sums[:, ~possible].any()


@pytest.mark.parametrize("text", ["QhJh2c", "QhJh2cQd"])
def test_sums_over_run_outs_are_the_moments_of_the_river_distribution(text):
    cards = parse_cards(text)
    street = BOARD_CARDS.index(len(cards))
    sums, squares = np.zeros((2, hand_indexers()[street].size), np.uint32)
    tables = hand_indexers()[street].tables
    add_up_boards(np.array([cards], np.uint8), all_combos(), tables, sums, squares)
    possible, numbers = numbers_on(cards, street)
    expected = river_distribution(text)
    top = STRENGTHS - 1
    assert np.allclose(sums[numbers] / (RUN_OUTS[street] * top), expected.mean[possible])
    assert np.allclose(
        squares[numbers] / (RUN_OUTS[street] * top**2), expected.mean_square[possible]
    )


@pytest.mark.slow
def test_a_stopped_build_goes_on_where_it_was(tmp_path, monkeypatch):
    ran = []

    class StopError(Exception):
        pass

    def few_parts(self):
        for part in range(6):

            def work(part=part):
                ran.append(part)
                if part == 4 and ran.count(4) == 1:
                    raise StopError
                self.before_flop[part, 0] = part + 1

            yield f"river {part}", work, 10

    monkeypatch.setattr(module._Works, "_parts", few_parts)
    path = tmp_path / "tables.safetensors"
    with pytest.raises(StopError):
        build_strength_tables(path, threads=1)
    assert not path.exists()
    done = json.loads((tmp_path / "tables.partial" / "done.json").read_text())["safe"]
    assert {"river 0", "river 1", "river 2", "river 3"} <= set(done)
    assert "river 4" not in done
    told = []
    build_strength_tables(path, lambda *report: told.append(report), threads=1)
    assert [ran.count(part) for part in range(4)] == [1, 1, 1, 1]
    assert told[0] == ("boards", 10 * len(done), 60)
    assert told[-1] == ("boards", 60, 60)
    assert not (tmp_path / "tables.partial").exists()
    # Every combo has the sum 1 + … + 6, and so has every class.
    tables = module._load(path)
    assert (tables.sums[0] == 21).all()
    # A file that was changed or cut off afterwards is noticed.
    with path.open("r+b") as file:
        file.seek(-1, os.SEEK_END)
        file.write(b"\xff")
    again = "remove it, and it is built again"
    assert refusal(path).endswith(f"which is not in 0 … 1980; {again}")
    with path.open("r+b") as file:
        file.seek(-1, os.SEEK_END)
        file.write(b"\x01")
    assert refusal(path).endswith(f"is damaged: its content does not fit its hash; {again}")
    os.truncate(path, path.stat().st_size - 1)
    assert refusal(path).endswith(f"is not complete; {again}")


def refusal(path):
    """The one line that a file is refused with."""
    module._load.cache_clear()
    with pytest.raises(ValueError, match="safetensors") as raised:
        module._load(path)
    assert "\n" not in str(raised.value)
    return str(raised.value)


def test_what_had_not_come_to_the_disk_is_lost_when_the_machine_was_started_again(tmp_path):
    notes = tmp_path / "done.json"
    now = module._boot_time()
    text = {"safe": ["flop 1"], "done": ["flop 1", "flop 2"], "boot": now}
    notes.write_text(json.dumps(text))
    assert module._finished_parts(notes) == ({"flop 1", "flop 2"}, {"flop 1"})
    notes.write_text(json.dumps(text | {"boot": now - 100}))
    assert module._finished_parts(notes) == ({"flop 1"}, {"flop 1"})
    for damaged in ("", "[]", "{}", '{"boot": "x"}'):
        notes.write_text(damaged)
        assert module._finished_parts(notes) == (set(), set())


def start_tiny_build(path, pause):
    command = [sys.executable, small_build.__file__, str(path), str(pause)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def parts_of(build):
    """The parts that a build has printed since, when it has ended."""
    return list(map(int, build.communicate(timeout=600)[0].split()))


@pytest.fixture
def tiny_tables(monkeypatch):
    """Makes the tables tiny in this process; the parts that are done here."""
    ran = []
    small_build.use_tiny_tables(monkeypatch.setattr, ran=ran.append)
    return ran


def check_tiny_tables(path):
    tables = module._load(path)
    assert np.array_equal(tables.river, np.arange(5000) % small_build.PARTS)
    assert np.array_equal(tables.squares[1], np.arange(300) % small_build.PARTS)
    assert (tables.sums[0] == sum(range(small_build.PARTS))).all()
    assert [file.name for file in path.parent.iterdir()] == [path.name]


def test_a_killed_build_loses_only_the_part_it_was_at(tmp_path, tiny_tables):
    path = tmp_path / "tables.safetensors"
    killed = start_tiny_build(path, 0.1)
    finished = [int(killed.stdout.readline()) for _ in range(5)]
    killed.kill()
    finished += parts_of(killed)
    assert killed.returncode != 0
    assert not path.exists()
    build_strength_tables(path, threads=1)
    # The last one may have been finished and not yet noted.
    expected = [part for part in range(small_build.PARTS) if part not in finished]
    assert tiny_tables in (expected, [finished[-1], *expected])
    check_tiny_tables(path)


def test_two_builds_at_once_do_the_work_of_one(tmp_path, tiny_tables):
    path = tmp_path / "tables.safetensors"
    builds = [start_tiny_build(path, 0.1) for _ in range(2)]
    parts = [parts_of(build) for build in builds]
    assert [build.returncode for build in builds] == [0, 0]
    assert sorted(parts) == [[], list(range(small_build.PARTS))]
    check_tiny_tables(path)


def test_who_waits_for_a_build_that_is_killed_goes_on_with_it(tmp_path, tiny_tables):
    path = tmp_path / "tables.safetensors"
    first = start_tiny_build(path, 0.3)
    assert [first.stdout.readline() for _ in range(2)] == ["0\n", "1\n"]
    waited = []

    def kill(*report):
        waited.append(report)
        first.kill()

    build_strength_tables(path, kill, threads=1)
    assert parts_of(first) in ([], [2])
    assert waited[0] == ("builds by another pokerlab", 0, 1)
    assert 0 not in tiny_tables
    check_tiny_tables(path)


def test_too_little_room_on_the_disk_is_said_before_the_build(tmp_path, monkeypatch, tiny_tables):
    path = tmp_path / "tables.safetensors"
    monkeypatch.setattr(module, "ROOM", 10**15)
    message = r"the strength tables need 1,000,000,000 MB in .*, and [\d,]+ MB are free"
    with pytest.raises(ValueError, match=message):
        build_strength_tables(path)
    assert list(tmp_path.iterdir()) == []
    assert tiny_tables == []
    # What an earlier build has written already needs no more room.
    monkeypatch.setattr(module, "_size_on_disk", lambda folder: 10**15 - 10**6)
    build_strength_tables(path)
    check_tiny_tables(path)


def test_bytes_on_disk_are_those_that_were_written(tmp_path):
    assert module._size_on_disk(tmp_path / "nothing") == 0
    with (tmp_path / "sparse").open("wb") as file:
        file.truncate(10**9)
        file.write(bytes(100_000))
        file.flush()
        os.fsync(file.fileno())
    assert 100_000 <= module._size_on_disk(tmp_path) < 1_000_000


def test_files_of_another_kind_or_version_are_refused(tmp_path):
    path = tmp_path / "x.safetensors"
    write_tensors(path, {"a": np.zeros(1)}, {"format": "other"})
    assert "is not a pokerlab strength tables 2 but other" in refusal(path)
    write_tensors(path, {"a": np.zeros(1)}, {"format": "pokerlab strength tables 1"})
    assert "has strength tables of version 1, this pokerlab reads version 2" in refusal(path)


def test_the_file_is_named_by_what_decides_its_contents():
    assert tables_path() == tables_path()
    assert tables_path().suffix == ".safetensors"


@pytest.mark.slow  # builds the tables where the cache folder has none
def test_full_tables_agree_with_the_strengths_of_random_hands():
    tables = strength_tables()
    rng = np.random.default_rng(5)
    for _ in range(4):
        for street, size in enumerate(BOARD_CARDS[1:], 1):
            cards = rng.permutation(52)[: 2 + size].tolist()
            expected = river_distribution(cards[2:])
            combo = combo_index(*cards[:2])
            strength, squared = tables.look_up(cards[:2], cards[2:])
            assert street == BOARD_CARDS.index(size)
            assert strength == pytest.approx(expected.mean[combo], abs=1e-12)
            assert squared == pytest.approx(expected.mean_square[combo], abs=1e-12)
    # Known chances of starting hands against a random hand.
    assert tables.look_up("AsAd")[0] == pytest.approx(0.8520, abs=5e-5)
    assert tables.look_up("7c2d")[0] == pytest.approx(0.3458, abs=5e-5)
    assert tables.look_up("AsAd", "4h5h6h")[0] == pytest.approx(0.60105, abs=5e-6)


@pytest.mark.slow
@pytest.mark.parametrize("street", [0, 1, 2])
def test_the_mean_of_all_strengths_is_exactly_one_half(street):
    tables = strength_tables()
    indexer = hand_indexers()[street]
    total = deals = 0
    for first in range(0, indexer.size, 1 << 22):
        numbers = np.arange(first, min(first + (1 << 22), indexer.size))
        _, sizes = indexer.unindex_batch(numbers)
        total += int((sizes * tables.sums[street][numbers].astype(np.int64)).sum())
        deals += int(sizes.sum())
    assert 2 * total == deals * (STRENGTHS - 1) * RUN_OUTS[street]
