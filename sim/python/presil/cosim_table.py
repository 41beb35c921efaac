"""The console view of RTL against its models."""

from __future__ import annotations

from typing import Any

from rich.console import Console
from rich.text import Text

from .fit import Cell, Column, print_table
from .layers_table import COSTLIEST, MANY, number
from .table import check_sentence, print_title, verdict

COLUMNS = (
    Column("#", right=True, style="dim"),
    Column("layer", least=16),
    Column("op", least=12, between="+", drop=1),
    Column("model", right=True),
    Column("RTL", right=True),
    Column("error", right=True),
    Column("RTL less model", least=16, drop=2),
)


def cosim_sentence(cosim: dict[str, Any]) -> str:
    """What came out of RTL against model, in one line."""
    blocks = ", ".join(cosim["blocks"])
    divergence = cosim["first_divergence"]
    if divergence is not None:
        return str(divergence["text"])
    bands = cosim["bands"]
    outside = [layer["name"] for layer in cosim["layers"] if not layer["within_band"]]
    said = (
        f"{blocks} in lock-step: {number(cosim['model_cycles'])} cycles by the model, "
        f"{number(cosim['rtl_cycles'])} by the RTL, error {cosim['error_percent']:+.3f}%"
    )
    if outside:
        said += (
            f"; outside max({bands['layer_percent']:g}%, {bands['layer_cycles']} cycles): "
            + names_of(outside)
        )
    elif not cosim["within_bands"]:
        said += f"; outside {bands['network_percent']:g}%"
    return said


def cosim_word(cosim: dict[str, Any]) -> str:
    if cosim["first_divergence"] is not None:
        return "diverges"
    if not cosim["exact"]:
        return "differs"
    return "agrees" if cosim["within_bands"] else "same values, other cycles"


def cosim_verdict(cosim: dict[str, Any]) -> Text:
    word = cosim_word(cosim)
    styles = {"agrees": "bold green", "same values, other cycles": "bold yellow"}
    return Text(f"{word.upper()}  {cosim_sentence(cosim)}", style=styles.get(word, "bold red"))


def cause_items(causes: dict[str, int], most: int | None = None) -> list[str]:
    """Differences in cycles, the largest first."""
    ranked = sorted(causes.items(), key=lambda item: -abs(item[1]))
    return [f"{cause.replace('_', ' ')} {n:+,}" for cause, n in ranked[:most]]


def causes_text(causes: dict[str, int], most: int | None = None) -> str:
    return ", ".join(cause_items(causes, most))


def cosim_origins(cosim: dict[str, Any]) -> list[str]:
    """By engine: what the difference of the cycles consists of."""
    return [
        f"{engine}, RTL less model: {causes_text(causes)}"
        for engine, causes in cosim["causes"].items()
        if causes
    ]


def layer_row(layer: dict[str, Any]) -> list[Cell]:
    error = f"{layer['error_percent']:+.2f}%" if layer["error_percent"] else "0%"
    return [
        str(layer["index"]),
        layer["name"],
        layer["op"].split("+"),
        number(layer["model_cycles"]),
        number(layer["rtl_cycles"]),
        Text(error, style="" if layer["within_band"] else "bold red"),
        cause_items(layer["causes"], 3),
    ]


def print_layers(out: Console, layers: list[dict[str, Any]], every: bool = False) -> None:
    """Cycles of each layer on model and RTL, and the causes of the difference; of many those that
    differ most, outside the bands first."""
    if every or len(layers) <= MANY:
        print_table(out, COLUMNS, [layer_row(layer) for layer in layers])
        return

    def rank(layer: dict[str, Any]) -> tuple[bool, int]:
        return layer["within_band"], -abs(layer["rtl_cycles"] - layer["model_cycles"])

    ranked = sorted(layers, key=rank)[:COSTLIEST]
    print_table(out, COLUMNS, [layer_row(layer) for layer in ranked])
    outside = sum(not layer["within_band"] for layer in layers)
    out.print()
    out.print(
        f"the {len(ranked)} of {len(layers)} layers that differ most, {outside} of all outside "
        "the bands; --layers shows every one"
    )


def names_of(layers: list[str]) -> str:
    more = f" and {len(layers) - COSTLIEST} more" if len(layers) > COSTLIEST else ""
    return ", ".join(layers[:COSTLIEST]) + more


def print_cosim(
    out: Console, record: dict[str, Any], brief: bool = False, every_layer: bool = False
) -> None:
    """brief: the verdict alone; every_layer: also of a network of many."""
    cosim = record["cosim"]
    if not brief:
        print_title(out, record)
        if cosim["layers"]:
            print_layers(out, cosim["layers"], every_layer)
            out.print()
        for line in cosim_origins(cosim):
            out.print(Text(line), highlight=False)
    divergence = cosim["first_divergence"]
    if divergence is None:
        out.print(verdict(record, check_sentence(record)))
    out.print(cosim_verdict(cosim))
    if divergence is not None and divergence["command"] is not None and not brief:
        said = f"{divergence['block']} command {divergence['index']}: {divergence['command']}"
        out.print(Text(said), highlight=False)
