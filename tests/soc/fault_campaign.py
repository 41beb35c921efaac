"""Random faults in jobs, one a job: each ends exact or as an error that names queue, command or
address, and the job after it is exact.

Run by hand it prints a table; `--write` writes sim/faults/MEASURED.md:

    PYTHONPATH=sim/python tests/soc/fault_campaign.py --count 5000
"""

from __future__ import annotations

import argparse
import re
import signal
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np
import presil
from presil import paths
from presil.faults import KINDS, Fault, random_faults
from presil.refusal import HardwareError
from presil.simulation import Simulation

ROOT = Path(__file__).resolve().parents[2]
DIGITS = ROOT / "sim/nets/digits"
PLACE = re.compile(
    r"(dla|dsp|dma\d|host)[a-z0-9]* (command \d+|has )|in the job entry|"
    r"^host (m\d+|rv64|aarch64): the firmware .* in '|^sync: |the SoC has been reset|"
    r"^driver: an interrupt line|^host: (command|output)"
)
"""What an error must name: a command of a queue, a register, an address that the host reads."""
AGAIN = re.compile(r"open it again|load (it|the network) again|cannot correct")
"""What an error says of a driver or a network that has to begin anew."""
WALL_S = 60
"""A job takes milliseconds: more than this is a hang of the simulator."""


def with_boxes() -> presil.Program:
    """DLA, DMA and DSP: the detector of digits with its boxes."""
    return presil.compile(DIGITS / "digits.tflite", post=DIGITS / "post.yaml")


def with_host() -> presil.Program:
    """The host, too: what the DSP computes there is the host's."""
    return presil.compile(DIGITS / "digits.tflite", post=DIGITS / "post.yaml", set={"dsp.units": 0})


@dataclass
class Tally:
    """Outcomes by kind."""

    exact: Counter[str] = field(default_factory=Counter)
    reported: Counter[str] = field(default_factory=Counter)
    idle: Counter[str] = field(default_factory=Counter)
    """Of the exact ones those that nothing has met."""
    wrong: list[str] = field(default_factory=list)

    @property
    def count(self) -> int:
        return sum(self.exact.values()) + sum(self.reported.values()) + len(self.wrong)

    def table(self) -> str:
        lines = ["| kind | injected | exact | of these met by nothing | error that names where |"]
        lines.append("|---|---|---|---|---|")
        for kind in KINDS:
            exact, reported = self.exact[kind], self.reported[kind]
            lines.append(
                f"| `{kind}` | {exact + reported} | {exact} | {self.idle[kind]} | {reported} |"
            )
        return "\n".join(lines)


class Campaign:
    """One simulation; faults one after another."""

    def __init__(self, program: presil.Program, host: str, seed: int) -> None:
        self.program, self.host = program, host
        self.random = np.random.default_rng(seed)
        self.samples = [self.sample() for _ in range(3)]
        self.expected = [paths.native().reference(program.graph, s) for s in self.samples]
        self.simulation = Simulation(program, host=host)
        _, _, account = self.simulation.job(self.samples[0])
        self.cycles = int(account["total_cycles"])
        self.timeout_ns = 20 * self.cycles
        self.tally = Tally()

    def sample(self) -> list[np.ndarray]:
        return [self.random.integers(-128, 128, t["shape"], np.int8) for t in self.program.inputs]

    def job(self, index: int, faults: list[Fault]) -> tuple[bool, dict[str, Any]]:
        outputs, _, account = self.simulation.job(
            self.samples[index], timeout_ns=self.timeout_ns, faults=faults
        )
        same = all(map(np.array_equal, outputs, self.expected[index]))
        return same, account

    def inject(self, fault: Fault) -> None:
        tally, kind = self.tally, fault.kind
        again = kind in ("corrupt_command", "ecc_double", "reset", "power_loss")
        try:
            same, account = self.job(1, [fault])
        except HardwareError as error:
            text = str(error)
            if not PLACE.search(text):
                tally.wrong.append(f"{fault.text()}: names nothing: '{text}'")
            tally.reported[kind] += 1
            again = again or bool(AGAIN.search(text))
        else:
            if same:
                tally.exact[kind] += 1
                tally.idle[kind] += account["faults"][0]["times"] == 0
            else:
                tally.wrong.append(f"{fault.text()}: silent wrong output")
        try:
            if again:
                self.simulation.reset()
            if not self.job(2, [])[0]:
                tally.wrong.append(f"{fault.text()}: the next job is wrong")
        except HardwareError as error:
            tally.wrong.append(f"{fault.text()}: the next job fails: {error}")
            self.simulation.reset()

    def run(self, count: int, seed: int, kinds: list[str] | None = None) -> Tally:
        def too_long(_: int, __: FrameType | None) -> None:
            raise TimeoutError("the simulator hangs")

        signal.signal(signal.SIGALRM, too_long)
        faults = random_faults(self.program, seed, self.cycles, kinds or list(KINDS))
        with self.simulation:
            for _ in range(count):
                fault = next(faults)
                signal.alarm(WALL_S)
                try:
                    self.inject(fault)
                except (TimeoutError, presil.SimulatorDied, presil.Refusal) as error:
                    self.tally.wrong.append(f"{fault.text()}: {type(error).__name__}: {error}")
                    self.simulation.close(kill=True)
                    self.simulation = Simulation(self.program, host=self.host)
                finally:
                    signal.alarm(0)
        return self.tally


PAGE = ROOT / "sim/faults/MEASURED.md"
NIGHT: tuple[tuple[Callable[[], presil.Program], str, int], ...] = (
    (with_boxes, "native", 2800),
    (with_host, "native", 2100),
    (with_boxes, "m33", 1400),
    (with_boxes, "rv64", 700),
    (with_boxes, "aarch64", 700),
)


def page_of(tallies: list[Tally]) -> str:
    lines = [
        "# Random faults: measured",
        "",
        "Written by `tests/soc/fault_campaign.py --write`. The detector of digits with its boxes,",
        "one fault a job, the next job compared too. Exact / error that names queue, command or",
        "address. Wrong outputs, errors that name nothing, next jobs that are not exact: "
        f"{sum(len(t.wrong) for t in tallies)}.",
        "",
        "| kind | native | native, no DSP: the host's kernels | Cortex-M33 | RV64 | AArch64 |",
        "|---|---|---|---|---|---|",
    ]
    for kind in KINDS:
        cells = [f"{t.exact[kind]:,} / {t.reported[kind]:,}" for t in tallies]
        lines.append(f"| `{kind}` | " + " | ".join(cells) + " |")
    lines.append("| all | " + " | ".join(f"{t.count:,}" for t in tallies) + " |")
    idle = sum(sum(t.idle.values()) for t in tallies)
    return "\n".join([*lines, "", f"{idle:,} of the exact ones met nothing: too late.", ""])


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--host", default="native")
    parser.add_argument("--kinds", nargs="*")
    parser.add_argument("--no-dsp", action="store_true", help="its work is the host's")
    parser.add_argument("--write", action="store_true", help="all of the night, to MEASURED.md")
    options = parser.parse_args()
    if options.write:
        tallies = [Campaign(make(), host, 7).run(count, 1) for make, host, count in NIGHT]
        PAGE.write_text(page_of(tallies), encoding="utf-8")
    else:
        program = with_host() if options.no_dsp else with_boxes()
        campaign = Campaign(program, options.host, 7)
        tallies = [campaign.run(options.count, options.seed, options.kinds)]
    for tally in tallies:
        print(tally.table())
        for wrong in tally.wrong[:20]:
            print("WRONG", wrong)
        print(f"{tally.count} faults, {len(tally.wrong)} wrong")
    return 1 if any(tally.wrong for tally in tallies) else 0


if __name__ == "__main__":
    sys.exit(main())
