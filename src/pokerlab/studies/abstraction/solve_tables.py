"""Tables 6 to 8, figures 17 to 21 as numbers, and the appendix."""

from __future__ import annotations

from pokerlab.studies.abstraction.extracts import CALLERS, THESIS_BET
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
    task_key,
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
from pokerlab.studies.reporting.report_table import Cell, Record, ReportTable, number_text


def quality_table(results: AbstractionResults) -> ReportTable:
    """Tables 6 and 7: ε in the abstraction and in the real game."""
    plan = results.plan
    rows: list[tuple[Cell, ...]] = []
    shown = []
    for rule in (SMALL_CGH, "cgh(0.175)", OURS):
        for groups in (*MEASURES, ""):
            task = plan.table_6(groups, rule)
            if task_key(task) not in results.done:
                continue
            record = results.solve(task)
            cells = []
            for number, printed in QUALITY.items():
                point = record.at(plan.iterations(number))
                thesis = printed.get(groups) if "cgh" in rule and not plan.quick else None
                cells += [
                    _beside(point.abstract, thesis and thesis.abstract),
                    _beside(point.real, thesis and thesis.real),
                ]
                rows.append(
                    (
                        rule,
                        groups or "every hand",
                        point.iteration,
                        point.abstract,
                        point.real,
                        *(thesis or ("", "")),
                        record.nbytes,
                        point.seconds,
                    )
                )
            shown.append((rule, groups or "every hand", *cells, _megabytes(record.nbytes)))
    return ReportTable(
        "tables-06-07",
        "Tables 6 and 7: ε (mbb a game) in the abstraction and in the real game, (thesis)",
        (
            "rule",
            "abstraction",
            "iterations",
            "abstract",
            "real",
            "thesis_abstract",
            "thesis_real",
            "bytes",
            "seconds",
        ),
        tuple(rows),
        (
            "rule",
            "abstraction",
            *(
                f"after {plan.length(number)}: {where}"
                for number in QUALITY
                for where in ("abstraction", "real game")
            ),
            "tables",
        ),
        tuple(shown),
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
    rows: list[tuple[Cell, ...]] = []
    shown = []
    for game in FIGURE_19_GAMES:
        for constant in CONSTANTS:
            record = results.solve(plan.figure_19(game, constant))
            points = [record.at(plan.iterations(part)) for part in (50, 150, 400)]
            rows += [(game, constant, each.iteration, each.abstract, each.real) for each in points]
            texts = (f"{each.abstract:.2f} / {each.real:.2f}" for each in points)
            shown.append((game, f"{constant:g}", *texts))
    return ReportTable(
        "figure-19",
        "Figure 19: ε of CGH by its constant, in the abstraction / in the real game",
        ("game", "constant", "iteration", "abstract", "real"),
        tuple(rows),
        ("game", "c", *(f"after {plan.length(part)}" for part in (50, 150, 400))),
        tuple(shown),
    )


def duel_table(results: AbstractionResults) -> ReportTable:
    """Table 8: what strategies are sure of, and what they win."""
    plan = results.plan
    rows: list[tuple[Cell, ...]] = []
    shown = []
    for answer in ("own reach", "plain mean"):
        record = results.duel(plan.duel(answer))
        for name, rule in (("first", "cgh"), ("second", "cfr")):
            for seat, found in record.seats[name].items():
                printed = None
                if not plan.quick:
                    printed = TABLE_8[rule if seat == "sum" else f"{rule} {seat}"]
                label = rule if rule == "cgh" else f"cfr, {answer}"
                guaranteed = found.guaranteed if found.guaranteed is not None else float("nan")
                exact = found.exact if found.exact is not None else float("nan")
                rows.append(
                    (
                        label,
                        seat,
                        guaranteed,
                        found.won,
                        found.error,
                        exact,
                        *(printed or ("", "", "")),
                        record.games,
                    )
                )
                shown.append(
                    (
                        label,
                        seat,
                        number_text(guaranteed, digits=2)
                        + (f" ({number_text(printed.guaranteed, digits=2)})" if printed else ""),
                        number_text(found.won, found.error, 2)
                        + (f" ({number_text(printed.won, printed.error, 2)})" if printed else ""),
                        number_text(exact, digits=2),
                    )
                )
    return ReportTable(
        "table-08",
        "Table 8: strategies of Th6s3c against best responses and against each other, (thesis)",
        (
            "strategy",
            "seat",
            "guaranteed",
            "won",
            "stderr",
            "exact",
            "thesis_guaranteed",
            "thesis_won",
            "thesis_error",
            "games",
        ),
        tuple(rows),
        ("strategy", "seat", "guaranteed (thesis)", "won (thesis)", "exactly"),
        tuple(shown),
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
    record = results.extract
    rows: list[tuple[Cell, ...]] = []
    shown = []
    wanted = f"b{THESIS_BET:g}"
    for row in record.with_thesis_bet():
        folds = {action: row.folds.get(action, [float("nan")] * 2) for action in (wanted, "a")}
        rows.append(
            (row.line, row.pot, row.bluffer, *row.callers, row.bluffs, *folds[wanted], *folds["a"])
        )
        shown.append(
            (
                row.line,
                f"{row.bluffer:.3f}",
                f"{row.bluffs:.0%}",
                *(_percent(each) for each in (*folds[wanted], *folds["a"])),
            )
        )
    means = [
        record.mean_folds(caller, all_in=all_in) for all_in in (False, True) for caller in (0, 1)
    ]
    rows.append(
        (
            "all lines",
            float("nan"),
            float("nan"),
            float("nan"),
            float("nan"),
            record.mean_bluffs(),
            *means,
        )
    )
    shown.append(("all lines", "", f"{record.mean_bluffs():.0%}", *map(_percent, means)))
    plan, beside = results.plan, ""
    if not plan.quick:
        shown.append(("thesis", "", *APPENDIX_TEXTS))
        beside = f" (thesis {APPENDIX_EPSILON})"
    return ReportTable(
        "appendix",
        f"The appendix: KhJh on Qs Th 7h 8s 5s after {plan.length(300)} iterations,"
        f" ε = {record.epsilon:.1f} mbb{beside}",
        (
            "line",
            "pot",
            "weight_KhJh",
            *(f"weight_{hand}" for hand in CALLERS),
            "bluffs",
            *(f"{hand}_folds_to_12" for hand in CALLERS),
            *(f"{hand}_folds_to_all_in" for hand in CALLERS),
        ),
        tuple(rows),
        (
            "line",
            "KhJh is here",
            "it bets",
            *(f"{hand} folds to 12" for hand in CALLERS),
            *(f"{hand} folds to all-in" for hand in CALLERS),
        ),
        tuple(shown),
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


def _percent(share: float) -> str:
    return "" if share != share else f"{share:.0%}"


def _megabytes(count: int) -> str:
    return f"{count / 1e6:,.0f} MB"
