import math
import sys

import numpy as np
import pytest

from pokerlab.arena import tournaments
from pokerlab.arena.matches import play_match
from pokerlab.arena.results import ResultsFile
from pokerlab.arena.tournaments import (
    Tournament,
    check_bots,
    plan_tournament,
    play_matches,
    play_tournament,
)
from pokerlab.games import load_game
from pokerlab.players.bots import make_bot
from pokerlab.players.bots.tree_strategy import tree_strategy
from pokerlab.solvers import values
from pokerlab.trees import GameTree

BOTS = ("caller", "raiser", "folder", "random")


def untimed(results):
    return sorted((result.plan.bots, result.chips, result.stderr) for result in results)


def test_every_pair_and_every_triple_plays():
    assert [plan.bots for plan in plan_tournament("leduc", BOTS, 100)] == [
        ("caller", "raiser"),
        ("caller", "folder"),
        ("caller", "random"),
        ("raiser", "folder"),
        ("raiser", "random"),
        ("folder", "random"),
    ]
    assert len(plan_tournament("kuhn.3p", BOTS, 60)) == math.comb(4, 3)
    twins = [plan.bots for plan in plan_tournament("kuhn.3p", BOTS, 60, twins=True)]
    assert len(twins) == len(set(twins)) == math.comb(4, 3) + 4 * 3
    assert ("caller", "caller", "raiser") in twins
    assert ("caller", "raiser", "raiser") in twins
    assert ("caller", "caller", "caller") not in twins


def test_the_size_of_a_table_can_be_chosen_where_the_game_allows_it():
    assert {len(plan.bots) for plan in plan_tournament("draw", BOTS, 60, size=3)} == {3}


def test_seeds_are_those_of_the_players():
    few = plan_tournament("leduc", BOTS[:3], 100, seed=5)
    more = plan_tournament("leduc", BOTS, 100, seed=5)
    assert len({plan.seed for plan in more}) == len(more)
    assert set(few) < set(more)
    assert not set(plan_tournament("leduc", BOTS, 100, seed=6)) & set(more)


def test_scores_are_sums_over_matches():
    tournament = play_tournament("leduc", BOTS, 400, 1)
    scores = tournament.scores()
    assert sum(score.chips for score in scores.values()) == pytest.approx(0)
    own = [result for result in tournament.results if "random" in result.plan.bots]
    assert len(own) == 3
    places = [result.plan.bots.index("random") for result in own]
    pairs = list(zip(own, places, strict=True))
    assert scores["random"].chips == sum(result.chips[place] for result, place in pairs)
    assert scores["random"].mbb_per_hand == pytest.approx(
        sum(result.mbb_per_hand[place] for result, place in pairs) / 3
    )
    assert scores["random"].stderr == pytest.approx(
        sum(result.stderr[place] ** 2 for result, place in pairs) ** 0.5 / 3
    )
    among = tournament.scores(["caller", "random"])
    (only,) = (result for result in own if "caller" in result.plan.bots)
    assert among["random"].chips == -among["caller"].chips == only.chips[1]


def test_the_cross_table_of_pairs_is_antisymmetric():
    tournament = play_tournament("leduc", BOTS, 200, 1)
    table = tournament.cross_table()
    for first in BOTS:
        assert set(table[first]) == {(other,) for other in BOTS if other != first}
        for (second,), score in table[first].items():
            assert score.chips == -table[second][first,].chips
            assert score.stderr == pytest.approx(table[second][first,].stderr)


def test_twins_count_as_one():
    tournament = play_tournament("kuhn.3p", ["caller", "random"], 300, 1, twins=True)
    table = tournament.cross_table()
    assert set(table["caller"]) == {("caller", "random"), ("random", "random")}
    assert set(table["random"]) == {("caller", "caller"), ("caller", "random")}
    twin, alone = table["caller"]["caller", "random"], table["random"]["caller", "caller"]
    assert twin.chips == pytest.approx(-alone.chips / 2)
    assert twin.stderr == pytest.approx(alone.stderr / 2)


def test_rankings():
    tournament = play_tournament("holdem.limit.2p", ["folder", "caller", "raiser"], 600)
    assert tournament.bankroll() == {"raiser": 1, "caller": 2, "folder": 3}
    # Without the folder, caller and raiser are equal: in a duplicate match no cards favour one.
    assert tournament.run_off() == {"caller": 1, "raiser": 1, "folder": 3}
    assert Tournament(BOTS, ()).bankroll() == dict.fromkeys(BOTS, 1)


def test_what_is_finished_is_not_played_again(tmp_path, monkeypatch):
    plans = plan_tournament("leduc", BOTS, 100, 2)
    file = ResultsFile(tmp_path / "results.jsonl")
    matches = play_matches(plans, results=file)
    first = [next(matches), next(matches)]
    matches.close()  # a kill between two matches
    with file.path.open("a") as stream:
        stream.write('{"game": "leduc", "bo')  # and one in the middle of a line
    played = []

    def watched(*arguments, **options):
        played.append(arguments[1])
        return play_match(*arguments, **options)

    monkeypatch.setattr(tournaments, "play_match", watched)
    results = list(play_matches(plans, results=file))
    assert results[:2] == first
    assert played == [plan.bots for plan in plans[2:]]
    assert untimed(results) == untimed(play_tournament("leduc", BOTS, 100, 2).results)
    assert set(file.read()) == set(plans)
    played.clear()
    list(play_matches(plans, results=file))
    assert played == []


def test_other_hands_or_another_seed_are_other_matches(tmp_path):
    file = ResultsFile(tmp_path / "results.jsonl")
    for hands, seed, duplicate in ((100, 1, True), (102, 1, True), (100, 2, True), (100, 1, False)):
        play_tournament("leduc", BOTS[:2], hands, seed, duplicate=duplicate, results=file)
    assert len(file.read()) == 4


def test_matches_in_other_processes_are_the_same(tmp_path):
    file = ResultsFile(tmp_path / "results.jsonl")
    spread = play_tournament("leduc", BOTS, 100, 3, jobs=2, results=file)
    here = play_tournament("leduc", BOTS, 100, 3)
    assert untimed(spread.results) == untimed(here.results)
    assert untimed(file.read().values()) == untimed(here.results)
    assert spread.scores() == here.scores()
    assert [result.plan for result in spread.results] == [result.plan for result in here.results]


@pytest.mark.slow
def test_matches_on_a_ray_cluster_are_the_same(tmp_path):
    ray = pytest.importorskip("ray")
    file = ResultsFile(tmp_path / "results.jsonl")
    try:
        spread = play_tournament("leduc", BOTS, 100, 3, ray="local", jobs=2, results=file)
    finally:
        ray.shutdown()
    assert untimed(spread.results) == untimed(play_tournament("leduc", BOTS, 100, 3).results)
    assert untimed(file.read().values()) == untimed(spread.results)


def test_without_the_extra_there_is_one_line(monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(ValueError, match=r"ray: auto needs the extra cluster \(pip install"):
        play_tournament("leduc", BOTS, 10, ray="auto")


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        (("leduc", ["caller"], 10), {}, "1 bot is too few for a tournament (2 or more)"),
        (("kuhn.3p", BOTS[:2], 12), {}, "2 bots are too few for a tournament (3 or more)"),
        (("leduc", ["caller", "caller"], 10), {}, "bot 'caller' is given twice"),
        (("leduc", BOTS, 10), {"size": 3}, "leduc is a game for 2 players"),
        (("draw", BOTS, 10), {"size": 4}, "size: 4 at a table"),
        (("leduc", BOTS, 10), {"twins": True}, "twins: two instances of a bot need a table of 3"),
        (("leduc", BOTS, 11), {}, "hands: 11 hands cannot be shared by the 2 seatings"),
        (("kuhn.3p", BOTS, 9), {"twins": True}, "hands: 9 hands cannot be shared"),
        (("leduc", [*BOTS, "nobody"], 10), {}, "no bot 'nobody'"),
        (("leduc", BOTS, 10), {"jobs": -2}, "jobs: -2 is not a number of matches"),
    ],
)
def test_bad_input(arguments, options, message):
    with pytest.raises(ValueError) as raised:
        play_tournament(*arguments, **options)
    assert message in str(raised.value)


def test_a_bot_that_does_not_play_the_game_is_found_before_the_first_match(tmp_path):
    path = tmp_path / "picky.py"
    path.write_text(
        "from pokerlab.players.bots import Caller\n"
        "class Picky(Caller):\n"
        "    def reset(self, game, rng):\n"
        "        raise ValueError(f'Picky does not play {game.name}')\n"
    )
    with pytest.raises(ValueError, match="Picky does not play leduc"):
        check_bots("leduc", ["caller", f"{path}:Picky"])


def test_a_bot_against_itself_alone_wins_nothing():
    result = play_match("leduc", ["random", "random"], 50, 1)
    score = Tournament(("random",), (result,)).scores()["random"]
    assert (score.chips, score.mbb_per_hand, score.stderr) == (0.0, 0.0, 0.0)


ROCK_PAPER_SCISSORS = """
from pokerlab.players.bots import Caller

class Player(Caller):
    bets, calls = "", ""

    def act(self, view):
        card = "JQK"[view.holes[view.player][0] // 4 - 9]
        if view.to_call:
            return "c" if card in self.calls else "f"
        return "r" if card in self.bets else "c"

class Maniac(Player):
    bets, calls = "JQK", "K"

class Tight(Player):
    bets, calls = "K", "K"

class Station(Player):
    bets, calls = "", "QK"
"""


def test_rock_paper_scissors_in_kuhn(tmp_path, monkeypatch):
    """A maniac bluffs out the tight, who beats the station by value bets, who calls the maniac."""
    monkeypatch.chdir(tmp_path)  # cards depend on the names of the bots
    (tmp_path / "players.py").write_text(ROCK_PAPER_SCISSORS, encoding="utf-8")
    maniac, tight, station = (f"players.py:{name}" for name in ("Maniac", "Tight", "Station"))
    played = play_tournament("kuhn", [station, maniac, tight, "folder"], 2400, 3)
    (cycle,) = played.cycles()
    assert cycle.bots == (station, maniac, tight) and played.triples() == 4
    tree = GameTree.of(load_game("kuhn"))
    plays = {bot: tree_strategy(tree, make_bot(bot)).array for bot in cycle.bots}
    first = tree.infosets.slot_player == 0
    for bot, other, won, z in zip(
        cycle.bots, (*cycle.bots[1:], station), cycle.wins, cycle.z, strict=True
    ):
        ahead = values(tree, np.where(first, plays[bot], plays[other]))[0]
        behind = values(tree, np.where(first, plays[other], plays[bot]))[1]
        exact = 1000 * (ahead + behind) / 2
        assert exact > 0 and abs(won - exact) < 4 * won / z
    edges = {
        result.plan.bots: abs(result.mbb_per_hand[0]) / result.stderr[0]
        for result in played.results
        if "folder" not in result.plan.bots
    }
    weakest = min(edges.values())
    assert cycle.weakest == pytest.approx(weakest)
    assert cycle.p == pytest.approx(4 * math.erfc(weakest / math.sqrt(2)))  # of 4 triples
    assert cycle.clear and f"p {cycle.p:.2g}" in played._repr_html_()
    short = play_tournament("kuhn", [station, maniac, tight], 60, 3)
    (chance,) = short.cycles()
    assert not chance.clear and " beats " not in short._repr_html_()
    assert play_tournament("kuhn.3p", ["caller", "raiser", "random"], 60).cycles() == []
