# SPDX-License-Identifier: Apache-2.0
"""Counts in digits.tflite what net.yaml states: operators, multiply-accumulates, parameters.

python sim/nets/digits/facts.py
"""

from __future__ import annotations

from collections import Counter

import numpy as np
from ai_edge_litert import schema_py_generated as schema
from runtimes import FILE

NAMES = {
    code: name for name, code in vars(schema.BuiltinOperator).items() if not name.startswith("_")
}


def facts(file: bytes) -> dict[str, object]:
    model = schema.ModelT.InitFromObj(schema.Model.GetRootAsModel(file))
    graph = model.subgraphs[0]
    shapes = [tuple(t.shape) if t.shape is not None else () for t in graph.tensors]
    ops: Counter[str] = Counter()
    macs = params = 0
    for op in graph.operators:
        code = model.operatorCodes[op.opcodeIndex]
        name = NAMES[max(code.builtinCode, code.deprecatedBuiltinCode)]
        ops[name] += 1
        if name == "CONV_2D":  # weights [out, rows, columns, in], used once per output pixel
            _, weights, bias = op.inputs
            params += int(np.prod(shapes[weights]) + np.prod(shapes[bias]))
            macs += int(np.prod(shapes[weights]) * np.prod(shapes[op.outputs[0]][1:3]))
    return {"ops": dict(ops), "macs": macs, "params": params, "bytes": len(file)}


if __name__ == "__main__":
    for name, value in facts(FILE.read_bytes()).items():
        print(f"{name}: {value}")
