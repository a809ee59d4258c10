"""Files of machine code: what is damaged, strange or cannot be written does no harm."""

from functools import partial
from unittest.mock import Mock

import numba
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numba.core.registry import cpu_target

from pokerlab.runtime import kernel_cache
from pokerlab.runtime.file_locks import locked
from pokerlab.runtime.kernel_cache import KernelCache

TYPES = (numba.int64,)


def double(number):
    return number + number


@pytest.fixture(scope="module")
def compiled():
    dispatcher = numba.njit(nogil=True)(double)
    dispatcher.compile(TYPES)
    return dispatcher.overloads[TYPES]


@pytest.fixture
def cache(tmp_path):
    return KernelCache(double, str(tmp_path))


def load(cache):
    return cache.load_overload(TYPES, cpu_target.target_context)


def test_a_kernel_is_loaded_as_it_was_saved(cache, compiled, tmp_path):
    assert load(cache) is None
    cache.save_overload(TYPES, compiled)
    [file] = tmp_path.iterdir()
    assert file.name.startswith("double-")
    assert file.suffix == ".kernel"
    assert load(cache).entry_point(21) == 42
    assert kernel_cache._entry(compiled).needs  # Python's functions for numbers, at least
    assert cache.load_overload(compiled.signature, cpu_target.target_context) is None


def test_a_signature_with_its_result_is_a_list_of_types_too(cache, compiled):
    cache.save_overload(compiled.signature, compiled)
    context = cpu_target.target_context
    assert cache.load_overload(compiled.signature, context).entry_point(21) == 42


def test_functions_of_one_name_and_other_types_have_other_files(cache, tmp_path):
    def other(number):
        return number

    other.__name__ = double.__name__
    codegen = cpu_target.target_context.codegen()
    files = {
        each._file(types, codegen)
        for each in (cache, KernelCache(other, str(tmp_path)))
        for types in (TYPES, (numba.float64,))
    }
    assert len(files) == 4


def test_code_that_calls_what_is_not_there_is_not_loaded(cache, compiled, monkeypatch):
    entry = kernel_cache._entry(compiled)
    strange = entry._replace(needs=(*entry.needs, "a_function_of_nobody"))
    monkeypatch.setattr(kernel_cache, "_entry", lambda _: strange)
    cache.save_overload(TYPES, compiled)
    assert load(cache) is None


def test_a_kernel_is_compiled_without_the_lock_where_there_is_none(cache, tmp_path, monkeypatch):
    file = cache._file(TYPES, cpu_target.target_context.codegen())
    tried = []

    def compile_twice():
        alone = partial(cache.one_at_a_time, TYPES, cpu_target.target_context)
        with alone(), alone():  # it calls itself
            tried.append([each.name for each in tmp_path.iterdir()])

    compile_twice()
    monkeypatch.setattr(kernel_cache, "_PATIENCE", 0.0)
    with locked(file):  # somebody else has it, for long
        compile_twice()
    for error in (PermissionError, NotImplementedError):
        monkeypatch.setattr(kernel_cache, "locked", Mock(side_effect=error))
        compile_twice()
    assert tried == [[f".{file.name}.lock"]] * 2 + [[]] * 2
    file.touch()
    monkeypatch.setattr(kernel_cache, "locked", Mock(side_effect=AssertionError))
    compile_twice()  # there is nothing to compile


def test_an_error_of_the_compiler_frees_the_lock(cache, tmp_path):
    for _ in range(2):
        alone = cache.one_at_a_time(TYPES, cpu_target.target_context)
        with pytest.raises(TypeError), alone:
            raise TypeError
        assert not list(tmp_path.iterdir())
        assert not kernel_cache._being_compiled


@pytest.mark.parametrize("failing", ["write_bytes", "replace"])
def test_a_disk_that_is_full_leaves_nothing_behind(cache, compiled, tmp_path, monkeypatch, failing):
    def refuse(*_):
        raise OSError("no space left")

    monkeypatch.setattr(f"pathlib.Path.{failing}", refuse)
    cache.save_overload(TYPES, compiled)
    assert not list(tmp_path.iterdir())


@given(st.data())
def test_any_damaged_byte_is_noticed(compiled, data):
    content = kernel_cache._content(compiled)
    place = data.draw(st.integers(0, len(content) - 1))
    damaged = bytearray(content)
    damaged[place] ^= data.draw(st.integers(1, 255))
    with pytest.raises(ValueError, match="damaged"):
        kernel_cache._read(bytes(damaged), TYPES)
    with pytest.raises(ValueError, match="damaged"):
        kernel_cache._read(content[:place], TYPES)


def test_the_code_of_other_types_is_noticed(compiled):
    with pytest.raises(ValueError, match="other types"):
        kernel_cache._read(kernel_cache._content(compiled), (numba.float64,))
