"""Engines work side by side: shown from the recorded start and end of every command."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import presil
import pytest

Interval = tuple[int, int]


def of(run: presil.Run, engine: str) -> list[dict[str, Any]]:
    return [c for c in run.commands if c["queue"].startswith(engine)]


def shared_cycles(a: list[Interval], b: list[Interval]) -> int:
    """Cycles in which both lists have something going on."""

    def union(intervals: list[Interval]) -> list[Interval]:
        merged: list[Interval] = []
        for begin, end in sorted(intervals):
            if merged and begin <= merged[-1][1]:
                merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
            else:
                merged.append((begin, end))
        return merged

    return sum(max(0, min(e0, e1) - max(b0, b1)) for b0, e0 in union(a) for b1, e1 in union(b))


def spans(commands: list[dict[str, Any]]) -> list[Interval]:
    return [(c["start"], c["end"]) for c in commands]


@pytest.fixture(scope="module")
def resnet_large(shared: Path) -> presil.Run:
    file = shared / "models/mlperf-tiny-resnet-large/pretrainedResnet_large_int8.tflite"
    return presil.run(presil.compile(presil.load(file)), [np.zeros((1, 32, 32, 3), np.int8)])


def test_overlap_is_counted_in_cycles() -> None:
    assert shared_cycles([(0, 10), (5, 20)], [(8, 12), (30, 40)]) == 4
    assert shared_cycles([(0, 10)], [(10, 20)]) == 0


def test_weights_of_the_next_layers_load_under_compute(resnet_large: presil.Run) -> None:
    dla, loads = of(resnet_large, "dla"), of(resnet_large, "dma0")
    moving = sum(c["end"] - c["start"] for c in loads)
    hidden = shared_cycles(spans(loads), spans(dla))
    # what cannot hide is what the first layer needs before it can start
    assert hidden > 0.8 * moving, (hidden, moving)
    first_use = {c["layer"]: c["start"] for c in reversed(dla)}
    ahead = [c for c in loads if c["layer"] in first_use and c["end"] <= first_use[c["layer"]]]
    assert len(ahead) >= len(loads) // 2


def test_the_host_is_idle_while_dla_and_dma_synchronise(resnet_large: presil.Run) -> None:
    work = of(resnet_large, "dla") + of(resnet_large, "dma")
    last_dla = max(c["end"] for c in of(resnet_large, "dla"))
    busy = [s for s in spans(of(resnet_large, "host")) if s[0] < last_dla]
    assert shared_cycles(busy, spans(work)) == 0


def test_records_lie_inside_the_job(resnet_large: presil.Run) -> None:
    begin = min(c["offered"] for c in resnet_large.commands if c["queue"] != "host")
    end = max(c["end"] for c in resnet_large.commands)
    assert end - begin == resnet_large.record["per_sample"][0]["cycles"]
    for command in resnet_large.commands:
        if command["queue"] != "host":  # the driver is there before the engines have fetched
            assert begin <= command["offered"]
        assert command["offered"] <= command["start"] <= command["end"] <= end
