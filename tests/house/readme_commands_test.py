"""The commands that READMEs show exist and parse; those that cost nothing are run.

`demo`, `test` and runs of networks are long: tests/python and `sim/presil test` itself run them.
"""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import click
import pytest
from tree import ROOT, name_of, text_of, tracked

LAUNCHER = "sim/presil"
FENCE = re.compile(r"^```sh\n(.*?)^```$", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"^```.*?^```$|`[^`\n]*`", re.MULTILINE | re.DOTALL)
CHEAP = ("socs", "nets")  # need no built module


def commands_in(text: str) -> list[list[str]]:
    """Arguments of every `sim/presil ...` line of the sh blocks."""
    found = []
    for block in FENCE.findall(text):
        for line in block.replace("\\\n", " ").splitlines():
            words = shlex.split(line.removeprefix("$ "), comments=True)
            if words[:1] == [LAUNCHER]:
                found.append(words[1:])
    return found


def shown() -> list[tuple[Path, list[str]]]:
    readmes = [file for file in tracked() if file.suffix == ".md"]
    return [(file, words) for file in readmes for words in commands_in(text_of(file) or "")]


def parse(words: list[str]) -> None:
    """Raises what click would tell the user; runs nothing."""
    from presil.cli import cli

    try:
        context = cli.make_context("presil", list(words))
        verb = cli.get_command(context, words[0])
        if verb is None:
            raise click.UsageError(f"there is no verb '{words[0]}'")
        verb.make_context(words[0], words[1:])
    except click.exceptions.Exit as ended:  # --help, --version
        assert ended.exit_code == 0


def test_commands_of_readmes_parse() -> None:
    wrong = []
    for file, words in shown():
        try:
            parse(words)
        except click.ClickException as error:
            wrong.append(f"{name_of(file)}: {shlex.join(words)}: {error.format_message()}")
    assert not wrong, "\n".join(wrong)


def test_the_front_page_shows_the_two_commands() -> None:
    verbs = [words[0] for words in commands_in((ROOT / "README.md").read_text(encoding="utf-8"))]
    assert "demo" in verbs and "test" in verbs


def test_files_that_commands_name_exist() -> None:
    """What looks like a file of the project is one: sim/nets/digits/00.png, not NET.tflite."""
    wrong = [
        f"{name_of(file)}: {shlex.join(words)}: no {word}"
        for file, words in shown()
        for word in words
        if word.startswith(("sim/", "tests/", "rtl/"))
        and not (ROOT / word.partition(",")[0]).exists()  # post.yaml,score=0.05
    ]
    assert not wrong, "\n".join(wrong)


def test_links_between_pages_lead_somewhere() -> None:
    link = re.compile(r"\]\((?!https?:|#)([^)#\s]+)")
    wrong = [
        f"{name_of(file)}: {target}"
        for file in tracked()
        if file.suffix == ".md"
        for target in link.findall(CODE.sub("", text_of(file) or ""))
        if not (file.parent / target).exists()
    ]
    assert not wrong, "\n".join(wrong)


def test_a_wrong_command_is_found() -> None:
    block = (
        "```sh\nsim/presil frobnicate  # no such verb\nsim/presil run NET --frobnicate\nls\n```\n"
    )
    first, second = commands_in(block)
    assert first == ["frobnicate"] and second == ["run", "NET", "--frobnicate"]
    for words in (first, second):
        with pytest.raises(click.UsageError):
            parse(words)


@pytest.mark.parametrize("verb", CHEAP)
def test_cheap_verbs_answer(presil, verb: str) -> None:
    ended = presil(verb)
    assert ended.code == 0, ended.err
    assert ended.out.strip()


def test_every_verb_explains_itself(presil) -> None:
    from presil.cli import cli

    listed = presil("--help")
    assert listed.code == 0, listed.err
    for verb in cli.list_commands(click.Context(cli)):
        assert f"  {verb} " in listed.out
    ended = presil("run", "--help")
    assert ended.code == 0 and "Usage: presil run" in ended.out
