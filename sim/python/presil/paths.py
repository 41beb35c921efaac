"""Where the package finds what it is not made of: native module, simulator, presets, networks."""

from __future__ import annotations

import os
import sys
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent
ROOT = PACKAGE.parents[2]
BUILD = Path(os.environ.get("PRESIL_BUILD", ROOT / "build"))
SOCS = ROOT / "sim" / "socs"
NETS = ROOT / "sim" / "nets"


def native() -> object:
    """The extension module, from the build folder where it is not installed beside the package."""
    folder = str(BUILD / "sim" / "python")
    if folder not in sys.path:
        sys.path.insert(0, folder)
    import _presil

    return _presil


def simulator() -> Path:
    """The program that runs the SoC."""
    return BUILD / "sim" / "platform" / "presil-sim"


def shared() -> Path:
    """Trained networks and inputs that tests may read: $PRESIL_SHARED, default ../shared."""
    return Path(os.environ.get("PRESIL_SHARED", ROOT.parent / "shared"))
