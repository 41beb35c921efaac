"""`presil tune`: a search over what the planner decides, by simulated cycles."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .decisions import KEYS, Decisions, decisions_of, write_decisions
from .explore_pool import Pool
from .explore_store import Store, build_digest, key_of
from .names import number
from .program import USUAL_EFFORT, with_kernels
from .refusal import Refusal
from .soc import load_soc
from .soc_parameters import Overrides
from .tune_space import Space, space_of

WORKER = "presil.tune_worker"
MOST_TRIALS = 100_000
MOST_LAYERS = 12
"""Layers whose decisions are searched at a time: those that take longest."""
BATCH = 8
"""Trials asked for at once, however many cores there are, so that all machines find the same."""
Chosen = dict[tuple[str, str], int]


@dataclass(frozen=True)
class Tuned:
    """decisions: of the fastest trial, whole. cycles: simulated, of it and of the default plan.
    refused: trials that the compiler refused. exhaustive: whether all there is was tried."""

    network: str
    soc: str
    decisions: Decisions
    cycles: int
    default: int
    trials: int
    refused: int
    exhaustive: bool
    wall_s: float

    @property
    def gain(self) -> float:
        """Part of the default's cycles that is saved."""
        return 1 - self.cycles / self.default

    def record(self) -> dict[str, Any]:
        said = {name: getattr(self, name) for name in self.__dataclass_fields__}
        return {**said, "gain": self.gain}


class Tuner:
    """Measures decisions of one network on one SoC; known ones are not measured again."""

    def __init__(self, network: Any, soc: Any, effort: int, jobs: int, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.file = folder / "graph.bin"
        data = bytes(network.graph.to_bytes())
        self.file.write_bytes(data)
        self.task = {
            "network": str(self.file),
            "set": soc.label,
            "soc_name": soc.name,
            "soc_text": soc.complete_text,
            "effort": effort,
        }
        self.about = [key_of(data.hex()), soc.sha256, effort, build_digest()]
        self.store = Store(folder)
        self.pool = Pool(jobs, WORKER)
        self.trials = self.refused = 0
        self.best: tuple[int, Decisions] | None = None

    def measure(self, several: list[Decisions]) -> list[int | None]:
        """Cycles of each; None: refused."""
        found: dict[str, dict[str, Any]] = {}
        keys = [key_of(*self.about, decisions) for decisions in several]
        tasks = []
        for key, decisions in zip(keys, several, strict=True):
            known = self.store.get(key)
            if known is not None:
                found[key] = known
            elif key not in (task["key"] for task in tasks):
                tasks.append({**self.task, "decisions": decisions, "key": key})
        for task, result in self.pool.results(tasks):
            self.store.put(task["key"], result)
            found[task["key"]] = result
        for key in keys:
            self.trials += 1
            result = found[key]
            if "cycles" not in result:
                self.refused += 1
            elif self.best is None or result["cycles"] < self.best[0]:
                self.best = result["cycles"], result["decisions"]
        return [found[key].get("cycles") for key in keys]

    def close(self) -> None:
        self.pool.close()
        self.store.close()


def tune(
    net: Any,
    soc: Any = "edge",
    trials: int = 128,
    *,
    set: Overrides = (),  # noqa: A002  as the command line has it
    numerics: str | None = None,
    post: str | Path | None = None,
    effort: int = USUAL_EFFORT,
    jobs: int = 0,
    seed: int = 0,
    start: Any = None,
    folder: str | Path | None = None,
    progress: Callable[[int, int, int], None] | None = None,
) -> Tuned:
    """Searches for decisions of the planner that take fewer simulated cycles than its own.

    net, soc, set, numerics, post, effort: as of `presil.compile`.
    trials: decisions that are simulated; a space of no more than these is tried whole, else Optuna
      proposes (Python package optuna), from `start` (decisions) or the planner's own on.
    jobs: processes; 0: one for each core. seed: of what is proposed.
    folder: of the database of results, which a later call goes on from; None: it is thrown away.
    progress: told trials, of how many, and the fewest cycles so far.
    The result is never slower than the planner's own plan, which is the first trial.
    """
    from .tune_worker import measure  # which is a program of its own

    limits = f", must be 1 to {MOST_TRIALS}"
    number(trials, 1, MOST_TRIALS, "tune: trials", limits, whole=True)
    config = load_soc(soc, set)
    network, kernels = with_kernels(net, numerics, post, ())
    if kernels:
        raise Refusal("tune: the network has kernels of the user, which workers do not load")
    began = time.perf_counter()
    with tempfile.TemporaryDirectory() as spare:
        where = Path(spare) if folder is None else Path(folder)
        tuner = Tuner(network, config, effort, jobs or os.cpu_count() or 1, where)
        try:
            own = measure({**tuner.task, "decisions": {}})
            if "refused" in own:
                raise Refusal(own["refused"])
            (default,) = tuner.measure([{}])
            assert default is not None
            space = space_of(own["decisions"], slowest(network, config, own["decisions"], effort))
            tell = progress or (lambda done, total, best: None)
            if start is not None:
                tuner.measure([decisions_of(start)])
            whole = space.size <= trials
            (try_all if whole else propose)(tuner, space, trials, seed, tell)
            assert tuner.best is not None
            cycles, decisions = tuner.best
        finally:
            tuner.close()
    return Tuned(
        network.name,
        config.label,
        {key: decisions[key] for key in KEYS},
        cycles,
        default,
        tuner.trials,
        tuner.refused,
        whole,
        time.perf_counter() - began,
    )


def slowest(network: Any, soc: Any, decided: Decisions, effort: int) -> list[str]:
    """Layers of the DLA, those that take most cycles first."""
    from .program import compile as compile_network
    from .run import run

    rows = run(compile_network(network, soc, effort=effort), values=False).layers
    names = [row["name"] for row in sorted(rows, key=lambda row: -int(row["cycles"]))]
    return [name for name in names if name in decided["tilings"]][:MOST_LAYERS]


def try_all(
    tuner: Tuner, space: Space, trials: int, seed: int, tell: Callable[[int, int, int], None]
) -> None:
    """Every combination."""
    batch: list[Decisions] = []
    for chosen in space.all():
        batch.append(space.decisions(chosen))
        if len(batch) == BATCH:
            tuner.measure(batch)
            batch = []
            tell(tuner.trials, space.size, tuner.best[0] if tuner.best else 0)
    if batch:
        tuner.measure(batch)


def propose(
    tuner: Tuner, space: Space, trials: int, seed: int, tell: Callable[[int, int, int], None]
) -> None:
    """Optuna's tree-structured Parzen estimator, one or a few decisions away from the best."""
    try:
        import optuna
    except ImportError as error:
        raise Refusal(
            f"tune: a search needs the Python package optuna ({error}); install Debian's "
            f"python3-optuna, or try all {space.size:,} combinations by trials"
        ) from error
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    sampler = optuna.samplers.TPESampler(seed=seed, n_startup_trials=max(8, trials // 8))
    study = optuna.create_study(sampler=sampler)
    keys = list(space.choices)
    distributions = {
        f"{kind}:{name}": optuna.distributions.CategoricalDistribution(
            list(range(len(space.choices[kind, name])))
        )
        for kind, name in keys
    }
    for chosen in neighbours(space)[: trials // 2]:  # one decision away from the planner's own
        study.enqueue_trial({f"{k}:{n}": chosen.get((k, n), 0) for k, n in keys})
    while tuner.trials < trials:
        several = [study.ask(distributions) for _ in range(min(BATCH, trials - tuner.trials))]
        chosen = [{key: trial.params[f"{key[0]}:{key[1]}"] for key in keys} for trial in several]
        cycles = tuner.measure([space.decisions(one) for one in chosen])
        for trial, figure in zip(several, cycles, strict=True):
            if figure is None:
                study.tell(trial, state=optuna.trial.TrialState.FAIL)
            else:
                study.tell(trial, figure)
        tell(tuner.trials, trials, tuner.best[0] if tuner.best else 0)


def neighbours(space: Space) -> list[Chosen]:
    """One decision each, spread over all parameters."""
    rounds: list[Chosen] = []
    most = max(len(values) for values in space.choices.values())
    for index in range(1, most):
        rounds += [{key: index} for key, values in space.choices.items() if index < len(values)]
    return rounds


def save(tuned: Tuned, file: str | Path) -> None:
    """The decisions, for `--decisions FILE`."""
    write_decisions(tuned.decisions, file)
