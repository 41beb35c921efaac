"""Kernels of the library that are given what they cannot have: the sentence names kernel, function
and layer, and the next job is exact."""

from __future__ import annotations

import re

import numpy as np
import presil as package
import pytest
from presil import paths
from presil.simulation import Simulation


@pytest.fixture(scope="module", name="program")
def program_fixture() -> package.Program:
    b = package.Builder("one_layer", numerics="tflite")
    x = b.input("x", (1, 64, 32), scale=0.1, zero_point=3)
    b.output(b.softmax(x, name="attention"))
    return package.compile(b.build())


def changed(program: package.Program, field: str, value: str) -> package.Program:
    """The program with another value of a field of the DSP's first run."""
    lines = program.stream_text().splitlines()
    at = next(i for i, line in enumerate(lines) if " run " in line and "regions_base" in line)
    lines[at], count = re.subn(rf"\b{field}=\S+", f"{field}={value}", lines[at])
    assert count == 1, lines[at]
    return package.assemble("\n".join(lines) + "\n", program)


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        (
            "watchdog",
            "300",
            r"it did not end before its watchdog, in \S+( \+ 0x[0-9a-f]+)?, pc 0x1",
        ),
        (
            "region_count",
            "1",
            r"a (load|store) outside what the kernel may (read|write), address 0x[0-9a-f]+.*, in "
            r"\S+ \+ 0x[0-9a-f]+, pc 0x1",
        ),
    ],
)
def test_a_kernel_that_is_stopped_is_named_and_the_next_job_is_exact(
    program: package.Program, field: str, value: str, said: str
) -> None:
    bad = changed(program, field, value)
    x = [np.arange(64 * 32).reshape(1, 64, 32).astype(np.int8)]
    with Simulation(bad) as simulation:
        with pytest.raises(package.HardwareError) as stopped:
            simulation.job(x)
        text = str(stopped.value)
        start = r"dsp command 1 \(layer attention\): the kernel softmax_i8 was stopped: "
        assert re.search(start + said, text), text
        simulation.load(program)
        outputs, _, _ = simulation.job(x)
    expected = paths.native().reference(program.graph, x)
    assert all(map(np.array_equal, outputs, expected))


def test_the_trace_of_a_kernel_that_is_stopped_ends_where_it_was(
    program: package.Program, tmp_path
) -> None:
    bad = changed(program, "watchdog", "300")
    x = [np.zeros((1, 64, 32), np.int8)]
    file = tmp_path / "dsp.txt"
    with pytest.raises(package.HardwareError, match=f"instructions of the DSP: {file}"):
        package.run(bad, x, "none", dsp_trace=package.DspTrace(file))
    lines = file.read_text().splitlines()
    assert lines[0].startswith("# dsp command 1, layer attention") and len(lines) > 100
