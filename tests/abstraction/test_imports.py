"""Names of the folder work in whatever order they are asked for."""

import subprocess
import sys
from itertools import permutations

import pytest

NAMES = ("cached_buckets", "strength_tables", "independent_bucket_game")


@pytest.mark.parametrize("names", list(permutations(NAMES)))
def test_a_module_never_takes_the_place_of_a_function(names):
    """Importing one name may import modules: none of them is called like another name."""
    program = (
        "import pokerlab.abstraction as a\n"
        f"for name in {names!r}:\n"
        "    getattr(a, name)\n"
        f"for name in {names!r}:\n"
        "    assert callable(getattr(a, name)), name\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
