"""What tasks do: each takes its folder, what was asked, and a function that reports progress.

Searches keep what they have measured in the folder, and go on from there after a kill.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pokerlab.holdem.pushfold import PushFoldSolution
    from pokerlab.web.jobs.job_folder import JobFolder

JUDGED = "judged.jsonl"
"""What was found of the hands of a night, in the folder of its task: a line for each."""

Report = Callable[[str, int, int], None]
"""Takes what is being done, how much of it is done, and how much there is."""


def push_or_fold(job: JobFolder, asked: dict[str, Any], report: Report) -> dict[str, Any]:
    """Solve push or fold for a table, and the hands after it."""
    from pokerlab.holdem.pushfold import HandTables, PushFoldRules, solve_ahead
    from pokerlab.holdem.pushfold.hand_tables import has_three_way, sorted_triples

    rules = PushFoldRules(**asked["rules"])
    if rules.players > 2 and not has_three_way():
        total = len(sorted_triples(169))
        tables = HandTables.load(
            rules.players, lambda done: report("all-ins of three sampled, once", done, total)
        )
    else:
        report("preparing the tables of hands", 0, 0)
        tables = HandTables.load(rules.players)
    found = solve_ahead(
        rules,
        asked["ahead"],
        target=asked["target"],
        iterations=asked["iterations"],
        tables=tables,
        resume=job.kept_values,
        report=report,
    )
    return push_fold_data(found) | {"ahead": asked["ahead"]}


def push_fold_data(found: PushFoldSolution) -> dict[str, Any]:
    """The values of the players, and each decision with its chart of 169 classes."""
    import numpy as np

    from pokerlab.cards.hand_classes import CLASS_NAMES

    rules = found.rules
    start = rules.worth(np.array(rules.stacks))
    return {
        "players": [
            {"position": name, "stack": stack, "worth": worth, "value": value, "gain": gain}
            for name, stack, worth, value, gain in zip(
                rules.positions,
                rules.stacks,
                start.tolist(),
                found.values.tolist(),
                found.gains.tolist(),
                strict=True,
            )
        ],
        "decisions": [
            {
                "position": rules.positions[player],
                "after": [rules.positions[each] for each in before],
                "share": found.share(node) if found.is_met(node) else None,
                "reach": float(found.reach[node]),
                "range": found.range_text(node),
                "shares": found.shares[node].round(4).tolist(),
            }
            for node, (player, before) in enumerate(rules.nodes)
        ],
        "classes": list(CLASS_NAMES),
        "prizes": bool(rules.payouts),
        "iterations": found.iterations,
        "three_way_error": found.error,
        "capped": found.capped if rules.players > 3 else None,
    }


def make_simple(job: JobFolder, asked: dict[str, Any], report: Report) -> dict[str, Any]:
    """Round a solution, keep the simple one in the folder, and say what it loses."""
    from pokerlab.holdem.spots import load_postflop
    from pokerlab.holdem.spots.simple.simplify import simplify
    from pokerlab.views.payloads.simple_payload import simplified_payload

    solution, kept = load_postflop(asked["file"]), job.kept_values
    found = simplify(solution, resume=kept, report=report, **asked["settings"])
    found.solution.save(job.found_solution)
    return simplified_payload(found)


def write_rules(job: JobFolder, asked: dict[str, Any], report: Report) -> dict[str, Any]:
    """Find rules in words for a decision."""
    from pokerlab.holdem.spots import load_postflop
    from pokerlab.holdem.spots.simple.rules import find_rules
    from pokerlab.views.payloads.simple_payload import rules_payload

    solution, kept = load_postflop(asked["file"]), job.kept_values
    found = find_rules(solution, resume=kept, report=report, **asked["settings"])
    found.solution.save(job.found_solution)
    return rules_payload(found)


def split_losses(job: JobFolder, asked: dict[str, Any], report: Report) -> dict[str, Any]:
    """Say where the second of two solutions loses against the first, line by line."""
    from pokerlab.holdem.spots import load_postflop
    from pokerlab.holdem.spots.simple.origins import losses_between
    from pokerlab.views.payloads.simple_payload import origins_payload

    full, simple = (load_postflop(file) for file in asked["files"])
    total = 4 * sum(map(len, full.boards.cards))
    done = 0

    def count(_: int) -> None:
        nonlocal done
        done += 1
        report("boards searched for the loss", done, total)

    return origins_payload(full, losses_between(full, simple, count))


def choose_sizes(job: JobFolder, asked: dict[str, Any], report: Report) -> dict[str, Any]:
    """Find few bet sizes."""
    from pokerlab.games.betting_trees.menus import PLAYERS, STREETS
    from pokerlab.holdem.spots import Spot, find_sizes
    from pokerlab.views.payloads.sizes_payload import sizes_payload

    found = find_sizes(
        Spot.from_toml(asked["spot"]), resume=job.kept_values, report=report, **asked["settings"]
    )
    cells = {
        street: {
            player: ", ".join(map(str, menu or ()))
            for player, menu in zip(PLAYERS, row, strict=True)
        }
        for street, row in zip(STREETS, found.spot.bet.cells, strict=True)
    }
    return sizes_payload(found) | {"cells": cells, "pot": found.spot.pot}


def price_answers(job: JobFolder, asked: dict[str, Any], report: Report) -> dict[str, Any]:
    """What it costs to answer a size that the spot does not have."""
    from pokerlab.holdem.spots import Spot
    from pokerlab.holdem.spots.sizes.unlisted import unlisted_losses
    from pokerlab.views.payloads.sizes_payload import answers_payload

    spot, size = Spot.from_toml(asked["spot"]), asked["size"]
    losses = list(unlisted_losses(spot, size, report=report, **asked["settings"]))
    return answers_payload(size, losses, spot.pot) | {"pot": spot.pot}


def judge_night(job: JobFolder, asked: dict[str, Any], report: Report) -> dict[str, Any]:
    """Judge hands of histories; a task that is killed goes on after the last hand that was done."""
    from pokerlab.drills.played.judged_histories import HandJudging, hands_to_judge, judge_hands

    judging = HandJudging(**asked["judging"])
    report("looking for the hands", 0, 0)
    files = {Path(path): set(places) for path, places in asked["files"].items()}
    found = hands_to_judge(files, judging)
    done = 0
    for _ in judge_hands(
        found,
        judging,
        store=job.path / JUDGED,
        solutions=asked["solutions"],
        keep_mistakes=asked["keep_mistakes"],
        report=report,
    ):
        done += 1
    return {"judged": done, "passed": dict(found.passed.most_common())}


def write_model(job: JobFolder, asked: dict[str, Any], report: Report) -> dict[str, Any]:
    """Count how a player, or all as one, plays after the flop, and write the model."""
    from pokerlab.arena.logs.counting import POOL
    from pokerlab.arena.logs.folder_counts import count_files
    from pokerlab.arena.logs.histories import HandFilter
    from pokerlab.players.opponents.line_summary import line_summary

    player, files = asked["player"], [Path(path) for path in asked["files"]]
    report("files counted", 0, len(files))
    counts = count_files(
        files,
        HandFilter.parse(**asked["filter"]),
        keep=job.path / "counts.jsonl",
        report=lambda progress: report("files counted", progress.done, progress.total),
        lines=True,
        together=player is None,
        player=player,
    )
    name = POOL if player is None else player
    if name not in counts.rows:
        raise ValueError("there are no hands of these stakes, players and pots")
    model = counts.model(name)
    model.save(asked["output"])
    return {
        "player": name,
        "hands": model.hands,
        "decisions": sum(sum(count.values()) for count in model.counts.values()),
        "file": Path(asked["output"]).name,
        "summary": [each._asdict() for each in line_summary(model)],
    }
