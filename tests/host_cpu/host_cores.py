"""The cores that a host can be, each as a parameter of tests."""

from __future__ import annotations

import pytest
from presil import paths
from presil.host import HOSTS, NATIVE

AARCH64 = paths.SIMULATORS / "presil-aarch64"
NO_AARCH64 = "SKIPPED: no AArch64 core, this build has no presil-aarch64 (package libunicorn-dev)"
without = pytest.mark.skipif(not AARCH64.is_file(), reason=NO_AARCH64)
NAMES = [host for host in HOSTS if host != NATIVE]
CORES = [pytest.param(host, marks=without if host == "aarch64" else ()) for host in NAMES]
WITH_NATIVE = [NATIVE, *CORES]
