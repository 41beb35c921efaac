"""Where each network's operators run: the share of products on the DLA, and the host's rest.

    PYTHONPATH=sim/python /usr/bin/python3 tests/bench/placement.py

Every TFLite network of $PRESIL_SHARED that is quantised, compiled for `edge`; a table in Markdown,
that of compiler_bridge/rules/README.md.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "sim" / "python"))

import presil  # noqa: E402
from presil import paths  # noqa: E402

# An operator with products, in the graph's text, whose result is in floats.
FLOAT_PRODUCT = re.compile(
    r"= (conv2d|depthwise_conv2d|transpose_conv2d|fully_connected|batch_matmul)\b.* : float32\["
)


@dataclass
class Placed:
    """A compiled network."""

    name: str
    convolutional: bool
    macs: int
    dla_macs: int
    host: Counter[str]  # operators on the host, each with its reason

    @property
    def share(self) -> float:
        return self.dla_macs / self.macs if self.macs else 0.0


def networks(shared: Path) -> list[Path]:
    return sorted(shared.glob("models/*/*.tflite"))


def placed(file: Path) -> Placed | None:
    """None: refused, or with products of floats, which are the host's."""
    try:
        network = presil.load(file)
        program = presil.compile(network, presil.load_soc("edge"))
    except presil.Refusal:
        return None
    if FLOAT_PRODUCT.search(network.graph.text()):
        return None
    layers = program.info["layers"]
    kinds = {p["op"] for p in program.placement}
    host = [p for p in program.placement if p["engine"] == "host"]
    return Placed(
        file.stem,
        bool(kinds & {"conv2d", "depthwise_conv2d", "transpose_conv2d"}),
        sum(layer["macs"] for layer in layers),
        sum(layer["macs"] for layer in layers if layer["engine"] == "dla"),
        Counter(f"{p['op']}: {p['reason']}" for p in host),
    )


def cells(network: Placed) -> tuple[str, str]:
    """A row of the table: the figures, and the host's operators with their reasons."""
    host = "; ".join(f"{n} x {what}" if n > 1 else what for what, n in network.host.items())
    share = f"{network.macs / 1e6:.2f} M | {100 * network.share:.2f} %"
    return f"| {network.name} | {share} |", host or "none"


def table(shared: Path) -> list[str]:
    lines = ["| network | products | on the DLA | operators on the host |", "|---|---|---|---|"]
    for file in networks(shared):
        network = placed(file)
        if network is not None:
            lines.append(" ".join(cells(network)) + " |")
    return lines


if __name__ == "__main__":
    print("\n".join(table(paths.shared())))
