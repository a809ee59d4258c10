"""The kernel cache follows the sources of the kernels, and of the kernels they call."""

import subprocess
import sys
import textwrap
from pathlib import Path

from pokerlab import jit

RUN = "from pokerlab.outer_kernels import outer; print(outer(1))"


def write_package(folder, inner):
    package = folder / "pokerlab"
    package.mkdir(exist_ok=True)
    (package / "__init__.py").touch()
    (package / "jit.py").write_text(Path(jit.__file__).read_text(encoding="utf-8"), "utf-8")
    (package / "inner_kernels.py").write_text(
        textwrap.dedent(
            f"""
            from pokerlab.jit import kernel

            @kernel
            def inner(x):
                return x + {inner}
            """
        )
    )
    (package / "outer_kernels.py").write_text(
        textwrap.dedent(
            """
            from pokerlab.inner_kernels import inner
            from pokerlab.jit import kernel

            @kernel
            def outer(x):
                return inner(x)
            """
        )
    )


def run(folder, monkeypatch):
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    monkeypatch.setenv("POKERLAB_CACHE", str(folder / "cache"))
    done = subprocess.run(
        [sys.executable, "-c", RUN], cwd=folder, capture_output=True, text=True, check=True
    )
    return int(done.stdout)


def test_a_change_in_a_called_kernel_is_never_missed(tmp_path, monkeypatch):
    write_package(tmp_path, inner=10)
    assert run(tmp_path, monkeypatch) == 11
    compiled = sorted((tmp_path / "cache" / "jit").rglob("*.nbc"))
    assert compiled
    assert run(tmp_path, monkeypatch) == 11
    assert sorted((tmp_path / "cache" / "jit").rglob("*.nbc")) == compiled
    write_package(tmp_path, inner=20)
    assert run(tmp_path, monkeypatch) == 21


def test_the_cache_folder_can_be_chosen(tmp_path, monkeypatch):
    monkeypatch.setenv("POKERLAB_CACHE", str(tmp_path))
    assert jit.cache_folder() == tmp_path
    monkeypatch.delenv("POKERLAB_CACHE")
    assert jit.cache_folder().name == "pokerlab"
