"""The process that reads a checkpoint: ``python -m pokerlab.web.jobs.look_process FOLDER``.

Of a solve that is paused or was killed, it writes the state from which it goes on, to be studied.
It takes the memory of the solve for some seconds, and gives it back by ending.
"""

from __future__ import annotations

import sys
import traceback
from pathlib import Path

from pokerlab.runtime.errors import one_line
from pokerlab.web.jobs.job_folder import JobFolder
from pokerlab.web.jobs.looks import write_state


def read_state(folder: Path) -> None:
    """Write the state in the checkpoint of a folder; what is wrong is said there."""
    from pokerlab.holdem.spots import Spot
    from pokerlab.holdem.spots.solving import solution_in_checkpoint

    job = JobFolder(folder)
    question = job.question()
    try:
        spot = Spot.from_toml(question["spot"])
        threads = question.get("threads")
        solution = solution_in_checkpoint(job.checkpoint, spot, threads=threads)
    except MemoryError:
        job.end_look("there is too little memory to read its checkpoint")
    except ValueError as error:
        job.end_look(one_line(str(error).replace(f"{folder}/", ""), 300))
    except Exception as error:  # a fault of ours: its traceback is in the log
        traceback.print_exc()
        job.end_look(f"{type(error).__name__}: {one_line(str(error))}")
    else:
        write_state(job, solution)


if __name__ == "__main__":
    read_state(Path(sys.argv[1]))
