"""Topologies with random weights; see library.py."""

from .library import SHAPES, file_of, named_with, names_shape, parse, shape, sketch

__all__ = ["SHAPES", "file_of", "named_with", "names_shape", "parse", "shape", "sketch"]
