"""What an index would get: a source archive, a wheel made from it, and its front page."""

import ast
import os
import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

import pytest
from tests.sources import read_source

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    folder = tmp_path_factory.mktemp("dist")
    # The wheel is built from the source archive, so that what is missing there is noticed.
    done = subprocess.run(
        [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder), str(ROOT)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    (wheel,) = folder.glob("*.whl")
    (source,) = folder.glob("*.tar.gz")
    return wheel, source


@pytest.mark.slow
def test_the_wheel_holds_the_package_and_nothing_else(built):
    wheel, source = built
    package = ROOT / "src" / "pokerlab"
    expected = {
        f"pokerlab/{path.relative_to(package).as_posix()}"
        for path in package.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    with zipfile.ZipFile(wheel) as archive:
        names = {name for name in archive.namelist() if ".dist-info/" not in name}
    assert names == expected
    with tarfile.open(source) as archive:
        held = {name.split("/", 1)[1] for name in archive.getnames() if "/" in name}
    assert {"LICENSE", "README.md", "Makefile", "mkdocs.yml", "tests/test_package.py"} <= held


@pytest.mark.slow
def test_the_wheel_works_where_it_is_installed(built, tmp_path):
    wheel, _ = built
    site = tmp_path / "site"
    install = f"-m pip install --quiet --no-deps --no-index --target {site}"
    subprocess.run(
        [sys.executable, *install.split(), str(wheel)],
        check=True,
        capture_output=True,
    )
    code = (
        "import pokerlab, sys; print(pokerlab.__file__);"
        "from pokerlab.cli.main import main; main(sys.argv[1:])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, "evaluate", "AsKsQsJsTs9h2d", "--json"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(site)},
        capture_output=True,
        text=True,
        check=True,
    )
    where, answer = done.stdout.splitlines()
    assert Path(where).is_relative_to(site)
    assert '"class": 1' in answer


def test_what_is_imported_is_what_is_installed():
    """The tests' own environment has more than a user's, so a missing dependency goes unseen."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    wanted = [*project["dependencies"], *extras["plots"], *extras["parquet"], *extras["cluster"]]
    wanted += [*extras["web"], *extras["hands"]]
    installed = {re.split(r"[<>=\[;]", text)[0].strip().replace("-", "_") for text in wanted}
    # Numba, Matplotlib, Starlette and Uvicorn bring the last four.
    installed |= {"pokerlab", "llvmlite", "PIL", "anyio", "h11"}
    assert extras["gpu"][0].startswith("cupy-cuda")
    installed.add("cupy")  # its wheels are named after versions of CUDA
    for path in (ROOT / "src").rglob("*.py"):
        for node in read_source(path).imports:
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            else:
                names = [node.module]
            for name in (name.split(".")[0] for name in names):
                known = name in sys.stdlib_module_names or name in installed
                assert known, f"{path.relative_to(ROOT)}:{node.lineno} imports {name}"


@pytest.mark.slow
def test_the_front_page_of_the_index_renders(built):
    markdown = pytest.importorskip("readme_renderer.markdown")
    wheel, _ = built
    with zipfile.ZipFile(wheel) as archive:
        (name,) = [name for name in archive.namelist() if name.endswith(".dist-info/METADATA")]
        metadata = archive.read(name).decode("utf-8")
    header, text = metadata.split("\n\n", 1)
    assert re.search(r"^Description-Content-Type: text/markdown", header, re.M)
    assert "Project-URL" not in header
    page = markdown.render(text)
    assert page
    assert "<table>" in page
    assert re.search(r"<h1[^>]*>pokerlab", page)
