"""Settings for all tests: nothing may depend on how busy the machine is."""

import gc
import os
import signal

import pytest
from hypothesis import HealthCheck, settings

from pokerlab.machine import core_count

settings.register_profile(
    "pokerlab",
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    # More of them where every test is run (`make test-all`).
    max_examples=int(os.environ.get("POKERLAB_EXAMPLES", "25")),
    # What random examples find is for people to look at; a build server repeats itself.
    derandomize="CI" in os.environ,
)
settings.load_profile("pokerlab")


@pytest.hookimpl(optionalhook=True)  # of pytest-xdist
def pytest_xdist_auto_num_workers() -> int:
    """One worker more than there are cores: some tests wait for a browser or for a process."""
    return core_count() + 1


def pytest_collection_finish() -> None:
    """Python need not look for garbage among nine thousand tests again and again."""
    gc.collect()
    gc.freeze()


def pytest_configure() -> None:
    """Give Ctrl-C its meaning back where the suite runs in the background of a script.

    There it is ignored, also in all processes that are started from here.
    """
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
