"""A whole night's hands judged: each becomes a spot, is solved, and its decisions are compared.

Hands in which the player and one other saw the flop can be judged: their cards are known, and the
stacks. Each is solved for itself, with ranges of charts or of a file and the bet sizes of the hand.
What a hand found is kept at once, so that the same run goes on after any end.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from math import sqrt
from pathlib import Path
from statistics import stdev
from time import monotonic
from typing import Any, NamedTuple

from pokerlab.arena.logs.hand_spot import HandSpot, spot_of_history
from pokerlab.arena.logs.histories import POTS, FoundHand, HandFilter, read_hands
from pokerlab.arena.logs.history_hand import HistoryHand
from pokerlab.drills.judging import GRADES, MISTAKES
from pokerlab.drills.played.played_hands import judge_played, keep_decisions
from pokerlab.engine.subsets.run_out_counts import RunOutCounts
from pokerlab.games.betting_trees.menus import STREETS
from pokerlab.holdem.charts import SIX_MAX
from pokerlab.holdem.spots import solve_spot
from pokerlab.holdem.spots.cost import estimate_cost
from pokerlab.holdem.spots.solving import parse_target
from pokerlab.runtime.errors import one_line, shorten
from pokerlab.runtime.files.hashes import digest
from pokerlab.runtime.files.job_stores import LineStore
from pokerlab.runtime.machine import free_memory, size_text

KEEP = ("none", "mistakes", "all")
"""Which solutions are kept."""
RUNOUTS = "12x10"
"""The turns and rivers that a flop is solved on, if nothing else is said."""
_SAMPLE = 7
"""Spots that are looked at to tell the time."""


@dataclass(frozen=True)
class HandJudging:
    """How hands are judged.

    Attributes
    ----------
    player
        Whose decisions.
    ranges
        A file of ranges by position and action before the flop. Without one, the charts of two
        players of the package are used, and its six-max ranges at fuller tables.
    street
        Where spots begin: ``flop``, or ``turn`` or ``river`` with the ranges of the flop.
    runouts
        Turns and rivers of a flop, as of `pokerlab.holdem.spots.Spot`; None for all.
    target
        How exactly spots are solved.
    seconds
        The most for one hand.
    keep
        One of `KEEP`: ``mistakes`` keeps the solutions of hands with a decision that comes back in
        practice.

    Examples
    --------
    >>> HandJudging("ann", street="preflop")
    Traceback (most recent call last):
    ValueError: street: 'preflop' is not one of flop, turn, river
    """

    player: str
    ranges: str | None = None
    street: str = "flop"
    runouts: str | None = RUNOUTS
    target: str = "1%"
    seconds: float = 120.0
    keep: str = "mistakes"

    def __post_init__(self) -> None:
        for name, accepted in (("street", STREETS), ("keep", KEEP)):
            value = getattr(self, name)
            if value not in accepted:
                raise ValueError(
                    f"{name}: {shorten(repr(value))} is not one of {', '.join(accepted)}"
                )
        if self.runouts is not None:
            RunOutCounts.parse(self.runouts)
        if not parse_target(self.target, 100.0):
            raise ValueError("target: must be above 0, for example 1%")
        if not 0 < self.seconds <= 1e6:
            raise ValueError(f"seconds: {self.seconds:g} is not from 0 to 1,000,000")

    def spot(self, hand: HistoryHand) -> HandSpot:
        """The spot of a hand; `ValueError` says why it cannot be judged."""
        if self.player not in hand.players:
            raise ValueError(f"{shorten(self.player)} does not play it")
        seat = hand.players.index(self.player)
        if not hand.two_on_flop or seat not in hand.before(1)[1]:
            raise ValueError("the player and one other did not see the flop")
        if not hand.holes[seat]:
            raise ValueError("the cards of the player are not known")
        number = STREETS.index(self.street) + 1
        if not any(move.seat == seat and move.street >= number for move in hand.moves):
            raise ValueError(f"the player decides nothing from the {self.street} on")
        return spot_of_history(
            hand,
            ranges=self.ranges or (SIX_MAX if len(hand.spent) > 2 else None),
            street=self.street,
            runouts=self.runouts,
            played_sizes=True,
            with_cards_of=seat,
        )


class HandToJudge(NamedTuple):
    """A hand that can be judged, and where it stands."""

    path: Path
    place: int
    hand: HistoryHand

    @property
    def name(self) -> str:
        """The name of its solution: of the file, the number that the site gave, else the place."""
        number = re.sub(r"[^0-9A-Za-z]", "", self.hand.record.number)
        return f"{self.path.stem}-{number or self.place}"


class HandsToJudge(NamedTuple):
    """The hands that can be judged; how many were looked at; and why others cannot."""

    hands: list[HandToJudge]
    looked_at: int
    passed: Counter[str]

    def seconds(self, judging: HandJudging) -> tuple[float, float]:
        """From the least to the most that the solves are likely to take, on an idle machine."""
        if not self.hands:
            return 0.0, 0.0
        step = max(len(self.hands) // _SAMPLE, 1)
        sample = self.hands[::step][:_SAMPLE]
        spans = []
        for each in sample:
            spot = judging.spot(each.hand).spot
            percent = 100 * (parse_target(judging.target, spot.pot) or 1.0) / spot.pot
            spans.append(estimate_cost(spot).seconds(percent))
        means = [sum(part) / len(spans) for part in zip(*spans, strict=True)]
        low, high = (len(self.hands) * min(mean, judging.seconds) for mean in means)
        return low, high


def hands_to_judge(
    files: Mapping[Path, Collection[int] | None],
    judging: HandJudging,
    chosen: HandFilter | None = None,
) -> HandsToJudge:
    """Look for hands that can be judged: of each file those at some places, from 1, or all."""
    found: list[HandToJudge] = []
    passed: Counter[str] = Counter()
    count = 0
    for path, places in files.items():
        for each in read_hands(path, places):
            if not isinstance(each, FoundHand):
                continue
            if chosen is not None and not chosen.takes(each.hand):
                continue
            count += 1
            try:
                judging.spot(each.hand)
            except ValueError as error:
                passed[_kind(str(error))] += 1
            else:
                found.append(HandToJudge(path, each.number, each.hand))
    return HandsToJudge(found, count, passed)


def _kind(reason: str) -> str:
    """A reason without what differs from hand to hand, for counting."""
    return one_line(reason.partition("; ")[0], 120)


def judge_hands(
    asked: HandsToJudge,
    judging: HandJudging,
    *,
    store: str | Path | None = None,
    solutions: str | Path | None = None,
    keep_mistakes: bool = False,
    threads: int | None = None,
    report: Callable[[str, int, int], None] | None = None,
) -> Iterator[dict[str, Any]]:
    """Solve hands one by one and judge the decisions of the player: one JSON object for each.

    Parameters
    ----------
    asked, judging
        The hands, and how they are judged.
    store
        A file for what was found: with it, the same call goes on after an interruption.
    solutions
        A folder for the solutions that are kept (`HandJudging.keep`).
    keep_mistakes
        Add the decisions to the logs of the kept solutions, for practice.
    threads
        Of each solve; by default all.
    report
        Called with what is being done, how many hands are done, and how many there are.
    """
    lines = None if store is None else _open_store(Path(store))
    known = {} if lines is None else lines.all()
    names = Counter(each.name for each in asked.hands)
    for number, each in enumerate(asked.hands):
        key = _key(each, judging)
        if report is not None:
            report("hands judged", number, len(asked.hands))
        if key in known and not known[key].get("again"):
            yield known[key]
            continue
        name = each.name if names[each.name] == 1 else f"{each.name}-{key[:8]}"
        row = {"key": key} | judge_one(
            each,
            judging,
            name,
            solutions=None if solutions is None else Path(solutions),
            keep_mistakes=keep_mistakes,
            threads=threads,
        )
        if lines is not None:
            lines.add(key, row)
        yield row
    if report is not None:
        report("hands judged", len(asked.hands), len(asked.hands))


def judged_rows(store: str | Path) -> list[dict[str, Any]]:
    """What a run has found so far; empty before its first hand."""
    path = Path(store)
    return list(_open_store(path).all().values()) if path.is_file() else []


def _open_store(path: Path) -> LineStore[dict[str, Any]]:
    return LineStore(path, dict, _checked, lambda row: str(row["key"]))


def judge_one(
    asked: HandToJudge,
    judging: HandJudging,
    name: str,
    *,
    solutions: Path | None = None,
    keep_mistakes: bool = False,
    threads: int | None = None,
) -> dict[str, Any]:
    """Solve the spot of a hand, and judge what the player did in it; `name` is its solution's.

    A solve for which there is no memory is tried again by the next run (``again``).
    """
    hand = asked.hand
    spot, _, note = judging.spot(hand)
    seat = hand.players.index(judging.player)
    row: dict[str, Any] = {
        "file": asked.path.name,
        "path": str(asked.path),
        "place": asked.place,
        "number": hand.record.number,
        "board": hand.board,
        "cards": hand.holes[seat],
        "position": hand.positions[seat],
        "kind": POTS[min(hand.raises, len(POTS) - 1)],
        "pot": hand.pot / hand.big_blind,
        "note": note,
        "decisions": [],
        "lost": 0.0,
        "solution": None,
        "exploitability": None,
        "seconds": 0.0,
        "reason": "",
    }
    needed, free = estimate_cost(spot).peak_bytes, free_memory()
    if needed > free:
        reason = f"its solve needs {size_text(needed)}, {size_text(free)} are free"
        return row | {"reason": reason, "again": True}
    began = monotonic()
    try:
        solution = solve_spot(spot, target=judging.target, seconds=judging.seconds, threads=threads)
        found = judge_played(hand, solution)
    except ValueError as error:
        return row | {"reason": one_line(str(error), 200)}
    mine = [each for each in found.moves if each.seat == seat]
    wrong = any(each.judgement.grade in MISTAKES for each in mine)
    if solutions is not None and (judging.keep == "all" or (judging.keep == "mistakes" and wrong)):
        solutions.mkdir(parents=True, exist_ok=True)
        path = solutions / f"{name}.safetensors"
        (solution.first_streets(1) if judging.street == "flop" else solution).save(path)
        row["solution"] = path.name
        if keep_mistakes:
            keep_decisions(path, asked.path.name, asked.place, mine)
    decisions = [
        {
            "street": STREETS[hand.moves[each.move].street - 1],
            "move": each.move,
            "size": each.done,
            **each.judgement.to_json(),
        }
        for each in mine
    ]
    return row | {
        "decisions": decisions,
        "lost": sum(counted_loss(each) for each in decisions),
        "exploitability": solution.exploitability.percent,
        "seconds": round(monotonic() - began, 2),
        "reason": found.reason if mine else found.reason or "no decision of the player is in it",
    }


def counted_loss(decision: Mapping[str, Any]) -> float:
    """What a decision lost, in big blinds: 0 where the solution is not more exact than the loss."""
    return 0.0 if decision["grade"] == "best" else float(decision["loss_bb"] or 0.0)


def judged_summary(rows: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """What a night lost: in all, a hand, by street and by kind of pot; the worst decisions first.

    Examples
    --------
    >>> judged_summary([])["per_hundred"] is None
    True
    """
    rows = list(rows)
    judged = [row for row in rows if row["decisions"]]
    parts: dict[str, dict[str, list[Mapping[str, Any]]]] = {"street": {}, "kind": {}}
    worst = []
    grades = dict.fromkeys(GRADES, 0)
    for row in judged:
        for each in row["decisions"]:
            grades[each["grade"]] += 1
            parts["street"].setdefault(each["street"], []).append(each)
            parts["kind"].setdefault(row["kind"], []).append(each)
            about = {name: value for name, value in row.items() if name != "decisions"}
            worst.append({**each} | about | {"loss_bb": counted_loss(each)})
    worst.sort(key=lambda each: -each["loss_bb"])
    lost = sum(row["lost"] for row in judged)
    losses = [row["lost"] for row in judged]
    return {
        "hands": len(rows),
        "judged": len(judged),
        "decisions": len(worst),
        "lost": lost,
        "per_hand": lost / len(judged) if judged else None,
        "per_hundred": 100 * lost / len(judged) if judged else None,
        "error": 100 * stdev(losses) / sqrt(len(losses)) if len(losses) > 1 else 0.0,
        "grades": grades,
        "by_street": _sums(parts["street"], STREETS),
        "by_kind": _sums(parts["kind"], POTS),
        "seconds": sum(row["seconds"] for row in rows),
        "not_judged": dict(
            Counter(_kind(row["reason"]) for row in rows if not row["decisions"]).most_common()
        ),
        "worst": worst,
    }


def _sums(
    parts: Mapping[str, list[Mapping[str, Any]]], order: Iterable[str]
) -> list[dict[str, Any]]:
    return [
        {
            "name": name,
            "decisions": len(parts[name]),
            "mistakes": sum(each["grade"] in MISTAKES for each in parts[name]),
            "lost": sum(map(counted_loss, parts[name])),
        }
        for name in order
        if name in parts
    ]


def _key(asked: HandToJudge, judging: HandJudging) -> str:
    """What names a hand and how it is judged, for good."""
    spot = judging.spot(asked.hand).spot.to_toml()
    parts = asked.path.name, asked.place, spot, sorted(asdict(judging).items())
    return digest(repr(parts).encode())


def _checked(data: Any) -> dict[str, Any]:
    good = isinstance(data, dict) and isinstance(data.get("key"), str)
    if not good or not isinstance(data.get("decisions"), list):
        raise ValueError("not what was found of a hand")
    return dict(data)
