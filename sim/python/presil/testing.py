"""`presil test`: CTest and pytest, summed up in one closing line."""

from __future__ import annotations

import os
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

from . import paths
from .refusal import Refusal

RDL_VENV = paths.CACHE / "venv-rdl"
RUNTIMES_VENV = paths.CACHE / "venv-runtimes"
TVM_VENV = paths.CACHE / "venv-tvm"


def say(text: str) -> None:
    print(f"presil: {text}", flush=True)


def prepare(venv: Path, requirements: str, what: str, skipped: str) -> None:
    """Pinned packages in a private virtual environment; tests that need them skip themselves where
    they could not be had."""
    file = paths.ROOT / requirements
    expected = file.read_text(encoding="utf-8")
    stamp = venv / "requirements.txt"
    if stamp.is_file() and stamp.read_text(encoding="utf-8") == expected:
        return
    say(f"puts {what} into {venv}")
    steps = (
        ["/usr/bin/python3", "-m", "venv", str(venv)],
        [str(venv / "bin" / "python"), "-m", "pip", "install", "-q", "-r", str(file)],
    )
    for step in steps:
        done = subprocess.run(step, capture_output=True, text=True)
        if done.returncode:
            last = (done.stderr or done.stdout).strip().splitlines()[-1:]
            say(f"SKIPS {skipped}: cannot have them ({' '.join(last)})")
            return
    stamp.write_text(expected, encoding="utf-8")


def count(file: Path) -> tuple[int, int, list[str]]:
    """Passed, failed, and the reasons of what was skipped, of a JUnit file."""
    if not file.is_file():
        return 0, 1, []
    passed = failed = 0
    skipped: list[str] = []
    for case in ElementTree.parse(file).iter("testcase"):
        skip = case.find("skipped")
        if case.find("failure") is not None or case.find("error") is not None:
            failed += 1
        elif skip is not None or case.get("status") in ("notrun", "disabled"):
            reason = (skip.get("message") if skip is not None else None) or "not run"
            text = case.findtext("system-out") or ""
            lines = [line.strip() for line in text.splitlines() if "Skipped" not in line]
            detail = next((line for line in lines if line.upper().startswith("SKIP")), "")
            skipped.append(f"{case.get('name')}: {detail or reason}")
        else:
            passed += 1
    return passed, failed, skipped


def merge(files: list[Path], out: Path) -> None:
    """One JUnit file of several."""
    root = ElementTree.Element("testsuites")
    for file in files:
        if file.is_file():
            top = ElementTree.parse(file).getroot()
            root.extend(list(top) if top.tag == "testsuites" else [top])
    out.parent.mkdir(parents=True, exist_ok=True)
    ElementTree.ElementTree(root).write(out, encoding="utf-8", xml_declaration=True)


def run_tests(everything: bool, junit: str | None) -> int:
    """Exit code 0 when nothing failed and something passed."""
    if paths.INSTALLED:
        raise Refusal("test: the tests are in presil's checkout; call `sim/presil test` there")
    rdl = "the SystemRDL compiler and slang, a second front end for SystemVerilog,"
    prepare(
        RDL_VENV, "rtl/gen/requirements.txt", rdl, "the checks of generated contracts and slang's"
    )
    if everything:
        oracle = "tests/reference/oracle/requirements.txt"
        runtimes = "tflite-micro, ai-edge-litert and onnxruntime"
        prepare(RUNTIMES_VENV, oracle, runtimes, "the comparison of operators with other runtimes")
        prepare(TVM_VENV, "tests/tvm/requirements.txt", "TVM", "the cases of presil.tvm")
    environment = dict(os.environ, PRESIL_BUILD=str(paths.BUILD), PRESIL_RDL_VENV=str(RDL_VENV))
    if everything:
        environment["PRESIL_ALL"] = "1"
    results = [paths.BUILD / "ctest.xml", paths.BUILD / "pytest.xml"]
    for file in results:
        file.unlink(missing_ok=True)
    say("runs CTest")
    jobs = str(os.cpu_count() or 2)
    ctest = ["ctest", "--test-dir", str(paths.BUILD), "--output-on-failure", "--progress"]
    ctest += ["-j", jobs, "--output-junit", str(results[0])]
    codes = [subprocess.run(ctest, env=environment).returncode]
    say("runs pytest")
    pytest = [sys.executable, "-m", "pytest", "-q", "-rs", "-p", "no:cacheprovider"]
    if not everything:  # long tests build with ninja, which is alone in its folder
        pytest += ["-n", jobs, "--dist", "loadfile"]
    pytest += [str(paths.ROOT / "tests"), "--junitxml", str(results[1])]
    codes.append(subprocess.run(pytest, env=environment, cwd=paths.ROOT).returncode)
    passed = failed = 0
    skips: list[str] = []
    for file in results:
        p, f, s = count(file)
        passed, failed, skips = passed + p, failed + f, skips + s
    for skip in skips:
        print(f"SKIPPED {skip}")
    if junit:
        merge(results, Path(junit))
    if any(codes) and not failed:
        failed = 1
    print(f"{passed} passed, {failed} failed, {len(skips)} skipped", flush=True)
    return 1 if failed or not passed else 0
