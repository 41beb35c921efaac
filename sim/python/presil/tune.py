"""`presil tune`: a search over what the planner decides, by simulated cycles."""

from __future__ import annotations

import os
import random
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
from .tiles import one_tile
from .tune_space import Space, space_of

WORKER = "presil.tune_worker"
MOST_TRIALS = 100_000
MOST_LAYERS = 12
"""Layers whose decisions are searched at a time: those that take longest."""
ESTIMATED = 16
"""Decisions that are compiled for their estimate, for each trial that is simulated."""
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

    def estimates(self, several: list[Decisions]) -> list[int | None]:
        """Cycles as the planner estimates them; None: refused."""
        tasks = [
            {**self.task, "decisions": decisions, "estimate": True, "number": k}
            for k, decisions in enumerate(several)
        ]
        found = {task["number"]: result for task, result in self.pool.results(tasks)}
        return [found[k].get("estimate") for k in range(len(several))]

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
    config = one_tile(load_soc(soc, set), "tune", "it times one program, on one tile")
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
    """Decisions one by one, those first that the planner's estimate ranks best, each kept where it
    makes the whole faster; then Optuna's tree-structured Parzen estimator around what they gave."""
    try:
        import optuna
    except ImportError as error:
        raise Refusal(
            f"tune: a search needs the Python package optuna ({error}); install Debian's "
            f"python3-optuna, or try all {space.size:,} combinations by trials"
        ) from error
    chosen = climb(tuner, space, trials - trials // 4, seed, tell)
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    sampler = optuna.samplers.TPESampler(seed=seed, n_startup_trials=BATCH)
    study = optuna.create_study(sampler=sampler)
    keys = list(space.choices)
    distributions = {
        f"{kind}:{name}": optuna.distributions.CategoricalDistribution(
            list(range(len(space.choices[kind, name])))
        )
        for kind, name in keys
    }
    study.enqueue_trial({f"{k}:{n}": chosen.get((k, n), 0) for k, n in keys})
    while tuner.trials < trials:
        several = [study.ask(distributions) for _ in range(min(BATCH, trials - tuner.trials))]
        asked = [{key: trial.params[f"{key[0]}:{key[1]}"] for key in keys} for trial in several]
        cycles = tuner.measure([space.decisions(one) for one in asked])
        for trial, figure in zip(several, cycles, strict=True):
            if figure is None:
                study.tell(trial, state=optuna.trial.TrialState.FAIL)
            else:
                study.tell(trial, figure)
        tell(tuner.trials, trials, tuner.best[0] if tuner.best else 0)


def climb(
    tuner: Tuner, space: Space, trials: int, seed: int, tell: Callable[[int, int, int], None]
) -> Chosen:
    """The decisions that made the whole faster, one after another."""
    (best,) = tuner.measure([{}])
    assert best is not None
    chosen: Chosen = {}
    ranked = by_estimate(tuner, space, neighbours(space), ESTIMATED * trials, seed)
    while ranked and tuner.trials + BATCH <= trials:
        several, ranked = ranked[:BATCH], ranked[BATCH:]
        cycles = tuner.measure([space.decisions({**chosen, **one}) for one in several])
        figures = [(figure, k) for k, figure in enumerate(cycles) if figure is not None]
        if figures and min(figures)[0] < best:
            best, k = min(figures)
            chosen.update(several[k])
            settled = set(several[k])
            ranked = [one for one in several + ranked if not settled & set(one)]
        tell(tuner.trials, trials, best)
    return chosen


def by_estimate(
    tuner: Tuner, space: Space, several: list[Chosen], most: int, seed: int
) -> list[Chosen]:
    """Those that the compiler takes, the fastest first as its planner estimates; of many some."""
    if len(several) > most:
        several = random.Random(seed).sample(several, most)
    estimates = tuner.estimates([space.decisions(one) for one in several])
    found = [(e, k) for k, e in enumerate(estimates) if e is not None]
    return [several[k] for _, k in sorted(found)]


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
