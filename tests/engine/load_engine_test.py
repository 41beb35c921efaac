"""What Python says of engines that cannot be loaded; what they are in runs is tested where they
stand."""

from __future__ import annotations

from pathlib import Path

import presil
import pytest
from presil import contract, engines


def test_what_is_no_folder_of_an_engine_is_refused(tmp_path: Path) -> None:
    with pytest.raises(
        presil.Refusal, match="engine: got 7, expected the path of an engine's folder"
    ):
        presil.load_engine(7)  # type: ignore[arg-type]
    with pytest.raises(presil.Refusal, match="engine: engines are 7, expected a list of folders"):
        presil.compile("digits", engines=7)
    with pytest.raises(presil.Refusal, match="is no folder, must be the folder of an engine"):
        presil.load_engine(tmp_path / "nowhere")
    with pytest.raises(presil.Refusal, match="has no engine.yaml and no engine_<name>.json"):
        presil.load_soc("edge", engines=[tmp_path])


def test_the_variable_lists_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(engines.VARIABLE, f"{tmp_path / 'a'}:{tmp_path / 'b'}")
    with pytest.raises(presil.Refusal, match=f"{tmp_path / 'a'}: is no folder"):
        presil.load_soc("edge")
    monkeypatch.setenv(engines.VARIABLE, "")
    assert "engines" not in presil.load_soc("edge").canonical_text


def test_an_engine_that_is_not_loaded_is_refused_by_name() -> None:
    with pytest.raises(presil.Refusal, match="the SoC has engine wheel, which is not loaded; name"):
        presil.load_soc({"engines": {"wheel": {"teeth": 3}}})
    with pytest.raises(presil.Refusal, match="there is no parameter 'engines.wheel'"):
        presil.load_soc({"engines.wheel": 1})


def test_presils_own_queues_have_their_names() -> None:
    own = len(contract.QUEUES)
    assert engines.queue_names()[:own] == contract.QUEUES
    of = tuple(contract.ENGINE_OF[name] for name in contract.QUEUES)
    assert engines.queue_engines()[:own] == of
    assert engines.engine_names()[: len(contract.ENGINES)] == tuple(contract.ENGINES)
    for name, engine in contract.ENGINES.items():
        assert engines.engine_waits(name) == engine.waits


def test_texts_of_socs_are_compared_by_their_engines() -> None:
    plain, wheel = "dla.units=1\n", "engines.wheel.teeth=3\nengines.wheel.units=1\n"
    assert engines.differing_engines(plain, plain) == ""
    assert engines.differing_engines(wheel, wheel) == ""
    assert "for a SoC with engine wheel, which" in engines.differing_engines(wheel, plain)
    assert "without engine wheel, which this SoC has" in engines.differing_engines(plain, wheel)
