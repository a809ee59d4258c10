"""`Site`: the shared state of an application's handlers."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import datetime
from pathlib import Path
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from pokerlab.runtime.errors import shorten
from pokerlab.web.answers import FieldError, json_answer, json_body
from pokerlab.web.files.histories import HistoryFiles
from pokerlab.web.files.library import LIVE, Library, Listed
from pokerlab.web.files.opened import Opened
from pokerlab.web.jobs.queue import Jobs
from pokerlab.web.pages.batch_reports import BatchReports
from pokerlab.web.pages.kept_tables import KeptTables
from pokerlab.web.pages.practice_logs import PracticeLogs


class Site:
    """A folder, its files, and the open ones among them.

    Attributes
    ----------
    folder
        The folder; nothing outside of it is read or written.
    library
        Its files by id.
    histories
        The hands of its histories.
    opened
        Solutions that are open, and answers that were made before.
    jobs
        Solves that wait, run or have ended.
    batch_reports
        Lines on all boards of a batch, made or being made.
    drills, play
        Tables at which somebody trains or plays.
    logs
        What training came to.
    clock
        What tells the time of training; None for this machine's clock.
    """

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder).resolve()
        if not self.folder.is_dir():
            raise ValueError(f"{folder} is not a folder")
        self.library = Library(self.folder)
        self.histories = HistoryFiles(self.folder, self.library)
        self.opened = Opened()
        self.jobs = Jobs(self.folder)
        self.batch_reports = BatchReports()
        self.logs = PracticeLogs()
        self.clock: Callable[[], datetime] | None = None
        self.drills: KeptTables[Any] = KeptTables(self.folder / ".pokerlab" / "training")
        self.play: KeptTables[Any] = KeptTables(self.folder / ".pokerlab" / "play")

    def find_solution(self, id_: str) -> Listed:
        """The solution with an id: a file of the library, or the state of a solve under way."""
        if id_.startswith(LIVE):
            return self.jobs.find_state(id_)
        return self.library.find(id_, "solution")


def site_of(request: Request) -> Site:
    """The site that a request is about."""
    site = request.app.state.site
    assert isinstance(site, Site)
    return site


def posting(work: Callable[..., Any], *fields: str) -> Callable[[Request], Awaitable[Response]]:
    """A handler that answers with what `work` makes of the JSON that is sent, in a thread.

    `work` gets the site, the data, and the parts of the address that are in braces. Data with a
    field that is not one of `fields` is refused: a typo must not go unseen.
    """

    async def handle(request: Request) -> Response:
        data = await json_body(request)
        for name in data:
            if name not in fields:
                accepted = ", ".join(fields) or "none"
                raise FieldError(name, f"{shorten(name)}: unknown field (accepted: {accepted})")
        parts = request.path_params.values()
        return json_answer(await run_in_threadpool(work, site_of(request), data, *parts))

    return handle
