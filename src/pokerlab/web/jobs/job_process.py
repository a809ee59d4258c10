"""How a process that does a job begins and ends: whatever happens between is said in its folder."""

from __future__ import annotations

import time
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pokerlab.runtime.errors import one_line
from pokerlab.web.jobs.job_folder import JobFolder, process_identity

_SECONDS_BETWEEN_TRIES = 2.0


def run_job(
    folder: Path,
    work: Callable[[JobFolder], dict[str, Any]],
    again: Callable[[JobFolder], bool] = lambda job: False,
) -> None:
    """Run the job of a folder; `work` returns the state in which it ends.

    If it is done, `again` says whether there is more to do by now. Who gives a job more to do holds
    its `ending`: either this process sees it, or they see that the job has ended.
    """
    job = JobFolder(folder)
    process, began = process_identity(), time.time()
    job.write_state(status="running", process=process, began=began)
    job.tell(phase="beginning", time=began)
    while True:
        state = _attempt(job, work)
        while job.path.is_dir():
            try:
                with job.ending():
                    if state["status"] == "done" and again(job):
                        break
                    job.write_state(process=process, began=began, ended=time.time(), **state)
                return
            except OSError:  # a full disk: the answer is saved or not, and somebody must learn it
                time.sleep(_SECONDS_BETWEEN_TRIES)
        else:
            return


def _attempt(job: JobFolder, work: Callable[[JobFolder], dict[str, Any]]) -> dict[str, Any]:
    try:
        return work(job)
    except MemoryError:
        return {"status": "failed", "error": "there is not enough memory for this solve"}
    except OSError as error:
        return {"status": "failed", "error": one_line(error.strerror or str(error))}
    except ValueError as error:
        return {"status": "failed", "error": one_line(str(error), 500)}
    except Exception as error:  # a fault of ours: its traceback is in the log
        traceback.print_exc()
        return {"status": "failed", "error": f"{type(error).__name__}: {one_line(str(error))}"}
