"""The kernel cache follows every module that a kernel's module imports, and forgives damage."""

import ast
import gc
import os
import runpy
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

import numba
import pytest
from numba.core import event
from tests.sources import read_source

import pokerlab
from pokerlab.runtime import file_locks, import_graph, jit, kernel_cache
from pokerlab.runtime.import_graph import files_behind

PACKAGE = Path(pokerlab.__file__).parent

RUN = """
import numpy as np
from pokerlab.outer_kernels import outer
from pokerlab.rooms.pair import Pair
from pokerlab.annotated import Annotated
print(*outer(Pair(first=1, second=2), Annotated(first=3, second=4)))
"""

LIGHTLY = RUN + "import sys; print(int('numba.np.arraymath' not in sys.modules))"
"""The same, and whether it did without what Numba loads in order to compile."""

# A kernel whose result shows what it took from each of its neighbours.
FILES = {
    "__init__.py": "",
    "called_kernels.py": """
        from pokerlab.runtime.jit import kernel

        @kernel
        def called():
            return 10
        """,
    "constants.py": "CONSTANT = 20\n",
    "further.py": "FURTHER = 30\n",
    "between.py": """
        from pokerlab import (  # a comment with a bracket :)
            further,
        )
        INDIRECT = further.FURTHER
        """,
    "helpers.py": """
        from numba.extending import register_jitable

        @register_jitable
        def helper():
            return 40
        """,
    "rooms/__init__.py": "import lazy_loader\n"
    "__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)\n",
    "rooms/__init__.pyi": "from .pair import Pair\n__all__ = ['Pair']\n",
    "rooms/pair.py": """
        from typing import NamedTuple

        class Pair(NamedTuple):
            first: int
            second: int
        """,
    "annotated.py": """
        from typing import NamedTuple

        class Annotated(NamedTuple):
            first: int
            second: int
        """,
    "outer_kernels.py": """
        from __future__ import annotations

        from typing import TYPE_CHECKING

        import pokerlab.constants as constants
        from pokerlab.between import INDIRECT
        from pokerlab.called_kernels import called
        from pokerlab.helpers import helper
        from pokerlab.runtime.jit import kernel
        from pokerlab.rooms import Pair

        if TYPE_CHECKING:
            from pokerlab.annotated import Annotated

        LOCAL = constants.CONSTANT

        @kernel(makes_arrays=False)
        def outer(pair: Pair, annotated: Annotated):
            return called(), LOCAL, INDIRECT, helper(), pair.first, annotated.first
        """,
}


@pytest.fixture
def package(tmp_path, monkeypatch):
    """A package with the `kernel` of this one and a kernel that needs all of its modules."""
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    monkeypatch.setenv("POKERLAB_CACHE", str(tmp_path / "cache"))
    folder = tmp_path / "pokerlab"
    for name in ("rooms", "runtime"):
        (folder / name).mkdir(parents=True)
    for module in (jit, import_graph, kernel_cache, file_locks):
        shutil.copy(module.__file__, folder / "runtime")
    for name, text in FILES.items():
        (folder / name).write_text(textwrap.dedent(text))
    return folder


def importing(package):
    """The environment of a process that imports the package from there, and all else as before."""
    paths = [str(package.parent), os.environ.get("PYTHONPATH")]
    return os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, paths))}


def run(package, code=RUN):
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=package.parent,
        env=importing(package),
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return [int(word) for word in done.stdout.split()]


def edit(path, old, new):
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


def machine_code(package):
    return {
        path: path.stat().st_mtime_ns for path in (package.parent / "cache").rglob("outer*.kernel")
    }


@pytest.mark.slow
def test_a_change_in_an_imported_module_is_never_missed(package):
    assert run(package) == [10, 20, 30, 40, 1, 3]
    compiled = machine_code(package)
    assert len(compiled) == 1
    assert run(package, LIGHTLY) == [10, 20, 30, 40, 1, 3, 1]
    assert machine_code(package) == compiled  # nothing changed, nothing was compiled

    in_order, swapped = "first: int\n    second: int", "second: int\n    first: int"
    edits = {
        "called_kernels.py": ("10", "11"),
        "constants.py": ("20", "21"),
        "further.py": ("30", "31"),
        "helpers.py": ("40", "41"),
        "rooms/pair.py": (in_order, swapped),
        "annotated.py": (in_order, swapped),
    }
    # Any one of them alone changes the digest; a process for each would take long.
    found = runpy.run_path(str(package / "runtime" / "import_graph.py"))["files_behind"]
    assert {package / name for name in edits} <= found(package / "outer_kernels.py")
    for name, (old, new) in edits.items():
        edit(package / name, old, new)
    assert run(package) == [11, 21, 31, 41, 1, 3]

    # The others come from the cache, and this one is linked with them.
    edit(package / "outer_kernels.py", "called(), LOCAL", "called() + 100, LOCAL")
    assert run(package, LIGHTLY) == [111, 21, 31, 41, 1, 3, 0]


def test_processes_that_miss_the_same_kernel_compile_it_once(package):
    code = f"""
import sys
from pokerlab.outer_kernels import called, outer
print("ready", flush=True)
sys.stdin.readline()
{RUN}
print(*(sum(each.stats.cache_misses.values()) for each in (outer, called)))
"""
    together = [
        subprocess.Popen(
            [sys.executable, "-c", code],
            cwd=package.parent,
            env=importing(package),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for _ in range(2)
    ]
    for process in together:
        assert process.stdout.readline() == "ready\n"
    for process in together:
        process.stdin.write("\n")
        process.stdin.flush()
    lines = [process.communicate()[0].splitlines() for process in together]
    assert [answer for answer, _ in lines] == ["10 20 30 40 1 3"] * 2
    assert sorted(misses for _, misses in lines) == ["0 0", "1 1"]
    assert not list((package.parent / "cache").rglob("*.lock"))


@pytest.mark.slow
def test_damaged_machine_code_is_compiled_again(package):
    expected = run(package)
    compiled = machine_code(package)
    [code] = compiled
    for damaged in (b"", code.read_bytes()[:-100], bytes(500)):
        code.write_bytes(damaged)
        assert run(package) == expected
        whole = machine_code(package)
        assert whole.keys() == compiled.keys()
        assert code.stat().st_size > len(damaged) + 50
        assert run(package) == expected
        assert machine_code(package) == whole  # what was mended is used


@pytest.mark.slow
def test_machine_code_of_other_types_is_not_run(package):
    (package / "twice_kernels.py").write_text(
        textwrap.dedent(
            """
            from pokerlab.runtime.jit import kernel

            @kernel
            def twice(value):
                return value + value
            """
        )
    )
    both = (
        "import numpy as np; from pokerlab.twice_kernels import twice;"
        "print(twice(21), *twice(np.array([4.0, 5.0])).astype(int), sum(twice.stats[1].values()))"
    )
    assert run(package, both) == [42, 8, 10, 0]
    assert run(package, both) == [42, 8, 10, 2]
    first, second = sorted((package.parent / "cache").rglob("twice*.kernel"))
    texts = first.read_bytes(), second.read_bytes()
    first.write_bytes(texts[1])
    second.write_bytes(texts[0])
    assert run(package, both) == [42, 8, 10, 0]
    assert run(package, both) == [42, 8, 10, 2]


def test_arrays_and_errors_of_a_loaded_kernel_are_those_of_a_compiled_one(package):
    (package / "counting_kernels.py").write_text(
        textwrap.dedent(
            """
            import numpy as np
            from pokerlab.runtime.jit import kernel

            @kernel
            def count(until):
                if until < 0:
                    raise ValueError("nothing to count")
                numbers = np.zeros(until)
                for number in range(until):
                    numbers[number] = number
                return numbers
            """
        )
    )
    code = """
import sys
from pokerlab.counting_kernels import count
print(*count(3).astype(int))
try:
    count(-1)
except ValueError as error:
    print(int(str(error) == "nothing to count"))
print(int('numba.np.arraymath' in sys.modules))
"""
    assert run(package, code) == [0, 1, 2, 1, 1]
    assert run(package, code) == [0, 1, 2, 1, 0]


def test_a_cache_that_cannot_be_written_is_not_used(package, monkeypatch):
    (package.parent / "file").touch()
    monkeypatch.setenv("POKERLAB_CACHE", str(package.parent / "file" / "cache"))
    assert run(package) == [10, 20, 30, 40, 1, 3]
    assert not list(package.parent.rglob("*.kernel"))


@pytest.mark.slow
def test_numbas_own_folder_is_digested_too(package, monkeypatch):
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(package.parent / "cache" / "numba"))
    assert run(package) == [10, 20, 30, 40, 1, 3]
    assert all("numba" in path.parts for path in machine_code(package))
    edit(package / "further.py", "30", "31")
    assert run(package) == [10, 20, 31, 40, 1, 3]


def test_a_numba_without_its_private_option_is_served(package):
    forget = "import numba.core.cpu as cpu; del cpu._options_mixin._nrt\n"
    assert run(package, forget + RUN) == [10, 20, 30, 40, 1, 3]


def test_the_cache_folder_can_be_chosen(tmp_path, monkeypatch):
    monkeypatch.setenv("POKERLAB_CACHE", str(tmp_path))
    assert jit.cache_folder() == tmp_path
    monkeypatch.delenv("POKERLAB_CACHE")
    assert jit.cache_folder().name == "pokerlab"


def imports_by_parser(path):
    """The files of the package that the parser sees a file import, lazy names left out."""
    for node in read_source(path).imports:
        if isinstance(node, ast.Import):
            modules = [alias.name for alias in node.names]
        else:
            modules = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
        for module in modules:
            file = PACKAGE.parent.joinpath(*module.split(".")).with_suffix(".py")
            if file.is_relative_to(PACKAGE) and file.is_file():
                yield file


def test_no_import_is_overlooked():
    seen = 0
    for path in PACKAGE.rglob("*.py"):
        expected = set(imports_by_parser(path))
        seen += len(expected)
        assert expected <= import_graph._imported_files(path), path
    assert seen > 500


def test_a_lazy_name_leads_to_its_module(tmp_path):
    script = tmp_path / "script.py"
    script.write_text("from pokerlab.games import BettingGame as Game\n")
    files = files_behind(script)
    assert PACKAGE / "games" / "definition.py" in files
    assert PACKAGE / "games" / "theory.py" not in files
    script = tmp_path / "whole.py"
    script.write_text("import pokerlab.games\n")
    assert PACKAGE / "games" / "theory.py" in files_behind(script)


@jit.kernel(inner=True)
def _twice(number):
    return 2 * number


@numba.njit  # and not a kernel, which the cache may have
def _call_with_constants_and_others(number):
    return _twice(0), _twice(1), _twice(number), _twice(number + 1)


def test_a_kernel_is_compiled_once_for_all_integers():
    assert _call_with_constants_and_others(5) == (0, 2, 10, 12)
    assert len(_twice.signatures) == 1


@pytest.mark.parametrize("searches", [True, False])
def test_no_search_for_garbage_while_a_kernel_is_compiled(searches):
    seen = []

    class Watcher(event.Listener):
        def on_start(self, _):
            seen.append(gc.isenabled())

        def on_end(self, _):
            seen.append(gc.isenabled())

    @numba.njit
    def inner(number):
        return number + 1

    @numba.njit
    def outer(number):
        return inner(number) * 2

    @numba.njit
    def wrong(number):
        return inner(number).nothing

    was = gc.isenabled()
    try:
        (gc.enable if searches else gc.disable)()
        with event.install_listener("numba:compile", Watcher()):
            assert outer(3) == 8
            # Listeners hear of an end in the order in which they hear of a start: ours is first.
            assert seen == [False, False, False, searches]
            assert gc.isenabled() == searches
            with pytest.raises(numba.TypingError):
                wrong(3)
        assert gc.isenabled() == searches
    finally:
        (gc.enable if was else gc.disable)()
