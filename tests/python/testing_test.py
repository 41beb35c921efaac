"""What `presil test` counts in JUnit files of CTest and pytest."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from pathlib import Path

from presil.testing import count, merge

CTEST = """<?xml version="1.0" encoding="UTF-8"?>
<testsuite name="(empty)" tests="5" failures="1" disabled="0" skipped="2" hostname="" time="0">
  <testcase name="A.passes" classname="A.passes" time="0.1" status="run">
    <system-out>[ OK ] SKIP is only a word here</system-out>
  </testcase>
  <testcase name="A.fails" classname="A.fails" time="0.1" status="fail">
    <failure message="Failed"/>
  </testcase>
  <testcase name="A.needs" classname="A.needs" time="0.1" status="notrun">
    <skipped message="SKIP_REGULAR_EXPRESSION_MATCHED"/>
    <system-out>
[ RUN      ] A.needs
tests/a_test.cpp:30: Skipped
SKIPPED: no trained networks at ../nets

[  SKIPPED ] A.needs (0 ms)
    </system-out>
  </testcase>
  <testcase name="A.off" classname="A.off" time="0" status="disabled"/>
</testsuite>
"""

PYTEST = """<?xml version="1.0" encoding="utf-8"?>
<testsuites><testsuite name="pytest" errors="1" failures="1" skipped="1" tests="4" time="1">
  <testcase classname="tests.a" name="one" time="0.1"/>
  <testcase classname="tests.a" name="two" time="0.1"><failure message="no">t</failure></testcase>
  <testcase classname="tests.a" name="three" time="0.1"><error message="no">text</error></testcase>
  <testcase classname="tests.a" name="four" time="0.1">
    <skipped type="pytest.skip" message="SKIPPED: no compiler here">tests/a.py:3</skipped>
  </testcase>
</testsuite></testsuites>
"""


def written(folder: Path, name: str, text: str) -> Path:
    file = folder / name
    file.write_text(text, encoding="utf-8")
    return file


def test_ctest_results_are_counted_and_skips_keep_their_reason(tmp_path: Path) -> None:
    passed, failed, skipped = count(written(tmp_path, "ctest.xml", CTEST))
    assert (passed, failed) == (1, 1)
    assert skipped == [
        "A.needs: SKIPPED: no trained networks at ../nets",
        "A.off: not run",
    ]


def test_pytest_results_are_counted_errors_as_failures(tmp_path: Path) -> None:
    passed, failed, skipped = count(written(tmp_path, "pytest.xml", PYTEST))
    assert (passed, failed) == (1, 2)
    assert skipped == ["four: SKIPPED: no compiler here"]


def test_results_that_were_never_written_are_a_failure(tmp_path: Path) -> None:
    assert count(tmp_path / "nowhere.xml") == (0, 1, [])


def test_merged_results_count_as_their_parts(tmp_path: Path) -> None:
    parts = [written(tmp_path, "c.xml", CTEST), written(tmp_path, "p.xml", PYTEST)]
    out = tmp_path / "deep" / "all.xml"
    merge([*parts, tmp_path / "nowhere.xml"], out)
    suites = ElementTree.parse(out).getroot()
    assert suites.tag == "testsuites" and [s.tag for s in suites] == ["testsuite", "testsuite"]
    passed, failed, skipped = count(out)
    assert (passed, failed, len(skipped)) == (2, 3, 3)
