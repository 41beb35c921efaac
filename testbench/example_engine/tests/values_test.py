"""Values of the engine against presil's reference interpreter: the built library, called by ctypes,
computes what `presil.reference` says, under both numerics. Words and tables are written here by the
contract's page, not by the engine's code."""

from __future__ import annotations

import ctypes
import os
import re
import sys
from pathlib import Path

import numpy as np
import presil
import pytest
from presil import paths

LIBRARY = Path(
    os.environ.get(
        "PRESIL_POOL_LIBRARY", paths.BUILD / "testbench" / "example_engine" / "libengine_pool.so"
    )
)
MAX, AVERAGE, NEAREST, BILINEAR = 1, 2, 3, 4
INPUT, OUTPUT, TABLES = 0, 0x40000, 0x80000


class Plugin(ctypes.Structure):
    """presil::EnginePlugin of sim/engine/engine_plugin.h."""

    _fields_ = (
        ("interface", ctypes.c_uint32),
        ("description", ctypes.c_void_p),
        ("driver", ctypes.c_void_p),
        ("compute", ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)),
        ("estimate", ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p, ctypes.c_void_p)),
        ("make", ctypes.c_void_p),
    )


@pytest.fixture(scope="module")
def plugin() -> Plugin:
    if not LIBRARY.is_file():
        pytest.skip(f"SKIPPED: {LIBRARY} is not built")
    entry = ctypes.CDLL(str(LIBRARY)).presil_engine_plugin
    entry.restype = ctypes.POINTER(Plugin)
    found = entry().contents
    header = paths.ROOT / "sim" / "engine" / "engine_plugin.h"
    version = re.search(r"kEngineInterface = (\d+)", header.read_text(encoding="utf-8"))
    assert version and found.interface == int(version.group(1))
    return found


def blocked(x: np.ndarray) -> np.ndarray:
    """NHWC of one image as C16: block, row, column, 16 channels."""
    _, h, w, c = x.shape
    padded = np.zeros((h, w, -(-c // 16) * 16), np.int8)
    padded[:, :, :c] = x[0]
    return np.ascontiguousarray(padded.reshape(h, w, -1, 16).transpose(2, 0, 1, 3))


def entry(low: int, weight: int = 0, further: bool = False) -> int:
    return low | weight << 16 | int(further) << 28


def compute(
    plugin: Plugin,
    op: int,
    x: np.ndarray,
    out: tuple[int, int],
    *,
    up: bool = False,
    clamp: tuple[int, int] = (-128, 127),
    window: tuple[int, int, int, int, int, int] = (0, 0, 0, 0, 0, 0),
    tables: tuple[list[int], list[int]] = ([], []),
) -> np.ndarray:
    """@param window kernel, stride, padding, each of rows and columns
    @param tables entries of the columns, of the rows"""
    sram = np.zeros(1 << 20, np.uint8)
    data = blocked(x)
    blocks, h, w, _ = data.shape
    sram[INPUT : INPUT + data.size] = data.view(np.uint8).reshape(-1)
    at = TABLES
    for entries in tables:
        raw = np.array(entries, np.uint32).view(np.uint8)
        sram[at : at + raw.size] = raw
        at += -(-raw.size // 16) * 16
    words = np.zeros(20, np.uint32)
    words[0] = op | int(up) << 4 | 1 << 24
    words[7] = (clamp[0] & 0xFF) | (clamp[1] & 0xFF) << 8
    words[8] = h | w << 16
    words[9] = out[0] | out[1] << 16
    words[10] = blocks
    kh, kw, sy, sx, top, left = window
    words[11] = kh | kw << 8 | sy << 16 | sx << 24
    words[12] = top | left << 8
    words[13:16] = INPUT, 16 * w, 16 * w * h
    words[16:19] = OUTPUT, 16 * out[1], 16 * out[0] * out[1]
    words[19] = TABLES if tables[0] else 0
    plugin.compute(words.ctypes.data, sram.ctypes.data)
    size = blocks * out[0] * out[1] * 16
    y = sram[OUTPUT : OUTPUT + size].view(np.int8).reshape(blocks, out[0], out[1], 16)
    return y.transpose(1, 2, 0, 3).reshape(1, out[0], out[1], -1)[:, :, :, : x.shape[3]]


def random(shape: tuple[int, ...], seed: int) -> np.ndarray:
    return np.random.default_rng(seed).integers(-128, 127, shape, np.int8, endpoint=True)


def network(kind: str, x: np.ndarray, numerics: str, **attributes: object) -> np.ndarray:
    """What the reference interpreter says."""
    b = presil.Builder("one", numerics)
    y = getattr(b, kind)(b.input("x", x.shape, scale=0.5, zero_point=-3), **attributes)
    b.output(y)
    (result,) = presil.reference(b.build(), {"x": x}).values()
    return result


@pytest.mark.parametrize("numerics", ["tflite", "xnnpack"])
@pytest.mark.parametrize("kind", ["max_pool2d", "average_pool2d"])
def test_pools_are_the_references(plugin: Plugin, kind: str, numerics: str) -> None:
    for seed, (size, kernel, stride, pad) in enumerate(
        [(8, 2, 2, 0), (9, 3, 1, 1), (14, 7, 7, 0), (13, 5, 3, 2), (16, 16, 1, 8)]
    ):
        x = random((1, size, size + 2, 20), seed)
        oracle = network(
            kind, x, numerics, kernel=kernel, stride=stride, padding=((pad, pad), (pad, pad))
        )
        got = compute(
            plugin,
            MAX if kind == "max_pool2d" else AVERAGE,
            x,
            oracle.shape[1:3],
            window=(kernel, kernel, stride, stride, pad, pad),
        )
        assert np.array_equal(got, oracle), (kind, size, kernel, stride, pad)


def test_a_fused_activation_is_the_clamp(plugin: Plugin) -> None:
    x = random((1, 6, 6, 16), 3)
    oracle = network("max_pool2d", x, "tflite", kernel=2, act="relu")
    got = compute(plugin, MAX, x, (3, 3), window=(2, 2, 2, 2, 0, 0), clamp=(-3, 127))
    assert np.array_equal(got, oracle)


def nearest(n: int, out: int, corners: bool, centers: bool) -> list[int]:
    f = np.float32
    edge = corners and out > 1
    scale = f(n - 1) / f(out - 1) if edge else f(n) / f(out)
    places = []
    for o in range(out):
        p = (f(o) + f(0.5 if centers else 0)) * scale
        places.append(entry(min(int(float(p) + (0.5 if corners else 0)), n - 1)))
    return places


def bilinear(n: int, out: int, corners: bool, centers: bool, up: bool) -> list[int]:
    less = int(corners and out > 1)
    places = []
    for o in range(out):
        if up:
            f = np.float32
            step = f(n - less) / f(out - less)
            p = f(o) * step + (f(0.5) * step - f(0.5) if centers else f(0))
            p = min(max(p, f(0)), f(n - 1))
            low = int(p)
            high = min(low + 1, n - 1)
            weight = int(np.rint((p - f(low)) * f(2048)))
        else:
            step = (1024 * (n - less) + (out - less) // 2) // (out - less)
            p = o * step + (step // 2 - 512 if centers else 0)
            low = max(int(p / 1024), 0)
            high = min(int((p + 1023) / 1024), n - 1)
            weight = p - 1024 * low if high > low else 0
        places.append(entry(low, weight, high > low))
    return places


@pytest.mark.parametrize("numerics", ["tflite", "xnnpack"])
@pytest.mark.parametrize("corners, centers", [(False, False), (True, False), (False, True)])
@pytest.mark.parametrize("kind", ["resize_nearest", "resize_bilinear"])
def test_resizes_are_the_references(
    plugin: Plugin, kind: str, corners: bool, centers: bool, numerics: str
) -> None:
    up = numerics == "xnnpack" and kind == "resize_bilinear"
    for seed, (h, w, out) in enumerate(
        [(4, 4, (8, 8)), (7, 5, (13, 20)), (16, 16, (5, 3)), (1, 3, (4, 1)), (10, 10, (100, 9))]
    ):
        x = random((1, h, w, 24), seed)
        oracle = network(
            kind, x, numerics, size=out, align_corners=corners, half_pixel_centers=centers
        )
        axes = [(w, out[1]), (h, out[0])]
        if kind == "resize_nearest":
            tables = [nearest(n, o, corners, centers) for n, o in axes]
        else:
            tables = [bilinear(n, o, corners, centers, up) for n, o in axes]
        op = NEAREST if kind == "resize_nearest" else BILINEAR
        got = compute(plugin, op, x, out, up=up, tables=(tables[0], tables[1]))
        assert np.array_equal(got, oracle), (kind, h, w, out)


if __name__ == "__main__":
    sys.exit(pytest.main([__file__, "-q"]))
