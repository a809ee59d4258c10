from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from pokerlab.arena.logs.acpc_log import write_acpc_log
from pokerlab.arena.logs.phh_log import write_phh
from pokerlab.arena.logs.replay import complete_deal, play_again, read_log, steps
from pokerlab.arena.matches import Match
from pokerlab.arena.table import play_hand
from pokerlab.games import Deal, load_betting_game
from pokerlab.players.bots.bot import Bot
from pokerlab.players.bots.simple import Caller, Folder, RandomBot

LEDUC = load_betting_game("leduc")
HOLDEM = load_betting_game("holdem.nolimit.2p")


class Seen(Caller):
    """Notes who it plays, and with which cards."""

    def __init__(self):
        self.seats = []
        self.holes = []

    def begin(self, position, players):
        self.seats.append((position, tuple(players)))

    def act(self, view):
        self.holes.append(view.holes[view.player])
        return super().act(view)


def played(game, count, seed=1, names="ab"):
    rng = np.random.default_rng(seed)
    bots: list[Bot] = [RandomBot(1, 3, 2), RandomBot(1, 2, 2)]
    for bot in bots:
        bot.reset(game, rng)
    return [
        play_hand(
            game,
            deal,
            bots if number % 2 == 0 else bots[::-1],
            names=names if number % 2 == 0 else names[::-1],
            number=number,
        )
        for number, deal in enumerate(game.deals(rng, count))
    ]


@pytest.mark.parametrize("name", ["leduc", "holdem.nolimit.2p", "draw"])
def test_steps_lead_from_the_start_to_the_end(name):
    for hand in played(load_betting_game(name), 20):
        walk = list(steps(hand))
        assert walk[0].before.betting == ""
        assert all(one.after is two.before for one, two in pairwise(walk))
        assert walk[-1].after.betting == hand.betting
        assert walk[-1].after.payoffs() == hand.payoffs
        assert [one.position for one in walk] == [one.before.player for one in walk]


def test_reads_both_kinds_of_log(tmp_path):
    hands = played(HOLDEM, 12)
    write_acpc_log(tmp_path / "match.log", hands)
    write_phh(tmp_path / "match.phhs", hands)
    for hand, acpc, phh in zip(
        hands,
        read_log(tmp_path / "match.log", HOLDEM),
        read_log(tmp_path / "match.phhs"),
        strict=True,
    ):
        assert acpc.betting == phh.betting == hand.betting
        assert acpc.payoffs == phh.payoffs == hand.payoffs


def test_the_first_line_of_a_log_names_the_game(tmp_path):
    file = tmp_path / "match.log"
    write_acpc_log(file, played(LEDUC, 3))
    body = file.read_text()
    file.write_text(f"# name/game/hands/seed night leduc 3 1\n{body}")
    assert len(list(read_log(file))) == 3
    file.write_text(body)
    with pytest.raises(ValueError, match=r"does not say which game was played; name it \(--game\)"):
        next(read_log(file))
    file.write_text(f"# name/game/hands/seed night holdem.limit.2p.reverse_blinds.game 3 1\n{body}")
    with pytest.raises(
        ValueError, match=r"cannot be read: .*; name the game of the log \(--game\)"
    ):
        next(read_log(file))
    with pytest.raises(ValueError, match="cannot be read: No such file"):
        next(read_log(tmp_path / "none.log"))


@pytest.mark.parametrize(
    "first",
    [
        "PokerStars Hand #246100000001:  Hold'em No Limit ($0.50/$1.00 USD) - 2026/01/01",
        "\ufeffPokerStars Zoom Hand #246100000001:  Hold'em No Limit",
        "\n\nPoker Hand #RC1234567890: Hold'em No Limit ($0.05/$0.1)",
        "Winamax Poker - CashGame - HandId: #1-2-3 - Holdem no limit",
        "***** Hand History for Game 123456 *****",
        "#Game No : 123456\n***** 888poker Hand History for Game 123456 *****",
    ],
)
def test_texts_of_poker_sites_are_for_other_commands(tmp_path, first):
    file = tmp_path / "hands.txt"
    file.write_text(f"{first}\nSeat 1: ann ($100 in chips)\n", encoding="utf-8")
    for game in (None, LEDUC):
        with pytest.raises(ValueError, match=r"site cannot be played again .*pokerlab hands"):
            next(read_log(file, game))


def test_the_same_bot_plays_the_same_hands():
    # A bot that repeats itself is a caller: only its own hands are changed by it.
    game = LEDUC
    rng = np.random.default_rng(4)
    random_bot = RandomBot()
    random_bot.reset(game, rng)
    caller = Caller()
    hands = []
    for number, deal in enumerate(game.deals(rng, 40)):
        bots = [caller, random_bot] if number % 2 == 0 else [random_bot, caller]
        names = ["caller", "random"] if number % 2 == 0 else ["random", "caller"]
        hands.append(play_hand(game, deal, bots, names=names, number=number))
    assert list(play_again(hands, Caller(), 0, name="caller")) == hands


def test_another_bot_in_one_place():
    hands = played(LEDUC, 40)
    again = list(play_again(hands, Folder(), 1))
    for old, new in zip(hands, again, strict=True):
        place = old.players.index("b")
        assert new.players[place] == "Folder"
        assert new.players[1 - place] == "a"
        assert new.deal.holes == old.deal.holes
        assert new.faults == ()
    assert any(old.betting != new.betting for old, new in zip(hands, again, strict=True))


def test_the_bot_is_told_who_it_is():
    bot = Seen()
    hands = played(LEDUC, 6)
    list(play_again(hands, bot, 1))
    assert bot.seats == [(1, (0, 1)), (0, (1, 0))] * 3


def test_cards_that_a_log_does_not_tell_are_drawn_by_the_seed():
    # All hands end before the flop, so no log has a board; the caller needs one.
    rng = np.random.default_rng(5)
    hands = []
    for number, deal in enumerate(HOLDEM.deals(rng, 10)):
        hand = play_hand(HOLDEM, deal, [Folder(), Folder()], names="xy", number=number)
        hands.append(replace(hand, deal=Deal(deal.holes)))
    again = list(play_again(hands, Caller(), 1, seed=3))
    assert all(len(hand.final.board) == 5 for hand in again)
    assert again == list(play_again(hands, Caller(), 1, seed=3))
    assert again != list(play_again(hands, Caller(), 1, seed=4))


def test_complete_deal_keeps_what_is_known():
    game = load_betting_game("draw")
    rng = np.random.default_rng(6)
    known = game.make_deal(["AsKsQsJsTs", ""], stub="2c3c")
    deal = complete_deal(game, known, rng)
    assert deal.holes[0] == known.holes[0]
    assert deal.stub[:2] == known.stub
    cards = [*deal.holes[0], *deal.holes[1], *deal.stub]
    assert len(cards) == len(set(cards)) == 52


def test_bad_seat():
    with pytest.raises(ValueError, match=r"seat 2 is not a position of the log \(0 to 1\)"):
        list(play_again(played(LEDUC, 1), Caller(), 2))


def test_a_match_on_a_spot_is_read_back(tmp_path):
    spot = tmp_path / "my spot.toml"
    spot.write_text(
        'board = "QhJh2c4d"\noop = "AA, KQs"\nip = "QQ, AJs"\npot = 100\nstack = 80\n',
        encoding="utf-8",
    )
    with Match(str(spot), ["random", "caller"], 20, 1) as match:
        hands = list(match)
    log = tmp_path / "night.log"
    write_acpc_log(log, hands, (match.plan.game, 20, 1))
    for back in (list(read_log(log)), list(read_log(log, match.game))):
        assert [hand.betting for hand in back] == [hand.betting for hand in hands]
        assert [hand.payoffs for hand in back] == [hand.payoffs for hand in hands]
        assert [hand.deal.holes for hand in back] == [hand.deal.holes for hand in hands]
