"""Run by the Python that trains: convert.py FOLDER NAME KIND.. writes FOLDER/KIND.tflite for each.

A kind that the converter refuses is not written; its message is printed. Weights are random,
the same in every call; quantised by noise.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
os.environ["CUDA_VISIBLE_DEVICES"] = ""

import classifiers  # noqa: E402, F401
import detectors  # noqa: E402, F401
import full_size  # noqa: E402, F401
import maps  # noqa: E402, F401
import numpy as np  # noqa: E402
import sequences  # noqa: E402, F401
import tensorflow as tf  # noqa: E402
from keras_networks import KERAS  # noqa: E402
from layers import FAMILIES, w  # noqa: E402
from tensorflow.python.framework.convert_to_constants import (  # noqa: E402
    convert_variables_to_constants_v2,
)

#: What is not in the file's types is left in float by the converter.
SETS = {
    "int8": [tf.lite.OpsSet.TFLITE_BUILTINS_INT8],
    "int16": [
        tf.lite.OpsSet.EXPERIMENTAL_TFLITE_BUILTINS_ACTIVATIONS_INT16_WEIGHTS_INT8,
        tf.lite.OpsSet.TFLITE_BUILTINS,
    ],
}


def shake(model: tf.keras.Model) -> None:
    """Vectors that training would have moved from 0 and 1."""
    for weight in model.weights:
        if "variance" in weight.name:
            weight.assign(tf.random.uniform(weight.shape, 0.5, 1.5))
        elif len(weight.shape) == 1:
            middle = 1.0 if "gamma" in weight.name else 0.0
            weight.assign(tf.random.normal(weight.shape, middle, 0.2))


def network(name: str) -> tuple[Sequence[Sequence[int]], Any]:
    """Shapes of the inputs, float32, and the function of them."""
    if name in FAMILIES:
        shapes, function = FAMILIES[name]

        def traced(*inputs: Any) -> Any:
            w.rng = np.random.default_rng(7)
            return function(*inputs)

        return shapes, traced
    tf.keras.utils.set_random_seed(1)
    model = KERAS[name]()
    shake(model)

    def call(*inputs: Any) -> Any:
        return model(list(inputs) if len(inputs) > 1 else inputs[0], training=False)

    return [[1, *x.shape[1:]] for x in model.inputs], call


def converted(shapes: Sequence[Sequence[int]], function: Any, kind: str) -> bytes:
    specs = [tf.TensorSpec(shape, tf.float32) for shape in shapes]
    frozen = convert_variables_to_constants_v2(tf.function(function).get_concrete_function(*specs))
    converter = tf.lite.TFLiteConverter.from_concrete_functions([frozen])
    if kind != "float32":
        random = np.random.default_rng(1)
        converter.optimizations = [tf.lite.Optimize.DEFAULT]
        converter.representative_dataset = lambda: (
            [random.normal(size=shape).astype(np.float32) for shape in shapes] for _ in range(8)
        )
    if kind in SETS:
        ends = tf.int8 if kind == "int8" else tf.int16
        converter.target_spec.supported_ops = SETS[kind]
        converter.inference_input_type = converter.inference_output_type = ends
    return converter.convert()


def main(folder: str, name: str, *kinds: str) -> None:
    shapes, function = network(name)
    for kind in kinds:
        try:
            data = converted(shapes, function, kind)
        except Exception as refused:  # noqa: BLE001
            print(f"{kind}: {(str(refused).splitlines() or ['?'])[0]}")
            continue
        Path(folder, f"{kind}.tflite").write_bytes(data)


main(*sys.argv[1:])
