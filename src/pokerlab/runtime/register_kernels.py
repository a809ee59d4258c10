"""Sixty-four bytes at once: a register of AVX-512, for kernels that think in bytes.

A `Register` value is one vector of 64 bytes, or of eight unsigned 64-bit numbers: arithmetic and
shifts (``+ - * & | ^ << >>``) work on the numbers, look-ups, minima and sums on the bytes.
Everything here needs a processor with byte permutations (`has_byte_permutations`: Intel since 2019,
AMD since 2022); a kernel that uses it has a plain twin for the others.

Arrays are one-dimensional and an index counts elements. Nothing is checked.
"""

# Numba's extension decorators carry no types in any release.
# mypy: disable-error-code="untyped-decorator, misc"

from __future__ import annotations

import operator
from functools import cache
from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.core.registry import cpu_target
from numba.extending import intrinsic, models, register_model

from pokerlab.runtime.intrinsics import define_operator, element_pointer

_BIT = ir.IntType(1)
_INT32 = ir.IntType(32)
_INT64 = ir.IntType(64)
_POINTER = ir.PointerType()
_NUMBERS = ir.VectorType(_INT64, 8)
_BYTES = ir.VectorType(ir.IntType(8), 64)
_WORDS = ir.VectorType(ir.IntType(16), 8)
_BYTE_MASK = ir.VectorType(_BIT, 64)
_NUMBER_MASK = ir.VectorType(_BIT, 8)


@cache
def has_byte_permutations() -> bool:
    """Whether Numba compiles for a processor that has what this module needs."""
    features = getattr(cpu_target.target_context.codegen(), "_tm_features", "").split(",")
    return all(f"+avx512{part}" in features for part in ("f", "bw", "vl", "vbmi"))


class _RegisterType(types.Type):
    def __init__(self) -> None:
        super().__init__(name="Register")


_register = _RegisterType()


@register_model(_RegisterType)
class _RegisterModel(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, _NUMBERS)


def _call(builder: Any, name: str, result: Any, arguments: list[Any]) -> Any:
    kind = ir.FunctionType(result, [argument.type for argument in arguments])
    return builder.call(cgutils.get_or_insert_function(builder.module, kind, name), arguments)


def _bytes(builder: Any, register: Any) -> Any:
    return builder.bitcast(register, _BYTES)


for _operator, _name in (
    (operator.add, "add"),
    (operator.sub, "sub"),
    (operator.mul, "mul"),
    (operator.and_, "and_"),
    (operator.or_, "or_"),
    (operator.xor, "xor"),
    (operator.lshift, "shl"),
    (operator.rshift, "lshr"),
):
    define_operator(_operator, _RegisterType, _name)


@intrinsic
def splat_number(typing: Any, number: Any) -> Any:
    """Eight times the same 64-bit number."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        undefined = ir.Constant(_NUMBERS, ir.Undefined)
        first = builder.insert_element(undefined, arguments[0], ir.Constant(_INT32, 0))
        zeros = ir.Constant(ir.VectorType(_INT32, 8), [0] * 8)
        return builder.shuffle_vector(first, undefined, zeros)

    return _register(types.uint64), generate


@intrinsic
def load_numbers(typing: Any, array: Any, index: Any) -> Any:
    """The 64 bytes from ``array[index]`` on; all of them must be there."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        pointer = element_pointer(context, builder, signature.args[0], *arguments)
        return builder.load(pointer, align=1, typ=_NUMBERS)

    return _register(array, types.intp), generate


@intrinsic
def load_bytes(typing: Any, array: Any, index: Any, wanted: Any) -> Any:
    """Those of the 64 bytes from ``array[index]`` on whose bit is set in `wanted`; zeros else.

    Bytes that are not wanted need not exist.
    """

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        pointer = element_pointer(context, builder, signature.args[0], *arguments[:2])
        mask = builder.bitcast(arguments[2], _BYTE_MASK)
        zeros = ir.Constant(_BYTES, None)
        one = ir.Constant(_INT32, 1)
        found = _call(builder, "llvm.masked.load.v64i8.p0", _BYTES, [pointer, one, mask, zeros])
        return builder.bitcast(found, _NUMBERS)

    return _register(array, types.intp, types.uint64), generate


@intrinsic
def store_numbers(typing: Any, array: Any, index: Any, register: Any) -> Any:
    """Write the eight numbers to ``array[index]`` and after."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array, index, register = arguments
        pointer = element_pointer(context, builder, signature.args[0], array, index)
        builder.store(register, builder.bitcast(pointer, _NUMBERS.as_pointer()), align=1)
        return context.get_dummy_value()

    return types.void(array, types.intp, register), generate


@intrinsic
def store_words(typing: Any, array: Any, index: Any, register: Any) -> Any:
    """Write the low 16 bits of the eight numbers to ``array[index]`` and after."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array, index, register = arguments
        pointer = element_pointer(context, builder, signature.args[0], array, index)
        pointer = builder.bitcast(pointer, _WORDS.as_pointer())
        builder.store(builder.trunc(register, _WORDS), pointer, align=2)
        return context.get_dummy_value()

    return types.void(array, types.intp, register), generate


@intrinsic
def gather_words(typing: Any, array: Any, places: Any) -> Any:
    """Eight numbers ``array[place]`` of a ``uint16`` array.

    Four bytes are read at each place: the last place of an array must not be asked for.
    """

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        base = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        pointers = builder.gep(base, [arguments[1]], source_etype=ir.IntType(16))
        pointers.type = ir.VectorType(_POINTER, 8)
        halves = ir.VectorType(_INT32, 8)
        everywhere = ir.Constant(_NUMBER_MASK, [1] * 8)
        found = _call(
            builder,
            "llvm.masked.gather.v8i32.v8p0",
            halves,
            [pointers, ir.Constant(_INT32, 2), everywhere, ir.Constant(halves, None)],
        )
        low = ir.Constant(halves, [0xFFFF] * 8)
        return builder.zext(builder.and_(found, low), _NUMBERS)

    return _register(array, _register), generate


def _gather(element: ir.Type, align: int) -> Any:
    def typed(typing: Any, array: Any, places: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            base = context.make_array(signature.args[0])(context, builder, arguments[0]).data
            pointers = builder.gep(base, [arguments[1]], source_etype=element)
            pointers.type = ir.VectorType(_POINTER, 8)
            everywhere = ir.Constant(_NUMBER_MASK, [1] * 8)
            return _call(
                builder,
                "llvm.masked.gather.v8i64.v8p0",
                _NUMBERS,
                [pointers, ir.Constant(_INT32, align), everywhere, ir.Constant(_NUMBERS, None)],
            )

        return _register(array, _register), generate

    return typed


gather_numbers = intrinsic(_gather(_INT64, 8))
"""Eight numbers ``array[place]`` of an array of 64-bit integers."""
gather_bytes = intrinsic(_gather(ir.IntType(8), 1))
"""Eight times the eight bytes from ``array[place]`` on."""


@intrinsic
def pack_numbers(typing: Any, register: Any, wanted: Any) -> Any:
    """The numbers whose bit is set in an 8-bit mask, one after the other, then zeros."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        mask = builder.bitcast(arguments[1], _NUMBER_MASK)
        zeros = ir.Constant(_NUMBERS, None)
        name = "llvm.x86.avx512.mask.compress.v8i64"
        return _call(builder, name, _NUMBERS, [arguments[0], zeros, mask])

    return _register(_register, types.uint8), generate


@intrinsic
def permute_bytes(typing: Any, register: Any, places: Any) -> Any:
    """Byte ``places[i] mod 64`` of a register, for each i: a look-up in a table of 64 bytes."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        pair = [_bytes(builder, argument) for argument in arguments]
        found = _call(builder, "llvm.x86.avx512.permvar.qi.512", _BYTES, pair)
        return builder.bitcast(found, _NUMBERS)

    return _register(_register, _register), generate


@intrinsic
def sum_bytes(typing: Any, register: Any) -> Any:
    """The sum of the eight bytes of each number."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        pair = [_bytes(builder, arguments[0]), ir.Constant(_BYTES, None)]
        return _call(builder, "llvm.x86.avx512.psad.bw.512", _NUMBERS, pair)

    return _register(_register), generate


def _choose_bytes(condition: str) -> Any:
    def typed(typing: Any, left: Any, right: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            pair = [_bytes(builder, argument) for argument in arguments]
            chosen = builder.select(builder.icmp_unsigned(condition, *pair), *pair)
            return builder.bitcast(chosen, _NUMBERS)

        return _register(_register, _register), generate

    return typed


larger_bytes = intrinsic(_choose_bytes(">"))
smaller_bytes = intrinsic(_choose_bytes("<"))


@intrinsic
def rotate(typing: Any, register: Any, bits: Any) -> Any:
    """Each number rotated to the left by `bits` bits."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        register, bits = arguments
        name = "llvm.fshl.v8i64"
        return _call(builder, name, _NUMBERS, [register, register, bits])

    return _register(_register, _register), generate


@intrinsic
def zero_bytes(typing: Any, register: Any) -> Any:
    """A 64-bit mask of the bytes that are zero."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        zeros = ir.Constant(_BYTES, None)
        mask = builder.icmp_unsigned("==", _bytes(builder, arguments[0]), zeros)
        return builder.bitcast(mask, _INT64)

    return types.uint64(_register), generate


@intrinsic
def numbers_with(typing: Any, register: Any, bits: Any) -> Any:
    """An 8-bit mask of the numbers that have one of these bits."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        common = builder.and_(*arguments)
        mask = builder.icmp_unsigned("!=", common, ir.Constant(_NUMBERS, None))
        return builder.bitcast(mask, ir.IntType(8))

    return types.uint8(_register, _register), generate


def _choose_by(condition: str) -> Any:
    def typed(typing: Any, left: Any, right: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return builder.select(builder.icmp_unsigned(condition, *arguments), *arguments)

        return _register(_register, _register), generate

    return typed


larger_numbers = intrinsic(_choose_by(">"))
smaller_numbers = intrinsic(_choose_by("<"))


@intrinsic
def choose_numbers(typing: Any, wanted: Any, left: Any, right: Any) -> Any:
    """The numbers of `left` whose bit is set in an 8-bit mask, and the others of `right`."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        mask = builder.bitcast(arguments[0], _NUMBER_MASK)
        return builder.select(mask, *arguments[1:])

    return _register(types.uint8, _register, _register), generate


@intrinsic
def multiply_low(typing: Any, left: Any, right: Any) -> Any:
    """The products of the lower halves of the numbers: a third of the time of ``*``."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        low = ir.Constant(_NUMBERS, [0xFFFFFFFF] * 8)
        return builder.mul(*(builder.and_(argument, low) for argument in arguments))

    return _register(_register, _register), generate


@intrinsic
def trailing_zeros(typing: Any, bits: Any) -> Any:
    """The place of the lowest bit that is set in 64 bits."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return _call(builder, "llvm.cttz.i64", _INT64, [arguments[0], ir.Constant(_BIT, 1)])

    return types.int64(types.uint64), generate


@intrinsic
def count_bits(typing: Any, bits: Any) -> Any:
    """How many bits are set in an 8-bit mask."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        wide = builder.zext(arguments[0], _INT64)
        return _call(builder, "llvm.ctpop.i64", _INT64, [wide])

    return types.int64(types.uint8), generate
