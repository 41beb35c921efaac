"""The guides, followed to the letter: commands are run, Python is run, patches apply."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from conftest import presil as called
from presil import load_soc, paths

ROOT = Path(__file__).resolve().parents[2]
GUIDES = ROOT / "sim" / "guides"
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
EXIT = re.compile(r"# exit code (\d+)")
PARAMETER = re.compile(r"`((?:dla|dma|dsp|dram|sram)\.(?!txt)\w+)(?:=[\w.]+)?`")


def blocks(guide: str, language: str) -> list[str]:
    text = (GUIDES / f"{guide}.md").read_text(encoding="utf-8")
    return [code for kind, code in BLOCK.findall(text) if kind == language]


def rows(guide: str, first: str) -> list[str]:
    """First cells of the table whose head begins with `first`."""
    text = (GUIDES / f"{guide}.md").read_text(encoding="utf-8")
    (table,) = [t for t in text.split("\n\n") if t.startswith(f"| {first} |")]
    return [line.split("|")[1].strip() for line in table.splitlines()[2:]]


def follow(guide: str, folder: Path) -> None:
    """Runs every command, then every block of Python, as a reader does."""
    for block in blocks(guide, "sh"):
        for line in block.splitlines():
            words = shlex.split(line, comments=True)
            assert words[0] == "sim/presil", line
            if words[1] == "cosim" and not paths.RTL_SIMULATOR.is_file():
                continue
            expected = EXIT.search(line)
            ended = called(*words[1:], cwd=folder)
            assert ended.code == int(expected[1] if expected else 0), (
                f"{line}\n{ended.err}{ended.out}"
            )
    for number, code in enumerate(blocks(guide, "python")):
        run_python(code, folder / f"block{number}.py")


def run_python(code: str, file: Path) -> str:
    file.write_text(code, encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "sim" / "python")}
    done = subprocess.run(
        [sys.executable, file.name],
        cwd=file.parent,
        env=environment,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def record(folder: Path) -> dict[str, Any]:
    return dict(json.loads((folder / "run.json").read_text(encoding="utf-8")))


def test_every_guide_is_linked_from_the_front_page_and_from_the_room() -> None:
    for page in (ROOT / "README.md", ROOT / "sim" / "README.md"):
        text = page.read_text(encoding="utf-8")
        for guide in GUIDES.glob("*.md"):
            assert f"guides/{guide.name})" in text, guide


def test_networks_have_names(tmp_path: Path) -> None:
    pytest.importorskip("onnx", reason="SKIPPED: no python3-onnx")
    follow("nets", tmp_path)


def test_questions_are_answered_by_their_commands(tmp_path: Path) -> None:
    follow("question_to_command", tmp_path)
    cycles = {n: record(tmp_path / n)["cycles"] for n in ("base", "wide", "fast", "micro")}
    assert cycles["wide"] < 0.7 * cycles["base"], "the guide says that the array limits digits"
    # The bursts of a faster DRAM come in another order, which alone moves cycles by up to 1 %.
    assert 0.9 < cycles["fast"] / cycles["base"] < 1.01, "and that the DRAM does not"
    assert (tmp_path / "side_by_side.html").stat().st_size > 50_000
    assert record(tmp_path / "micro_more")["soc"]["config"]["sram.bytes"] == 524288


def test_the_report_has_the_parts_that_its_guide_explains(tmp_path: Path) -> None:
    follow("read_a_report", tmp_path)
    page = (tmp_path / "again.html").read_text(encoding="utf-8")
    parts = rows("read_a_report", "part of the page")
    titles = [part for part in parts if part[0].isupper()]
    assert len(titles) >= 7
    for title in titles:
        assert f"<h2>{title}</h2>" in page, title
    shown = set(re.findall(r"<h2>([^<]*)</h2>", page))
    assert shown - set(titles) <= {"Layers whose time follows the data"}
    (layer, *_) = record(tmp_path / "base")["layers"]
    keys = re.findall(r"`(\w+)`", " ".join(rows("read_a_report", "key")))
    later = {"own_cycles", "limits", "bound_detail"}
    assert {"start", "bound", "exact", *later} <= set(keys)
    assert set(keys) <= set(layer) | (set() if "limits" in layer else later)


def test_a_load_is_served_as_its_guide_says(tmp_path: Path) -> None:
    (load,) = blocks("serve", "yaml")
    (tmp_path / "load.yaml").write_text(load, encoding="utf-8")
    follow("serve", tmp_path)
    served = json.loads((tmp_path / "served" / "serve.json").read_text(encoding="utf-8"))
    keys = set(re.findall(r"`(\w+)`", (GUIDES / "run_folder.md").read_text(encoding="utf-8")))
    assert set(served) - {"schema", "presil", "verb", "files"} <= keys
    assert set(served["networks"][0]) | set(served["networks"][0]["alone"]) <= keys
    said = blocks("serve", "text")[0].splitlines()
    shown = called("serve", "load.yaml", "--out", "served", cwd=tmp_path).out.splitlines()
    assert said == shown[2 : 2 + len(said)], "the guide's table"


def test_a_sweep_is_explored_as_its_guide_says(tmp_path: Path) -> None:
    (sweep,) = blocks("explore", "yaml")
    (tmp_path / "sweep.yaml").write_text(sweep, encoding="utf-8")
    follow("explore", tmp_path)
    points = json.loads((tmp_path / "points.json").read_text(encoding="utf-8"))["points"]
    assert len(points) == 4 and any(point["pareto"] for point in points)


def test_energy_is_estimated_as_its_guide_says(tmp_path: Path) -> None:
    follow("energy", tmp_path)
    found = json.loads((tmp_path / "energy.json").read_text(encoding="utf-8"))
    assert found["estimate"] and found["table"] == "n45"
    text = (GUIDES / "energy.md").read_text(encoding="utf-8")
    assert {row["action"] for row in found["actions"]} - {"cycles"} <= set(
        re.findall(r"`(\w+)`", text)
    )


def test_accuracy_is_measured_as_its_guide_says(tmp_path: Path) -> None:
    (tmp_path / "sim").symlink_to(ROOT / "sim")
    follow("eval", tmp_path)
    found = json.loads((tmp_path / "eval.json").read_text(encoding="utf-8"))
    keys = set(re.findall(r"`(\w+)`", (GUIDES / "eval.md").read_text(encoding="utf-8")))
    assert set(found) - {"schema", "presil", "verb"} <= keys
    assert set(found["metric"]) | set(found["cycles"]) | set(found["per_sample"][0]) <= keys
    said = f"mean {found['cycles']['mean']:,.0f} ("
    assert said in blocks("eval", "text")[0]


def test_decisions_are_given_taken_and_tuned_as_their_guide_says(tmp_path: Path) -> None:
    pytest.importorskip("optuna", reason="SKIPPED: decisions are not searched, no package optuna")
    follow("tune", tmp_path)
    assert (tmp_path / "plain.presil").read_bytes() == (tmp_path / "same.presil").read_bytes()
    assert set(json.loads((tmp_path / "best.json").read_text())) == {"prefetch", "tilings", "kept"}


def test_tensors_are_compared_as_their_guide_says(tmp_path: Path) -> None:
    follow("validate", tmp_path)
    keys = set(re.findall(r"`(\w+)`", (GUIDES / "validate.md").read_text(encoding="utf-8")))
    record = json.loads((tmp_path / "same.json").read_text(encoding="utf-8"))
    assert record["exact"] and set(record) - {"schema", "presil"} <= keys
    assert "data:image/png" in (tmp_path / "page.html").read_text(encoding="utf-8")


def test_a_suite_is_run_as_its_guide_says(tmp_path: Path) -> None:
    (suite,) = blocks("regress", "yaml")
    (tmp_path / "suite.yaml").write_text(suite, encoding="utf-8")
    follow("regress", tmp_path)
    assert 'failures="0"' in (tmp_path / "junit.xml").read_text(encoding="utf-8")
    (tmp_path / "suite.yaml").write_text(suite.replace("400000", "100000"), encoding="utf-8")
    failed = called("regress", "suite.yaml", cwd=tmp_path)
    assert failed.code == 1
    assert blocks("regress", "text")[0].strip() in failed.out.splitlines()


def test_the_guide_has_every_limit_in_its_group() -> None:
    bound = pytest.importorskip("presil.bound", reason="SKIPPED: no limits of layers yet")
    text = (GUIDES / "read_a_report.md").read_text(encoding="utf-8")
    groups = dict(re.findall(r"^\| `(\w+)` \| (\w+) \| ", text, re.MULTILINE))
    assert groups == {limit.name: limit.group for limit in bound.LIMITS}


#: They are about something else than a SoC.
WITHOUT_PARAMETERS = (
    "add_an_operator",
    "command_line",
    "debug",
    "eval",
    "firmware",
    "mutate",
    "nets",
    "onnx",
    "python",
    "quantize",
    "regress",
    "tiles",
    "tune",
    "tvm",
    "tvm_external_operator",
    "tvm_kernels",
    "tvm_yolov4",
    "tvm_your_engine",
    "validate",
    "run_folder",
    "tosa",
    "your_own_engine",
    "your_own_engine_compiled",
)


@pytest.mark.parametrize("guide", sorted(file.stem for file in GUIDES.glob("*.md")))
def test_parameters_that_guides_name_exist(guide: str) -> None:
    named = PARAMETER.findall((GUIDES / f"{guide}.md").read_text(encoding="utf-8"))
    assert set(named) <= set(load_soc().config)
    assert named or guide in WITHOUT_PARAMETERS


def patched(folder: Path) -> list[str]:
    """Applies the guide's patches to copies of the files that they name."""
    touched = []
    for number, text in enumerate(blocks("add_an_operator", "diff")):
        names = re.findall(r"^\+\+\+ b/(.*)$", text, re.MULTILINE)
        for name in names:
            if not (folder / name).exists():
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(ROOT / name, folder / name)
        (folder / f"{number}.patch").write_text(text, encoding="utf-8")
        done = subprocess.run(["patch", "-p1", "--fuzz=1", "-i", f"{number}.patch"],
            cwd=folder, capture_output=True, text=True,
        )  # fmt: skip
        assert done.returncode == 0, f"{', '.join(names)}: {done.stdout}{done.stderr}"
        touched += names
    return touched


def test_the_patches_of_add_an_operator_apply(tmp_path: Path) -> None:
    if shutil.which("patch") is None:
        pytest.skip("SKIPPED: there is no patch(1) here")
    touched = patched(tmp_path)
    assert len(touched) >= 8
    for name in touched:
        assert "softsign" in (tmp_path / name).read_text(encoding="utf-8").lower(), name
    if shutil.which("clang-format-14"):
        done = subprocess.run(["clang-format-14", "--dry-run", "-Werror",
            f"--style=file:{ROOT / '.clang-format'}", *touched],
            cwd=tmp_path, capture_output=True, text=True,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr


def test_what_add_an_operator_names_exists() -> None:
    text = (GUIDES / "add_an_operator.md").read_text(encoding="utf-8")
    for name in re.findall(r"`((?:compiler_bridge|driver|sim|tests)/[\w./]+)`", text):
        assert (ROOT / name).exists(), name
    sources = {
        "floats_alone": "compiler_bridge/ir/type_function.cpp",
        "same": "compiler_bridge/ir/shape_function.cpp",
        "for_each_float": "compiler_bridge/reference/operators/functions_float.cpp",
        "at_most_6_axes": "compiler_bridge/rules/host.cpp",
        "presil_f32_function_weight": "driver/kernels/host/float_attributes.h",
    }
    for word, file in sources.items():
        assert f"`{word}`" in text
        assert re.search(rf"\b{word}\b", (ROOT / file).read_text(encoding="utf-8")), (word, file)


def test_a_tree_with_the_guides_operator_computes_it(tmp_path: Path, everything: bool) -> None:
    """Builds all of the product again, so with --all only."""
    if not everything:
        pytest.skip("SKIPPED: builds the whole tree; `sim/presil test --all` does")
    tree, build = tmp_path / "tree", tmp_path / "build"
    done = subprocess.run(
        ["git", "-C", str(ROOT), "ls-files", "-z"], capture_output=True, text=True
    )
    for name in filter(None, done.stdout.split("\0")):
        if (ROOT / name).is_file():
            (tree / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, tree / name)
    patched(tree)
    environment = {**os.environ, "PRESIL_BUILD": str(build)}
    environment["PYTHONPATH"] = str(tree / "sim" / "python")
    python = "sim/python/print_operators.py"
    for command in (
        ["cmake", "-S", ".", "-B", str(build), "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release",
         "-DPRESIL_TESTS=ON"],
        ["ninja", "-C", str(build), "presil_tools", "driver_kernels_test"],
        [sys.executable, python],
        [sys.executable, "-c", *blocks("add_an_operator", "python")],
        [str(build / "tests" / "driver" / "driver_kernels_test")],
    ):  # fmt: skip
        ended = subprocess.run(command, cwd=tree, env=environment, capture_output=True, text=True)
        assert ended.returncode == 0, f"{command}: {ended.stdout[-3000:]}{ended.stderr[-3000:]}"
    said = subprocess.run(
        [sys.executable, "-m", "presil", "ops"], env=environment, capture_output=True, text=True
    )
    assert re.search(r"^softsign +host ", said.stdout, re.MULTILINE)


def test_mutants_of_sync_are_killed_by_its_benches() -> None:
    for module in ("pyslang", "clang"):
        pytest.importorskip(module, reason=f"SKIPPED: no {module}")
    if not paths.RTL_SIMULATOR.is_file() and shutil.which("verilator") is None:
        pytest.skip("SKIPPED: no verilator")
    folder = paths.BUILD / "mutate_guide"  # beside the build, whose compiler cache it shares
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    (suite,) = blocks("mutate", "yaml")
    (folder / "suite.yaml").write_text(suite, encoding="utf-8")
    follow("mutate", folder)
    rows = json.loads((folder / "killed.json").read_text(encoding="utf-8"))["mutants"]
    assert len(rows) == 12 and {row["room"] for row in rows} == {"sync"}
    assert all("killed_by" in row for row in rows)
    shutil.rmtree(folder)
