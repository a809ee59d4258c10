"""Imports between the folders of the package only point the way the design says."""

import ast
from functools import cache
from importlib import import_module
from pathlib import Path

import pytest
from tests.sources import read_source

import pokerlab

PACKAGE = Path(pokerlab.__file__).parent

# Every folder may import those before it; what stands in one line may not import each other.
FLOORS = [
    ["runtime"],
    ["cards"],
    ["games"],
    ["trees"],
    ["solvers"],
    ["engine"],
    ["holdem"],
    ["players"],
    ["arena"],
    ["drills"],
    ["views"],
    ["studies"],
    ["web"],
    ["cli"],
]
FLOOR_OF = {folder: number for number, folders in enumerate(FLOORS) for folder in folders}

# The same for the rooms of a folder; a file that stands beside them is a room of its own.
ROOMS = {
    "runtime": [
        ["arrays", "errors", "file_locks", "forks", "intrinsics", "machine", "shown"],
        ["jit", "kernel_cache", "register_kernels", "short_register_kernels", "vector_kernels"],
        ["files"],
        ["gpu"],
    ],
    "cards": [["ranges", "evaluator", "isomorphism"], ["equities", "board_hands"]],
    "games": [["betting_trees", "betting"], ["prizes"], ["formats"]],
    "solvers": [["evaluation", "exact"], ["cfr", "sampling", "analysis"]],
    "engine": [
        ["groups", "locks"],
        ["game"],
        ["tables"],
        ["subsets"],
        ["cpu"],
        ["gpu"],
        ["walker", "device"],
    ],
    "holdem": [["charts"], ["spots", "limit"], ["batches"], ["preflop"], ["pushfold"]],
    "holdem.spots": [
        ["question"],
        ["prepared"],
        ["solver"],
        ["answer"],
        ["reports", "play", "checks"],
        ["solving", "cost", "real_game"],
        ["coarse"],
        ["simple", "sizes"],
    ],
    "holdem.limit": [
        ["strength"],
        ["buckets"],
        ["sampling"],
        ["bucket_games"],
        ["response", "best_response"],
        ["training"],
    ],
    "players": [["strategies"], ["opponents"], ["bots"]],
    "arena": [["acpc", "simulation"], ["logs"], ["variance"]],
    "web": [
        ["answers"],
        ["files"],
        ["jobs", "pages"],
        ["site", "security"],
        ["routes"],
        ["app"],
        ["server"],
    ],
    "cli": [["terminal"], ["options"], ["progress", "tables"], ["shared", "commands"], ["main"]],
}


def module_name(path):
    return ".".join(path.relative_to(PACKAGE).with_suffix("").parts).removesuffix(".__init__")


FILES = {module_name(path): path for path in PACKAGE.rglob("*.py") if path.parent != PACKAGE}


@cache
def imports_of(name):
    """Each module (or folder) of the package that a module imports, with the line."""
    return list(find_imports(FILES[name]))


def find_imports(path):
    for node in read_source(path).imports:
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno}: imports are absolute"
            if node.module == "pokerlab" or node.module.startswith("pokerlab."):
                for alias in node.names:
                    full = f"{node.module}.{alias.name}".removeprefix("pokerlab.")
                    yield (
                        (full if full in FILES else node.module.removeprefix("pokerlab.")),
                        node.lineno,
                    )
        else:
            for alias in node.names:
                if alias.name.startswith("pokerlab."):
                    yield alias.name.removeprefix("pokerlab."), node.lineno


def test_imports_only_point_left():
    assert len(FILES) > 200
    wrong = []
    for name in FILES:
        own = name.split(".")[0]
        for imported, line in imports_of(name):
            folder = imported.split(".")[0]
            if folder in ("pokerlab", own):
                continue
            assert folder in FLOOR_OF, f"{name}:{line}: unknown folder {folder}"
            if FLOOR_OF[folder] >= FLOOR_OF[own]:
                wrong.append(f"{name}:{line} imports {imported}")
    assert not wrong, "\n".join(wrong)


def room_of(name, folder):
    """The room of a folder in which a module stands; None outside of the folder."""
    inside = name.removeprefix(f"{folder}.")
    return None if inside == name else inside.split(".")[0]


@pytest.mark.parametrize("folder", ROOMS)
def test_rooms_import_only_those_before_them(folder):
    order = {room: number for number, rooms in enumerate(ROOMS[folder]) for room in rooms}
    wrong = []
    for name in FILES:
        if (own := room_of(name, folder)) not in order:
            continue
        for imported, line in imports_of(name):
            if order.get(room_of(imported, folder), -1) > order[own]:
                wrong.append(f"{name}:{line} imports {imported}")
    assert not wrong, "\n".join(wrong)


def test_every_room_exists():
    for folder, rooms in ROOMS.items():
        for room in (room for line in rooms for room in line):
            assert f"{folder}.{room}" in FILES, f"{folder}/{room} is not there any more"


def test_no_module_imports_itself_by_others():
    # Imports inside functions and for types count, too.
    graph = {name: {imported for imported, _ in imports_of(name)} & set(FILES) for name in FILES}
    reached = {name: reach(graph, name) for name in graph}
    circles = {
        frozenset(other for other in reached[name] if name in reached[other])
        for name in graph
        if name in reached[name]
    }
    assert not circles, circles


def test_pictures_are_imported_when_they_are_asked_for():
    for name in FILES:
        at_once = [
            node.module
            for node in read_source(FILES[name]).imports
            if isinstance(node, ast.ImportFrom)
            and node.col_offset == 0
            and node.module.endswith("_picture")
        ]
        assert not at_once or name.endswith("_picture"), f"{name} imports {at_once}"


def reach(graph, name):
    found = set()
    waiting = list(graph[name])
    while waiting:
        each = waiting.pop()
        if each not in found:
            found.add(each)
            waiting.extend(graph[each])
    return found


def test_every_folder_has_a_floor_and_says_what_it_is_for():
    folders = [path.parent for path in PACKAGE.rglob("__init__.py") if path.parent != PACKAGE]
    assert {"cards", "cli"} <= {folder.name for folder in folders}
    for folder in folders:
        assert folder.relative_to(PACKAGE).parts[0] in FLOOR_OF
        source = read_source(folder / "__init__.py")
        assert source.docstring, f"{folder}/__init__.py has no docstring"


def test_no_class_name_stands_twice():
    places = {}
    for name, path in FILES.items():
        for each in read_source(path).classes:
            if not each.startswith("_"):
                places.setdefault(each, []).append(name)
    assert not {name: where for name, where in places.items() if len(where) > 1}


def test_a_folder_holds_at_most_sixteen_modules():
    for folder in {path.parent for path in PACKAGE.rglob("*.py")}:
        modules = [path.name for path in folder.glob("*.py")]
        assert len(modules) <= 16, f"{folder.relative_to(PACKAGE)} has {len(modules)} modules"


def test_kernels_live_in_kernel_files():
    for path in PACKAGE.rglob("*.py"):
        if any(each.startswith("kernel") for each in read_source(path).decorators):
            assert path.stem.endswith("_kernels"), f"{path}: kernels live in *_kernels.py"


@pytest.mark.parametrize(
    "name", ["pokerlab", *(f"pokerlab.{name}" for name in FILES if "." not in name)]
)
def test_public_names_can_be_imported_and_completed(name):
    package = import_module(name)
    stub = Path(package.__file__).with_suffix(".pyi")
    if stub.exists():  # the loader of names does not know `import X as Y`
        told = next(
            ast.literal_eval(node.value)
            for node in ast.parse(stub.read_text(encoding="utf-8")).body
            if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__"
        )
        assert set(package.__all__) | {"__version__"} == {*told, "__version__"}
    for public in getattr(package, "__all__", []):
        assert getattr(package, public) is not None
        if public != "__version__":
            assert public in dir(package)
        # A module of the same name would take the place of the thing once it is imported.
        assert f"{name}.{public}".removeprefix("pokerlab.") not in FILES


def test_the_page_shows_the_chain_of_folders_as_it_is():
    text = (PACKAGE.parents[1] / "docs" / "house.md").read_text(encoding="utf-8")
    chain = next(block for block in text.split("```") if block.count("→") > 5)
    shown = [sorted(name.strip() for name in part.split(",")) for part in chain.split("→")]
    assert shown == [sorted(folders) for folders in FLOORS]
