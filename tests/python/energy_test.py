"""Energy estimates: counts by hand, sums that agree to the femtojoule, tables that are refused."""

from __future__ import annotations

import csv
import json
import math
from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np
import presil
import pytest
import yaml
from conftest import presil as called
from presil import paths
from presil.energy_counts import counts_of, shares
from presil.energy_table import ACTIONS, STATIC, between, load_table, tables


def one_convolution() -> Any:
    """3x3, 16 -> 32 channels over 8x8 pixels, padded: no channel and no lane stands idle."""
    b = presil.Builder("one")
    rng = np.random.default_rng(5)
    x = b.input("x", (1, 8, 8, 16), scale=0.1)
    weights = rng.integers(-127, 128, (32, 3, 3, 16), dtype=np.int8)
    out = presil.Type("int8", 0.2)
    b.output(b.conv2d(x, weights, weights_scale=0.01, padding="same", out=out))
    return b.build()


@pytest.fixture(scope="module")
def digits() -> dict[str, Any]:
    return presil.run("digits").record


def cheap(**changes: Any) -> dict[str, Any]:
    """A table where everything costs 1 pJ and nothing leaks."""
    rows = [
        {"component": c, "action": a, "pj": changes.get(f"{c}_{a}", 1), "source": "by hand"}
        for c, actions in ACTIONS.items()
        for a in actions
    ]
    static = [
        {"component": c, "mw": changes.get(f"{c}_mw", 0), "source": "by hand"} for c in STATIC
    ]
    return {"note": "by hand", "node_nm": 1, "rows": rows, "static": static}


def table(folder: Path, content: Any) -> Path:
    file = folder / "table.yaml"
    file.write_text(content if isinstance(content, str) else yaml.safe_dump(content))
    return file


def test_a_convolution_is_counted(tmp_path: Path) -> None:
    run = presil.run(one_convolution())
    (row,) = [row for row in run.layers if row["engine"] == "dla"]
    counts = counts_of(row["actions"])
    assert counts["array", "macs"] == 8 * 8 * 32 * 3 * 3 * 16
    # Each step of the array adds to macs_k sums; 8 * 8 pixels, 9 taps, 2 groups of 16 channels.
    assert counts["array", "accumulations"] >= 8 * 8 * 9 * 2 * 16
    assert counts["array", "accumulations"] % 16 == 0
    moved = run.record["memory"]["dram"]
    assert counts["noc", "bytes"] == moved["read_bytes"] + moved["written_bytes"]
    # In and out by the DMA; the array writes its results once, and reads what its taps need.
    assert counts["sram", "written"] == moved["read_bytes"] + 8 * 8 * 32
    assert counts["sram", "read"] >= moved["written_bytes"] + 32 * 9 * 16
    estimate = presil.energy(run.record, table(tmp_path, cheap()))
    assert estimate["fj"] == 1000 * (
        sum(counts.values()) + run.record["actions"]["dram"]["refreshes"]
    )
    assert estimate["uncosted_percent"] == 0


def test_what_leaks_is_power_times_time(tmp_path: Path, digits: dict[str, Any]) -> None:
    free = cheap(**{f"{c}_{a}": 0 for c, actions in ACTIONS.items() for a in actions}, array_mw=2.5)
    found = presil.energy(digits, table(tmp_path, free))
    assert digits["soc"]["clock_mhz"] == 1000
    assert found["fj"] == digits["cycles"] * 2500  # 2.5 mW for 1 ns is 2.5 pJ
    assert found["uj"] == pytest.approx(2.5e-3 * digits["time_ms"] * 1e-3 * 1e6)
    assert all(layer["fj"] == 0 for layer in found["layers"])


@pytest.mark.parametrize("soc", ["edge", "micro", "duo"])
def test_sums_agree_to_the_femtojoule(soc: str) -> None:
    record = presil.run("digits", soc=soc).record
    for name in tables():
        found = presil.energy(record, name)
        components = found["components"].values()
        assert found["fj"] == sum(c["dynamic_fj"] + c["static_fj"] for c in components)
        assert found["fj"] == sum(engine["fj"] for engine in found["engines"].values())
        assert found["fj"] == found["first_fj"] == sum(found["over_time"]["fj"])
        layers = sum(layer["fj"] for layer in found["layers"])
        assert found["fj"] == layers + found["outside_layers_fj"]
        assert found["uncosted_percent"] == 0 and found["estimate"] is True


def test_samples_add_up_and_values_do_not_matter(digits: dict[str, Any]) -> None:
    image = np.zeros((2, 96, 96, 3), np.int8)
    two = presil.run("digits", image).record
    alone = presil.run("digits", image[:1]).record
    assert presil.energy(two)["first_fj"] == presil.energy(alone)["fj"]
    assert two["energy_uj"] > 1.9 * alone["energy_uj"]
    silent = presil.run("digits", values=False).record
    assert silent["energy_uj"] == digits["energy_uj"]
    assert digits["energy"]["uj"] == digits["energy_uj"] == presil.energy(digits)["uj"]


def test_rtl_counts_nothing() -> None:
    if not paths.RTL_SIMULATOR.is_file():
        pytest.skip(f"no {paths.RTL_SIMULATOR}")
    record = presil.run(one_convolution(), blocks="dla=rtl").record
    assert record["energy_uj"] is None and "actions" not in record
    with pytest.raises(presil.Refusal, match="the record has no counts of actions"):
        presil.energy(record)


def test_a_wider_array_does_as_many_macs() -> None:
    narrow = presil.run(one_convolution()).record["actions"]["engines"]["dla"]["array"]
    wide = presil.run(one_convolution(), set={"dla.macs_k": 32}).record
    assert wide["actions"]["engines"]["dla"]["array"]["macs"] == narrow["macs"]


def test_parts_add_up() -> None:
    assert shares(10, [1, 1, 1]) == [3, 3, 4] and shares(7, [0, 0]) == [0, 7]
    assert sum(shares(1234567, [3, 0, 5, 11, 2])) == 1234567 and shares(3, []) == []


def test_sizes_between_two_rows_are_between_their_costs() -> None:
    points = {8.0: 1.0, 32.0: 4.0, 128.0: 8.0}
    assert between(points, 8) == pytest.approx(1) and between(points, 32) == pytest.approx(4)
    assert between(points, 16) == pytest.approx(2)  # half way in logarithms
    assert between(points, 512) == pytest.approx(16)  # on as between the last two
    assert between({8.0: 3.0}, 99) == 3


def test_three_tables_ship_with_sources() -> None:
    assert tables() == ["n22", "n45", "n7"]
    for name in tables():
        read = load_table(name)
        for row in [*read.rows.values(), *read.static.values()]:
            assert len(row.source) > 10 and row.uncertainty_percent > 0
    share = math.log(22 / 7) / math.log(45 / 7)
    n45, n22, n7 = (load_table(name).rows for name in ("n45", "n22", "n7"))
    for key, row in n22.items():
        if key[0] == "dram":
            assert row == n45[key] == n7[key]
            continue
        for size in (8.0, 32.0, 1024.0):
            high, middle, low = (
                r[key].pj[size] if isinstance(r[key].pj, dict) else r[key].pj
                for r in (n45, n22, n7)
            )  # type: ignore[index]
            assert middle == pytest.approx(high**share * low ** (1 - share), rel=0.01), key


def test_exports(tmp_path: Path, digits: dict[str, Any]) -> None:
    csv_file, counts_file, data = (tmp_path / n for n in ("e.csv", "counts.yaml", "e.json"))
    files = ("--csv", csv_file, "--accelergy", counts_file, "--json", data)
    ended = called("energy", "digits", *files)
    assert ended.code == 0, ended.err
    assert "estimate, table n22 (22 nm, between 45 nm and 7 nm): " in ended.out
    found = json.loads(data.read_text())
    by_layer: dict[str, int] = defaultdict(int)
    for row in csv.DictReader(csv_file.read_text().splitlines()):
        by_layer[row["layer"]] += int(row["fj"])
    assert {k: v for k, v in by_layer.items() if v} == {
        layer["name"]: layer["fj"] for layer in found["layers"] if layer["fj"]
    }
    local = yaml.safe_load(counts_file.read_text())["action_counts"]["local"]
    counts = {c["name"]: {a["name"]: a["counts"] for a in c["action_counts"]} for c in local}
    assert counts["soc.dram"] == {k: v for k, v in digits["actions"]["dram"].items() if v}
    assert sum(a["fj"] for a in found["actions"]) == found["fj"]


def test_a_run_of_before_is_costed(tmp_path: Path) -> None:
    run = presil.run("digits")
    run.save(tmp_path / "run")
    assert presil.energy(tmp_path / "run", "n45") == presil.energy(run.record, "n45")
    ended = called("energy", tmp_path / "run", "--table", "n45")
    assert ended.code == 0 and f"{presil.energy(run.record, 'n45')['uj']:,.2f} uJ" in ended.out
    ended = called("energy", tmp_path / "run", "--soc", "micro")
    assert ended.code == 2 and "a recorded run has its SoC; leave --soc and --set out" in ended.err


def row_of(component: str, action: str, pj: Any) -> dict[str, Any]:
    return {"component": component, "action": action, "pj": pj, "source": "s"}


def without(component: str, action: str) -> dict[str, Any]:
    whole = cheap()
    whole["rows"] = [
        r for r in whole["rows"] if (r["component"], r["action"]) != (component, action)
    ]
    return whole


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (without("sram", "read"), "has no row for sram.read, must have one; 'pj: 0' says"),
        (cheap(dram_activates=-1), "pj of dram.activates is -1, must be a number of 0 or more"),
        (cheap(array_macs="much"), "pj of array.macs is 'much', must be a number of 0 or more"),
        (cheap(sram_read={}), "pj of sram.read is empty, must have a size in KiB with its pJ"),
        (cheap(sram_read={0: 1}), "pj of sram.read is 0, must be a number above 0"),
        (cheap(host_mw=-2), "mw of host is -2, must be a number of 0 or more"),
        ({"rows": [row_of("array", "mac", 1)]}, "array has no action 'mac'; expected macs, wide_"),
        ({"rows": [{"component": "array"}]}, "lacks 'action'"),
        ({"rows": [{**row_of("array", "macs", 1), "pJ": 1}]}, "a row has the key 'pJ'; expected"),
        ({"rows": ["macs"]}, "a row is 'macs', must be a mapping; expected"),
        ({**cheap(), "static": []}, "has no static row for array, must have one; 'mw: 0' says"),
        (
            {**cheap(), "static": [{"component": "noc", "source": "s"}]},
            "static row of 'noc', expected",
        ),
        ({**cheap(), "rates": 1}, "there is no key 'rates'; expected"),
        ({**cheap(), "with": "none.yaml"}, "with is 'none.yaml', requires that file beside it"),
        ({**cheap(), "node_nm": 0}, "node_nm is 0, must be a number above 0"),
        ({"rows": 3}, "has no rows, must be a mapping with a list 'rows'"),
        ("a: [", "is no YAML: "),
    ],
)
def test_tables_are_refused(content: Any, said: str, tmp_path: Path) -> None:
    ended = called("energy", "digits", "--table", table(tmp_path, content))
    assert ended.code == 2 and said in ended.err


def test_unknown_tables_are_refused() -> None:
    with pytest.raises(presil.Refusal, match="--table is 'n3', expected n22, n45, n7, or a YAML"):
        load_table("n3")
    with pytest.raises(presil.Refusal, match="must be a number of 0 or more"):
        load_table_of(
            {**cheap(), "rows": [{**row_of("array", "macs", 1), "uncertainty_percent": -1}]}
        )


def load_table_of(content: Any) -> Any:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        return load_table(table(Path(folder), content))


def test_an_engine_without_a_row_is_uncosted(digits: dict[str, Any], tmp_path: Path) -> None:
    record = json.loads(json.dumps(digits))
    total = sum(sum(counts_of(row).values()) for row in record["actions"]["engines"].values())
    record["actions"]["engines"]["mine"] = {"mine": {"busy_cycles": total}}
    assert presil.energy(record)["uncosted_percent"] == 50
    whole = cheap()
    whole["rows"].append(row_of("mine", "busy_cycles", 2))
    found = presil.energy(record, table(tmp_path, whole))
    assert found["uncosted_percent"] == 0 and found["engines"]["mine"]["fj"] == 2000 * total
