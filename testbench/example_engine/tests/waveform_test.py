"""Waveforms of the engine in RTL, as of presil's own blocks."""

from __future__ import annotations

from pathlib import Path

import presil
import pytest
from lockstep_test import BUILT, FOLDER, network
from presil import paths


def test_a_window_of_a_run_is_in_its_own_file(tmp_path: Path) -> None:
    for file in (BUILT / "libengine_pool_rtl_fst.so", paths.FST_SIMULATOR):
        if not file.is_file():
            pytest.skip(f"SKIPPED: {file} is not built")
    trace = presil.Trace(tmp_path / "waves", "cycles=6000:9000")
    run = presil.run(network(), engines=[FOLDER], blocks="pool=rtl", trace=trace)
    assert run.exact
    assert (tmp_path / "waves" / "pool.fst").stat().st_size > 1000
    assert [Path(w["file"]).name for w in run.record["waveforms"]] == ["pool.fst"]
