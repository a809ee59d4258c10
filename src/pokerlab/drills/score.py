"""The score of a session, or of a whole file of results."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from pokerlab.drills.judging import GRADES, MISTAKES, TOO_SLOW, Judgement
from pokerlab.drills.log import LogEntry
from pokerlab.drills.words import amount_text
from pokerlab.games.betting_trees import Line
from pokerlab.games.betting_trees.menus import STREETS

PREFLOP = "pre-flop"
_WORST = 5


@dataclass(frozen=True)
class DrillScore:
    """A summary of decisions.

    Attributes
    ----------
    hands, decisions
        Hands that were played to their end, and decisions that were made.
    loss_percent, loss_bb
        The mean loss of a decision, in percent of its pot and in big blinds; 0 without one. The
        latter is None if a spot has no big blind.
    loss_bb_hand
        The mean loss of a hand, over the hands with a decision.
    loss, loss_hand
        The same two in chips.
    grades
        How many decisions got each grade.
    streets
        For each street with a decision, how many there were, and their mean loss in percent.
    worst
        Decisions that lost most, in percent of the pot; those that lost nothing are not among them.
    won
        The chips that the hands won, luck included.
    slow
        Decisions whose time was over before anything was done; they are in none of the others.
    seconds
        The mean time that a decision took, over those that were measured; None without one.

    Examples
    --------
    >>> DrillScore.of([]).decisions
    0
    """

    hands: int
    decisions: int
    loss_percent: float
    loss_bb: float | None
    loss_bb_hand: float | None
    loss: float
    loss_hand: float
    grades: dict[str, int]
    streets: dict[str, tuple[int, float]]
    worst: tuple[Judgement, ...]
    won: float
    slow: int = 0
    seconds: float | None = None

    @classmethod
    def of(cls, entries: Iterable[LogEntry], worst: int = _WORST) -> DrillScore:
        """Sum up the lines of a file, or some of them; a decision has at least two actions."""
        entries = [
            entry
            for entry in entries
            if entry.gone is None and (entry.decision is None or len(entry.decision.actions) > 1)
        ]
        made = [
            entry
            for entry in entries
            if entry.decision is not None and entry.decision.grade != TOO_SLOW
        ]
        judged = [entry.decision for entry in made if entry.decision is not None]
        hands = {(entry.session, entry.source, entry.number) for entry in made}
        slow = sum(entry.decision is not None for entry in entries) - len(made)
        seconds = [entry.seconds for entry in made if entry.seconds is not None]
        by_street: dict[str, list[float]] = {}
        for each in judged:
            by_street.setdefault(street_of(each), []).append(each.loss_percent)
        lost = [each for each in judged if each.grade != "best"]
        in_bb = [each.loss_bb for each in judged if each.loss_bb is not None]
        bb = sum(in_bb) if len(in_bb) == len(judged) else None
        chips = sum(each.loss for each in judged)
        return cls(
            hands=sum(entry.decision is None for entry in entries),
            decisions=len(judged),
            loss_percent=sum(each.loss_percent for each in judged) / max(len(judged), 1),
            loss_bb=None if bb is None else bb / max(len(judged), 1),
            loss_bb_hand=None if bb is None else bb / max(len(hands), 1),
            loss=chips / max(len(judged), 1),
            loss_hand=chips / max(len(hands), 1),
            grades={grade: sum(each.grade == grade for each in judged) for grade in GRADES},
            streets={
                street: (len(losses), sum(losses) / len(losses))
                for street in (PREFLOP, *STREETS)
                if (losses := by_street.get(street))
            },
            worst=tuple(sorted(lost, key=lambda each: -each.loss_percent)[:worst]),
            slow=slow,
            seconds=sum(seconds) / len(seconds) if seconds else None,
            won=sum(entry.won for entry in entries if entry.won is not None),
        )

    @property
    def mistakes(self) -> int:
        """Decisions that would come back in a repetition."""
        return sum(self.grades[grade] for grade in MISTAKES)

    @property
    def well(self) -> float:
        """The share of the decisions that were the best or good."""
        return (self.grades["best"] + self.grades["good"]) / max(self.decisions, 1)

    @staticmethod
    def text(chips: float, bb: float | None) -> str:
        """A mean loss in big blinds, or in chips where there are none."""
        return amount_text(chips, None) if bb is None else amount_text(bb, 1)

    def to_json(self) -> dict[str, Any]:
        """As JSON."""
        return {
            "hands": self.hands,
            "decisions": self.decisions,
            "loss_percent": self.loss_percent,
            "loss_bb": self.loss_bb,
            "loss_bb_hand": self.loss_bb_hand,
            "loss": self.loss,
            "loss_hand": self.loss_hand,
            "loss_hand_text": self.text(self.loss_hand, self.loss_bb_hand),
            "grades": self.grades,
            "streets": {
                street: {"decisions": count, "loss_percent": loss}
                for street, (count, loss) in self.streets.items()
            },
            "mistakes": self.mistakes,
            "slow": self.slow,
            "seconds": self.seconds,
            "won": self.won,
            "worst": [each.to_json() for each in self.worst],
        }


def street_of(judged: Judgement) -> str:
    """The street of a decision."""
    if not judged.board:
        return PREFLOP
    return STREETS[len(judged.board) // 2 + len(Line.parse(judged.line).cards) - 3]
