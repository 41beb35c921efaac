"""A report in headless Chromium, at every width, in a frame that a script looks into."""

from __future__ import annotations

import html
import json
import re
import subprocess
from pathlib import Path

WIDTHS = (375, 768, 1440, 2560)

# look(page, root, width) is the test's; it fills `seen`.
HARNESS = """<!DOCTYPE html><body><pre></pre><script>
const seen = {widths: {}};
LOOK
const open = async (width) => {
  document.querySelectorAll("iframe").forEach((e) => e.remove());
  const frame = document.createElement("iframe");
  frame.style.cssText = `width:${width}px;height:900px;border:0`;
  frame.src = "report.html";
  document.body.append(frame);
  await new Promise((done) => (frame.onload = done));
  await new Promise((done) => setTimeout(done, 200));
  const page = frame.contentDocument;
  await look(page, page.documentElement, width);
};
(async () => {
  for (const width of WIDTHS) await open(width);
  document.querySelector("pre").textContent = JSON.stringify(seen);
})();
</script>"""


CHROMIUM = ("chromium", "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage")


def load_ms(page: Path) -> float:
    """From the start of loading to the end of the page's scripts, the best of three."""
    timed = page.with_name("timed.html")
    said = "<script>document.title = `${performance.now()} ms`</script></body>"
    timed.write_text(page.read_text().replace("</body>", said))
    times = []
    for turn in range(3):
        profile = f"--user-data-dir={page.with_name(f'profile{turn}')}"
        done = subprocess.run(
            [*CHROMIUM, profile, "--dump-dom", timed.resolve().as_uri()],
            capture_output=True,
            text=True,
            timeout=120,
        )
        found = re.search(r"<title>([\d.]+) ms</title>", done.stdout)
        assert found, (done.stdout[-2000:], done.stderr[-2000:])
        times.append(float(found[1]))
    return min(times)


def browse(folder: Path, look: str, widths: tuple[int, ...] = WIDTHS) -> tuple[dict, list[str]]:
    """What the script saw of report.html in the folder, and every line that the console got."""
    harness = folder / "harness.html"
    harness.write_text(HARNESS.replace("LOOK", look).replace("WIDTHS", json.dumps(widths)))
    done = subprocess.run(
        [
            *CHROMIUM,
            *("--allow-file-access-from-files", "--virtual-time-budget=20000"),
            *(f"--user-data-dir={folder / 'profile'}", "--enable-logging=stderr"),
            *("--window-size=2600,1000", "--dump-dom", f"file://{harness}"),
        ],
        capture_output=True,
        text=True,
        timeout=120,
    )
    found = re.search(r"<pre>(\{.*?\})</pre>", done.stdout, re.S)
    assert found, (done.stdout[-2000:], done.stderr[-2000:])
    console = [line for line in done.stderr.splitlines() if "CONSOLE" in line]
    return json.loads(html.unescape(found.group(1))), console
