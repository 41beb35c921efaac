"""What Python adds to the types of the native module: pickling, copying, and how they show."""

from __future__ import annotations

import copyreg
from collections.abc import Sequence
from typing import Any

from . import paths
from .engines import notes_of
from .soc_parameters import of_text

PER_KIB = 1024


def extend(native: Any) -> None:
    """Called once, when the module is loaded."""
    copyreg.pickle(native.Soc, reduced_soc)
    copyreg.pickle(native.Graph, reduced_graph)
    native.Soc.__repr__ = soc_text
    native.Graph.__repr__ = graph_text


def reduced_soc(soc: Any) -> tuple[Any, ...]:
    extra = dict(getattr(soc, "__dict__", {}))
    return soc_of, (soc.name, soc.complete_text, extra, notes_of(soc))


def soc_of(name: str, text: str, extra: dict[str, Any], engines: Sequence[str] = ()) -> Any:
    """engines: from outside, that another process may not have loaded."""
    for note in engines:
        paths.native().load_engine(note, [])
    soc = of_text(name, text)
    for key, value in extra.items():
        soc.__dict__[key] = value
    return soc


def reduced_graph(graph: Any) -> tuple[Any, ...]:
    return graph_of, (graph.to_bytes(),)


def graph_of(data: bytes) -> Any:
    return paths.native().graph_of_bytes(data)


def soc_text(soc: Any) -> str:
    """'Soc edge: 1000 MHz, DLA 16 x 16 = 256 MAC/cycle, ...', the parameters in `config`."""
    config = soc.config
    dsp = f"DSP VLEN {config['dsp.vlen']}" if config["dsp.units"] else "no DSP"
    units, rows, lanes = (int(config[f"dla.{name}"]) for name in ("units", "macs_k", "macs_c"))
    dla = f"DLA {rows} x {lanes}" if units == 1 else f"{units} DLAs of {rows} x {lanes}"
    return (
        f"Soc {getattr(soc, 'label', soc.name)}: {soc.clock_mhz} MHz, {dla} = "
        f"{soc.macs_per_cycle} MAC/cycle, {dsp}, "
        f"{soc.dma_channels} DMA channels, SRAM {config['sram.bytes'] // PER_KIB:,} KiB, "
        f"DRAM {config['dram.peak_mb_per_s']:,} MB/s; all {len(config)} parameters in .config"
    )


def graph_text(graph: Any) -> str:
    return f"Graph {graph.name}: {len(graph.ops)} operators, numerics {graph.numerics}"
