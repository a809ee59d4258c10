"""`Machine`: where kernels run.

On a GPU through CuPy (`CudaMachine`); tests run the same sources on the processor, by an emulation
of what they use. CuPy compiles a kernel when it is first asked for, for the GPU at hand, and keeps
the machine code in its cache on disk.
"""

from __future__ import annotations

import gc
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from threading import local
from typing import Any, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

from pokerlab.runtime.arrays import AnyArray
from pokerlab.runtime.file_locks import locked
from pokerlab.runtime.gpu.sources import kernel_source
from pokerlab.runtime.jit import cache_folder

Kernel: TypeAlias = Callable[[Sequence[int], Sequence[Any]], None]
"""Takes a grid of blocks and arguments."""

Options: TypeAlias = Mapping[str, int]
"""Compile-time numbers of a kernel, by name."""

_PLAIN_SHARED_BYTES = 48 * 1024
"""Shared memory that a kernel may use without asking."""

_SHARED_A_BLOCK, _SHARED_A_MULTIPROCESSOR = 97, 81
"""Numbers of attributes of a GPU, as CUDA has them."""

_functions: dict[tuple[Any, ...], Any] = {}
"""What CuPy has loaded: all walkers of a process use the same."""

_OLDEST = 70
"""The lowest compute capability, 7.0, that has what the kernels use."""


class GpuRefusalError(ValueError):
    """What a GPU has no room for, or cannot do; a processor can."""


class Machine(Protocol):
    """Holds arrays and runs kernels on them."""

    shared_bytes: int
    """Shared memory that a block may use."""
    shared_bytes_together: int
    """Shared memory of all blocks on a multiprocessor."""
    tensor_cores: bool
    """Whether products of halves are fast."""

    def array(self, numbers: AnyArray) -> Any:
        """A copy of an array on the machine."""

    def zeros(self, shape: int | tuple[int, ...], dtype: npt.DTypeLike) -> Any:
        """An array of zeros on the machine."""

    def empty(self, shape: int | tuple[int, ...], dtype: npt.DTypeLike) -> Any:
        """An array on the machine that nothing has been written to."""

    def fetch(self, array: Any) -> AnyArray:
        """An array of the machine as one of the host."""

    def holds(self, array: Any) -> bool:
        """Whether an array is one of the machine."""

    def kernel(self, name: str, options: Options, threads: int, shared: int = 0) -> Kernel:
        """A kernel, with the threads of a block and their shared memory."""

    def mark(self) -> Any:
        """Remember what has been launched so far."""

    def beside(self, mark: Any) -> AbstractContextManager[None]:
        """What is launched inside waits for what was launched before a mark, and no other."""

    def join(self) -> None:
        """What is launched from now on waits for what runs beside."""

    def aside(self) -> AbstractContextManager[None]:
        """What this thread does inside waits for nothing that other threads launch."""

    def free_bytes(self) -> int:
        """Memory that arrays can still take."""

    def reserve(self, nbytes: int) -> int:
        """Take memory for what is allocated later, unless there is too little; what was free."""

    def release(self) -> None:
        """Give memory back that no array uses."""

    def synchronize(self) -> None:
        """Wait until all that was launched is done."""


class CudaMachine:
    """The GPU that CuPy uses.

    Raises ValueError with one line where there is no CuPy, no GPU, or one that is too old.
    """

    def __init__(self) -> None:
        self._cupy: Any = _load_cupy()
        device = self._cupy.cuda.Device()
        self.capability = int(device.compute_capability)
        if self.capability < _OLDEST:
            version = f"{self.capability // 10}.{self.capability % 10}"
            raise ValueError(
                f"device: this GPU has compute capability {version}, 7.0 is needed; "
                "use --device cpu"
            )
        self.name = self._cupy.cuda.runtime.getDeviceProperties(device.id)["name"].decode()
        ask = self._cupy.cuda.runtime.deviceGetAttribute
        self.shared_bytes = int(ask(_SHARED_A_BLOCK, device.id))
        self.shared_bytes_together = int(ask(_SHARED_A_MULTIPROCESSOR, device.id))
        self.tensor_cores = self.capability >= 80
        self._number = int(device.id)
        self._side = self._cupy.cuda.Stream(non_blocking=True)
        self._of_thread = local()

    def array(self, numbers: AnyArray) -> Any:
        """A copy of an array on the GPU."""
        with self._one_line():
            return self._cupy.asarray(np.ascontiguousarray(numbers))

    def zeros(self, shape: int | tuple[int, ...], dtype: npt.DTypeLike) -> Any:
        """An array of zeros on the GPU."""
        with self._one_line():
            return self._cupy.zeros(shape, dtype)

    def empty(self, shape: int | tuple[int, ...], dtype: npt.DTypeLike) -> Any:
        """An array on the GPU that nothing has been written to."""
        with self._one_line():
            return self._cupy.empty(shape, dtype)

    @contextmanager
    def _one_line(self) -> Iterator[None]:
        """Say in one line that the GPU is full."""
        try:
            yield
        except self._cupy.cuda.memory.OutOfMemoryError:
            raise GpuRefusalError(
                "device: the GPU's memory is used up; what else runs on it? Wait for that, or "
                "use --device cpu"
            ) from None

    def fetch(self, array: Any) -> AnyArray:
        """An array of the GPU as one of the host."""
        found: AnyArray = self._cupy.asnumpy(array)
        return found

    def holds(self, array: Any) -> bool:
        """Whether an array lies on the GPU."""
        return isinstance(array, self._cupy.ndarray)

    def kernel(self, name: str, options: Options, threads: int, shared: int = 0) -> Kernel:
        """A kernel, compiled if nobody has yet."""
        function = self.function(name, options)
        if shared > _PLAIN_SHARED_BYTES:
            function.max_dynamic_shared_size_bytes = shared

        def launch(grid: Sequence[int], arguments: Sequence[Any]) -> None:
            function(tuple(grid), (threads,), tuple(arguments), shared_mem=shared)

        return launch

    def function(self, name: str, options: Options) -> Any:
        """A function of CuPy."""
        key = (self._number, name, tuple(sorted(options.items())))
        if key not in _functions:
            numbers = {**options, "TENSOR_CORES": int(self.tensor_cores)}
            defines = [f"-D{each}={number}" for each, number in sorted(numbers.items())]
            module = self._cupy.RawModule(
                code=kernel_source(name), options=("-std=c++17", *defines), backend="nvrtc"
            )
            _functions[key] = module.get_function(name)
        return _functions[key]

    def mark(self) -> Any:
        """Remember what has been launched so far."""
        event = self._cupy.cuda.Event(disable_timing=True)
        event.record()
        return event

    @contextmanager
    def beside(self, mark: Any) -> Iterator[None]:
        """What is launched inside waits for what was launched before a mark, and no other."""
        self._side.wait_event(mark)
        with self._side:
            yield

    def join(self) -> None:
        """What is launched from now on waits for what runs beside."""
        self._cupy.cuda.get_current_stream().wait_event(self._side.record())

    @contextmanager
    def aside(self) -> Iterator[None]:
        """What this thread does inside waits for nothing that other threads launch.

        A thread keeps its stream: CuPy gives memory back to the stream that it was taken for.
        """
        if not hasattr(self._of_thread, "stream"):
            self._of_thread.stream = self._cupy.cuda.Stream(non_blocking=True)
        with self._of_thread.stream:
            yield

    def reserve(self, nbytes: int) -> int:
        """Take memory for what is allocated later, unless there is too little; what was free.

        The memory stays with this process, in CuPy's pool. One process asks at a time: of two
        that begin together, the second sees what the first has taken.
        """
        pool = self._cupy.get_default_memory_pool()
        with _alone(f"gpu-{self._number}"), self._one_line():
            free = self.free_bytes()
            if nbytes > free:
                gc.collect()  # solvers that nobody uses any more
                free = self.free_bytes()
            if pool.free_bytes() < nbytes <= free:
                pool.free_all_blocks()  # small pieces would not be found again
                pool.malloc(nbytes)  # given back at once, to the pool
        return free

    def release(self) -> None:
        """Give memory back that no array uses: pieces of it would not fit larger arrays."""
        self._cupy.get_default_memory_pool().free_all_blocks()

    def free_bytes(self) -> int:
        """What the GPU has left, and what CuPy holds without using it."""
        pool = self._cupy.get_default_memory_pool()
        free, _ = self._cupy.cuda.runtime.memGetInfo()
        return int(free) + int(pool.free_bytes())

    def synchronize(self) -> None:
        """Wait until all that was launched is done."""
        self._cupy.cuda.Device().synchronize()


def _alone(name: str) -> AbstractContextManager[None]:
    """Be the only process; no matter where there is no folder to write to."""
    folder = cache_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return nullcontext()
    return locked(folder / name) if os.access(folder, os.W_OK) else nullcontext()


def _load_cupy() -> Any:
    try:
        import cupy  # type: ignore[import-not-found, unused-ignore]

        cupy.cuda  # noqa: B018 - a folder of this name can be imported, too
    except (ImportError, AttributeError):
        raise ValueError(
            "device: the GPU is used through CuPy, which is not installed; "
            "pip install 'pokerlab[gpu]', or use --device cpu"
        ) from None
    try:
        count = cupy.cuda.runtime.getDeviceCount()
    except cupy.cuda.runtime.CUDARuntimeError as error:
        if "InsufficientDriver" in str(error):
            raise ValueError(
                "device: the driver of the GPU is too old for this CuPy; install a newer one, or "
                "use --device cpu"
            ) from None
        count = 0
    if count == 0:
        raise ValueError("device: no NVIDIA GPU was found; use --device cpu")
    return cupy
