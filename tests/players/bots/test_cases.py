"""The bot of cases against means taken by hand over all decisions of a log."""

from collections import Counter, defaultdict
from dataclasses import replace

import numpy as np
import pytest

from pokerlab.arena.logs.phh_log import write_phh
from pokerlab.arena.matches import play_match
from pokerlab.games import load_betting_game
from pokerlab.players.bots.cases import CaseBot
from pokerlab.players.bots.catalogue import make_bot
from pokerlab.players.bots.parrot import LoggedHand

KUHN = load_betting_game("kuhn")
ALL = 10**6


def hands_of(game, bots, count):
    played = []
    play_match(game, bots, count, 3, on_hand=played.append)
    return [LoggedHand(hand.final, hand.players) for hand in played]


@pytest.fixture(scope="module")
def kuhn_log():
    return hands_of("kuhn", ["random", "random:1,3,1"], 600)


def made(log, **options):
    bot = CaseBot(log, **options)
    bot.reset(KUHN, np.random.default_rng(1))
    return bot


def facing_a_bet(log):
    """By card of the second player: how often a first bet was called, and what that won in pots."""
    taken, won = defaultdict(Counter), defaultdict(list)
    for final, _ in log:
        if final.betting.startswith("r"):
            card = final.holes[1]
            taken[card][final.betting[1]] += 1
            if final.betting == "rc":
                won[card].append((final.payoffs()[1] + 1) / 3)
    return taken, won


def view(card):
    other = next(each for each in KUHN.deck if each != card)
    return KUHN.replay("r", KUHN.make_deal([[other], [card]])).view(1)


def test_the_best_mean_is_played(kuhn_log):
    # 40 of some 60 cases: those with the same card, a third of a chance to win away from others.
    bot = made(kuhn_log, nearest=40, doubt=0.0, mix=0.2)
    _, won = facing_a_bet(kuhn_log)
    for (card,), each in won.items():
        best, other = ("c", "f") if np.mean(each) > 0 else ("f", "c")
        assert bot.probabilities(view(card)) == pytest.approx({best: 0.8, other: 0.2})


def test_profits_are_those_of_the_log(kuhn_log):
    bot = made(kuhn_log, nearest=ALL)
    _, won = facing_a_bet(kuhn_log)
    ((_, kinds),) = ((key, kinds) for key, kinds in bot._known[1].items() if key[-1])
    second = [value for each in won.values() for value in each]
    first = [(final.payoffs()[0] + 1) / 3 for final, _ in kuhn_log if final.betting == "crc"]
    assert sorted(kinds["c"].profit) == pytest.approx(sorted([*first, *second]))
    assert set(kinds["f"].profit) == {0.0}


def test_profits_do_not_depend_on_the_unit_of_payoffs(kuhn_log):
    game = replace(KUHN, unit=2)
    log = [LoggedHand(game.replay(final.betting, final.deal), names) for final, names in kuhn_log]
    bot = CaseBot(log)
    bot.reset(game, np.random.default_rng(1))
    for situation, kinds in made(kuhn_log)._known[1].items():
        for kind, cases in kinds.items():
            assert bot._known[1][situation][kind].profit.tolist() == cases.profit.tolist()


def test_copies_are_the_frequencies_of_one_player(kuhn_log):
    names = kuhn_log[0].players
    bot = made(kuhn_log, player=names[0], choose="copy", nearest=2)
    taken = defaultdict(Counter)
    for final, players in kuhn_log:
        seat = players.index(names[0])
        for (node, _), action in zip(final.node.path(), final.betting, strict=True):
            if node.player == seat and node.to_call:
                taken[final.holes[seat]][action] += 1
    for (card,), counts in taken.items():
        expected = {action: count / counts.total() for action, count in counts.items()}
        assert bot.probabilities(view(card)) == pytest.approx(expected)


def test_doubt_and_unknown_actions():
    """One call that won is luck; where nobody ever paid, it calls."""
    hands = [("rc", ["Qs", "Ks"]), ("rf", ["Ks", "Js"]), ("rf", ["Ks", "Qs"])]
    log = [LoggedHand(KUHN.replay(line, KUHN.make_deal(deal)), ("a", "b")) for line, deal in hands]
    king = KUHN.make_deal(["Qs", "Ks"])
    assert made(log).probabilities(KUHN.replay("r", king).view(1)) == {"f": 1.0}
    assert made(log).probabilities(KUHN.replay("c", king).view(1)) == {"c": 1.0}


def test_logs_are_read_and_checked(tmp_path, kuhn_log):
    played = []
    play_match("holdem.limit.2p", ["caller", "random"], 20, 4, on_hand=played.append)
    file = tmp_path / "log.phhs"
    write_phh(file, played)
    bot = make_bot(f"cases:{file},player={played[0].players[1]},nearest=5")
    bot.reset(load_betting_game("holdem.limit.2p"), np.random.default_rng(1))
    with pytest.raises(ValueError, match="are no cases for kuhn"):
        bot.reset(KUHN, np.random.default_rng(1))
    bot = make_bot(f"cases:{file},player=nobody")
    with pytest.raises(ValueError, match="there is no hand of 'nobody' with known cards"):
        bot.reset(load_betting_game("holdem.limit.2p"), np.random.default_rng(1))
    for options, message in (
        ({"nearest": 1}, "nearest: 1 must be 2 or more"),
        ({"mix": 1.0}, "mix: 1.0 must be from 0 to below 1"),
        ({"doubt": -1.0}, "doubt: -1.0 must be 0 or more"),
        ({"samples": 0}, "samples: 0 is not a number"),
    ):
        with pytest.raises(ValueError, match=message):
            CaseBot(kuhn_log, **options)
