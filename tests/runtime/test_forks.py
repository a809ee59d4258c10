"""Processes that are forked while another thread solves, and objects that are sent to others."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import sys
import threading
import time
from functools import cached_property

import numpy as np
import pytest
from tests.holdem.spots.solved_spots import SPOTS, solved

import pokerlab as pl
from pokerlab.holdem.spots import PostflopSolution, PostflopSolver
from pokerlab.holdem.spots.checks.verify import verify
from pokerlab.runtime import forks

SPOT = SPOTS["turn"]
LINE = "b50/c/Kd"


def ev_of(solution: PostflopSolution) -> list[float]:
    return np.nan_to_num(solution.at(LINE).ev[0]).tolist()


def test_solutions_and_solvers_are_sent_to_another_process() -> None:
    solution = solved("turn")
    again = pickle.loads(pickle.dumps(solution))
    assert again.values == solution.values
    assert again.history == solution.history
    assert ev_of(again) == ev_of(solution)
    assert verify(again).ok
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.apply_async(ev_of, [solution]).get(timeout=300) == ev_of(solution)


@pytest.mark.parametrize(
    ("rule", "groups"), [("dcfr", None), ("dcfr", "view/river"), ("pcfr+", None)]
)
def test_a_solver_goes_on_elsewhere(rule: str, groups: str | None) -> None:
    solver = PostflopSolver(SPOT, rule, threads=1, groups=groups)
    solver.iterate(5)
    again = pickle.loads(pickle.dumps(solver))
    assert again.identity == solver.identity
    assert again.iteration == 5
    for each in (solver, again):
        each.iterate(5)
    for name, array in solver.state().items():
        np.testing.assert_array_equal(again.state()[name], array)


def test_one_thread_at_a_time_iterates_a_solver() -> None:
    solver = PostflopSolver(SPOT, threads=1)
    with solver._turn, pytest.raises(RuntimeError, match="another thread iterates this solver"):
        solver.iterate(1)
    solver.iterate(1)
    assert solver.iteration == 1


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_a_child_solves_while_a_thread_of_its_parent_did() -> None:
    """The fork comes while locks are held that a child would wait for."""
    solution, solver = solved("turn"), PostflopSolver(SPOT, threads=2)
    solver.iterate(2)
    locks = [
        solution._node_values._lock,
        solution._below_lock,
        solver._turn,
        solver._walker._lock,  # type: ignore[attr-defined]
    ]
    if sys.version_info < (3, 12):
        locks += [
            found.lock  # type: ignore[attr-defined]
            for owner in (type(solver.prepared), type(solution), type(SPOT))
            for found in vars(owner).values()
            if isinstance(found, cached_property)
        ]
    held, done = threading.Event(), threading.Event()

    def hold() -> None:
        for lock in locks:
            lock.acquire()
        held.set()
        done.wait()
        for lock in locks:
            lock.release()

    thread = threading.Thread(target=hold)
    thread.start()
    held.wait()
    children = []
    for _ in range(3):
        child = os.fork()
        if child == 0:
            try:
                solver.iterate(2)
                pl.solve(SPOT, iterations=2, threads=2)
                fine = len(ev_of(solution)) == 1326 and solver.iteration == 4
            except BaseException:
                fine = False
            os._exit(0 if fine else 1)
        children.append(child)
    done.set()
    thread.join()
    deadline = time.monotonic() + 100
    while children and time.monotonic() < deadline:
        ended, status = os.waitpid(children[0], os.WNOHANG)
        if ended:
            assert status == 0
            children.pop(0)
        else:
            time.sleep(0.01)
    for child in children:
        os.kill(child, 9)
        os.waitpid(child, 0)
    assert not children, "a child hangs"


def test_things_that_are_gone_are_not_renewed() -> None:
    class Thing:
        renewed = 0

        def renew(self) -> None:
            Thing.renewed += 1

    things = [Thing(), Thing()]
    for thing in things:
        forks.renew_after_fork(thing)
    del thing, things[0]
    forks._renew_all()
    assert Thing.renewed == 1
