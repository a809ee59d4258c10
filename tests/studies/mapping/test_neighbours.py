import json

import numpy as np
import pytest

from pokerlab.games import load_game
from pokerlab.players.bots.mapping.bot import Mapped, MappingBot, Neighbour
from pokerlab.players.bots.mapping.histories import decisions_of
from pokerlab.studies.mapping.neighbours import Moments, NeighbourSurvey, survey_neighbours

GAME = load_game("holdem.limit.3p")


class Known:
    """Knows some histories: it raises if the last action was a call, else calls or folds."""

    def __init__(self, *known):
        self.known = known

    def triple(self, history, hole, board):
        if history not in self.known:
            return None
        return (0.0, 0.0, 1.0) if history.endswith("c") else (0.5, 0.5, 0.0)


def mapped(*neighbours, candidates=5, skipped=1):
    decision = decisions_of(GAME.replay("").node)[0]
    return Mapped(decision, candidates, skipped, tuple(Neighbour(*each) for each in neighbours))


def test_variance_and_deviation_by_hand():
    survey = NeighbourSurvey()
    survey.add(mapped(("c", 0.0, (0.0, 0.0, 1.0)), ("cr", 2.0, (0.25, 0.25, 0.5))))
    survey.add(mapped(("c", 0.0, (0.0, 0.4, 0.6)), ("cr", 1.0, (0.0, 0.2, 0.8))))
    survey.add(mapped(("c", 3.0, (0.0, 0.8, 0.2)), skipped=0))
    assert survey.mappings == 3
    assert (survey.asked, survey.unknown, survey.without_history) == (7, 2, 0)
    two = survey.variances[2]
    assert two.count == 2
    assert two.mean(0).value == pytest.approx((0.0625 + 0.01) / 2)
    assert two.mean(0).error == pytest.approx(np.std([0.0625, 0.01], ddof=1) / np.sqrt(2))
    assert two.mean(2).value == pytest.approx(0.015625 / 2)
    assert survey.variances[1].mean(0).value == 0.0
    assert survey.variance.count == 2  # one history alone does not vary
    assert survey.deviations[0].count == 2
    assert survey.deviations[0].mean(0).value == pytest.approx((0.25 + 0.1) / 2)
    assert survey.deviations[2].mean(0).value == pytest.approx(0.25)
    # Means of 0.75 and 0.7 are near enough to 0.7, 0.2 is not.
    assert sorted(survey.raising_deviations) == [0, 1, 2]


def test_mappings_without_any_history_are_only_counted():
    survey = NeighbourSurvey()
    survey.add(mapped(("c", 0.0, (0.0, 0.0, 1.0)), candidates=4, skipped=4))
    assert (survey.mappings, survey.without_history) == (1, 1)
    assert (survey.asked, survey.unknown) == (4, 4)
    assert survey.variances == {} == survey.deviations


def test_what_a_bot_is_mapped_to():
    bot = MappingBot(Known("", "c", "cr"), nearest=10)
    bot.reset(GAME, np.random.default_rng(1))
    deal = GAME.make_deal(["AsKd", "QhQc", "7h2c"], "2d3d4h5s6c")
    survey = NeighbourSurvey()
    for each in bot.mappings(GAME.replay("", deal).view(2)):
        survey.add(each)
    assert survey.mappings == 2
    assert (survey.asked, survey.unknown) == (16, 10)
    # Two of the three call or fold, one raises: variance of raise 2/9.
    assert list(survey.variances) == [3]
    assert survey.variances[3].mean(0).value == pytest.approx(2 / 9)


def test_round_trip():
    survey = NeighbourSurvey()
    survey.add(mapped(("c", 0.0, (0.0, 0.0, 1.0)), ("cr", 2.0, (0.25, 0.25, 0.5))))
    data = json.loads(json.dumps(survey.to_json()))
    assert NeighbourSurvey.from_json(data).to_json() == survey.to_json()
    assert NeighbourSurvey.from_json(data).variances[2].mean(0) == survey.variances[2].mean(0)


def test_moments_of_nothing_and_of_one():
    assert np.isnan(Moments().mean(0).value)
    one = Moments()
    one.add(np.array([0.5, 0.5, 0.0]))
    assert one.mean(0).value == 0.5
    assert np.isnan(one.mean(0).error)


def test_only_mappings_have_neighbours():
    with pytest.raises(ValueError, match="bot 'fair' is not a mapping"):
        survey_neighbours(["fair", "random", "random"], 3, 1)
