"""Kernels read records as they read the tuples that these are made of."""

import gc
from typing import Any, NamedTuple

import numpy as np
import pytest
from numba import typeof

from pokerlab.engine.cpu.records import as_record
from pokerlab.runtime.jit import kernel


class Inner(NamedTuple):
    row: Any
    number: Any


class Outer(NamedTuple):
    table: Any
    inner: Inner
    pair: Any
    missing: Any
    apart: Any
    count: int


@kernel(makes_arrays=False)
def read_all(record, index, out):
    """Write what each kind of field holds."""
    out[0] = record.table[1, 2] + 100 * record.table.shape[0] + 10 * record.table.size
    out[1] = record.inner.row[-1]
    out[2] = record.inner.number
    out[3] = record.pair[index].row[0]  # known at run time
    out[4] = record.pair[1].number
    out[5] = record.apart.row[2]
    out[6] = record.count
    if record.missing[index] is None:
        out[7] = 1
    record.inner.row[0] = 8


def make_record(first, second, count=-7):
    table = np.arange(12).reshape(3, 4)
    return as_record(Outer(table, first, (first, second), (None, None), as_record(second), count))


def test_a_kernel_reads_every_kind_of_field():
    first = Inner(np.arange(5.0), np.float32(2.5))
    second = Inner(np.arange(10.0, 17.0), np.float32(3.5))
    for index in range(2):
        record, out = make_record(first, second), np.zeros(8)
        first.row[0] = 0
        gc.collect()  # a record keeps what it was made of
        read_all(record, index, out)
        expected = [426, 4, 2.5, (0.0, 10.0)[index], 3.5, 12, -7, 1]
        assert out.tolist() == expected
        assert first.row[0] == 8  # the array itself, not a copy


def test_records_of_one_shape_have_one_type_and_others_another():
    singles = Inner(np.zeros(3, np.float32), 1)
    longer = Inner(np.zeros(9, np.float32), 2)
    doubles = Inner(np.zeros(3), 1)
    frozen = Inner(np.zeros(3, np.float32), 1)
    frozen.row.flags.writeable = False
    kinds = [as_record(each)._numba_type_ for each in (singles, longer, frozen, doubles)]
    assert kinds[0] == kinds[1] == kinds[2] != kinds[3]


def test_a_record_has_the_fields_of_its_tuple():
    inner = Inner(np.arange(3), 5)
    assert as_record(inner).row is inner.row
    assert as_record(inner).number == 5


def test_what_cannot_be_laid_out_is_refused():
    with pytest.raises(ValueError, match="not contiguous"):
        as_record(Inner(np.zeros((4, 4))[:, 1], 1))
    with pytest.raises(ValueError, match="of one type"):
        as_record(Inner((np.zeros(2), 1), 1))


def test_tuples_of_all_lengths_have_one_type() -> None:
    row = np.zeros(3, np.float32)
    assert typeof(as_record((row,))) == typeof(as_record((row, row, row)))
    assert typeof(as_record((row,))) != typeof(as_record((row.astype(np.float64),)))
