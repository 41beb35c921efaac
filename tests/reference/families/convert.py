"""Run by the Python that trains: convert.py FOLDER NAME writes FOLDER/KIND.tflite for each kind.

A kind that the converter refuses is not written; its message is printed.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"

import networks  # noqa: E402
import numpy as np  # noqa: E402
import tensorflow as tf  # noqa: E402
from tensorflow.python.framework.convert_to_constants import (  # noqa: E402
    convert_variables_to_constants_v2,
)

#: What is not in the file's types is left in float by the converter.
SETS = {
    "int8": tf.lite.OpsSet.TFLITE_BUILTINS_INT8,
    "int16": tf.lite.OpsSet.EXPERIMENTAL_TFLITE_BUILTINS_ACTIVATIONS_INT16_WEIGHTS_INT8,
}


def shake(model: tf.keras.Model) -> None:
    """Vectors that training would have moved from 0 and 1."""
    for weight in model.weights:
        if "variance" in weight.name:
            weight.assign(tf.random.uniform(weight.shape, 0.5, 1.5))
        elif len(weight.shape) == 1:
            middle = 1.0 if "gamma" in weight.name else 0.0
            weight.assign(tf.random.normal(weight.shape, middle, 0.2))


def converted(model: tf.keras.Model, kind: str) -> bytes:
    shapes = [[1, *x.shape[1:]] for x in model.inputs]

    @tf.function
    def call(*inputs):
        return model(list(inputs) if len(inputs) > 1 else inputs[0], training=False)

    specs = [tf.TensorSpec(shape, tf.float32) for shape in shapes]
    frozen = convert_variables_to_constants_v2(call.get_concrete_function(*specs))
    converter = tf.lite.TFLiteConverter.from_concrete_functions([frozen])
    if kind != "float32":
        random = np.random.default_rng(1)
        converter.optimizations = [tf.lite.Optimize.DEFAULT]
        converter.representative_dataset = lambda: (
            [random.normal(size=shape).astype(np.float32) for shape in shapes] for _ in range(6)
        )
    if kind in SETS:
        ends = tf.int8 if kind == "int8" else tf.int16
        converter.target_spec.supported_ops = [SETS[kind]]
        converter.inference_input_type = converter.inference_output_type = ends
    return converter.convert()


def main(folder: str, name: str, *kinds: str) -> None:
    tf.keras.utils.set_random_seed(1)
    model = getattr(networks, name)()
    shake(model)
    for kind in kinds:
        try:
            data = converted(model, kind)
        except Exception as refused:  # noqa: BLE001
            print(f"{kind}: {str(refused).splitlines()[0]}")
            continue
        Path(folder, f"{kind}.tflite").write_bytes(data)


main(*sys.argv[1:])
