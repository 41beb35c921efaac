"""Accuracy over a data set on the simulated SoC, with the cycles of every sample."""

from __future__ import annotations

import os
import pickle
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from ..answers import read_labels
from ..explore_pool import Pool
from ..inputs import ImageOptions, parse_samples
from ..names import number, one_of
from ..nets import bundled
from ..network import Network, network_of
from ..program import Program, program_for
from ..record import header
from ..refusal import HardwareError, Refusal
from .dataset import Dataset, read_dataset
from .metric import METRICS, ends_of, numbers_of, value_of
from .reader import reader_of
from .runtime import RUNTIMES, check_runtime
from .worker import REFERENCE, SOC, Job

ON = (SOC, REFERENCE, *RUNTIMES)
MODULE = "presil.eval_worker"
MOST_A_TASK, TASKS = 32, 16
"""Samples of a task, and the tasks that few samples are cut into; the same for any number of
workers, for each task begins on a SoC after its reset."""
MOST_JOBS = 256
QUANTILES = (("p50", 50), ("p90", 90), ("p99", 99))
BINS = 24


@dataclass(frozen=True)
class Evaluated:
    """The record that `--json` writes."""

    record: dict[str, Any]

    @property
    def value(self) -> float:
        """Of the metric, 0 to 1."""
        return float(self.record["metric"]["value"])

    @property
    def exact(self) -> bool:
        """Whether all that was compared with the reference interpreter equals it."""
        check = self.record["check"]
        return check is None or check["different_bytes"] == 0


def evaluate(
    net: Any,
    data: str | Path,
    metric: str,
    *,
    on: str = SOC,
    soc: Any = None,
    set: Any = (),  # noqa: A002  as the command line has it
    numerics: str | None = None,
    post: str | Path | None = None,
    kernels: Any = (),
    engines: Any = (),
    check: str = "outputs",
    samples: str | None = None,
    image: ImageOptions | None = None,
    labels: str | Path | None = None,
    output: int | None = None,
    score: str | None = None,
    dtype: str = "",
    window: int = 0,
    timeout_ms: float = 10000,
    jobs: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Evaluated:
    """How often a network is right about the samples of a folder, and how long each takes.

    net: a network, a compiled program or a loadable, as of `presil.run`; soc, set, numerics, post,
      kernels, engines too.
    data: a folder in one of the forms of sim/guides/eval.md. metric: 'top1', 'map50' or 'auc'.
    on: 'soc'; 'reference', the reference interpreter; or a runtime, as of `presil.validate`.
    check: 'outputs' compares every sample with the reference interpreter; 'none'.
    samples: 'A:B' of the folder's; None: all. image: how images become the input.
    labels: names of the network's classes, by which they are found among the folder's.
    output: which holds the classes, or the score; None: the first that is one row of numbers.
    score: of auc, the class whose value it is, or 'error', the mean squared error between input
      and output. dtype: of raw files. window: a sample is seen in windows that many values apart.
    jobs: worker processes, as many as there are processors; results do not depend on it.
    """
    one_of(metric, METRICS, "eval: metric")
    one_of(on, ON, "eval: on")
    one_of(check, ("none", "outputs"), "eval: check")
    workers = jobs or min(os.cpu_count() or 1, MOST_JOBS)
    number(workers, 1, MOST_JOBS, "eval: jobs", f", must be 1 to {MOST_JOBS}", whole=True)
    number(window, 0, 2**31, "eval: window", ", expected values from one window to the next",
           whole=True)  # fmt: skip
    dataset = chosen(read_dataset(data, metric == "map50"), samples)
    own = bundled(net)
    if metric == "map50" and post is None and own is not None:
        post = own.post
    job_net = prepared(net, on, soc, set, numerics, post, kernels, engines)
    graph = job_net.graph
    if graph is None:
        raise Refusal("eval: this loadable was compiled with --strip; give one that has its graph")
    network = job_net if isinstance(job_net, Network) else job_net.network
    reader = reader_of(list(graph.inputs), image or ImageOptions(), dtype, int(window))
    names = read_labels(labels) if labels else (network.classes if network else [])
    numbers = numbers_of(names, dataset)
    ends = ends_of(graph, metric, output, score, numbers, reader.image.layout)
    job = Job(job_net, on, dataset.items, reader, ends, check, timeout_ms)
    results = sharded(job, workers, progress)
    rows = [row for result in results for row in result["rows"]]
    record = {
        **header(),
        "verb": "eval",
        "network": {
            "file": network.file if network else str(net),
            "sha256": network.sha256 if network else None,
        },
        "on": on,
        "soc": job_net.soc.label if isinstance(job_net, Program) else None,
        "numerics": None if on in RUNTIMES else graph.numerics,
        "data": {"folder": dataset.folder, "form": dataset.form, "samples": len(rows)},
        "input": {**reader.image.record(), "dtype": reader.dtype or None, "window": window or None},
        "metric": {"name": metric, **value_of(metric, dataset.items, rows)},
        "cycles": None,
        "energy_uj": None,
        "check": None,
        "per_sample": [
            {"name": item.name, "label": item.label, **row}
            for item, row in zip(dataset.items, rows, strict=True)
        ],
    }
    name_classes(record["metric"], dataset.classes)
    if isinstance(job_net, Program):
        add_times(record, job_net, results, check)
    return Evaluated(record)


def chosen(dataset: Dataset, samples: str | None) -> Dataset:
    if samples is None:
        return dataset
    cut = parse_samples(samples)
    items = dataset.items[cut]
    if not items or (cut.stop or 0) > len(dataset.items):
        raise Refusal(
            f"eval: --samples is '{samples}', and '{dataset.folder}' has {len(dataset.items)}"
        )
    return Dataset(dataset.folder, dataset.form, items, dataset.classes)


def prepared(
    net: Any,
    on: str,
    soc: Any,
    overrides: Any,
    numerics: Any,
    post: Any,
    kernels: Any,
    engines: Any,
) -> Program | Network:
    """Compiled for the SoC; elsewhere the network."""
    if on == SOC:
        return program_for(net, soc, overrides, numerics, post, kernels, engines)
    if soc is not None or overrides:
        raise Refusal(f"eval: soc and set are of the simulated SoC, and this runs on {on}")
    network = net.network if isinstance(net, Program) else network_of(net, numerics, post, kernels)
    if network is None:
        raise Refusal(f"eval: on {on} needs the network, give it instead of its loadable")
    if on in RUNTIMES:
        check_runtime(on, network.file)
        if len(network.outputs) != network.own_outputs:
            raise Refusal(f"eval: {on} computes the file alone, without --post; run on reference")
    return network


def sharded(
    job: Job, workers: int, progress: Callable[[int, int], None] | None
) -> list[dict[str, Any]]:
    """Results of all tasks, in the order of the samples."""
    total = len(job.items)
    size = min(MOST_A_TASK, max(1, total // TASKS))
    found: dict[int, dict[str, Any]] = {}
    with TemporaryDirectory() as folder:
        file = Path(folder) / "job.pickle"
        file.write_bytes(pickle.dumps(job))
        tasks = [
            {"job": str(file), "first": k, "end": min(k + size, total),
             "network": getattr(job.net, "name", "a network"), "set": f"samples {k}:{k + size}"}
            for k in range(0, total, size)
        ]  # fmt: skip
        pool = Pool(min(workers, len(tasks)), MODULE)
        try:
            done = 0
            for task, result in pool.results(tasks):
                found[task["first"]] = result
                done += task["end"] - task["first"]
                if progress is not None:
                    progress(done, total)
        finally:
            pool.close()
    results = [found[k] for k in sorted(found)]
    for first, result in sorted(found.items()):
        if "refused" in result:
            raise Refusal(result["refused"])
        if "failed" in result:
            raise HardwareError(f"samples from {first} on: {result['failed']}")
    return results


def add_times(
    record: dict[str, Any], program: Program, results: Sequence[dict[str, Any]], check: str
) -> None:
    """Cycles as a distribution, energy, and the verdict of the comparison."""
    cycles = [sum(row["cycles"]) for result in results for row in result["rows"]]
    for row, taken in zip(record["per_sample"], cycles, strict=True):
        row["cycles"] = taken
    record["cycles"] = distribution(cycles, program.soc.clock_mhz)
    energy = [result["energy_uj"] for result in results]
    if all(one is not None for one in energy):
        record["energy_uj"] = round(sum(energy) / len(cycles), 6)
    if check != "none":
        first = next(((k, r) for k, r in enumerate(results) if r["different"]), None)
        record["check"] = {
            "compared_bytes": sum(r["compared"] for r in results),
            "different_bytes": sum(r["different"] for r in results),
            "first": first and {"task": first[0], **first[1]["first"]},
        }


def distribution(cycles: Sequence[int], clock_mhz: int) -> dict[str, Any]:
    """Of cycles a sample: mean, quantiles (linear between neighbours), a histogram."""
    values = np.array(cycles, np.float64)
    counts, edges = np.histogram(values, BINS)
    return {
        "mean": float(values.mean()),
        "least": int(values.min()),
        **{name: float(np.percentile(values, q)) for name, q in QUANTILES},
        "most": int(values.max()),
        "deviation": float(values.std()),
        "mean_ms": float(values.mean()) / (clock_mhz * 1e3),
        "histogram": {"edges": edges.tolist(), "samples": counts.tolist()},
    }


def name_classes(metric: dict[str, Any], classes: Sequence[str]) -> None:
    for row in metric.get("classes", []):
        if row["class"] < len(classes):
            row["name"] = classes[row["class"]]
