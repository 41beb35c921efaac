"""Errors a user can act on, and the exit codes they end with."""

from __future__ import annotations

from typing import Any

EXIT_OK = 0
EXIT_CHECK_FAILED = 1
EXIT_REFUSED = 2
EXIT_HARDWARE = 3
EXIT_DEFECT = 70


class Refusal(ValueError):
    """What presil does not take: one paragraph naming component, field, got, expected, remedy."""


class HardwareError(RuntimeError):
    """The simulated hardware failed: a bus error, a hang, a timeout. `detail`: `hang`, why a job
    does not end, and `faults`, what has happened of those that were asked for; may be empty."""

    def __init__(self, text: str, detail: dict[str, Any] | None = None) -> None:
        super().__init__(text)
        self.detail = detail or {}

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (str(self), self.detail)


class Diverged(HardwareError):
    """A block in RTL and its model differ, or an assertion of the RTL failed; `detail` is what
    run.json says of it as cosim.first_divergence."""

    def __init__(self, text: str, detail: dict[str, Any]) -> None:
        super().__init__(text, detail)


class PassBroken(RuntimeError):
    """A pass of the compiler changed a value; `detail` names pass, tensor, index, both values."""

    def __init__(self, text: str, detail: dict[str, Any]) -> None:
        super().__init__(text)
        self.detail = detail

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (str(self), self.detail)


class SimulatorDied(RuntimeError):
    """The simulation process ended by itself: a defect of presil."""
