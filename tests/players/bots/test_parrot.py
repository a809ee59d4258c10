import numpy as np
import pytest

from pokerlab.arena.logs.acpc_log import write_acpc_log
from pokerlab.arena.logs.phh_log import write_phh
from pokerlab.arena.matches import play_match
from pokerlab.arena.table import play_hand
from pokerlab.games import load_betting_game
from pokerlab.players.bots.parrot import ParrotBot, RecordedHand, position_of, record_of
from pokerlab.players.bots.simple import Caller, Folder, Raiser, RandomBot

LEDUC = load_betting_game("leduc")
HOLDEM = load_betting_game("holdem.nolimit.2p")
DRAW = load_betting_game("draw")


def played(game, count, seed=1):
    """Hands of two random players who change places after every hand."""
    rng = np.random.default_rng(seed)
    bots = [RandomBot(1, 3, 2), RandomBot(1, 2, 2)]
    for bot in bots:
        bot.reset(game, rng)
    hands = []
    for number, deal in enumerate(game.deals(rng, count)):
        order = [(position - number) % 2 for position in range(2)]
        hands.append(
            play_hand(
                game,
                deal,
                [bots[player] for player in order],
                players=order,
                names=["ab"[player] for player in order],
                number=number,
            )
        )
    return hands


def repeat(game, hands, parrots):
    for parrot in parrots:
        parrot.reset(game, np.random.default_rng(1))
    again = []
    for number, hand in enumerate(hands):
        order = [(position - number) % 2 for position in range(2)]
        again.append(
            play_hand(
                hand.game,
                hand.deal,
                [parrots[player] for player in order],
                players=order,
                names=hand.players,
                number=number,
            )
        )
    return again


@pytest.mark.parametrize("game", [LEDUC, HOLDEM, DRAW], ids=lambda game: game.name)
def test_two_parrots_play_the_recorded_hands(game):
    hands = played(game, 60)
    records = [record_of(hand.final, hand.players) for hand in hands]
    assert repeat(game, hands, [ParrotBot(records, 0), ParrotBot(records, 1)]) == hands


def test_players_of_the_same_name_are_found_by_the_button():
    hands = played(LEDUC, 30)
    records = [record_of(hand.final, ["x", "x"]) for hand in hands]
    assert repeat(LEDUC, hands, [ParrotBot(records, 0), ParrotBot(records, 1)]) == hands


def test_reads_logs_of_both_kinds(tmp_path):
    hands = played(HOLDEM, 25)
    write_acpc_log(tmp_path / "match.log", hands)
    write_phh(tmp_path / "match.phhs", hands)
    for name in ("match.log", "match.phhs"):
        parrots = [ParrotBot(str(tmp_path / name), seat) for seat in (0, 1)]
        assert repeat(HOLDEM, hands, parrots) == hands


def test_begins_again_after_the_last_hand_and_after_a_reset():
    records = [
        RecordedHand(("a", "b"), (("r",), ("f",))),
        RecordedHand(("b", "a"), (("c",), ("r",))),
    ]
    bot = ParrotBot(records, 0)
    view = LEDUC.replay("").view(0)

    def first_actions():
        answers = []
        for _ in range(3):
            bot.begin(0, [0, 1])
            answers.append(bot.act(view))
        return answers

    bot.reset(LEDUC, np.random.default_rng(1))
    assert first_actions() == ["r", "r", "r"]
    bot.seat = 1
    bot.reset(LEDUC, np.random.default_rng(1))
    assert first_actions() == ["c", "c", "c"]  # a fold where checking is free, then a check


def test_what_is_not_legal_becomes_the_nearest_thing():
    def answer(recorded, betting, game=HOLDEM, seat=None):
        bot = ParrotBot([RecordedHand(("a", "b"), (recorded, recorded))], 0)
        bot.reset(game, np.random.default_rng(1))
        bot.begin(0, [0, 1])
        state = game.replay(betting, game.deal(np.random.default_rng(2)))
        return bot.act(state.view(state.player))

    assert answer(("r300",), "r1000") == "r1900"
    assert answer(("r99999",), "") == "r20000"
    assert answer(("r300",), "r20000") == "c"
    assert answer(("f",), "c") == "c"
    assert answer((), "r300") == "c"
    assert answer(("r",), "") == "r200"
    assert answer(("r300",), "", LEDUC) == "r"
    assert answer(("d2c7h",), "cc/", DRAW) in ("d", "d2c", "d7h", "d2c7h")
    assert answer(("c",), "cc/", DRAW) == "d"


def test_is_never_at_fault_whoever_it_meets():
    hands = played(HOLDEM, 40)
    records = [record_of(hand.final, hand.players) for hand in hands]
    for opponent in (Caller(), Raiser(), Folder(), Raiser(all_in=True)):
        result = play_match(HOLDEM, [ParrotBot(records, 0), opponent], 100, 3)
        assert sum(result.faults) == 0


def test_follow():
    assert position_of(1, ["a", "b", "c"], ["c", "a", "b"], 1) == 2
    assert position_of(1, ["a", "a", "c"], ["c", "a", "a"], 1) == 2


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "there is no hand in it to repeat"),
        ("STATE:0:rf:AsKd|QhQc:-10|10:a|b\nSTATE:1:c", "line 2: 'STATE:1:c' is cut"),
        ("STATE:0:rrf:AsKd|QhQc:-10|10:a|b\n", "line 1: bad state"),
        ("STATE:0:r300f:AsKd|QhQc:-100|100:a\n", "line 1: 1 names, not 2"),
    ],
)
def test_bad_logs_are_one_line(tmp_path, text, message):
    file = tmp_path / "match.log"
    file.write_text(text)
    game = load_betting_game("holdem.limit.2p") if ":rf:" in text else HOLDEM
    with pytest.raises(ValueError) as error:
        ParrotBot(file).reset(game, np.random.default_rng(1))
    assert message in str(error.value)
    assert str(file) in str(error.value)
    assert "\n" not in str(error.value)


def test_bad_arguments(tmp_path):
    with pytest.raises(ValueError, match="cannot be read: No such file"):
        ParrotBot(tmp_path / "none.log")
    with pytest.raises(ValueError, match=r"seat: -1 is not a position \(0 or more\)"):
        ParrotBot([], -1)
    bot = ParrotBot([RecordedHand(("a", "b"), ((), ()))], 2)
    with pytest.raises(ValueError, match=r"seat: 2 is not a position of the log \(0 to 1\)"):
        bot.reset(LEDUC, np.random.default_rng(1))
