"""Arrays that people give, as the samples of a network's inputs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from .fitting import fitted
from .inputs import ImageOptions, random_array, read_inputs
from .names import described, hint, number
from .refusal import Refusal

Sample = list[np.ndarray]
"""An array for each input, of its shape."""

MOST_SEED = 2**63
FROM_PYTHON = "arrays given in Python"


def arrays_of(
    tensors: list[dict[str, Any]], inputs: Any, seed: int = 0
) -> tuple[list[np.ndarray], str]:
    """An array for each input in the network's order, and a sentence that says what they are.

    inputs: by name, where 'input' stands for the only one; or a list in order; or the array of the
      only one; None: seeded random data.
    """
    if inputs is None:
        arrays = [random_array(t, seed + i) for i, t in enumerate(tensors)]
        return arrays, f"seeded random data (seed {seed}); give inputs for your own"
    given = in_order(tensors, inputs)
    return [array_of(t, x) for t, x in zip(tensors, given, strict=True)], FROM_PYTHON


def inputs_of(
    tensors: list[dict[str, Any]], inputs: Any, seed: int = 0, sample: Path | None = None
) -> tuple[list[np.ndarray], str]:
    """As arrays_of; sample: the image that stands for inputs that are not given."""
    number(seed, 0, MOST_SEED, "input: the seed", ", expected a whole number from 0 on", whole=True)
    if inputs is None and sample is not None:
        arrays, source, _ = read_inputs(
            [str(sample)], tensors, slice(0, 1), ImageOptions(), int(seed)
        )
        return arrays, source
    return arrays_of(tensors, inputs, int(seed))


def in_order(tensors: list[dict[str, Any]], inputs: Any) -> list[Any]:
    names = [tensor["name"] for tensor in tensors]
    if isinstance(inputs, Mapping):
        if len(names) == 1 and set(inputs) == {"input"}:
            return [inputs["input"]]
        if set(inputs) != set(names):
            got = [str(name) for name in inputs]
            wrong = next((name for name in got if name not in names), "")
            raise Refusal(f"input: got {sorted(got)}, expected {names}{hint(wrong, names)}")
        return [inputs[name] for name in names]
    # A list with an array in it holds one per input; one of plain numbers is an array itself.
    if isinstance(inputs, (list, tuple)) and (len(names) != 1 or not all(map(is_number, inputs))):
        given = list(inputs)
    else:
        given = [inputs]
    if len(given) != len(tensors):
        raise Refusal(
            f"input: got {len(given)} arrays, expected {len(tensors)}: {', '.join(names)}"
        )
    return given


def is_number(value: Any) -> bool:
    """A number, or a list of such, as deep as it likes."""
    while isinstance(value, (list, tuple)) and value:
        value = value[0]
    return isinstance(value, (bool, int, float, np.generic))


def array_of(tensor: dict[str, Any], value: Any) -> np.ndarray:
    """One input as an array. Arrays keep their type; numbers of Python take the tensor's."""
    subject = f"input: '{tensor['name']}'"
    expected = f"expected an array of {tensor['dtype']}{tensor['shape']}"
    plain = isinstance(value, (list, tuple, int, float))
    if not plain and not hasattr(value, "__array__"):
        more = "; numpy.load reads a .npy file" if isinstance(value, str) else ""
        raise Refusal(f"{subject} got {described(value)}, {expected}{more}")
    try:
        array = np.asarray(value)
    except Exception as error:  # noqa: BLE001  of the caller's object, whatever it is
        raise Refusal(f"{subject} is no array ({error}), {expected}") from error
    if array.dtype.kind not in "biuf":
        raise Refusal(f"{subject} holds {array.dtype}, {expected}")
    if plain:
        array = exactly(tensor, array, subject)
    if array.dtype.kind == "f" and np.isnan(array).any():
        index = [int(i) for i in np.argwhere(np.isnan(array))[0]]
        raise Refusal(
            f"{subject} holds NaN at index {index}, expected numbers: no result follows from it"
        )
    return array


def exactly(tensor: dict[str, Any], array: np.ndarray, subject: str) -> np.ndarray:
    """Numbers of Python, which have no type of their own, in the tensor's: none may change."""
    dtype = np.dtype(tensor["dtype"])
    if dtype.kind == "f":
        return array.astype(dtype)
    low, high = (np.iinfo(dtype).min, np.iinfo(dtype).max) if dtype.kind in "iu" else (0, 1)
    if not ((array >= low) & (array <= high) & (array == np.trunc(array))).all():
        raise Refusal(
            f"{subject} holds numbers that {dtype} has not, expected {dtype}{tensor['shape']}"
        )
    return array.astype(dtype)


def split_samples(tensors: list[dict[str, Any]], arrays: list[np.ndarray]) -> list[Sample]:
    """Cuts n samples on the first axis into n lists of inputs."""
    arrays = [fitted(array, tensor, "input", "the array") for tensor, array in zip(tensors, arrays)]
    rows = [tensor["shape"][0] if tensor["shape"] else 1 for tensor in tensors]
    counts = {len(array) // one for array, one in zip(arrays, rows)}
    if len(counts) != 1:
        raise Refusal(f"input: the inputs hold different numbers of samples, {sorted(counts)}")
    n = counts.pop()
    return [
        [a[i * k : (i + 1) * k].reshape(t["shape"]) for t, a, k in zip(tensors, arrays, rows)]
        for i in range(n)
    ]


def joined(parts: Sequence[np.ndarray]) -> np.ndarray:
    """One output of all samples, on the first axis; scalars of several samples are a vector."""
    if len(parts) == 1:
        return parts[0]
    return np.stack(parts) if parts[0].ndim == 0 else np.concatenate(parts)
