"""Float networks to integers by the field's quantisers, and what that costs."""

from .quantize import Quantized, quantize

__all__ = ["Quantized", "quantize"]
