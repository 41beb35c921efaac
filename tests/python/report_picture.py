"""An image of a report for README.md, by headless Chromium, in 256 colours:

sim/presil demo
python3 tests/python/report_picture.py presil-out/demo/report.html sim/report.png
"""

from __future__ import annotations

import argparse
import subprocess
import tempfile
from pathlib import Path

from PIL import Image

COLOURS = 256


def shoot(page: Path, image: Path, width: int, height: int) -> None:
    """What a window of this size shows of the page."""
    with tempfile.TemporaryDirectory() as folder:
        shot = Path(folder) / "shot.png"
        subprocess.run(
            [
                *("chromium", "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"),
                *("--disable-dev-shm-usage", f"--user-data-dir={folder}/profile"),
                *("--virtual-time-budget=5000", f"--window-size={width},{height}"),
                *(f"--screenshot={shot}", page.resolve().as_uri()),
            ],
            check=True,
            capture_output=True,
            timeout=120,
        )
        whole = Image.open(shot).convert("RGB")
    whole.quantize(COLOURS, dither=Image.Dither.NONE).save(image, optimize=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("page", type=Path)
    parser.add_argument("image", type=Path)
    parser.add_argument("--width", type=int, default=1200)
    parser.add_argument("--height", type=int, default=2000)
    options = parser.parse_args()
    shoot(options.page, options.image, options.width, options.height)
