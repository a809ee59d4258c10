"""The 1,755 flops against suit isomorphism, and lists of flops in text and files."""

from itertools import cycle, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pokerlab.cards.codes import format_cards, parse_cards
from pokerlab.cards.flops import N_FLOPS, SUBSET_SIZES, all_flops, canonical_flop, parse_flops
from pokerlab.cards.isomorphism.suits import SUIT_PERMUTATIONS, board_orbits, permute_cards

FLOPS = all_flops()


def names(text):
    return [flop.name for flop in parse_flops(text)]


def test_all_flops_are_the_orbits_of_three_cards():
    boards, multiplicities = board_orbits(size=3)
    orbits = {
        canonical_flop(board): count
        for board, count in zip(boards.tolist(), multiplicities.tolist(), strict=True)
    }
    assert len(FLOPS) == len(orbits) == N_FLOPS
    assert {flop.cards: flop.weight for flop in FLOPS} == orbits
    assert all(flop.multiplicity == flop.weight for flop in FLOPS)


def test_each_flop_is_found_by_any_of_its_deals():
    orders, renamings = cycle(permutations(range(3))), cycle(SUIT_PERMUTATIONS[1:].tolist())
    texts = []
    for flop in FLOPS:
        deals = {tuple(permute_cards(flop.cards, suits)) for suits in SUIT_PERMUTATIONS.tolist()}
        assert {canonical_flop(deal) for deal in deals} == {flop.cards}
        deal = permute_cards(flop.cards, next(renamings))
        texts.append(format_cards([deal[place] for place in next(orders)]))
    assert parse_flops(", ".join(texts)) == FLOPS


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("AK7r", ["AsKh7d"]),
        ("7akR", ["AsKh7d"]),
        ("987tt", ["9s8h7h", "9s8h7s", "9s8s7h"]),
        ("872m", ["8s7s2s"]),
        ("QQ2", ["QsQh2d", "QsQh2s"]),
        ("Q2Qtt", ["QsQh2s"]),
        ("1010 2r", None),
        ("10102r", ["TsTh2d"]),
        ("222", ["2s2h2d"]),
        ("222r", ["2s2h2d"]),
        ("A♥ K♥ 7♠", ["AsKs7h"]),
        ("AK7r; KK4r\n 872m", ["AsKh7d", "KsKh4d", "8s7s2s"]),
        ("A-high trips", ["AsAhAd"]),
        (" ,AK7r,, ", ["AsKh7d"]),
    ],
)
def test_lists(text, expected):
    if expected is None:
        with pytest.raises(ValueError, match=r"^bad flop"):
            parse_flops(text)
    else:
        assert names(text) == expected


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no flop is named"),
        ("AK7r, AK7", "AsKh7d stands twice, in 'AK7r' and 'AK7'"),
        ("AsKh7d, AdKc7s", "stands twice"),
        ("QQ2m", "there is no such flop"),
        ("222tt", "there is no such flop"),
        ("paired trips", "there is no such flop"),
        ("AsKh", "a flop has 3 cards, not 2"),
        ("AsKh7d2c", "a flop has 3 cards, not 4"),
        ("AsAs7d", "stands twice"),
        ("AK7x", "accepted: AsKh7d, AK7r"),
        ("AK7r:2, QQ2", "'AK7r:2' has a weight and 'QQ2' has none"),
        ("AK7r:0", "the weight '0' is not a positive number"),
        ("AK7r:-1", "not a positive number"),
        ("AK7r:nan", "not a positive number"),
        ("AK7r:1:2", "not a positive number"),
        ("AK7r:", "not a positive number"),
        ("@missing.txt", "missing.txt: cannot be read"),
        ("x" * 300_000, "more than 200,000 characters"),
    ],
)
def test_bad_lists_are_one_line(text, message):
    with pytest.raises(ValueError, match=message) as error:
        parse_flops(text)
    assert "\n" not in str(error.value)
    assert len(str(error.value)) < 300


def test_a_weight_is_shared_as_the_multiplicities_are():
    flops = parse_flops("AK7:10, 222:0.5")
    assert [flop.weight for flop in flops[:-1]] == pytest.approx([3.75, 1.875, 1.875, 1.875, 0.625])
    assert flops[-1].weight == 0.5
    assert flops[-1].multiplicity == 4


def test_files(tmp_path):
    file = tmp_path / "mine.txt"
    file.write_text("# what I met\nAK7r:2 # twice\n\n987tt:1, QQ2:.5\n")
    expected = parse_flops("AK7r:2, 987tt:1, QQ2:0.5")
    assert parse_flops(str(file)) == parse_flops(f"@{file}") == expected
    file.write_text("AK7r\nnonsense\n")
    with pytest.raises(ValueError, match=r"mine\.txt: bad flop 'nonsense'"):
        parse_flops(str(file))
    file.write_bytes(b"\xff\xfe")
    with pytest.raises(ValueError, match="not a text file"):
        parse_flops(str(file))
    with pytest.raises(ValueError, match="not a file with text"):
        parse_flops(f"@{tmp_path}")


@given(st.lists(st.sampled_from(FLOPS), unique=True, min_size=1, max_size=8))
def test_names_parse_back(flops):
    text = ", ".join(flop.name for flop in flops)
    assert parse_flops(text) == tuple(flops)
    weighted = "\n".join(f"{flop.name}: {flop.weight!r}" for flop in flops)
    assert parse_flops(weighted) == tuple(flops)


@given(st.text(max_size=40) | st.text("AKQ72rtm:., -higpds\n10", max_size=40))
def test_any_text_is_read_or_refused(text):
    try:
        flops = parse_flops(text)
    except ValueError as error:
        assert "\n" not in str(error)
        assert len(str(error)) < 400
    else:
        assert all(flop.cards == canonical_flop(flop.cards) for flop in flops)
        assert all(flop.weight > 0 for flop in flops)
        assert parse_cards(flops[0].name) == flops[0].cards


def test_subsets_weigh_as_much_as_all_flops_and_hold_one_another():
    smaller = set()
    for size in SUBSET_SIZES:
        flops = parse_flops(str(size))
        assert len(flops) == size
        assert sum(flop.weight for flop in flops) == pytest.approx(22100, abs=size / 20)
        assert min(flop.weight for flop in flops) > 0.1 * 22100 / size
        cards = {flop.cards for flop in flops}
        assert smaller < cards
        smaller = cards


@pytest.mark.parametrize(("size", "within"), [(25, 0.06), (49, 0.04), (85, 0.03), (184, 0.02)])
def test_subsets_have_the_textures_of_all_flops(size, within):
    def shares(flops):
        found = {}
        total = sum(flop.weight for flop in flops)
        for flop in flops:
            for word in str(flop.texture).split():
                found[word] = found.get(word, 0) + flop.weight / total
        return found

    everywhere, here = shares(FLOPS), shares(parse_flops(str(size)))
    assert all(abs(here.get(word, 0) - share) < within for word, share in everywhere.items())


def test_an_unknown_subset_is_refused():
    with pytest.raises(ValueError, match="no subset of 26 flops") as error:
        parse_flops("26")
    assert "25, 49, 85, 184, or all" in str(error.value)
