"""Hand histories beside PokerKit: it reads ours and ends with the same stacks, we read its own."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.effort import some_of

from pokerlab.arena.hands import PlayedHand
from pokerlab.arena.logs.phh_log import read_phh, write_phh
from pokerlab.arena.table import play_hand
from pokerlab.games import BettingGame, load_betting_game
from pokerlab.players.bots.simple import RandomBot

pokerkit = pytest.importorskip("pokerkit")

GAMES = ["holdem.limit.2p", "holdem.limit.3p", "holdem.nolimit.2p", "holdem.nolimit.3p"]


def exact_share(chips: int, parts: int) -> Any:
    """Shares without odd chips, as `odd_chips = "split"` has them."""
    return Fraction(chips) / parts, 0


def played(game: BettingGame, count: int, seed: int) -> list[PlayedHand]:
    rng = np.random.default_rng(seed)
    bots = [RandomBot(1, 6, 3) for _ in range(game.players)]
    for bot in bots:
        bot.reset(game, rng)
    names = ["ann", 'bob\'s "bot"', "çé"][: game.players]
    return [
        play_hand(game, deal, bots, names=names, number=number)
        for number, deal in enumerate(game.deals(rng, count))
    ]


def games() -> list[BettingGame]:
    catalogue = [load_betting_game(name) for name in GAMES]
    short = load_betting_game("holdem.nolimit.3p").with_stacks([1500, 4000, 700])
    ante = replace(load_betting_game("holdem.nolimit.2p"), ante=25, stacks=(900, 2000))
    return [*catalogue, short, ante]


@pytest.mark.parametrize("game", games(), ids=lambda game: f"{game.name} {game.stacks}")
def test_pokerkit_ends_with_our_payoffs(tmp_path: Path, game: BettingGame) -> None:
    hands = played(game, some_of(60), 1)
    file = tmp_path / "hands.phhs"
    write_phh(file, hands)
    with file.open("rb") as stream:
        histories = list(pokerkit.HandHistory.load_all(stream, divmod=exact_share))
    assert len(histories) == len(hands)
    showdowns = 0
    for hand, history in zip(hands, histories, strict=True):
        assert history.players == list(hand.players)
        assert history.hand == hand.number
        *_, final = history
        assert not final.status
        assert [float(won) for won in final.payoffs] == pytest.approx(hand.payoffs)
        assert [float(left) for left in final.stacks] == pytest.approx(
            [float(left) for left in history.finishing_stacks or ()]
        )
        showdowns += len(hand.final.node.live) > 1
    assert showdowns > len(hands) / 6


@pytest.mark.parametrize("game", games(), ids=lambda game: f"{game.name} {game.stacks}")
def test_we_read_what_pokerkit_writes(tmp_path: Path, game: BettingGame) -> None:
    hands = played(game, some_of(40), 2)
    ours, theirs = tmp_path / "ours.phhs", tmp_path / "theirs.phhs"
    write_phh(ours, hands)
    with ours.open("rb") as stream:
        histories = list(pokerkit.HandHistory.load_all(stream))
    rewritten = []
    for history in histories:
        *_, final = history
        rewritten.append(
            pokerkit.HandHistory.from_game_state(history.create_game(), final, hand=history.hand)
        )
    with theirs.open("wb") as binary:
        pokerkit.HandHistory.dump_all(rewritten, binary)
    again = list(read_phh(theirs))
    for hand, read in zip(hands, again, strict=True):
        assert read.betting == hand.betting
        assert read.payoffs == pytest.approx(hand.payoffs)
        assert read.number == hand.number


def test_one_hand_a_file(tmp_path: Path) -> None:
    hand = played(load_betting_game("holdem.nolimit.2p"), 1, 3)[0]
    file = tmp_path / "hand.phh"
    write_phh(file, [hand])
    with file.open("rb") as stream:
        history = pokerkit.HandHistory.load(stream, divmod=exact_share)
    *_, final = history
    assert [float(won) for won in final.payoffs] == pytest.approx(hand.payoffs)


def test_pokerkit_knows_no_variant_that_we_leave_out() -> None:
    # If it learns five-card draw or Kuhn poker one day, we should write them.
    names = {game.__name__ for game in pokerkit.HandHistory.variants}
    assert not [name for name in names if "FiveCardDraw" in name or "Kuhn" in name]
