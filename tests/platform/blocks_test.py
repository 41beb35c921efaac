"""Which blocks run as what: what `--block` and the simulator do not take, and what to do then."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import presil
import pytest
from presil import paths
from presil.blocks import block_kinds


def opened(blocks: dict[str, str], simulator: Path | None = None) -> dict[str, Any]:
    """The answer of presil-sim to an `open` with these blocks."""
    message = {
        "do": "open",
        "soc_name": "edge",
        "soc": presil.load_soc("edge").canonical_text,
        "blocks": blocks,
    }
    done = subprocess.run(
        [str(simulator or paths.simulator())],
        input=json.dumps(message) + "\n",
        capture_output=True,
        text=True,
        timeout=60,
    )
    return json.loads(done.stdout)


def test_blocks_are_models_unless_said_otherwise() -> None:
    assert block_kinds(None) == {"dla": "model", "dma": "model", "sync": "model"}
    assert block_kinds("dla=rtl, sync=model")["dla"] == "rtl"
    assert block_kinds(["dla=rtl", "dla=lockstep,dma=model"])["dla"] == "lockstep"
    assert block_kinds({"dla": "rtl"}) == {"dla": "rtl", "dma": "model", "sync": "model"}


@pytest.mark.parametrize(
    ("blocks", "said"),
    [
        ("cpu=rtl", "there is no block 'cpu', expected one of dla, dma, sync"),
        ("dla=fast", "dla is 'fast', expected one of model, rtl, lockstep"),
        ("dla", "got 'dla', expected NAME=KIND, e.g. --block dla=rtl"),
    ],
)
def test_what_is_no_block_or_no_kind_is_refused(
    presil: Any, digits: Path, blocks: str, said: str
) -> None:
    ended = presil("run", digits, "--block", blocks)
    assert ended.code == 2
    assert said in ended.err


@pytest.mark.parametrize(
    ("blocks", "said"),
    [
        ({"dla": "fast"}, "dla is 'fast', must be model, rtl or lockstep"),
        ({"dma": "fast"}, "dma is 'fast', must be model, rtl or lockstep"),
        ({"cpu": "rtl"}, "the SoC has no 'cpu': it has dla, dma and sync"),
        ({"dma": "rtl"}, "dma in RTL requires the simulator with Verilated blocks"),
        ({"dla": "model", "sync": "lockstep"}, "sync in RTL requires the simulator with Verilated"),
        ({"dla": "rtl"}, "dla in RTL requires the simulator with Verilated blocks"),
        ({"dla": "lockstep"}, "`ninja presil_rtl_tools` in a build folder"),
    ],
)
def test_the_simulator_without_rtl_says_what_it_lacks(blocks: dict[str, str], said: str) -> None:
    answer = opened(blocks)
    assert not answer["ok"] and answer["exit"] == 2
    assert said in answer["error"]


def test_a_simulator_that_is_not_built_is_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(paths, "RTL_SIMULATOR", tmp_path / "presil-sim-rtl")
    with pytest.raises(presil.Refusal, match="blocks in RTL require the simulator") as refused:
        paths.simulator(rtl=True)
    assert "`sim/presil run NET --block dla=rtl` builds it" in str(refused.value)
    monkeypatch.setattr(paths, "INSTALLED", True)
    with pytest.raises(presil.Refusal, match="an installed presil has none: run from a checkout"):
        paths.simulator(rtl=True)
