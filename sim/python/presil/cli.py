"""The command line: verbs, options and exit codes as sim/guides/command_line.md lists them."""

from __future__ import annotations

import json
import os
import sys
import traceback
import unicodedata
from pathlib import Path
from typing import Any

import click
from click.utils import PacifyFlushWrapper

from . import __version__, passes, paths
from .answers import answer_of, read_labels, save_image, sentence
from .atomic import write_file
from .blocks import block_kinds
from .cli_flight import counters_option, gdb_option, host_option, overlap_option, way_options
from .cli_trace import dsp_options, dsp_trace_of, rtl_options, trace_of
from .cli_tune import check_compile, decisions_options, save_decisions
from .cli_verbs import Verbs
from .console import console, print_unused_kernels, progress_bar
from .cosim import cosim
from .cosim_table import print_cosim
from .counters import counters_lines
from .engines import load_engines
from .hang import hang_kept
from .host import gives_profile, profile_lines, program_lines
from .inputs import fit_image, is_image
from .interrupt import EXIT_INTERRUPTED, INTERRUPTED, Interrupted, deaf, listening
from .kernel_file import read_kernels
from .layers_table import HELP
from .ops_table import print_ops
from .options import (
    RunOptions,
    layers_option,
    network_options,
    program_of,
    run_options,
    soc_options,
)
from .placement_table import print_placement
from .profile import trace_sentence
from .record import as_json
from .refusal import (
    EXIT_CHECK_FAILED,
    EXIT_DEFECT,
    EXIT_HARDWARE,
    EXIT_OK,
    EXIT_REFUSED,
    Diverged,
    HardwareError,
    PassBroken,
    Refusal,
)
from .report import (
    compare_runs,
    kernels_to_show,
    open_run,
    print_diff,
    print_kernels,
    write_report,
    write_trace,
)
from .report.recorded import view
from .run import Run
from .run import run as run_program
from .run_expected import at_work, interpreters
from .soc import load_soc
from .table import check_sentence, print_run, verdict
from .trace import print_waveforms


@click.group(
    cls=Verbs, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100}
)
@click.version_option(__version__, prog_name="presil")
def cli() -> None:
    """Compiled neural networks on a simulated SoC: exact, timed, explained."""


@cli.command("compile")
@click.argument("network")
@click.option("-o", "--output", required=True, metavar="OUT.presil", help="The loadable to write.")
@click.option("--strip", is_flag=True, help="Leave the graph out; checks then need --check none.")
@click.option(
    "--verify-passes", is_flag=True, help="Run the reference interpreter around every pass."
)
@click.option("--seed", type=click.IntRange(min=0), default=0, help="Of --verify-passes' inputs.")
@overlap_option
@decisions_options
@click.option("--quiet", is_flag=True, help="Print nothing.")
@layers_option
@soc_options
@network_options
def compile_command(
    network: str,
    output: str,
    strip: bool,
    verify_passes: bool,
    overlap: bool,
    decisions: str | None,
    give_decisions: str | None,
    seed: int,
    quiet: bool,
    every_layer: bool,
    soc: str,
    overrides: tuple[str, ...],
    engines: tuple[str, ...],
    numerics: str | None,
    post: str | None,
    no_fallback: bool,
    dispatch: str,
    kernels: str | None,
    effort: int,
    batch: int,
    state: str | None,
) -> None:
    """Network to loadable: what goes where, and why."""
    check_compile(network, output, decisions, give_decisions)
    config = load_soc(soc, overrides, engines)
    given = numerics, post, no_fallback, dispatch
    program = program_of(
        network, config, *given, strip, kernels, effort, quiet, batch, state, overlap, decisions
    )
    verified = passes.verify_passes(program.network, seed=seed) if verify_passes else None
    program.save(output)
    save_decisions(program, give_decisions)
    if quiet:
        return
    out = console()
    if verified:
        out.print(f"{passes.sentence(verified)} (seeded random data, seed {seed})", soft_wrap=True)
    print_placement(out, program.placement, every_layer)
    print_unused_kernels(out, program)
    out.print(
        f"\n{output}: {len(program.loadable):,} bytes, {len(program.info['commands']):,} commands, "
        f"SRAM peak {program.info['sram_bytes']:,} bytes, compiled in {program.compile_s:.2f} s"
    )


@cli.command("run", epilog=HELP)
@run_options
@click.option("--labels", metavar="FILE", help="Names of the classes, one a line.")
@host_option
@gdb_option
@counters_option
@click.option("--fault", metavar="FILE.yaml", help="What goes wrong in the hardware.")
@way_options
@click.option(
    "--block",
    "blocks",
    multiple=True,
    metavar="NAME=KIND[,...]",
    help="How dla, dma, sync and outside engines run: model, rtl (Verilated), lockstep (both).",
)
@rtl_options(("perfetto", "fst", "dsp"))
@dsp_options
@click.option("--verbose", is_flag=True, help="Placement too.")
def run_command(
    options: RunOptions,
    labels: str | None,
    host: str,
    in_flight: int,
    values: str,
    jobs: int | None,
    gdb: tuple[str, ...],
    counters: str | None,
    fault: str | None,
    blocks: tuple[str, ...],
    traces: tuple[str, ...],
    trace_window: str,
    rtl_seed: int,
    profile: bool,
    trace_tile: int | None,
    trace_lines: int,
    verbose: bool,
) -> None:
    """Compile if needed, simulate through the driver, check, report."""
    load_engines(options.engines)  # whose blocks are named
    kinds = block_kinds(blocks)
    options.overlap = in_flight > 1
    options.workers = interpreters(jobs) if in_flight == 1 and values == "on" else 0
    ready = options.prepared()
    program, inputs = ready.program, options.inputs
    names = read_labels(labels) if labels else program.network.classes if program.network else []
    with options.claim(ready) as folder:
        with hang_kept(folder.path), progress_bar("samples", not options.quiet) as progress:
            run = run_program(
                ready.runs or program,
                ready.arrays,
                options.check,
                ready.goldens,
                options.timeout_ms,
                progress,
                kinds,
                trace_of(traces, trace_window, folder.path),
                rtl_seed,
                profile,
                dsp_trace_of(traces, trace_window, trace_tile, trace_lines, folder.path),
                host=host,
                fault=fault,
                gdb=gdb,
                counters=counters,
                host_profile=gives_profile(host, ready.runs, profile or "perfetto" in traces, gdb),
                state=options.state,
                in_flight=in_flight,
                values=values == "on",
                jobs=jobs,
                begun=ready.begun,
            )
        ready.describe(run.record)
        if run.arrays and len(inputs) == 1 and is_image(inputs[0]):
            pixels = fit_image(Path(inputs[0]), program.inputs[0], ready.image)
            image = save_image(pixels, folder.path, Path(inputs[0]).stem)
            run.record["pictures"] = [{**image, **answer_of(program, run.arrays, 0, names)}]
        if "perfetto" in traces:
            write_trace(run.record, folder.path / "trace.json.gz")
        saved = folder.commit(run.record, run.write)
    if write_json(run.record, options.json_file):
        report(run, ready.source, saved, options, verbose)
    if not (run.exact or "values" in run.record) or run.record.get("host", {}).get("exit_code"):
        sys.exit(EXIT_CHECK_FAILED)


@cli.command("cosim", epilog=HELP)
@run_options
@click.option(
    "--rtl",
    "blocks",
    default="dla",
    show_default=True,
    metavar="NAME[,...]",
    help="Blocks that run as Verilated RTL, in lock-step with their models.",
)
@host_option
@rtl_options()
def cosim_command(
    options: RunOptions,
    blocks: str,
    host: str,
    traces: tuple[str, ...],
    trace_window: str,
    rtl_seed: int,
) -> None:
    """RTL against its models: first divergence, or the error of the models' cycles by layer."""
    ready = options.prepared()
    with options.claim(ready) as folder:
        with progress_bar("samples", not options.quiet) as progress:
            run = cosim(
                ready.program,
                ready.arrays,
                [name.strip() for name in blocks.split(",") if name.strip()],
                options.check,
                ready.goldens,
                options.timeout_ms,
                progress,
                trace_of(traces, trace_window, folder.path),
                rtl_seed,
                state=options.state,
                host=host,
            )
        ready.describe(run.record)
        if "perfetto" in traces:
            write_trace(run.record, folder.path / "trace.json.gz")
        saved = folder.commit(run.record, run.write)
    if write_json(run.record, options.json_file):
        print_cosim(console(), run.record, options.quiet, options.every_layer)
        if not options.quiet:
            print_waveforms(console(), run.record)
            console().print(f"report: {saved / 'report.html'}", markup=False, soft_wrap=True)
    found = run.record["cosim"]
    if not found["exact"] or not found["within_bands"]:
        sys.exit(EXIT_CHECK_FAILED)


def write_json(record: dict[str, Any], file: str | None) -> bool:
    """The record where --json says. @return whether standard output is free for people"""
    if file == "-":
        click.echo(as_json(record), nl=False)
    elif file is not None:
        write_file(file, as_json(record))
    return file != "-"


def report(run: Run, source: str, folder: Path, options: RunOptions, verbose: bool) -> None:
    """What a person reads after a run."""
    out = console()
    if options.quiet:
        out.print(verdict(run.record, check_sentence(run.record)))
        return
    print_run(out, run.record, options.every_layer)
    out.print(f"input: {source}", markup=False, soft_wrap=True)
    said = profile_lines(run.record), counters_lines(run.record)
    for line in (*program_lines(run.record), *said[0], *said[1]):
        out.print(line, markup=False, highlight=False, soft_wrap=True)
    if "passes" in run.record:
        out.print(passes.sentence(run.record["passes"]), soft_wrap=True)
    for answer in filter(None, map(sentence, run.record.get("pictures", []))):
        out.print(f"answer: {answer}", markup=False, soft_wrap=True)
    if verbose:
        out.print()
        print_placement(out, run.program.placement, options.every_layer)
    print_unused_kernels(out, run.program)
    print_waveforms(out, run.record)
    if "dsp_trace" in run.record:
        out.print(trace_sentence(run.record["dsp_trace"]), markup=False, soft_wrap=True)
    out.print(f"report: {folder / 'report.html'}", markup=False, soft_wrap=True)
    out.print(f"record: {folder / 'run.json'}", markup=False, soft_wrap=True)


@cli.command("ops")
@click.option("--json", "as_json", is_flag=True, help="Machine-readable.")
@click.option("--kernels", metavar="FILE.yaml", help="Kernels of your own too.")
@click.option("--onnx", is_flag=True, help="Names of the ONNX operators that can be imported.")
@click.option("--tosa", is_flag=True, help="Names of the TOSA operators that can be imported.")
def ops_command(as_json: bool, kernels: str | None, onnx: bool, tosa: bool) -> None:
    """What each engine can take, printed from the compiler's rules."""
    if onnx or tosa:
        names = getattr(paths.native(), "onnx_operators" if onnx else "tosa_operators")()
        return click.echo(json.dumps(names) if as_json else "\n".join(names))
    rows = paths.native().ops() + [kernel.row() for kernel in read_kernels(kernels)]
    if as_json:
        return click.echo(json.dumps(rows, indent=1))
    print_ops(console(), rows)


@cli.command("report", epilog=HELP)
@click.argument("runs", nargs=-1, required=True)
@click.option("--html", metavar="FILE", help="A self-contained page instead of text.")
@layers_option
def report_command(runs: tuple[str, ...], html: str | None, every_layer: bool) -> None:
    """Views of recorded runs (folders or run.json files)."""
    records = [(open_run(name), Path(name)) for name in runs]
    if html is None:
        for (record, _), name in zip(records, runs):
            view(name, lambda record=record: print_run(console(), record, every_layer))
        return
    folders = [(record, path if path.is_dir() else path.parent) for record, path in records]
    view("', '".join(runs), lambda: write_report(folders, Path(html)))
    console().print(f"report: {html}", markup=False, soft_wrap=True)


@cli.command("profile")
@click.argument("run_name", metavar="RUN")
@click.option("--kernel", metavar="NAME", help="Of this kernel alone.")
@click.option(
    "--blocks",
    type=click.IntRange(min=0),
    default=3,
    show_default=True,
    help="Hottest basic blocks of a kernel to show.",
)
@click.option("--all", "everything", is_flag=True, help="Every instruction, by address.")
@click.option("--json", "to_json", is_flag=True, help="Machine-readable.")
def profile_command(
    run_name: str, kernel: str | None, blocks: int, everything: bool, to_json: bool
) -> None:
    """Where the cycles of the DSP's kernels went, down to the instruction."""
    record = open_run(run_name, "profile")
    kernels = view(run_name, lambda: kernels_to_show(record, kernel), "profile")
    if to_json:
        click.echo(json.dumps(kernels, indent=1))
        return
    shown = None if everything else blocks
    view(run_name, lambda: print_kernels(console(), record, kernels, shown), "profile")


@cli.command("diff")
@click.argument("run_a")
@click.argument("run_b")
@click.option(
    "--tolerance",
    type=click.FloatRange(min=0),
    default=0.0,
    show_default=True,
    metavar="PERCENT",
    help="Of A's cycles a sample: how far the sum and each layer may move.",
)
@click.option("--json", "to_json", is_flag=True, help="Machine-readable.")
def diff_command(run_a: str, run_b: str, tolerance: float, to_json: bool) -> None:
    """What changed from one recorded run to another; exit code 1 beyond the tolerance."""
    a, b = (open_run(name, "diff") for name in (run_a, run_b))
    changes = view(f"{run_a}' or '{run_b}", lambda: compare_runs(a, b, tolerance), "diff")
    if to_json:
        click.echo(json.dumps(changes, indent=1))
    else:
        print_diff(console(), changes)
    if changes["beyond"]:
        sys.exit(EXIT_CHECK_FAILED)


@cli.command("demo")
@click.option("--out", metavar="DIR", default="presil-out/demo", show_default=True)
@click.option("--force", is_flag=True, help="Replace another run that is in the folder.")
@click.option("--scene", type=int, default=0, show_default=True, help="Scene to draw.")
def demo_command(out: str, force: bool, scene: int) -> None:
    """A trained detector of handwritten digits on the simulated SoC, checked bit for bit."""
    from .demo import demo

    with progress_bar("scenes", True) as progress:
        result = demo(Path(out), scene, progress, force)
    result.show(console())
    if not result.exact:
        sys.exit(EXIT_CHECK_FAILED)


@cli.command("test")
@click.option("--all", "everything", is_flag=True, help="The long tests too.")
@click.option("--junit", metavar="FILE", help="Results as JUnit XML.")
def test_command(everything: bool, junit: str | None) -> None:
    """Every test; closes with the count."""
    from .testing import run_tests

    sys.exit(run_tests(everything, junit))


def command() -> int:
    """The command as the shell calls it."""
    code = main()
    deaf()
    if at_work():  # the interpreter, of a run that was refused: its values are no longer needed
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)
    return code


def main(arguments: list[str] | None = None) -> int:
    """Runs a verb; every ending has its exit code and its sentence."""
    try:
        with listening():
            return ending(arguments)
    except Interrupted:  # after the verb, before its end
        return finish(INTERRUPTED, EXIT_INTERRUPTED)


def ending(arguments: list[str] | None) -> int:
    for argument in sys.argv[1:] if arguments is None else arguments:
        # Control characters, and the surrogates by which Python keeps bytes that are no UTF-8.
        if any(unicodedata.category(character) in ("Cc", "Cs") for character in argument):
            return finish(f"{argument!r} is not printable text in UTF-8; rename it", EXIT_REFUSED)
    try:
        code = cli.main(args=arguments, prog_name="presil", standalone_mode=False)
    except SystemExit as stop:
        if isinstance(sys.stdout, PacifyFlushWrapper):  # click's mark of a closed pipe
            return EXIT_OK  # the reader of the pipe has closed it
        return int(stop.code or 0)
    except (Interrupted, click.exceptions.Abort):
        return finish(INTERRUPTED, EXIT_INTERRUPTED)
    except click.ClickException as error:
        where = (
            error.ctx.command_path
            if isinstance(error, click.UsageError) and error.ctx
            else "presil"
        )
        return finish(f"{error.format_message()} See '{where} --help'.", EXIT_REFUSED)
    except Refusal as refusal:
        return finish(str(refusal), EXIT_REFUSED)
    except Diverged as difference:
        assertion = difference.detail["stage"] == "assertion"
        return finish(str(difference), EXIT_HARDWARE if assertion else EXIT_CHECK_FAILED)
    except PassBroken as broken:
        return finish(str(broken), EXIT_CHECK_FAILED)
    except HardwareError as error:
        return finish(f"the simulated hardware failed: {error}", EXIT_HARDWARE)
    except IsADirectoryError as error:
        return finish(f"'{error.filename}' is a folder; give the name of a file", EXIT_REFUSED)
    except OSError as error:
        where = f": {error.filename}" if error.filename else ""
        return finish(f"{error.strerror or error}{where}", EXIT_REFUSED)
    except Exception as error:  # noqa: BLE001  the last resort: a defect, told as one
        if os.environ.get("PRESIL_TRACEBACK"):
            traceback.print_exc()
        return finish(
            f"a defect of presil: {type(error).__name__}: {error}. Please report it with the "
            "command; PRESIL_TRACEBACK=1 prints where it happened.",
            EXIT_DEFECT,
        )
    return int(code or EXIT_OK)


def finish(text: str, code: int) -> int:
    print(f"presil: {text}", file=sys.stderr)
    return code
