"""What is installed where: requirements without a wheel are left out, and nothing breaks there."""

import ast
import re
import tomllib
from pathlib import Path

import pytest
from packaging.markers import default_environment
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS = {
    name: [Requirement(text) for text in texts]
    for name, texts in PROJECT["optional-dependencies"].items()
}
PYTHONS = ["3.11", "3.12", "3.13", "3.14", "3.15"]
SYSTEMS = {
    "linux-x86": {"sys_platform": "linux", "platform_machine": "x86_64"},
    "linux-arm": {"sys_platform": "linux", "platform_machine": "aarch64"},
    "macos": {"sys_platform": "darwin", "platform_machine": "arm64"},
    "windows": {"sys_platform": "win32", "platform_machine": "AMD64"},
}
MODULES = {
    "open_spiel": {"open_spiel", "pyspiel"},
    "cupy-cuda12x": {"cupy"},
    "mkdocs-material": {"material"},
}
"""The modules of a requirement, where its name is not the name of its one module."""


def modules(requirements):
    return set().union(
        *(MODULES.get(each.name, {each.name.replace("-", "_")}) for each in requirements)
    )


def left_out(python, system):
    """The requirements, of all extras, that a marker leaves out on a system."""
    there = {**default_environment(), "python_version": python, **SYSTEMS[system]}
    return {
        each.name
        for each in [each for extra in EXTRAS.values() for each in extra]
        if each.marker is not None and not each.marker.evaluate(there)
    }


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("python", PYTHONS)
def test_what_has_no_wheel_is_left_out_and_nothing_else(python, system):
    """As the index had it in November 2026."""
    expected = {"cupy-cuda12x"} if system == "macos" else set()
    if system == "linux-arm" or (system != "linux-x86" and python > "3.12"):
        expected.add("eval7")
    if python == "3.15":
        expected |= {"cupy-cuda12x", "ray", "open_spiel", "readme-renderer"}
        expected |= {"mkdocs", "mkdocs-material", "mkdocstrings"}
    assert left_out(python, system) == expected


def imported(tree):
    """Names of modules and the statements that import them, but for those that are tried."""
    tried = {
        inner
        for node in ast.walk(tree)
        if isinstance(node, ast.Try)
        for statement in node.body
        for inner in ast.walk(statement)
    }
    for node in ast.walk(tree):
        if node in tried:
            continue
        if isinstance(node, ast.Import):
            yield from ((alias.name.split(".")[0], node) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module.split(".")[0], node


def test_what_may_be_absent_is_skipped():
    """By `pytest.importorskip`, by `benchmarks.common.peer`, or by a ``try``; never an error."""
    marked = modules(each for extra in EXTRAS.values() for each in extra if each.marker)
    compared = modules(EXTRAS["peers"])
    assert {"eval7", "pyspiel", "ray"} <= marked
    assert {"eval7", "pyspiel", "treys", "phevaluator", "pokerkit"} <= compared
    for folder, absent in {
        "tests": marked,
        "tests/oracles": marked | compared,
        "benchmarks": marked | compared,
    }.items():
        perhaps = re.compile(rf"^\s*(?:import|from) .*\b(?:{'|'.join(absent)})\b", re.M)
        for path in (ROOT / folder).rglob("*.py"):
            text = path.read_text(encoding="utf-8")
            if perhaps.search(text):
                for name, node in imported(ast.parse(text)):
                    where = f"{path.relative_to(ROOT)}:{node.lineno}"
                    assert name not in absent, f"{where}: {name} may be absent"


def test_all_files_name_the_same_pythons():
    wanted = SpecifierSet(PROJECT["requires-python"])
    assert [f"3.{minor}" for minor in range(30) if f"3.{minor}" in wanted] == PYTHONS
    kinds = PROJECT["classifiers"]
    assert [kind.split()[-1] for kind in kinds if ":: 3." in kind] == PYTHONS
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    ends = re.search(r"\(3, (\d+)\) <= v <= \(3, (\d+)\) .* Python (\S+) to (\S+);", makefile)
    assert ends.groups() == ("11", "15", PYTHONS[0], PYTHONS[-1])


def test_the_workflow_calls_two_targets_on_every_machine():
    yaml = pytest.importorskip("yaml")
    text = (ROOT / ".github" / "workflows" / "test.yml").read_text(encoding="utf-8")
    (job,) = yaml.safe_load(text)["jobs"].values()
    steps = job["steps"]
    assert [step["run"] for step in steps if "run" in step] == ["make lint", "make test"]
    actions = [step["uses"].split("@")[0] for step in steps if "uses" in step]
    assert actions == ["actions/checkout", "actions/setup-python"]
    matrix = job["strategy"]["matrix"]
    assert matrix["python"] == [PYTHONS[0], PYTHONS[-1]]
    assert [name.split("-")[0] for name in matrix["os"]] == [
        *("ubuntu", "ubuntu", "macos", "windows")
    ]
    assert sum(name.endswith("-arm") for name in matrix["os"]) == 1
    assert job["defaults"]["run"]["shell"] == "bash"


def test_how_to_cite_is_of_this_release():
    yaml = pytest.importorskip("yaml")
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert {"cff-version", "message", "title", "authors"} <= cited.keys()  # all that are required
    assert cited["title"] == PROJECT["name"]
    assert cited["version"] == PROJECT["version"]
    assert cited["license"] == PROJECT["license"]
    assert cited["authors"] == PROJECT["authors"]
    assert cited["abstract"].rstrip(".") in PROJECT["description"]
