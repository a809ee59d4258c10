"""Tensor files: what is written is what every reader of the format reads."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from safetensors import safe_open
from safetensors.numpy import save_file

from pokerlab.runtime.errors import DamagedFileError
from pokerlab.runtime.files.hashes import check_hash
from pokerlab.runtime.files.tensor_files import write_hashed, write_tensors
from pokerlab.runtime.files.tensor_map import ELEMENTS, open_tensors, read_tensors

NAMES = st.text(st.characters(exclude_categories=["Cs"]), max_size=10)
TENSORS = st.dictionaries(
    NAMES.filter(lambda name: name != "__metadata__"),
    st.sampled_from(list(ELEMENTS.values())).flatmap(
        lambda kind: arrays.arrays(kind, arrays.array_shapes(min_dims=0, min_side=0, max_side=4))
    ),
    max_size=5,
)


@settings(deadline=None)
@given(tensors=TENSORS, texts=st.dictionaries(NAMES, NAMES, max_size=4))
def test_all_readers_find_what_was_written(tensors, texts, tmp_path_factory):
    file = tmp_path_factory.mktemp("written") / "file"
    metadata = {**texts, "format": "x"}
    write_tensors(file, tensors, metadata)
    with safe_open(file, "numpy") as library:
        found = {name: library.get_tensor(name) for name in library.keys()}  # noqa: SIM118
        same(found, tensors)
        assert library.metadata() == metadata
    for read in (read_tensors, open_tensors):
        found, entries = read(file, "x")
        same(found, tensors)
        assert entries == metadata


@settings(deadline=None)
@given(tensors=TENSORS, texts=st.dictionaries(NAMES, NAMES, max_size=4))
def test_what_the_library_writes_is_read(tensors, texts, tmp_path_factory):
    file = tmp_path_factory.mktemp("written") / "file"
    save_file(tensors, file, {**texts, "format": "x"})
    for read in (read_tensors, open_tensors):
        found, entries = read(file, "x")
        same(found, tensors)
        assert entries == {**texts, "format": "x"}


def same(found, expected):
    assert found.keys() == expected.keys()
    for name, tensor in expected.items():
        assert found[name].dtype == tensor.dtype
        assert found[name].shape == tensor.shape
        assert np.ascontiguousarray(found[name]).tobytes() == tensor.tobytes()


def test_arrays_that_are_not_contiguous_are_written_in_order(tmp_path: Path) -> None:
    array = np.arange(24.0).reshape(4, 6)[::2, ::3].T
    write_hashed(tmp_path / "file", {"x": array}, {"format": "x"})
    tensors, metadata = read_tensors(tmp_path / "file", "x")
    assert (tensors["x"] == array).all()
    check_hash(tensors, metadata)


def test_tensors_begin_where_their_elements_can_be_read(tmp_path: Path) -> None:
    tensors = {"a": np.zeros(3, np.uint8), "b": np.zeros(3), "c": np.zeros(1, np.float32)}
    write_tensors(tmp_path / "file", tensors, {"format": "x"})
    mapped, _ = open_tensors(tmp_path / "file", "x")
    assert all(tensor.flags.aligned and tensor.flags.writeable for tensor in mapped.values())


def test_files_that_are_none(tmp_path: Path) -> None:
    missing = tmp_path / "missing"
    with pytest.raises(ValueError, match="there is no file"):
        read_tensors(missing, "x")
    broken = tmp_path / "broken"
    broken.write_bytes(b"not a file of tensors")
    with pytest.raises(DamagedFileError, match="broken' is damaged or no safetensors file"):
        read_tensors(broken, "x")
    write_tensors(tmp_path / "cut", {"regret": np.zeros(1000)}, {"format": "x"})
    whole = (tmp_path / "cut").read_bytes()
    (tmp_path / "cut").write_bytes(whole[:-100])
    with pytest.raises(DamagedFileError, match="cut' is damaged: tensor 'regret' is not complete"):
        read_tensors(tmp_path / "cut", "x")
    save_file({"x": np.zeros(1)}, tmp_path / "other")
    with pytest.raises(ValueError, match="is not a x but another safetensors file"):
        read_tensors(tmp_path / "other", "x")


def test_a_failed_write_leaves_the_old_file(tmp_path: Path) -> None:
    file = tmp_path / "state.safetensors"
    write_tensors(file, {"x": np.ones(2)}, {"format": "x"})
    before = file.read_bytes()
    with pytest.raises(ValueError, match="tensor 'x' is object, which the format lacks"):
        write_tensors(file, {"x": np.array(["text"], object)}, {"format": "x"})
    assert file.read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["state.safetensors"]
