"""Tables of what bets, boards and hands cost, and of starts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from pokerlab.games.betting_trees.menus import PLAYERS
from pokerlab.studies.bets.boards import BoardTask
from pokerlab.studies.bets.hands import HandsTask
from pokerlab.studies.bets.menus import BEST, MenuTask
from pokerlab.studies.bets.results import ALL_ANSWERS, BetsResults, LossRow, first_sizes
from pokerlab.studies.bets.starts import TARGETS, UNIFORM, StartTask
from pokerlab.studies.reporting.report_table import Record, ReportTable


def menu_table(results: BetsResults) -> ReportTable | None:
    """What a coarse menu loses, by how unknown sizes are answered."""
    rows = list(results.losses())
    if not rows:
        return None
    records: list[Record] = [
        {
            "street": row.street,
            "board": row.board,
            "sizes": row.sizes,
            "player": PLAYERS[row.player],
            "answer": row.answer,
            "least_percent": row.least,
            "most_percent": row.most,
            "mbb": row.mbb,
            "solves": row.solves,
        }
        for row in rows
    ]
    shown = []
    for street, sizes in dict.fromkeys((row.street, row.sizes) for row in rows):
        here = [row for row in rows if (row.street, row.sizes) == (street, sizes)]
        boards = len({row.board for row in here})
        shown.append(
            {"begins on": street, "sizes": sizes, "boards": str(boards)}
            | {answer: _range_text(here, answer) for answer in ALL_ANSWERS}
        )
    title = "Loss of the coarse player, % of the pot: mean of boards and players (least – most)"
    return ReportTable.of_both("menus", title, records, shown)


def _range_text(rows: list[LossRow], answer: str) -> str:
    found = [row.percent for row in rows if row.answer == answer]
    if not found:
        return ""
    return f"{np.mean(found):.2f} ({min(found):.2f} – {max(found):.2f})"


def board_table(results: BetsResults) -> ReportTable | None:
    """What merging boards costs."""
    records: list[Record] = []
    for task, kept in results.of(BoardTask):
        exact, merged = kept["exact"], kept["merged"]
        records.append(
            {
                "board": task.game.board,
                "ranges": "all hands" if task.game.hands == "random" else "20%",
                "rivers": exact["boards"],
                "rivers_merged": merged["boards"],
                "entries": exact["entries"],
                "entries_merged": merged["entries"],
                "seconds": exact["seconds"],
                "seconds_merged": merged["seconds"],
                "iterations": exact["iterations"],
                "mbb": 1000 * exact["exploitability"],
                "mbb_merged": 1000 * merged["exploitability"],
                "price_percent": task.game.percent(
                    merged["exploitability"] - exact["exploitability"]
                ),
            }
        )
    if not records:
        return None
    return ReportTable.of(
        "boards",
        "Boards merged by suits that can make no flush: exploitability in the real game",
        records,
        {
            "board": "{board}, {ranges}",
            "rivers": "{rivers:,} → {rivers_merged:,}",
            "memory": lambda row: f"1/{float(row['entries']) / float(row['entries_merged']):.2f}",
            "time": lambda row: f"1/{float(row['seconds']) / float(row['seconds_merged']):.2f}",
            "exact, mbb": "{mbb:.2f}",
            "merged, mbb": "{mbb_merged:.2f}",
            "price, % of the pot": "{price_percent:.3f}",
        },
    )


def price_table(results: BetsResults) -> ReportTable | None:
    """Memory and time saved against what is lost, for bets, boards and hands."""
    records = list(_prices(results))
    if not records:
        return None
    return ReportTable.of(
        "abstractions",
        "What each abstraction saves, and what it costs a player: means over games",
        records,
        {
            "abstraction": "{abstraction}",
            "games": "{street}, {games}",
            "memory": "1/{memory:.1f}",
            "time": "1/{time:.1f}",
            "cost, % of the pot": "{percent:.2f}",
            "cost, mbb": "{mbb:.0f}",
        },
    )


def _prices(results: BetsResults) -> Iterator[Record]:
    rows = list(results.losses())
    for street, sizes in dict.fromkeys((row.street, row.sizes) for row in rows):
        tasks = [
            kept
            for task, kept in results.of(MenuTask)
            if (task.game.street, sizes) == (street, _sizes_of(task))
        ]
        memory = [kept["fine"]["entries"] / kept["coarse"]["entries"] for kept in tasks]
        time = [kept["fine"]["seconds"] / kept["coarse"]["seconds"] for kept in tasks]
        for answer in ("pseudo-harmonic", "solve again", BEST):
            here = [
                row
                for row in rows
                if (row.street, row.sizes, row.answer) == (street, sizes, answer)
            ]
            yield _price(
                f"bets {sizes}, {answer}",
                street,
                len(tasks),
                memory,
                time,
                [row.percent for row in here],
                [row.mbb for row in here],
            )
    for street in ("turn", "flop"):
        boards = [
            (task, kept)
            for task, kept in results.of(BoardTask)
            if task.game.street == street and task.game.hands != "random"
        ]
        if boards:
            lost = [
                kept["merged"]["exploitability"] - kept["exact"]["exploitability"]
                for _, kept in boards
            ]
            yield _price(
                "boards, as in the thesis",
                street,
                len(boards),
                [kept["exact"]["entries"] / kept["merged"]["entries"] for _, kept in boards],
                [kept["exact"]["seconds"] / kept["merged"]["seconds"] for _, kept in boards],
                [task.game.percent(each) for (task, _), each in zip(boards, lost, strict=True)],
                [1000 * each for each in lost],
            )
    hands = {(task.game, task.groups): kept for task, kept in results.of(HandsTask)}
    for groups in dict.fromkeys(groups for _, groups in hands if groups):
        pairs = [
            (game, hands[game, ""], kept)
            for (game, name), kept in hands.items()
            if name == groups and (game, "") in hands
        ]
        lost = [kept["exploitability"] - plain["exploitability"] for _, plain, kept in pairs]
        yield _price(
            f"hands, {groups}",
            pairs[0][0].street,
            len(pairs),
            [plain["entries"] / kept["entries"] for _, plain, kept in pairs],
            [plain["seconds"] / kept["seconds"] for _, plain, kept in pairs],
            [game.percent(each) for (game, _, _), each in zip(pairs, lost, strict=True)],
            [1000 * each for each in lost],
        )


def _sizes_of(task: MenuTask) -> str:
    return first_sizes(task.game.bet, task.game.street)


def _price(
    name: str,
    street: str,
    games: int,
    memory: list[float],
    time: list[float],
    percent: list[float],
    mbb: list[float],
) -> Record:
    def middle(ratios: list[float]) -> float:
        return float(np.exp(np.mean(np.log(ratios))))

    return {
        "abstraction": name,
        "street": street,
        "games": games,
        "memory": middle(memory),
        "time": middle(time),
        "percent": float(np.mean(percent)),
        "mbb": float(np.mean(mbb)),
    }


def start_table(results: BetsResults) -> ReportTable | None:
    """Iterations and seconds to targets, from each start."""
    records: list[Record] = []
    for task, kept in results.of(StartTask):
        for weight, made, begins, *reached in kept["rows"]:
            records.append(
                {
                    "board": task.game.board,
                    "start": task.start,
                    "counts_as": weight,
                    "seconds_to_make": made,
                    "percent_at_start": begins,
                }
                | {
                    f"{what}_{target:g}": number
                    for target, pair in zip(
                        TARGETS, zip(reached[::2], reached[1::2], strict=True), strict=True
                    )
                    for what, number in zip(("iterations", "seconds"), pair, strict=True)
                }
            )
    if not records:
        return None
    shown = []
    for name, weight in dict.fromkeys((row["start"], row["counts_as"]) for row in records):
        here = [row for row in records if (row["start"], row["counts_as"]) == (name, weight)]
        begins = [float(row["percent_at_start"]) for row in here]
        texts = {
            "start": str(name),
            "counts as": f"{weight} iterations" if weight else "",
            "boards": str(len(here)),
            "ε at the start, %": f"{np.mean(begins):.2f}" if name != UNIFORM else "",
        }
        for target in TARGETS:
            key = f"iterations_{target:g}"
            texts[f"iterations to {target:g}%"] = f"{np.mean([float(r[key]) for r in here]):.0f}"
            for head, what in (("saved", "iterations"), ("seconds, with the start", "seconds")):
                saved = np.mean(start_saves(records, here, target, what))
                percent = f"{saved:+.0%}".replace("-", "−")
                texts[f"{head} ({target:g}%)"] = percent if name != UNIFORM else ""
        shown.append(texts)
    title = "Does a better start pay? Means over boards, beside uniform play on the same"
    return ReportTable.of_both("starts", title, records, shown)


def start_saves(
    records: Sequence[Record], rows: Sequence[Record], target: float, what: str = "iterations"
) -> list[float]:
    """The part that each row saves against uniform play on its board: iterations, or seconds.

    The seconds that it took to make the start count.
    """
    key = f"{what}_{target:g}"
    plain = {row["board"]: float(row[key]) for row in records if row["start"] == UNIFORM}

    def spent(row: Record) -> float:
        return float(row[key]) + (float(row["seconds_to_make"]) if what == "seconds" else 0.0)

    return [1 - spent(row) / plain[row["board"]] for row in rows]
