"""Settings for all tests: nothing may depend on how busy the machine is."""

import gc
import os
import signal
from collections.abc import Generator
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from pokerlab.runtime.machine import core_count

BROWSER = "tests/web/browser/"

settings.register_profile(
    "pokerlab",
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    # More of them where every test is run (`make test-all`).
    max_examples=int(os.environ.get("POKERLAB_EXAMPLES", "25")),
    # `make test` has the same examples each time; whoever sets their number looks for new ones.
    derandomize="POKERLAB_EXAMPLES" not in os.environ,
)
settings.load_profile("pokerlab")


@pytest.hookimpl(optionalhook=True)  # of pytest-xdist
def pytest_xdist_auto_num_workers() -> int:
    """One worker more than there are cores: some tests wait for a browser or for a process."""
    return core_count() + 1


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Keep the tests in a browser together, as those of a file are: one browser serves them all."""
    if config.getoption("dist") != "loadfile":
        return None
    from xdist.scheduler import LoadFileScheduling

    class ByFile(LoadFileScheduling):
        def _split_scope(self, nodeid: str) -> str:
            scope: str = super()._split_scope(nodeid)
            return BROWSER if scope.startswith(BROWSER) else scope

        def mark_test_complete(self, node: Any, item_index: int, duration: float = 0) -> None:
            # xdist counts all tests that a worker ever had after each one, and of a worker that
            # dies it gives others the files that it had finished, too: who gets no test with a
            # file asks for no other one, and the run never ends.
            super().mark_test_complete(node, item_index, duration)
            files = self.assigned_work[node]
            file = self._split_scope(self.registered_collections[node][item_index])
            if all(files[file].values()):
                del files[file]

    return ByFile(config, log)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Python need not look for garbage among nine thousand tests again and again."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.collect()
        gc.freeze()
        gc.enable()


def pytest_configure() -> None:
    """Give Ctrl-C its meaning back where the suite runs in the background of a script.

    There it is ignored, also in all processes that are started from here.
    """
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
