"""Design-space exploration: a network on many SoCs, each point run and checked once."""

from __future__ import annotations

import csv
import importlib
import importlib.util
import io
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from .atomic import check_folder, write_file, writing
from .explore_pareto import mark_pareto, sensitivity
from .explore_pool import Task, pool_of
from .explore_store import Store, build_digest, key_of
from .explore_sweep import (
    OBJECTIVES,
    Point,
    Sweep,
    all_points,
    broken,
    digest_of,
    located,
    nested,
    network_digest,
    soc_at,
    sweep_of,
)
from .names import number
from .record import as_json, header
from .refusal import Refusal

Progress = Callable[[int, int], None]
MEASURED = (
    *("cycles", "inference_cycles", "energy_uj", "sram_bytes"),
    *("dram_bytes", "frames_per_s", "exact"),
)
MOST_JOBS = 256


@dataclass
class Explored:
    """What came out: the record that explore.json holds, with all points."""

    record: dict[str, Any]

    @property
    def points(self) -> list[dict[str, Any]]:
        return list(self.record["points"])

    @property
    def pareto(self) -> list[dict[str, Any]]:
        return [point for point in self.points if point["pareto"]]

    @property
    def refused(self) -> list[dict[str, Any]]:
        return list(self.record["refused"])

    @property
    def exact(self) -> bool:
        return all(point["exact"] is not False for point in self.points)

    def rows(self) -> list[dict[str, Any]]:
        """A row for each point: network, parameters, figures."""
        rest = (*MEASURED, "pareto")
        return [
            {"network": p["network"], **p["set"], **{key: p[key] for key in rest}}
            for p in self.points
        ]

    def frame(self) -> Any:
        """The rows as a pandas DataFrame."""
        return optional("pandas", "a frame of points").DataFrame(self.rows())

    def csv(self) -> str:
        rows, text = self.rows(), io.StringIO()
        names = list(dict.fromkeys(name for row in rows for name in row))
        table = csv.DictWriter(text, names, lineterminator="\n")
        table.writeheader()
        table.writerows(rows)
        return text.getvalue()

    def save(self, folder: str | Path) -> Path:
        """explore.json, explore.html, points.csv; points.parquet too where pyarrow is installed."""
        from .report.explore_html import explore_page

        target = Path(folder)
        with writing(target):
            target.mkdir(parents=True, exist_ok=True)
        write_file(target / "points.csv", self.csv())
        write_file(target / "explore.html", explore_page(self.record))
        if importlib.util.find_spec("pyarrow") and importlib.util.find_spec("pandas"):
            data = io.BytesIO()
            self.frame().to_parquet(data)
            write_file(target / "points.parquet", data.getbuffer())
        write_file(target / "explore.json", as_json(self.record))
        return target


def optional(module: str, what: str) -> Any:
    """A package that only this needs."""
    try:
        return importlib.import_module(module)
    except ImportError:
        raise Refusal(
            f"explore: {what} requires the Python package {module}, which is not installed; "
            f"install it (Debian: python3-{module}), or do without"
        ) from None


def explore(
    sweep: Any,
    out: str | Path | None = None,
    jobs: int | None = None,
    progress: Progress | None = None,
    cluster: str | None = None,
) -> Explored:
    """Runs a network on every SoC of a sweep, and says which are best.

    sweep: a SWEEP.yaml (sim/guides/explore.md), or a mapping as it has it.
    out: a folder whose results.sqlite keeps every result: what it has is not run again.
    jobs: worker processes; None: one for each processor. Results are the same for any number.
    progress: called with how many points are done, and of how many.
    cluster: of Dask, instead of own processes: 'local', 'local:4', 'tcp://host:8786' of a
      scheduler, or 'slurm' and others that dask-jobqueue has.
    """
    asked = sweep_of(sweep)
    if asked.kind == "bayes":
        optional("optuna", "search: {kind: bayes}")
    workers = os.cpu_count() or 1 if jobs is None else jobs
    number(workers, 1, MOST_JOBS, "explore: jobs", f", must be 1 to {MOST_JOBS}", whole=True)
    with TemporaryDirectory() as temporary:
        folder = Path(temporary if out is None else out)
        check_folder(folder)
        with writing(folder):
            folder.mkdir(parents=True, exist_ok=True)
        exploration = Exploration(asked, Store(folder), pool_of(workers, cluster), progress)
        try:
            return exploration.run()
        finally:
            exploration.close()


class Exploration:
    """One sweep on its way."""

    def __init__(self, sweep: Sweep, store: Store, pool: Any, progress: Progress | None) -> None:
        self.sweep, self.store, self.pool, self.progress = sweep, store, pool, progress
        self.networks = {name: located(name) for name in sweep.networks}
        self.digests = {name: network_digest(file) for name, file in self.networks.items()}
        self.build = build_digest()
        options = dict(sweep.options)
        if "input" in options:
            options["input"] = digest_of(options["input"])
        self.options = options
        self.points: list[dict[str, Any]] = []
        self.refused: list[dict[str, Any]] = []
        self.excluded: list[dict[str, Any]] = []
        self.counts = {"simulated": 0, "cached": 0}

    def close(self) -> None:
        self.pool.close()
        self.store.close()

    def run(self) -> Explored:
        if self.sweep.kind == "bayes":
            from .explore_bayes import search

            for network in self.sweep.networks:
                search(self.sweep, lambda sets, network=network: self.measured(network, sets))
        else:
            self.batch(all_points(self.sweep), len(self.sweep.networks) * len(self.sweep.sets()))
        if not self.points and not self.refused:
            raise Refusal(self.contradiction())
        sought = [o for o in self.sweep.objectives if all(p[o] is not None for p in self.points)]
        mark_pareto(self.points, {name: OBJECTIVES[name] for name in sought})
        return Explored(
            {
                **header(),
                "verb": "explore",
                "soc": self.sweep.soc.label,
                "networks": list(self.sweep.networks),
                "search": {"kind": self.sweep.kind, "seed": self.sweep.seed},
                "objectives": list(self.sweep.objectives),
                "without_value": [o for o in self.sweep.objectives if o not in sought],
                "constraints": [text for text, _ in self.sweep.constraints],
                "points": self.points,
                "refused": self.refused,
                "excluded": self.excluded,
                "sensitivity": sensitivity(self.points, sought),
                "counts": self.counts,
            }
        )

    def contradiction(self) -> str:
        by = [f"'{text}' {n} of them" for text, n in self.counted()]
        return (
            f"explore: none of {len(self.excluded):,} points satisfies the constraints: "
            f"{', '.join(by)}; change them, or give `set` other values"
        )

    def counted(self) -> list[tuple[str, int]]:
        texts = [entry["constraint"] for entry in self.excluded]
        return [(text, texts.count(text)) for text in dict.fromkeys(texts)]

    def measured(self, network: str, sets: list[Point]) -> list[dict[str, Any] | None]:
        """For a search: the figures of settings; None: refused, or against a constraint."""
        self.batch([(network, point) for point in sets], self.sweep.points)
        found = {key_of(p["set"]): p for p in self.points if p["network"] == network}
        return [found.get(key_of(point)) for point in sets]

    def batch(self, asked: list[tuple[str, Point]], total: int) -> None:
        """Measures what is not known; points join in the order they were asked for."""
        seen = [(p["network"], p["set"]) for p in (*self.points, *self.refused, *self.excluded)]
        tasks: dict[str, Task] = {}
        order: list[tuple[str, str, Point]] = []
        results: dict[str, dict[str, Any]] = {}
        done = len(seen)
        for network, point in asked:
            if (network, point) in seen:
                continue
            task = self.task(network, point)
            if task is None:
                done += 1
                continue
            key = task["key"]
            order.append((key, network, point))
            known = self.store.get(key)
            if known is None:
                tasks.setdefault(key, task)
            else:
                results[key] = known
                self.counts["cached"] += 1
                done += 1
        self.tell(done, total)
        for key, result in self.simulated(list(tasks.values())):
            results[key] = result
            done += 1
            self.tell(done, total)
        for key, network, point in order:
            self.join(network, point, results[key])

    def simulated(self, tasks: list[Task]) -> Iterator[tuple[str, dict[str, Any]]]:
        if not tasks:
            return
        for task, result in self.pool.results(tasks):
            self.store.put(task["key"], result)
            self.counts["simulated"] += 1
            yield task["key"], result

    def tell(self, done: int, total: int) -> None:
        if self.progress is not None:
            self.progress(min(done, total), total)

    def task(self, network: str, point: Point) -> Task | None:
        """None: there is no such SoC, or a constraint forbids it; that is noted."""
        try:
            soc = soc_at(self.sweep, point)
        except Refusal as refusal:
            said = " ".join(str(refusal).split())
            self.refused.append({"network": network, "set": point, "sentence": said})
            return None
        text = broken(self.sweep.constraints, nested(soc.config), set(MEASURED))
        if text is not None:
            self.excluded.append({"network": network, "set": point, "constraint": text})
            return None
        key = key_of(self.digests[network], soc.complete_text, self.build, self.options)
        return {
            "key": key,
            "network": network,
            "set": point,
            "soc_name": soc.name,
            "soc_text": soc.complete_text,
            "options": self.sweep.options,
        }

    def join(self, network: str, point: Point, result: dict[str, Any]) -> None:
        where = {"network": network, "set": point}
        if "refused" in result:
            self.refused.append({**where, "sentence": result["refused"]})
            return
        names = {**nested(soc_at(self.sweep, point).config), **result}
        text = broken(self.sweep.constraints, names, set())
        if text is not None:
            self.excluded.append({**where, "constraint": text})
        else:
            self.points.append({**where, **{key: result[key] for key in MEASURED}, "pareto": False})
