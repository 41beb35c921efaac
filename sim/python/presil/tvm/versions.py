"""Which TVM this is written for."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version

from ..refusal import Refusal

TVM, FFI = "0.27", "0.1.14"
REMEDY = (
    f"`pip install 'apache-tvm=={TVM}.*' 'apache-tvm-ffi=={FFI}.*'`, or "
    "`pip install './sim/python[tvm]'`"
)


def check() -> None:
    """Refuses other versions than those that the tests run with."""
    for package, expected in (("apache-tvm", TVM), ("apache-tvm-ffi", FFI)):
        try:
            found = version(package)
        except PackageNotFoundError:
            raise Refusal(f"tvm: package {package} is not installed; {REMEDY}") from None
        if found != expected and not found.startswith((f"{expected}.", f"{expected}.post")):
            raise Refusal(f"tvm: {package} is {found}, must be {expected}; {REMEDY}")


check()
