from itertools import product

import pytest

from pokerlab.players.bots.mapping.rounds import betting_rounds, map_round, round_table


def is_subsequence(short, long):
    rest = iter(long)
    return all(action in rest for action in short)


def test_the_table_has_the_370_entries_and_the_example_of_the_thesis():
    assert len(round_table()) == 370
    assert map_round("rfc", 3) == "rc"
    assert [map_round(text, 2) for text in ("crrc", "rrc", "")] == ["crrc", "rrc", ""]


def test_rounds_of_two_are_those_of_the_two_player_game():
    over = [text for text, closed in betting_rounds(2).items() if closed]
    assert (len(betting_rounds(2)), len(over)) == (19, 9)
    assert not any("f" in text for text in betting_rounds(2))


def test_open_stays_open_and_nothing_is_ever_added():
    two, three = betting_rounds(2), betting_rounds(3)
    for text, mapped in round_table().items():
        assert two[mapped] == three[text]
        assert is_subsequence(mapped, text)


def test_no_shorter_deletion_would_do():
    two, three = betting_rounds(2), betting_rounds(3)
    for text, mapped in round_table().items():
        possible = [left for left in two if is_subsequence(left, text) and two[left] == three[text]]
        assert len(mapped) == max(map(len, possible))


def test_a_free_fold_and_a_fold_to_a_raise_leave_the_others_actions():
    assert [map_round(text, 3) for text in ("f", "cf", "ccf", "rrfc")] == ["", "c", "cc", "rrc"]


def test_any_other_text_is_refused_with_its_name():
    """All 3,280 texts of up to seven actions, and a longer one."""
    texts = ["".join(word) for length in range(8) for word in product("fcr", repeat=length)]
    for text in [*texts, "crf" * 5]:
        if text in round_table():
            assert map_round(text, 3) in betting_rounds(2)
        else:
            with pytest.raises(ValueError, match=f"no mapping of the betting round '{text}' of 3"):
                map_round(text, 3)


def test_only_two_or_three_players():
    with pytest.raises(ValueError, match=r"no mapping of betting rounds of 4 players \(2 or 3\)"):
        map_round("", 4)
