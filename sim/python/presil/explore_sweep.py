"""SWEEP.yaml: networks, a SoC, the values that its parameters may have, and what is sought.

sim/guides/explore.md has its keys.
"""

from __future__ import annotations

import ast
import hashlib
import itertools
import math
import random
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from .expression import Wrong, evaluate, parse
from .kernel_file import OneOfEach
from .names import described, existing_file, hint, number, one_of
from .nets import bundled, network_file
from .network import SIGNED_INPUTS, without_signs
from .program import EFFORTS
from .refusal import Refusal
from .run_plan import CHECKS
from .shapes import names_shape
from .soc import load_soc
from .soc_parameters import changed

HELP = "sim/guides/explore.md shows one"
KEYS = ("network", "networks", "soc", "set", "constraints", "objectives", "search", "seed")
KEYS += ("numerics", "effort", "check", "values", "input")
OF_A_SEARCH = ("kind", "points", "list", "seed")
KINDS = ("grid", "list", "random", "bayes")
OBJECTIVES = {
    "cycles": 1,
    "inference_cycles": 1,
    "energy_uj": 1,
    "sram_bytes": 1,
    "dram_bytes": 1,
    "frames_per_s": -1,
}
"""What may be sought, and whether less (1) or more (-1) of it is better."""
MOST_POINTS = 100_000
MOST_VALUES = 1000
Point = dict[str, Any]


@dataclass(frozen=True)
class Sweep:
    """What `presil explore` is to do."""

    networks: tuple[str, ...]
    soc: Any
    axes: dict[str, list[Any]]
    constraints: tuple[tuple[str, ast.expr], ...]
    objectives: tuple[str, ...]
    kind: str
    points: int
    listed: tuple[Point, ...]
    seed: int
    options: dict[str, Any]
    """Of `presil.compile` and `presil.run`, alike for all points."""

    def sets(self) -> list[Point]:
        """The settings that are known beforehand; a Bayesian search asks for its own."""
        if self.kind == "list":
            return list(self.listed)
        grid = math.prod(len(values) for values in self.axes.values())
        if self.kind == "grid":
            return [self.at(index) for index in range(grid)]
        chosen = random.Random(self.seed).sample(range(grid), min(self.points, grid))
        return [self.at(index) for index in chosen]

    def at(self, index: int) -> Point:
        """A setting of the grid; the last parameter changes first."""
        point: Point = {}
        for name, values in reversed(self.axes.items()):
            index, which = divmod(index, len(values))
            point[name] = values[which]
        return {name: point[name] for name in self.axes}


def sweep_of(given: Any) -> Sweep:
    """Of a file's name or a mapping as the file has it."""
    where, folder = "sweep", Path()
    if isinstance(given, Sweep):
        return given
    if isinstance(given, (str, Path)):
        path = existing_file(given, "sweep", HELP)
        where, folder = f"sweep '{given}'", path.parent
        given = read_yaml(path, where, HELP)
    known_keys(given, KEYS, where, HELP, "`network`")
    networks = networks_of(given, where, folder)
    options = options_of(given, where, folder)
    base = given.get("soc", "edge")
    if isinstance(base, str) and (folder / base).is_file():
        base = str(folder / base)
    soc = load_soc(base)
    search = given.get("search", {"kind": "grid"})
    known_keys(search, OF_A_SEARCH, f"{where}: search", HELP, "`kind`")
    kind = one_of(search.get("kind", "grid"), KINDS, f"{where}: search: kind")
    axes = axes_of(given.get("set"), where) if kind != "list" else {}
    listed = listed_of(search.get("list"), where) if kind == "list" else ()
    for name in dict.fromkeys([*axes, *(name for point in listed for name in point)]):
        if name not in soc.config:
            raise Refusal(
                f"{where}: set has '{name}'{hint(name, soc.config)}, must be a parameter of the "
                "SoC; `presil socs edge` lists them"
            )
    size = math.prod(len(values) for values in axes.values())
    if kind == "grid" and size > MOST_POINTS:
        raise Refusal(
            f"{where}: set makes a grid of {size:,} points, must be at most {MOST_POINTS:,}; give "
            "fewer values, or search: {kind: random, points: 1000}"
        )
    points = search.get("points", 100)
    limits = f", must be a whole number from 1 to {MOST_POINTS}"
    number(points, 1, MOST_POINTS, f"{where}: search: points", limits, whole=True)
    seed = search.get("seed", given.get("seed", 0))
    number(seed, 0, 2**32, f"{where}: seed", ", must be a whole number from 0 on", whole=True)
    texts = texts_of(given, "constraints", where)
    constraints = tuple(constraint_of(text, where) for text in texts)
    objectives = tuple(
        one_of(name, OBJECTIVES, f"{where}: an objective")
        for name in texts_of(given, "objectives", where) or ["cycles"]
    )
    return Sweep(networks, soc, axes, constraints, objectives, kind, points, listed, seed, options)


def read_yaml(path: Path, where: str, help_text: str) -> Any:
    try:
        return yaml.load(path.read_text(encoding="utf-8"), OneOfEach)  # noqa: S506
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        said = " ".join(str(error).split())
        raise Refusal(f"{where}: is no YAML: {said}; {help_text}") from None


def known_keys(given: Any, known: tuple[str, ...], where: str, help_text: str, need: str) -> None:
    if not isinstance(given, Mapping):
        raise Refusal(f"{where}: is {described(given)}, must be a mapping with {need}; {help_text}")
    for key in given:
        if key not in known:
            raise Refusal(
                f"{where}: has a key '{key}'{hint(str(key), known)}, must be one of "
                f"{', '.join(known)}; {help_text}"
            )


def networks_of(given: Mapping[str, Any], where: str, folder: Path) -> tuple[str, ...]:
    names = given.get("networks", [given["network"]] if "network" in given else None)
    if not isinstance(names, list) or not names or not all(isinstance(n, str) for n in names):
        raise Refusal(f"{where}: network is {described(names)}, must be the name of a file; {HELP}")
    return tuple(beside(name, folder) for name in names)


def beside(name: str, folder: Path) -> str:
    """A network of the project by its name, or a file beside the YAML file."""
    known = bundled(name) is not None or names_shape(name)
    if known and not (folder / name).is_file():
        return name
    return located(str((folder / name).absolute()))


def located(name: str) -> str:
    """The file of a network, with what may stand after it (`presil.load`)."""
    plain, signed = without_signs(name)
    return str(network_file(plain)) + (SIGNED_INPUTS if signed else "")


def network_digest(located: str) -> str:
    """Of a file and of how its inputs are read."""
    plain, signed = without_signs(located)
    return digest_of(plain) + (SIGNED_INPUTS if signed else "")


def options_of(given: Mapping[str, Any], where: str, folder: Path) -> dict[str, Any]:
    options = {key: given[key] for key in ("numerics", "effort", "check") if key in given}
    if "effort" in options and options["effort"] not in EFFORTS:
        raise Refusal(f"{where}: effort is {described(options['effort'])}, must be 0 to 3")
    if "check" in options:
        one_of(options["check"], CHECKS, f"{where}: check")
    values = given.get("values", True)
    if not isinstance(values, bool):
        raise Refusal(f"{where}: values is {described(values)}, must be on or off")
    if not values:
        if options.get("check", "none") != "none":
            raise Refusal(f"{where}: check is '{options['check']}', with values off must be none")
        options["values"] = False
    if "input" in given:
        path = existing_file(folder / str(given["input"]), f"{where}: input", "give an .npy file")
        options["input"] = str(path.absolute())
    return options


def axes_of(given: Any, where: str) -> dict[str, list[Any]]:
    if not isinstance(given, Mapping) or not given:
        raise Refusal(
            f"{where}: set is {described(given)}, must be parameters with their values, as "
            f"dla.macs_k: [16, 32]; {HELP}"
        )
    axes = {}
    for name, values in given.items():
        values = values if isinstance(values, list) else [values]
        if not values or len(values) > MOST_VALUES:
            raise Refusal(
                f"{where}: set: {name} has {len(values)} values, must be 1 to {MOST_VALUES}"
            )
        for value in values:
            scalar(value, f"{where}: set: {name}")
        axes[str(name)] = list(dict.fromkeys(values))
    return axes


def listed_of(given: Any, where: str) -> tuple[Point, ...]:
    if not isinstance(given, list) or not given:
        raise Refusal(
            f"{where}: search: list is {described(given)}, must be settings, as "
            "[{dla.macs_k: 32}, {dram.peak_mb_per_s: 25600}]"
        )
    for point in given:
        if not isinstance(point, Mapping):
            raise Refusal(f"{where}: search: list has {described(point)}, must be mappings")
        for name, value in point.items():
            scalar(value, f"{where}: search: list: {name}")
    return tuple(dict(point) for point in given)


def scalar(value: Any, subject: str) -> None:
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        raise Refusal(f"{subject} is {described(value)}, must be numbers or names")


def texts_of(given: Mapping[str, Any], key: str, where: str) -> list[str]:
    texts = given.get(key, [])
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
        raise Refusal(f"{where}: {key} is {described(texts)}, must be a list of texts; {HELP}")
    return list(texts)


def constraint_of(text: str, where: str) -> tuple[str, ast.expr]:
    try:
        return text, parse(text)
    except Wrong as wrong:
        raise Refusal(
            f"{where}: the constraint '{text}' has {wrong}, must be as sram.bytes <= 1048576"
        ) from None


def nested(flat: Mapping[str, Any]) -> dict[str, Any]:
    """{"sram.bytes": 1} as {"sram": {"bytes": 1}}."""
    tree: dict[str, Any] = {}
    for name, value in flat.items():
        at = tree
        *groups, last = name.split(".")
        for group in groups:
            at = at.setdefault(group, {})
            if not isinstance(at, dict):
                break
        if isinstance(at, dict):
            at[last] = value
    return tree


def broken(
    constraints: tuple[tuple[str, ast.expr], ...], names: Mapping[str, Any], known: set[str]
) -> str | None:
    """The first constraint that does not hold; those that name what is not known yet hold."""
    for text, tree in constraints:
        used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
        if used & known - set(names):
            continue
        try:
            if not evaluate(tree, names):
                return text
        except (Wrong, ArithmeticError, TypeError, ValueError) as wrong:
            raise Refusal(f"sweep: the constraint '{text}' has no value: {wrong}") from None
    return None


def soc_at(sweep: Sweep, point: Point) -> Any:
    """The SoC of a setting; a Refusal where it is none."""
    return changed(sweep.soc, [(name, str(value)) for name, value in point.items()])


def all_points(sweep: Sweep) -> list[tuple[str, Point]]:
    return list(itertools.product(sweep.networks, sweep.sets()))


def digest_of(file: str) -> str:
    return hashlib.sha256(Path(file).read_bytes()).hexdigest()
