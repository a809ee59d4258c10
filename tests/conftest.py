"""Settings for all tests: nothing may depend on how busy the machine is."""

import gc
import os
import signal

from hypothesis import HealthCheck, settings

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
