"""What every solve takes, whatever it solves: the rule, when to stop, and where to write."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from pokerlab.cli.shared.files import check_output, check_picture

__all__ = ["INTERRUPTED", "Limits"]

INTERRUPTED = 130
"""The exit code after Ctrl-C, as shells have it."""


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

    def check_files(self, subject: str | None) -> None:
        """Refuse files that cannot be written, or that the solve itself is read from."""
        check_output(self.output, "--output")
        check_output(self.resume, "--resume")
        check_picture(self.plot, "--plot")
        # A game of the catalogue is a name, even where a file is called the same.
        read = Path(subject) if subject is not None and Path(subject).is_file() else None
        used = [read, self.resume]
        if self.output is not None and self.output in used:
            raise ValueError(f"--output {self.output}: the solve needs this file; name another one")
