"""Games beside OpenSpiel.

Kuhn and Leduc poker as whole trees: legal actions, chances, returns, information sets. Games of
the ACPC in random hands: OpenSpiel's ``universal_poker`` runs the code of the ACPC server, so
actors, betting texts, chips, bounds of raises and returns are the official ones.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
import pytest
from tests.effort import some_of

from pokerlab.cards.codes import parse_card
from pokerlab.games import (
    CHANCE,
    TERMINAL,
    BettingGame,
    ChanceState,
    DealtState,
    load_betting_game,
    read_acpc,
)

pyspiel = pytest.importorskip("pyspiel")


def kuhn_action(state: ChanceState, action: str) -> int:
    """OpenSpiel's Kuhn poker knows pass (check or fold) and bet (bet or call)."""
    return int(action == "r" or (action == "c" and state.to_call > 0))


def leduc_action(state: ChanceState, action: str) -> int:
    return "fcr".index(action)


class Walk:
    """Both trees, node by node; the two names of every information set."""

    def __init__(self, name: str, peer: str, number: Callable[[ChanceState, str], int]) -> None:
        self.nodes = 0
        self.names: dict[tuple[int, str], str] = {}
        self.peer_names: dict[str, tuple[int, str]] = {}
        self.number = number
        self.game = load_betting_game(name)
        self.visit(self.game.start(), pyspiel.load_game(peer).new_initial_state())

    def visit(self, state: ChanceState, peer: Any) -> None:
        self.nodes += 1
        if state.player == TERMINAL:
            assert peer.is_terminal()
            assert list(state.payoffs()) == peer.returns()
            return
        if state.player == CHANCE:
            assert peer.is_chance_node()
            chances = dict(peer.chance_outcomes())
            assert len(state.actions()) == len(chances)
            for card, chance in zip(state.actions(), state.chances(), strict=True):
                outcome = self.game.deck.index(parse_card(card))
                assert chances[outcome] == pytest.approx(chance)
                self.visit(state.apply(card), peer.child(outcome))
            return
        assert peer.current_player() == state.player
        key, peer_key = (state.player, state.seen_by(state.player)), peer.information_state_string()
        assert self.names.setdefault(key, peer_key) == peer_key
        assert self.peer_names.setdefault(peer_key, key) == key
        numbers = [self.number(state, action) for action in state.actions()]
        assert sorted(numbers) == peer.legal_actions()
        for action, number in zip(state.actions(), numbers, strict=True):
            self.visit(state.apply(action), peer.child(number))


@pytest.mark.parametrize(
    ("name", "peer", "number", "infosets"),
    [
        ("kuhn", "kuhn_poker", kuhn_action, 12),
        ("kuhn.3p", "kuhn_poker(players=3)", kuhn_action, 48),
        ("leduc", "leduc_poker", leduc_action, 936),
    ],
)
def test_tree_is_that_of_openspiel(
    name: str, peer: str, number: Callable[[ChanceState, str], int], infosets: int
) -> None:
    walk = Walk(name, peer, number)
    assert len(walk.names) == len(walk.peer_names) == infosets


def universal_poker(game: BettingGame) -> Any:
    """The ACPC server's idea of a game."""

    def words(numbers: Iterable[int]) -> str:
        return " ".join(map(str, numbers))

    limit = game.betting == "limit"
    streets = game.streets
    return pyspiel.load_game(
        "universal_poker",
        {
            "betting": "limit" if limit else "nolimit",
            "bettingAbstraction": "fcpa" if limit else "fullgame",
            "numPlayers": game.players,
            "numRounds": len(streets),
            "stack": words(game.stacks or (10**6,) * game.players),
            "blind": words(game.blinds or (game.ante,) * game.players),
            "raiseSize": words(street.bet for street in streets),
            "firstPlayer": words(street.first + 1 for street in streets),
            "maxRaises": words(
                255 if street.max_raises is None else street.max_raises for street in streets
            ),
            "numSuits": len(game.suits),
            "numRanks": len(game.ranks),
            "numHoleCards": streets[0].hole,
            "numBoardCards": words(street.board for street in streets),
            "boardCards": "",
        },
    )


def play_beside_acpc(game: BettingGame, peer_game: Any, rng: np.random.Generator) -> None:
    """Play a random hand in both."""
    deal = game.deal(rng)
    state, peer = game.start(deal), peer_game.new_initial_state()
    cards = iter([card for hole in deal.holes for card in hole] + list(deal.board))
    while True:
        while peer.is_chance_node():
            peer.apply_action(game.deck.index(next(cards)))
        betting = re.search(r"STATE:0:([^:]*):", str(peer))
        assert betting is not None
        assert state.betting == betting.group(1)
        if state.player == TERMINAL:
            assert peer.is_terminal()
            assert state.payoffs() == pytest.approx(peer.returns())
            return
        assert peer.current_player() == state.player
        spent = [int(chips) for chips in re.findall(r"P\d: (\d+) ", str(peer).split("Spent:")[1])]
        assert spent == list(state.spent)
        legal = peer.legal_actions()
        bounds = state.raise_bounds()
        assert (0 in legal, 1 in legal) == ("f" in state.actions(), "c" in state.actions())
        raises = [size for size in legal if size > 1]
        if game.betting == "limit":
            assert bool(raises) == (bounds is not None)
        else:
            assert (raises[0], raises[-1]) == bounds if raises else bounds is None
        action = random_action(state, rng)
        numbers = {"f": 0, "c": 1, "r": 2}
        peer.apply_action(numbers[action] if action in numbers else int(action[1:]))
        state = state.apply(action)


def random_action(state: DealtState, rng: np.random.Generator) -> str:
    bounds = state.raise_bounds()
    choice = rng.random()
    if choice < 0.1 and "f" in state.actions():
        return "f"
    if choice < 0.6 or bounds is None:
        return "c"
    if state.game.betting == "limit":
        return "r"
    low, high = bounds
    sizes = [low, min(2 * low, high), int(rng.integers(low, high + 1)), high]
    return f"r{sizes[int(rng.integers(4))]}"


@pytest.mark.parametrize("name", ["holdem.limit.2p", "holdem.limit.3p", "kuhn.3p"])
def test_limit_hands_go_as_in_the_acpc_server(name: str) -> None:
    rng = np.random.default_rng(11)
    game = load_betting_game(name)
    peer = universal_poker(game)
    for _ in range(some_of(400)):
        play_beside_acpc(game, peer, rng)


@pytest.mark.parametrize("name", ["holdem.nolimit.2p", "holdem.nolimit.3p"])
def test_no_limit_hands_go_as_in_the_acpc_server(name: str) -> None:
    rng = np.random.default_rng(12)
    game = load_betting_game(name)
    small = game.with_stacks([2000] * game.players)  # a list of 20,000 actions takes long
    for one, hands in ((game, 10), (small, some_of(200))):
        peer = universal_poker(one)
        for _ in range(hands):
            play_beside_acpc(one, peer, rng)


@pytest.mark.parametrize("players", [2, 3, 5])
def test_unequal_stacks_go_as_in_the_acpc_server(players: int) -> None:
    rng = np.random.default_rng(players)
    lines = ["nolimit", f"numPlayers = {players}", "numRounds = 4", "numSuits = 4"]
    lines += ["numRanks = 13", "numHoleCards = 2", "numBoardCards = 0 3 1 1"]
    lines += ["blind = 10 5" if players == 2 else "blind = 5 10" + " 0" * (players - 2)]
    lines += ["firstPlayer = 2 1 1 1" if players == 2 else "firstPlayer = 3 1 1 1"]
    for _ in range(some_of(200)):
        stacks = rng.choice([10, 14, 25, 60, 90, 150], size=players).tolist()
        text = "\n".join([*lines, "stack = " + " ".join(map(str, stacks))])
        game = read_acpc(text, "unequal")
        play_beside_acpc(game, universal_poker(game), rng)
