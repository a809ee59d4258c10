"""The options of every solve: the rule, when to stop, and where to write."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pokerlab.cli.shared.files import check_distinct, check_output, check_picture
from pokerlab.cli.shared.interruption import CutShortError
from pokerlab.views.stop_texts import stop_text


def advice(stopped: str, rule: str, **storage: Any) -> str | None:
    """Advice after a solve that ended above its target; None for others (see `stop_text`)."""
    text = stop_text(stopped, rule, **storage)
    if stopped == "stalled":
        text += "; with --no-stall the solve goes on"
    return text or None


@dataclass(frozen=True)
class Limits:
    """The options that games and spots share."""

    rule: str | None
    iterations: int | None
    target: str | None
    seconds: float | None
    resume: Path | None
    output: Path | None
    plot: Path | None
    as_json: bool
    stall: bool = True

    def check_files(self, *read: str | None, replaces: bool = False) -> None:
        """Refuse files that cannot be written, or that the solve itself is read from.

        A better solution `replaces` the one it began with, if the user says so by its name.
        """
        check_output(self.output, "--output")
        check_output(self.resume, "--resume")
        check_picture(self.plot, "--plot")
        outputs = {"--resume": self.resume, "--output": self.output, "--plot": self.plot}
        check_distinct(outputs)
        check_distinct(outputs | {"--output": None} if replaces else outputs, read)

    def check_finished(self, stopped: str, iterations: int) -> None:
        """Say what was saved of a solve that Ctrl-C ended, and end with its exit code."""
        if stopped != "interrupted":
            return
        kept = [f"saved to {self.output}"] if self.output is not None else []
        if self.resume is not None:
            kept.append(f"kept in {self.resume}, from which the same command goes on")
        what = " and ".join(kept) or "shown, but not saved"
        raise CutShortError(f"{iterations:,} iterations are {what}")
