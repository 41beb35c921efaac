"""LOAD.yaml: what is refused, in which words; when requests arrive."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import presil
import pytest
import yaml
from presil.serve_arrival import arrival_of
from presil.serve_load import load_of
from presil.serve_place import shares
from presil.serve_record import interference, percentile

NET: dict[str, Any] = {"file": "digits", "arrival": {"kind": "periodic", "rate_hz": 30}}


def refusal(given: Any, **more: Any) -> str:
    with pytest.raises(presil.Refusal) as refused:
        load_of(given, **more)
    return str(refused.value)


def of_network(**changes: Any) -> str:
    return refusal({"duration_ms": 10, "networks": [{**NET, **changes}]})


def of_arrival(**arrival: Any) -> str:
    return of_network(arrival=arrival)


def test_a_load_must_be_a_mapping_with_networks(tmp_path: Path) -> None:
    file = tmp_path / "load.yaml"
    file.write_text("- a\n")
    assert refusal(file).startswith(f"load '{file}': is a list, must be a mapping with `networks`")
    file.write_text("networks: {a: [")
    assert f"load '{file}': is no YAML" in refusal(file)
    file.write_text("networks: []\nnetworks: []\n")
    assert "'networks' comes twice" in refusal(file)
    assert "there is no file" in refusal(tmp_path / "none.yaml")
    assert "networks is None, must be a list of networks" in refusal({})
    assert "networks are 9, must be at most 8" in refusal({"networks": [NET] * 9})
    assert "has a key 'network' (did you mean 'networks'?), must be one of soc, set" in refusal(
        {"network": []}
    )


def test_all_share_one_soc() -> None:
    two = {"soc": ["edge", "micro"], "duration_ms": 1, "networks": [NET]}
    assert "soc is a list of 2, must be one SoC, which all networks share" in refusal(two)
    assert "network 0: has a SoC of its own, must be without" in of_network(soc="micro")
    assert "there is no preset and no file 'egde' (did you mean 'edge'?)" in refusal(
        {"soc": "egde", "duration_ms": 1, "networks": [NET]}
    )


def test_networks_are_told_apart_and_limited() -> None:
    two = {"duration_ms": 1, "networks": [NET, NET]}
    assert "the name 'digits' is of 2 networks, must be of one; give each a `name`" in refusal(two)
    assert "network 'digits': priority is 256, must be 0 to 255" in of_network(priority=256)
    assert "network 'digits': requests is 0, must be 1 to" in of_network(requests=0)
    assert "deadline_ms is 0 ms, must be more than 0" in of_network(deadline_ms=0)
    assert "deadline_ms is nan ms, must be" in of_network(deadline_ms=float("nan"))
    assert "sram_kib is 6 KiB, must be a multiple of 4" in of_network(sram_kib=6)
    assert "dispatch is 'arm', expected one of sync, host" in of_network(dispatch="arm")
    assert "effort is 4, must be 0 to 3" in of_network(effort=4)
    assert "has a key 'prio' (did you mean 'priority'?)" in of_network(prio=1)
    assert "network 0: lacks `file`" in refusal({"networks": [{"arrival": NET["arrival"]}]})
    assert "network 0: is 'digits', must be a mapping with `file`; sim/guides/serve.md" in refusal(
        {"networks": ["digits"]}
    )
    assert "nothing says when its requests end" in refusal({"networks": [NET]})


def test_an_unknown_network_is_named() -> None:
    asked = {"duration_ms": 40, "networks": [{**NET, "file": "digist"}]}
    with pytest.raises(presil.Refusal, match=r"'digist'.*did you mean 'digits'"):
        presil.serve(asked)


def test_arrivals_that_cannot_be() -> None:
    assert "arrival: rate_hz is 0 requests a second, must be more than 0" in of_arrival(
        kind="periodic", rate_hz=0
    )
    assert "rate_hz is -3 requests a second" in of_arrival(kind="poisson", rate_hz=-3)
    assert "rate_hz is None requests" in of_arrival(kind="poisson")
    assert "kind is 'poison', expected one of periodic, poisson, trace (did you mean" in of_arrival(
        kind="poison", rate_hz=1
    )
    assert "periodic has a key 'seed', must be one of rate_hz, phase_ms" in of_arrival(
        kind="periodic", rate_hz=1, seed=1
    )
    assert "arrival: is 30, must be a mapping with `kind`: periodic, poisson, trace" in of_network(
        arrival=30
    )
    assert "phase_ms is -1 ms, must be 0 to" in of_arrival(kind="periodic", rate_hz=1, phase_ms=-1)


def test_traces_that_cannot_be(tmp_path: Path) -> None:
    assert "time 2 is 1 ms, must be at least 3, that of the one before: sort the trace" in (
        of_arrival(kind="trace", times_ms=[0, 3, 1])
    )
    assert "time 0 is -1 ms" in of_arrival(kind="trace", times_ms=[-1])
    assert "must be a list of at least one time" in of_arrival(kind="trace", times_ms=[])
    assert "must have one of `times_ms`, a list, and `file`" in of_arrival(kind="trace")
    (tmp_path / "t.csv").write_text("ms,what\n1,a\ntwo,b\n")
    asked = {"networks": [{**NET, "arrival": {"kind": "trace", "file": "t.csv"}}]}
    (tmp_path / "load.yaml").write_text(yaml.safe_dump(asked))
    assert "'t.csv': time 1 is 'two', must be a number of ms" in refusal(tmp_path / "load.yaml")
    (tmp_path / "t.csv").write_text("ms,what\n1,a\n\n2.5,b\n")
    (network,) = load_of(tmp_path / "load.yaml").networks
    assert network.arrival.until(None, None) == [1.0, 2.5]


def test_inputs_that_do_not_fit_are_told_with_the_network() -> None:
    asked = {"duration_ms": 40, "networks": [{**NET, "inputs": np.zeros((1, 8, 8, 3), np.int8)}]}
    with pytest.raises(presil.Refusal, match="^load: network 'digits': input: "):
        presil.serve(asked)


def test_a_compiled_network_has_its_graph_and_keeps_no_state(shared: Path) -> None:
    said = "network 'network0': was compiled with --strip, must have its graph to be checked"
    with pytest.raises(presil.Refusal, match=said):
        presil.serve(
            {"duration_ms": 1, "networks": [{**NET, "file": presil.compile("digits", strip=True)}]}
        )
    lstm = shared / "models/lstm-mnist-int8/trained_lstm_int8.tflite"
    said = "keeps states from sample to sample, must be without: requests of several clients"
    with pytest.raises(presil.Refusal, match=said):
        presil.serve(
            {"duration_ms": 1, "networks": [{**NET, "file": presil.load(lstm, state="keep")}]}
        )


def test_options_of_a_compiled_network_are_refused() -> None:
    asked = {**NET, "file": presil.compile("digits"), "effort": 1}
    said = "is compiled already, must be a network for options or `sram_kib` to hold"
    with pytest.raises(presil.Refusal, match=said):
        presil.serve({"duration_ms": 1, "networks": [asked]})


@pytest.mark.parametrize("size", (5000, (1 << 20) + 4096))
def test_a_share_of_the_sram_is_whole_pages_of_it(size: int) -> None:
    said = f"sram_bytes is {size}, must be a multiple of 4096 up to sram.bytes, 1048576; 0 is all"
    with pytest.raises(presil.Refusal, match=said):
        presil.compile("digits", sram_bytes=size)


def test_requests_must_arrive_in_time() -> None:
    late = {**NET, "arrival": {"kind": "trace", "times_ms": [50]}}
    with pytest.raises(presil.Refusal, match=r"network 'digits' has no request before 40 ms"):
        presil.serve({"duration_ms": 40, "networks": [late]})


def test_times_of_arrivals() -> None:
    def times(until: float | None = None, most: int | None = None, **given: Any) -> list[float]:
        return arrival_of(given, "arrival", Path(), 5).until(until, most)

    assert times(100, kind="periodic", rate_hz=30) == pytest.approx([0, 33.333, 66.667], 1e-3)
    assert times(100, 2, kind="periodic", rate_hz=30, phase_ms=1)[1] == pytest.approx(34.333, 1e-4)
    assert times(2, kind="trace", times_ms=[0, 1.5, 1.5, 2]) == [0, 1.5, 1.5]
    many = times(100_000, kind="poisson", rate_hz=30)
    assert len(many) == pytest.approx(3000, rel=0.05)
    assert many == times(100_000, kind="poisson", rate_hz=30, seed=5)
    assert many != times(100_000, kind="poisson", rate_hz=30, seed=6)


def test_a_part_of_the_sram_for_each() -> None:
    assert shares([8192, 4096], 1 << 20) == [8192, 4096]
    assert shares([900_000, 4096, 700_000], 1 << 20) == [524_288, 4096, 520_192]
    assert sum(shares([1 << 20] * 3, 1 << 20)) <= 1 << 20


def two_parts(**changes: Any) -> dict[str, Any]:
    networks = [{**NET, "name": name, "priority": i, **changes} for i, name in enumerate("ab")]
    return {"duration_ms": 1, "set": {"sram.bytes": 512 << 10}, "networks": networks}


def test_a_part_that_is_too_small_is_told() -> None:
    with pytest.raises(presil.Refusal, match="of SRAM"):
        presil.serve(two_parts(sram_kib=4, fallback=False))
    said = r"network 'a' uses 332,\d+ bytes of SRAM, there are 262,144 of 524,288 for it beside"
    with pytest.raises(presil.Refusal, match=said):
        presil.serve(two_parts(sram_kib=328))


def test_percentiles_are_nearest_ranks() -> None:
    values = list(range(1, 101))
    assert [percentile(values, p) for p in (50, 90, 99, 100)] == [50, 90, 99, 100]
    assert percentile([7], 50) == percentile([7], 99) == 7
    assert percentile([1, 2, 3], 50) == 2


def test_waiting_is_time_in_which_another_has_the_engines() -> None:
    class Named:
        def __init__(self, name: str) -> None:
            self.load = type("L", (), {"name": name})()

    rows = [[0, 0, 0, 0, 50, 1, False], [1, 0, 10, 20, 40, 0, False]]
    spans = [[0, 0, 20], [1, 20, 40], [0, 40, 50]]
    found = {
        (i["network"], i["waits_for"]): i["cycles"]
        for i in interference([Named("a"), Named("b")], rows, spans)  # type: ignore[list-item]
    }
    assert found == {("a", "a"): 0, ("a", "b"): 20, ("b", "a"): 10, ("b", "b"): 0}
