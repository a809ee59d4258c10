from __future__ import annotations

import subprocess
import sys
from types import ModuleType

import pokerlab.solvers


def test_public_names_are_things_and_not_modules() -> None:
    for name in pokerlab.solvers.__all__:
        assert not isinstance(getattr(pokerlab.solvers, name), ModuleType), name


def test_rules_are_read_without_numba() -> None:
    program = (
        "import sys; from pokerlab.solvers import RULES, parse_rule; parse_rule('dcfr');"
        "sys.exit('numba' in sys.modules or 'scipy' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
