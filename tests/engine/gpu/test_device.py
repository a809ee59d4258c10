"""Which device a solve takes, and one line where it cannot be had."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from pokerlab.engine.device import GpuMemory, choose_device
from pokerlab.holdem.spots import PostflopSolver, Spot, solve_spot
from pokerlab.holdem.spots.cost import estimate_cost, gpu_memory
from pokerlab.runtime.gpu.machine import CudaMachine

EXAMPLES = Path(__file__).parents[3] / "examples" / "spots"
LARGE = GpuMemory(6_000_000, 2, 32, (0, 0))
RIVER = Spot("QhJh2c4d7h", "AA, KQs", "QQ, AJs", pot=100, stack=80)


class RuntimeFailureError(Exception):
    pass


class OutOfMemoryError(Exception):
    pass


def make_cupy(
    count: int | str = 1, capability: str = "90", free: int = 10**9, held: int = 0
) -> Any:
    """As much of CuPy as is asked before anything is allocated."""

    def get_device_count() -> int:
        if isinstance(count, str):
            raise RuntimeFailureError(count)
        return count

    module: Any = ModuleType("cupy")
    module.cuda = SimpleNamespace(
        Device=lambda: SimpleNamespace(compute_capability=capability, id=0),
        runtime=SimpleNamespace(
            CUDARuntimeError=RuntimeFailureError,
            getDeviceCount=get_device_count,
            getDeviceProperties=lambda number: {"name": b"a GPU"},
            deviceGetAttribute=lambda attribute, number: 100_000,
            memGetInfo=lambda: (card.free, 10**12),
        ),
        Stream=lambda non_blocking: None,
        memory=SimpleNamespace(OutOfMemoryError=OutOfMemoryError),
    )
    card, pool = SimpleNamespace(free=free), SimpleNamespace(held=held)

    def free_all_blocks() -> None:
        card.free, pool.held = card.free + pool.held, 0

    def malloc(nbytes: int) -> None:
        if nbytes > card.free:
            raise OutOfMemoryError(f"Out of memory allocating {nbytes} bytes")
        card.free, pool.held = card.free - nbytes, pool.held + nbytes

    module.card = card
    module.get_default_memory_pool = lambda: SimpleNamespace(
        free_bytes=lambda: pool.held, free_all_blocks=free_all_blocks, malloc=malloc
    )
    return module


@pytest.mark.parametrize(
    ("cupy", "message"),
    [
        (None, "device: the GPU is used through CuPy, which is not installed; pip install"),
        (
            ModuleType("cupy"),
            "device: the GPU is used through CuPy, which is not installed; pip install",
        ),
        (make_cupy(0), "device: no NVIDIA GPU was found; use --device cpu"),
        (
            make_cupy("cudaErrorNoDevice: no CUDA-capable device is detected"),
            "device: no NVIDIA GPU was found; use --device cpu",
        ),
        (
            make_cupy("cudaErrorInsufficientDriver: CUDA driver version is insufficient"),
            "device: the driver of the GPU is too old for this CuPy; install a newer one, or",
        ),
        (make_cupy(capability="61"), "device: this GPU has compute capability 6.1, 7.0 is needed"),
    ],
    ids=["no CuPy", "an empty folder", "no GPU", "none detected", "old driver", "old GPU"],
)
def test_what_is_missing_is_said_in_one_line(
    monkeypatch: pytest.MonkeyPatch, cupy: Any, message: str
) -> None:
    monkeypatch.setitem(sys.modules, "cupy", cupy)
    for solve in (solve_spot, PostflopSolver):
        with pytest.raises(ValueError) as caught:
            solve(RIVER, device="gpu")  # type: ignore[operator]
        assert str(caught.value).startswith(message)
        assert "\n" not in str(caught.value)
    assert choose_device("auto", LARGE) == "cpu"


def test_auto_takes_the_card_for_what_is_large_and_fits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cupy", make_cupy())
    assert choose_device("auto", LARGE) == "gpu"
    assert choose_device("auto", replace(LARGE, entries=4_000_000)) == "cpu"
    assert choose_device("auto", replace(LARGE, entries=10**9)) == "cpu"
    assert choose_device("cpu", LARGE) == "cpu"
    assert choose_device("gpu", replace(LARGE, entries=1)) == "gpu"


def test_what_does_not_fit_on_the_card_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cupy", make_cupy(free=3 * 10**8, held=10**8))
    needs = replace(LARGE, entries=40_000_000)  # 80 MB of answer, 320 or 160 MB of tables
    with pytest.raises(
        ValueError,
        match=r"462 MB on the GPU, and 400 MB are free there; "
        r"--precision 16 fits \(297 MB\)",
    ):
        choose_device("gpu", needs)
    larger = replace(needs, entries=80_000_000)
    with pytest.raises(ValueError, match="free there; try --groups view, offer fewer bet sizes"):
        choose_device("gpu", larger)
    with pytest.raises(ValueError, match="free there; offer fewer bet sizes, narrow the ranges"):
        choose_device("gpu", larger, grouped=True)


def test_memory_is_reserved_so_two_solves_do_not_overrun_the_card(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    cupy = make_cupy(free=5 * 10**8, held=10**8)
    monkeypatch.setitem(sys.modules, "cupy", cupy)
    needs = replace(LARGE, entries=40_000_000)  # 462 MB
    assert choose_device("gpu", needs) == "gpu"
    assert cupy.card.free == 5 * 10**8  # asking takes nothing
    assert choose_device("gpu", needs, reserve=True) == "gpu"
    assert cupy.card.free == 6 * 10**8 - needs.nbytes
    assert choose_device("gpu", needs, reserve=True) == "gpu"  # the next one of the same process
    assert cupy.card.free == 6 * 10**8 - needs.nbytes
    other = make_cupy(free=cupy.card.free)  # what another process sees
    monkeypatch.setitem(sys.modules, "cupy", other)
    with pytest.raises(ValueError, match="462 MB on the GPU, and 138 MB are free there"):
        choose_device("gpu", needs)
    assert choose_device("auto", needs) == "cpu"


def test_a_card_that_is_full_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    cupy = make_cupy()

    def zeros(shape: int, dtype: Any) -> Any:
        raise OutOfMemoryError("Out of memory allocating 12 bytes")

    cupy.zeros = zeros
    monkeypatch.setitem(sys.modules, "cupy", cupy)
    with pytest.raises(ValueError, match="device: the GPU's memory is used up; what else runs"):
        CudaMachine().zeros(3, "f4")


@pytest.mark.parametrize(("bits", "measured"), [(32, 0.69e9), (16, 0.38e9)])
def test_the_count_is_what_a_card_had_in_use(bits: int, measured: float) -> None:
    """Measured on an H200, with the walker that learns and no other."""
    spot = Spot.from_file(EXAMPLES / "s1-flop.toml")
    needs = gpu_memory(spot, estimate_cost(spot, precision=bits))
    assert needs.learning_bytes == pytest.approx(measured, rel=0.05)
    assert needs.nbytes > needs.learning_bytes
