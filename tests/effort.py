"""How many random examples a test takes: fewer where only some of the tests are run."""

from hypothesis import settings

__all__ = ["some_of"]


def some_of(count: int) -> int:
    """All of so many random examples in `make test-all`, two fifths of them in `make test`."""
    return count if settings().max_examples >= 100 else max(count * 2 // 5, 1)
