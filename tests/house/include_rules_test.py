"""Which room may include which: the architecture's seams, kept by a test."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
INCLUDE = re.compile(r'^\s*#\s*include\s+(?:"([^"]+)"|<(presil/[^>]+)>)', re.MULTILINE)
SYSTEMC = re.compile(r"^\s*#\s*include\s*<(systemc|tlm)", re.MULTILINE)
LAYERS = ("rtl", "models", "driver", "compiler_bridge", "sim")
DRAM = "models/memory/dram.h"
"""What the memory takes, without SystemC."""
PLAYED = (
    "models/common/bank_load.h",
    "models/common/ports.h",
    "models/common/timeline.h",
    "models/dla/dla_engine.h",
    "models/dma/dma_unit.h",
    "models/memory/memory_core.h",
    "models/noc/crossbar.h",
    "models/sync/sync_unit.h",
)
"""The plain objects that a program is played by, without SystemC."""
PLAIN = re.compile(r"^models/(?P<room>\w+)/(?P=room)_(core|timing)\.(h|cpp)$")
REFUSAL = "models/base/refusal.h"
CONTRACTS_OF_KERNELS = (
    "driver/kernels/host/attributes.h",
    "driver/kernels/host/kernels.h",
    "driver/kernels/dsp/params.h",
    "driver/kernels/dsp/cost.h",
    "driver/kernels/dsp/prebuilt/cost_fit.h",
    "presil/dsp_kernel.h",
)

# DMA channels, crossbar and DRAM decide about each other in the same cycle, so they are plain
# objects that call each other; the sc_module of the memory holds crossbar and DRAM. Each may know
# those after it, none those before it.
AFTER = {"dma": ("models/noc/",), "noc": ("models/memory/",)}
# The instructions of the core with traps are those of the DSP's scalar core.
BUILT_ON = {"rv64": ("models/dsp/",)}


def sources() -> list[Path]:
    files: list[Path] = []
    for layer in LAYERS:
        for suffix in ("*.h", "*.cpp", "*.c"):
            files += sorted((ROOT / layer).rglob(suffix))
    return files


def includes(file: Path) -> list[str]:
    found = INCLUDE.findall(file.read_text(encoding="utf-8"))
    return [quoted or angled for quoted, angled in found if "/" in (quoted or angled)]


def allowed(name: str, included: str) -> bool:
    """May the file `name` include `included`? Both are paths from the root, or <presil/...>."""
    layer, room = name.split("/")[:2]
    own = f"{layer}/{room}/"
    if layer == "rtl":
        return included.startswith("rtl/")
    if name.startswith("compiler_bridge/reference/"):
        return included.startswith((own, "compiler_bridge/ir/")) or included == REFUSAL
    if included.startswith(("rtl/", "models/base/")):
        return True
    if included.startswith("models/soc/"):
        return layer != "driver"
    if layer == "models":
        if included.startswith((own, "models/common/")):
            return True
        if included.startswith(BUILT_ON.get(room, ("models/base/",))):
            return True
        if PLAIN.match(name):
            return False
        if name.startswith("models/memory/memory."):
            return included.startswith("models/noc/")
        return included.startswith(AFTER.get(room, ()))
    if layer == "driver":
        return included.startswith(("driver/", "presil/"))
    if name.startswith("compiler_bridge/plan/") and included == DRAM:
        return True  # estimates ask it what rows take
    if name.startswith("compiler_bridge/play/") and included in PLAYED:
        return True
    if name.startswith(("compiler_bridge/", "sim/python/")) and included.startswith("models/"):
        plain = PLAIN.match(included)  # cycles that a schedule or a person estimates with
        return plain is not None and plain.group(2) == "timing"
    if name.startswith("compiler_bridge/replay/") and included.startswith("compiler_bridge/"):
        # It judges what plan and emit have made, so it knows neither.
        # An engine from outside says itself what its commands touch.
        return included.startswith((own, "compiler_bridge/ir/", "compiler_bridge/engine/"))
    if layer == "compiler_bridge":
        # What a task's bytes mean is the kernels' contract.
        return included.startswith("compiler_bridge/") or included in CONTRACTS_OF_KERNELS
    names_kernels = ("sim/socs/", "sim/host_cpu/")  # SoC files, and firmware that has some of them
    if name.startswith(names_kernels) and included == "driver/kernels/host/kernels.h":
        return True
    if name.startswith("sim/engine/") and included == "driver/core/engine.h":
        return True  # an engine outside brings its own share of the driver
    if name.startswith("sim/python/"):
        return included.startswith(("sim/", "compiler_bridge/"))
    # sim puts all together, and speaks to the driver as anyone does: through its public headers.
    return included.startswith(("sim/", "models/", "compiler_bridge/", "presil/", "driver/port/"))


def reaches(file: Path, seen: set[Path]) -> Iterator[Path]:
    """The file and all that it includes, directly or not."""
    if file in seen or not file.is_file():
        return
    seen.add(file)
    yield file
    for included in includes(file):
        folder = ROOT / "driver" / "include" if included.startswith("presil/") else ROOT
        yield from reaches(folder / included, seen)


def test_every_layer_includes_only_what_it_may() -> None:
    wrong = [
        f"{file.relative_to(ROOT)} includes {included}"
        for file in sources()
        for included in includes(file)
        if not allowed(str(file.relative_to(ROOT)), included)
    ]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize(
    ("name", "included"),
    [
        ("rtl/dla/dla.h", "models/dla/dla_core.h"),
        ("models/dla/dla_core.cpp", "models/memory/sram.h"),
        ("models/dla/dla.cpp", "models/dma/dma_timing.h"),
        ("models/dma/dma_core.cpp", "models/noc/crossbar.h"),
        ("models/memory/dram.cpp", "models/dma/dma_channel.h"),
        ("models/memory/memory.h", "models/dma/dma_unit.h"),
        ("models/noc/crossbar.cpp", "models/dma/dma_channel.h"),
        ("models/dla/dla.cpp", "presil/presil.h"),
        ("driver/core/job.c", "models/dla/dla.h"),
        ("driver/core/job.c", "models/soc/soc_config.h"),
        ("driver/port/model/model.cpp", "sim/bridge/model_port.h"),
        ("compiler_bridge/plan/schedule.cpp", "models/dla/dla_core.h"),
        ("compiler_bridge/plan/schedule.cpp", "models/dma/dma_shape.h"),
        ("compiler_bridge/plan/schedule.cpp", "models/dma/dma_unit.h"),
        ("compiler_bridge/play/tile.h", "models/dsp/dsp_engine.h"),
        ("compiler_bridge/emit/emit.cpp", "driver/core/job.h"),
        ("compiler_bridge/emit/emit.cpp", "presil/presil.h"),
        ("compiler_bridge/emit/emit.cpp", "driver/kernels/dsp/fixed.h"),
        ("compiler_bridge/reference/operators/add.cpp", "models/dla/dla_core.h"),
        ("compiler_bridge/reference/operators/add.cpp", "compiler_bridge/passes/pass.h"),
        ("compiler_bridge/reference/operators/add.cpp", "rtl/host/host_task.h"),
        ("compiler_bridge/reference/operators/add.cpp", "models/soc/soc_config.h"),
        ("compiler_bridge/replay/order.cpp", "compiler_bridge/plan/order.h"),
        ("compiler_bridge/replay/dla_accesses.cpp", "models/dla/dla_core.h"),
        ("sim/platform/session.cpp", "driver/core/device.h"),
        ("sim/python/bindings.cpp", "models/dla/dla.h"),
        ("sim/python/bindings.cpp", "models/dla/dla_core.h"),
        ("sim/python/bindings.cpp", "presil/presil.h"),
    ],
)
def test_the_rules_refuse(name: str, included: str) -> None:
    assert not allowed(name, included)


@pytest.mark.parametrize(
    ("name", "included"),
    [
        ("models/dla/dla_core.cpp", "rtl/dla/dla_command.h"),
        ("models/dma/dma_channel.cpp", "models/noc/crossbar.h"),
        ("models/memory/memory.h", "models/noc/crossbar.h"),
        ("driver/core/job.c", "presil/presil.h"),
        ("compiler_bridge/plan/schedule.cpp", "models/dla/dla_timing.h"),
        ("compiler_bridge/plan/schedule.cpp", "driver/kernels/dsp/cost.h"),
        ("compiler_bridge/play/tile.h", "models/dma/dma_unit.h"),
        ("compiler_bridge/emit/emit.cpp", "presil/dsp_kernel.h"),
        ("compiler_bridge/reference/interpreter.cpp", "compiler_bridge/ir/graph.h"),
        ("compiler_bridge/replay/data_flow.cpp", "compiler_bridge/ir/binary.h"),
        ("sim/platform/session.cpp", "presil/presil.h"),
        ("sim/python/loadable_info.cpp", "models/dla/dla_timing.h"),
    ],
)
def test_the_rules_accept(name: str, included: str) -> None:
    assert allowed(name, included)


def test_plain_code_has_never_heard_of_systemc() -> None:
    """Neither a `_core` or `_timing`, nor compiler, driver, contract and Python module; also not
    through what they include."""
    wrong = []
    for file in sources():
        name = str(file.relative_to(ROOT))
        if name.startswith(("models/", "sim/")) and not PLAIN.match(name):
            if not name.startswith("sim/python/"):
                continue
        for reached in reaches(file, set()):
            if SYSTEMC.search(reached.read_text(encoding="utf-8")):
                wrong.append(f"{name} reaches {reached.relative_to(ROOT)}")
    assert not wrong, "\n".join(wrong)


def test_the_python_module_does_not_link_systemc() -> None:
    text = (ROOT / "sim" / "python" / "CMakeLists.txt").read_text(encoding="utf-8")
    assert "systemc" not in text


def test_what_verilator_makes_stays_within_one_page_of_a_block() -> None:
    """Verilated headers and <systemc> do not compile together, and a pin is looked at once."""
    seen = [
        str(file.relative_to(ROOT))
        for file in sources()
        if re.search(r'^#\s*include\s+"(V\w+|verilated\w*)\.h"', file.read_text("utf-8"), re.M)
    ]
    pages = re.compile(r"sim/rtl/(\w+_top|fst_file)\.cpp")
    assert [name for name in seen if not pages.fullmatch(name)] == []
    assert "sim/rtl/dla_top.cpp" in seen
