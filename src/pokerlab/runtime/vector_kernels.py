"""Sixteen numbers at once: a tiny vector type for kernels.

A `Lanes` value is sixteen float32 or float64 numbers in registers: ``load``, ``store``, ``splat``,
``+ - * /``, ``positive``, ``choose`` and a 16 × 16 transpose of rows. It is an LLVM vector of
sixteen elements, which LLVM lowers to whatever the processor has (AVX-512, AVX2, SSE2, NEON). Why
not plain loops: the sweep over the leaves of a board needs loops of exactly sixteen iterations
nested inside loops over hands, and LLVM unrolls those before it vectorises them (7 to 10 times
slower); and a fused update of several rows has more pointers than LLVM is willing to check for
overlap.

Arrays are one-dimensional and an index counts elements. Nothing is checked. Storage may be wider
or narrower than the vector: ``load(array, index)`` gives lanes of the array's own type, and
``load_as(array, index, like)`` converts to the type of other lanes. A ``uint16`` array holds
IEEE half-precision numbers; ``store_by_turns`` rounds these up or down so that they are right on
average over iterations.
``store_two`` writes two numbers to one place where a negative one must be remembered behind a
positive one, and ``load_second`` gives it back.

Whether a processor computes with denormal numbers (below 1.2e-38 in float32) or takes them for
zeros is a mode that kernels must not depend on. So whatever decides something (``positive``,
``choose``) takes them for zeros by itself, and halves are converted without them.
"""

# Numba's extension decorators carry no types in any release.
# mypy: disable-error-code="untyped-decorator, misc"

from __future__ import annotations

import operator
import re
from collections.abc import Callable
from typing import Any

import llvmlite.binding as llvm
from llvmlite import ir
from numba.core import cgutils, types
from numba.core.imputils import impl_ret_borrowed
from numba.core.registry import cpu_target
from numba.core.types.containers import UniTuple
from numba.extending import intrinsic, models, register_model

from pokerlab.runtime.intrinsics import define_operator, element_pointer

LANES = 16
"""How many numbers a vector holds."""

_INT32 = ir.IntType(32)
_INT64 = ir.IntType(64)
_POINTER8 = ir.IntType(8).as_pointer()
_SINGLES = ir.VectorType(ir.FloatType(), LANES)
_WORDS = ir.VectorType(_INT32, LANES)
_HALVES = ir.VectorType(ir.IntType(16), LANES)
_REAL_HALVES = ir.VectorType(ir.HalfType(), LANES)
_LARGEST_HALF = 65504.0
_ELEMENT = {types.float32: ir.FloatType(), types.float64: ir.DoubleType()}
_PROCESSOR = llvm.get_process_triple().split("-")[0].lower()
"""What this process runs on, which on some systems is not what the machine is."""
IS_X86 = _PROCESSOR in ("x86_64", "amd64", "i386", "i686")
IS_ARM64 = _PROCESSOR in ("aarch64", "arm64")
FLUSHING = 0x8040 if IS_X86 else 1 << 24 if IS_ARM64 else 0
"""The bits of a float mode that make denormal numbers zeros, as operands and as results."""

if IS_ARM64:
    llvm.initialize_native_asmparser()  # for instructions that are written out

COLUMNS = 4 if IS_ARM64 else LANES
"""How many columns of sixteen rows a transpose takes at once. On ARM64 lanes are four registers,
and of its 32 sixteen columns would need 64: most of them would go to memory and come back."""


class _LanesType(types.Type):
    def __init__(self, element: Any) -> None:
        self.element = element
        super().__init__(name=f"Lanes({element})")


@register_model(_LanesType)
class _LanesModel(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: _LanesType) -> None:
        super().__init__(manager, kind, _vector(kind))


def _vector(kind: Any) -> ir.VectorType:
    return ir.VectorType(_ELEMENT[kind.element], LANES)


def _element_of(array: Any) -> Any:
    """What lanes of an array are made of: halves are computed with in single precision."""
    return types.float32 if array.dtype == types.uint16 else array.dtype


def _load(builder: Any, pointer: Any, kind: ir.VectorType, align: int) -> Any:
    return builder.load(builder.bitcast(pointer, kind.as_pointer()), align=align, typ=kind)


def _store(builder: Any, lanes: Any, pointer: Any, align: int) -> None:
    builder.store(lanes, builder.bitcast(pointer, lanes.type.as_pointer()), align=align)


def _load_fixed(builder: Any, pointer: Any, kind: ir.Type, align: int | None = None) -> Any:
    """A number that nobody writes as long as a kernel runs: it may be read early."""
    number = builder.load(pointer, align=align, typ=kind)
    if IS_ARM64:
        number.set_metadata("invariant.load", builder.module.add_metadata([]))
    return number


def _width(element: Any) -> int:
    return 8 if isinstance(element, ir.DoubleType) else 4


def _convert(builder: Any, lanes: Any, wanted: ir.VectorType) -> Any:
    have = lanes.type
    if have == wanted:
        return lanes
    if have == _HALVES:
        return _convert(builder, _from_halves(builder, lanes), wanted)
    if wanted == _HALVES:
        return _to_halves(builder, _convert(builder, lanes, _SINGLES))
    wider = isinstance(wanted.element, ir.DoubleType)
    return builder.fpext(lanes, wanted) if wider else builder.fptrunc(lanes, wanted)


# Numbers below 6e-5 are denormal as halves: they have fewer bits, but to convert them takes no
# longer. x86 with F16C and ARM64 have conversions, and these keep denormal halves whatever the mode
# is. Other processors would call functions that Numba does not link; for them, halves by integer
# arithmetic: the exponents of the two formats differ by 112, and a denormal half is a whole number
# of 2⁻²⁴.


def _has(feature: str) -> bool:
    """Whether kernels are compiled for a processor with a feature."""
    codegen = cpu_target.target_context.codegen()
    return f"+{feature}" in getattr(codegen, "_tm_features", "").split(",")


def _from_halves(builder: Any, halves: Any) -> Any:
    if _has("avx512f"):
        # LLVM would convert twice where a number and its positive part are asked for, if it knew
        # what this does.
        everywhere, by_default = ir.Constant(ir.IntType(16), -1), ir.Constant(_INT32, 4)
        function = cgutils.get_or_insert_function(
            builder.module,
            ir.FunctionType(_SINGLES, [_HALVES, _SINGLES, everywhere.type, _INT32]),
            "llvm.x86.avx512.mask.vcvtph2ps.512",
        )
        return builder.call(function, [halves, _zeros(_SINGLES), everywhere, by_default])
    if _has("f16c") or IS_ARM64:
        return builder.fpext(builder.bitcast(halves, _REAL_HALVES), _SINGLES)
    words = builder.zext(halves, _WORDS)
    size = builder.and_(words, _whole(0x7FFF))
    normal = builder.add(builder.shl(size, _whole(13)), _whole(112 << 23))
    denormal = builder.fmul(builder.uitofp(size, _SINGLES), _single(2.0**-24))
    is_normal = builder.icmp_unsigned(">=", size, _whole(0x0400))
    bits = builder.select(is_normal, normal, builder.bitcast(denormal, _WORDS))
    sign = builder.shl(builder.and_(words, _whole(0x8000)), _whole(16))
    return builder.bitcast(builder.or_(bits, sign), _SINGLES)


def _to_halves(builder: Any, singles: Any) -> Any:
    """The nearest halves; the largest for numbers too large."""
    if _has("f16c") or IS_ARM64:
        for limit, order in ((_LARGEST_HALF, "<"), (-_LARGEST_HALF, ">")):
            fits = builder.fcmp_ordered(order, singles, _single(limit))
            singles = builder.select(fits, singles, _single(limit))
        return builder.bitcast(builder.fptrunc(singles, _REAL_HALVES), _HALVES)
    sign, size = _sign_and_size(builder, builder.bitcast(singles, _WORDS))
    bits = builder.bitcast(size, _WORDS)
    odd = builder.and_(builder.lshr(bits, _whole(13)), _whole(1))
    rounded = builder.add(builder.add(bits, _whole(0x0FFF)), odd)
    # The last bit of what is added to a half is worth 2⁻²⁴: that rounds.
    half = _single(0.5)
    denormal = builder.bitcast(builder.fadd(size, half), _WORDS)
    denormal = builder.sub(denormal, builder.bitcast(half, _WORDS))
    return _join_half(builder, sign, size, rounded, denormal)


def _cut_to_halves(builder: Any, bits: Any) -> Any:
    """The next halves towards zero, of the bits of finite singles.

    To round otherwise, something is added to the bits before. Numbers too large become the largest.
    """
    if not _has("f16c"):
        sign, size = _sign_and_size(builder, bits)
        denormal = builder.fptoui(builder.fmul(size, _single(2.0**24)), _WORDS)
        return _join_half(builder, sign, size, builder.bitcast(size, _WORDS), denormal)
    singles, towards_zero = builder.bitcast(bits, _SINGLES), ir.Constant(_INT32, 3)
    if _has("avx512f"):
        everywhere = ir.Constant(ir.IntType(16), -1)
        function = cgutils.get_or_insert_function(
            builder.module,
            ir.FunctionType(_HALVES, [_SINGLES, _INT32, _HALVES, everywhere.type]),
            "llvm.x86.avx512.mask.vcvtps2ph.512",
        )
        return builder.call(function, [singles, towards_zero, _words(16, 0), everywhere])
    eight = ir.VectorType(ir.FloatType(), LANES // 2)
    function = cgutils.get_or_insert_function(
        builder.module,
        ir.FunctionType(ir.VectorType(ir.IntType(16), LANES // 2), [eight, _INT32]),
        "llvm.x86.vcvtps2ph.256",
    )
    sides = []
    for first in (0, LANES // 2):
        lanes = ir.Constant(ir.VectorType(_INT32, LANES // 2), list(range(first, first + 8)))
        side = builder.shuffle_vector(singles, ir.Constant(_SINGLES, ir.Undefined), lanes)
        sides.append(builder.call(function, [side, towards_zero]))
    return builder.shuffle_vector(*sides, ir.Constant(_WORDS, list(range(LANES))))


def _sign_and_size(builder: Any, bits: Any) -> tuple[Any, Any]:
    """The sign of a half, and what is left of a number: at most the largest half."""
    sign = builder.and_(builder.lshr(bits, _whole(16)), _whole(0x8000))
    size = builder.bitcast(builder.and_(bits, _whole(0x7FFFFFFF)), _SINGLES)
    fits = builder.fcmp_ordered("<", size, _single(_LARGEST_HALF))
    return sign, builder.select(fits, size, _single(_LARGEST_HALF))


def _join_half(builder: Any, sign: Any, size: Any, normal: Any, denormal: Any) -> Any:
    """Halves from their signs, and from their bits for either kind of size.

    Those of normal numbers have the exponent of a single, and thirteen more bits behind them.
    """
    normal = builder.lshr(builder.sub(normal, _whole(112 << 23)), _whole(13))
    is_normal = builder.fcmp_ordered(">=", size, _single(2.0**-14))
    return builder.trunc(builder.or_(builder.select(is_normal, normal, denormal), sign), _HALVES)


def _whole(number: int) -> ir.Constant:
    return ir.Constant(_WORDS, [number] * LANES)


def _single(number: float) -> ir.Constant:
    return ir.Constant(_SINGLES, [number] * LANES)


def _load_array(context: Any, builder: Any, array_type: Any, array: Any, index: Any) -> Any:
    pointer = element_pointer(context, builder, array_type, array, index)
    if array_type.dtype == types.uint16:
        return _load(builder, pointer, _HALVES, 2)
    kind = ir.VectorType(_ELEMENT[array_type.dtype], LANES)
    return _load(builder, pointer, kind, _width(kind.element))


@intrinsic
def load(typing: Any, array: Any, index: Any) -> Any:
    """Sixteen numbers from ``array[index]`` on, in the array's own precision."""
    result = _LanesType(_element_of(array))

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        lanes = _load_array(context, builder, signature.args[0], *arguments)
        return _convert(builder, lanes, _vector(result))

    return result(array, types.intp), generate


@intrinsic
def load_as(typing: Any, array: Any, index: Any, like: Any) -> Any:
    """Sixteen numbers from ``array[index]`` on, in the precision of other lanes."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        lanes = _load_array(context, builder, signature.args[0], *arguments[:2])
        return _convert(builder, lanes, _vector(like))

    return like(array, types.intp, like), generate


@intrinsic
def store(typing: Any, array: Any, index: Any, lanes: Any) -> Any:
    """Write sixteen numbers to ``array[index]`` and after, in the array's precision."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array_type = signature.args[0]
        pointer = element_pointer(context, builder, array_type, arguments[0], arguments[1])
        if array_type.dtype == types.uint16:
            _store(builder, _convert(builder, arguments[2], _HALVES), pointer, 2)
        else:
            kind = ir.VectorType(_ELEMENT[array_type.dtype], LANES)
            converted = _convert(builder, arguments[2], kind)
            _store(builder, converted, pointer, _width(kind.element))
        return context.get_dummy_value()

    return types.void(array, types.intp, lanes), generate


# A half has 11 bits. A sum that in iteration t loses 3/t of itself and gains nearly as much stays
# what it is as long as the two differ by less than half of its last bit. Rounded to the nearest it
# is then off by up to a sixth of t last bits, for good. So a part of the last bit is added before
# the rest is cut off: a part that takes all values evenly in the course of the iterations (in steps
# of the golden section, which spread better than chance would). It begins elsewhere in each lane
# and row, and nothing depends on the order of the stores.
_TURN, _APART = 0x9E3779B9, 0xC13FA9A9
"""By which part of 2³² rounding goes on from turn to turn, and from lane to lane."""


@intrinsic
def store_by_turns(typing: Any, array: Any, row: Any, column: Any, lanes: Any, turn: Any) -> Any:
    """Write sixteen numbers to ``array[row + column]`` and after, halves rounded by turns.

    A number in the middle between two halves becomes the larger in every other turn, one a tenth
    above the smaller in a tenth of them. `turn` grows by one from store to store. In arrays of
    other precisions this is `store`.
    """

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array_type = signature.args[0]
        array, row, column, numbers, turn = arguments
        pointer = element_pointer(context, builder, array_type, array, builder.add(row, column))
        if array_type.dtype != types.uint16:
            kind = ir.VectorType(_ELEMENT[array_type.dtype], LANES)
            _store(builder, _convert(builder, numbers, kind), pointer, _width(kind.element))
            return context.get_dummy_value()
        # All of this is the same for a whole row: the loop over its columns has one addition left.
        phase = builder.add(
            builder.mul(turn, ir.Constant(_INT64, _TURN)),
            builder.mul(row, ir.Constant(_INT64, _APART)),
        )
        apart = [lane * _APART % (1 << 32) for lane in range(LANES)]
        part = builder.add(_splat_word(builder, phase, 32), ir.Constant(_WORDS, apart))
        part = builder.lshr(part, _whole(32 - 13))
        bits = builder.bitcast(_convert(builder, numbers, _SINGLES), _WORDS)
        _store(builder, _cut_to_halves(builder, builder.add(bits, part)), pointer, 2)
        return context.get_dummy_value()

    return types.void(array, types.intp, types.intp, lanes, types.intp), generate


# Two numbers in one place: a positive one that everybody reads, and behind it, in the last bits of
# its mantissa, the magnitude of a negative one; the last bit of all says that it is there. From the
# top: the sign, the exponent and the first bits of the mantissa of the first number; then the
# exponent and the first bits of the mantissa of the second; then the mark. How many bits the
# second has, by the width of a number (3, 11 and 20 of them are mantissa, and so are 1, 3 and 20
# that are left to the first):
_SECOND_BITS = {16: 8, 32: 19, 64: 31}
_MANTISSA_BITS = {16: 10, 32: 23, 64: 52}


def _number_width(array_type: Any) -> int:
    return 16 if array_type.dtype == types.uint16 else int(array_type.dtype.bitwidth)


def _words(width: int, number: int) -> ir.Constant:
    return ir.Constant(ir.VectorType(ir.IntType(width), LANES), [number] * LANES)


def _splat_word(builder: Any, number: Any, width: int) -> Any:
    kind = ir.VectorType(ir.IntType(width), LANES)
    if width < 64:
        number = builder.trunc(number, kind.element)
    undefined = ir.Constant(kind, ir.Undefined)
    first = builder.insert_element(undefined, number, ir.Constant(_INT32, 0))
    return builder.shuffle_vector(first, undefined, ir.Constant(_WORDS, [0] * LANES))


# LLVM makes 6 and 10 to 11 instructions of these where NEON needs 4 and 7, and nodes that learn do
# little else: so they are written out for 32 bits. $0 is the result, $1 a register to work with,
# and marks are 0 or 1 in each number.
_READ_SECOND = """cmtst $1.4s, $2.4s, $3.4s  // $2: words, $3: marks
shl $0.4s, $2.4s, #11
bif $0.16b, $5.16b, $4.16b  // $4: the bits of a size, $5: a sign
bif $0.16b, $2.16b, $1.16b"""
_JOIN_TWO = """cmgt $1.4s, $3.4s, $4.4s  // $3: first numbers, $4: what they must be above
cmle $0.4s, $2.4s, #0  // $2: words
and $1.16b, $1.16b, $0.16b
ushr $0.4s, $2.4s, #11
bif $0.16b, $3.16b, $5.16b  // $5: all bits of a second number and its mark
bif $0.16b, $2.16b, $1.16b
bit $0.16b, $1.16b, $6.16b  // $6: marks"""


def _write_out(builder: Any, instructions: str, *words: Any) -> Any:
    """The words that instructions of NEON make of others, four at a time."""
    four = ir.VectorType(_INT32, 4)
    kind = ir.FunctionType(ir.LiteralStructType([four, four]), [four] * len(words))
    rules = ",".join(["=&w", "=&w"] + ["w"] * len(words))
    text = re.sub(" *//.*", "", instructions)
    parts = zip(*(_cut(builder, each, 4) for each in words), strict=True)
    made = (builder.asm(kind, text, rules, list(each), False) for each in parts)
    return _join(builder, [builder.extract_value(each, 0) for each in made])


def _to_words(builder: Any, lanes: Any, array_type: Any) -> Any:
    """Lanes as words of the array's precision."""
    lanes = _convert(builder, lanes, ir.VectorType(_ELEMENT[array_type.dtype], LANES))
    width = _number_width(array_type)
    return builder.bitcast(lanes, ir.VectorType(ir.IntType(width), LANES))


@intrinsic(prefer_literal=True)
def load_second(typing: Any, array: Any, index: Any, like: Any, mark: Any) -> Any:
    """The second of two numbers where `store_two` has written two, elsewhere the only one.

    In the precision of other lanes; `mark` as it was given to `store_two`.
    """
    # Kept in the signature, or else Numba would take the code of another constant for this one.
    mark = mark if hasattr(mark, "literal_value") else types.intp
    is_zero = getattr(mark, "literal_value", None) == 0

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array_type, width = signature.args[0], _number_width(signature.args[0])
        hidden = _SECOND_BITS[width]
        if width == 16:
            # What is a single already need not be converted again, only be shifted: 13 more bits
            # follow, and an exponent that is less by 112.
            numbers = _load_array(context, builder, array_type, *arguments[:2])
            numbers = _convert(builder, numbers, _SINGLES)
            bits = builder.bitcast(numbers, _WORDS)
            mark = builder.shl(_splat_word(builder, arguments[3], 32), _whole(13))
            two = builder.icmp_signed("!=", builder.and_(bits, mark), _whole(0))
            second = builder.shl(bits, _whole(width - 2 - hidden))
            second = builder.and_(second, _whole(((1 << hidden) - 1) << (28 - hidden)))
            # A size of less than 2⁻¹⁴ is zero.
            is_normal = builder.icmp_unsigned(">=", second, _whole(1 << 23))
            second = builder.add(second, _whole((112 << 23) - (1 << 31)))
            second = builder.select(is_normal, second, _whole(-(1 << 31)))
            numbers = builder.select(two, builder.bitcast(second, _SINGLES), numbers)
            return _convert(builder, numbers, _vector(like))
        pointer = element_pointer(context, builder, array_type, *arguments[:2])
        kind = ir.VectorType(ir.IntType(width), LANES)
        words = _load(builder, pointer, kind, width // 8)
        sign, marks = 1 << (width - 1), _splat_word(builder, arguments[3], width)
        if IS_ARM64 and width == 32 and not is_zero:
            sizes = _whole(((1 << hidden) - 1) << (width - 1 - hidden))
            words = _write_out(builder, _READ_SECOND, words, marks, sizes, _whole(sign))
            return _convert(builder, builder.bitcast(words, _SINGLES), _vector(like))
        two = builder.icmp_signed("!=", builder.and_(words, marks), _words(width, 0))
        second = builder.shl(words, _words(width, width - 2 - hidden))
        second = builder.and_(second, _words(width, ((1 << hidden) - 1) << (width - 1 - hidden)))
        second = builder.or_(second, _words(width, sign))
        words = builder.select(two, second, words)
        numbers = builder.bitcast(words, ir.VectorType(_ELEMENT[array_type.dtype], LANES))
        return _convert(builder, numbers, _vector(like))

    return like(array, types.intp, like, mark), generate


@intrinsic(prefer_literal=True)
def store_two(typing: Any, array: Any, index: Any, lanes: Any, first: Any, mark: Any) -> Any:
    """Write sixteen numbers, and in front of those that are not above zero a `first` one that is.

    `load` then gives the first number, off by up to a half in sixteen bits and an eighth in 32,
    and `load_second` the one that stands behind it, nearer to zero by as much as its last bit.
    A number with none in front of it loses its last bit. With `mark` 0 this is `store` (but of two
    halves that are as near, the one farther from zero is stored); with 1 it is what is said here.
    """
    mark = mark if hasattr(mark, "literal_value") else types.intp  # as in `load_second`
    is_zero = getattr(mark, "literal_value", None) == 0

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array_type, width = signature.args[0], _number_width(signature.args[0])
        hidden = _SECOND_BITS[width]
        zeros, ones = _words(width, 0), _words(width, 1)
        pointer = element_pointer(context, builder, array_type, *arguments[:2])
        marks = _splat_word(builder, arguments[4], width)
        if width == 16:
            bits, first_bits = (
                builder.bitcast(_convert(builder, each, _SINGLES), _WORDS)
                for each in arguments[2:4]
            )
            # Half of the last bit that is kept: the nearest, and of two the one farther from zero.
            half = builder.shl(_whole(0x1000), _splat_word(builder, arguments[4], 32))
            words = _cut_to_halves(builder, builder.add(bits, half))
            before = _cut_to_halves(builder, first_bits)
        else:
            words, before = (_to_words(builder, each, array_type) for each in arguments[2:4])
        if IS_ARM64 and width == 32 and not is_zero:
            shift = builder.shl(arguments[4], ir.Constant(_INT64, 3))
            largest = builder.lshr(ir.Constant(_INT64, 0x7FFFFFFF), shift)
            behind = _whole((2 << hidden) - 1)
            joined = [words, before, _splat_word(builder, largest, 32), behind, marks]
            _store(builder, _write_out(builder, _JOIN_TWO, *joined), pointer, 4)
            return context.get_dummy_value()
        alone = builder.and_(words, builder.not_(marks))
        second = builder.lshr(words, _words(width, width - 2 - hidden))
        second = builder.and_(second, _words(width, (2 << hidden) - 1))
        both = builder.or_(builder.and_(before, _words(width, -2 << hidden)), second)
        both = builder.or_(both, ones)
        two = builder.and_(
            builder.icmp_signed("<=", words, zeros),
            builder.icmp_signed(">=", before, _words(width, 1 << _MANTISSA_BITS[width])),
        )
        two = builder.and_(two, builder.icmp_signed("!=", marks, zeros))
        _store(builder, builder.select(two, both, alone), pointer, width // 8)
        return context.get_dummy_value()

    return types.void(array, types.intp, lanes, lanes, mark), generate


@intrinsic
def splat(typing: Any, number: Any) -> Any:
    """Sixteen times the same number (a float32 or a float64)."""
    result = _LanesType(number)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        kind = _vector(result)
        undefined = ir.Constant(kind, ir.Undefined)
        first = builder.insert_element(undefined, arguments[0], ir.Constant(_INT32, 0))
        zeros = ir.Constant(ir.VectorType(_INT32, LANES), [0] * LANES)
        return builder.shuffle_vector(first, undefined, zeros)

    return result(number), generate


for _operator, _name in (
    (operator.add, "fadd"),
    (operator.iadd, "fadd"),
    (operator.sub, "fsub"),
    (operator.mul, "fmul"),
):
    define_operator(_operator, _LanesType, _name, flags=("nnan", "ninf", "nsz", "contract"))
define_operator(operator.truediv, _LanesType, "fdiv")


def _zeros(kind: ir.VectorType) -> ir.Constant:
    return ir.Constant(kind, [0.0] * LANES)


@intrinsic
def multiply_add(typing: Any, left: Any, right: Any, addend: Any) -> Any:
    """``left * right + addend``, rounded once where the processor can.

    Compilers may fuse a product with a sum, but with which of two products depends on what stands
    around: where several kernels must agree to the bit, this says it.
    """

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        kind = _vector(left)
        element = "f64" if isinstance(kind.element, ir.DoubleType) else "f32"
        function = cgutils.get_or_insert_function(
            builder.module, ir.FunctionType(kind, [kind] * 3), f"llvm.fmuladd.v16{element}"
        )
        return builder.call(function, arguments)

    return left(left, right, addend), generate


def _above_zero(builder: Any, lanes: Any) -> Any:
    """Which numbers are above zero; denormal ones are zeros whatever the mode."""
    is_double = isinstance(lanes.type.element, ir.DoubleType)
    smallest = 2.0**-1022 if is_double else 2.0**-126
    return builder.fcmp_ordered(">=", lanes, ir.Constant(lanes.type, [smallest] * LANES))


@intrinsic
def positive(typing: Any, lanes: Any) -> Any:
    """The numbers above zero; zero for the others."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        above = _above_zero(builder, arguments[0])
        return builder.select(above, arguments[0], _zeros(arguments[0].type))

    return lanes(lanes), generate


@intrinsic
def choose(typing: Any, test: Any, above: Any, otherwise: Any) -> Any:
    """`above` where `test` is above zero, `otherwise` elsewhere."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        condition = _above_zero(builder, arguments[0])
        return builder.select(condition, arguments[1], arguments[2])

    return above(test, above, above), generate


@intrinsic
def choose_above(typing: Any, left: Any, right: Any, above: Any, otherwise: Any) -> Any:
    """`above` where `left` is above `right`, `otherwise` elsewhere.

    Not `choose` of their difference: where one is a product, that may be rounded once, and then a
    number is not equal to itself.
    """

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        condition = builder.fcmp_ordered(">", arguments[0], arguments[1])
        return builder.select(condition, arguments[2], arguments[3])

    return above(left, left, above, above), generate


@intrinsic
def sums_at_once(typing: Any) -> Any:
    """How many lanes of float32 a loop may add to without putting one aside: 8 or 4, a constant.

    ARM64 and AVX2 have registers for 8 and 8 of them, and need some of these for the rest.
    """

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return ir.Constant(_INT64, 8 if _has("avx512f") else 4)

    return types.int64(), generate


@intrinsic
def larger(typing: Any, left: Any, right: Any) -> Any:
    """The larger of two numbers, lane by lane."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        condition = builder.fcmp_ordered(">", arguments[0], arguments[1])
        return builder.select(condition, arguments[0], arguments[1])

    return left(left, right), generate


AHEAD_BYTES = 6144 if IS_ARM64 else 4096
"""How early to ask for what is read in a row: a page, beyond which the processor fetches little by
itself (the best of 2, 4, 6 and 8 kB; see ``benchmarks/postflop.py``)."""
_AHEAD_LEVEL = 3 if IS_ARM64 else 2
"""How near to ask for it: to the first level (3) or the second. The first of ARM64 has 64 kB and
more; elsewhere it is in use."""


@intrinsic
def prefetch(typing: Any, array: Any, index: Any, distance: Any) -> Any:
    """Ask for the cache line `distance` bytes behind ``array[index]``, or before it.

    The place may lie outside of the array: then nothing happens.
    """

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        pointer = element_pointer(context, builder, signature.args[0], *arguments[:2])
        # In bytes: how long a number is, arrays say when a kernel runs, and to divide takes long.
        pointer = builder.bitcast(pointer, _POINTER8)
        pointer = builder.gep(pointer, arguments[2:], source_etype=ir.IntType(8))
        function = cgutils.get_or_insert_function(
            builder.module,
            ir.FunctionType(ir.VoidType(), [_POINTER8, _INT32, _INT32, _INT32]),
            "llvm.prefetch.p0",
        )
        read, level, data = (ir.Constant(_INT32, number) for number in (0, _AHEAD_LEVEL, 1))
        builder.call(function, [pointer, read, level, data])
        return context.get_dummy_value()

    return types.void(array, types.intp, types.intp), generate


def _gather(builder: Any, base: Any, where: Any, kind: ir.VectorType) -> Any:
    if IS_ARM64:
        # Lane by lane: LLVM would bring each place from a vector to a register for addresses.
        lanes = ir.Constant(kind, ir.Undefined)
        for lane in range(LANES):
            number = builder.gep(where, [ir.Constant(_INT64, lane)], source_etype=_INT32)
            place = builder.zext(_load_fixed(builder, number, _INT32), _INT64)
            pointer = builder.gep(base, [place], source_etype=kind.element)
            each = builder.load(pointer, typ=kind.element)
            lanes = builder.insert_element(lanes, each, ir.Constant(_INT32, lane))
        return lanes
    offsets = _load(builder, where, _WORDS, 4)
    pointers = builder.gep(base, [offsets], source_etype=kind.element)
    pointers.type = ir.VectorType(ir.PointerType(), LANES)
    mask_type = ir.VectorType(ir.IntType(1), LANES)
    element = "f64" if isinstance(kind.element, ir.DoubleType) else "f32"
    function = cgutils.get_or_insert_function(
        builder.module,
        ir.FunctionType(kind, [pointers.type, _INT32, mask_type, kind]),
        f"llvm.masked.gather.v16{element}.v16p0",
    )
    align = ir.Constant(_INT32, _width(kind.element))
    everywhere = ir.Constant(mask_type, [1] * LANES)
    return builder.call(function, [pointers, align, everywhere, _zeros(kind)])


@intrinsic
def gather(typing: Any, array: Any, start: Any, places: Any, index: Any) -> Any:
    """Sixteen numbers ``array[start + places[index + lane]]``; places are int32, not negative."""
    result = _LanesType(array.dtype)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array, start, places, index = arguments
        where = element_pointer(context, builder, signature.args[2], places, index)
        base = element_pointer(context, builder, signature.args[0], array, start)
        return _gather(builder, base, where, _vector(result))

    return result(array, types.intp, places, types.intp), generate


def _look_up(builder: Any, numbers: Any, where: Any) -> Any:
    """Lanes of numbers by their places, as NEON has it: a table of 64 bytes in four registers."""
    kind = ir.VectorType(ir.IntType(8), 16)
    table = [builder.bitcast(part, kind) for part in _cut(builder, numbers, 4)]
    function = cgutils.get_or_insert_function(
        builder.module, ir.FunctionType(kind, [kind] * 5), "llvm.aarch64.neon.tbl4.v16i8"
    )
    undefined = ir.Constant(kind, ir.Undefined)
    first_bytes = ir.Constant(ir.VectorType(_INT32, 16), [lane // 4 * 4 for lane in range(16)])
    in_number = ir.Constant(kind, [lane % 4 for lane in range(16)])
    parts = []
    places = builder.shl(_load(builder, where, _WORDS, 4), _whole(2))
    for each in _cut(builder, places, 4):
        first = builder.shuffle_vector(builder.bitcast(each, kind), undefined, first_bytes)
        found = builder.call(function, [*table, builder.or_(first, in_number)])
        parts.append(builder.bitcast(found, ir.VectorType(ir.FloatType(), 4)))
    return _join(builder, parts)


@intrinsic
def take_near(typing: Any, array: Any, start: Any, places: Any, index: Any) -> Any:
    """Sixteen numbers ``array[start + places[index + lane]]``; places are int32 from 0 to 15.

    On processors with AVX-512 a load and a permutation, a tenth of a `gather`; with NEON look-ups
    in a table of four registers. All sixteen numbers from ``array[start]`` on must be there.
    """
    result = _LanesType(array.dtype)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array, start, places, index = arguments
        kind = _vector(result)
        where = element_pointer(context, builder, signature.args[2], places, index)
        base = element_pointer(context, builder, signature.args[0], array, start)
        if kind == _SINGLES and IS_ARM64:
            return _look_up(builder, _load(builder, base, _SINGLES, 4), where)
        if kind != _SINGLES or not _has("avx512f"):
            return _gather(builder, base, where, kind)
        function = cgutils.get_or_insert_function(
            builder.module,
            ir.FunctionType(_SINGLES, [_SINGLES, _WORDS]),
            "llvm.x86.avx512.permvar.sf.512",
        )
        offsets = _load(builder, where, _WORDS, 4)
        return builder.call(function, [_load(builder, base, _SINGLES, 4), offsets])

    return result(array, types.intp, places, types.intp), generate


def _exchange(builder: Any, rows: list[Any], distances: tuple[int, ...]) -> list[Any]:
    """Rounds of a transpose of vectors; round d exchanges bit d of row and column."""
    for distance in distances:
        upper = [c if not c & distance else LANES + c - distance for c in range(LANES)]
        lower = [c + distance if not c & distance else LANES + c for c in range(LANES)]
        masks = [ir.Constant(_WORDS, mask) for mask in (upper, lower)]
        after = list(rows)
        for row in range(len(rows)):
            if not row & distance:
                pair = rows[row], rows[row | distance]
                after[row] = builder.shuffle_vector(*pair, masks[0])
                after[row | distance] = builder.shuffle_vector(*pair, masks[1])
        rows = after
    return rows


def _turn_square(builder: Any, rows: list[Any]) -> list[Any]:
    """Four rows of four numbers as four columns, by eight instructions of NEON."""
    for _ in range(2):
        rows = [
            builder.shuffle_vector(*pair, ir.Constant(ir.VectorType(_INT32, 4), zipped))
            for pair in (rows[::2], rows[1::2])
            for zipped in ([0, 4, 1, 5], [2, 6, 3, 7])
        ]
    return rows


def _join(builder: Any, parts: list[Any]) -> Any:
    """The numbers of vectors, one after the other."""
    while len(parts) > 1:
        both = ir.VectorType(_INT32, 2 * parts[0].type.count)
        numbers = ir.Constant(both, list(range(both.count)))
        parts = [
            builder.shuffle_vector(*parts[k : k + 2], numbers) for k in range(0, len(parts), 2)
        ]
    return parts[0]


def _cut(builder: Any, lanes: Any, count: int) -> list[Any]:
    """Vectors of `count` numbers, from the first to the last."""
    undefined = ir.Constant(lanes.type, ir.Undefined)
    kind = ir.VectorType(_INT32, count)
    places = (ir.Constant(kind, list(range(k, k + count))) for k in range(0, LANES, count))
    return [builder.shuffle_vector(lanes, undefined, each) for each in places]


@intrinsic
def read_starts(typing: Any, starts: Any, first: Any) -> Any:
    """What transposes ask for the starts of sixteen rows, ``starts[first]`` and after.

    On ARM64 the sixteen numbers, which fit into registers; elsewhere the array.
    """
    result = UniTuple(types.intp, LANES) if IS_ARM64 else starts

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        if not IS_ARM64:
            # Whoever is given an array lets it go again, so it must be held once more.
            return impl_ret_borrowed(context, builder, signature.return_type, arguments[0])
        start_of = _start_reader(context, builder, signature.args[0], *arguments)
        numbers = [start_of(row) for row in range(LANES)]
        return context.make_tuple(builder, signature.return_type, numbers)

    return result(starts, types.intp), generate


def _start_reader(
    context: Any, builder: Any, kind: Any, starts: Any, first: Any
) -> Callable[[int], Any]:
    def start_of(row: int) -> Any:
        if isinstance(kind, UniTuple):
            return builder.extract_value(starts, row)
        number = builder.add(first, ir.Constant(_INT64, row))
        where = element_pointer(context, builder, kind, starts, number)
        return builder.load(where, typ=_INT64)

    return start_of


@intrinsic
def transpose_from_rows(typing: Any, source: Any, starts: Any, first: Any, column: Any) -> Any:
    """`COLUMNS` columns of sixteen rows as sixteen lanes each, a tuple.

    Number r of lanes c is ``source[starts[first + r] + column + c]``, for r in 0 … 15.
    """
    result = UniTuple(_LanesType(source.dtype), COLUMNS)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        source, starts, first, column = arguments
        element = _ELEMENT[signature.args[0].dtype]
        length = min(COLUMNS, LANES // 2)
        part, width = ir.VectorType(element, length), _width(element)
        places = []
        start_of = _start_reader(context, builder, signature.args[1], starts, first)
        for row in range(LANES):
            places.append(builder.add(start_of(row), column))

        def load_part(row: int, side: int) -> Any:
            index = builder.add(places[row], ir.Constant(_INT64, side * length))
            pointer = element_pointer(context, builder, signature.args[0], source, index)
            return _load(builder, pointer, part, width)

        if COLUMNS < LANES:
            squares = [
                _turn_square(builder, [load_part(row + r, 0) for r in range(COLUMNS)])
                for row in range(0, LANES, COLUMNS)
            ]
            columns = [_join(builder, list(parts)) for parts in zip(*squares, strict=True)]
            return context.make_tuple(builder, signature.return_type, columns)
        # Loading halves of rows spares the first of four rounds, and shuffles are what takes time.
        joined = ir.Constant(_WORDS, list(range(LANES)))
        rows = [
            builder.shuffle_vector(load_part(row, side), load_part(row + 8, side), joined)
            for side in range(2)
            for row in range(8)
        ]
        columns = _exchange(builder, rows[:8], (4, 2, 1)) + _exchange(builder, rows[8:], (4, 2, 1))
        return context.make_tuple(builder, signature.return_type, columns)

    return result(source, starts, types.intp, types.intp), generate


@intrinsic
def store_all(typing: Any, array: Any, index: Any, lanes: Any) -> Any:
    """Write all lanes of a tuple one after the other to ``array[index]`` and after."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array, index, lanes = arguments
        for number, each in enumerate(cgutils.unpack_tuple(builder, lanes)):
            place = builder.add(index, ir.Constant(_INT64, LANES * number))
            pointer = element_pointer(context, builder, signature.args[0], array, place)
            _store(builder, each, pointer, _width(each.type.element))
        return context.get_dummy_value()

    return types.void(array, types.intp, lanes), generate


@intrinsic
def transpose_to_rows(
    typing: Any, lanes: Any, out: Any, starts: Any, first: Any, column: Any
) -> Any:
    """Write `COLUMNS` lanes, a tuple, as columns of sixteen rows.

    ``out[starts[first + r] + column + c]`` is number r of ``lanes[c]``, for r in 0 … 15.
    """

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        lanes, out, starts, first, column = arguments
        columns = cgutils.unpack_tuple(builder, lanes)
        if COLUMNS < LANES:
            squares = zip(*(_cut(builder, each, COLUMNS) for each in columns), strict=True)
            rows = [row for each in squares for row in _turn_square(builder, list(each))]
            if rows[0].type.element == ir.FloatType():
                # Or else half of the rows would be zipped while they are stored, which is slow.
                rows = [_hide(builder, [row])[0] for row in rows]
        else:
            rows = _exchange(builder, columns, (8, 4, 2, 1))
        start_of = _start_reader(context, builder, signature.args[2], starts, first)
        for number, row in enumerate(rows):
            start = builder.add(start_of(number), column)
            pointer = element_pointer(context, builder, signature.args[1], out, start)
            _store(builder, row, pointer, _width(row.type.element))
        return context.get_dummy_value()

    whole = types.intp
    return types.void(lanes, out, starts, whole, whole), generate


def _hide(builder: Any, parts: list[Any], clobbers: str = "") -> list[Any]:
    """The same registers; the compiler does not see that they are the same."""
    kinds = [part.type for part in parts]
    rules = ["=w"] * len(parts) + [str(number) for number in range(len(parts))]
    several = len(parts) > 1
    kind = ir.FunctionType(ir.LiteralStructType(kinds) if several else kinds[0], kinds)
    same = builder.asm(kind, "", ",".join(rules) + clobbers, parts, bool(clobbers))
    return [builder.extract_value(same, k) for k in range(len(parts))] if several else [same]


@intrinsic
def settle(typing: Any, lanes: Any) -> Any:
    """The same lanes, computed before anything is read that comes after.

    Compilers read numbers as early as they can, and then have no registers left to hold them.
    """

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        if not IS_ARM64:
            return arguments[0]
        parts = _cut(builder, arguments[0], 16 // _width(arguments[0].type.element))
        return _join(builder, _hide(builder, parts, ",~{memory}"))

    return lanes(lanes), generate


@intrinsic
def read_places(typing: Any, places: Any, index: Any) -> Any:
    """What `place_in` asks for the places ``places[index]`` and three after, of 16 bits each.

    On ARM64 the four at once: what counts there is how often something is read. Elsewhere `index`.
    """

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        if not IS_ARM64:
            return arguments[1]
        pointer = element_pointer(context, builder, signature.args[0], *arguments)
        return _load_fixed(builder, pointer, _INT64, 2)

    return types.intp(places, types.intp), generate


@intrinsic(prefer_literal=True)
def place_in(typing: Any, places: Any, read: Any, number: Any) -> Any:
    """One of the four places that `read_places` has read, as a place in another array."""
    place = number.literal_value

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array, read, _ = arguments
        if IS_ARM64:
            shifted = builder.lshr(read, ir.Constant(_INT64, 16 * place))
            return builder.and_(shifted, ir.Constant(_INT64, 0xFFFF))
        index = builder.add(read, ir.Constant(_INT64, place))
        pointer = element_pointer(context, builder, signature.args[0], array, index)
        element = context.get_data_type(signature.args[0].dtype)
        return builder.zext(builder.load(pointer, typ=element), _INT64)

    return types.intp(places, types.intp, number), generate


@intrinsic
def place_at(typing: Any, places: Any, index: Any) -> Any:
    """``places[index]`` of an array of unsigned integers, as a place in another array."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        pointer = element_pointer(context, builder, signature.args[0], *arguments)
        element = context.get_data_type(signature.args[0].dtype)
        return builder.zext(_load_fixed(builder, pointer, element), _INT64)

    return types.intp(places, types.intp), generate


@intrinsic
def change_float_mode(typing: Any, keep: Any, add: Any) -> Any:
    """Change how this thread computes with numbers: ``mode & keep | add``; what it was before.

    The mode is a word of the processor, MXCSR on x86 and FPCR on ARM; elsewhere it is 0.
    """

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        keep, add = arguments
        if IS_X86:
            word = cgutils.alloca_once(builder, _INT32)
            where = builder.bitcast(word, _POINTER8)
            kind = ir.FunctionType(ir.VoidType(), [_POINTER8])
            read, write = (
                cgutils.get_or_insert_function(builder.module, kind, f"llvm.x86.sse.{name}mxcsr")
                for name in ("st", "ld")
            )
            builder.call(read, [where])
            before = builder.zext(builder.load(word, typ=_INT32), _INT64)
            after = builder.or_(builder.and_(before, keep), add)
            builder.store(builder.trunc(after, _INT32), word)
            builder.call(write, [where])
            return before
        if IS_ARM64:
            read = cgutils.get_or_insert_function(
                builder.module, ir.FunctionType(_INT64, []), "llvm.aarch64.get.fpcr"
            )
            write = cgutils.get_or_insert_function(
                builder.module, ir.FunctionType(ir.VoidType(), [_INT64]), "llvm.aarch64.set.fpcr"
            )
            before = builder.call(read, [])
            builder.call(write, [builder.or_(builder.and_(before, keep), add)])
            return before
        return ir.Constant(_INT64, 0)

    return types.int64(types.int64, types.int64), generate
