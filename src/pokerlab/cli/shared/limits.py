"""What every solve is told, whatever it solves: the rule, when to stop, and where to write."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from pokerlab.cli.shared.files import check_distinct, check_output

__all__ = ["Limits"]


@dataclass(frozen=True)
class Limits:
    """The options that games and spots share."""

    rule: str | None
    iterations: int | None
    target: str | None
    seconds: float | None
    resume: Path | None
    output: Path | None
    as_json: bool

    def check_files(self, subject: str | None) -> None:
        """Refuse files that cannot be written, or that the solve itself is read from."""
        check_output(self.output, "--output")
        check_output(self.resume, "--resume")
        check_distinct({"--resume": self.resume, "--output": self.output}, [subject])
