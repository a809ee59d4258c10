"""Hands of a decision by range, by conditions and in order."""

from __future__ import annotations

import operator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pokerlab.postflop.answer.choice import choose_hands
from pokerlab.postflop.answer.export import HandRow

ACTIONS = ["x", "b50", "a"]
ROWS = [
    HandRow("AsAh", 1.0, (0.0, 0.25, 0.75), 90.0, 0.9, 1.0),
    HandRow("KsKh", 0.5, (0.5, 0.5, 0.0), 60.0, 0.6, 1.0),
    HandRow("QsJs", 0.25, (1.0, 0.0, 0.0), -3.5, 0.1, 1.0),
    HandRow("2d2c", 0.1, (1.0, 0.0, 0.0), None, None, None),
]


def names(**options: str) -> list[str]:
    return [row.name for row in choose_hands(ROWS, ACTIONS, **options)]


def test_hands_of_a_range() -> None:
    assert names(hands="KK+, 22") == ["AsAh", "KsKh", "2d2c"]
    assert names(hands="AsAh") == ["AsAh"]
    assert names(hands="72o") == []


def test_made_hands_and_draws_on_a_board() -> None:
    assert names(hands="set, two-overcards", board="Th9s2h") == ["QsJs", "2d2c"]
    assert names(hands="overpair & !KK", board="Th9s2h") == ["AsAh"]


def test_conditions() -> None:
    assert names(where="b50 > 0.2") == ["AsAh", "KsKh"]
    assert names(where="b50>20% AND a=0") == ["KsKh"]
    assert names(where="ev<=-3.5") == ["QsJs"]
    assert names(where="weight != 1 and x == 1") == ["QsJs", "2d2c"]
    # A number that is not known is neither small nor large.
    assert names(where="equity < 2") == ["AsAh", "KsKh", "QsJs"]


def test_orders() -> None:
    assert names(sort="ev") == ["AsAh", "KsKh", "QsJs", "2d2c"]
    assert names(sort="ev asc") == ["QsJs", "KsKh", "AsAh", "2d2c"]
    assert names(sort="b50 desc") == ["KsKh", "AsAh", "QsJs", "2d2c"]
    assert names(sort="weight asc")[0] == "2d2c"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"where": ""}, r"where: '' is not a condition; write a name, one of < > = "),
        ({"where": "b50"}, "where: 'b50' is not a condition"),
        ({"where": "b50 > 0.5 or x > 1"}, "where: 'b50 > 0.5 or x > 1' is not a condition"),
        ({"where": "b50 > 0.5 and"}, "where: '' is not a condition"),
        (
            {"where": "b50 > much"},
            "where: 'much' in 'b50 > much' is not a number, for example 0.5 or 50%",
        ),
        ({"where": "b60 > 0"}, "where: 'b60' in 'b60 > 0' is not known here; known are x, b50, a,"),
        ({"where": "0.5 < b50 < 1"}, "where: '0.5 < b50 < 1' is not a condition"),
        ({"where": "__import__('os') > 1"}, "is not known here"),
        ({"sort": ""}, "sort: '' is not a column"),
        ({"sort": "ev down"}, "sort: 'ev down' is not a column"),
        ({"sort": "b60"}, "sort: 'b60' is not known here"),
        ({"hands": "A"}, "A"),
    ],
)
def test_errors_name_the_bad_part(options: dict[str, str], message: str) -> None:
    with pytest.raises(ValueError) as refusal:
        choose_hands(ROWS, ACTIONS, **options)
    assert message in str(refusal.value)
    assert "\n" not in str(refusal.value)


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["x", "b50", "a", "weight"]),
            st.sampled_from(["<", "<=", ">", ">=", "=", "==", "!="]),
            st.floats(0, 1),
        ),
        min_size=1,
        max_size=4,
    )
)
def test_conditions_are_what_python_says(conditions: list[tuple[str, str, float]]) -> None:
    signs = {"<": "lt", "<=": "le", ">": "gt", ">=": "ge", "=": "eq", "==": "eq", "!=": "ne"}

    def holds(row: HandRow) -> bool:
        values = dict(zip(ACTIONS, row.strategy, strict=True)) | {"weight": row.weight}
        return all(
            getattr(operator, signs[sign])(values[name], number)
            for name, sign, number in conditions
        )

    text = " and ".join(f"{name} {sign} {number!r}" for name, sign, number in conditions)
    assert choose_hands(ROWS, ACTIONS, where=text) == [row for row in ROWS if holds(row)]


@given(st.text(max_size=40))
def test_any_text_is_conditions_or_a_value_error(text: str) -> None:
    for options in ({"where": text}, {"sort": text}):
        try:
            assert len(choose_hands(ROWS, ACTIONS, **options)) <= len(ROWS)
        except ValueError as error:
            assert len(str(error)) < 300
