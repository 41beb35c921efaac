"""What the reference interpreter says of samples, begun before it is asked for: it needs the
imported network and the inputs alone, so it works beside compiler and simulator."""

from __future__ import annotations

import os
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import numpy as np

from . import paths

MOST_JOBS = 256

_at_work: set[Future[Any]] = set()


def at_work() -> bool:
    """Whether some interpreter is still busy with what is no longer needed."""
    return any(not future.done() for future in _at_work)


def interpreters(jobs: int | None) -> int:
    """How many work at once, of so many threads: all, for the simulator is a process of its own
    that needs less time. One thread: none."""
    threads = jobs or os.cpu_count() or 1
    return threads if threads > 1 else 0


class Expected:
    """Of a graph without custom operators, values by sample. every: of all its tensors, not of its
    outputs alone."""

    def __init__(self, graph: Any, every: bool, workers: int) -> None:
        self._graph, self._every = graph, every
        self._pool = ThreadPoolExecutor(workers, "reference")
        self._begun: dict[int, Future[list[np.ndarray]]] = {}

    def begin(self, index: int, sample: list[np.ndarray]) -> None:
        """Unless it has been begun."""
        if index not in self._begun:
            native = paths.native()
            run = native.reference_all if self._every else native.reference
            future = self._pool.submit(run, self._graph, sample, None)
            _at_work.add(future)
            future.add_done_callback(_at_work.discard)
            self._begun[index] = future

    def take(self, index: int) -> tuple[list[np.ndarray], list[np.ndarray]]:
        """Values of all tensors (none, where they were not asked for), and of the outputs."""
        values = self._begun.pop(index).result()
        if not self._every:
            return [], values
        return values, [values[i] for i in self._graph.output_ids]

    def close(self) -> None:
        self._pool.shutdown(wait=False, cancel_futures=True)
