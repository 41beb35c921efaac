"""One deliberate error at a time, in the engine, in the compiler, in a loadable: each is caught by
the check against the reference interpreter, and located."""

from __future__ import annotations

import json
import os
import re
import struct
import subprocess
import sys
import zlib
from pathlib import Path
from typing import Any

import mutants
import presil
from presil import paths

FIRST_LAYER = "conv2d_1"
IMAGE_FIELD = 7  # of table Loadable in rtl/soc/loadable.fbs
CHECKSUM_BYTES = 4


def run_with(build: Path, network: Path, out: Path) -> tuple[int, dict[str, Any], str]:
    """Exit code, check and stderr of `presil run`, with the tools of another build folder."""
    done = subprocess.run(
        [sys.executable, "-m", "presil", "run", network, "--check", "layers", "--out", out],
        capture_output=True,
        text=True,
        env=dict(os.environ, CI="true", PRESIL_BUILD=str(build)),
        timeout=300,
    )
    record = json.loads((out / "run.json").read_text(encoding="utf-8"))
    return done.returncode, record["check"], done.stdout + done.stderr


def located(check: dict[str, Any], layer: str) -> None:
    """The first difference names the layer, and an index and values that differ."""
    first = check["first"]
    assert check["exact"] is False
    assert first["layer"] == layer
    assert first["tensor"]
    assert len(first["index"]) == 4
    assert first["got"] != first["wanted"]


def image_at(loadable: bytes) -> int:
    """Where the image's bytes begin: root table, its vtable, the field, the vector's length."""
    (root,) = struct.unpack_from("<I", loadable, 0)
    (back,) = struct.unpack_from("<i", loadable, root)
    (slot,) = struct.unpack_from("<H", loadable, root - back + 4 + 2 * IMAGE_FIELD)
    (offset,) = struct.unpack_from("<I", loadable, root + slot)
    return root + slot + offset + 4


def number(line: str, name: str) -> int:
    found = re.search(rf" {name}=(\w+)", line)
    return int(found[1], 0) if found else 0


def test_a_wrong_rounding_constant_in_the_engine_is_located(digits: Path, tmp_path: Path) -> None:
    build = mutants.mutant_build(
        "models/dla/dla_vector.cpp",
        "hn::Set(d64, int64_t{1} << 30)",
        "hn::Set(d64, int64_t{1} << 29)",
        mutants.SIMULATOR,
        tmp_path / "build",
    )
    code, check, text = run_with(build, digits, tmp_path / "run")
    assert code == 1
    located(check, FIRST_LAYER)
    assert f"layer '{FIRST_LAYER}'" in text


def test_a_wrong_tile_offset_in_the_compiler_is_located(digits: Path, tmp_path: Path) -> None:
    commands = presil.compile(presil.load(digits)).stream_text().splitlines()
    tiles = [t for t in commands if re.match(rf"dla \d+: .*; {FIRST_LAYER}( |$)", t)]
    assert len(tiles) > 1
    build = mutants.mutant_build(
        "compiler_bridge/plan/tiling.cpp",
        "first = begin * stride - pad;\n  const int last = (end - 1) * stride - pad",
        "first = begin * stride - pad - (begin > 0);\n"
        "  const int last = (end - 1) * stride - pad - (begin > 0)",
        mutants.NATIVE,
        tmp_path / "build",
    )
    code, check, text = run_with(build, digits, tmp_path / "run")
    assert code == 1
    located(check, FIRST_LAYER)
    # The first tile begins at row 0, where the offset is nothing: the second is where it shows.
    assert check["first"]["index"][1] >= number(tiles[0], "out_h")
    assert f"layer '{FIRST_LAYER}'" in text


def test_a_changed_weight_in_a_loadable_is_located(digits: Path, tmp_path: Path) -> None:
    program = presil.compile(presil.load(digits))
    layer = "conv2d_3_1"
    lines = [t for t in program.stream_text().splitlines() if f"; {layer} [" in t]
    load = next(t for t in lines if t.startswith("dma"))
    conv = next(t for t in lines if t.startswith("dla"))
    in_image = number(load, "src_base") + number(conv, "w_base") - number(load, "dst_base")
    # The first set's first byte: output channel 0, input channel 0, tap (0, 0).
    loadable = bytearray(program.loadable[:-CHECKSUM_BYTES])
    loadable[image_at(loadable) + in_image] ^= 0x40
    broken = tmp_path / "broken.presil"
    broken.write_bytes(loadable + zlib.crc32(loadable).to_bytes(CHECKSUM_BYTES, "little"))
    code, check, text = run_with(paths.BUILD, broken, tmp_path / "run")
    assert code == 1
    located(check, layer)
    assert check["first"]["index"][3] == 0
    assert f"layer '{layer}'" in text


def test_the_same_runs_without_an_error_are_exact(digits: Path, tmp_path: Path) -> None:
    code, check, _ = run_with(paths.BUILD, digits, tmp_path / "run")
    assert code == 0
    assert check["exact"] is True
    assert check["compared_bytes"] > 100_000
