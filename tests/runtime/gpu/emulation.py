"""`EmulatedMachine`: runs the kernels of the card on the processor, from the same sources.

The sources are compiled as C++ with `emulation.h` in place of `device.cu`; libraries are kept in
the cache of pokerlab. The compiler is one of the system, or that of the ``ziglang`` wheel,
which first builds a C++ library of its own: a minute or two, once.
"""

from __future__ import annotations

import ctypes
import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import cache
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np
import numpy.typing as npt

from pokerlab.runtime.gpu.machine import Kernel, Options
from pokerlab.runtime.gpu.sources import kernel_source
from pokerlab.runtime.jit import cache_folder

HEADER = Path(__file__).with_name("emulation.h")
_ONE_AT_A_TIME = Lock()
"""The fibres of a library are there once."""


@cache
def find_compiler() -> tuple[str, ...] | None:
    """The command of a C++ compiler; None where there is none, or no contexts to switch between."""
    if sys.platform == "win32":
        return None
    for name in ("c++", "g++", "clang++"):
        if shutil.which(name):
            return (name,)
    if importlib.util.find_spec("ziglang") is not None:
        return (sys.executable, "-m", "ziglang", "c++")
    return None


class EmulatedMachine:
    """A card with `shared_bytes` of shared memory, on the processor."""

    tensor_cores = False

    def __init__(self, shared_bytes: int = 227 * 1024) -> None:
        self.shared_bytes = shared_bytes
        self.shared_bytes_together = shared_bytes + 1024

    def array(self, numbers: npt.NDArray[Any]) -> Any:
        return np.array(numbers, order="C")

    def zeros(self, shape: int | tuple[int, ...], dtype: npt.DTypeLike) -> Any:
        # Vectors are loaded at multiples of 16 bytes.
        size = int(np.prod(shape)) * np.dtype(dtype).itemsize
        memory = np.zeros(size + 16, np.uint8)
        start = -memory.ctypes.data % 16
        return memory[start : start + size].view(dtype).reshape(shape)

    def empty(self, shape: int | tuple[int, ...], dtype: npt.DTypeLike) -> Any:
        found = self.zeros(shape, dtype)
        found.fill(np.nan)
        return found

    def fetch(self, array: Any) -> npt.NDArray[Any]:
        return np.array(array)

    def holds(self, array: Any) -> bool:
        return isinstance(array, np.ndarray)

    def mark(self) -> None:
        pass

    def beside(self, mark: None) -> AbstractContextManager[None]:
        return nullcontext()

    def join(self) -> None:
        pass

    def aside(self) -> AbstractContextManager[None]:
        return nullcontext()

    def free_bytes(self) -> int:
        return 1 << 40

    def reserve(self, nbytes: int) -> int:
        return self.free_bytes()

    def release(self) -> None:
        pass

    def synchronize(self) -> None:
        pass

    def kernel(self, name: str, options: Options, threads: int, shared: int = 0) -> Kernel:
        function = getattr(_library(name, tuple(sorted(options.items()))), f"launch_{name}")

        def launch(grid: Sequence[int], arguments: Sequence[Any]) -> None:
            sizes = [*grid, *[1] * (3 - len(grid))]
            cells = [_cell(argument) for argument in arguments]
            pointers = (ctypes.c_void_p * len(cells))(
                *(ctypes.cast(ctypes.pointer(cell), ctypes.c_void_p) for cell in cells)
            )
            with _ONE_AT_A_TIME:
                function(*map(ctypes.c_int, (*sizes, threads)), ctypes.c_size_t(shared), pointers)

        return launch


def _cell(argument: Any) -> Any:
    if isinstance(argument, np.ndarray):
        return ctypes.c_void_p(argument.ctypes.data)
    if isinstance(argument, np.float64):
        return ctypes.c_double(float(argument))
    if isinstance(argument, np.float32):
        return ctypes.c_float(float(argument))
    if isinstance(argument, np.uint64):
        return ctypes.c_uint64(int(argument))
    return ctypes.c_int(int(argument))


_COMPILING = Lock()


@cache
def _library(name: str, options: tuple[tuple[str, int], ...]) -> ctypes.CDLL:
    compiler = find_compiler()
    assert compiler is not None
    types, rest = kernel_source(name, without="device").split("enum : u32 { NOWHERE", 1)
    source = f"{types}{HEADER.read_text()}enum : u32 {{ NOWHERE{rest}"
    defines = [f"-D{each}={number}" for each, number in (*options, ("TENSOR_CORES", 0))]
    key = "\0".join((source, *defines, *compiler))
    folder = cache_folder() / "emulation"
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}-{hashlib.sha256(key.encode()).hexdigest()[:16]}.so"
    with _COMPILING:
        _compile(path, source, [*compiler, *defines])
    return ctypes.CDLL(str(path))


def _compile(path: Path, source: str, compiler: Sequence[str]) -> None:
    """Make a library, unless it is there; other processes may do the same at the same time."""
    if not path.exists():
        text = path.with_suffix(f".{os.getpid()}.cpp")
        text.write_text(source)
        made = text.with_suffix(".so")
        command = [
            *compiler,
            "-O1",
            "-std=c++17",
            "-shared",
            "-fPIC",
            "-w",
            "-U_FORTIFY_SOURCE",
        ]
        try:
            subprocess.run([*command, str(text), "-o", str(made)], check=True, capture_output=True)
            made.replace(path)
        except subprocess.CalledProcessError as error:
            raise AssertionError(error.stderr.decode()) from None
        finally:
            text.unlink()
