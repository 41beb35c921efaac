"""Several images at a time: what is asked for, and what is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import presil
import pytest
from click.testing import CliRunner
from presil.cli import cli

DIGITS = str(Path(__file__).resolve().parents[2] / "sim/nets/digits/digits.tflite")


@pytest.mark.parametrize("batch", [0, -1, 4097, 1.5, True, "2"])
def test_a_batch_is_a_whole_number_from_1(batch: Any) -> None:
    with pytest.raises(presil.Refusal, match="expected a whole number 1..4096"):
        presil.load(DIGITS, batch=batch)


def test_inputs_and_outputs_have_the_batch_and_each_image_its_own_answer() -> None:
    net, one = presil.load(DIGITS, batch=3), presil.load(DIGITS)
    assert [t["shape"][0] for t in (*net.inputs, *net.outputs)] == [3] * (
        len(net.inputs) + len(net.outputs)
    )
    tensor = one.inputs[0]
    info = np.iinfo(tensor["dtype"])
    x = np.random.default_rng(2).integers(info.min, info.max + 1, (3, *tensor["shape"][1:]))
    x = x.astype(tensor["dtype"])
    for got, expected in zip(presil.run(net, x).arrays, presil.run(one, x).arrays, strict=True):
        assert np.array_equal(got, expected)


def test_boxes_are_decoded_of_one_image(tmp_path: Path) -> None:
    post = tmp_path / "post.yaml"
    post.write_text("decode: {}\n", encoding="utf-8")
    with pytest.raises(presil.Refusal, match="batch is 2, must be 1 where boxes are decoded"):
        presil.load(DIGITS, post=post, batch=2)


def test_the_command_line_takes_it_for_networks_and_not_for_loadables(tmp_path: Path) -> None:
    out = tmp_path / "two.presil"
    run = CliRunner().invoke(cli, ["compile", DIGITS, "--batch", "2", "-o", str(out), "--quiet"])
    assert run.exit_code == 0, run.output
    shown = CliRunner().invoke(cli, ["inspect", DIGITS, "--batch", "2", "--stage", "import"])
    assert "int8[2," in shown.output or "uint8[2," in shown.output
    again = CliRunner().invoke(cli, ["run", str(out), "--batch", "2"])
    assert isinstance(again.exception, presil.Refusal)
    assert "--batch" in str(again.exception)
