"""presil-sim, spoken to without the package: what it does not take, and that it goes on after."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Iterator
from multiprocessing import shared_memory
from pathlib import Path
from typing import Any

import presil
import pytest
from presil import paths

Ask = Callable[..., dict[str, Any]]


@pytest.fixture(name="ask")
def ask_fixture() -> Iterator[Ask]:
    """Sends one line, returns the answer; the process lives until the test ends."""
    process = subprocess.Popen(
        [str(paths.simulator())],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    assert process.stdin is not None and process.stdout is not None

    def ask(line: bytes | None = None, **message: Any) -> dict[str, Any]:
        process.stdin.write((line or json.dumps(message).encode()) + b"\n")
        process.stdin.flush()
        return json.loads(process.stdout.readline())

    yield ask
    process.stdin.close()
    assert process.wait(timeout=20) == 0
    process.stdout.close()


def said(answer: dict[str, Any], code: int, text: str) -> None:
    assert (answer["ok"], answer["exit"]) == (False, code), answer
    assert text in answer["error"], answer


@pytest.fixture(scope="module")
def program(digits: Path) -> presil.Program:
    return presil.compile(presil.load(digits))


def test_messages_that_are_none_are_answered(ask: Ask) -> None:
    said(ask(b"hello"), 70, "parse error")
    said(ask(b'{"do": "\xff"}'), 70, "ill-formed UTF-8")
    said(ask(b"[]"), 70, "type_error")
    said(ask(b"{}"), 70, "key 'do' not found")
    said(ask(do="jump"), 70, "simulation: message 'jump' is unknown")
    said(ask(do="tiles"), 70, "simulation: samples over tiles before a SoC was opened")
    assert ask(do="usage")["ok"]


def test_messages_of_one_tile_are_refused_where_there_are_several(ask: Ask) -> None:
    text = presil.load_soc("quad").canonical_text
    assert ask(do="open", soc_name="quad", soc=text)["ok"]
    for message in ("load", "remote"):
        said(ask(do=message), 2, f"message {message} is of one tile, and the SoC has 4; message")
    said(ask(do="open", soc_name="quad", soc=text), 70, "this process has a SoC already")


def test_blocks_in_rtl_are_refused_where_there_are_several_tiles(ask: Ask) -> None:
    text = presil.load_soc("quad").canonical_text
    refused = ask(do="open", soc_name="quad", soc=text, blocks={"dla": "rtl"})
    said(refused, 2, "the SoC has 4 tiles, must have 1 with blocks in RTL, whose clocks let time")


def test_what_comes_too_early_or_twice_is_told(ask: Ask, program: presil.Program) -> None:
    job = {"do": "job", "records": False, "timeout_ns": 0}
    said(ask(do="load", loadable="x"), 70, "simulation: a network before a SoC was opened")
    said(ask(**job), 70, "simulation: a job before a network was loaded")
    jobs = {**job, "do": "jobs", "count": 1, "in_flight": 1}
    said(ask(**jobs), 70, "simulation: jobs before a network was loaded")
    said(ask(do="remote"), 70, "simulation: remote before a SoC was opened")
    said(ask(do="serve"), 70, "simulation: serve before a SoC was opened")
    said(ask(do="reset"), 70, "simulation: a reset before a network was loaded")
    soc = {"do": "open", "soc_name": "edge", "soc": program.soc.canonical_text}
    assert ask(**soc)["ok"]
    said(ask(**soc), 70, "simulation: this process has a SoC already")
    said(ask(**job), 70, "simulation: a job before a network was loaded")


def test_a_soc_is_checked_here_too(ask: Ask) -> None:
    said(ask(do="open", soc_name="x", soc="dla.macs_k=17\n"), 2, "dla.macs_k is '17', must be a m")
    assert ask(do="open", soc_name="x", soc="")["ok"]


@pytest.mark.parametrize(
    ("change", "code", "text"),
    [
        ({"loadable": "nowhere.presil"}, 2, "loadable: 'nowhere.presil' cannot be read"),
        ({"loadable": "/dev/null"}, 2, "the loadable is refused: it is empty"),
        ({"memory": "presil-nowhere"}, 70, "simulation: shared memory 'presil-nowhere' cannot be"),
        ({"inputs": [1 << 40]}, 70, "bytes lies outside the shared memory"),
        ({"kept": [[999, 0]]}, 70, "simulation: there is no tensor 999 to keep"),
    ],
)
def test_a_network_is_loaded_from_what_there_is(
    ask: Ask,
    program: presil.Program,
    tmp_path: Path,
    change: dict[str, Any],
    code: int,
    text: str,
) -> None:
    file = tmp_path / "net.presil"
    program.save(file)
    memory = shared_memory.SharedMemory(create=True, size=1 << 20)
    try:
        assert ask(do="open", soc_name="edge", soc=program.soc.canonical_text)["ok"]
        load = {
            "do": "load",
            "loadable": str(file),
            "memory": memory.name,
            "inputs": [0],
            "outputs": [1 << 16, 1 << 18],
            "kept": [],
        }
        said(ask(**(load | change)), code, text)
    finally:
        memory.close()
        memory.unlink()
