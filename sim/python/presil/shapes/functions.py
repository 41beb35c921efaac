"""Functions of one value that the topologies use, by name."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

Function = Callable[[np.ndarray], np.ndarray]


def sigmoid(x: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-x))


def mish(x: np.ndarray) -> np.ndarray:
    """D. Misra, Mish: a self regularized non-monotonic activation function, 2019."""
    return x * np.tanh(np.log1p(np.exp(x)))


def gelu(x: np.ndarray) -> np.ndarray:
    """D. Hendrycks and K. Gimpel, Gaussian error linear units, 2016."""
    return 0.5 * x * (1 + np.vectorize(math.erf)(x / math.sqrt(2)))


FUNCTIONS: dict[str, Function] = {
    "none": lambda x: x,
    "relu": lambda x: np.maximum(x, 0),
    "relu6": lambda x: np.clip(x, 0, 6),
    "leaky_relu": lambda x: np.where(x > 0, x, 0.1 * x),
    "hard_swish": lambda x: x * np.clip(x + 3, 0, 6) / 6,
    "hard_sigmoid": lambda x: np.clip(x + 3, 0, 6) / 6,
    "sigmoid": sigmoid,
    "tanh": np.tanh,
    "swish": lambda x: x * sigmoid(x),
    "mish": mish,
    "gelu": gelu,
}

FUSED = ("none", "relu", "relu6")
"""Those that an operator with a sum applies to it; any other is an operator of its own."""
