"""Settings for all tests: nothing may depend on how busy the machine is."""

import os

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "pokerlab",
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    # What random examples find is for people to look at; a build server repeats itself.
    derandomize="CI" in os.environ,
)
settings.load_profile("pokerlab")

_ENGINE = (
    "tests/postflop/",
    "src/pokerlab/postflop/",
    "tests/cli/commands/test_solve",
    "tests/cli/test_spot",
    "tests/studies/abstraction/",
)
"""Tests that need the kernels of the post-flop engine, most of what there is to compile."""


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """Let one worker do all tests of the post-flop engine, or two would compile it side by side.

    Other files are spread, each in one piece: its tests share solved games.
    """
    from xdist.scheduler import LoadFileScheduling

    class EngineTogether(LoadFileScheduling):
        def _split_scope(self, nodeid):
            return "engine" if nodeid.startswith(_ENGINE) else super()._split_scope(nodeid)

    return EngineTogether(config, log) if config.getvalue("dist") == "loadfile" else None
