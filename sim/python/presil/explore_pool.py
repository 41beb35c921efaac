"""Workers that last: each a process that imports presil once and takes one task after another."""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import threading
from collections.abc import Iterator
from typing import Any

from . import paths
from .refusal import SimulatorDied

Task = dict[str, Any]
EXPLORE = "presil.explore_worker"
TRIES = 2
"""A task whose worker dies is tried once more, by another."""


class Worker:
    """One process; started when the first task comes. module: what it runs."""

    def __init__(self, module: str = EXPLORE) -> None:
        self.module = module
        self.process: subprocess.Popen[str] | None = None

    def measure(self, task: Task) -> dict[str, Any]:
        for _ in range(TRIES):
            if self.process is None:
                self.process = start(self.module)
            answer = self.ask(self.process, task)
            if answer:
                return dict(json.loads(answer))
            self.stop()
        kept = "; results so far are kept, the same command goes on from there"
        raise SimulatorDied(
            f"{'explore' if self.module == EXPLORE else 'eval'}: the worker of {task['network']} "
            f"with {task['set']} ended by itself, {TRIES} times"
            f"{kept if self.module == EXPLORE else ''}"
        )

    @staticmethod
    def ask(process: subprocess.Popen[str], task: Task) -> str:
        assert process.stdin is not None and process.stdout is not None
        try:
            process.stdin.write(json.dumps(task) + "\n")
            process.stdin.flush()
        except BrokenPipeError:
            return ""
        answer = process.stdout.readline()
        return answer if answer.endswith("\n") else ""

    def stop(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.communicate()
            self.process = None


def start(module: str = EXPLORE) -> subprocess.Popen[str]:
    where = os.pathsep.join([str(paths.PACKAGE.parent), os.environ.get("PYTHONPATH", "")])
    return subprocess.Popen(
        [sys.executable, "-m", module],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": where, "PRESIL_BUILD": str(paths.BUILD)},
    )


def pool_of(jobs: int, cluster: str | None) -> Any:
    """Own processes, or a cluster's workers."""
    if cluster is None:
        return Pool(jobs)
    from .explore_cluster import ClusterPool

    return ClusterPool(cluster, jobs)


class Pool:
    """`jobs` workers."""

    def __init__(self, jobs: int, module: str = EXPLORE) -> None:
        self.workers = [Worker(module) for _ in range(jobs)]

    def results(self, tasks: list[Task]) -> Iterator[tuple[Task, dict[str, Any]]]:
        """Each task with its result, as they end. The error of one comes when all have ended."""
        left: queue.SimpleQueue[Task] = queue.SimpleQueue()
        done: queue.SimpleQueue[tuple[Task, Any]] = queue.SimpleQueue()
        for task in tasks:
            left.put(task)

        def work(worker: Worker) -> None:
            while True:
                try:
                    task = left.get_nowait()
                except queue.Empty:
                    return
                try:
                    done.put((task, worker.measure(task)))
                except Exception as error:  # noqa: BLE001  raised by the thread that asked
                    done.put((task, error))

        for worker in self.workers[: len(tasks)]:
            threading.Thread(target=work, args=(worker,), daemon=True).start()
        failed: Exception | None = None
        for _ in tasks:
            task, result = done.get()
            if isinstance(result, Exception):
                failed = failed or result
            else:
                yield task, result
        if failed is not None:
            raise failed

    def close(self) -> None:
        for worker in self.workers:
            worker.stop()
