"""Hashes: of the content of files, to detect damage and tampering, and of anything else."""

from __future__ import annotations

import hashlib
import json
import zlib
from collections.abc import Mapping

import numpy as np

from pokerlab.arrays import AnyArray
from pokerlab.files.stored_tensor import Tensor, blocks


def digest(*parts: str | bytes | Tensor, length: int = 64) -> str:
    """The first characters of the SHA-256 of texts and arrays, one behind the other.

    Examples
    --------
    >>> digest("abc", length=16), digest("a", np.frombuffer(b"bc", np.uint8), length=16)
    ('ba7816bf8f01cfea', 'ba7816bf8f01cfea')
    """
    seen = hashlib.sha256()
    for part in parts:
        if isinstance(part, str | bytes):
            seen.update(part.encode() if isinstance(part, str) else part)
        else:
            for block in blocks(part):
                seen.update(bytes_of(block))
    return seen.hexdigest()[:length]


def content_hash(tensors: Mapping[str, Tensor], metadata: Mapping[str, str]) -> str:
    """A SHA-256 of all that a file holds, but for its entry ``hash``.

    Examples
    --------
    >>> content_hash({"x": np.zeros(2)}, {"format": "a"})[:8]
    'd15db51a'
    """
    header = {
        "metadata": {key: text for key, text in metadata.items() if key != "hash"},
        "tensors": {name: (tensor.dtype.str, tensor.shape) for name, tensor in tensors.items()},
    }
    return digest(json.dumps(header, sort_keys=True), *(tensors[name] for name in sorted(tensors)))


def check_hash(tensors: Mapping[str, Tensor], metadata: Mapping[str, str]) -> None:
    """`ValueError` if a file does not hold what its entry ``hash`` was made of."""
    if "hash" not in metadata:
        raise ValueError("there is no 'hash' in the metadata")
    if content_hash(tensors, metadata) != metadata["hash"]:
        raise ValueError("its content does not fit its hash")


def checksum(tensors: Mapping[str, AnyArray]) -> str:
    """A CRC-32 of all tensors: for files that are written so often that a hash would be slow.

    It notices damage, not tampering.
    """
    found = 0
    for name in sorted(tensors):
        tensor = tensors[name]
        found = zlib.crc32(f"{name} {tensor.dtype.str} {tensor.shape}".encode(), found)
        found = zlib.crc32(bytes_of(tensor), found)
    return f"{found:08x}"


def bytes_of(tensor: AnyArray) -> memoryview:
    """The bytes of an array in C order, without a copy if it is stored so."""
    return np.ascontiguousarray(tensor).reshape(-1).view(np.uint8).data
