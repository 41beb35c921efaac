"""Who may include whom: the architecture's seams, kept by a test."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.MULTILINE)
LAYERS = ("rtl", "models", "driver", "compiler_bridge", "sim")

# Room -> what it may include besides itself, the contract (rtl) and its layer's common room.
# A name that ends with _core or _timing is that library of the room.
ALLOWED = {
    "models": ("models/",),
    "driver": ("driver/",),
    "compiler_bridge": ("compiler_bridge/", "driver/kernels/kernels.h"),
    "sim": ("sim/", "models/", "driver/", "compiler_bridge/"),
    "rtl": (),
}
PLAIN = re.compile(r"^models/(?P<room>\w+)/(?P=room)_(core|timing)")


def sources() -> list[Path]:
    files: list[Path] = []
    for layer in LAYERS:
        for suffix in ("*.h", "*.cpp", "*.c"):
            files += sorted((ROOT / layer).rglob(suffix))
    return files


def includes(file: Path) -> list[str]:
    return [i for i in INCLUDE.findall(file.read_text(encoding="utf-8")) if "/" in i]


def allowed(name: str, included: str) -> bool:
    layer = name.split("/")[0]
    if included.startswith(("rtl/", "presil/")):
        return layer != "rtl" or included.startswith("rtl/")
    if name.startswith("compiler_bridge/reference/"):
        return included.startswith(("compiler_bridge/reference/", "compiler_bridge/ir/"))
    if PLAIN.match(name):
        own = "/".join(name.split("/")[:2]) + "/"
        return included.startswith((own, "models/common/"))
    if layer == "compiler_bridge" and included.startswith("models/"):
        return "_timing" in included
    return included.startswith(ALLOWED[layer])


def test_every_layer_includes_only_what_it_may() -> None:
    wrong = [
        f"{file.relative_to(ROOT)} includes {included}"
        for file in sources()
        for included in includes(file)
        if not allowed(str(file.relative_to(ROOT)), included)
    ]
    assert not wrong, "\n".join(wrong)


def test_the_rules_can_refuse() -> None:
    assert not allowed("compiler_bridge/reference/add.cpp", "models/dla/dla_core.h")
    assert not allowed("compiler_bridge/plan/schedule.cpp", "models/dla/dla_core.h")
    assert allowed("compiler_bridge/plan/schedule.cpp", "models/dla/dla_timing.h")
    assert not allowed("driver/core/job.c", "models/dla/dla.h")
    assert not allowed("models/dla/dla_core.cpp", "models/dla_x/dla.h")
    assert not allowed("models/dla/dla_core.cpp", "models/memory/sram.h")


def test_plain_models_have_never_heard_of_systemc() -> None:
    wrong = [
        str(file.relative_to(ROOT))
        for file in sources()
        if PLAIN.match(str(file.relative_to(ROOT)))
        and re.search(r"#\s*include\s*<(systemc|tlm)", file.read_text(encoding="utf-8"))
    ]
    assert not wrong, "\n".join(wrong)


def test_the_front_end_of_python_never_loads_systemc() -> None:
    text = (ROOT / "sim" / "python" / "CMakeLists.txt").read_text(encoding="utf-8")
    assert "systemc" not in text
