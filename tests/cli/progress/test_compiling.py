"""A word while the engine is compiled."""

from __future__ import annotations

from types import SimpleNamespace

from pokerlab.cli.progress.compiling import announce_compiling


def test_compiling_is_announced_once_and_only_for_the_engine(capsys):
    from numba.core import event

    def broadcast(module):
        function = SimpleNamespace(__module__=module)
        data = {"dispatcher": SimpleNamespace(py_func=function)}
        event.broadcast(event.Event("numba:compile", event.EventStatus.START, data))

    with announce_compiling():
        broadcast("pokerlab.cards.equities.equity_kernels")
        assert capsys.readouterr().err == ""
        broadcast("pokerlab.engine.cpu.kernels.solve_kernels")
        broadcast("pokerlab.engine.cpu.kernels.solve_kernels")
        assert capsys.readouterr().err == "compiling (first time, half a minute)\n"
        assert capsys.readouterr().err == ""
    broadcast("pokerlab.engine.cpu.kernels.solve_kernels")
    with announce_compiling(quiet=True):
        broadcast("pokerlab.engine.cpu.kernels.solve_kernels")
    assert capsys.readouterr().err == ""
