"""Sixteen bytes at once: a register of NEON, for kernels that think in bytes.

A `ShortRegister` value is one vector of 16 bytes; ``+ & | ^`` work on the bytes. Everything here
needs an ARM64 processor, and all of them have it (`pokerlab.runtime.vector_kernels.IS_ARM64`); a
kernel that uses it has a plain twin for other processors.

Arrays are one-dimensional and an index counts elements. Nothing is checked.
"""

# Numba's extension decorators carry no types in any release.
# mypy: disable-error-code="untyped-decorator, misc"

from __future__ import annotations

import operator
from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.core.types.containers import UniTuple
from numba.extending import intrinsic, models, register_model

from pokerlab.runtime.intrinsics import define_operator, element_pointer

_INT8 = ir.IntType(8)
_INT32 = ir.IntType(32)
_INT64 = ir.IntType(64)
_BYTES = ir.VectorType(_INT8, 16)
_WORDS = ir.VectorType(ir.IntType(16), 8)
_HALVES = ir.VectorType(_INT32, 4)
_NUMBERS = ir.VectorType(_INT64, 2)


class _ShortRegisterType(types.Type):
    def __init__(self) -> None:
        super().__init__(name="ShortRegister")


_register = _ShortRegisterType()


@register_model(_ShortRegisterType)
class _ShortRegisterModel(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, _BYTES)


def _shuffle(builder: Any, left: Any, right: Any, places: list[int]) -> Any:
    mask = ir.Constant(ir.VectorType(_INT32, len(places)), places)
    return builder.shuffle_vector(left, right, mask)


for _operator, _name in (
    (operator.add, "add"),
    (operator.and_, "and_"),
    (operator.or_, "or_"),
    (operator.xor, "xor"),
):
    define_operator(_operator, _ShortRegisterType, _name)


@intrinsic
def splat_byte(typing: Any, byte: Any) -> Any:
    """Sixteen times the same byte."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        undefined = ir.Constant(_BYTES, ir.Undefined)
        first = builder.insert_element(undefined, arguments[0], ir.Constant(_INT32, 0))
        return _shuffle(builder, first, undefined, [0] * 16)

    return _register(types.uint8), generate


@intrinsic
def load_sixteen(typing: Any, array: Any, index: Any) -> Any:
    """The 16 bytes from ``array[index]`` on."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        pointer = element_pointer(context, builder, signature.args[0], *arguments)
        return builder.load(pointer, align=1, typ=_BYTES)

    return _register(array, types.uintp), generate


@intrinsic
def load_every_fourth(typing: Any, array: Any, index: Any) -> Any:
    """Bytes 0, 4, 8, … 60 of the 64 bytes from ``array[index]`` on."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        pointer = element_pointer(context, builder, signature.args[0], *arguments)
        found = builder.load(pointer, align=1, typ=ir.VectorType(_INT8, 64))
        return _shuffle(builder, found, found, list(range(0, 64, 4)))

    return _register(array, types.uintp), generate


def _look_up(builder: Any, table: Any, places: Any) -> Any:
    kind = ir.FunctionType(_BYTES, [_BYTES, _BYTES])
    name = "llvm.aarch64.neon.tbl1.v16i8"
    function = cgutils.get_or_insert_function(builder.module, kind, name)
    return builder.call(function, [table, places])


@intrinsic
def look_up_bytes(typing: Any, table: Any, places: Any) -> Any:
    """Byte ``places[i]`` of a table of 16 bytes, for each i; 0 where the place is 16 or more."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return _look_up(builder, *arguments)

    return _register(_register, _register), generate


@intrinsic
def quarter_bytes(typing: Any, register: Any) -> Any:
    """Each byte divided by four, rounded down."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.lshr(arguments[0], ir.Constant(_BYTES, [2] * 16))

    return _register(_register), generate


@intrinsic
def larger_bytes(typing: Any, left: Any, right: Any) -> Any:
    """The larger of two bytes, sixteen times."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.select(builder.icmp_unsigned(">", *arguments), *arguments)

    return _register(_register, _register), generate


@intrinsic
def equal_bytes(typing: Any, left: Any, right: Any) -> Any:
    """255 where two bytes are equal, 0 elsewhere."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.sext(builder.icmp_unsigned("==", *arguments), _BYTES)

    return _register(_register, _register), generate


@intrinsic
def bytes_with(typing: Any, register: Any, bits: Any) -> Any:
    """A 64-bit mask of the bytes that have one of these bits: four bits, 0 or 15, for each."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        common = builder.and_(*arguments)
        found = builder.sext(builder.icmp_unsigned("!=", common, ir.Constant(_BYTES, None)), _BYTES)
        words = builder.bitcast(found, _WORDS)
        words = builder.lshr(words, ir.Constant(_WORDS, [4] * 8))
        return builder.bitcast(builder.trunc(words, ir.VectorType(_INT8, 8)), _INT64)

    return types.uint64(_register, _register), generate


@intrinsic
def load_columns(typing: Any, array: Any, index: Any, size: Any) -> Any:
    """Eight registers: byte k of sixteen rows of `size` bytes that begin at ``array[index]``.

    Eight bytes are read of each row, of the last one too.
    """

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array, index, size = arguments
        rows = []
        for _ in range(16):
            pointer = element_pointer(context, builder, signature.args[0], array, index)
            row = builder.load(pointer, align=1, typ=_INT64)
            pair = builder.insert_element(ir.Constant(_NUMBERS, None), row, ir.Constant(_INT32, 0))
            rows.append([builder.bitcast(pair, _BYTES)])
            index = builder.add(index, size)
        # Neighbours are merged four times: bytes, pairs of them, fours, eights. The second half of
        # a row of eight bytes is empty, so the first merger has no second register.
        for kind in (_BYTES, _WORDS, _HALVES, _NUMBERS):
            rows = [
                [
                    _merge(builder, kind, left, right, half)
                    for left, right in zip(*pair, strict=True)
                    for half in range(1 if kind is _BYTES else 2)
                ]
                for pair in zip(rows[::2], rows[1::2], strict=True)
            ]
        return context.make_tuple(builder, signature.return_type, rows[0])

    return UniTuple(_register, 8)(array, types.uint64, types.uint64), generate


def _merge(builder: Any, kind: ir.VectorType, left: Any, right: Any, half: int) -> Any:
    """Elements of the lower (0) or upper (1) halves of two registers by turns."""
    left, right = (builder.bitcast(register, kind) for register in (left, right))
    first = half * kind.count // 2
    places = [
        place + turn for place in range(first, first + kind.count // 2) for turn in (0, kind.count)
    ]
    return builder.bitcast(_shuffle(builder, left, right, places), _BYTES)


@intrinsic
def add_look_ups(typing: Any, tables: Any, places: Any) -> Any:
    """Sixteen sums, modulo 2**32, of numbers from a table of 16.

    The table is given as four registers with the lowest bytes of its numbers, the next ones and so
    on; each register of `places` has the place of one number for each sum, and numbers at places
    from 16 on are zero. Returns the sums as eight pairs of 32 bits, the lower half first.
    """

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        tables, places = (
            cgutils.unpack_tuple(builder, argument, kind.count)
            for argument, kind in zip(arguments, signature.args, strict=True)
        )
        found = [[_look_up(builder, table, place) for place in places] for table in tables]
        highest = found[3][0]
        for number in found[3][1:]:
            highest = builder.add(highest, number)
        sums = []
        for first in (0, 8):
            low, second, third = (_add_widened(builder, found[byte], first) for byte in range(3))
            fourth = builder.shl(
                _widen(builder, highest, _WORDS, first), ir.Constant(_WORDS, [8] * 8)
            )
            high = builder.add(third, fourth)
            for start in (0, 4):
                total = builder.shl(
                    _widen(builder, second, _HALVES, start), ir.Constant(_HALVES, [8] * 4)
                )
                total = builder.add(total, _widen(builder, low, _HALVES, start))
                top = builder.shl(
                    _widen(builder, high, _HALVES, start), ir.Constant(_HALVES, [16] * 4)
                )
                pair = builder.bitcast(builder.add(total, top), _NUMBERS)
                sums += [
                    builder.extract_element(pair, ir.Constant(_INT32, half)) for half in (0, 1)
                ]
        return context.make_tuple(builder, signature.return_type, sums)

    return UniTuple(types.uint64, 8)(tables, places), generate


def _widen(builder: Any, register: Any, kind: ir.VectorType, first: int) -> Any:
    """Half of the elements of a register, from `first` on, as elements twice as wide."""
    places = list(range(first, first + kind.count))
    return builder.zext(_shuffle(builder, register, register, places), kind)


def _add_widened(builder: Any, registers: list[Any], first: int) -> Any:
    """Sums of 16 bits of eight bytes of each register, from `first` on."""
    total = _widen(builder, registers[0], _WORDS, first)
    for register in registers[1:]:
        total = builder.add(total, _widen(builder, register, _WORDS, first))
    return total
