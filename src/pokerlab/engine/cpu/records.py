"""Named tuples of arrays that kernels take by their address.

Numba passes a named tuple field by field, and an array as seven numbers: a street would be some
five hundred arguments, and compiling what unpacks them and hands them on took half the time of a
cold start. `as_record` lays the tuple out in memory, and a kernel gets one pointer. In the kernel
nothing changes: ``street.program.slot[node]`` reads the address and the length of the array and
goes on from there. A plain tuple has entries of one type, and their number may be one that is only
known at run time: kernels are compiled once for tuples of all lengths.

A record has words of eight bytes: a number has one, an array its address and its shape, `None`
nothing; a tuple stands in line, and a record that was made before by its address. Arrays are
contiguous. A record keeps alive what it was made of, and it never changes: kernels count on that.
"""

# Numba's extension decorators carry no types in any release.
# mypy: disable-error-code="untyped-decorator, misc"

from __future__ import annotations

import hashlib
import operator
import sys
from functools import cache
from typing import Any, NamedTuple, TypeVar, cast

import numpy as np
from llvmlite import ir
from numba.core import types
from numba.core.imputils import lower_getattr_generic
from numba.core.typing.templates import (
    AbstractTemplate,
    AttributeTemplate,
    infer_getattr,
    infer_global,
    signature,
)
from numba.extending import NativeValue, intrinsic, lower_builtin, models, register_model, unbox
from numba.np.numpy_support import from_dtype

AnyTuple = TypeVar("AnyTuple", bound=tuple[Any, ...])

_WORD = 8
_INT64 = ir.IntType(64)
_INT64_TYPE = np.dtype(np.int64).str
_POINTER8 = ir.IntType(8).as_pointer()


def as_record(values: AnyTuple) -> AnyTuple:
    """What kernels take in place of a tuple of arrays, numbers, `None`, records and such tuples.

    It has the fields of the tuple, in Python too.
    """
    return cast(AnyTuple, _Record(values))


class _Record:
    """The memory of a tuple, and the tuple."""

    __slots__ = ("_kept", "_numba_type_", "address")

    def __init__(self, values: tuple[Any, ...]) -> None:
        words: list[int] = []
        kind = _kind_of(_lay_out(values, words))
        self._numba_type_ = kind if kind.entry is None else _of_any_length(kind)
        memory = np.array(words, np.uint64)
        self.address = int(memory.ctypes.data)
        self._kept = values, memory

    def __getattr__(self, name: str) -> Any:
        return getattr(self._kept[0], name)


def _lay_out(value: Any, words: list[int]) -> Any:
    """Append the words of a value; what describes its type (see `_kind_of`)."""
    if isinstance(value, np.ndarray):
        if not value.flags.c_contiguous:
            raise ValueError("an array that is not contiguous cannot be part of a record")
        words.append(value.__array_interface__["data"][0])
        words.extend(value.shape)
        return value.dtype.str, value.ndim
    if isinstance(value, tuple):
        names = getattr(value, "_fields", None)
        return type(value).__name__, names, tuple([_lay_out(each, words) for each in value])
    if isinstance(value, _Record):
        words.append(value.address)
        return value._numba_type_
    if value is None:
        return None
    if type(value) is int:  # as below, and faster: a plan of walks has many
        words.append(value % 2**64)
        return _INT64_TYPE
    number = np.asarray(value)
    words.append(int.from_bytes(number.tobytes().ljust(_WORD, b"\0"), sys.byteorder))
    return number.dtype.str


class _Field(NamedTuple):
    """A field of a record in memory."""

    kind: Any
    place: int
    """In words."""
    is_address: bool
    """Whether there is the address of another record, not the field itself."""


class _RecordType(types.Type):
    """A tuple in memory, `words` long; `entry` is what all entries of a plain tuple are."""

    def __init__(self, name: str, fields: dict[str, _Field], entry: _Field | None, words: int):
        self.tuple_name = name
        self.fields = fields
        self.entry = entry
        self.words = words
        text = repr((sorted(fields.items()), entry, words))
        digest = hashlib.sha256(text.encode()).hexdigest()
        super().__init__(name=f"Record({name}, {digest[:12]})")


@cache
def _kind_of(description: Any) -> Any:
    """The type of what `_lay_out` has laid out."""
    if description is None:
        return types.none
    if isinstance(description, _RecordType):
        return description
    if isinstance(description, str):
        return from_dtype(np.dtype(description))
    if len(description) == 2:
        element, dimensions = description
        return types.Array(from_dtype(np.dtype(element)), dimensions, "C")
    name, names, entries = description
    fields, words = [], 0
    for entry in entries:
        fields.append(_Field(_kind_of(entry), words, isinstance(entry, _RecordType)))
        words += _words(fields[-1])
    if names is not None:
        return _RecordType(name, dict(zip(names, fields, strict=True)), None, words)
    if len(set(entries)) != 1:
        raise ValueError("the entries of a tuple in a record must be of one type")
    return _RecordType(name, {}, fields[0], words)


@cache
def _of_any_length(kind: _RecordType) -> _RecordType:
    """Plain tuples of all lengths, where the address is what is known of them."""
    return _RecordType(kind.tuple_name, {}, kind.entry, 0)


def _words(field: _Field) -> int:
    """How many a field has."""
    kind = field.kind
    if isinstance(kind, types.Array):
        return 1 + int(kind.ndim)
    if isinstance(kind, _RecordType) and not field.is_address:
        return kind.words
    return 0 if kind is types.none else 1


@register_model(_RecordType)
class _RecordModel(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: _RecordType) -> None:
        super().__init__(manager, kind, _POINTER8)


@unbox(_RecordType)
def _unbox(kind: _RecordType, record: Any, c: Any) -> Any:
    address = c.pyapi.object_getattr_string(record, "address")
    pointer = c.pyapi.long_as_voidptr(address)
    c.pyapi.decref(address)
    return NativeValue(pointer)


@intrinsic
def address_of(typing: Any, record: Any) -> Any:
    """Where a record is, as a number."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ptrtoint(arguments[0], _INT64)

    return types.int64(record), generate


@intrinsic
def record_at(typing: Any, record: Any, address: Any) -> Any:
    """Another record of the same type, by its address."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.inttoptr(arguments[1], _POINTER8)

    return record(record, types.int64), generate


@infer_getattr
class _RecordAttribute(AttributeTemplate):
    key = _RecordType

    def generic_resolve(self, record: _RecordType, name: str) -> Any:
        return record.fields[name].kind if name in record.fields else None


@infer_global(operator.getitem)
class _RecordEntry(AbstractTemplate):
    def generic(self, arguments: Any, keywords: Any) -> Any:
        record, index = arguments
        if not isinstance(record, _RecordType) or record.entry is None:
            return None
        if not isinstance(index, types.Integer):
            return None
        return signature(record.entry.kind, record, types.intp)


@lower_getattr_generic(_RecordType)
def _read_field(context: Any, builder: Any, record: _RecordType, pointer: Any, name: str) -> Any:
    field = record.fields[name]
    place = builder.gep(
        pointer, [ir.Constant(_INT64, field.place * _WORD)], source_etype=ir.IntType(8)
    )
    return _read(context, builder, field, place)


@lower_builtin(operator.getitem, _RecordType, types.Integer)
def _read_entry(context: Any, builder: Any, types_: Any, arguments: Any) -> Any:
    record = types_.args[0]
    pointer, index = arguments
    offset = builder.mul(index, ir.Constant(_INT64, _words(record.entry) * _WORD))
    place = builder.gep(pointer, [offset], source_etype=ir.IntType(8))
    return _read(context, builder, record.entry, place)


def _read(context: Any, builder: Any, field: _Field, place: Any) -> Any:
    """The value of a field that stands at a place."""
    kind = field.kind
    if isinstance(kind, _RecordType):
        return _load(builder, place, 0, _POINTER8) if field.is_address else place
    if isinstance(kind, types.Array):
        # Only the compiler needs it, and it brings much of Numba along.
        from numba.np.arrayobj import make_array, populate_array

        array = make_array(kind)(context, builder)
        element = context.get_data_type(kind.dtype)
        size = context.get_abi_sizeof(element)
        data = builder.bitcast(_load(builder, place, 0, _POINTER8), element.as_pointer())
        shape = [_load(builder, place, 1 + axis, _INT64) for axis in range(kind.ndim)]
        strides = [ir.Constant(_INT64, size)]
        for length in shape[:0:-1]:
            strides.insert(0, builder.mul(strides[0], length))
        populate_array(
            array,
            data=data,
            shape=shape,
            strides=strides,
            itemsize=ir.Constant(_INT64, size),
            meminfo=None,
        )
        return array._getvalue()
    if kind is types.none:
        return context.get_dummy_value()
    return _load(builder, place, 0, context.get_value_type(kind))


def _load(builder: Any, place: Any, word: int, kind: Any) -> Any:
    """What stands in a word. A record never changes, so it need not be read twice."""
    here = builder.gep(place, [ir.Constant(_INT64, word * _WORD)], source_etype=ir.IntType(8))
    value = builder.load(builder.bitcast(here, kind.as_pointer()), typ=kind)
    value.set_metadata("invariant.load", builder.module.add_metadata([]))
    return value
