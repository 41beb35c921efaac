"""Runs side by side, interrupted, killed, on disks that fill up: a folder holds one whole run or is
not there, and `report` accepts nothing else."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from disks import small_disk
from presil.inputs import random_array
from presil.record import digest
from presil.refusal import Refusal
from presil.report import open_run
from presil.report.recorded import view
from presil.run_folder import files_in
from presil.table import print_run
from rich.console import Console

SCENE = {"shape": [1, 96, 96, 3], "dtype": "int8"}
INPUTS = {seed: digest([random_array(SCENE, seed)]) for seed in range(3)}
TRIALS, ALL_TRIALS = 2, 200
FULL = re.compile(
    r"presil: output: '(.*)' cannot be written, its disk is full \(.*\); free some room"
)


def whole(folder: Path) -> str:
    """Everything in a folder is of the run that its record tells of. @return the run"""
    record = open_run(str(folder))
    view(str(folder), lambda: print_run(Console(file=io.StringIO(), width=160), record))
    assert record["files"] == files_in(folder)
    for k, output in enumerate(record["outputs"]):
        array = np.load(folder / "outputs" / f"out{k}.npy")
        assert digest([array]) == output["sha256"], f"'{folder}': output {k} is another run's"
    loadable = (folder / "net.presil").read_bytes()
    assert hashlib.sha256(loadable).hexdigest() == record["asked"]["loadable"]
    assert record["asked"]["inputs"] == record["input"]["sha256"]
    page = (folder / "report.html").read_text(encoding="utf-8")
    assert page.rstrip().endswith("</html>") and f"{record['cycles']:,}" in page
    traced = "perfetto" in record["asked"]["options"]["traces"]
    assert ("trace.json.gz" in record["files"]) == traced, f"'{folder}': a trace of another run"
    if traced:
        assert json.loads(gzip.decompress((folder / "trace.json.gz").read_bytes()))["traceEvents"]
    return json.dumps(record["asked"], sort_keys=True)


def look(home: Path) -> list[str]:
    """Whatever `report` accepts, also in what killed runs have left, is whole."""
    found = []
    for file in sorted(home.rglob("run.json")):
        try:
            open_run(str(file.parent))
        except Refusal:
            assert file.parent.name.startswith("."), f"'{file}' is not whole"
            continue
        found.append(whole(file.parent))
    for folder in home.iterdir():
        assert folder.name.startswith(".") or (folder / "run.json").is_file(), folder
    return found


@dataclass
class Started:
    process: subprocess.Popen[str]
    seed: int
    force: bool
    at: float
    signal: int


def hears_interrupts() -> None:
    """Also where the tests run in the background, which ignores them."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def start(digits: Path, home: Path, random: np.random.Generator) -> Started:
    """A run of a few that differ, mostly into the same folder; when and how it is to be ended."""
    seed, force = int(random.integers(3)), random.random() < 0.25
    more = ["--seed", str(seed)]
    if random.random() < 0.3:
        more += ["--set", "dla.macs_k=32"]
    if random.random() < 0.3:
        more += ["--trace", "perfetto"]
    if random.random() < 0.5:
        more += ["--out", "presil-out/one"]
    if force:
        more += ["--force"]
    process = subprocess.Popen(
        [sys.executable, "-m", "presil", "run", str(digits), "--check", "none", *more],
        cwd=home,
        env={**os.environ, "CI": "true", "PYTHONPATH": os.pathsep.join(sys.path)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=hears_interrupts,
    )
    ending = int(random.choice([0, signal.SIGINT, signal.SIGKILL]))
    return Started(process, seed, force, time.monotonic() + random.uniform(0.2, 2.5), ending)


def end(run: Started) -> tuple[int, str, str]:
    """Its exit code, and what it said."""
    if run.signal:
        try:
            run.process.wait(max(0.0, run.at - time.monotonic()))
        except subprocess.TimeoutExpired:
            run.process.send_signal(run.signal)
    out, err = run.process.communicate(timeout=300)
    return run.process.returncode, out, err


@pytest.fixture(name="trials")
def trials_fixture(everything: bool) -> int:
    return ALL_TRIALS if everything else TRIALS


def test_no_folder_mixes_runs_and_no_record_is_half(
    digits: Path, tmp_path: Path, trials: int
) -> None:
    random = np.random.default_rng(17)
    endings: Counter[str] = Counter()
    homes = tmp_path / "plain"
    homes.mkdir()
    for trial in range(trials):
        with ExitStack() as stack:
            home = homes
            if trial % 2:
                size = int(random.integers(300, 4000))
                home = stack.enter_context(small_disk(tmp_path / f"disk{trial}", size))
            before = set(look(home / "presil-out")) if (home / "presil-out").is_dir() else set()
            runs = [start(digits, home, random) for _ in range(int(random.integers(1, 4)))]
            done = [(run, *end(run)) for run in runs]
            forced = any(run.force for run in runs)
            found = set(look(home / "presil-out")) if (home / "presil-out").is_dir() else set()
            for run, code, out, err in done:
                full = FULL.search(err)
                kept = "which is kept" in err or "is being written by another run" in err
                said = "full" if full else "kept" if code == 2 and kept else str(code)
                endings[said] += 1
                assert code in (0, 2) or run.signal, (code, err)
                assert code != 2 or full or kept or run.signal, err
                assert trial % 2 or not full, err
                if code == 0 and not forced:
                    folder = home / re.search(r"record: (.*)/run.json", out)[1]
                    asked = json.loads((folder / "run.json").read_text())["asked"]
                    assert asked["inputs"] == INPUTS[run.seed]
            assert forced or before <= found, "a run is gone"
            if not trial % 2:  # the next run cleans up
                last = start(digits, home, np.random.default_rng(trial))
                last.signal = 0
                code, out, err = end(last)
                assert code == 0 or "which is kept" in err, (code, err)
                left = [e.name for e in (home / "presil-out").iterdir() if e.name[0] == "."]
                assert left == [], left
    met = {"0", "130", "-9", "full", "kept"} if trials == ALL_TRIALS else {"0"}
    assert met <= set(endings), endings
    print(f"{trials} trials, endings: {dict(endings)}")
