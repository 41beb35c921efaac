"""Where the package finds what it is not made of: native module, simulator, presets, networks, D3.

Installed, all of it is in the folder `parts` beside this file. In a checkout it is the checkout's,
and what is built is in $PRESIL_BUILD, default `build`.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from .interrupt import held_back
from .refusal import Refusal

PACKAGE = Path(__file__).resolve().parent
PARTS = PACKAGE / "parts"
INSTALLED = PARTS.is_dir()
ROOT = PACKAGE.parents[2]
CACHE = Path(os.environ.get("PRESIL_CACHE", Path.home() / ".cache" / "presil"))
"""Private virtual environments of the tests."""
BUILD = Path(os.environ.get("PRESIL_BUILD", ROOT / "build"))
SOCS = PARTS / "socs" if INSTALLED else ROOT / "sim" / "socs"
ENERGY = PARTS / "energy" if INSTALLED else ROOT / "sim" / "energy"
NETS = PARTS / "nets" if INSTALLED else ROOT / "sim" / "nets"
NATIVE = PARTS if INSTALLED else BUILD / "sim" / "python"
SIMULATORS = PARTS if INSTALLED else BUILD / "sim" / "platform"
SIMULATOR = SIMULATORS / "presil-sim"
RTL_SIMULATOR = SIMULATORS / "presil-sim-rtl"
FST_SIMULATOR = SIMULATORS / "presil-sim-rtl-fst"
_extended: list[bool] = []
"""One entry when the native module's types have what native_types adds."""
FIRMWARE = PARTS / "hosts" if INSTALLED else ROOT / "sim" / "host_cpu" / "prebuilt"
DSP_KERNELS = PARTS / "kernels" if INSTALLED else ROOT / "driver" / "kernels" / "dsp" / "prebuilt"
FIRMWARE_SOURCES = PARTS / "firmware" if INSTALLED else ROOT
D3 = PARTS / "d3.min.js" if INSTALLED else Path("/usr/share/javascript/d3/d3.min.js")


def how_to_build() -> str:
    """The end of a refusal: what to do where something native is missing."""
    python = f"Python {sys.version_info.major}.{sys.version_info.minor}"
    if INSTALLED:
        return f"install presil again, with {python}: `pip install --force-reinstall ./sim/python`"
    return (
        "`sim/presil VERB` builds what it needs before it runs (for Debian's Python); PRESIL_BUILD "
        f"names another build folder; for {python} by itself: `pip install ./sim/python`"
    )


def native() -> Any:
    """The extension module: importer, compiler, reference interpreter."""
    if str(NATIVE) not in sys.path:
        sys.path.insert(0, str(NATIVE))
    try:
        with held_back():  # pybind11 makes an ImportError of what interrupts an initialisation
            import _presil
    except ImportError as error:
        raise Refusal(
            f"presil: its native module cannot be loaded from '{NATIVE}' ({error}); "
            f"{how_to_build()}"
        ) from error
    if not _extended:
        _extended.append(True)
        from .native_types import extend

        extend(_presil)
    return _presil


def simulator(rtl: bool = False, waveforms: bool = False, size: str = "") -> Path:
    """The program that runs the SoC; rtl: the one with Verilated blocks, waveforms: the one of
    these that writes waveforms, size: the one with another DLA than that of `edge`."""
    if not SIMULATOR.is_file():
        raise Refusal(f"presil: there is no simulator at '{SIMULATOR}'; {how_to_build()}")
    chosen = RTL_SIMULATOR.with_name(f"{RTL_SIMULATOR.name}-{size}") if size else RTL_SIMULATOR
    if rtl and not waveforms and not chosen.is_file():
        raise Refusal(
            f"block: blocks in RTL require the simulator '{chosen}', which is not built; "
            + (
                "an installed presil has none: run from a checkout"
                if INSTALLED
                else "`sim/presil run NET --block dla=rtl` builds it (Debian package verilator), "
                f"or `cmake -DPRESIL_RTL=ON` and `ninja {chosen.name}`"
            )
        )
    if waveforms and not FST_SIMULATOR.is_file():
        raise Refusal(
            f"trace: waveforms require the simulator '{FST_SIMULATOR}', which is not built; "
            "`sim/presil run NET --block dla=rtl --trace fst` builds it, "
            "or `ninja presil_trace_tools`"
        )
    if waveforms:
        return FST_SIMULATOR
    return chosen if rtl else SIMULATOR


def commit() -> str:
    """The commit that the package is of, or 'unknown'."""
    if INSTALLED:
        file = PARTS / "commit"
        return (file.read_text(encoding="utf-8").strip() if file.is_file() else "") or "unknown"
    try:
        done = subprocess.run(
            ["git", "-C", str(ROOT), "rev-parse", "--short", "HEAD"],
            capture_output=True,
            text=True,
            check=True,
        )
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    return done.stdout.strip()


def shared() -> Path:
    """Trained networks and inputs that tests may read: $PRESIL_SHARED, default ../shared."""
    return Path(os.environ.get("PRESIL_SHARED", ROOT.parent / "shared"))
