"""The timeline in the record, and `--trace perfetto`."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

from presil.record import MOST_COMMANDS, as_json, timeline_of
from presil.report import write_trace
from presil.report.trace import trace_events
from records import record


def command(end: int, run: int, **more: int) -> dict:
    return {
        "queue": "dla",
        "layer": 0,
        "tile": 1,
        "end": end,
        "causes": {"run": run, **more},
        "dram_read": 3,
        "dram_written": 4,
    }


def test_a_row_starts_with_what_its_command_waited_for() -> None:
    timeline = timeline_of([command(100, 30, start=5, post=0)])
    assert timeline["commands"] == [["dla", 0, 1, 65, 100, 30, 7, {"start": 5}]]


def test_of_very_many_commands_the_shortest_are_left_out_and_counted() -> None:
    commands = [command(10 * i + 9, 1 + i % 2) for i in range(MOST_COMMANDS + 10)]
    timeline = timeline_of(commands)
    assert len(timeline["commands"]) == MOST_COMMANDS and timeline["left_out"] == 10
    ends = [row[4] for row in timeline["commands"]]
    assert ends == sorted(ends)
    long = sum(row[5] == 2 for row in timeline["commands"])
    assert long == sum(c["causes"]["run"] == 2 for c in commands)


def test_the_record_as_text_is_the_record() -> None:
    assert json.loads(as_json(record())) == record()
    bare = record()
    del bare["timeline"]
    assert json.loads(as_json(bare)) == bare


def test_a_trace_holds_waits_and_commands_on_a_track_for_every_queue(tmp_path: Path) -> None:
    file = write_trace(record(), tmp_path / "trace.json.gz")
    trace = json.loads(gzip.decompress(file.read_bytes()))
    events = trace["traceEvents"]
    names = {e["tid"]: e["args"]["name"] for e in events if e["name"] == "thread_name"}
    assert sorted(names.values()) == ["dla", "dma0", "host"]
    slices = [e for e in events if e["ph"] == "X"]
    dla = [(e["cat"], e["name"], e["ts"], e["dur"]) for e in slices if names[e["tid"]] == "dla"]
    assert dla == [  # 1000 cycles are a microsecond at 1000 MHz
        ("wait", "wait_in:dma", 0.1, 0.6),
        ("command", "stem", 0.7, 0.4),
        ("command", "body", 1.1, 0.2),
    ]
    assert write_trace(record(), tmp_path / "again.json.gz").read_bytes() == file.read_bytes()


def test_run_writes_a_trace_that_accounts_for_the_sample(presil, digits, tmp_path: Path) -> None:
    ended = presil("run", digits, "--trace", "perfetto", "--out", "out", "--check", "none")
    assert ended.code == 0, ended.err
    run = json.loads((tmp_path / "out" / "run.json").read_text())
    events = json.loads(gzip.decompress((tmp_path / "out" / "trace.json.gz").read_bytes()))
    assert events["traceEvents"] == json.loads(json.dumps(trace_events(run)))
    columns = run["timeline"]["columns"]
    rows = [dict(zip(columns, row)) for row in run["timeline"]["commands"]]
    for queue in {row["queue"] for row in rows}:
        own = [row for row in rows if row["queue"] == queue]
        assert all(r["start"] + r["busy"] + sum(r["stall"].values()) == r["end"] for r in own)
        assert all(a["end"] <= b["start"] for a, b in zip(own, own[1:])), queue
    engine = run["engines"]["dla"]
    dla = [row for row in rows if row["queue"] == "dla"]
    assert sum(row["busy"] for row in dla) == engine["busy"]
    assert presil("run", digits, "--trace", "vcd").code == 2
