"""Games that are too large to write out are refused soon, and before memory is full of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import pytest

from pokerlab.games import ChanceState, Street, chance, load_betting_game, load_game
from pokerlab.games.protocol import CHANCE, TERMINAL
from pokerlab.trees import GameTree
from pokerlab.trees.builder import TreeTooLargeError, estimate_nodes


def count_states(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Count the states of card games from now on."""
    made, make = [0], ChanceState._make.__func__  # type: ignore[attr-defined]

    def counted(*arguments: object) -> ChanceState:
        made[0] += 1
        state: ChanceState = make(*arguments)
        return state

    monkeypatch.setattr(ChanceState, "_make", classmethod(counted))
    return made


@dataclass
class Wide:
    """A game of `depth` moves with `width` choices at each; it counts the states it has made."""

    width: int
    depth: int
    mover: int = 0
    name: str = "wide"
    players: int = 1
    made: list[int] = field(default_factory=lambda: [0])

    def start(self) -> WideState:
        return WideState(self, ())


@dataclass(frozen=True)
class WideState:
    game: Wide
    moves: tuple[str, ...]

    @property
    def player(self) -> int:
        return self.game.mover if len(self.moves) < self.game.depth else TERMINAL

    def actions(self) -> Sequence[str]:
        return Numbers(self.game.width)

    def chances(self) -> Sequence[float]:
        return [1 / self.game.width] * min(self.game.width, 100_000)

    def apply(self, action: str) -> WideState:
        self.game.made[0] += 1
        return WideState(self.game, (*self.moves, action))

    def payoffs(self) -> Sequence[float]:
        return [0.0]

    def seen_by(self, seat: int) -> str:
        return " ".join(self.moves)

    def public(self) -> str:
        return self.seen_by(0)


@dataclass(frozen=True)
class Numbers(Sequence[str]):
    """The texts 0, 1, … of which none is made before it is asked for."""

    size: int

    def __len__(self) -> int:
        return self.size

    def __getitem__(self, number: int) -> str:  # type: ignore[override]
        if not 0 <= number < self.size:
            raise IndexError(number)
        if self.size > 100_000:
            raise AssertionError("nobody should list so many moves")
        return str(number)


@pytest.mark.parametrize(
    "name", ["holdem.nolimit.3p", "holdem.nolimit.2p", "holdem.limit.3p", "rhodeisland"]
)
def test_a_hopeless_game_is_refused_after_few_states(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = load_game(name)
    made = count_states(monkeypatch)
    with pytest.raises(TreeTooLargeError) as raised:
        GameTree.build(game)
    assert made[0] < 150_000  # of the ten millions that are allowed
    message = str(raised.value)
    assert message.startswith(
        f"{name} has more than 10,000,000 nodes, too many to write out: by a rough estimate "
    )
    assert message.endswith(" or more")
    assert float(message.partition("estimate ")[2].split()[0]) > 2e8


def test_what_waits_is_counted() -> None:
    game = Wide(width=20_000, depth=50)
    with pytest.raises(ValueError, match=r"wide has more than 10,000,000 nodes.* 1e\+215 or more"):
        GameTree.build(game)
    # No more than the paths of a probe: not one of the nodes has been given its children.
    assert game.made[0] <= 18 * 50


def test_the_limit_holds_before_children_are_made() -> None:
    game = Wide(width=900, depth=2)
    with pytest.raises(ValueError) as raised:
        GameTree.build(game, limit=1_800)
    assert str(raised.value) == ("wide has more than 1,800 nodes, too many to write out")
    # The root's children are there, and the first of them would have been one too many.
    assert game.made[0] == 900


@pytest.mark.parametrize("width", [32_768, 10**9])
@pytest.mark.parametrize("mover", [0, CHANCE])
def test_a_node_with_too_many_moves(width: int, mover: int) -> None:
    shown = f"{width:,}" if mover == 0 or width < 100_000 else "100,000"
    game = Wide(width=width, depth=1, mover=mover)
    with pytest.raises(ValueError) as raised:
        GameTree.build(game)
    assert str(raised.value) == (
        f"wide has {shown} moves after '', too many to write out (at most 32,767 at a node)"
    )
    assert game.made[0] == 0


def test_all_hands_of_five_cards_are_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    made = count_states(monkeypatch)
    monkeypatch.setattr(chance, "combinations", None)  # nobody lists them
    with pytest.raises(ValueError, match="draw has 2,598,960 moves after '', too many to write"):
        GameTree.build(load_game("draw"))
    assert made[0] == 1  # the first


def test_all_hands_of_seven_cards_are_not_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    """133 million hands would take gigabytes, and so would their probabilities."""
    streets = (Street(hole=1), Street(hole=6))
    game = replace(load_betting_game("draw"), players=2, stacks=(50, 50), streets=streets)
    monkeypatch.setattr(chance, "combinations", None)
    monkeypatch.setattr(chance, "MAX_LISTED", 0)
    assert estimate_nodes(game, groups=1, probes=4) > 1e12


@pytest.mark.parametrize(
    "game", [Wide(32_767, 1), Wide(32_767, 1, CHANCE), Wide(40, 3)], ids=["wide", "deals", "bushy"]
)
def test_a_game_that_fits_is_written_out(game: Wide) -> None:
    nodes = sum(game.width**level for level in range(game.depth + 1))
    assert len(GameTree.build(game, limit=nodes)) == nodes
    with pytest.raises(ValueError, match=f"has more than {nodes - 1:,} nodes, too many"):
        GameTree.build(game, limit=nodes - 1)


def test_a_probed_game_that_fits_is_written_out() -> None:
    leduc = load_game("leduc")
    assert len(GameTree.build(leduc, limit=9_457)) == 9_457
    with pytest.raises(ValueError, match="leduc has more than 9,456 nodes, too many"):
        GameTree.build(leduc, limit=9_456)
