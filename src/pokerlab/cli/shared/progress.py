"""The progress of a solve on stderr: a line that is drawn again, or a log.

On a terminal one line says what happens now: preparing, compiling, the iteration with its
exploitability, the time that is left, a small curve; certifying, saving. Anywhere else (a file, a
pipe) the same becomes lines of a log, at intervals that grow, and without control characters. A
solve that is over within two seconds leaves no log.
"""

from __future__ import annotations

import math
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from pokerlab.cli.shared.interruption import STOPPING
from pokerlab.cli.shared.output import new_console
from pokerlab.cli.shared.plain_text import tell
from pokerlab.machine import duration_text

if TYPE_CHECKING:
    from pokerlab.solvers.history import Point
    from pokerlab.solvers.loop import Progress
    from pokerlab.studies.cgh.race import RaceProgress

_BLOCKS = "▁▂▃▄▅▆▇█"
_CURVE = 16
_SMALLEST_CURVE = 6
_WIDTH = 79
_LOG_BEGINS = 2.0
_LONGEST_SILENCE = 600.0


class SolveStatus:
    """The status of a solve. It is itself the report of `pokerlab.solvers.run`.

    Parameters
    ----------
    show
        Turns an exploitability into text with its unit.
    show_inside
        The same for an exploitability inside groups of hands, without the unit.
    changed
        Called when something happens that people should see at once.

    Examples
    --------
    >>> from pokerlab.views.texts import number_text
    >>> from pokerlab.solvers import Point, Progress
    >>> status = SolveStatus(lambda chips: f"{number_text(chips)} chips")
    >>> status.line(0.0)
    'preparing'
    >>> history = tuple(Point(n, n / 10, 30 / n) for n in (1, 2, 4, 8, 16, 24, 32))
    >>> status(Progress(32, 3.2, history, None, 0.5, None))
    >>> status.line(4.0)
    'iteration 32, 0.94 chips, 4 s, about 3 s left  ██▇▇▅▅▅▄▄▂▂▂▁▁▁▁'
    >>> status.stop()
    >>> status.enter("certifying 40%")
    >>> status.line(5.0)
    'stopping… certifying 40%, 0.94 chips, 5 s'

    A solve that stands still says so:

    >>> status = SolveStatus(lambda chips: f"{number_text(chips)} chips")
    >>> status(Progress(32, 3.2, history, None, 0.5, None, stalled=True))
    >>> status.line(4.0, curved=False)
    'iteration 32, 0.94 chips, stalled, 4 s'
    """

    def __init__(
        self,
        show: Callable[[float], str],
        show_inside: Callable[[float], str] | None = None,
        changed: Callable[[], None] = lambda: None,
    ) -> None:
        self.show = show
        self.show_inside = show_inside or show
        self.changed = changed
        self.phase = "preparing"
        self.stopping = False
        self.progress: Progress | None = None
        self._prepared: float | None = None  # the seconds that had passed when the loop began

    def __call__(self, progress: Progress) -> None:
        """Take the newest report of the loop, and pass on what went wrong since the last one."""
        known = 0 if self.progress is None else len(self.progress.warnings)
        for warning in progress.warnings[known:]:
            tell(f"warning: {warning}")
        self.progress = progress
        self.phase = progress.phase if progress.phase.startswith("certifying") else ""
        if progress.phase == "stopping":
            self.stopping = True

    def enter(self, phase: str) -> None:
        """Say what happens besides iterations: preparing, certifying, saving."""
        self.phase = phase
        self.changed()

    def stop(self) -> None:
        """Say that Ctrl-C was pressed and has been noticed."""
        self.stopping = True
        self.changed()

    def line(self, elapsed: float, width: int = _WIDTH, *, curved: bool = True) -> str:
        """The status after `elapsed` seconds; the curve takes the room that is left."""
        from pokerlab.solvers.pace import seconds_left

        progress = self.progress
        if progress is None or self._prepared is None:
            self._prepared = elapsed
        before = [self.phase] if self.phase else []
        if progress is not None and not self.phase:
            before.append(f"iteration {progress.iteration:,}")
            if progress.phase not in ("iterating", "stopping"):
                before.append(progress.phase)
        after = ["stalled"] if progress is not None and progress.stalled else []
        after += [duration_text(elapsed)] if elapsed >= 1 else []
        drawn = ""
        if progress is not None and not self.phase and not self.stopping:
            left = seconds_left(progress, elapsed - self._prepared)
            guess = "estimating…" if left is None else f"about {duration_text(left)} left"
            after += [] if progress.stalled else [guess]
            drawn = curve(progress.history) if curved else ""
        texts = [
            ("stopping… " if self.stopping else "") + ", ".join([*before, *reached, *after])
            for reached in self._reached()
        ]
        text = next((each for each in texts if len(each) <= width), texts[-1])
        room = width - len(text) - 2
        if progress is not None and _SMALLEST_CURVE <= room < len(drawn):
            drawn = curve(progress.history, room)
        return f"{text}  {drawn}" if drawn and len(drawn) <= room else text[:width]

    def _reached(self) -> list[list[str]]:
        """What has been reached, in more and in fewer words."""
        if self.progress is None or self.progress.exploitability is None:
            return [[]]
        real = self.show(self.progress.exploitability)
        if self.progress.exploitability_abstract is None:
            return [[real]]
        inside = self.show_inside(self.progress.exploitability_abstract)
        return [[f"{real} ({inside} inside the groups)"], [f"{real} ({inside} inside)"], [real]]


class LogTimes:
    """When a log gets its next line: after 2 seconds, 4, 8, …, in the end every 10 minutes.

    Examples
    --------
    >>> times = LogTimes()
    >>> [second for second in range(20) if times.is_due(second)]
    [2, 4, 8, 16]
    """

    def __init__(self) -> None:
        self.next = _LOG_BEGINS

    def is_due(self, elapsed: float) -> bool:
        """Whether a line is due; if so, the next one is planned."""
        if elapsed < self.next:
            return False
        self.next = elapsed + min(elapsed, _LONGEST_SILENCE)
        return True


@contextmanager
def solve_progress(
    show: Callable[[float], str],
    show_inside: Callable[[float], str] | None = None,
    *,
    quiet: bool = False,
) -> Iterator[SolveStatus]:
    """Show the status of a solve on stderr while the block runs.

    Parameters
    ----------
    show
        Turns an exploitability into text with its unit.
    show_inside
        The same for an exploitability inside groups of hands, without the unit.
    quiet
        Whether to show nothing at all.
    """
    status = SolveStatus(show, show_inside)
    if quiet:
        yield status
    elif sys.stderr.isatty():
        with on_interrupt(status.stop), _drawn(status):
            yield status
    else:
        with on_interrupt(status.stop), _logged(status):
            yield status


@contextmanager
def _drawn(status: SolveStatus) -> Iterator[None]:
    from rich.live import Live
    from rich.text import Text

    began = time.perf_counter()
    console = new_console(stderr=True)

    def draw() -> Text:
        line = status.line(time.perf_counter() - began, console.width - 1)
        return Text(line, overflow="ellipsis", no_wrap=True)

    with Live(console=console, transient=True, refresh_per_second=8, get_renderable=draw) as live:
        status.changed = live.refresh
        try:
            yield
        finally:
            status.changed = lambda: None


class Log:
    """The status as lines on stderr: the first after two seconds, the last at the end."""

    def __init__(self, status: SolveStatus) -> None:
        self.status = status
        self.began = time.perf_counter()
        self._times = LogTimes()
        self._said = ""
        self._writing = threading.Lock()

    def write_if_due(self) -> None:
        """Write a line, if it is time for one."""
        with self._writing:
            if self._times.is_due(time.perf_counter() - self.began):
                self._write()

    def stopping(self) -> None:
        """Say at once that Ctrl-C was noticed, and what happens after it."""
        if self.status.stopping:
            with self._writing:
                self._write()

    def end(self) -> None:
        """Write how it ended, if anything was written before."""
        with self._writing:
            if self._said:
                self._write()

    def _write(self) -> None:
        line = self.status.line(time.perf_counter() - self.began, sys.maxsize, curved=False)
        if line != self._said:
            self._said = line
            tell(line)


@contextmanager
def _logged(status: SolveStatus) -> Iterator[None]:
    log, over = Log(status), threading.Event()

    def tick() -> None:
        while not over.wait(0.2):
            log.write_if_due()

    status.changed = log.stopping
    ticker = threading.Thread(target=tick, daemon=True)
    ticker.start()
    try:
        yield
    finally:
        over.set()
        ticker.join()
        status.changed = lambda: None
        log.end()


@contextmanager
def on_interrupt(notice: Callable[[], None]) -> Iterator[None]:
    """Call `notice` at the moment of Ctrl-C, even while a kernel keeps the main thread busy.

    Python runs signal handlers between two steps of the main thread, which may be seconds later;
    the byte that it writes at the signal itself wakes a thread of ours.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    receiver, sender = socket.socketpair()
    sender.setblocking(False)
    before = signal.set_wakeup_fd(sender.fileno(), warn_on_full_buffer=False)

    def listen() -> None:
        while received := receiver.recv(64):
            if any(number in received for number in STOPPING):
                notice()

    listener = threading.Thread(target=listen, daemon=True)
    listener.start()
    try:
        yield
    finally:
        signal.set_wakeup_fd(before)
        sender.close()  # which ends the thread
        listener.join()
        receiver.close()


@contextmanager
def race_progress(*, quiet: bool = False) -> Iterator[Callable[[RaceProgress], None] | None]:
    """Give the report function for a race; None where nobody looks."""
    if quiet or not sys.stderr.isatty():
        yield None
        return
    from rich.live import Live
    from rich.text import Text

    with Live(console=new_console(stderr=True), transient=True, refresh_per_second=8) as live:

        def report(progress: RaceProgress) -> None:
            parts = [
                f"{progress.number} of {progress.total}",
                f"{progress.rule} on {progress.game}",
                f"iteration {progress.run.iteration:,}",
                curve(progress.run.history),
            ]
            live.update(Text("  ".join(parts), overflow="ellipsis", no_wrap=True))

        yield report


def curve(history: Sequence[Point], width: int = _CURVE) -> str:
    """The exploitability so far on a logarithmic scale, as one row of blocks.

    Examples
    --------
    >>> from pokerlab.solvers import Point
    >>> curve([Point(n, 0.0, 1 / n) for n in (1, 2, 4, 8, 16)], width=5)
    '█▆▄▂▁'
    """
    values = [math.log(point.exploitability) for point in history if point.exploitability > 0]
    if len(values) < 2:
        return ""
    chosen = [values[round(place * (len(values) - 1) / (width - 1))] for place in range(width)]
    low, high = min(chosen), max(chosen)
    if high == low:
        return _BLOCKS[0] * width
    return "".join(_BLOCKS[int(7.999 * (value - low) / (high - low))] for value in chosen)
