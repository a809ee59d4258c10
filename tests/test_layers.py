"""Imports between the folders of the package only point the way the design says."""

import ast
from pathlib import Path

import pokerlab

PACKAGE = Path(pokerlab.__file__).parent

# Every folder may import those before it; what stands in one line may not import each other.
FLOORS = [
    ["jit", "lazy"],
    ["cards"],
    ["games"],
    ["trees"],
    ["solvers"],
    ["postflop", "abstraction"],
    ["strategies"],
    ["bots"],
    ["arena"],
    ["reports"],
    ["web", "cli"],
]
FLOOR_OF = {folder: number for number, folders in enumerate(FLOORS) for folder in folders}


def imports_of(path):
    """Top folder of the package for each import in a file, with the line."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno}: imports are absolute"
            if node.module == "pokerlab":
                yield from ((alias.name, node.lineno) for alias in node.names)
            elif node.module.startswith("pokerlab."):
                yield node.module.split(".")[1], node.lineno
        elif isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name.startswith("pokerlab."):
                    yield alias.name.split(".")[1], node.lineno


def test_imports_only_point_left():
    wrong = []
    files = [path for path in PACKAGE.rglob("*.py") if path.parent != PACKAGE]
    assert len(files) > 20
    for path in files:
        own = path.relative_to(PACKAGE).parts[0]
        for imported, line in imports_of(path):
            if imported in ("__version__", own):
                continue
            assert imported in FLOOR_OF, f"{path}:{line}: unknown folder {imported}"
            if FLOOR_OF[imported] >= FLOOR_OF[own]:
                wrong.append(f"{path.relative_to(PACKAGE)}:{line} imports {imported}")
    assert not wrong, "\n".join(wrong)


def test_every_folder_has_a_floor_and_says_what_it_is_for():
    folders = [path.parent for path in PACKAGE.glob("*/__init__.py")]
    assert {"cards", "cli"} <= {folder.name for folder in folders}
    for folder in folders:
        assert folder.name in FLOOR_OF
        tree = ast.parse((folder / "__init__.py").read_text(encoding="utf-8"))
        assert ast.get_docstring(tree), f"{folder.name}/__init__.py has no docstring"


def test_kernels_live_in_kernel_files():
    for path in PACKAGE.rglob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        decorated = [
            node
            for node in ast.walk(tree)
            if isinstance(node, ast.FunctionDef)
            for decorator in node.decorator_list
            if ast.unparse(decorator).startswith("kernel")
        ]
        if decorated:
            assert path.stem.endswith("_kernels"), f"{path}: kernels live in *_kernels.py"


def test_every_public_name_can_be_imported():
    for init in [PACKAGE / "__init__.py", *PACKAGE.glob("*/__init__.py")]:
        name = ".".join(["pokerlab", *init.parent.relative_to(PACKAGE).parts])
        package = __import__(name, fromlist=["*"])
        for public in getattr(package, "__all__", []):
            assert getattr(package, public) is not None
