"""`Site`: what the handlers of one application share."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from starlette.requests import Request

from pokerlab.web.batch_reports import BatchReports
from pokerlab.web.jobs import Jobs
from pokerlab.web.kept_tables import KeptTables
from pokerlab.web.library import Library
from pokerlab.web.opened import Opened

__all__ = ["Site", "site_of"]


class Site:
    """A folder, what is in it, and what is open of it.

    Attributes
    ----------
    folder
        The folder; nothing outside of it is read or written.
    library
        Its files by id.
    opened
        Solutions that are open, and answers that were made before.
    jobs
        Solves that wait, run or have ended.
    batch_reports
        Lines on all boards of a batch, made or being made.
    training, play
        Tables at which somebody trains or plays.
    """

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder).resolve()
        if not self.folder.is_dir():
            raise ValueError(f"{folder} is not a folder")
        self.library = Library(self.folder)
        self.opened = Opened()
        self.jobs = Jobs(self.folder)
        self.batch_reports = BatchReports()
        self.training: KeptTables[Any] = KeptTables(self.folder / ".pokerlab" / "training")
        self.play: KeptTables[Any] = KeptTables(self.folder / ".pokerlab" / "play")


def site_of(request: Request) -> Site:
    """The site that a request is about."""
    site = request.app.state.site
    assert isinstance(site, Site)
    return site
