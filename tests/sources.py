"""What the tests ask about the sources of the package, each file parsed once."""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

__all__ = ["Source", "read_source"]


class Source(NamedTuple):
    """A file, without its expressions: they are most of a parsed file, and nobody asks for them."""

    docstring: str | None
    imports: tuple[ast.Import | ast.ImportFrom, ...]
    """Wherever they stand, inside of functions too."""
    decorators: tuple[str, ...]
    """Those of all functions."""
    classes: tuple[str, ...]
    """Those that stand in no other thing."""


@cache
def read_source(path: Path) -> Source:
    """Parse a file."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    found = list(_statements(tree))
    return Source(
        ast.get_docstring(tree),
        tuple(each for each in found if isinstance(each, ast.Import | ast.ImportFrom)),
        tuple(
            ast.unparse(decorator)
            for each in found
            if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef)
            for decorator in each.decorator_list
        ),
        tuple(each.name for each in tree.body if isinstance(each, ast.ClassDef)),
    )


def _statements(node: ast.AST) -> Iterator[ast.AST]:
    """All statements below a node."""
    for block in ("body", "orelse", "handlers", "finalbody", "cases"):
        inner = getattr(node, block, None)
        for child in inner if isinstance(inner, list) else ():
            yield child
            yield from _statements(child)
