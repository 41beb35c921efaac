"""The cores that a host can be, each as a parameter of tests."""

from __future__ import annotations

import pytest
from presil import paths
from presil.host import HOSTS, NATIVE

AARCH64 = [
    folder / "presil-aarch64" for folder in (paths.SIMULATORS, paths.BUILD / "sim" / "host_cpu")
]
NO_AARCH64 = "SKIPPED: no AArch64 core, this build has no presil-aarch64 (package libunicorn-dev)"
without = pytest.mark.skipif(not any(file.is_file() for file in AARCH64), reason=NO_AARCH64)
NAMES = [host for host in HOSTS if host != NATIVE]
CORES = [pytest.param(host, marks=without if host == "aarch64" else ()) for host in NAMES]
WITH_NATIVE = [NATIVE, *CORES]
