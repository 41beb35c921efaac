"""ONNX files whose weights lie in files beside them, as exporters write models above 2 GiB."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import presil
import pytest
from onnx_files import Model, onnx

WEIGHTS = np.arange(12, dtype=np.float32).reshape(3, 4)


def model(folder: Path, **entries: Any) -> Path:
    """y = x times WEIGHTS, which are bytes 16 to 64 of weights.bin unless the entries say else."""
    folder.mkdir(exist_ok=True)
    (folder / "weights.bin").write_bytes(b"\1" * 16 + WEIGHTS.tobytes())
    made = Model()
    x = made.input("x", [1, 3])
    made.op("MatMul", [x, "w"], "y")
    made.output("y")
    tensor = onnx.TensorProto(name="w", data_type=1, dims=[3, 4], data_location=1)
    said = {"location": "weights.bin", "offset": 16, "length": 48, **entries}
    for key, value in said.items():
        tensor.external_data.add(key=key, value=str(value))
    made.constants.append(tensor)
    return made.save(folder / "net.onnx")


def test_weights_are_read_from_the_file_beside(tmp_path: Path) -> None:
    x = np.array([[1, 2, 3]], np.float32)
    got = presil.reference(presil.load(model(tmp_path)), [x])
    np.testing.assert_array_equal(got["y"], x @ WEIGHTS)


def test_another_file_beside_is_another_network(tmp_path: Path) -> None:
    first = presil.load(model(tmp_path)).sha256
    (tmp_path / "weights.bin").write_bytes(bytes(64))
    assert presil.load(tmp_path / "net.onnx").sha256 != first


def test_a_link_out_of_the_folder_is_refused(tmp_path: Path) -> None:
    file = model(tmp_path / "inside")
    (tmp_path / "secret.bin").write_bytes(bytes(64))
    (tmp_path / "inside" / "weights.bin").unlink()
    (tmp_path / "inside" / "weights.bin").symlink_to(tmp_path / "secret.bin")
    with pytest.raises(presil.Refusal, match="which must be in the folder of the model"):
        presil.load(file)


@pytest.mark.parametrize(
    ("entries", "said"),
    [
        ({"location": "../weights.bin"}, "which must be in the folder of the model"),
        ({"location": "/etc/passwd"}, "which must be in the folder of the model"),
        ({"location": "none.bin"}, 'lies in the file "none.bin", which is not in'),
        ({"location": "."}, "which is not in"),
        ({"offset": 20}, "is bytes 20 to 68 of"),
        ({"length": 44}, "which has 64; must be 48 bytes inside it"),
        ({"offset": "12x"}, 'has data at "12x", must be a number of bytes'),
        ({"offset": 2**63}, "must be a number of bytes"),
    ],
)
def test_data_that_is_not_there_is_refused(
    entries: dict[str, Any], said: str, tmp_path: Path
) -> None:
    with pytest.raises(presil.Refusal) as refused:
        presil.load(model(tmp_path / "inside", **entries))
    assert said in str(refused.value)
