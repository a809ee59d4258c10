"""A hand's panel: every number is counted again in plain Python, deal by deal."""

from itertools import combinations

import pytest

from pokerlab.cards.board_hands.made_hands import MADE_HANDS, made_hands
from pokerlab.cards.codes import combo_index, parse_cards
from pokerlab.holdem.spots import load_postflop

RANKS = "23456789TJQKA"
BOARD = ["Qh", "Jh", "2c", "4d", "7h"]


def split(hand):
    return [hand[:2], hand[2:]]


def five(cards):
    """How good five cards are, as something to compare: counted, not looked up."""
    ranks = sorted((RANKS.index(card[0]) for card in cards), reverse=True)
    groups = sorted({(ranks.count(rank), rank) for rank in ranks}, reverse=True)
    counts = [count for count, _ in groups]
    flush = len({card[1] for card in cards}) == 1
    runs = ranks if ranks != [12, 3, 2, 1, 0] else [3, 2, 1, 0, -1]
    straight = len(groups) == 5 and runs[0] - runs[4] == 4
    kind = (
        8 if straight and flush else 7 if counts[0] == 4 else 6 if counts == [3, 2]
        else 5 if flush else 4 if straight else 3 if counts[0] == 3
        else 2 if counts[:2] == [2, 2] else 1 if counts[0] == 2 else 0
    )  # fmt: skip
    return kind, runs if straight else [rank for _, rank in groups]


def best(hand, board):
    return max(five(cards) for cards in combinations([*split(hand), *board], 5))


@pytest.fixture(scope="module")
def solution(river_file):
    return load_postflop(river_file)


@pytest.fixture(scope="module")
def address(ids):
    return f"/api/solutions/{ids['river.safetensors']}/hand"


def weights_at(solution, line):
    """The hands that arrive by player, and the play of the one who acts, by name."""
    decision = solution.decision(line)
    names = [a + b for a, b in combinations([r + s for r in RANKS[::-1] for s in "shdc"], 2)]
    found = [
        {
            name: float(weights[combo])
            for name in names
            if weights[combo := combo_index(*parse_cards(name))] > 0
        }
        for weights in decision.weights
    ]
    play = {
        name: decision.strategy[:, combo_index(*parse_cards(name))].tolist()
        for name in found[decision.player]
    }
    return decision, found, play


def deals(own, others, hands):
    """Every deal of the two hands, with its weight among those of the class."""
    total = sum(own[hand] for hand in hands)
    for hand in hands:
        for other, weight in others.items():
            if not set(split(hand)) & set(split(other)):
                yield hand, other, own[hand] / total * weight


CASES = [
    ("", "oop", "AA", ["AsAd"]),
    ("", "oop", "QQ", ["QdQc"]),
    ("x", "ip", "KQo", ["KdQc"]),
    ("x/b51", "oop", "AKs", ["AcKc"]),
    ("x", "oop", "KcQs", ["KcQs"]),
]


@pytest.mark.parametrize(("line", "player", "hand", "held"), CASES)
def test_every_number_is_that_of_all_deals(client, address, solution, line, player, hand, held):
    answer = client.get(address, params={"line": line, "player": player, "hand": hand})
    assert answer.status_code == 200, answer.text
    found = answer.json()
    seat = ["oop", "ip"].index(player)
    decision, weights, _ = weights_at(solution, line)
    own, others = weights[seat], weights[1 - seat]
    assert [row["name"] for row in found["combos"]] == held
    dealt = list(deals(own, others, held))
    met = sum(weight for *_, weight in dealt)
    parts = {"beats": 0.0, "ties": 0.0, "loses": 0.0}
    by_made = {}
    for mine, other, weight in dealt:
        one, two = best(mine, BOARD), best(other, BOARD)
        key = "beats" if one > two else "ties" if one == two else "loses"
        parts[key] += weight / met
        made = MADE_HANDS[made_hands(decision.board)[combo_index(*parse_cards(other))]]
        by_made.setdefault(made, dict.fromkeys(parts, 0.0))[key] += weight / met
    assert found["showdown"] == pytest.approx(parts)
    # On a river the equity is what is beaten, and half of what is tied.
    assert found["total"]["equity"] == pytest.approx(parts["beats"] + parts["ties"] / 2)
    assert found["combos_met"] == pytest.approx(met)
    assert found["combos_opposing"] == pytest.approx(sum(others.values()))
    assert {row.pop("name"): row for row in found["made"]} == {
        name: pytest.approx(row) for name, row in by_made.items()
    }
    taken = {}
    for other, weight in others.items():
        left = sum(each for _, name, each in dealt if name == other)
        name = kind(other)
        before, after = taken.get(name, (0.0, 0.0))
        taken[name] = before + weight, after + left
    blocked = {name: each for name, each in taken.items() if each[0] - each[1] > 1e-9}
    assert {row["name"]: (row["combos"], row["left"]) for row in found["blocked"]} == {
        name: pytest.approx(each) for name, each in blocked.items()
    }
    assert sorted(found["unblocked"]) == sorted(
        name for name in taken if name not in blocked and taken[name][0] > 1e-3
    )


def kind(hand):
    high, low = sorted((hand[0], hand[2]), key=RANKS.index, reverse=True)
    return high + low + ("" if high == low else "s" if hand[1] == hand[3] else "o")


@pytest.mark.parametrize(("line", "player", "hand", "held"), CASES)
def test_answers_are_those_of_the_hands_that_are_left(
    client, address, solution, line, player, hand, held
):
    found = client.get(address, params={"line": line, "player": player, "hand": hand}).json()
    seat = ["oop", "ip"].index(player)
    here, weights, _ = weights_at(solution, line)
    own = weights[seat]
    lines = [""] if here.player != seat else [f"/{action}" for action in here.actions]
    expected = {}
    for tail in lines:
        after = f"{line}{tail}".strip("/")
        try:
            decision, arriving, play = weights_at(solution, after)
        except ValueError:
            continue  # an end
        others = arriving[1 - seat]
        shares = []
        for number in range(len(decision.actions)):
            whole = sum(weight * play[other][number] for other, weight in others.items())
            left = [weight * play[other][number] for _, other, weight in deals(own, others, held)]
            shares.append((sum(left), whole))
        total = sum(left for left, _ in shares)
        expected[after] = [
            (action, pytest.approx(left / total), pytest.approx(1 - left / whole if whole else 0))
            for action, (left, whole) in zip(decision.actions, shares, strict=True)
        ]
        response = next(each for each in found["responses"] if each["line"] == after)
        assert [each["frequency"] for each in response["actions"]] == pytest.approx(
            decision.frequencies.tolist()
        )
    assert {
        each["line"]: [(row["action"], row["against"], row["blocked"]) for row in each["actions"]]
        for each in found["responses"]
    } == expected
    assert found["responses"]


def test_its_values_are_those_of_the_list(client, address, solution):
    from pokerlab.holdem.spots.reports.export import hand_rows

    rows = {row.name: row.to_json() for row in hand_rows(solution.at("x"))}
    found = client.get(address, params={"line": "x", "hand": "AhJc"}).json()
    assert found["combos"] == [{"name": "AhJc", **rows["AhJc"]}]
    assert found["total"] == rows["AhJc"]
    absent = client.get(address, params={"line": "x", "hand": "32o"}).json()
    assert absent["combos"] == [] and absent["total"] is None and absent["responses"] == []


@pytest.mark.parametrize(
    ("asked", "field"),
    [
        ({"hand": ""}, "hand"),
        ({"hand": "AKx"}, "hand"),
        ({"hand": "AsAs"}, "hand"),
        ({"hand": "QhJs"}, "hand"),
        ({"hand": "A" * 4000}, "hand"),
        ({"hand": "AA", "line": "x/x"}, "line"),
        ({"hand": "AA", "line": "b7"}, "line"),
        ({"hand": "AA", "player": "me"}, "player"),
    ],
)
def test_bad_hands_are_one_line(client, address, asked, field):
    answer = client.get(address, params=asked)
    assert (answer.status_code, answer.json()["field"]) == (400, field)
    assert "\n" not in answer.json()["error"]
