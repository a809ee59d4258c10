"""The no-limit player: a function of what is public, legal everywhere, the same in all suits."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.players.bots.nolimit.small_menus import SMALL

from pokerlab.arena.matches import play_match
from pokerlab.cards.codes import combo_index, format_cards, parse_cards
from pokerlab.cards.isomorphism.suits import permute_cards
from pokerlab.games import BettingGame, DealtState, load_game
from pokerlab.holdem.spots.answer.below import find_below
from pokerlab.players.bots import Bot, NolimitBot, make_bot
from pokerlab.players.bots.nolimit import library, street
from pokerlab.players.bots.nolimit.street import FLOOR, OWN_FLOOR, UnsolvedError, usable
from pokerlab.players.bots.nolimit.tracking import PublicHand

GAME = load_game("holdem.nolimit.2p").with_stacks([3000, 3000])
BOARD = "KsQs4h9c2s"
"""The turn tells two suits apart that are equal on the flop."""
LINE = "cr300c/cc/cr900c/c"
"""Each street has a decision of the button; nobody leaves the small trees."""


@pytest.fixture(autouse=True, scope="module")
def small_menus() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(street, "LADDERS", SMALL)
        yield


@pytest.fixture(scope="module")
def bot() -> NolimitBot:
    return made("iterations=3")


def made(text: str, game: BettingGame = GAME) -> NolimitBot:
    bot = make_bot(f"nolimit:{text}")
    assert isinstance(bot, NolimitBot)
    bot.reset(game, np.random.default_rng(1))
    return bot


def state(betting: str, board: str = BOARD, holes: str = "7h2c AsAd") -> DealtState:
    return GAME.replay(betting, GAME.make_deal(holes.split(), board))


def view(betting: str, board: str = BOARD, holes: str = "7h2c AsAd") -> DealtState:
    there = state(betting, board, holes)
    return there.view(there.player)


def test_a_row_is_what_the_hand_plays(bot: NolimitBot) -> None:
    for betting in ("", "cr300c/c", "cr300c/cc/c"):
        there = view(betting)
        told = bot.hand_strategy(there)
        row = told.probabilities[combo_index(*there.holes[there.player])]
        played = bot.probabilities(there)
        assert {a: p for a, p in zip(told.actions, row, strict=True) if p} == played
        assert sum(played.values()) == pytest.approx(1)
        assert all(action in there.actions() for action in told.actions)
        possible = told.probabilities.sum(axis=1)
        assert np.isin(possible.round(9), (0, 1)).all()
        assert (possible == 0).sum() == 1326 - len(_allowed(there.board))


def _allowed(board: tuple[int, ...]) -> np.ndarray:
    return np.flatnonzero(usable(np.ones(1326), board))


def test_ranges_are_products_of_what_it_told(bot: NolimitBot) -> None:
    """Every state on the way is asked; floors apply where a street begins."""
    river = view(LINE)
    hand = PublicHand.of(river)
    weights, reached = np.ones(1326), 0
    for node, action in river.node.path():
        if node.street > reached:
            reached = node.street
            weights = usable(weights, river.board[: reached + 2], own=True)
        if node.player == river.player and node.street < 3:
            told = bot.hand_strategy(GAME.replay(node.text, river.deal).holding((51, 50)))
            weights = weights * told.probabilities[:, told.actions.index(action)]
    found = bot.play.root(hand, 3).ranges[hand.own][hand.image]
    assert found == pytest.approx(usable(weights, river.board, own=True), abs=1e-9)
    assert found.max() == 1 and found[found > 0].min() >= OWN_FLOOR
    other = bot.play.root(hand, 3).ranges[1 - hand.own]
    assert OWN_FLOOR < other[other > 0].min() <= FLOOR
    floored = other[other <= other[other > 0].min()].sum()
    assert floored <= 0.011 * other.sum()


def test_a_river_begins_as_the_turn_ended(bot: NolimitBot) -> None:
    hand = PublicHand.of(view(LINE))
    turn, root = bot.play.follow(hand, 2), bot.play.root(hand, 3)
    below = find_below(turn.solve.solution, turn.text, (hand.board[4],))
    assert (root.pot, root.stack) == (below.spot.pot, below.spot.effective_stack)
    for place, (found, there) in enumerate(zip(root.ranges, below.spot.ranges, strict=True)):
        expected = usable(there.weights, root.board, own=place == hand.own)
        assert found == pytest.approx(expected, abs=2e-3)
    assert root.worth is not None
    assert root.worth == pytest.approx(below.worth(1 - hand.own), nan_ok=True)
    assert bot.play.follow(hand, 3).solve.gadget == "combined"


def test_a_bet_that_is_not_in_the_tree_is_put_into_it(bot: NolimitBot) -> None:
    """The button bets, and the raise over that is none of the tree."""
    before = view("cr300c/cc/cc/c")
    told = bot.hand_strategy(before)
    assert "r900" in told.actions
    raised = view("cr300c/cc/cc/cr900r1777")
    standing = bot.standing(raised)
    assert standing is not None and len(standing.followed.added) == 1
    solution = standing.followed.solve.solution
    locked = solution.decision(standing.followed.line[0])
    first = bot.standing(before)
    assert first is not None
    assert first.told.labels == locked.actions
    assert np.nan_to_num(locked.strategy) == pytest.approx(first.told.shares, abs=2e-3)
    assert locked.player == standing.root.own
    assert standing.followed.text == standing.followed.added[0]


def test_many_rivers_leave_the_solve_of_their_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    """There is room for two solves of rivers, and for two of flops and turns."""
    player, solved = made("iterations=1"), list[int]()
    solve = player.play.solver.solve

    def counted(root: street.StreetRoot, *rest: Any) -> street.StreetSolve:
        solved.append(root.street)
        return solve(root, *rest)

    monkeypatch.setattr(player.play.solver, "solve", counted)
    for kept in player.play._solves[1:]:
        monkeypatch.setattr(kept, "put", partial(_put_as_half, kept, kept.put))
    for river in ("2s", "3s"):
        for bet in ("c", "r1111", "r1222", "r1333"):
            player.hand_strategy(view(LINE[:-1] + bet, BOARD[:8] + river, "7d2c AsAd"))
    assert solved == [0, 1, *[2] * 8]


def _put_as_half(kept: Any, put: Any, key: object, value: object, _nbytes: int) -> None:
    put(key, value, (kept._room + sum(size for _, size in kept._kept.values())) // 2)


def test_the_same_hand_in_other_suits(bot: NolimitBot) -> None:
    told = bot.hand_strategy(view("cr300c/cc/c"))
    solved = bot.play.solved
    for suits in ((1, 0, 2, 3), (3, 2, 0, 1)):
        moved = [format_cards(permute_cards(cards, suits)) for cards in (BOARD, "7h2c", "AsAd")]
        other = view("cr300c/cc/c", moved[0], f"{moved[1]} {moved[2]}")
        again = bot.hand_strategy(other)
        assert again.actions == told.actions
        for text in ("AhAc", "JsTs", "8d7c"):
            here, there = (
                combo_index(*cards) for cards in (parse_cards(text), permute_cards(text, suits))
            )
            assert np.array_equal(told.probabilities[here], again.probabilities[there])
    assert bot.play.solved == solved  # nothing was solved anew


def test_what_was_asked_before_does_not_matter() -> None:
    """A bet that opens the river is in the tree from the first, or is put into it later."""
    first, second = (made("iterations=2") for _ in range(2))
    asked = ["cr300c/cc/cc/r555", "cr300c/cc/cc/c", "cr300c/cc/c", "cr300c/c"]
    found = {each: first.hand_strategy(view(each)) for each in asked[:1]}
    assert first.play.solved == 3
    standing = first.standing(view(asked[0]))
    assert standing is not None and standing.followed.added == ("b255",)
    found |= {each: first.hand_strategy(view(each)) for each in asked[1:]}
    for each in reversed(asked):
        told = second.hand_strategy(view(each))
        assert told.actions == found[each].actions
        assert np.array_equal(told.probabilities, found[each].probabilities)
    assert first.play.solved == second.play.solved == 4


def test_warming_up_changes_no_play(bot: NolimitBot) -> None:
    warm = made("iterations=3")
    warm.warm_up()
    assert warm.play.solved == 0
    there = view("cr300c/c")
    found, own = warm.hand_strategy(there), bot.hand_strategy(there)
    assert found.actions == own.actions
    assert np.array_equal(found.probabilities, own.probabilities)


def test_the_log_says_what_was_done(tmp_path: Path) -> None:
    log = tmp_path / "bot.log"
    bot = made(f"iterations=2,threshold=0.1,log={log}")
    bot.begin(1, [0, 1])
    bot.act(view(""))
    bot.act(view("cr300c/c"))
    bot.act(view("cr300c/c"))
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    assert [line["source"] for line in lines] == ["chart", "solved", "kept"]
    assert lines[1]["menu"] == "flop" and lines[1]["iterations"] == 2 and lines[1]["percent"] > 0
    told = bot.hand_strategy(view("cr300c/c")).probabilities
    assert told[told > 0].min() >= 0.1


def test_a_log_that_cannot_be_written_costs_no_hand(tmp_path: Path) -> None:
    log = tmp_path / "bot.log"
    bot = made(f"iterations=1,log={log}")
    log.unlink()
    log.mkdir()
    assert [bot.act(view("")), bot.act(view("cr300c/c"))]
    with pytest.raises(ValueError, match=r"bot\.log: cannot be written: \w"):
        bot.close()
    with pytest.raises(ValueError, match=r"log: .*: cannot be written: \w"):
        make_bot(f"nolimit:log={log}")


def test_a_flop_that_cannot_be_kept_is_played(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("")
    bot = made(f"iterations=1,library={file / 'flops'},keep=true")
    assert bot.decide(view("cr300c/c")).source == "solved"
    with pytest.raises(ValueError, match=r"flops: cannot be written: \w"):
        bot.close()


def test_without_room_for_sizes_a_bet_stands_for_its_neighbour(bot: NolimitBot) -> None:
    translating, raised = made("iterations=3,added=0"), view("cr300c/cc/cc/r555")
    standing, inserted = translating.standing(raised), bot.standing(raised)
    assert standing is not None
    assert inserted is not None
    assert inserted.followed.added == inserted.followed.line == ("b255",)
    assert standing.followed.added == ()
    assert standing.followed.line == ("b300",)
    assert translating.play.solved == 3
    for action in translating.hand_strategy(raised).actions:
        raised.apply(action)  # legal


def test_other_games_and_bad_options_are_refused() -> None:
    for name in ("leduc", "holdem.limit.2p", "holdem.nolimit.3p", "draw"):
        with pytest.raises(ValueError, match=f"cannot play {name}"):
            make_bot("nolimit").reset(load_game(name), np.random.default_rng(1))
    for text, said in {
        "seconds=0": "seconds: 0 must be",
        "gadget=safe": "gadget",
        "gadget=reach-combined": "gadget",
        "device=tpu": "device",
        "threshold=0.7": "threshold",
        "added=4": "added: 4 must be from 0 to 3",
        "no-such-file": "no-such-file",
    }.items():
        with pytest.raises(ValueError, match=said):
            make_bot(f"nolimit:{text}")


class Hostile(Bot):
    """Raises in ways that no menu has, and calls now and then."""

    def act(self, view: DealtState) -> str:
        bounds = view.raise_bounds()
        if bounds is None or self.rng.random() < 0.3:
            return "c"
        lowest, highest = bounds
        sizes = (
            lowest,
            min(lowest + 1, highest),
            highest,
            int(self.rng.integers(lowest, highest + 1)),
        )
        return f"r{sizes[int(self.rng.integers(4))]}"


def play_hostile(bot: NolimitBot, hands: int, rng: np.random.Generator) -> None:
    for _ in range(hands):
        stacks = [int(each) for each in np.exp(rng.uniform(np.log(60), np.log(25_000), 2))]
        game = replace(GAME.with_stacks(stacks), ante=int(rng.integers(2)) * 10)
        result = play_match(game, [bot, Hostile()], 2, int(rng.integers(10**6)))
        assert result.faults == (0, 0), result.first_faults


def test_without_any_solve_it_plays_a_plain_rule(monkeypatch: pytest.MonkeyPatch) -> None:
    bot = made("iterations=1")

    def fail(*_: object, **__: object) -> None:
        raise UnsolvedError("no solve")

    monkeypatch.setattr(bot.play.solver, "solve", fail)
    play_hostile(bot, 10, np.random.default_rng(5))


def test_hostile_opponents_meet_legal_answers() -> None:
    play_hostile(made("iterations=1"), 2, np.random.default_rng(7))


@pytest.mark.slow
def test_many_hostile_hands() -> None:
    play_hostile(made("iterations=1"), 40, np.random.default_rng(8))


@pytest.mark.slow
def test_the_same_seed_is_the_same_play() -> None:
    results = [
        play_match(GAME, ["nolimit:iterations=3", "random:1,4,2"], 8, 3).to_json() for _ in range(2)
    ]
    assert results[0]["scores"] == results[1]["scores"]


def test_flops_of_a_library_play_as_those_that_are_solved(
    tmp_path: Path, bot: NolimitBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(library, "likely_lines", lambda chart, most: ["c/r3/c"])
    solver = street.StreetSolver(1.0, 3, "none", "cpu")
    flop = [PublicHand.of(view("cr300c/")).board]
    rows = list(library.fill_library(tmp_path, GAME, flop, solver))
    again = list(library.fill_library(tmp_path, GAME, flop, solver))
    assert rows == again and {row["own"] for row in rows} == {0, 1}
    reader = made(f"iterations=3,library={tmp_path}")
    for betting in ("cr300c/c", "cr300c/cc/c"):
        there = view(betting)
        found, own = reader.hand_strategy(there), bot.hand_strategy(there)
        assert found.actions == own.actions
        assert np.array_equal(found.probabilities, own.probabilities)
    assert reader.decide(view("cr300c/c")).source == "library"
    for file in tmp_path.glob("*.safetensors"):
        file.write_bytes(file.read_bytes()[:-1000])
    damaged = made(f"iterations=3,library={tmp_path}").decide(view("cr300c/c"))
    assert damaged.source == "solved"
    with pytest.raises(ValueError, match="no folder"):
        make_bot(f"nolimit:library={tmp_path / 'none'}")
