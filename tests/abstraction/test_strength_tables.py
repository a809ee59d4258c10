import json

import numpy as np
import pytest

from pokerlab.abstraction import strength_tables as module
from pokerlab.abstraction.strength_kernels import (
    CLOSED,
    STRENGTHS,
    add_up_boards,
    board_strengths,
    river_rows,
    write_river,
)
from pokerlab.abstraction.strength_tables import (
    BOARD_CARDS,
    RUN_OUTS,
    all_combos,
    build_strength_tables,
    hand_indexers,
    strength_tables,
    tables_path,
)
from pokerlab.cards import (
    COMBO_CARDS,
    combo_index,
    hand_strength,
    parse_cards,
    river_distribution,
)
from pokerlab.cards.showdown_kernels import make_workspace


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
    done = json.loads((tmp_path / "tables.partial" / "done.json").read_text())
    assert {"river 0", "river 1", "river 2", "river 3"} <= set(done)
    assert "river 4" not in done
    told = []
    build_strength_tables(path, lambda *report: told.append(report), threads=1)
    assert [ran.count(part) for part in range(4)] == [1, 1, 1, 1]
    assert told[0] == (10 * len(done), 60)
    assert told[-1] == (60, 60)
    assert not (tmp_path / "tables.partial").exists()
    # Every combo has the sum 1 + … + 6, and so has every class.
    tables = module._load(path)
    assert (tables.sums[0] == 21).all()


def test_too_little_room_on_the_disk_is_said_before_the_build(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "_ROOM", 10**18)
    with pytest.raises(ValueError, match=r"the strength tables need \d+ MB in .*, and \d+ MB are"):
        build_strength_tables(tmp_path / "tables.safetensors")


def test_a_file_of_another_kind_is_refused(tmp_path):
    module.write_tensors(tmp_path / "x.safetensors", {"a": np.zeros(1)}, {"format": "other"})
    with pytest.raises(ValueError, match="is not a pokerlab strength tables 1 but other"):
        module._load(tmp_path / "x.safetensors")


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
