"""Accuracy of a network over a folder of labelled samples, and its cycles as a distribution."""

from .evaluate import Evaluated, evaluate

__all__ = ["Evaluated", "evaluate"]
