"""A Bayesian search: Optuna proposes settings from what the earlier ones have given."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .explore_sweep import OBJECTIVES, Point, Sweep

BATCH = 4
"""Settings asked for at once, however many workers there are, so that all find the same."""
MOST_ROUNDS = 20
"""Times `points` that settings are asked for, where most are known already."""

Measure = Callable[[list[Point]], list[dict[str, Any] | None]]


def search(sweep: Sweep, measure: Measure) -> None:
    """Asks until `sweep.points` different settings have figures."""
    import optuna

    optuna.logging.set_verbosity(optuna.logging.ERROR)
    sampler = optuna.samplers.TPESampler(
        seed=sweep.seed, n_startup_trials=max(2, min(10, sweep.points // 3))
    )
    objectives = list(sweep.objectives)
    signs = ["minimize" if OBJECTIVES[name] == 1 else "maximize" for name in objectives]
    study = optuna.create_study(sampler=sampler, directions=signs)
    spaces = {
        name: optuna.distributions.CategoricalDistribution(values)
        for name, values in sweep.axes.items()
    }
    grid = 1
    for values in sweep.axes.values():
        grid *= len(values)
    seen: set[tuple[Any, ...]] = set()
    measured: set[tuple[Any, ...]] = set()
    for _ in range(MOST_ROUNDS * sweep.points):
        left = min(sweep.points - len(measured), grid - len(seen))
        if left <= 0:
            return
        trials = [study.ask(spaces) for _ in range(min(BATCH, left))]
        sets = [{name: trial.params[name] for name in sweep.axes} for trial in trials]
        for trial, figures in zip(trials, measure(sets)):
            setting = tuple(trial.params[name] for name in sweep.axes)
            seen.add(setting)
            if figures is not None:
                measured.add(setting)  # what is refused or excluded does not count
            if figures is None:
                study.tell(trial, state=optuna.trial.TrialState.FAIL)
            else:
                study.tell(trial, [figures[name] for name in objectives])
