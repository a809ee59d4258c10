"""What heads-up experts and biases by history win: tables and verdicts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path

from pokerlab.players.strategies.experts import Experts, ranges_after, reach_of
from pokerlab.players.strategies.limit_file import LimitStrategy
from pokerlab.runtime.files.job_stores import FolderStore
from pokerlab.studies.mapping.entrants import THESIS_MAPPINGS, THREE_PLAYER_BOT, Entrants
from pokerlab.studies.mapping.matches import MappingMatch, checked_match, match_key
from pokerlab.studies.mapping.plan import PAIRS, hybrid
from pokerlab.studies.mapping.records import compared
from pokerlab.studies.mapping.tables import ScoreCell, cross_table, run_off_table, score_table
from pokerlab.studies.mapping.thesis import HANDS, RUN_OFF
from pokerlab.studies.reporting.measure import Measure
from pokerlab.studies.reporting.report_table import Record, ReportTable
from pokerlab.studies.reporting.study import Kept, Study
from pokerlab.studies.reporting.study_report import StudyReport, trial_note
from pokerlab.studies.reporting.verdict import SIGMAS, Verdict
from pokerlab.studies.stitching.figures import draw_scores
from pokerlab.studies.stitching.plan import (
    BIASED,
    DUELS,
    LONG_BOTS,
    STITCHED_BOT,
    STITCHED_FAIR,
    STITCHED_MAPPING,
    TOURNAMENT,
    TUNED_TOURNAMENT,
    StitchingPlan,
    StitchingResults,
)

_TUNED = "The thesis's tournament with stand-ins tuned to its table 1"


def stitching_study(plan: StitchingPlan, folder: Path) -> Study[MappingMatch]:
    """All matches, kept in a folder; those that other strategies played are not found again."""
    store = FolderStore(folder, from_json=checked_match)
    key = partial(match_key, plan.entrants.digest)
    return Study([plan.matches()], store, partial(make_stitching_report, plan), key)


def make_stitching_report(plan: StitchingPlan, done: Mapping[MappingMatch, Kept]) -> StudyReport:
    """Make the tables and verdicts."""
    results = StitchingResults(plan, done)
    tables = (
        expert_table(plan.entrants),
        _duel_table(results),
        _long_table(results),
        run_off_table(results, "experts-run-off", "The run-off", TOURNAMENT),
        cross_table(results, "experts-cross", "The tournament", TOURNAMENT),
        run_off_table(results, "tuned-run-off", _TUNED, TUNED_TOURNAMENT),
        cross_table(results, "tuned-cross", "The same, match by match", TUNED_TOURNAMENT),
    )
    small = f"{plan.hands:,} hands a match (of {max(HANDS.values()):,})"
    notes = (
        f"{len(done):,} duplicate matches of {plan.hands:,} hands and more, seed {plan.seed};"
        f" {results.seconds:,.0f} s of playing",
        "Scores are mbb per hand ± standard error",
        *([] if plan.judged else [trial_note(small)]),
    )
    return StudyReport(
        "Heads-up experts among three players",
        tuple(_verdicts(results)) if plan.judged else (),
        f"{SIGMAS:g} standard errors",
        tables,
        notes,
        pictures={"experts.svg": partial(draw_scores, results)},
        facts={
            "quick": plan.quick,
            "judged": plan.judged,
            "hands": plan.hands,
            "seed": plan.seed,
            "matches": len(done),
            "seconds": results.seconds,
        },
    )


def expert_table(entrants: Entrants) -> ReportTable:
    """Each expert: its line, how often it is reached, and how far training came."""
    assert entrants.experts is not None
    base = LimitStrategy.load(entrants.three_player)
    mbb = base.game.game.mbb
    experts = Experts.load(entrants.experts).by_line
    reach = {line: reach_of(ranges_after(base, line)) for line in experts}
    records: list[Record] = [
        {
            "line": line,
            "reach": reach[line],
            "groups": experts[line].game.name,
            "nodes": len(experts[line].game.betting.nodes),
            "rows": experts[line].game.rows,
            "deals": experts[line].iterations,
            "seconds": experts[line].seconds,
            "response_mbb": experts[line].exploitability * mbb,
            "stderr": experts[line].error * mbb,
        }
        for line in sorted(experts, key=reach.__getitem__, reverse=True)
    ]
    forms = {
        "line": "{line}",
        "reached": "{reach:.2%}",
        "nodes": "{nodes:,}",
        "deals": "{deals:,}",
        "seconds": "{seconds:.0f}",
        "a trained response gains": "{response_mbb:.0f} ± {stderr:.0f}",
    }
    total = sum(reach.values())
    title = f"The experts, by line before the flop ({total:.1%} of all hands)"
    return ReportTable.of("experts", title, records, forms)


def _duel_table(results: StitchingResults) -> ReportTable:
    cells = [
        ScoreCell.of(hero, ", ".join(pair), results.duel(hero, pair).result) for hero, pair in DUELS
    ]
    return score_table("duels", "Long matches against the same bot twice", cells, "bot")


def _long_table(results: StitchingResults) -> ReportTable:
    cells = [
        ScoreCell.of(bot, ", ".join(pair), results.long_match(bot, pair).result)
        for bot in LONG_BOTS
        for pair in PAIRS
    ]
    return score_table("experts-everybody", "The same cards for every bot", cells, "bot")


def _verdicts(results: StitchingResults) -> Iterator[Verdict]:
    won = {
        (hero, pair): Measure(result.mbb_per_hand[0], result.stderr[0])
        for hero, pair in DUELS
        for result in [results.duel(hero, pair).result]
    }
    (first, second, _) = DUELS
    yield Verdict.above_zero(
        "Experts make a three-player strategy better against itself",
        "sections 3.2, 3.3",
        {
            f"{first[0]} against two {THREE_PLAYER_BOT}": won[first],
            f"two {STITCHED_BOT} against {second[0]}": -won[second],
        },
    )
    pairs = {
        f"{STITCHED_BOT} less {THREE_PLAYER_BOT}": (STITCHED_BOT, THREE_PLAYER_BOT),
        f"{STITCHED_MAPPING} less HBB7": (STITCHED_MAPPING, "HBB7"),
    }
    yield Verdict.above_zero(
        "Experts help against all three pairs (same cards)",
        "sections 3.2, 3.3",
        _gains(results, pairs),
    )
    hybrid_bot = hybrid("HBB5", preflop=True)
    yield Verdict.above_zero(
        "A fair bot gains more by experts than by HBB5 after a fold before the flop",
        "table 15",
        _gains(results, {f"{STITCHED_FAIR} less {hybrid_bot}": (STITCHED_FAIR, hybrid_bot)}),
    )
    scores = {
        bot: Measure(score.mbb_per_hand, score.stderr)
        for bot, score in results.tournament(TOURNAMENT).scores().items()
    }
    yield Verdict.above_zero(
        f"{STITCHED_BOT} wins the tournament by bankroll",
        "ours",
        {
            f"less {bot}": scores[STITCHED_BOT] - score
            for bot, score in scores.items()
            if bot != STITCHED_BOT
        },
    )
    tuned = {
        bot: Measure(score.mbb_per_hand, score.stderr)
        for bot, score in results.tournament(TUNED_TOURNAMENT).scores().items()
    }
    (totals, *_) = RUN_OFF
    below = [bot for bot in tuned if totals[bot.removesuffix("-tuned")] < totals["RaiseBot"]]
    yield Verdict.above_zero(
        "RaiseBot is second by bankroll where akuma and ownbot are tuned to table 1",
        "table 2",
        {f"less {bot}": tuned["RaiseBot"] - tuned[bot] for bot in below},
    )
    plain, by_history, everywhere = BIASED
    yield Verdict.above_zero(
        "A bias by hand and betting before the flop is better than one by hand",
        "section 7",
        _gains(results, {f"{by_history} less {plain}": (by_history, plain)}),
    )
    yield Verdict.above_zero(
        "A bias after the flop helps as well",
        "section 7",
        _gains(results, {f"{everywhere} less {by_history}": (everywhere, by_history)}),
    )
    yield Verdict.above_zero(
        "With such a bias the mapping is as good as a three-player strategy",
        "section 7",
        _gains(results, {f"{everywhere} less {THREE_PLAYER_BOT}": (everywhere, THREE_PLAYER_BOT)}),
        at_least=True,
    )
    yield Verdict.above_zero(
        "HBB7 does better than HBB5",
        "ours",
        _gains(results, {"HBB7 less HBB5": ("HBB7", "HBB5")}),
    )
    yield Verdict.above_zero(
        f"Every mapping of the thesis is behind {STITCHED_BOT} in the tournament",
        "ours",
        {f"less {bot}": scores[STITCHED_BOT] - scores[bot] for bot in THESIS_MAPPINGS},
    )


def _gains(results: StitchingResults, bots: Mapping[str, tuple[str, str]]) -> dict[str, Measure]:
    """How much more a bot wins than another on the same cards, against each pair."""
    return {
        f"{name}, against {', '.join(pair)}": compared(
            [results.long_match(better, pair)], [results.long_match(worse, pair)]
        )
        for name, (better, worse) in bots.items()
        for pair in PAIRS
    }
