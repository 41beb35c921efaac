"""Accuracy over folders: metrics by hand, every form of a folder, known figures, bad input."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import presil
import pytest
from conftest import presil as called
from PIL import Image
from presil.evaluation.dataset import Item, read_dataset
from presil.evaluation.metric import value_of
from presil.paths import NETS

SAMPLES = NETS / "digits" / "samples"
CLASSES = 4


def classifier(channels: int = 3) -> presil.Network:
    """The class is the channel that is largest in the mean; the last class is no channel."""
    b = presil.Builder("means")
    x = b.input("x", [1, 8, 8, channels], "int8", 1 / 255, -128)
    out = b.fully_connected(
        b.mean(x, [1, 2], out=presil.Type("int8", 1 / 255, -128)),
        b.constant(np.eye(CLASSES, channels, dtype=np.int8) * 127, scale=1 / 127),
        out=presil.Type("int8", 1 / 255, -128),
    )
    b.output(out)
    return b.build()


def image_of(colour: tuple[int, int, int], file: Path) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    Image.new("RGB", (8, 8), colour).save(file)


RED, GREEN, BLUE = (255, 0, 0), (0, 255, 0), (0, 0, 255)


def rows(*answers: int) -> list[dict[str, object]]:
    return [{"class": a, "top": [a]} for a in answers]


def labelled(*labels: int) -> list[Item]:
    return [Item(str(k), "", None, label) for k, label in enumerate(labels)]


def test_top1_counts_what_is_right() -> None:
    found = value_of("top1", labelled(0, 1, 1, 2), rows(0, 1, 2, 2))
    assert found["value"] == 3 / 4 and found["right"] == 3
    assert found["classes"][1] == {"class": 1, "samples": 2, "right": 1}
    assert found["confused"] == [[1, 2, 1]]


def test_auc_is_the_share_of_ordered_pairs() -> None:
    scores = [{"score": s} for s in (0.1, 0.4, 0.4, 0.9)]
    # pairs (1 above 0): 0.4 > 0.1, 0.4 = 0.4 (half), 0.9 > both: 3.5 of 4
    found = value_of("auc", labelled(0, 0, 1, 1), scores)
    assert found["value"] == 3.5 / 4 and (found["positive"], found["negative"]) == (2, 2)


def test_map50_has_a_value_for_each_class() -> None:
    box = [0.0, 0.0, 10.0, 10.0]
    items = [Item("a", "", None, None, ((0, 0, 10, 10, 3), (50, 50, 60, 60, 5)))]
    found = value_of("map50", items, [{"boxes": [[*box, 0.9, 3]]}])
    assert found["value"] == 0.5, "class 3 is found, class 5 is not"
    assert [row["average_precision"] for row in found["classes"]] == [1.0, 0.0]


def test_class_folders_csv_and_arrays_say_the_same(tmp_path: Path) -> None:
    folders, table, arrays = (tmp_path / n for n in ("folders", "table", "arrays"))
    colours = [RED, GREEN, BLUE, RED]
    truths = [0, 1, 2, 1]  # the last is wrong: 3 of 4
    for k, (colour, truth) in enumerate(zip(colours, truths, strict=True)):
        image_of(colour, folders / str(truth) / f"{k}.png")
        image_of(colour, table / f"{k}.png")
    lines = "\n".join(f"{k}.png,{truth}" for k, truth in enumerate(truths))
    (table / "labels.csv").write_text(f"file,class\n{lines}\n", encoding="utf-8")
    arrays.mkdir()
    pixels = np.array(colours, np.uint8)[:, None, None, :] * np.ones((1, 8, 8, 1), np.uint8)
    pixels.tofile(arrays / "images_u8_4x8x8x3.bin")
    numbered = "\n".join(f"{k},{truth}" for k, truth in enumerate(truths))
    (arrays / "labels.csv").write_text(f"index,digit\n{numbered}\n", encoding="utf-8")
    net = classifier()
    values = [presil.evaluate(net, f, "top1").record for f in (folders, table, arrays)]
    assert [v["metric"]["value"] for v in values] == [0.75] * 3
    assert all(v["check"]["different_bytes"] == 0 and v["cycles"]["least"] > 0 for v in values)
    assert [v["data"]["form"] for v in values] == ["class folders", "labels.csv", "labels.csv"]


def test_classes_are_found_by_their_names(tmp_path: Path) -> None:
    for name, colour in {"blue": BLUE, "green": GREEN, "red": RED}.items():
        image_of(colour, tmp_path / "data" / name / "one.png")
    by_number = presil.evaluate(classifier(), tmp_path / "data", "top1", on="reference")
    assert by_number.value == 1 / 3, "by number blue is 0, as red is of the network"
    names = tmp_path / "names.txt"
    names.write_text("Red\nGreen\nBlue\nother\n", encoding="utf-8")
    by_name = presil.evaluate(classifier(), tmp_path / "data", "top1", on="reference", labels=names)
    assert by_name.value == 1.0


def test_boxes_of_every_form_are_the_same(tmp_path: Path) -> None:
    kept = json.loads((SAMPLES / "boxes.json").read_text(encoding="utf-8"))
    own, coco, yolo = (tmp_path / n for n in ("own", "coco", "yolo"))
    for folder in (own, coco, yolo):
        folder.mkdir()
    names = ["00.png", "01.png"]
    (own / "boxes.json").write_text(json.dumps({n: kept[n] for n in names}), encoding="utf-8")
    annotations = []
    for k, name in enumerate(names):
        for folder in (own, coco, yolo):
            shutil.copy(SAMPLES / name, folder / name)
        lines = []
        for row in kept[name]:
            x0, y0, x1, y1 = row["box"]
            bbox = [x0, y0, x1 - x0, y1 - y0]
            annotations.append({"image_id": k, "category_id": row["class"] + 10, "bbox": bbox})
            middle = ((x0 + x1) / 2 / 96, (y0 + y1) / 2 / 96, (x1 - x0) / 96, (y1 - y0) / 96)
            lines.append(" ".join([str(row["class"]), *map(str, middle)]))
        (yolo / f"{Path(name).stem}.txt").write_text("\n".join(lines), encoding="utf-8")
    said = {
        "images": [{"id": k, "file_name": n} for k, n in enumerate(names)],
        "categories": [{"id": k + 10, "name": str(k)} for k in range(10)],
        "annotations": annotations,
    }
    (coco / "annotations.json").write_text(json.dumps(said), encoding="utf-8")
    sets = [read_dataset(folder, True) for folder in (own, coco, yolo)]
    for other in sets[1:]:
        for mine, theirs in zip(sets[0].items, other.items, strict=True):
            assert np.allclose(mine.boxes, theirs.boxes)


def test_letterboxed_detections_are_boxes_of_the_image(tmp_path: Path) -> None:
    """Scene 00 enlarged twice and laid on a wider canvas: the boxes are those of the canvas."""
    kept = json.loads((SAMPLES / "boxes.json").read_text(encoding="utf-8"))["00.png"]
    scene = Image.open(SAMPLES / "00.png").resize((192, 192), Image.Resampling.NEAREST)
    canvas = Image.new("RGB", (192, 192))
    canvas.paste(scene)
    canvas.save(tmp_path / "big.png")
    boxes = [{"class": r["class"], "box": [2 * v for v in r["box"]]} for r in kept]
    (tmp_path / "boxes.json").write_text(json.dumps({"big.png": boxes}), encoding="utf-8")
    for image in (None, presil.evaluation.reader.ImageOptions(letterbox=0)):
        found = presil.evaluate("digits", tmp_path, "map50", on="reference", image=image)
        assert found.value > 0.7, found.record["per_sample"]


def test_results_do_not_depend_on_the_workers() -> None:
    one = presil.evaluate("digits", SAMPLES, "map50", jobs=1, samples="0:20")
    two = presil.evaluate("digits", SAMPLES, "map50", jobs=2, samples="0:20")
    assert one.record == two.record
    assert sum(one.record["cycles"]["histogram"]["samples"]) == 20


def test_the_command_line_ends_as_its_guide_says(tmp_path: Path) -> None:
    asked = ("eval", "digits", "--data", SAMPLES, "--metric", "map50")
    ended = called(*asked, "--json", cwd=tmp_path)
    assert ended.code == 0, ended.err
    record = json.loads(ended.out)
    assert round(record["metric"]["value"], 4) == 0.9907, "as the demo says, 0.991"
    assert record["check"] == {"compared_bytes": 197504, "different_bytes": 0, "first": None}
    short = called(*asked, "--on", "reference", "--least", "0.9999", cwd=tmp_path)
    assert short.code == 1 and "mAP50 is 0.9907, must be at least 0.9999" in short.err


def test_known_accuracies_of_trained_networks(shared: Path) -> None:
    """Figures of the models' README: what TFLite Micro and LiteRT get right of the same samples."""
    file = shared / "models" / "mlperf-tiny-dscnn-kws" / "kws_ref_model.tflite"
    data = shared / "data" / "kws01"
    for numerics, right in (("tflite", 452), ("xnnpack", 453)):
        found = presil.evaluate(file, data, "top1", on="reference", numerics=numerics)
        assert found.record["metric"]["right"] == right


def test_scores_of_toy_cars_are_those_of_their_golden(shared: Path) -> None:
    data = shared / "data" / "internal-test-only" / "ad01"
    folder = shared / "models" / "mlperf-tiny-autoencoder-ad"
    if not data.is_dir():
        pytest.skip(f"SKIPPED: no {data}")
    lines = (folder / "golden" / "scores.csv").read_text(encoding="utf-8").splitlines()[1:]
    golden = {line.split(",")[0]: float(line.split(",")[2]) for line in lines}
    found = presil.evaluate(
        folder / "ad01_int8.tflite", data, "auc", on="reference", dtype="float32", window=128
    )
    for row in found.record["per_sample"]:
        assert row["windows"] == 196 and row["score"] == pytest.approx(golden[row["name"]], 1e-5)


BAD = {
    "labels.csv": [
        ("file", "has no two columns in its first line"),
        ("file,class\na.png", "line 2, has 1 columns, expected 2"),
        ("file,class\nb.png,1", "names 'b.png', and there is no such file in"),
        ("file,class\na.png,99999999", "must be at most 1000000"),
        ("index,class\n0,1", "numbers 1 samples, and of the 0 array files beside it"),
        ("file,class", "names no sample; at least one is required"),
    ],
    "boxes.json": [
        ("[", "cannot be read as JSON"),
        ("[]", "holds no mapping, expected image names with their boxes"),
        ('{"a.png": 3}', 'is not a list of {"class": number'),
        ('{"a.png": [{"class": 1, "box": [1, 2]}]}', "has box [1, 2], expected four numbers"),
        (
            '{"a.png": [{"class": -1, "box": [1, 2, 3, 4]}]}',
            "has class -1, expected a class number, 0 or more",
        ),
        ('{"a.png": []}', "no image has a box, at least one is required for map50"),
    ],
    "annotations.json": [("{}", "is not in COCO's form (KeyError")],
    "a.txt": [("1 0.5 0.5", "line 1, is '1 0.5 0.5', expected class cx cy w h")],
}


@pytest.mark.parametrize(
    ("name", "text", "said"), [(n, t, s) for n, rows in BAD.items() for t, s in rows]
)
def test_bad_folders_are_refused(tmp_path: Path, name: str, text: str, said: str) -> None:
    image_of(RED, tmp_path / "a.png")
    (tmp_path / name).write_text(text, encoding="utf-8")
    net, metric = (classifier(), "top1") if name == "labels.csv" else ("digits", "map50")
    with pytest.raises(presil.Refusal) as refused:
        presil.evaluate(net, tmp_path, metric, on="reference")
    assert said in str(refused.value)


def test_more_of_a_folder_is_refused(tmp_path: Path) -> None:
    net, data = classifier(), tmp_path / "data"
    data.mkdir()

    def refused(text: str, folder: Path = data, metric: str = "top1", **options: object) -> None:
        given = options.pop("net", net)
        with pytest.raises(presil.Refusal) as told:
            presil.evaluate(given, folder, metric, on=options.pop("on", "reference"), **options)
        assert text in str(told.value)

    refused("there is no folder", tmp_path / "none")
    refused("has no labels, expected labels.csv, or a folder of samples for each class")
    refused("has no boxes, expected boxes.json", metric="map50", net="digits")
    (data / "classes.txt").write_bytes(b"\xff\xfe\xff")
    image_of(RED, data / "red" / "a.png")
    refused("classes.txt' is not text")
    (data / "classes.txt").write_text("blue\n", encoding="utf-8")
    refused("is no class of")
    (data / "classes.txt").write_text("red\ngreen\n", encoding="utf-8")
    refused("eval: --samples is '3:4', and", samples="3:4")
    refused("eval: --output is 7, the network has outputs 0..0", output=7)
    refused("--dtype is 'words', expected a type of numbers", dtype="words")
    refused("--window makes several inputs of a sample", window=64, net=classifier(1),
            folder=windowed(tmp_path / "w"))  # fmt: skip
    refused("values, must have 64 for a window", window=1, net=classifier(1),
            folder=windowed(tmp_path / "v", 10))  # fmt: skip
    refused("auc compares class 0 with others, and all 1 samples are of class 0", metric="auc")
    refused("--score is '9', expected 'error' or a class of the output, 0..3", metric="auc",
            score="9")  # fmt: skip
    refused("--score error compares input and output", metric="auc", score="error")
    refused("eval: soc and set are of the simulated SoC, and this runs on reference", soc="micro")
    refused("eval: litert reads .tflite files, 'means' is none", on="litert")
    refused("computes the file alone, without --post", on="litert", net="digits", metric="map50",
            folder=SAMPLES)  # fmt: skip
    names = tmp_path / "names.txt"
    names.write_text("a\nb\n", encoding="utf-8")
    refused("is called as one of the data", labels=names)
    table = tmp_path / "table"
    image_of(RED, table / "a.png")
    (table / "classes.txt").write_text("red\n", encoding="utf-8")
    (table / "labels.csv").write_text("file,class\na.png,violet\n", encoding="utf-8")
    refused("has class 'violet', which is not in classes.txt", folder=table)
    (table / "labels.csv").write_bytes(b"\xff\xfe\xfd")
    refused("is not a table of text", folder=table)
    np.save(table / "x.npy", np.zeros((2, 8, 8, 3), np.int8))
    (table / "labels.csv").write_text("index,class\n5,0\n", encoding="utf-8")
    refused("holds 2 samples, index 5 is beyond", folder=table)
    (table / "labels.csv").write_text("index,class\n-1,0\n", encoding="utf-8")
    refused("has index '-1', expected the number of a sample", folder=table)
    (table / "labels.csv").write_text("file,class\nx.npy,0\n", encoding="utf-8")
    (table / "x.npy").write_bytes(b"nothing")
    refused("cannot be read as an array", folder=table)
    (table / "x_i8_3x8.bin").write_bytes(b"four")
    (table / "labels.csv").write_text("file,class\nx_i8_3x8.bin,0\n", encoding="utf-8")
    refused("has 4 bytes, expected int8[3, 8]; see --dtype", folder=table)
    (table / "a.png").write_bytes(b"no image")
    (table / "a.txt").write_text("0 .5 .5 .5 .5", encoding="utf-8")
    refused("is not an image that can be read", folder=table, metric="map50", net="digits")


def windowed(folder: Path, values: int = 256) -> Path:
    folder.mkdir()
    np.zeros(values, np.int8).tofile(folder / "row_i8.bin")
    (folder / "labels.csv").write_text("file,class\nrow_i8.bin,0\n", encoding="utf-8")
    return folder


def test_networks_without_an_answer_are_refused(tmp_path: Path) -> None:
    folder = windowed(tmp_path / "data")
    b = presil.Builder("two")
    x = [b.input(name, [1, 4], "float32") for name in "ab"]
    b.output(b.add(*x))
    with pytest.raises(presil.Refusal, match="the network has 2 inputs .*must have one"):
        presil.evaluate(b.build(), folder, "top1", on="reference")
    b = presil.Builder("plane")
    b.output(b.relu(b.input("x", [1, 4, 4, 3], "float32")))
    with pytest.raises(presil.Refusal, match="no output is one row of numbers"):
        presil.evaluate(b.build(), folder, "top1", on="reference")
    with pytest.raises(presil.Refusal, match="map50 requires detections, and the network ends in"):
        presil.evaluate(classifier(), SAMPLES, "map50", on="reference")
    stripped = presil.compile(classifier(), strip=True)
    with pytest.raises(presil.Refusal, match="compiled with --strip; give one that has its graph"):
        presil.evaluate(stripped, folder, "top1", check="none")
    stripped.save(tmp_path / "net.presil")
    loaded = presil.open_loadable(tmp_path / "net.presil")
    with pytest.raises(presil.Refusal, match="needs the network, give it instead of its loadable"):
        presil.evaluate(loaded, folder, "top1", on="reference")
