"""Few bet sizes: their losses beside linear programs of the games written out."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.holdem.spots.explicit_game import SpotGame as ExplicitGame

from pokerlab.cards.codes import combo_cards
from pokerlab.games.betting_trees import Menus
from pokerlab.games.betting_trees.menus import menu_text
from pokerlab.holdem.spots import Spot, find_sizes, unlisted_losses
from pokerlab.holdem.spots.coarse.menu_loss import menu_losses
from pokerlab.holdem.spots.sizes import valuing
from pokerlab.holdem.spots.sizes.menu_places import MenuPlace, menu_places, with_menus
from pokerlab.holdem.spots.sizes.valuing import MenuValues
from pokerlab.holdem.spots.solving import solve_spot
from pokerlab.solvers import solve
from pokerlab.trees import GameTree

RIVER = Spot(
    "QhJh2c4d7h",
    "AsAd:0.81, KcQs, QdQc:0.57, Th9h:0.93, 9s8s, 5h4h:0.71, AcKc",
    "AhJc:0.79, KdQc:0.43, JsJd:0.91, AdKd, 7s7c:0.52, 9h8h:0.86, KsTs",
    pot=100,
    stack=250,
    raise_="a",
)
CANDIDATES = "30%, 60%, 120%, a"
OOP, IP = MenuPlace(0, 2), MenuPlace(1, 2)


def exact_value(spot: Spot, player: int) -> float:
    """What a player takes, by a linear program."""
    solution = solve(GameTree.build(ExplicitGame(spot)), "lp")
    return solution.values[player] + spot.pot / 2


def test_losses_are_those_of_linear_programs():
    found = find_sizes(RIVER, "30%, 120%, a", most=2, loss=0, target="0.05%", threads=1)
    sizes = found.candidates
    for step in found.rounds:
        for place, loss in step.losses.items():
            few, every = (
                exact_value(with_menus(RIVER, {**step.menus, **more}), place.player)
                for more in ({}, {place: sizes})
            )
            assert loss.least - 1e-4 <= every - few <= loss.most + 1e-4
    # One street alone: what a player loses is what the place loses.
    assert found.players == tuple(found.rounds[-1].losses[place] for place in (OOP, IP))
    assert found.loss.most == pytest.approx(sum(each.most for each in found.players))


def test_the_best_menu_of_a_round_is_taken():
    settings = {"loss": 0, "target": "0.3%", "threads": 1}
    few = find_sizes(RIVER, CANDIDATES, most=2, **settings)
    for place in (OOP, IP):
        tried = [each for each in few.tried if each.place == place and len(each.menu) == 1]
        assert [each.text for each in tried] == ["30%", "60%", "120%", "a"]
        best = min(tried, key=lambda each: each.loss.middle)
        assert few.rounds[0].menus[place] == best.menu
    every = find_sizes(RIVER, CANDIDATES, most=2, **settings, every=True)
    assert len([each for each in every.tried if len(each.menu) == 2]) >= len(
        [each for each in few.tried if len(each.menu) == 2]
    )


def test_nothing_is_added_that_gains_too_little():
    found = find_sizes(RIVER, CANDIDATES, most=3, loss="100%", target="1%", threads=1)
    assert len(found.rounds) == 1
    assert {len(menu) for menu in found.menus.values()} == {1}


def test_the_answer_is_a_spot():
    found = find_sizes(RIVER, CANDIDATES, most=1, player="ip", target="1%", threads=1)
    assert found.players[0] is None and list(found.menus) == [IP]
    read = Spot.from_toml(found.spot.to_toml())
    assert menu_text(read.bet.at(2, 1) or ()) == menu_text(found.menus[IP])
    assert read.bet.at(2, 0) == RIVER.bet.at(2, 0)


@pytest.mark.parametrize("kind", ("raise", "donk"))
def test_raises_and_donk_bets_lose_what_linear_programs_say(kind):
    spot = replace(
        RIVER, bet=Menus.of("bet", "50%"), donk=Menus.of("donk", "river: 50%"), aggressor="ip"
    )
    settings = {"most": 1, "loss": 0, "target": "0.05%", "threads": 1, "kind": kind}
    found = find_sizes(spot, "30%, 120%, a", **settings)
    players = (0, 1) if kind == "raise" else (0,)
    assert [place.player for place in found.menus] == list(players)
    for place, loss in found.rounds[0].losses.items():
        few, every = (
            exact_value(with_menus(spot, {**found.menus, **more}), place.player)
            for more in ({}, {place: found.candidates})
        )
        assert loss.least - 1e-4 <= every - few <= loss.most + 1e-4
    assert found.spot.bet == spot.bet
    assert found.chosen == (found.spot.raise_ if kind == "raise" else found.spot.donk)
    read = Spot.from_toml(found.spot.to_toml())
    assert (read.raise_, read.donk) == (found.spot.raise_, found.spot.donk)


def test_donk_bets_are_those_into_the_aggressor():
    turn = Spot("QhJh2c4d", "AA", "KK", pot=100, stack=100)
    assert list(map(str, menu_places(turn, kind="donk"))) == ["oop river donk"]
    after = replace(turn, aggressor="ip")
    assert list(map(str, menu_places(after, kind="donk"))) == ["oop turn donk", "oop river donk"]
    with pytest.raises(ValueError, match=r"^kind: nobody can donk there"):
        menu_places(RIVER, kind="donk")


def test_boards_are_averaged(tmp_path):
    boards = {"QhJh2c4d7h": 1.0, "QhJh2c4d7c": 3.0}
    values = MenuValues(RIVER, boards, target="0.1%", threads=1)
    menus = {OOP: found_menu("60%")}
    parts = [
        MenuValues(RIVER, {name: 1.0}, target="0.1%", threads=1).value(0, menus) for name in boards
    ]
    mean = values.value(0, menus)
    dealt = [weight * deals(RIVER.with_board(name)) for name, weight in boards.items()]
    expected = sum(each.middle * part for each, part in zip(parts, dealt, strict=True))
    assert mean.middle == pytest.approx(expected / sum(dealt))
    assert values.solves == 2
    # The boards say on which streets there are menus, whatever the board of the spot is.
    found = find_sizes(RIVER, "50%, a", most=1, boards={"QhJh2c4d": 1.0}, target="5%", threads=1)
    assert list(map(str, found.menus)) == ["oop turn", "ip turn", "oop river", "ip river"]
    with pytest.raises(ValueError, match=r"^boards: one menu is for boards of one street"):
        find_sizes(RIVER, boards=boards | {"QhJh2c4d": 1.0})


def deals(spot: Spot) -> float:
    """One pair of hands after the other."""
    hands = [
        [
            (set(combo_cards(combo)), float(each.weights[combo]))
            for combo in np.flatnonzero(each.weights).tolist()
        ]
        for each in spot.ranges
    ]
    return sum(
        first[1] * second[1]
        for first in hands[0]
        for second in hands[1]
        if len({*spot.board, *first[0], *second[0]}) == 4 + len(spot.board)
    )


def found_menu(text: str):
    return Menus.of("bet", text).at(2, 0)


def test_what_was_solved_is_kept(tmp_path):
    file = tmp_path / "sizes.jsonl"
    settings = {"most": 1, "target": "1%", "threads": 1, "player": "oop"}
    first = find_sizes(RIVER, CANDIDATES, resume=file, **settings)
    again = find_sizes(RIVER, CANDIDATES, resume=file, **settings)
    assert first.solves > 0 == again.solves
    assert first.menus == again.menus and first.rounds == again.rounds
    bad = file.read_text().replace("]]", ", NaN]]")
    for text in ("{\n", '{"format": "other"}\n', "[1]\n", '["key", [1.0]]\n', bad):
        file.write_text(text)
        with pytest.raises(ValueError, match=r"sizes\.jsonl' is damaged: line 1"):
            find_sizes(RIVER, CANDIDATES, resume=file, **settings)


def test_an_interrupted_solve_ends_the_search(monkeypatch, tmp_path):
    file = tmp_path / "sizes.jsonl"

    def interrupted(spot, **options):
        return replace(solve_spot(spot, iterations=1, threads=1), stopped="interrupted")

    monkeypatch.setattr(valuing, "solve_spot", interrupted)
    with pytest.raises(KeyboardInterrupt):
        find_sizes(RIVER, CANDIDATES, resume=file, threads=1)
    assert not file.exists()


def test_answers_lose_what_menu_losses_say():
    coarse = replace(RIVER, bet=Menus.of("bet", "30%, 120%"))
    found = list(unlisted_losses(coarse, "60%", target="0.1%", threads=1))
    assert len(found) == 8 and {each.player for each in found} == {0, 1}
    by = {(each.player, each.answer): each for each in found}
    for player in range(2):
        assert by[player, "solve again"].least <= by[player, "nearest"].most
        # The opponent alone has the size: the player's own menu is as it was.
        place = MenuPlace(1 - player, 2)
        fine = with_menus(coarse, {place: found_menu("30%, 120%, 60%")})
        expected = next(
            menu_losses(
                solve_spot(coarse, target="0.1%", threads=1),
                solve_spot(fine, target="0.1%", threads=1),
                ["nearest"],
                players=[player],
                threads=1,
            )
        )
        assert by[player, "nearest"].chips == pytest.approx(expected.chips, abs=1e-6)


def test_bad_input_is_refused():
    for settings, message in (
        ({"candidates": "30%"}, "must be two sizes or more"),
        ({"candidates": "30, a"}, "candidates: '30' is not a size"),
        ({"most": 9}, "most: 9 must be from 1 to 8"),
        ({"streets": "flop"}, "streets: 'flop' is not one of river"),
        ({"player": "bb"}, "player: 'bb' is not one of oop, ip"),
        ({"loss": "x"}, "loss: 'x' is not"),
    ):
        with pytest.raises(ValueError, match=message):
            find_sizes(RIVER, **settings)
    with pytest.raises(ValueError, match="losses are measured without rake"):
        find_sizes(replace(RIVER, rake=0.05))
    locked = RIVER.with_locks({"x": {"x": 1.0}})
    with pytest.raises(ValueError, match="locks: sizes are compared without them"):
        find_sizes(locked)
    with pytest.raises(ValueError, match="locks: sizes are compared without them"):
        list(unlisted_losses(locked, "60%"))
    for size, message in (("50%", "no new bet"), ("q", "against: 'q' is not a size"), ("", "give")):
        with pytest.raises(ValueError, match=message):
            list(unlisted_losses(replace(RIVER, bet=Menus.of("bet", "50%")), size))


def test_places_are_those_of_the_spot():
    turn = Spot("QhJh2c4d", "AA", "KK", pot=100, stack=100)
    assert list(map(str, menu_places(turn))) == ["oop turn", "ip turn", "oop river", "ip river"]
    assert list(map(str, menu_places(turn, "river", "ip"))) == ["ip river"]
