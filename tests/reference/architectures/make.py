"""Small networks of published architectures as TFLite files: make.py FOLDER [NAME..].

Runs where TensorFlow is. Writes NAME.int8.tflite, NAME.int16.tflite (activations int16, weights
int8) and NAME.float.tflite; a kind that TensorFlow cannot make is told and left out.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
os.environ["CUDA_VISIBLE_DEVICES"] = ""

import classifiers  # noqa: E402, F401
import detectors  # noqa: E402, F401
import maps  # noqa: E402, F401
import numpy as np  # noqa: E402
import sequences  # noqa: E402, F401
import tensorflow as tf  # noqa: E402
from layers import FAMILIES, w  # noqa: E402

KINDS = ("int8", "int16", "float")


def converter(name: str) -> tf.lite.TFLiteConverter:
    """Calibrated with noise."""
    shapes, function = FAMILIES[name]
    specs = [tf.TensorSpec(shape, tf.float32) for shape in shapes]

    class Net(tf.Module):
        @tf.function(input_signature=specs)
        def call(self, *inputs):
            w.rng = np.random.default_rng(7)
            return function(*inputs)

    net = Net()
    made = tf.lite.TFLiteConverter.from_concrete_functions([net.call.get_concrete_function()], net)
    rng = np.random.default_rng(1)

    def samples():
        for _ in range(8):
            yield [rng.normal(0, 1, shape).astype(np.float32) for shape in shapes]

    made.representative_dataset = samples
    return made


def network(name: str, kind: str) -> bytes:
    made = converter(name)
    if kind != "float":
        sets = tf.lite.OpsSet
        wide = sets.EXPERIMENTAL_TFLITE_BUILTINS_ACTIVATIONS_INT16_WEIGHTS_INT8
        made.optimizations = [tf.lite.Optimize.DEFAULT]
        made.inference_input_type = made.inference_output_type = getattr(tf, kind)
        made.target_spec.supported_ops = (
            [sets.TFLITE_BUILTINS_INT8] if kind == "int8" else [wide, sets.TFLITE_BUILTINS]
        )
    return made.convert()


def main() -> None:
    folder, names = Path(sys.argv[1]), sys.argv[2:] or list(FAMILIES)
    folder.mkdir(parents=True, exist_ok=True)
    for name in names:
        for kind in KINDS:
            try:
                (folder / f"{name}.{kind}.tflite").write_bytes(network(name, kind))
            except Exception as error:  # noqa: BLE001
                print(f"{name}.{kind}: {str(error)[:200]}", flush=True)


if __name__ == "__main__":
    main()
