"""Tables 6 to 8, figures 17 to 21 as numbers, and the appendix."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from pokerlab.studies.abstraction.extracts import BLUFFER, CALLERS, THESIS_BET
from pokerlab.studies.abstraction.plan import (
    CONSTANTS,
    FIGURE_18_GAMES,
    FIGURE_18_RULES,
    FIGURE_19_GAMES,
    FIGURE_20_RULES,
    OURS,
    RISE_RULES,
    SMALL_CGH,
    VIEW,
)
from pokerlab.studies.abstraction.results import AbstractionResults
from pokerlab.studies.abstraction.solves import SolveTask
from pokerlab.studies.abstraction.thesis import (
    APPENDIX_EPSILON,
    APPENDIX_TEXTS,
    FIGURE_18,
    MEASURES,
    QUALITY,
    TABLE_8,
)
from pokerlab.studies.reporting.report_table import Form, Record, ReportTable, number_text


def quality_table(results: AbstractionResults) -> ReportTable:
    """Tables 6 and 7: ε in the abstraction and in the real game."""
    plan = results.plan
    records: list[Record] = []
    shown: list[dict[str, str]] = []
    for rule in (SMALL_CGH, "cgh(0.175)", OURS):
        for groups in (*MEASURES, ""):
            task = plan.table_6(groups, rule)
            if task not in results.done:
                continue
            solve = results.solve(task)
            texts = {"rule": rule, "abstraction": groups or "every hand"}
            shown.append(texts)
            for number, printed in QUALITY.items():
                point = solve.at(plan.iterations(number))
                thesis = printed.get(groups) if "cgh" in rule and not plan.quick else None
                after = f"after {plan.length(number)}"
                texts[f"{after}: abstraction"] = _beside(point.abstract, thesis and thesis.abstract)
                texts[f"{after}: real game"] = _beside(point.real, thesis and thesis.real)
                records.append(
                    {
                        "rule": rule,
                        "abstraction": groups or "every hand",
                        "iterations": point.iteration,
                        "abstract": point.abstract,
                        "real": point.real,
                        "thesis_abstract": thesis.abstract if thesis else "",
                        "thesis_real": thesis.real if thesis else "",
                        "bytes": solve.nbytes,
                        "seconds": point.seconds,
                    }
                )
            texts["tables"] = f"{solve.nbytes / 1e6:,.0f} MB"
    return ReportTable.of_both(
        "tables-06-07",
        "Tables 6 and 7: ε (mbb a game) in the abstraction and in the real game, (thesis)",
        records,
        shown,
    )


def rules_table(results: AbstractionResults) -> ReportTable:
    """Figure 18: ε at the end, by menu, groups, rule and answer."""
    plan = results.plan
    records: list[Record] = []
    for game in FIGURE_18_GAMES:
        for groups in (VIEW, ""):
            for rule in FIGURE_18_RULES:
                record = results.solve(plan.figure_18(game, rule, groups))
                printed = FIGURE_18.get(rule.replace("-return(", "("))
                for answer in record.curves:
                    last = record.curve(answer)[-1]
                    records.append(
                        {
                            "game": game,
                            "groups": groups or "every hand",
                            "rule": rule,
                            "answer": answer,
                            "iterations": last.iteration,
                            "abstract": last.abstract,
                            "real": last.real,
                            "thesis": "" if plan.quick or printed is None else printed,
                            "seconds": last.seconds,
                            "bytes": record.nbytes,
                        }
                    )
    return ReportTable.of(
        "figure-18",
        f"Figure 18: ε after {plan.length(400)} iterations on QhJh2c (mbb a game)",
        records,
        {
            "game": "{game}",
            "groups": "{groups}",
            "rule": "{rule}",
            "answer": "{answer}",
            "abstraction (thesis)": lambda row: (
                f"{float(row['abstract']):.2f}" + (f" ({row['thesis']})" if row["thesis"] else "")
            ),
            "real game": "{real:.2f}",
            "time": "{seconds:.0f} s",
        },
    )


def constants_table(results: AbstractionResults) -> ReportTable:
    """Figure 19: CGH by its constant."""
    plan = results.plan
    records: list[Record] = []
    shown: list[dict[str, str]] = []
    for game in FIGURE_19_GAMES:
        for constant in CONSTANTS:
            solve = results.solve(plan.figure_19(game, constant))
            shown.append({"game": game, "c": f"{constant:g}"})
            for number in (50, 150, 400):
                point = solve.at(plan.iterations(number))
                records.append(
                    {
                        "game": game,
                        "constant": constant,
                        "iteration": point.iteration,
                        "abstract": point.abstract,
                        "real": point.real,
                    }
                )
                text = f"{point.abstract:.2f} / {point.real:.2f}"
                shown[-1][f"after {plan.length(number)}"] = text
    title = "Figure 19: ε of CGH by its constant, in the abstraction / in the real game"
    return ReportTable.of_both("figure-19", title, records, shown)


def duel_table(results: AbstractionResults) -> ReportTable:
    """Table 8: what strategies are sure of, and what they win."""
    plan = results.plan
    unknown = float("nan")
    records: list[Record] = []
    for answer in ("own reach", "plain mean"):
        match = results.duel(plan.duel(answer))
        for name, rule in (("first", "cgh"), ("second", "cfr")):
            for seat, found in match.seats[name].items():
                printed = None
                if not plan.quick:
                    printed = TABLE_8[rule if seat == "sum" else f"{rule} {seat}"]
                records.append(
                    {
                        "strategy": rule if rule == "cgh" else f"cfr, {answer}",
                        "seat": seat,
                        "guaranteed": unknown if found.guaranteed is None else found.guaranteed,
                        "won": found.won,
                        "stderr": found.error,
                        "exact": unknown if found.exact is None else found.exact,
                        "thesis_guaranteed": printed.guaranteed if printed else "",
                        "thesis_won": printed.won if printed else "",
                        "thesis_error": printed.error if printed else "",
                        "games": match.games,
                    }
                )

    def text(row: Record, value: str, error: str = "") -> str:
        return number_text(float(row[value]), float(row[error]) if error else None, 2)

    def beside(row: Record, ours: Sequence[str], thesis: Sequence[str]) -> str:
        return text(row, *ours) + ("" if row[thesis[0]] == "" else f" ({text(row, *thesis)})")

    return ReportTable.of(
        "table-08",
        "Table 8: strategies of Th6s3c against best responses and against each other, (thesis)",
        records,
        {
            "strategy": "{strategy}",
            "seat": "{seat}",
            "guaranteed (thesis)": lambda row: beside(row, ["guaranteed"], ["thesis_guaranteed"]),
            "won (thesis)": lambda row: beside(
                row, ["won", "stderr"], ["thesis_won", "thesis_error"]
            ),
            "exactly": lambda row: text(row, "exact"),
        },
    )


def games_table(results: AbstractionResults) -> ReportTable:
    """Which game table 8 is of: values of the first player."""
    plan = results.plan
    tasks = [plan.figure_20(OURS), *(plan.other_game(number) for number in range(3))]
    low, high = TABLE_8["cgh oop"].guaranteed, -TABLE_8["cgh ip"].guaranteed
    records: list[Record] = []
    for task in tasks:
        record, game = results.solve(task), task.game
        records.append(
            {
                "hands": plan.range_name(game.hands),
                "stack": game.stack,
                "menu": game.menu,
                "value": record.value,
                "error": record.own[-1].real / 2,
            }
        )
    title = f"The game of table 8: its value lies between {low} and {high} mbb for the first player"
    return ReportTable.of(
        "table-08-game",
        "Games that table 8 may be of, and their values" if plan.quick else title,
        records,
        {
            "hands": "{hands}",
            "stack": "{stack:g}",
            "menu": "{menu}",
            "value": "{value:.1f} ± {error:.1f}",
        },
    )


def appendix_table(results: AbstractionResults) -> ReportTable:
    """The appendix: lines on which 12 chips may be bet, and the mean over all lines."""
    record, plan, unknown = results.extract, results.plan, float("nan")
    bets = {"12": f"b{THESIS_BET:g}", "all_in": "a"}
    weights = [f"weight_{hand}" for hand in (BLUFFER, *CALLERS)]
    folds = [f"{hand}_folds_to_{bet}" for bet in bets for hand in CALLERS]
    records: list[Record] = []
    for row in record.with_thesis_bet():
        shares = [share for bet in bets.values() for share in row.folds.get(bet, [unknown] * 2)]
        records.append(
            {
                "line": row.line,
                "pot": row.pot,
                **dict(zip(weights, (row.bluffer, *row.callers), strict=True)),
                "bluffs": row.bluffs,
                **dict(zip(folds, shares, strict=True)),
            }
        )
    means = [
        record.mean_folds(caller, all_in=all_in) for all_in in (False, True) for caller in (0, 1)
    ]
    records.append(
        {
            "line": "all lines",
            **dict.fromkeys(("pot", *weights), unknown),
            "bluffs": record.mean_bluffs(),
            **dict(zip(folds, means, strict=True)),
        }
    )
    forms: dict[str, Form] = {
        "line": "{line}",
        f"{BLUFFER} is here": partial(_unless_unknown, weights[0], ".3f"),
        "it bets": "{bluffs:.0%}",
    }
    for name in folds:
        heading = name.replace("all_in", "all-in").replace("_", " ")
        forms[heading] = partial(_unless_unknown, name, ".0%")
    beside = "" if plan.quick else f" (thesis {APPENDIX_EPSILON})"
    return ReportTable.of(
        "appendix",
        f"The appendix: KhJh on Qs Th 7h 8s 5s after {plan.length(300)} iterations,"
        f" ε = {record.epsilon:.1f} mbb{beside}",
        records,
        forms,
        below=[] if plan.quick else [("thesis", "", *APPENDIX_TEXTS)],
    )


def curve_table(results: AbstractionResults) -> ReportTable:
    """Every curve of every figure, for other programs."""
    plan = results.plan
    named: list[tuple[str, SolveTask]] = []
    named += [("17", plan.table_6(groups)) for groups in ("strength/hierarchical", VIEW)]
    for game in FIGURE_18_GAMES:
        for groups in (VIEW, ""):
            named += [("18", plan.figure_18(game, rule, groups)) for rule in FIGURE_18_RULES]
    for game in FIGURE_19_GAMES:
        named += [("19", plan.figure_19(game, constant)) for constant in CONSTANTS]
    named += [("20", plan.figure_20(rule)) for rule in FIGURE_20_RULES]
    named += [("18, every iteration", plan.every_iteration(rule)) for rule in RISE_RULES]
    records: list[Record] = [
        {
            "figure": figure,
            "stack": task.game.stack,
            "menu": task.game.menu,
            "groups": task.groups or "every hand",
            "rule": task.rule,
            "answer": answer,
            **point._asdict(),
        }
        for figure, task in named
        for answer, points in results.solve(task).curves.items()
        for point in points
    ]
    return ReportTable.of("curves", "All curves", records, {}, most=0)


def _beside(ours: float, thesis: float | None) -> str:
    return f"{ours:.2f}" if thesis is None else f"{ours:.2f} ({thesis})"


def _unless_unknown(name: str, form: str, row: Record) -> str:
    return "" if row[name] != row[name] else format(row[name], form)
