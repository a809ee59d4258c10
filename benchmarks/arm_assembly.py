"""How many instructions has a hand on ARM64, and how many registers are put aside?

Counted, on any machine, in the assembly that LLVM emits for a Neoverse N1, in the hot loops of the
post-flop walk. A register that is *put aside* goes to memory because 32 are not enough, or comes
back. Nothing is run, so no row is a time: `benchmarks.postflop` has times on such a processor. The
ratio is the instructions of earlier loops (leaves: before columns of four) over those of now.

Floor, in cycles of that processor: see `benchmarks.postflop` for leaves. A product of an opposing
and sixteen own hands is four multiplications with their additions and two loads of two registers; a
quarter of what an opposing hand needs (its number, its reach, the loop) is 1.75 instructions more.

Counted 2026-11-18: an opposing hand 48, an own one 80.5 at showdowns and 41 at folds, with 0, 0.5
and 0 registers put aside; a product 7.75 and 0, only for hands that reach, and 8 more for a
conversion that all products of a board share (before: 7 and 0 for every hand, the conversion of
every fourth product among them); the longest loop over reach 133 and 0 for sixteen hands, in 16
bits 295 and 6. Nodes that learn are left out: they have instructions of their own, for which LLVM
must read ARM64's assembly, and llvmlite reads only that of the machine it is on.

The process that emits pretends to be on ARM64 before it imports the kernels, and caches nothing.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections import defaultdict
from typing import Any, NamedTuple

import numpy as np

from benchmarks.common import Row

TRIPLE, PROCESSOR = "aarch64-unknown-linux-gnu", "neoverse-n1"
LAYOUT = "e-m:e-i8:8:32-i16:16:32-i64:64-i128:128-n32:64-S128"
BEFORE = {"opposing hand": 57.0, "showdown": 95.0, "fold": 57.0, "product": 7.0}
"""Instructions of earlier loops."""


class Loop(NamedTuple):
    """What an innermost loop has."""

    instructions: int
    aside: int
    """Registers put aside or taken back."""
    products: int
    """Multiplications with their additions."""


def run() -> list[Row]:
    """The loops, counted in another process."""
    command = [sys.executable, "-m", "benchmarks.arm_assembly"]
    found = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    rows = []
    for name, (instructions, aside, what) in found.items():
        before = BEFORE.get(name)
        rows.append(
            Row(
                f"{name}: instructions",
                instructions,
                what,
                "" if before is None else "before",
                None if before is None else before / instructions,
                f"{aside:.3g} registers put aside or taken back",
            )
        )
    return rows


def pretend() -> None:
    """Let what is imported from now on emit code for ARM64, and keep it from the compiler's end."""
    import llvmlite.binding as llvm

    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    llvm.get_process_triple = lambda: TRIPLE
    llvm.initialize_native_asmparser = lambda: None

    from numba.core import codegen
    from numba.core.cpu import CPUContext

    # What numba emits stays as it is: it is optimised for the other processor below.
    codegen.CPUCodeLibrary._optimize_functions = lambda self, module: None
    codegen.CPUCodeLibrary._optimize_final_module = lambda self: None
    codegen.CPUCodeLibrary._finalize_final_module = lambda self: None
    CPUContext.get_executable = lambda self, library, description, environment: print

    from pokerlab.runtime import jit, vector_kernels

    jit._module_cache = lambda module: ""
    vector_kernels._has = lambda feature: False


def assembly(function: Any, arguments: tuple[Any, ...]) -> str:
    """What LLVM emits for a kernel that is given such arguments."""
    import llvmlite.binding as llvm
    from numba import typeof
    from numba.core.compiler_lock import global_compiler_lock

    function.compile(tuple(typeof(argument) for argument in arguments))
    *_, compiled = function.overloads.values()
    with global_compiler_lock:
        compiled.library.finalize()
    text = str(compiled.library._final_module)
    text = re.sub(r'target triple = "[^"]*"', f'target triple = "{TRIPLE}"', text)
    text = re.sub(r'target datalayout = "[^"]*"', f'target datalayout = "{LAYOUT}"', text)
    text = re.sub(r'"target-(?:cpu|features)"="[^"]*"', "", text)
    module = llvm.parse_assembly(text)
    machine = llvm.Target.from_triple(TRIPLE).create_target_machine(cpu=PROCESSOR, opt=3)
    machine.set_asm_verbosity(True)
    options = llvm.create_pipeline_tuning_options(speed_level=3)
    builder = llvm.create_pass_builder(machine, options)
    builder.getModulePassManager().run(module, builder)
    return str(machine.emit_assembly(module))


def inner_loops(text: str) -> list[Loop]:
    """The innermost loops of all functions, as LLVM's comments mark them."""
    loops: dict[str, list[str]] = defaultdict(list)
    inner: set[str] = set()
    function, label, remarks, here = 0, "", "", ""
    for line in text.splitlines():
        begins = re.match(r"\.L(BB\d+_\d+):|// %bb\.\d+:", line)
        if re.match(r"\w+:\s+//\s*@", line):
            function += 1
        if begins:
            label, remarks, here = begins[1] or "", line, "?"
        elif line.lstrip().startswith("//"):
            remarks += line
        elif re.match(r"\t[a-z]", line):
            if here == "?":  # the first instruction of a block: all that is said of it is known
                inside = re.search(r"in Loop: Header=(BB\d+_\d+)", remarks)
                here = inside[1] if inside else ""
                if "Inner Loop Header" in remarks:
                    here = label
                    inner.add(f"{function} {here}")
            loops[f"{function} {here}"].append(line)
    return [
        Loop(len(lines), sum("Folded" in line for line in lines), " ".join(lines).count("fmla"))
        for name, lines in loops.items()
        if name in inner
    ]


def count() -> dict[str, tuple[float, float, str]]:
    """The hot loops: instructions, registers put aside or taken back, and for what."""
    from pokerlab.engine.cpu.kernels.leaf_kernels import BoardHands, LeafWorkspace, evaluate_block
    from pokerlab.engine.cpu.kernels.product_kernels import evaluate_all_ins
    from pokerlab.engine.cpu.kernels.reach_kernels import Averaging, split_reach
    from pokerlab.engine.cpu.kernels.sweep_kernels import Sweep
    from pokerlab.engine.tables.arrays import AllIns, Leaves

    singles, halves = np.zeros(16, np.float32), np.zeros(16, np.uint16)
    starts, one = np.zeros(16, np.int64), np.float32(1)
    hands = BoardHands(16, 16, Sweep(halves, halves), 0, 0)
    leaves, work = Leaves(starts, starts, starts), LeafWorkspace(singles, singles)
    found = {}
    text = assembly(evaluate_block, (singles, singles, 0, True, True, leaves, hands, work))
    sweeps = [loop for loop in inner_loops(text) if loop.instructions > 100]
    for name, loop in zip(("opposing hand", "showdown", "fold"), sweeps, strict=True):
        found[name] = loop.instructions / 4, loop.aside / 4, "a hand and 16 leaves"
    all_ins = AllIns(starts, starts)
    arguments = (singles, singles, all_ins, halves, 0, 16, 16, one, halves, singles)
    products = [
        loop for loop in inner_loops(assembly(evaluate_all_ins, arguments)) if loop.products
    ]
    for loop in products:
        found["product"] = loop.instructions / 4, loop.aside / 4, "an opposing and 16 own hands"
    for bits, sums in ((32, singles), (16, halves)):
        arguments = (singles, 0, 0, 0, sums, sums, 0, 16, 2, Averaging(one, 1), True)
        loops = inner_loops(assembly(split_reach, arguments))
        loop = max(loops, key=lambda each: each.instructions)
        found[f"reach, {bits} bits"] = loop.instructions, loop.aside, "16 hands, the longest loop"
    return found


if __name__ == "__main__":
    pretend()
    print(json.dumps(count()))
