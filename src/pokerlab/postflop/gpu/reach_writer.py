"""Programs that carry reach down and bring nothing up."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from pokerlab.postflop.gpu.instructions import Flag, Instruction, Kind
from pokerlab.postflop.gpu.street import Street
from pokerlab.postflop.tree.betting_tree import EdgeKind


def write_reach(street: Street, roots: Sequence[int], *, record: bool) -> list[Instruction]:
    """The instructions that carry reach from some roots to the next street and to all-ins.

    With `record` they go to all nodes of the opponent and add to the sums of strategies there.
    """
    program: list[Instruction] = []
    free: list[int] = []
    used = 0

    def take() -> int:
        nonlocal used
        if free:
            return free.pop()
        used += 1
        return used - 1

    @cache
    def leads_on(node: int) -> bool:
        """Whether anything below needs the reach."""
        return record or any(
            street.kind[edge] in (EdgeKind.NEXT_STREET, EdgeKind.ALLIN)
            or (street.kind[edge] == EdgeKind.NODE and leads_on(street.target[edge]))
            for edge in street.edges_of(node)
        )

    def go_down(node: int, slot: int) -> None:
        if not leads_on(node):
            return
        edges = street.edges_of(node)
        parts = [slot] * len(edges)
        if not street.mine[node]:
            parts = [take() for _ in edges]
            flags = Flag.SUMS if record else 0
            number = street.slot[node]
            split = Instruction(Kind.SPLIT, number, list(parts), source=slot, flags=flags)
            program.append(split)
        for edge, part in zip(edges, parts, strict=True):
            if street.kind[edge] == EdgeKind.NODE:
                go_down(street.target[edge], part)
            elif street.kind[edge] == EdgeKind.NEXT_STREET:
                number = street.target[edge]
                program.append(Instruction(Kind.PASS_DOWN, number, [0], source=part))
            elif street.kind[edge] == EdgeKind.ALLIN:
                number = street.all_in[edge]
                program.append(Instruction(Kind.PASS_DOWN, number, [1], source=part))
        if not street.mine[node]:
            free.extend(parts)

    for root in roots:
        slot = take()
        program.append(Instruction(Kind.ENTER, root, out=slot))
        go_down(street.first_node(root), slot)
        free.append(slot)
    return program
