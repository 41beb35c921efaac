"""Tasks of `presil explore` and `presil regress` on a cluster that Dask reaches."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from typing import Any

from .names import described
from .refusal import Refusal, SimulatorDied

Task = dict[str, Any]
KINDS = "local, local:N (N processes of this machine), tcp://HOST:PORT of a scheduler"
"""And the names of dask-jobqueue, which are set up by Dask's own configuration."""
JOB_QUEUES = {
    "slurm": "SLURMCluster",
    "pbs": "PBSCluster",
    "sge": "SGECluster",
    "lsf": "LSFCluster",
    "htcondor": "HTCondorCluster",
}


def measured(task: Task) -> dict[str, Any]:
    """On a worker, which has presil and sees the files that the task names."""
    from .explore_worker import measure

    return measure(task)


class ClusterPool:
    """Dask's workers in place of own processes; the same results."""

    def __init__(self, cluster: str, jobs: int) -> None:
        self._distributed = package("distributed", "python3-distributed")
        self._cluster: Any = None
        self._client: Any = None
        try:
            self._connect(cluster, jobs)
        except Refusal:
            raise
        except Exception as error:
            self.close()
            raise Refusal(
                f"cluster: '{cluster}' cannot be reached ({type(error).__name__}: {error}); give "
                f"{KINDS}, or do without"
            ) from error

    def _connect(self, cluster: str, jobs: int) -> None:
        kind, _, rest = cluster.partition(":")
        if kind == "local":
            if rest and not (rest.isdecimal() and int(rest) > 0):
                raise Refusal(f"cluster: is '{cluster}', must be as local:4; or give {KINDS}")
            self._cluster = self._distributed.LocalCluster(
                n_workers=int(rest) if rest else jobs,
                threads_per_worker=1,
                processes=True,
                dashboard_address=None,
                silence_logs=50,
            )
        elif kind in JOB_QUEUES:
            queues = package("dask_jobqueue", "dask-jobqueue of PyPI")
            self._cluster = getattr(queues, JOB_QUEUES[kind])()
            self._cluster.scale(jobs)
        elif kind not in ("tcp", "tls"):
            names = ", ".join(JOB_QUEUES)
            raise Refusal(f"cluster: is {described(cluster)}, must be {KINDS}, or {names}")
        address = self._cluster or cluster
        self._client = self._distributed.Client(address, timeout=30, set_as_default=False)

    def results(self, tasks: list[Task]) -> Iterator[tuple[Task, dict[str, Any]]]:
        """As each comes."""
        futures = {self._client.submit(measured, task, pure=False): task for task in tasks}
        with self._client.as_current():
            completed = self._distributed.as_completed(list(futures))
        for future in completed:
            error = future.exception()
            if error is not None:
                task = futures[future]
                raise SimulatorDied(
                    f"cluster: the worker of {task['network']} with {task['set']} failed "
                    f"({type(error).__name__}: {error}); results so far are kept, the same command "
                    "goes on from there"
                )
            yield futures[future], future.result()

    def close(self) -> None:
        for part in (self._client, self._cluster):
            if part is not None:
                part.close()


def package(module: str, name: str) -> Any:
    try:
        return importlib.import_module(module)
    except ImportError:
        raise Refusal(
            f"cluster: --cluster requires the Python package {module} ({name}), which is not "
            "installed; install it, or use --jobs"
        ) from None
