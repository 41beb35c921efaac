"""Faults put into the RTL of DLA and DMA, one at a time: does lock-step find each, and where?

    python3 testbench/lockstep/mutations.py [NAME...]     all, or those named; FOLDER in $MUTANTS

Copies the checkout into a folder, and for every fault builds presil-sim-rtl there, runs a network
in lock-step and prints what `presil cosim` said first. Ends with 1 if a fault was not found where
it must be. About a minute a fault on two cores.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
NET = "sim/nets/digits/digits.tflite"
SHARED = Path(os.environ.get("PRESIL_SHARED", ROOT.parent / "shared"))
DEPTHWISE = str(SHARED / "models/mlperf-tiny-dscnn-kws/kws_ref_model.tflite")
"""The project's own network has no depthwise convolution."""


@dataclass(frozen=True)
class Mutation:
    """A fault: what stands where in a file, what stands there instead, where it must show."""

    name: str
    file: str
    right: str
    wrong: str
    stages: tuple[str, ...] = ("write",)
    net: str = NET
    block: str = "dla"


MUTATIONS = (
    Mutation(
        "address one word off in one row",
        "rtl/dla/dla_output_walk.sv",
        "24'(column) * 24'(x_step_i) + inner;",
        "24'(column) * 24'(x_step_i) + inner + (y_q == 12'd2 ? 24'd16 : 24'd0);",
    ),
    Mutation(
        "rounding left out",
        "rtl/dla/dla_post_pkg.sv",
        "sum = p + 64'h4000_0000;",
        "sum = p;",
    ),
    Mutation(
        "last word of a command dropped",
        "rtl/dla/dla_engine.sv",
        "assign sram_req_o = gnt;",
        "assign sram_req_o = gnt & ~(writer_end ? Ports'(1) << FirstO : '0);",
        ("end",),
    ),
    Mutation(
        "space for results never comes at a command's last step",
        "rtl/dla/dla_engine.sv",
        "assign room = used_q != 3'd4;",
        "assign room = used_q != 3'd4 && !head_step.last;",
        ("end",),
    ),
    Mutation(
        "channels 0 and 1 swapped",
        "rtl/dla/dla_engine.sv",
        ".acc_i(fifo_acc_q[out_q]),",
        ".acc_i({fifo_acc_q[out_q][MacsK-1:2], fifo_acc_q[out_q][0], fifo_acc_q[out_q][1]}),",
    ),
    Mutation(
        "signal to sync missed",
        "rtl/dla/dla_engine.sv",
        "assign signal_valid_o = complete_o && cmd_q[oldest_q].signal != '0;",
        "assign signal_valid_o = 1'b0;",
        ("signal",),
    ),
    Mutation(
        "weights of the other set",
        "rtl/dla/dla_engine.sv",
        ".set_i(operand_set),",
        ".set_i(!operand_set),",
    ),
    Mutation(
        "padding of the column before, in a window",
        "rtl/dla/dla_array.sv",
        "taps_q[g][r] <= {column_i[g][r], taps_q[g][r][3:1]};",
        "taps_q[g][r] <= {inside_q[r][3] ? column_i[g][r] : "
        "{16{cmd_i[step_i.slot].pad_value[7:0]}}, taps_q[g][r][3:1]};",
        net=DEPTHWISE,
    ),
    Mutation(
        "address one byte off after every 4 KiB",
        "rtl/dma/dma_row_walk.sv",
        "address_q <= address_q + 40'(bytes_i);",
        "address_q <= address_q + 40'(bytes_i) + 40'(address_q[11:8] == 4'hf);",
        ("read", "write"),
        block="dma",
    ),
    Mutation(
        "last beat of a burst written is dropped",
        "rtl/dma/dma_store.sv",
        "assign w_strb_o     = order.moved ? move_strobe[order.channel] : beat.strobe;",
        "assign w_strb_o     = beat.last ? '0 : beat.strobe;",
        block="dma",
    ),
    Mutation(
        "last word of a load is not written",
        "rtl/dma/dma_load.sv",
        "write_valid_o <= word_valid && !target_move[to_q];",
        "write_valid_o <= word_valid && !target_move[to_q] && !(piece_done && piece_last_q);",
        ("write", "end"),
        block="dma",
    ),
    Mutation(
        "signal of a channel to the counter after its own",
        "rtl/dma/dma_channel.sv",
        "assign signal_id_o    = oldest.signal;",
        "assign signal_id_o    = oldest.signal + 8'd1;",
        ("signal",),
        block="dma",
    ),
)


def copied(tree: Path) -> None:
    """The checkout's files in a folder, configured."""
    files = subprocess.run(
        ["git", "-C", str(ROOT), "ls-files"], capture_output=True, text=True, check=True
    ).stdout.split("\n")
    for name in filter(None, files):
        target = tree / name
        source = ROOT / name
        if not source.is_file():
            continue
        if target.is_file() and target.read_bytes() == source.read_bytes():
            continue  # keeps its time, so that nothing is built again for it
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source, target)
    build = str(tree / "build")
    quietly("cmake", "-S", str(tree), "-B", build, "-G", "Ninja", "-DPRESIL_RTL=ON")
    quietly("ninja", "-C", build, "presil_tools")


def quietly(*command: str) -> None:
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}:\n{done.stdout[-3000:]}{done.stderr[-1000:]}")


def cosim(
    tree: Path, net: str = NET, blocks: str = "dla"
) -> tuple[int, dict[str, object] | None, str]:
    """Exit code, first divergence and last words of a run in lock-step."""
    build = tree / "build"
    quietly("ninja", "-C", str(build), "presil-sim-rtl")
    environment = dict(
        os.environ, PRESIL_BUILD=str(build), PYTHONPATH=str(tree / "sim/python"), CI="true"
    )
    done = subprocess.run(
        ["/usr/bin/python3", "-m", "presil", "cosim", net, "--rtl", blocks]
        + ["--json", "-", "--out", str(build / "out")],
        capture_output=True,
        text=True,
        cwd=tree,
        env=environment,
    )
    if not done.stdout:
        return done.returncode, None, done.stderr.strip()
    return done.returncode, json.loads(done.stdout)["cosim"]["first_divergence"], ""


def found(mutation: Mutation, tree: Path) -> bool:
    """Builds the fault, runs, prints what was said; the file is as before afterwards."""
    file = tree / mutation.file
    right = file.read_text(encoding="utf-8")
    if right.count(mutation.right) != 1:
        sys.exit(f"{mutation.name}: '{mutation.right}' is not once in {mutation.file}")
    file.write_text(right.replace(mutation.right, mutation.wrong), encoding="utf-8")
    try:
        code, divergence, text = cosim(tree, mutation.net, mutation.block)
    finally:
        file.write_text(right, encoding="utf-8")
    if divergence is None:
        print(f"MISSED  {mutation.name}: exit code {code} {text}", flush=True)
        return False
    named = divergence["block"] == mutation.block and divergence["stage"] in mutation.stages
    good = code == 1 and named
    print(f"{'found ' if good else 'WRONG '}  {mutation.name}: {divergence['text']}", flush=True)
    return good


def main(names: list[str]) -> int:
    tree = Path(os.environ.get("MUTANTS") or tempfile.mkdtemp(prefix="presil-mutants-"))
    copied(tree)
    code, divergence, text = cosim(tree, blocks="dla,dma")
    if code != 0 or divergence is not None:
        sys.exit(f"without a fault: exit code {code} {divergence} {text}")
    chosen = [m for m in MUTATIONS if not names or any(name in m.name for name in names)]
    results = [found(mutation, tree) for mutation in chosen]
    print(f"{sum(results)} of {len(results)} faults found")
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
