"""The rooms of the house, and how large a file may become."""

from __future__ import annotations

from tree import ROOT, hand_written, name_of, tracked

TOP = {
    "CMakeLists.txt",
    "LICENSE",
    "README.md",
    "compiler_bridge",
    "driver",
    "models",
    "rtl",
    "sim",
    "testbench",
    "tests",
}
LATER = {"testbench"}  # may be absent until it has content
MOST_LINES = 500


def test_the_top_level_holds_the_layers_and_nothing_else() -> None:
    top = {file.relative_to(ROOT).parts[0] for file in tracked()}
    visible = {name for name in top if not name.startswith(".")}
    assert visible - TOP == set()
    assert TOP - LATER - visible == set()


def test_sources_and_folders_are_named_in_lower_snake() -> None:
    capital = {"README.md", "MEASURED.md", "PUBLISHED.md", "RATIONALE.md", "CMakeLists.txt"}
    wrong = {
        name_of(file)
        for file in hand_written()
        for part in file.relative_to(ROOT).parts
        if part not in capital and (part != part.lower() or "-" in part)
    }
    assert not wrong, "\n".join(sorted(wrong))


def test_no_file_hides_a_second_idea() -> None:
    """A file has at most 500 lines; what a printer made does not count."""
    wrong = []
    for file in hand_written():
        lines = len(file.read_text(encoding="utf-8").splitlines())
        if lines > MOST_LINES:
            wrong.append(f"{name_of(file)} has {lines} lines, must be at most {MOST_LINES}")
    assert not wrong, "\n".join(wrong)


def test_every_block_of_rtl_has_its_page() -> None:
    rooms = {file.parent for file in tracked() if file.parent.parent == ROOT / "rtl"}
    assert not [name_of(room) for room in rooms if not (room / "README.md").is_file()]


def test_every_cpp_test_is_in_a_target() -> None:
    wrong = []
    for file in hand_written(".cpp"):
        if not name_of(file).startswith("tests/") or not file.stem.endswith("_test"):
            continue
        listed = file.parent / "CMakeLists.txt"
        text = listed.read_text(encoding="utf-8") if listed.is_file() else ""
        if file.name not in text and "*_test.cpp" not in text and "*.cpp" not in text:
            wrong.append(f"{name_of(file)} is in no target of {name_of(listed)}")
    assert not wrong, "\n".join(wrong)
