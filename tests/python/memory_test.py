"""`presil inspect --check-memory`: streams replayed by their words alone."""

from __future__ import annotations

import re
from pathlib import Path

import presil
import pytest
from corpus import corpus
from presil import paths
from presil.network import Network

SOCS = ("edge", "micro")
ADDRESSES = ("in_base", "w_base", "p_base", "out_base", "res_base", "src_base", "dst_base")
WAITS = ("wait_weights", "wait_in", "wait_out", "wait0", "wait1")
FIELD = re.compile(r"\b(\w+)=(0x[0-9a-f]+|\d+)\b")


@pytest.mark.parametrize("soc", SOCS)
def test_streams_of_every_network_read_what_is_there(
    shared: Path, soc: str, everything: bool
) -> None:
    for net in corpus(shared, everything):
        program = presil.compile(net, soc)
        checked = program.check_memory()
        assert checked["wrong"] is None, f"{net.file}: {checked['wrong']}"
        assert checked["commands"] == len(program.info["commands"]) and checked["data_flow"]


@pytest.mark.parametrize("kib", [16, 32, 64, 1024])
def test_streams_in_tiles_read_what_is_there(digits: Path, kib: int) -> None:
    soc = presil.load_soc("edge", [f"sram.bytes={kib << 10}"])
    for post in (None, digits.parent / "post.yaml"):
        checked = presil.compile(presil.load(digits, post=post), soc).check_memory()
        assert checked["wrong"] is None, checked["wrong"]


def lines_with(text: str, field: str) -> list[int]:
    return [i for i, line in enumerate(text.splitlines()) if f" {field}=" in line.split(";")[0]]


def edited(program: presil.Program, at: int, line: str) -> dict[str, object]:
    lines = program.stream_text().splitlines()
    lines[at] = line
    return presil.assemble("\n".join(lines), program).check_memory()


def name_of(line: str) -> str:
    """'dla 3 (conv2d_1 tile 2)', as findings name it."""
    head, _, comment = line.partition("  ; ")
    return f"{head.split(':')[0]} ({comment.split(' [')[0]})"


def test_a_wait_left_out_is_found_with_command_and_layer(digits: Path) -> None:
    soc = presil.load_soc("edge", [f"sram.bytes={64 << 10}"])
    program = presil.compile(presil.load(digits), soc)
    text = program.stream_text()
    lines = text.splitlines()
    found = total = 0
    for wait in WAITS:
        for at in lines_with(text, wait):
            value = re.search(rf" {wait}_value=(\d+)", lines[at])
            if value is None:  # for the job before
                continue
            total += 1
            checked = edited(program, at, lines[at].replace(value[0], ""))
            if checked["wrong"] is None:
                continue
            found += 1
            assert re.search(
                r"(dla|dma\d|host) \d+ \(.+\) (reads|writes) bytes 0x", checked["wrong"]
            )
    assert total > 20 and found == total, f"{found} of {total} waits that were left out"


def end_of_buffer(program: presil.Program, line: str, field: str) -> int | None:
    """Where the buffer of the SRAM ends that the address lies in, as this command knows it."""
    tag = int(re.search(r" tag=(\d+)", line)[1]) if " tag=" in line else 0
    at = int(re.search(rf" {field}=(\w+)", line)[1], 0)
    for buffer in program.info["buffers"]:
        end = buffer["offset"] + buffer["bytes"]
        if tag in buffer["commands"] and buffer["offset"] <= at < end:
            return end
    return None


@pytest.mark.parametrize(("kib", "least"), [(64, 0.8), (1024, 0.9)])
def test_an_address_after_its_buffer_is_found_with_command_and_layer(
    digits: Path, kib: int, least: float
) -> None:
    """But where other bytes of its layer or its operands lie after it: only values tell."""
    program = presil.compile(
        presil.load(digits), presil.load_soc("edge", [f"sram.bytes={kib << 10}"])
    )
    text = program.stream_text()
    lines = text.splitlines()
    missed, total = [], 0
    for field in ADDRESSES:
        for at in lines_with(text, field):
            end = end_of_buffer(program, lines[at], field)
            if end is None:  # in a region
                continue
            total += 1
            moved = re.sub(rf" {field}=\w+", f" {field}={(end + 15) // 16 * 16:#x}", lines[at])
            checked = edited(program, at, moved)
            if checked["wrong"] is None:
                missed.append(f"{field}: {lines[at]}")
            else:
                expected = r"(dla|dma\d|host) \d+ \(.+\) (reads|writes) bytes 0x"
                assert re.match(expected, checked["wrong"]), checked["wrong"]
    print(f"{kib} KiB: {len(missed)} of {total} missed")
    assert total > 100 and len(missed) <= (1 - least) * total, "\n".join(missed)


def test_a_finding_is_a_sentence_and_ends_with_exit_code_1(
    presil, digits: Path, tmp_path: Path
) -> None:
    assert presil("compile", digits, "-o", "net.presil", "--quiet").code == 0
    sound = presil("inspect", "net.presil", "--check-memory")
    assert sound.code == 0 and re.fullmatch(
        r"memory: \d+ commands with \d+ accesses replayed; each of [\d,]+ bytes lies in its "
        r"memory, is written before it is read and by whom it should, and kept until then\.\n",
        sound.out,
    )
    text = presil("inspect", "net.presil", "--streams", "-").out
    line = next(t for t in text.splitlines() if t.startswith("dla") and " in_base=" in t)
    far = re.sub(r" in_base=\w+", " in_base=0xf00000", line)
    (tmp_path / "s.txt").write_text(text.replace(line, far), encoding="utf-8")
    assert presil("assemble", "s.txt", "--into", "net.presil", "-o", "bad.presil").code == 0
    ended = presil("inspect", "bad.presil", "--check-memory")
    assert ended.code == 1
    assert ended.out.startswith(f"memory: {name_of(line)} reads bytes 0xf00000 .. 0x")
    assert re.search(r" of the sram \(input\), which has \d+ bytes\.\n$", ended.out)


def compiled(text: str, soc: str = "edge") -> presil.Program:
    graph = paths.native().parse_graph(f'graph "g" tflite {{\n{text}\n}}')
    return presil.compile(Network(graph, "g", "0" * 64, len(graph.outputs)), soc)


# The quantisation is done before the transposition: the layer reads what its operator does not.
MOVED = """
  input %x : int8[1,8,8,16] q(0.5, 0)
  const %w : int8[16,1,1,16] q(0.01, 0) = random 1
  const %v : int8[32,1,1,8] q(0.01, 0) = random 2
  %a = conv2d(%x, %w) from [0] : int8[1,8,8,16] q(0.5, 0)
  %z = conv2d(%a, %w) from [4] : int8[1,8,8,16] q(0.5, 0)
  %t = transpose(%a) {perm=[0,3,1,2]} from [1] : int8[1,16,8,8] q(0.5, 0)
  %q = quantize(%t) from [2] : int8[1,16,8,8] q(0.7, 3)
  %b = conv2d(%q, %v) from [3] : int8[1,16,8,32] q(0.5, 0)
  output %b, %z"""


@pytest.mark.parametrize("soc", SOCS)
def test_an_operator_that_a_pass_has_moved_reads_what_it_should(soc: str) -> None:
    program = compiled(MOVED, soc)
    checked = program.check_memory()
    assert checked["wrong"] is None and checked["data_flow"]
    assert presil.run(program, seed=1, check="layers").exact


SUM = """
  input %x : int8[1,8,8,16] q(0.5, 0)
  const %w : int8[16,1,1,16] q(0.01, 0) = random 1
  const %v : int8[16,1,1,16] q(0.01, 0) = random 2
  %a = conv2d(%x, %w) from [0] : int8[1,8,8,16] q(0.5, 0)
  %b = conv2d(%a, %v) from [1] : int8[1,8,8,16] q(0.5, 0)
  %p = max_pool2d(%b) {kernel_h=2, kernel_w=2, pad_bottom=1, pad_right=1} from [2]
    : int8[1,8,8,16] q(0.5, 0)
  %q = max_pool2d(%a) {kernel_h=2, kernel_w=2, pad_bottom=1, pad_right=1} from [3]
    : int8[1,8,8,16] q(0.5, 0)
  %c = sub(%p, %q) from [4] : int8[1,8,8,16] q(0.7, 0)
  output %c"""


def test_an_operand_whose_bytes_are_of_the_other_one_is_found() -> None:
    """As where memory is given away before a tensor comes back from there."""
    program = compiled(SUM)
    assert program.check_memory()["wrong"] is None
    text = program.stream_text()
    found = []
    for at in lines_with(text, "res_base"):
        line = text.splitlines()[at]
        first = re.search(r" in_base=(\w+)", line)
        if first is None:
            continue
        other = re.sub(r" res_base=\w+", f" res_base={first[1]}", line)
        found.append(edited(program, at, other)["wrong"])
    assert found and all(found), found
    assert any("does not read one of its operands" in text for text in found), found
