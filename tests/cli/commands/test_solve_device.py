"""Solves on a GPU from the command line, on an emulated one."""

from __future__ import annotations

import os
import sys

import pytest
from tests.cli.spot_files import options, refused, solved
from tests.runtime.gpu.emulation import EmulatedMachine, find_compiler

from pokerlab.holdem.spots import load_postflop


@pytest.fixture
def card(monkeypatch):
    """A GPU, in the place where there is one with ``POKERLAB_GPU=1``."""
    if os.environ.get("POKERLAB_GPU") == "1":
        return
    if find_compiler() is None:
        pytest.skip("no C++ compiler for the emulation of a GPU: pip install ziglang")
    monkeypatch.setattr("pokerlab.runtime.gpu.machine.CudaMachine", EmulatedMachine)


@pytest.mark.slow
def test_the_card_gives_the_answer_of_the_processor(run, folder, card):
    found, expected = (
        solved(run, *options(), "--target", "0.1%", "--device", each, "-o", f"{each}.safetensors")
        for each in ("gpu", "cpu")
    )
    assert (found["device"], expected["device"]) == ("gpu", "cpu")
    assert found.keys() == expected.keys()
    assert found["iterations"] == expected["iterations"]
    for key in ("values", "bounds"):
        assert found[key] == pytest.approx(expected[key], abs=1e-3)
    assert found["exploitability"]["percent"] <= 0.1
    assert run("verify", "gpu.safetensors").code == 0
    mine, its = (load_postflop(f"{device}.safetensors").at("x") for device in ("gpu", "cpu"))
    assert mine.frequencies == pytest.approx(its.frequencies, abs=2e-3)


def test_a_checkpoint_begins_on_one_device_and_goes_on_on_the_other(run, folder, card):
    whole = solved(run, *options(), "--iterations", 30, "--device", "cpu")
    for first, second in (("gpu", "cpu"), ("cpu", "gpu")):
        resume = ("--resume", f"{first}.state")
        begun = solved(run, *options(), "--iterations", 12, "--device", first, *resume)
        more = solved(run, *options(), "--iterations", 30, "--device", second, *resume)
        assert (begun["iterations"], more["iterations"]) == (12, 30)
        assert more["values"] == pytest.approx(whole["values"], abs=1e-3)
        assert more["exploitability"]["chips"] == pytest.approx(
            whole["exploitability"]["chips"], rel=1e-2
        )


def test_ctrl_c_ends_it_with_what_has_been_reached(run, folder, card, interrupted):
    interrupted(after=16)
    outcome = run("solve", *options(), "--target", "0%", "--device", "gpu", "-o", "a.safetensors")
    assert outcome.code == 130
    assert "(interrupted)" in outcome.out
    assert load_postflop("a.safetensors").iterations < 100


def test_small_spots_stay_on_the_processor(run, card):
    assert solved(run, *options(), "--iterations", 2)["device"] == "cpu"


def test_what_cannot_be_is_refused(run, folder, card, monkeypatch):
    refused(run("solve", *options(), "--device", "tpu"), "device: 'tpu' is not auto, cpu or gpu")
    refused(run("solve", *options(), "--device", "tpu", "--dry-run"), "device: 'tpu' is not")
    refused(run("solve", "kuhn", "--device", "gpu"), "--device applies only to spots and solutions")


def test_without_cupy_it_is_said_how_to_install_it(run, folder, monkeypatch):
    monkeypatch.setitem(sys.modules, "cupy", None)
    refused(run("solve", *options(), "--device", "gpu"), "pip install 'pokerlab[gpu]'")


def test_a_dry_run_counts_the_memory_of_the_card(run):
    found = run("solve", *options(), "--dry-run", "--json").json["card_bytes"]
    assert found["16"] < found["32"] < 60e6
    shown = run("solve", *options(), "--dry-run", "--device", "gpu").out
    assert "memory of the GPU: 32 bits 5" in shown
