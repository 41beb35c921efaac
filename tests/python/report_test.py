"""report.html: whole by itself, true to run.json, and usable in a browser of any width."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import numpy as np
import presil as package
import pytest
from PIL import Image
from presil.answers import answer_of
from presil.report import html as page
from presil.report import write_report
from records import record
from report_browser import browse, load_ms

MOST_BYTES = 3_000_000
SSD = "ssd_mobilenet_v1_coco_quant.tflite"

# Works the report's controls, and leaves what it saw.
LOOK = """
const look = async (page, root, width) => {
  const tabs = [...page.querySelectorAll("[data-tab]")];
  const wide = [root.scrollWidth];
  for (const tab of tabs) {
    tab.click();
    await new Promise((done) => setTimeout(done, 100));
    wide.push(root.scrollWidth);
  }
  seen.widths[width] = {needs: Math.max(...wide), has: root.clientWidth};
  seen.ready = root.dataset.ready;
  seen.keys = Object.fromEntries([...page.querySelectorAll("[data-key]")].map(
    (e) => [e.dataset.key, JSON.parse(e.dataset.value)]));
  seen.texts = Object.fromEntries([...page.querySelectorAll("[data-key]")].map(
    (e) => [e.dataset.key, e.textContent]));
  seen.marks = Object.fromEntries([...page.querySelectorAll("[data-plot]")].map(
    (e) => [e.dataset.plot,
            e.querySelectorAll("g rect, circle, canvas, path.area").length]));
  seen.plots = {};
  for (const e of page.querySelectorAll("[data-plot]"))
    (seen.plots[e.dataset.plot] ||= []).push(e.querySelectorAll("circle").length);
  seen.joined = page.querySelectorAll("path.joins").length;
  seen.axes = [...page.querySelectorAll(".page [data-plot] svg > text")].map((e) => e.textContent);
  const area = page.querySelector("path.area"), peak = page.querySelector("line.peak");
  seen.traffic = [Number(area.dataset.most), Number(peak.dataset.peak),
                  area.getBBox().y - Number(peak.getAttribute("y1"))];
  seen.boxes = page.querySelectorAll("figure rect").length;
  seen.answers = [...page.querySelectorAll("figcaption")].map((e) => e.innerText);
  const table = page.querySelector("[data-table=layers]"), names = () =>
    [...table.tBodies[0].rows].filter((r) => !r.hidden).map((r) => Number(r.dataset.layer));
  seen.order = names();
  [...table.tHead.rows[0].cells].find((e) => e.textContent === "cycles").click();
  seen.sorted = names();
  const heads = [...table.tHead.rows[0].cells].map((e) => e.textContent);
  const first = [...table.tBodies[0].rows].find((r) => r.dataset.layer === "0");
  const cell = (name) => (first && heads.includes(name) ? first.cells[heads.indexOf(name)] : null);
  seen.facts = ["inputs", "outputs", "tiles", "ideal", "lanes", "weights"].map(
    (name) => cell(name)?.textContent);
  seen.legends = [...page.querySelectorAll(".legend")].map((e) => e.children.length);
  const filter = page.querySelector("[data-filter=layers]");
  filter.value = "dsp";
  filter.dispatchEvent(new Event("input"));
  seen.filtered = names();
  const said = page.querySelector(".said"), whole = said.textContent;
  page.querySelector("[data-zoom='2']").click();
  seen.zoomed = [whole, said.textContent];
};
"""


def test_a_report_asks_for_nothing_outside_itself(tmp_path: Path) -> None:
    text = write_report([(record(), tmp_path)], tmp_path / "report.html").read_text()
    assert len(text) < MOST_BYTES
    markup = re.sub(r"<script>.*?</script>", "", text, flags=re.S)
    assert not re.search(r"https?://|@import|url\(", markup)
    assert re.findall(r'(?:src|href)="(?!#|data:)[^"]*"', markup) == []


def test_names_from_a_network_are_shown_never_run(tmp_path: Path) -> None:
    evil = record()
    evil["layers"][0]["name"] = "</script><script>alert(1)</script>"
    evil["placement"][0]["reason"] = "<img src=x onerror=alert(1)>"
    text = page.html_of([(evil, tmp_path)])
    assert "alert(1)</script>" not in text and "<img" not in text


def test_a_image_that_is_gone_is_said_to_be(tmp_path: Path) -> None:
    run = record()
    run["pictures"] = [{"file": "pictures/00.png", "width": 8, "height": 8, "boxes": []}]
    assert "pictures/00.png is not beside the record any more" in page.html_of([(run, tmp_path)])


def test_without_d3_there_is_a_sentence_and_no_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page.paths, "D3", tmp_path / "nowhere.js")
    with pytest.raises(ValueError, match="install the Debian package libjs-d3"):
        write_report([(record(), tmp_path)], tmp_path / "report.html")
    assert not (tmp_path / "report.html").exists()


def test_several_runs_stand_in_one_page(presil, tmp_path: Path) -> None:
    for name in ("a", "b"):
        run = record()
        run["soc"]["name"] = name
        (tmp_path / name).mkdir()
        (tmp_path / name / "run.json").write_text(json.dumps(run))
    ended = presil("report", "a", "b/run.json", "--html", "both.html")
    assert ended.code == 0, ended.err
    text = (tmp_path / "both.html").read_text()
    assert "2 runs" in text and "toy.tflite on a" in text and "toy.tflite on b" in text


def followed(score: float, *points: tuple[int | None, int]) -> list[dict]:
    layer = {"layer": 2, "name": "last", "op": "nms", "engine": "dsp", "iou": 0.5, "max": 9}
    samples = [{"candidates": n, "stayed": 1, "cycles": cycles} for n, cycles in points]
    return [{**layer, "score": score, "samples": samples}]


def test_layers_whose_time_follows_the_data_are_points_over_their_candidates(
    tmp_path: Path,
) -> None:
    """In each run's part, and of all runs together; what was not counted is no point there."""
    runs = [record() for _ in range(3)]
    runs[0]["data_time"] = followed(0.5, (0, 800), (12, 2000))
    runs[1]["data_time"] = followed(0.25, (100, 9000), (None, 8000))
    runs[2]["soc"]["name"] = "c"
    text = page.html_of([(run, tmp_path) for run in runs])
    markup = re.sub(r"<script.*?</script>", "", text, flags=re.S)
    assert markup.count("whose time follows the data") == 3  # of the page, of the first two runs
    assert markup.count('data-plot="candidates"') == 3 and markup.count('data-plot="limits"') == 1
    assert "0 to 12" in markup and "800 to 2,000" in markup and "8,000 to 9,000" in markup
    row = re.search(r"score limit</th>(.*?)</tr>", markup)
    assert row and re.findall(r">([^<]*)</td>", row[1]) == ["0.5", "0.25", ""]
    alone = page.html_of([(runs[0], tmp_path), (runs[2], tmp_path)])
    assert "A plot requires several" not in alone
    assert alone.count('data-plot="candidates"') == 1 and 'data-plot="limits"' not in alone
    if shutil.which("chromium") is None:
        pytest.skip("SKIPPED: no chromium to open the report with")
    (tmp_path / "report.html").write_text(text)
    seen, console = browse(tmp_path, LOOK)
    assert console == [] and seen["ready"] == "true"
    assert seen["plots"]["candidates"] == [3, 2, 1] and seen["plots"]["limits"] == [4]
    assert seen["joined"] == 2  # the same sample under both limits
    assert "candidates (logarithmic)" in seen["axes"] and "cycles of the layer" in seen["axes"]
    assert "12 candidates" in seen["axes"]  # few points are labelled
    for width, wide in seen["widths"].items():
        assert wide["needs"] <= wide["has"], f"{width} px: the page is wider than its window"


def test_a_layer_of_one_sample_is_no_plot_but_says_how_to_get_one(tmp_path: Path) -> None:
    run = record()
    run["data_time"], run["samples"] = followed(0.5, (12, 2000)), 1
    markup = re.sub(r"<script.*?</script>", "", page.html_of([(run, tmp_path)]), flags=re.S)
    assert "A plot requires several" in markup and 'data-plot="candidates"' not in markup


def test_a_record_without_its_parts_is_refused(presil, tmp_path: Path) -> None:
    for missing in ("layers", "engines", "simulator", "placement"):
        run = record()
        del run[missing]
        (tmp_path / "run.json").write_text(json.dumps(run))
        ended = presil("report", "run.json", "--html", "report.html")
        assert ended.code == 2 and "lacks a part" in ended.err, (missing, ended)


def keys_of(run: dict) -> dict:
    """The key figures of a page, from the record."""
    dram = run["memory"]["dram"]
    return {
        "exact": run["check"]["exact"],
        "per_sample": run["cycles"] / run["samples"],
        "inferences_per_s": 1e3 * run["samples"] / run["time_ms"],
        "utilisation": run["engines"]["dla"]["utilisation"],
        "macs": run["network"]["macs"],
        "dram": dram["read_bytes"] + dram["written_bytes"],
        "sram": run["memory"]["sram"]["peak_bytes"],
    }


def test_the_report_of_the_demo_in_a_browser(presil, tmp_path: Path) -> None:
    ended = presil("demo", "--out", "demo")
    assert ended.code == 0, ended.err
    folder = tmp_path / "demo"
    assert (folder / "report.html").stat().st_size < MOST_BYTES
    if shutil.which("chromium") is None:
        pytest.skip("SKIPPED: no chromium to open the report with")
    seen, console = browse(folder, LOOK)
    assert console == [] and seen["ready"] == "true"

    run = json.loads((folder / "run.json").read_text())
    assert seen["keys"] == keys_of(run) | {"map50": run["detection"]["map50"]}
    assert seen["texts"]["per_sample"] == f"{run['cycles'] / run['samples']:,.0f}"
    for width, span in seen["widths"].items():
        assert span["needs"] <= span["has"], f"{width} px: the page is wider than its window"

    layers = {la["index"]: la for la in run["layers"] if la["cycles"] or la["commands"]}
    assert seen["order"] == list(layers)
    cycles = [layers[i]["cycles"] for i in seen["sorted"]]
    assert cycles == sorted(cycles, reverse=True) and len(cycles) == len(layers)
    assert {layers[i]["engine"] for i in seen["filtered"]} == {"dsp"}
    assert seen["zoomed"][0] != seen["zoomed"][1]
    assert seen["marks"]["timeline"] == seen["marks"]["bandwidth"] == 1
    assert seen["marks"]["sram"] == len(run["sram"]["buffers"]) > len(layers)
    most, peak, below = seen["traffic"]
    assert 0.9 * peak < most <= 1.001 * peak and below >= -0.2, "the bus is full, and no more"
    assert seen["boxes"] == sum(len(p["boxes"]) for p in run["pictures"]) > 0
    assert seen["marks"]["roofline"] == sum(bool(la["macs"]) for la in layers.values())
    assert seen["marks"]["layers"] == sum(map(len, drawn(list(layers.values()))))
    assert all(count <= 8 for count in seen["legends"]) and 8 in seen["legends"]
    assert seen["facts"] == ["1×96×96×3 int8", "1×48×48×16 int8", "16", "3,888", "56 %", "432 B"]


# The folded bars, and rows by keys.
MANY = """
const look = async (page, root, width) => {
  seen.widths[width] = {needs: root.scrollWidth, has: root.clientWidth};
  const plot = page.querySelector("[data-plot=layers]");
  const fold = plot.querySelector("details.folded");
  const texts = (elements) => [...elements].map((e) => e.textContent);
  const names = (place) => texts(place.querySelectorAll("g.bar > text.strong"));
  seen.first = names(plot);
  seen.fold = fold.querySelector("summary").textContent;
  fold.open = true;
  await new Promise((done) => setTimeout(done, 200));
  seen.rest = names(fold);
  const bars = [...plot.querySelectorAll("rect[data-cause]")];
  seen.parts = [...new Set(bars.map((e) => e.dataset.cause))];
  seen.legend = texts(plot.querySelector(".legend").children);
  const table = plot.querySelector("details.causes table");
  seen.causes = [...table.tBodies[0].rows].map((e) => e.dataset.cause);
  const rows = page.querySelector("[data-table=layers]").tBodies[0].rows;
  seen.stops = [...rows].filter((e) => e.tabIndex === 0).length;
  rows[0].focus();
  const press = (key) => page.activeElement.dispatchEvent(
    new KeyboardEvent("keydown", {key, bubbles: true}));
  press("ArrowDown");
  seen.focused = page.activeElement === rows[1];
  const said = page.querySelector(".said").textContent;
  press("Enter");
  seen.moved = page.querySelector(".said").textContent !== said;
};
"""


def many(layers: int = 400, commands: int = 4000) -> dict:
    """A run of many layers that say what limits them, the later the costlier, and of more names
    than fit in a legend."""
    run = record()
    names = ("array", "lanes", "fill", "post", "dram", "dram_row", "sram", "dma", "sync")
    run["layers"] = []
    for i in range(layers):
        limits = {"array": 100 + i, names[i % len(names)]: 300 + i} | {"lanes": 50}
        own = sum(limits.values())
        of = {"index": i, "name": f"block_{i}/conv", "source_ops": [i], "cycles": own + 7}
        facts = {"inputs": [], "outputs": [], "tiles": 1, "ideal_cycles": 9, "lane_use": 0.5}
        limited = {"own_cycles": own, "limits": limits, "bound_detail": "lanes", "weight_bytes": 9}
        run["layers"].append(record()["layers"][0] | of | facts | limited)
    run["timeline"]["commands"] = [
        ["dla", i * layers // commands, 0, 9 * i, 9 * i + 9, 5, 0, {"post": 4}]
        for i in range(commands)
    ]
    return run


def test_of_many_layers_the_costliest_are_drawn_and_the_rest_is_folded(tmp_path: Path) -> None:
    run = many()
    write_report([(run, tmp_path)], tmp_path / "report.html")
    if shutil.which("chromium") is None:
        pytest.skip("SKIPPED: no chromium to open the report with")
    seen, console = browse(tmp_path, MANY, (375,))
    assert console == []
    assert seen["widths"]["375"]["needs"] <= seen["widths"]["375"]["has"]
    cost = [la["index"] for la in sorted(run["layers"], key=lambda la: -la["own_cycles"])]
    first = [int(name.split()[0]) for name in seen["first"]]
    assert first == cost[:40] and [int(name.split()[0]) for name in seen["rest"]] == cost[40:]
    rest = sum(run["layers"][i]["own_cycles"] for i in cost[40:])
    assert seen["fold"] == f"360 more, {rest:,} cycles together"
    assert len(seen["legend"]) == 8 and "other" in seen["legend"]
    assert sorted(seen["parts"]) == sorted(name.replace(" ", "_") for name in seen["legend"])
    assert len(seen["causes"]) == 9 and set(seen["causes"]) > {"dram_row", "sync", "array"}
    assert seen["stops"] == 1 and seen["focused"] and seen["moved"]


def test_a_page_of_400_layers_is_there_in_two_seconds(tmp_path: Path, everything: bool) -> None:
    if not everything:
        pytest.skip("SKIPPED: a measurement; PRESIL_ALL=1")
    if shutil.which("chromium") is None:
        pytest.skip("SKIPPED: no chromium to open the report with")
    file = write_report([(many(commands=20_000), tmp_path)], tmp_path / "report.html")
    assert load_ms(file) < 2000


@pytest.mark.parametrize(
    "file",
    [
        "mobilenet-v2-int8/tf2_mobilenet_v2_1.0_224_ptq.tflite",
        "yolov8n-int8/yolov8n_full_integer_quant_640.tflite",
    ],
)
def test_reports_of_trained_networks(
    shared: Path, presil, everything: bool, tmp_path: Path, file: str
) -> None:
    if not everything:
        pytest.skip("SKIPPED: long; PRESIL_ALL=1")
    if shutil.which("chromium") is None:
        pytest.skip("SKIPPED: no chromium to open the report with")
    ended = presil("run", shared / "models" / file, "--check", "none", "--out", ".", "--quiet")
    assert ended.code == 0, ended.err
    run = json.loads((tmp_path / "run.json").read_text())
    seen, console = browse(tmp_path, LOOK)
    assert console == [] and seen["ready"] == "true" and seen["keys"] == keys_of(run)
    for width, span in seen["widths"].items():
        assert span["needs"] <= span["has"], f"{width} px: the page is wider than its window"
    assert all(count <= 8 for count in seen["legends"])
    assert load_ms(tmp_path / "report.html") < 2000


def drawn(layers: list[dict]) -> list[set[str]]:
    """The parts of each layer's bar: of more than eight causes the seven largest, and other."""
    of = [la.get("limits") or {"busy": la["busy"], **la["stall"]} for la in layers]
    sums: dict[str, int] = {}
    for cause, cycles in (item for parts in of for item in parts.items()):
        sums[cause] = sums.get(cause, 0) + cycles
    named = sorted((c for c in sums if sums[c]), key=lambda c: -sums[c])
    shown = set(named if len(named) <= 8 else named[:7])
    return [{c if c in shown else "other" for c, n in parts.items() if n} for parts in of]


def test_a_image_is_shown_with_the_network_s_answer(presil, digits: Path, tmp_path: Path) -> None:
    image = digits.parent / "samples" / "00.png"
    asked = ("run", digits, "--input", image)
    ended = presil(*asked, "--post", digits.parent / "post.yaml", "--out", "found")
    assert ended.code == 0, ended.err
    run = json.loads((tmp_path / "found" / "run.json").read_text())
    detections = np.load(tmp_path / "found" / "outputs" / "out2.npy").reshape(-1, 6)
    count = int(np.load(tmp_path / "found" / "outputs" / "out3.npy").item())
    (shown,) = run["pictures"]
    assert [b["class"] for b in shown["boxes"]] == [int(d[5]) for d in detections[:count]] != []
    assert "answer: one 1.00" in ended.out
    text = (tmp_path / "found" / "report.html").read_text()
    assert text.count("<rect") == count and "with the boxes it found" in text
    saved = np.asarray(Image.open(tmp_path / "found" / shown["file"]))
    assert np.array_equal(saved, np.asarray(Image.open(image).convert("RGB")))

    presil(*asked, "--out", "plain")  # without --post: heads, which say nothing to people
    (shown,) = json.loads((tmp_path / "plain" / "run.json").read_text())["pictures"]
    assert "boxes" not in shown and "top" not in shown
    assert "The input as the network got it." in (tmp_path / "plain" / "report.html").read_text()


def test_a_classifier_s_answer_is_its_best_classes(shared: Path, presil, tmp_path: Path) -> None:
    (tmp_path / "names.txt").write_text("no person\na person\n")
    ended = presil(
        *("run", shared / "models" / "tflm-person-detect" / "person_detect.tflite"),
        *("--input", shared / "data" / "person" / "person.bmp"),
        *("--labels", "names.txt", "--out", "named"),
    )
    assert ended.code == 0, ended.err
    (shown,) = json.loads((tmp_path / "named" / "run.json").read_text())["pictures"]
    values = np.load(tmp_path / "named" / "outputs" / "out0.npy").ravel()
    assert [t["class"] for t in shown["top"]] == np.argsort(-values.astype(int)).tolist()
    assert {t["label"] for t in shown["top"]} == {"no person", "a person"}
    assert sum(t["score"] for t in shown["top"]) == pytest.approx(1.0, abs=0.01)  # a softmax
    text = (tmp_path / "named" / "report.html").read_text()
    assert "with its best classes" in text and "a person" in text


@pytest.mark.parametrize(
    ("dtype", "anchors", "engine"),
    [("int8", 2, "host"), ("int8", 2000, "dsp"), ("float32", 2000, "host")],
)
def test_boxes_of_an_ssd_are_drawn_in_pixels(dtype: str, anchors: int, engine: str) -> None:
    """Two anchors of half the image, others have no score; in the second sample the first has not
    either. The DSP takes bytes, where they are many."""
    b = package.Builder("ssd")
    image = b.input("image", (1, 20, 40, 3), scale=1.0, zero_point=0)
    kind = {"scale": 0.125, "zero_point": 0} if dtype == "int8" else {"dtype": dtype}
    boxes = b.input("boxes", (1, anchors, 4), **kind)
    scores = b.input("scores", (1, anchors, 3), **kind)
    sides = np.full((anchors, 4), 0.5, np.float32)  # y x h w
    sides[0], sides[1] = (0.25, 0.25, 0.5, 0.5), (0.5, 0.75, 0.5, 0.25)
    floats = [package.Type("float32")] * 4
    limits = {"max": 2, "classes": 2, "score": 0.25, "iou": 0.5}
    found = b.detection_post_process(boxes, scores, sides, **limits, out=floats)
    b.output(b.maximum(image, image), *found)
    program = package.compile(b.build())
    assert program.placement[0]["engine"] == engine
    pixels, offsets, values = (np.zeros((2, *t["shape"][1:]), t["dtype"]) for t in program.inputs)
    some = np.array([[[0, 0.75, 0], [1, 0, 0.5]], [[1, 0, 0], [0, 0, 0.875]]])
    values[:, :2] = some * 8 if dtype == "int8" else some
    run = package.run(program, [pixels, offsets, values], "layers")
    assert run.exact, run.record["check"]
    answers = [answer_of(program, run.arrays, sample, ["cat", "dog"]) for sample in range(2)]
    cat = {"box": [0.0, 0.0, 20.0, 10.0], "score": 0.75, "class": 0, "label": "cat"}
    dog = {"box": [25.0, 5.0, 35.0, 15.0], "score": 0.5, "class": 1, "label": "dog"}
    assert answers == [{"boxes": [cat, dog]}, {"boxes": [dog | {"score": 0.875}]}]


def test_a_photograph_has_the_boxes_of_a_trained_ssd(shared: Path, presil, tmp_path: Path) -> None:
    ended = presil(
        *("run", shared / "models" / "ssd-mobilenet-v1-coco-uint8" / SSD),
        *("--input", shared / "data" / "photos" / "dog.jpg", "--numerics", "xnnpack"),
        *("--labels", shared / "data" / "photos" / "coco_names_80.txt", "--out", "seen"),
    )
    assert ended.code == 0, ended.err
    (shown,) = json.loads((tmp_path / "seen" / "run.json").read_text())["pictures"]
    # The first of its classes are those of the 80, but for their older names.
    assert {"bicycle", "car", "dog"} <= {b["label"] for b in shown["boxes"] if b["score"] > 0.5}
    assert all(-9 < b["box"][0] < b["box"][2] < 309 for b in shown["boxes"])
    assert "with the boxes it found" in (tmp_path / "seen" / "report.html").read_text()


def test_a_missing_file_of_labels_is_refused(presil, digits: Path) -> None:
    ended = presil("run", digits, "--labels", "nowhere.txt")
    assert ended.code == 2 and "labels: there is no file 'nowhere.txt'" in ended.err
