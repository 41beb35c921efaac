"""report.html: one file that shows runs, offline. Numbers come from run.json, images from the
files that it names beside it; plots are drawn in the page by D3."""

from __future__ import annotations

import base64
import json
from collections import Counter
from pathlib import Path
from typing import Any

from jinja2 import UndefinedError

from .. import paths
from ..atomic import write_file
from ..cosim_table import causes_text, cosim_origins, cosim_sentence, cosim_word
from ..deviations import differs_from
from ..inference import part_rows
from ..layers_table import size, stalls
from ..refusal import Refusal
from ..table import check_sentence, tile_lines, values_sentence
from . import palette
from .compared import comparison, inferences_per_s, labels_of, moved, soc_label
from .kernels import blocks_of, functions_of, rows_of
from .layer_blocks import network_blocks
from .layers import layer_view
from .matched import worked
from .page import template

HERE = Path(__file__).parent
SCRIPTS = ("base.js", "colours.js", "memory.js", "timeline.js", "stacks.js", "roofline.js")
SCRIPTS += ("data.js", "compare.js", "tables.js", "start.js")
MIME = {".png": "image/png", ".jpg": "image/jpeg"}
DIVERGENCE = ("block", "stage", "layer", "tile", "index", "tag", "address", "model", "rtl")
DIVERGENCE += ("model_cycle", "rtl_cycle", "command")
PLOTTED = ("cycles", "samples", "soc", "network", "engines", "layers", "timeline", "memory", "sram")
PLOTTED += ("data_time",)
HOTTEST = 3
"""Basic blocks of a kernel that the page shows."""


def write_report(runs: list[tuple[dict[str, Any], Path]], file: Path) -> Path:
    """runs: records with their folders."""
    return write_file(file, html_of(runs))


def html_of(runs: list[tuple[dict[str, Any], Path]]) -> str:
    """The page. Refuses where D3, a Debian package, is missing; KeyError: a record lacks a part."""
    if not paths.D3.is_file():
        raise Refusal(f"report: HTML needs D3 at '{paths.D3}'; install the Debian package libjs-d3")
    labels = labels_of(runs)
    views = [run_view(r, folder, label) for (r, folder), label in zip(runs, labels, strict=True)]
    together = together_view(runs) if len(runs) > 1 else None
    try:
        return template(
            "report.html", size=size, n=lambda value: f"{value:,.0f}", causes=causes_text
        ).render(
            runs=views,
            together=together,
            followed=followed(views),
            title=" · ".join(dict.fromkeys(view["title"] for view in views)),
            css=(HERE / "report.css").read_text(encoding="utf-8")
            + dots([record for record, _ in runs]),
            palette=script_json(palette_of([record for record, _ in runs])),
            d3=paths.D3.read_text(encoding="utf-8"),
            scripts=[(HERE / name).read_text(encoding="utf-8") for name in SCRIPTS],
        )
    except UndefinedError as error:
        raise KeyError(str(error)) from error


def dots(records: list[dict[str, Any]]) -> str:
    """CSS: the engines' colours in tables, of those from outside too."""
    layers = {layer["engine"] for record in records for layer in record["layers"]}
    names = dict.fromkeys([*palette.ENGINES, *sorted(layers)])
    return "".join(f".dot.{name} {{ background: {palette.colour_of(name)}; }}\n" for name in names)


def palette_of(records: list[dict[str, Any]]) -> dict[str, Any]:
    """Colours of every fixed name, of whatever else the records name, and of runs side by side."""
    names: set[str] = set()
    for record in records:
        engines = [e for e in record["engines"].values() if e]
        kernels = (record.get("dsp") or {}).get("kernels", [])
        channels = [c for e in engines for c in e.get("channels", [])]
        for part in (*engines, *channels, *kernels, *record["layers"]):
            names.update(part["stall"], part.get("limits") or ())
        names.update(layer["engine"] for layer in record["layers"])
        names.update(layer["bound"] for layer in record["layers"])
    return {**palette.table(names), "runs": list(palette.RUNS)}


def tiles_view(record: dict[str, Any]) -> dict[str, Any] | None:
    """Of a run over several tiles: a row for each."""
    if "tiles" not in record:
        return None
    cycles, each = record["cycles"] or 1, record["tiles"]["each"]
    names = dict.fromkeys(name for tile in each for name in tile["engines"])
    rows = [
        {
            "tile": tile["tile"],
            "samples": len(tile["samples"]),
            "each": sum(tile["cycles"]) / len(tile["cycles"]) if tile["cycles"] else None,
            "alone": tile["alone_cycles"],
            "busy": tile["busy_cycles"] / cycles,
            "engines": [
                tile["engines"][name]["busy"] / cycles if name in tile["engines"] else None
                for name in names
            ],
            "read_bytes": tile["dram"]["read_bytes"],
            "written_bytes": tile["dram"]["written_bytes"],
            "waits": tile["dram"]["waited_for_tiles"] / max(1, tile["dram"]["reads"]),
        }
        for tile in each
    ]
    return {"lines": tile_lines(record), "engines": list(names), "rows": rows}


def together_view(runs: list[tuple[dict[str, Any], Path]]) -> dict[str, Any]:
    """The comparison, and what of it is drawn."""
    view = comparison(runs)
    drawn = [
        {
            "name": layer["name"],
            "cells": [
                cell and {key: cell[key] for key in ("cycles", "us", "bound")}
                for cell in layer["cells"]
            ],
        }
        for layer in view["layers"]
    ]
    return {**view, "data": script_json({"runs": view["runs"], "layers": drawn})}


def run_view(record: dict[str, Any], folder: Path, label: str) -> dict[str, Any]:
    """What the template asks for, besides the record itself. label: of the run on its page."""
    check = record["check"]
    unchecked = check["level"] == "none" and check["golden"] is None
    state = "unchecked" if unchecked else "exact" if check["exact"] else "differs"
    word = {"exact": "Exact", "differs": "Differs", "unchecked": "Not checked"}[state]
    if state == "exact" and check.get("unchecked"):  # custom operators without reference
        word = "Exact but for what is not checked" if check["compared_bytes"] else "Not checked"
        state = "unchecked"
    elif state == "exact" and differs_from(check):
        word = f"Exact to the reference; differs from {differs_from(check)}"
    layers = worked(record["layers"])
    config = record["soc"]["config"]
    plotted = {key: record[key] for key in PLOTTED if key in record}
    kernels = (record.get("dsp") or {}).get("kernels", [])
    plotted["kernels"] = [{key: k[key] for key in ("name", "busy", "stall")} for k in kernels]
    sentence = "Run with --check none" if unchecked else check_sentence(record)
    if "values" in record:
        word, sentence = "Values off", values_sentence(record)
    return {
        "record": record,
        "label": label,
        "title": title_of(record, label),
        "of": title_of(record, soc_label(record)),
        "state": state,
        "word": word,
        "sentence": sentence[:1].upper() + sentence[1:],
        "per_sample": record["cycles"] / record["samples"],
        "tiles": tiles_view(record),
        "inference": part_rows(record),
        "inferences_per_s": inferences_per_s(record),
        "moved": moved(record) / record["samples"],
        "peak_macs": config.get("dla.units", 1)
        * config.get("dla.macs_k", 0)
        * config.get("dla.macs_c", 0),
        "peak_bytes": config.get("dram.peak_mb_per_s", 0) / record["soc"]["clock_mhz"],
        "has_limits": bool(layers) and all(layer.get("limits") for layer in layers),
        "has_facts": any("ideal_cycles" in layer for layer in layers),
        "engines": Counter(p["engine"] for p in record["placement"]),
        "layers": (viewed := [layer_view(layer) for layer in layers]),
        "blocks": network_blocks(viewed),
        "data_layers": [data_view(layer) for layer in record.get("data_time") or []],
        "limits": ", ".join(f"{la['score']:.3g}" for la in record.get("data_time") or []),
        "pictures": [inlined(p, folder) for p in record.get("pictures") or []],
        "pictures_note": images_note(record.get("pictures") or [], record["samples"]),
        "kernels": [kernel_view(kernel) for kernel in kernels],
        "cosim": cosim_view(record["cosim"]) if "cosim" in record else None,
        "data": script_json(plotted),
    }


def title_of(record: dict[str, Any], label: str) -> str:
    """The network and the run's label, which may begin with the network already."""
    network = Path(record["network"]["file"])
    on = f"{network.stem} on "
    return f"{network.name} on {label.removeprefix(on)}"


def kernel_view(kernel: dict[str, Any]) -> dict[str, Any]:
    """With functions and hottest basic blocks, where the run has a profile."""
    cycles = kernel["cycles"] or 1
    profile = kernel["profile"]
    rows = rows_of(profile) if profile else []
    for row in rows:
        row["share"] = 100 * row["cycles"] / cycles
        row["waits"] = stalls(row["stall"], row["cycles"] or 1)
    blocks = blocks_of(profile, rows)[:HOTTEST] if profile else []
    functions = [(name, 100 * of / cycles) for name, of in functions_of(rows)]
    return {**kernel, "functions": functions, "blocks": blocks, "of": cycles}


def span(values: list[int | None]) -> str:
    """From the least to the most of what is known."""
    known = [value for value in values if value is not None]
    if not known:
        return "–"
    low, high = f"{min(known):,}", f"{max(known):,}"
    return low if low == high else f"{low} to {high}"


def data_view(layer: dict[str, Any]) -> dict[str, Any]:
    """A layer whose time follows the data, over the samples of a run."""
    spans = {
        key: span([sample[key] for sample in layer["samples"]])
        for key in ("candidates", "stayed", "cycles")
    }
    return {**layer, **spans, "points": len(layer["samples"])}


def followed(runs: list[dict[str, Any]]) -> dict[str, bool]:
    """What a page of several runs shows of such layers together: anything, and over score limits,
    where the same layer ran with several."""
    limits: dict[tuple[str, str], set[float]] = {}
    for run in runs:
        for layer in run["data_layers"]:
            limits.setdefault((run["of"], layer["name"]), set()).add(layer["score"])
    several = sum(1 for run in runs if run["data_layers"]) > 1
    return {"any": several, "limits": several and any(len(of) > 1 for of in limits.values())}


def cosim_view(cosim: dict[str, Any]) -> dict[str, Any]:
    word = cosim_word(cosim)
    states = {"agrees": "exact", "same values, other cycles": "unchecked"}
    return {
        "state": states.get(word, "differs"),
        "word": word[:1].upper() + word[1:],
        "sentence": cosim_sentence(cosim),
        "origins": cosim_origins(cosim),
        "facts": divergence_facts(cosim["first_divergence"] or {}),
    }


def divergence_facts(divergence: dict[str, Any]) -> list[tuple[str, Any]]:
    """What is known of it, by name."""
    known = {key: divergence[key] for key in DIVERGENCE if divergence.get(key) is not None}
    if "address" in known:
        known["address"] = f"0x{known['address']:x}"
    return [(key.replace("rtl", "RTL").replace("_", " "), value) for key, value in known.items()]


def script_json(value: Any) -> str:
    """JSON that cannot end the script element it stands in."""
    return json.dumps(value, separators=(",", ":")).replace("<", "\\u003c")


def images_note(images: list[dict[str, Any]], samples: int) -> str:
    """What the images of a run show."""
    every = "The input as the network got it"
    seen = every if samples == 1 else f"{len(images)} of {samples} inputs"
    if any("boxes" in p for p in images):
        return f"{seen}, with the boxes it found, class and score."
    if any("top" in p for p in images):
        return f"{seen}, with its best classes and their values."
    return f"{seen}."


def inlined(image: dict[str, Any], folder: Path) -> dict[str, Any]:
    """An image with its bytes as an address (without, where the file is gone), and its answers."""
    top = [{**c, "share": max(c["score"], 0.0)} for c in image.get("top") or []]
    most = max((c["share"] for c in top), default=0.0) or 1.0
    answers = {
        "boxes": image.get("boxes"),
        "top": [{**c, "share": c["share"] / most} for c in top],
    }
    file = folder / image["file"]
    if not file.is_file():
        return {**image, **answers, "address": None}
    data = base64.b64encode(file.read_bytes()).decode()
    return {**image, **answers, "address": f"data:{MIME[file.suffix]};base64,{data}"}
