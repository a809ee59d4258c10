"""The grammar of lines."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pokerlab.cards import parse_card
from pokerlab.games.betting_trees import Action, ActionKind, Line

plain_actions = st.sampled_from(
    [Action(kind) for kind in ActionKind if kind not in (ActionKind.BET, ActionKind.RAISE)]
)
sized_kinds = st.sampled_from([ActionKind.BET, ActionKind.RAISE])
in_chips = st.tuples(sized_kinds, st.integers(1, 10**9)).map(lambda pair: Action(*pair))
in_percent = st.tuples(sized_kinds, st.just(0), st.floats(1e-6, 1e6)).map(
    lambda three: Action(*three)
)
tokens = st.lists(plain_actions | in_chips | in_percent, max_size=8)


@given(tokens, st.lists(st.integers(0, 51), max_size=2, unique=True), st.randoms())
def test_lines_round_trip(actions, cards, random):
    mixed = [*actions, *cards]
    random.shuffle(mixed)
    line = Line(tuple(mixed))
    assert Line.parse(str(line)) == line
    assert line.actions == tuple(token for token in mixed if isinstance(token, Action))
    assert line.cards == tuple(token for token in mixed if not isinstance(token, Action))


def test_spelling_does_not_matter():
    assert str(Line.parse(" X / B50 /c/ qC / b33.50% / A ")) == "x/b50/c/Qc/b33.5%/a"
    assert Line.parse("x/10c").cards == (parse_card("Tc"),)
    assert Line.parse("") == Line.parse("  ") == Line()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x//c", "token 2, '': not an action (x, b50, b50%, r150, r50%, c, f, a) or a card"),
        ("x/", "token 2, '': not an action"),
        ("q", "token 1, 'q': not an action (x, b50, b50%, r150, r50%, c, f, a) or a card such as"),
        ("x/c5", "token 2, 'c5': not an action"),
        ("x/QcKd", "token 2, 'QcKd': not an action"),
        ("x/b", "token 2, 'b': it needs a number of chips or a percentage of the pot (b50 or b50"),
        ("x/b-5", "token 2, 'b-5': '-5' is not a number of chips or a percentage of the pot"),
        ("rx", "token 1, 'rx': 'x' is not a number of chips or a percentage of the pot (r50 or"),
        ("b0", "token 1, 'b0': a size is above 0 (b50 or b50%)"),
        ("b0%", "token 1, 'b0%': a size is above 0"),
        ("b99999999999", "token 1, 'b99999999999': a size is at most 1000000000 chips"),
        ("x/x/Qc/x/x/Qc", "token 6, 'Qc': the card has come before in this line"),
    ],
)
def test_bad_lines_name_the_token_and_its_place(text, message):
    with pytest.raises(ValueError) as caught:
        Line.parse(text)
    assert str(caught.value).startswith(f"line '{text}': {message}")
    assert "\n" not in str(caught.value)


def test_only_text_is_parsed():
    with pytest.raises(ValueError, match=r"^5 is not a line such as x/b50/c/Qc/x$"):
        Line.parse(5)  # type: ignore[arg-type]
