"""Which files of the package a module depends on, by the imports that its text shows.

`jit` names the cache of compiled kernels by a digest of these files: a kernel's machine code holds
the constants, the fields of the tuples and the code of the helpers that it took from other modules.

Parsing fifty files would cost more than importing them, so a pattern looks for lines that begin
with an import. It finds every import that a parser finds (a test compares the two), and now and
then one more, from a docstring: then a kernel is compiled once more than necessary. Imports for
type checkers are followed too. A kernel may be given a tuple whose class its module knows only as
an annotation, and its machine code reads the fields of that tuple by position.

A folder's ``__init__.py`` loads its public names lazily, as its ``__init__.pyi`` lists them: a name
imported from the folder is followed to the module that the list names.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

_PACKAGE = Path(__file__).parents[1]

_IMPORTS = re.compile(
    r"""^[ \t]*(?:
        from[ \t]+(?P<module>[\w.]+)[ \t]+import\b[ \t]*
            (?P<names>\((?:[^)\#]|\#[^\n]*)*\)|(?:\\\n|[^\n\#;])*)
        |import[ \t]+(?P<modules>(?:\\\n|[^\n\#;])+)
    )""",
    re.MULTILINE | re.VERBOSE,
)
_COMMENT = re.compile(r"#[^\n]*")
_NAME = re.compile(r"([\w.]+|\*)(?:\s+as\s+(\w+))?")


def files_behind(source: Path) -> frozenset[Path]:
    """`source` and every file of the package that it imports, directly or through others.

    Examples
    --------
    >>> import pokerlab.runtime.kernel_cache as module
    >>> sorted(path.name for path in files_behind(Path(module.__file__)))
    ['file_locks.py', 'kernel_cache.py']
    """
    found: set[Path] = set()
    waiting = [source]
    while waiting:
        path = waiting.pop()
        if path not in found:
            found.add(path)
            waiting.extend(_imported_files(path))
    return frozenset(found)


@cache
def _imported_files(path: Path) -> frozenset[Path]:
    """The files of the package that one file imports itself."""
    found: set[Path] = set()
    for module, name, _ in _imports(path):
        if module.split(".")[0] == _PACKAGE.name:
            found.update(_files_of(module, name))
    return frozenset(found)


def _files_of(module: str, name: str | None) -> set[Path]:
    """The files behind ``from module import name``; all public ones of a folder without a name."""
    folder = _PACKAGE.parent.joinpath(*module.split("."))
    if name is not None and (inner := _file(folder / name)) is not None:
        return {inner}
    own = _file(folder)
    if own is None:
        return set()
    public = _public_names(folder)
    if name is None or name == "*":
        return {own, *public.values()}
    return {public.get(name, own)}


@cache
def _public_names(folder: Path) -> dict[str, Path]:
    """The module behind each public name of a folder, from its list of them."""
    stub = folder / "__init__.pyi"
    names = {}
    if stub.is_file():
        for module, name, shown in _imports(stub):
            if name is not None:
                for path in _files_of(module, name):
                    names[shown] = path
    return names


def _imports(path: Path) -> Iterator[tuple[str, str | None, str]]:
    """Each import of a file: the module, the name taken from it or none, and its name here."""
    for found in _IMPORTS.finditer(path.read_text(encoding="utf-8")):
        if found["module"] is None:
            for module, alias in _NAME.findall(found["modules"]):
                yield module, None, alias or module
            continue
        module = _absolute(found["module"], path)
        for name, alias in _NAME.findall(_COMMENT.sub("", found["names"])):
            yield module, name, alias or name


def _absolute(module: str, path: Path) -> str:
    dots = len(module) - len(module.lstrip("."))
    if not dots:
        return module
    folder = path.parents[dots - 1]
    home = folder.relative_to(_PACKAGE.parent).parts if folder.is_relative_to(_PACKAGE) else ()
    return ".".join([*home, *filter(None, [module[dots:]])])


@cache
def _file(base: Path) -> Path | None:
    """The file of a module, or of a folder of modules."""
    for path in (base.with_name(f"{base.name}.py"), base / "__init__.py"):
        if path.is_file():
            return path
    return None
