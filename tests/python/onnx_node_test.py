"""The standard's own cases, operator by operator (Debian's libonnx-testdata): whatever of them can
be imported has the values that they say. What a case computes with but the first input is also
tried as constants, which shapes, limits and weights must be."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import presil
import pytest
from onnx_files import onnx
from presil import paths

CASES = Path("/usr/share/libonnx-testdata/data/node")
LEAST = 200
"""Cases that must pass, so that no change of the importer loses some in silence."""


def array(file: Path) -> Any:
    tensor = onnx.TensorProto()
    tensor.ParseFromString(file.read_bytes())
    return onnx.numpy_helper.to_array(tensor)


def arrays(folder: Path, what: str) -> list[Any]:
    return [array(folder / f"{what}_{i}.pb") for i in range(len(list(folder.glob(f"{what}_*.pb"))))]


def with_constants(model: Any, inputs: list[Any]) -> Any:
    """All inputs but the first as they are in this case."""
    made = onnx.ModelProto()
    made.CopyFrom(model)
    for edge, values in list(zip(model.graph.input, inputs))[1:]:
        made.graph.initializer.append(onnx.numpy_helper.from_array(values, edge.name))
    return made


def imported(model: Any, inputs: list[Any], file: Path) -> tuple[Any, int] | None:
    """The network and how many inputs it has; none where it is refused both ways."""
    for made in (model, with_constants(model, inputs)):
        file.write_bytes(made.SerializeToString())
        try:
            net = presil.load(file)
            return net, len(net.inputs)
        except presil.Refusal:
            continue
    return None


def test_cases_of_the_standard(tmp_path: Path) -> None:
    if not CASES.is_dir():
        pytest.skip(f"SKIPPED: no {CASES} (libonnx-testdata)")
    known = set(paths.native().onnx_operators())
    counts: Counter[str] = Counter()
    wrong = []
    for folder in sorted(CASES.glob("test_*")):
        model = onnx.load(str(folder / "model.onnx"))
        used = {f"{n.domain}.{n.op_type}" if n.domain else n.op_type for n in model.graph.node}
        if not used <= known:
            counts["not claimed"] += 1
            continue
        data = folder / "test_data_set_0"
        try:
            inputs, expected = arrays(data, "input"), arrays(data, "output")
        except (TypeError, ValueError, AttributeError):  # sequences, and types that numpy lacks
            counts["no tensors"] += 1
            continue
        found = imported(model, inputs, tmp_path / "case.onnx")
        if found is None:
            counts["refused"] += 1
            continue
        net, given = found
        got = list(presil.reference(net, inputs[:given]).values())
        equal = all(
            g.shape == e.shape
            and g.dtype == e.dtype
            and np.allclose(g.astype(float), e.astype(float), 1e-4, 1e-5)
            for g, e in zip(got, expected, strict=True)
        )
        counts["passed" if equal else "failed"] += 1
        if not equal:
            wrong.append(folder.name)
    assert wrong == [] and counts["passed"] >= LEAST, counts
