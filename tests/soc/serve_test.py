"""`presil serve`: several networks on one SoC: which waits for which, and that all is exact."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import presil
import pytest
import yaml
from presil.serve_table import served_sentence


def load(high: dict[str, Any], low: dict[str, Any], **more: Any) -> dict[str, Any]:
    """Two of the same detector, the first with priority."""
    networks = [
        {"name": "high", "file": "digits", "priority": 2, **high},
        {"name": "low", "file": "digits", "priority": 1, **low},
    ]
    return {"seed": 1, "networks": networks, **more}


def periodic(rate: float, phase: float = 0.0) -> dict[str, Any]:
    return {"kind": "periodic", "rate_hz": rate, "phase_ms": phase}


def at(*times: float) -> dict[str, Any]:
    return {"kind": "trace", "times_ms": list(times)}


def test_two_at_30_frames_per_second_the_important_one_waits_a_layer_at_most() -> None:
    # 22 us later in the other's job from frame to frame
    high = {"arrival": periodic(30, 0.01), "deadline_ms": 0.2, "requests": 6}
    low = {"arrival": periodic(30.02), "deadline_ms": 0.3, "requests": 6}
    served = presil.serve(load(high, low))
    first, second = served.networks
    assert served.exact
    assert [n["completed"] for n in served.networks] == [6, 6]
    assert second["preemptible"] and not first["preemptible"]
    assert second["held"] >= 4, "nothing has been held: the test shows nothing"
    longest = second["alone"]["longest_layer"]["cycles"]
    assert first["latency_cycles"]["p99"] <= 1.1 * first["alone"]["cycles"] + longest
    assert first["missed"] == 0 == second["missed"]
    assert second["latency_cycles"]["p99"] > first["alone"]["cycles"] + second["alone"]["cycles"]
    cost = second["alone"]["by_layer_cycles"] / second["alone"]["cycles"]
    assert 1 < cost < 1.05
    assert second["alone"]["every_border_cycles"] > second["alone"]["by_layer_cycles"]
    spans = served.record["spans"]["rows"]
    assert all(a[2] <= b[1] for a, b in zip(spans, spans[1:])), "two jobs at once"


def test_a_job_is_held_in_every_layer_and_stays_exact() -> None:
    """The other one arrives after 4, 8, ... us, in the DSP's layers too."""
    starts = [2.0 * i for i in range(34)]
    high = {"arrival": at(*(t + 0.004 * (i + 1) for i, t in enumerate(starts)))}
    served = presil.serve(load(high, {"arrival": at(*starts)}))
    assert served.exact
    second = served.networks[1]
    assert second["held"] >= 28
    assert max(row["held"] for row in served.requests) == 1
    longest = second["alone"]["longest_layer"]["cycles"]
    alone = served.networks[0]["alone"]["cycles"]
    assert served.networks[0]["latency_cycles"]["max"] <= 1.1 * alone + longest


def test_a_longer_wait_where_priorities_act_between_jobs() -> None:
    high, low = {"arrival": at(0.01)}, {"arrival": at(0)}
    held = presil.serve(load(high, low))
    whole = presil.serve(load(high, low, hold="jobs"))
    assert whole.exact and held.exact
    alone = whole.networks[0]["alone"]["cycles"]
    assert whole.networks[0]["latency_cycles"]["max"] > 1.8 * alone
    assert held.networks[0]["latency_cycles"]["max"] < 1.3 * alone
    assert [n["sram"]["offset"] for n in whole.networks] == [0, 0]
    assert whole.networks[1]["held"] == 0 and held.networks[1]["held"] == 1
    assert whole.networks[1]["alone"]["borders"] == []


def test_waiting_is_told_by_pair() -> None:
    served = presil.serve(load({"arrival": at(0, 0.05)}, {"arrival": at(0.02)}))
    pairs = {(i["network"], i["waits_for"]): i for i in served.record["interference"]}
    assert pairs["high", "low"]["cycles"] == 0
    assert pairs["high", "high"]["requests"] == 1
    assert pairs["low", "high"]["requests"] == 1
    alone = served.networks[0]["alone"]["cycles"]
    assert pairs["low", "high"]["max_cycles"] == pytest.approx(2 * alone - 20_000, rel=0.03)
    shares = sum(n["share"] for n in served.networks)
    assert 0.95 < shares <= 1
    (dla,) = [e for e in served.record["engines"] if e["queue"] == "dla"]
    assert dla["busy"]["high"] == pytest.approx(2 * dla["busy"]["low"], rel=0.01)


def test_the_same_load_gives_the_same_bytes(presil: Any, tmp_path: Path) -> None:
    high = {"arrival": {"kind": "poisson", "rate_hz": 2000}, "deadline_ms": 0.2}
    low = {"arrival": {"kind": "poisson", "rate_hz": 1500}}
    (tmp_path / "load.yaml").write_text(yaml.safe_dump(load(high, low, duration_ms=5)))
    first = presil("serve", "load.yaml", "--out", "a", "--json", "a.json")
    again = presil("serve", "load.yaml", "--out", "b", "--json")
    other = presil("serve", "load.yaml", "--seed", "2", "--json")
    assert first.code == again.code == other.code == 0, first.err + again.err + other.err
    files = [tmp_path / "a/serve.json", tmp_path / "b/serve.json"]
    assert files[0].read_bytes() == files[1].read_bytes()
    assert (tmp_path / "a/serve.html").read_bytes() == (tmp_path / "b/serve.html").read_bytes()
    records = [json.loads(text) for text in (again.out, other.out)]
    assert records[0] == json.loads(files[0].read_text())
    assert records[0]["requests"]["rows"] != records[1]["requests"]["rows"]
    assert (tmp_path / "presil-out/serve-load-edge/serve.json").is_file()
    assert "EXACT" in first.out and "that do" in first.out
    assert first.out.endswith("record: a/serve.json\n")


def test_another_load_in_the_folder_is_kept(presil: Any, tmp_path: Path) -> None:
    for name, time in (("a", 0), ("b", 1)):
        asked = {"networks": [{"file": "digits", "arrival": at(time)}]}
        (tmp_path / f"{name}.yaml").write_text(yaml.safe_dump(asked))
    assert presil("serve", "a.yaml", "--out", "out").code == 0
    assert presil("serve", "a.yaml", "--out", "out").code == 0
    refused = presil("serve", "b.yaml", "--out", "out")
    assert refused.code == 2 and "holds another run" in refused.err
    assert presil("serve", "b.yaml", "--out", "out", "--force", "--quiet").code == 0


def test_networks_share_a_small_sram_by_smaller_plans() -> None:
    small = {"sram.bytes": 512 << 10}
    high, low = {"arrival": at(0.05)}, {"arrival": at(0)}
    served = presil.serve(load(high, low, set=small))
    assert served.exact
    places = [n["sram"] for n in served.networks]
    assert all(place["bytes"] <= 256 << 10 for place in places)
    assert {place["offset"] >= 4096 for place in places} == {False, True}
    assert served.networks[1]["held"] == 1
    high["sram_kib"] = 160
    less = presil.serve(load(high, low, set=small))
    assert less.exact
    assert less.networks[0]["sram"]["bytes"] <= 160 << 10


def test_samples_are_used_in_turn() -> None:
    inputs = np.random.default_rng(3).integers(-128, 128, (3, 96, 96, 3), np.int8)
    asked = {"networks": [{"file": "digits", "arrival": periodic(1000), "inputs": inputs}]}
    asked["networks"][0]["requests"] = 4
    assert presil.serve(asked).exact


def test_what_differs_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    module = sys.modules["presil.serve"]  # the package has the function by this name

    def wrong(network: Any, sample: Any) -> list[np.ndarray]:
        arrays = right(network, sample)
        arrays[0] = arrays[0].copy()
        arrays[0].reshape(-1).view(np.uint8)[5] ^= 1
        return arrays

    right = module.reference_of
    monkeypatch.setattr(module, "reference_of", wrong)
    asked = {"networks": [{"name": "net", "file": "digits", "arrival": at(0, 1)}]}
    served = module.serve(asked)
    check = served.record["check"]
    assert not served.exact and check["different_bytes"] == 2
    assert check["first"]["network"] == "net" and check["first"]["byte"] == 5
    assert served_sentence(served.record).startswith("DIFFERS  outputs of 2 requests")


def test_a_job_that_takes_too_long_is_named() -> None:
    asked = {"timeout_ms": 0.02, "networks": [{"file": "digits", "arrival": at(0)}]}
    said = (
        r"^serve: network 'digits', a job alone did not end within 20000 cycles of its start; "
        r"dla command \d+ \(layer conv2d_\w+\) runs"
    )
    with pytest.raises(presil.HardwareError, match=said):
        presil.serve(asked)
