"""Every operator that presil imports, in random networks: the interpreter computes what TFLite
Micro (`tflite`) and LiteRT (`xnnpack`) do, and the SoC what the interpreter does, byte for byte."""

from __future__ import annotations

import re
from collections.abc import Iterator

import presil
import pytest
from conftest import ROOT
from oracle.operators import joined
from oracle.runtimes import Absent, Runtimes
from oracle.sweep import Sweep, made
from oracle.table import OPERATORS

FEW, MANY = 1, 60
#: Of a hundred cases, how many must come to a comparison.
LEAST = 75


@pytest.fixture(scope="module")
def runtimes() -> Iterator[Runtimes | None]:
    try:
        made = Runtimes()
    except Absent:
        yield None
        return
    yield made
    made.close()


@pytest.fixture(scope="module")
def sweep(runtimes: Runtimes | None) -> Iterator[Sweep]:
    made = Sweep(runtimes)
    yield made
    made.close()


def test_every_operator_that_is_imported_is_tried() -> None:
    tried = {code["code"] for op in OPERATORS.values() for code in made(op, 0).codes}
    sources = (ROOT / "compiler_bridge" / "import" / "tflite").glob("*.cpp")
    text = "".join(file.read_text(encoding="utf-8") for file in sources)
    imported = set(re.findall(r"\{file::Builtin_(\w+),\s*(?:ir::)?OpKind", text))
    assert len(imported) >= 36
    assert not imported - tried, "tests/reference/oracle/operators must have a file for each"


def test_the_table_makes_at_least_2000_networks_in_all() -> None:
    assert len(OPERATORS) * MANY >= 2000


@pytest.mark.parametrize("name", OPERATORS)
def test_one_operator_is_the_same_in_runtime_interpreter_and_soc(
    name: str, runtimes: Runtimes | None, sweep: Sweep, everything: bool
) -> None:
    operator = OPERATORS[name]
    cases = MANY if everything else FEW
    for tally in sweep.run(operator, range(cases)):
        told = f"{tally.line()}; {tally.texts}; {tally.faults[:3]}"
        assert not tally.faults, told
        if everything:
            assert tally.on_soc >= 2 * cases * LEAST // 100, told
        if runtimes is None:
            continue
        allowed = operator.allowed.get(tally.rules, 0)
        assert tally.wrong <= allowed * tally.values, told
        assert operator.near[tally.rules] or tally.largest <= 2 * bool(allowed), told
        if everything:
            assert tally.cases >= cases * LEAST // 100, told
    if runtimes is None:
        pytest.skip(
            "SKIPPED: compared with the SoC only: no tflite-micro and ai-edge-litert, which "
            "`sim/presil test --all` installs"
        )


@pytest.mark.parametrize("module", joined(), ids=lambda m: m.__name__.rsplit(".", 1)[-1])
def test_what_was_worked_out_by_hand_comes_out(module) -> None:  # noqa: ANN001
    for case in module.by_hand():
        net = case.builder.build()
        run = presil.run(net, case.inputs, check="layers")
        assert run.exact
        for name, values in case.outputs.items():
            assert presil.reference(net, case.inputs)[name].tolist() == values, name
            assert run.outputs[name].tolist() == values, name


@pytest.mark.parametrize("module", joined(), ids=lambda m: m.__name__.rsplit(".", 1)[-1])
def test_what_it_is_not_defined_for_is_refused(module) -> None:  # noqa: ANN001
    for make, text in module.refused():
        with pytest.raises(presil.Refusal, match=re.escape(text)):
            make()


def test_a_wrong_value_is_found_and_located(runtimes: Runtimes | None) -> None:
    """The comparison can fail: a runtime that says another number is told with case and count."""

    class Liar:
        def __call__(self, rules, file, inputs):  # noqa: ANN001, ANN204
            (x,) = inputs
            expected = x.reshape(-1).copy()
            expected[-1] += 1
            return [expected]

    lying = Sweep(Liar(), ())  # type: ignore[arg-type]
    (tally, _) = lying.run(OPERATORS["RESHAPE i8"], range(2))
    lying.close()
    assert (tally.wrong, tally.largest in (1, 255), tally.cases) == (2, True, 2)
    assert tally.texts["differs"] == "case 1: 1 values"


def test_presil_refuses_what_the_table_makes_in_words(tmp_path) -> None:  # noqa: ANN001
    """Networks that no rule covers end in a refusal, which the sweep counts; not in a crash."""
    model = made(OPERATORS["SQUARED_DIFFERENCE i16"], 0)
    file = tmp_path / "difference.tflite"
    file.write_bytes(model.file())
    with pytest.raises(presil.Refusal, match="under tflite numerics only"):
        presil.reference(presil.load(file, "xnnpack"), model.values())
