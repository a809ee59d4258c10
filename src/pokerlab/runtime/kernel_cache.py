"""`KernelCache`: the machine code of a kernel on disk, and back without waking up the compiler.

Whenever Numba's own cache loads a kernel, it prepares to compile: it imports all that Numba knows
of NumPy, and SciPy, and parses the form of the kernel that others are linked with. That took half
the time of a small solve. Here machine code alone is loaded; the other form is parsed when a kernel
that calls this one is compiled.

A kernel has one file for each list of types of its arguments, written whole or not at all:
processes that compile at the same time do not disturb each other. One that misses a kernel which
another is compiling waits and loads it. The processor is part of the
file's name; that the sources are the same is the business of the folder (see `jit`). A file that is
damaged, or that this version of Numba cannot use, is made again.

Machine code that calls a function which the process does not have would end the process. So a file
names what its code calls, and it is loaded only if all of that is there; Numba's preparations are
made after all where they bring what is missing.
"""

from __future__ import annotations

import hashlib
import pickle
import sys
import warnings
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple
from uuid import uuid4

import llvmlite.binding as llvm
from numba.core.caching import NullCache
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import compile_result
from numba.core.environment import Environment, lookup_environment
from numba.core.runtime import _nrt_python
from numba.core.serialize import dumps
from numba.core.sigutils import normalize_signature

from pokerlab.runtime.file_locks import locked

_CHECKSUM = 4
"""Bytes of it, before all others."""

_PATIENCE = 120.0
"""Seconds to wait for a kernel that another process compiles."""

_being_compiled: set[Path] = set()
"""The files for which this process has the lock: a kernel may call itself."""


class _Constants(NamedTuple):
    """The constants of a compiled function, which Numba calls its environment."""

    name: str
    module: str
    values: list[Any]


class _Entry(NamedTuple):
    """What a file holds of a compiled kernel."""

    signature: Any
    description: Any
    environment: Any
    constants: tuple[_Constants, ...]
    """Of functions that it calls."""
    begin: tuple[Callable[[], Any], ...]
    """What to call before it is loaded."""
    name: str
    code: bytes
    """Machine code, as the system's object files have it."""
    bitcode: bytes
    """What kernels that call it are linked with."""
    defines: frozenset[str]
    needs: tuple[str, ...]
    """What it calls, of which the process knew where it is."""


class KernelCache(NullCache):  # type: ignore[misc]
    """What a dispatcher asks for the machine code of its function.

    Parameters
    ----------
    function
        The function before it is compiled.
    folder
        Where its files are. It must be another one as soon as a source of the kernel changes.
    """

    def __init__(self, function: Callable[..., Any], folder: str) -> None:
        self._function = function
        self._folder = folder
        self._files: dict[Any, Path] = {}

    @property
    def cache_path(self) -> str:
        """The folder."""
        return self._folder

    @contextmanager
    def one_at_a_time(self, sig: Any, target_context: Any) -> Iterator[None]:
        """Let one process compile a kernel that is missing, while the others wait to load it.

        A process that is killed lets the next one in. A kernel is compiled without the lock where
        a folder cannot be locked, and where another process has had the lock for long. Processes
        cannot wait for each other in a circle: while a kernel is compiled, the locks that are taken
        are those of kernels that it calls. (Within a process one thread at a time gets here.)
        """
        file = self._file(sig, target_context.codegen())
        if file in _being_compiled or file.exists():
            yield
            return
        with ExitStack() as lock:
            with suppress(OSError, NotImplementedError):
                lock.enter_context(locked(file, patience=_PATIENCE))
            _being_compiled.add(file)
            try:
                yield
            finally:
                _being_compiled.discard(file)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The kernel for some types of arguments; None where it must be compiled."""
        try:
            content = self._file(sig, target_context.codegen()).read_bytes()
            return _rebuild(_read(content, sig), target_context)
        except Exception:  # there is no file; or unpickling it, which raises nearly anything
            return None

    def save_overload(self, sig: Any, cres: Any) -> None:
        """Keep a kernel that was compiled; nothing is lost where that is not possible."""
        if cres.library.has_dynamic_globals:
            name = self._function.__qualname__
            warnings.warn(f"{name} is not cached: it uses a large global array", stacklevel=2)
            return
        content = _content(cres)
        file = self._file(sig, cres.library.codegen)
        temporary = file.with_suffix(f".{uuid4().hex[:12]}")
        with suppress(OSError):  # a full disk
            try:
                temporary.write_bytes(content)
                temporary.replace(file)
            finally:
                temporary.unlink(missing_ok=True)

    def _file(self, sig: Any, codegen: Any) -> Path:
        """The file for some types: its name holds all that the folder's does not."""
        if sig in self._files:
            return self._files[sig]
        code, cells = self._function.__code__, self._function.__closure__
        parts = [str(sig), repr(codegen.magic_tuple()), code.co_code.hex()]
        if cells is not None:
            parts.append(dumps(tuple(cell.cell_contents for cell in cells)).hex())
        digest = hashlib.sha256("\n".join(parts).encode()).hexdigest()[:24]
        name = f"{self._function.__name__}-{code.co_firstlineno}-{digest}.kernel"
        return self._files.setdefault(sig, Path(self._folder) / name)


class _LoadedLibrary(JITCodeLibrary):  # type: ignore[misc]
    """Machine code from a file; its other form is parsed when somebody is linked with it."""

    bitcode: bytes
    _shared_module: Any

    def _get_module_for_linking(self) -> Any:
        if self._shared_module is None:
            self._shared_module = llvm.parse_bitcode(self.bitcode)
        return self._shared_module


def _content(compiled: Any) -> bytes:
    """The bytes of a file."""
    body: bytes = dumps(_entry(compiled))
    return zlib.crc32(body).to_bytes(_CHECKSUM, "little") + body


def _entry(compiled: Any) -> _Entry:
    # What Numba would pickle; what only people read is left out.
    library, description, environment, signature, _, _, _, begin, others = compiled._reduce()
    name, _, (code, bitcode) = library
    module = compiled.library._get_module_for_linking()
    symbols = [*module.functions, *module.global_variables]
    return _Entry(
        signature,
        description,
        environment,
        tuple(
            _Constants(each.env_name, each.globals.get("__name__"), each.consts)
            for each in others
            if each is not environment
        ),
        tuple(begin or ()),
        name,
        code,
        bitcode,
        frozenset(each.name for each in symbols if not each.is_declaration),
        tuple(
            each.name
            for each in symbols
            if each.is_declaration and llvm.address_of_symbol(each.name) is not None
        ),
    )


def _read(content: bytes, sig: Any) -> _Entry:
    body = memoryview(content)[_CHECKSUM:]
    if zlib.crc32(body).to_bytes(_CHECKSUM, "little") != content[:_CHECKSUM]:
        raise ValueError("the file is damaged")
    entry: _Entry = pickle.loads(body)
    if tuple(entry.signature.args) != tuple(normalize_signature(sig)[0]):
        raise ValueError("this is the machine code of other types")
    return entry


def _rebuild(entry: _Entry, context: Any) -> Any:
    """What compiling would have given."""
    for call in entry.begin:
        call()
    _provide(entry.needs, context)
    codegen = context.codegen()
    library = _LoadedLibrary(codegen, entry.name)
    library.bitcode = entry.bitcode
    library.enable_object_caching()
    library._set_compiled_object(entry.code)
    library._finalize_final_module()
    codegen._engine._defined_symbols.update(entry.defines)
    function = context.get_executable(library, entry.description, entry.environment)
    environments = tuple(map(_environment, entry.constants))
    for each in environments:
        codegen.set_env(each.env_name, each)
    return compile_result(
        typing_context=context.typing_context,
        target_context=context,
        entry_point=function,
        typing_error=None,
        type_annotation="",
        signature=entry.signature,
        objectmode=False,
        lifted=(),
        fndesc=entry.description,
        library=library,
        environment=entry.environment,
        reload_init=entry.begin,
        referenced_envs=environments,
    )


def _environment(constants: _Constants) -> Any:
    """As Numba makes it, but without importing the module: compiled code needs nothing of it."""
    known = lookup_environment(constants.name)
    if known is not None:
        return known
    module = sys.modules.get(constants.module)
    made = Environment({"__name__": constants.module} if module is None else vars(module))
    made.consts[:] = constants.values
    made.env_name = constants.name
    Environment._memo[constants.name] = made
    return made


def _provide(names: Iterable[str], context: Any) -> None:
    """Make sure that machine code finds what it calls; a `ValueError` where it does not."""
    _add_runtime()
    if _missing(names):
        context.refresh()
        if missing := _missing(names):
            raise ValueError(f"nobody provides {missing[0]}")


def _missing(names: Iterable[str]) -> list[str]:
    return [name for name in names if llvm.address_of_symbol(name) is None]


@cache
def _add_runtime() -> None:
    """Name the functions for arrays that every kernel calls, as Numba does when it compiles."""
    for name, address in _nrt_python.c_helpers.items():
        llvm.add_symbol(name if name.startswith("_") else f"NRT_{name}", address)
