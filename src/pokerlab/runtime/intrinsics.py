"""What modules of intrinsics share: where an element of an array lies, and operators on own types.

An intrinsic is a function of a kernel that is written as LLVM instructions.
"""

# Numba's extension decorators carry no types in any release.
# mypy: disable-error-code="untyped-decorator, misc"

from __future__ import annotations

from typing import Any

from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import lower_builtin


def element_pointer(context: Any, builder: Any, array_type: Any, array: Any, index: Any) -> Any:
    """The address of an element of a one-dimensional array without gaps."""
    data = context.make_array(array_type)(context, builder, array).data
    element = context.get_data_type(array_type.dtype)
    return builder.gep(data, [index], source_etype=element)


def define_operator(operation: Any, kind: type, name: str, flags: tuple[str, ...] = ()) -> None:
    """Let kernels write an LLVM instruction on two values of the same type as an operator.

    Parameters
    ----------
    operation
        A function of the module `operator`.
    kind
        The class of Numba's type: both values must have one and the same type of it.
    name
        The method of the LLVM builder that makes the instruction.
    flags
        What LLVM may do with it; for operations on floating-point numbers.
    """

    class Typing(AbstractTemplate):
        # More special than "generic": Numba asks this before its own rules for numbers and arrays,
        # of which there are dozens.
        metadata = {"target": "cpu"}  # noqa: RUF012

        def generic(self, arguments: Any, keywords: Any) -> Any:
            left, right = arguments
            if isinstance(left, kind) and left == right:
                return signature(left, left, right)
            return None

    def generate(context: Any, builder: Any, types_: Any, arguments: Any) -> Any:
        return getattr(builder, name)(*arguments, flags=flags)

    infer_global(operation)(Typing)
    lower_builtin(operation, kind, kind)(generate)
