"""TIR functions as kernels of the DSP, and schedules of them tuned by simulated cycles.

file = presil.tvm.compile_kernel(func, "matmul", reference="reference.py:matmul")
mod = presil.tvm.partition_for_presil(mod, kernels=file)  # call_tir or call_dps_packed "matmul"

space = {"rows": [2, 4, 6], "lmul": [2, 4]}
tuned = presil.tvm.tune_kernel(make, space, "matmul", reference="reference.py:matmul")
"""

from __future__ import annotations

import itertools
import math
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import yaml

from .. import paths
from ..atomic import write_file
from ..builder import Builder
from ..graph_builder import Type
from ..kernel_file import read_kernels
from ..names import number
from ..program import compile as compile_network
from ..refusal import HardwareError, Refusal
from ..run import run
from ..soc import load_soc
from .dsp_source import Operand, operands_of, source_of

BUILD = paths.ROOT / "driver" / "kernels" / "dsp" / "build.py"
EXTENSIONS = "rv64imfc_zicsr_zicntr_zba_zbb_zve32f_zvl{vlen}b"
LMUL = (1, 2, 4, 8)
LONG = 1_000_000_000
"""Cycles that a kernel may take when it is measured."""


@dataclass(frozen=True)
class TunedKernel:
    """file: the registration of the fastest. chosen: its choices. cycles: of its layer, simulated.
    trials: (choices, cycles or the reason why there are none), in their order."""

    file: Path
    chosen: dict[str, Any]
    cycles: int
    trials: list[tuple[dict[str, Any], int | str]] = field(repr=False)


def compile_kernel(
    func: Any,
    name: str,
    folder: str | Path = ".",
    *,
    outputs: int = 1,
    soc: Any = "edge",
    set: Any = (),  # noqa: A002  as the command line has it
    lmul: int = 4,
    contract: bool = False,
    reference: str = "",
) -> Path:
    """Writes NAME.c, NAME.elf and NAME.yaml, which registers it: the custom operator `name`.

    func: a PrimFunc of dense tensors, scheduled; its last `outputs` parameters are results.
    soc, set: whose DSP it is for; under another VLEN it refuses the job. Its cycles are measured
      there, on random values, and are those of the registration.
    lmul: vector registers that clang puts together. contract: whether a * b + c is rounded once.
    reference: FILE.py:FUNCTION beside NAME.yaml, numpy arrays to results; checks compare with it.
    Requires clang-19 and lld-19.
    """
    config = load_soc(soc, set)
    file = built(func, name, Path(folder), outputs, vlen_of(config), lmul, contract, reference)
    register(file, name, operands_of(func, name)[-outputs:], reference, LONG)
    cycles = measured(func, name, file, outputs, config, bool(reference))
    register(file, name, operands_of(func, name)[-outputs:], reference, cycles)
    return file


def tune_kernel(
    make: Callable[..., Any],
    space: Mapping[str, Sequence[Any]],
    name: str,
    folder: str | Path = ".",
    *,
    reference: str,
    trials: int = 64,
    seed: int = 0,
    soc: Any = "edge",
    **how: Any,
) -> TunedKernel:
    """The fastest of the schedules that `make` gives, by simulated cycles.

    make: choices by name to a PrimFunc. space: what each may be; "lmul" is the compiler's, and not
      told to `make`. All combinations where they are no more than `trials`, else Optuna proposes.
    Every candidate is compared with the reference: a wrong one is refused, and listed. What neither
    TVM nor clang takes, or does not end, is listed with the reason.
    how: as of `compile_kernel`.
    """
    number(trials, 1, 100_000, "tvm: tune_kernel: trials", ", must be 1 to 100000", whole=True)
    if not reference:
        raise Refusal("tvm: tune_kernel requires a reference, so that no wrong kernel is fast")
    keys = list(space)
    if not keys or not all(len(space[key]) for key in keys):
        raise Refusal("tvm: tune_kernel: space is empty, must have choices for one name at least")
    done: list[tuple[dict[str, Any], int | str]] = []

    def compiled(chosen: dict[str, Any], where: str | Path) -> Path:
        own = {key: value for key, value in chosen.items() if key != "lmul"}
        compiler = {key: value for key, value in chosen.items() if key == "lmul"}
        func = make(**own)
        return compile_kernel(
            func, name, where, soc=soc, reference=reference, **{**how, **compiler}
        )

    def attempt(chosen: dict[str, Any]) -> int | None:
        known = next((result for before, result in done if before == chosen), None)
        if known is None:
            try:
                with tempfile.TemporaryDirectory() as spare:
                    copy_reference(Path(folder), reference, Path(spare))
                    known = int(read_kernels(compiled(chosen, spare))[0].cycles or 0)
            except (Refusal, HardwareError) as refused:
                known = str(refused)
            done.append((chosen, known))
        return known if isinstance(known, int) else None

    if math.prod(len(space[key]) for key in keys) <= trials:
        for values in itertools.product(*(space[key] for key in keys)):
            attempt(dict(zip(keys, values, strict=True)))
    else:
        propose(attempt, space, trials, seed)
    fast = [(result, k) for k, (_, result) in enumerate(done) if isinstance(result, int)]
    if not fast:
        raise Refusal(f"tvm: tune_kernel: none of {len(done)} candidates runs; first: {done[0][1]}")
    cycles, best = min(fast)
    chosen = done[best][0]
    return TunedKernel(compiled(chosen, folder), chosen, cycles, done)


def propose(
    attempt: Callable[[dict[str, Any]], int | None],
    space: Mapping[str, Sequence[Any]],
    trials: int,
    seed: int,
) -> None:
    """Optuna's tree-structured Parzen estimator over indices of choices."""
    import optuna

    optuna.logging.set_verbosity(optuna.logging.ERROR)
    study = optuna.create_study(sampler=optuna.samplers.TPESampler(seed=seed))
    for _ in range(trials):
        trial = study.ask()
        chosen = {
            key: values[trial.suggest_categorical(key, range(len(values)))]
            for key, values in space.items()
        }
        cycles = attempt(chosen)
        if cycles is None:
            study.tell(trial, state=optuna.trial.TrialState.FAIL)
        else:
            study.tell(trial, cycles)


def vlen_of(config: Any) -> int:
    settings = config.config
    if not settings["dsp.units"]:
        raise Refusal(f"tvm: {config.name} has no DSP (dsp.units is 0); name a SoC that has one")
    return int(settings["dsp.vlen"])


def built(  # noqa: PLR0913
    func: Any,
    name: str,
    folder: Path,
    outputs: int,
    vlen: int,
    lmul: int,
    contract: bool,
    reference: str,
) -> Path:
    """NAME.c and NAME.elf in `folder`. @return NAME.yaml, not written yet"""
    if lmul not in LMUL:
        raise Refusal(f"tvm: lmul is {lmul!r}, must be one of {', '.join(map(str, LMUL))}")
    if not BUILD.is_file():
        raise Refusal(f"tvm: kernels are built in a checkout of presil: there is no '{BUILD}'")
    folder.mkdir(parents=True, exist_ok=True)
    source, elf = folder / f"{name}.c", folder / f"{name}.elf"
    write_file(source, source_of(func, name, outputs, vlen))
    options = ["-mrvv-vector-bits=zvl", "-mllvm", f"-riscv-v-register-bit-width-lmul={lmul}"]
    options += ["-fno-unroll-loops"]  # TVM has unrolled what its schedule says
    options += ["-ffp-contract=fast"] if contract else []
    command = [sys.executable, str(BUILD), str(source), "-o", str(elf)]
    command += ["--march", EXTENSIONS.format(vlen=vlen), *(f"--option={o}" for o in options)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise Refusal(f"tvm: kernel '{name}' is not built: {last_error(done.stderr)}")
    return folder / f"{name}.yaml"


def last_error(said: str) -> str:
    errors = [line for line in said.splitlines() if "error:" in line or line.startswith("build.py")]
    return errors[0] if errors else said.strip()[-400:]


def register(
    file: Path, name: str, results: Sequence[Operand], reference: str, cycles: int
) -> None:
    entry: dict[str, Any] = {
        "elf": f"{name}.elf",
        "kernel": name,
        "custom": name,
        "outputs": [f"{one.dtype} {list(one.shape)}" for one in results],
        "cycles": cycles,
    }
    if reference:
        entry["reference"] = reference
    write_file(file, yaml.safe_dump([entry], sort_keys=False))


def copy_reference(folder: Path, reference: str, into: Path) -> None:
    source = folder / reference.rpartition(":")[0]
    if not source.is_file():
        raise Refusal(f"tvm: tune_kernel: there is no '{source}' for the reference '{reference}'")
    (into / source.name).write_bytes(source.read_bytes())


def measured(func: Any, name: str, file: Path, outputs: int, config: Any, checked: bool) -> int:
    """Cycles of the layer on `config`, for random values; refused where they are wrong."""
    operands = operands_of(func, name)
    rng = np.random.default_rng(0)
    builder = Builder(name)
    inputs, values = [], []
    for one in operands[:-outputs]:
        inputs.append(builder.input(one.name, one.shape, one.dtype))
        if one.dtype == "float32":
            values.append(rng.standard_normal(one.shape).astype(np.float32))
        else:
            about = np.iinfo(one.dtype)
            values.append(rng.integers(about.min, about.max, one.shape, one.dtype, endpoint=True))
    made = builder.custom(
        name, inputs, [Type(one.dtype, shape=one.shape) for one in operands[-outputs:]]
    )
    builder.output(*made) if isinstance(made, (list, tuple)) else builder.output(made)
    program = compile_network(builder.build(), config, kernels=read_kernels(file))
    done = run(program, values, check="layers" if checked else "none")
    if checked and not done.exact:
        raise Refusal(f"tvm: kernel '{name}' computes other values than its reference")
    return sum(int(row["cycles"]) for row in done.layers if row["engine"] == "dsp")
