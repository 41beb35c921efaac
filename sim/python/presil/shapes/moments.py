"""How large the values of a network are, channel by channel, without running it.

Each channel of a tensor is taken as normal with a mean and a variance, its elements as independent
of each other. Random weights of mean zero make that a fair account on the average: the variance of
a sum is then the sum of the variances. Functions go by Gauss-Hermite quadrature.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

REACH = 4.5
"""Standard deviations that a range of stored values holds: one normal value in 150,000 lies outside
of it and is clipped."""

NODES, WEIGHTS = np.polynomial.hermite_e.hermegauss(41)
WEIGHTS = WEIGHTS / WEIGHTS.sum()


@dataclass(frozen=True)
class Moments:
    """Of each channel: mean, variance [channels]; of all: the range of real values."""

    mean: np.ndarray
    variance: np.ndarray
    low: float
    high: float


def normal(mean: np.ndarray, variance: np.ndarray) -> Moments:
    """Of channels with those moments: the range is as far as REACH tells."""
    reach = REACH * np.sqrt(variance)
    return Moments(mean, variance, float((mean - reach).min()), float((mean + reach).max()))


def through(x: Moments, function: Callable[[np.ndarray], np.ndarray]) -> Moments:
    """What a function of one value makes of them."""
    samples = function(x.mean[:, None] + np.sqrt(x.variance)[:, None] * NODES)
    mean = samples @ WEIGHTS
    variance = np.maximum((samples**2) @ WEIGHTS - mean**2, 1e-9)
    reached = function(np.linspace(x.low, x.high, 512))
    return Moments(mean, variance, float(reached.min()), float(reached.max()))


def total(*parts: Moments) -> Moments:
    """Of a sum."""
    mean = np.sum(np.broadcast_arrays(*(p.mean for p in parts)), axis=0)
    return normal(mean, np.sum(np.broadcast_arrays(*(p.variance for p in parts)), axis=0))


def product(a: Moments, b: Moments) -> Moments:
    """Of a product of values that know nothing of each other."""
    variance = a.variance * b.variance + a.variance * b.mean**2 + b.variance * a.mean**2
    ends = [p * q for p in (a.low, a.high) for q in (b.low, b.high)]
    made = normal(a.mean * b.mean, np.maximum(variance, 1e-9))
    low, high = max(made.low, min(ends)), min(made.high, max(ends))
    return Moments(made.mean, made.variance, low, high)


def joined(parts: list[Moments]) -> Moments:
    """Of channels one after another."""
    return Moments(
        np.concatenate([p.mean for p in parts]),
        np.concatenate([p.variance for p in parts]),
        min(p.low for p in parts),
        max(p.high for p in parts),
    )


def averaged(x: Moments, count: int) -> Moments:
    """Of averages over `count` values."""
    reach = REACH * np.sqrt(x.variance / count)
    low, high = float((x.mean - reach).min()), float((x.mean + reach).max())
    return Moments(x.mean, x.variance / count, max(low, x.low), min(high, x.high))
