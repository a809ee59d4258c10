"""Which conclusions of the thesis hold: computed from differences and their errors.

A conclusion is a list of numbers that it says are above zero. It holds if each of them is, by
`SIGMAS` standard errors; it does not hold if one of them is as clearly below; else it cannot be
told. Where the numbers come from matches with the same cards, it is enough for it to hold that
their mean is clearly above zero and none of them is clearly below. The conclusion that two things
are the same holds if they differ by less than a margin, errors included, and does not if they
clearly differ.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations

from pokerlab.arena.tournaments import Tournament
from pokerlab.studies.mapping.entrants import (
    FAIR_PAIR,
    OWN_MAPPINGS,
    STRONG_PAIR,
    THESIS_MAPPINGS,
    THREE_PLAYER_BOT,
)
from pokerlab.studies.mapping.frequencies import counts_of, frequency
from pokerlab.studies.mapping.plan import (
    LONG_BOTS,
    LONG_FACTOR,
    PAIRS,
    SURVEYED_NEAREST,
    MappingResults,
    hybrid,
    nearest,
)
from pokerlab.studies.mapping.records import compared
from pokerlab.studies.mapping.states import StateAnswer
from pokerlab.studies.mapping.thesis import (
    ACTION_FREQUENCIES,
    BIAS,
    HYBRIDS,
    NEAREST_COUNTS,
    NEAREST_PLAIN,
    RUN_OFF,
)
from pokerlab.studies.reporting.measure import Measure, slope
from pokerlab.studies.reporting.verdict import SIGMAS, Answer, Verdict, all_above_zero

ALIKE_MBB = 50.0
"""Two bots that differ by less than this count as equal; the thesis saw 2 and called it similar."""

CLEAR_CHANCE = 0.05
"""Probabilities of strategies have no error that we know; they differ if by more than this."""


def together_above_zero(measures: Iterable[Measure], together: Measure) -> Answer:
    """Whether some numbers are above zero on the whole, and none of them is below.

    Examples
    --------
    >>> together_above_zero([Measure(2.0, 1.5), Measure(2.0, 1.5)], Measure(2.0, 0.9))
    'holds'
    >>> together_above_zero([Measure(9.0, 1.0), Measure(-3.0, 1.0)], Measure(3.0, 0.7))
    'does not hold'
    """
    if "does not hold" in (all_above_zero(measures), all_above_zero([together])):
        return "does not hold"
    return all_above_zero([together])


def alike(difference: Measure, margin: float) -> Answer:
    """Whether a difference is nothing to speak of.

    Examples
    --------
    >>> alike(Measure(5.0, 1.0), 10.0), alike(Measure(5.0, 4.0), 10.0)
    ('holds', 'cannot be told')
    >>> alike(Measure(9.0, 4.0), 10.0)
    'does not hold'
    """
    if abs(difference.value) + SIGMAS * difference.error < margin:
        return "holds"
    if abs(difference.value) > SIGMAS * difference.error:
        return "does not hold"
    return "cannot be told"


def verdicts(results: MappingResults, answers: Sequence[StateAnswer]) -> list[Verdict]:
    """All conclusions."""
    return [
        *_tournament(results),
        *_neighbours(results),
        *_analyses(results),
        *_frequencies(results),
        *_changes(results),
        *_states(answers),
        *_ours(results),
    ]


def _gains(
    results: MappingResults,
    conclusion: str,
    source: str,
    pair: tuple[str, str],
    changes: Mapping[str, tuple[Sequence[str], Sequence[str]]],
) -> Verdict:
    """That some bots do better than others against two opponents, with the same cards."""
    better = {name: results.matches(first, pair) for name, (first, _) in changes.items()}
    worse = {name: results.matches(second, pair) for name, (_, second) in changes.items()}
    evidence = {name: compared(better[name], worse[name]) for name in changes}
    together = compared(
        [record for records in better.values() for record in records],
        [record for records in worse.values() for record in records],
    )
    answer = together_above_zero(evidence.values(), together)
    return Verdict(conclusion, source, answer, {**evidence, "together": together})


def _tournament(results: MappingResults) -> Iterator[Verdict]:
    for pair in (STRONG_PAIR, FAIR_PAIR):
        yield _gains(
            results,
            f"HBB1 to HBB5 lose to {' and '.join(pair)}",
            "tables 1, 3, 15",
            pair,
            {f"{bot} loses": ((), (bot,)) for bot in THESIS_MAPPINGS},
        )
    tournament = results.tournament()
    own = THESIS_MAPPINGS[:3]
    scores = {
        bot: Measure(score.mbb_per_hand, score.stderr) for bot, score in tournament.scores().items()
    }
    yield from _raise_bot(tournament, scores, own)
    yield Verdict.above_zero(
        "HBB3 is the worst of the first three mappings",
        "table 2",
        {f"{bot} less HBB3": scores[bot] - scores["HBB3"] for bot in ("HBB1", "HBB2")},
    )
    strong = ("ownbot", "akuma")
    yield Verdict.above_zero(
        "ownbot and akuma win the tournament's matches with the mappings",
        "table 1",
        {bot: _mean_against(tournament, bot, own) for bot in strong},
    )


def _mean_against(tournament: Tournament, bot: str, others: Sequence[str]) -> Measure:
    """The mean over matches in which both opponents are some of the others."""
    scores = [
        score for pair, score in tournament.cross_table()[bot].items() if set(pair) <= set(others)
    ]
    value = sum(score.mbb_per_hand for score in scores) / len(scores)
    return Measure(value, math.hypot(*(score.stderr for score in scores)) / len(scores))


def _raise_bot(
    tournament: Tournament, scores: Mapping[str, Measure], mappings: Sequence[str]
) -> Iterator[Verdict]:
    """The bot whose result surprised the thesis."""
    bot = "RaiseBot"
    others = [other for other in tournament.bots if other not in (*mappings, bot)]
    elsewhere = _mean_against(tournament, bot, others)
    against = {
        ", ".join(pair): _mean_against(tournament, bot, pair) for pair in combinations(mappings, 2)
    }
    yield Verdict.above_zero(
        f"{bot} does better against two mappings than against pairs without one",
        "section 4.5",
        {pair: won - elsewhere for pair, won in against.items()},
    )
    yield Verdict.above_zero(f"{bot} wins against two mappings", "table 1", against)
    (totals, *_) = RUN_OFF
    below = [other for other in tournament.bots if totals[other] < totals[bot]]
    yield Verdict.above_zero(
        f"{bot} is second by bankroll",
        "table 2",
        {f"less {other}": scores[bot] - scores[other] for other in below},
    )


def _neighbours(results: MappingResults) -> Iterator[Verdict]:
    most = NEAREST_COUNTS[-1]
    for pair, weighted, source in (
        (STRONG_PAIR, False, "table 3"),
        (FAIR_PAIR, True, "table 5"),
    ):
        yield _gains(
            results,
            f"{most} histories are worse than one, {'weighted' if weighted else 'plain'} means",
            source,
            pair,
            {bot: ((bot,), (nearest(bot, most, weighted=weighted),)) for bot in NEAREST_PLAIN},
        )
    several = [count for count in NEAREST_COUNTS if count > 1]
    yield _gains(
        results,
        "Weights by distance help where several histories are asked",
        "ours",
        FAIR_PAIR,
        {
            bot: (
                [nearest(bot, count, weighted=True) for count in several],
                [nearest(bot, count) for count in several],
            )
            for bot in NEAREST_PLAIN
        },
    )


def _analyses(results: MappingResults) -> Iterator[Verdict]:
    most = SURVEYED_NEAREST[0]
    surveys = {bot: results.survey(bot, most) for bot in NEAREST_PLAIN}
    variance = {bot: survey.variance.mean(0) for bot, survey in surveys.items()}
    yield Verdict.above_zero(
        f"HBB3's histories vary least ({most} nearest)",
        "section 5.2",
        {f"{bot} less HBB3": variance[bot] - variance["HBB3"] for bot in ("HBB2", "HBB4")},
        "variance of raise",
    )
    falls = {}
    for bot, survey in surveys.items():
        places = sorted(survey.deviations)
        means = [survey.deviations[place].mean(0) for place in places]
        falls[bot] = -slope(places, means)
    yield Verdict.above_zero(
        "Histories further away lie nearer to the mean (hoped for; the thesis found no connection)",
        "section 5.2",
        falls,
        "less deviation of raise per step of distance",
    )


def _frequencies(results: MappingResults) -> Iterator[Verdict]:
    reference = ACTION_FREQUENCIES["hyperborean"][3][0][0]
    folds = {
        bot: Measure(reference, 0.0) - frequency(counts_of(results, bot), 3, 0, "fold")
        for bot in THESIS_MAPPINGS
    }
    yield Verdict.above_zero(
        "Mappings fold less than hyperborean before the flop with three players in",
        "tables 7 to 10",
        folds,
        "frequency",
    )
    own = frequency(counts_of(results, THREE_PLAYER_BOT), 3, 0, "fold")
    yield Verdict.above_zero(
        "The three-player bot folds more there than the mappings",
        "ours",
        {
            f"than {bot}": own - frequency(counts_of(results, bot), 3, 0, "fold")
            for bot in THESIS_MAPPINGS
        },
        "frequency",
    )


def _changes(results: MappingResults) -> Iterator[Verdict]:
    def gains(
        conclusion: str, source: str, changes: Mapping[str, tuple[Sequence[str], Sequence[str]]]
    ) -> Verdict:
        return _gains(results, conclusion, source, FAIR_PAIR, changes)

    yield gains("Bias helps", "table 11", {bot: ((f"{bot},bias",), (bot,)) for bot in BIAS})
    greedy = compared(
        results.matches(["HBB5,greedy"], FAIR_PAIR), results.matches(["HBB5"], FAIR_PAIR)
    )
    yield Verdict(
        f"The most probable action does as well as drawing one (within {ALIKE_MBB:.0f} mbb/g)",
        "table 12",
        alike(greedy, ALIKE_MBB),
        {"HBB5": greedy},
    )
    winners = [bot for bot, (_, _, chips) in HYBRIDS.items() if chips > 0]
    losers = [bot for bot in HYBRIDS if bot not in winners]
    yield gains(
        f"A fair bot gains by {', '.join(winners)} after a fold",
        "table 15",
        {bot: ((hybrid(bot),), ("dpp",)) for bot in winners},
    )
    yield gains(
        f"A fair bot loses by {', '.join(losers)} after a fold",
        "table 15",
        {f"{bot} loses": (("dpp",), (hybrid(bot),)) for bot in losers},
    )
    yield gains(
        "With three players in, the fair bot plays better than the mapping",
        "section 6",
        {bot: ((hybrid(bot),), (bot,)) for bot in THESIS_MAPPINGS},
    )
    yield gains(
        "After any fold is better than only after folds before the flop (open in the thesis)",
        "table 15",
        {bot: ((hybrid(bot),), (hybrid(bot, preflop=True),)) for bot in THESIS_MAPPINGS},
    )


def _states(answers: Sequence[StateAnswer]) -> Iterator[Verdict]:
    folds = {(each.state, each.who): each.probabilities[2] for each in answers}
    more = {
        state: folds[state, THREE_PLAYER_BOT] - folds[state, "HBB2"]
        for state in dict.fromkeys(each.state for each in answers)
    }
    yield Verdict.above_zero(
        "A real three-player bot folds more than HBB2 in S1 and S2",
        "section 6",
        more,
        f"probability, clear above {CLEAR_CHANCE}",
        CLEAR_CHANCE,
    )


def _ours(results: MappingResults) -> Iterator[Verdict]:
    for bot in (*OWN_MAPPINGS, THREE_PLAYER_BOT):
        pairs = [pair for pair in PAIRS if bot not in pair]
        better = {
            f"against {', '.join(pair)}": compared(
                [results.match(bot, pair)], [results.match("HBB5", pair)]
            )
            for pair in pairs
        }
        yield Verdict.above_zero(f"{bot} does better than HBB5", "ours", better)
    base, *others = LONG_BOTS
    hands = LONG_FACTOR * results.plan.hands
    for bot in others:
        again = {
            f"against {', '.join(pair)}": compared(
                [results.long_match(bot, pair)], [results.long_match(base, pair)]
            )
            for pair in PAIRS
            if bot not in pair
        }
        yield Verdict.above_zero(
            f"{bot} does better than {base} (other cards, {hands:,} hands)", "ours", again
        )
    yield _same(results, ("HBB4", "HBB5"))


def _same(results: MappingResults, bots: tuple[str, str]) -> Verdict:
    """That two bots win the same on every deal, whomever they meet."""
    first, second = bots
    apart = {
        f"against {', '.join(pair)}": compared(
            [results.match(first, pair)], [results.match(second, pair)]
        )
        for pair in PAIRS
    }
    answer: Answer = "holds" if set(apart.values()) == {Measure(0.0, 0.0)} else "does not hold"
    return Verdict(
        f"With one history {first} and {second} are the same bot (every deal gives the same)",
        "table 15",
        answer,
        {f"{second} less {first}, {name}": each for name, each in apart.items()},
    )
