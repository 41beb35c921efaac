"""A driver's program in Python, in a process of its own: LIBRARY NAME LOADABLE INPUT OUTPUT.

It knows the C headers (driver/include/presil) and nothing else of this project.
"""

from __future__ import annotations

import ctypes
import sys
from pathlib import Path

library, name, loadable, given, made = sys.argv[1:]
presil = ctypes.CDLL(library)
Pointer, Size, Number = ctypes.c_void_p, ctypes.c_size_t, ctypes.c_uint32
for function in ("presil_remote_open", "presil_remote_port", "presil_error"):
    getattr(presil, function).restype = Pointer
for function in ("presil_network_input", "presil_job_output"):
    getattr(presil, function).restype = Pointer
for function in ("presil_device_bytes", "presil_network_bytes"):
    getattr(presil, function).restype = Size
presil.presil_remote_error.restype = ctypes.c_char_p


class TensorInfo(ctypes.Structure):
    _fields_ = [
        ("name", ctypes.c_char_p),
        ("dtype", ctypes.c_char_p),
        ("rank", Number),
        ("shape", ctypes.c_int64 * 8),
        ("bytes", Size),
        ("scale", ctypes.c_float),
        ("zero_point", ctypes.c_int32),
    ]


def aligned(size: int) -> tuple[Pointer, Size]:
    memory = ctypes.create_string_buffer(size + 16)
    kept.append(memory)
    return Pointer((ctypes.addressof(memory) + 15) & ~15), Size(size)


def must(status: int) -> None:
    if status != 0:
        error = Pointer(presil.presil_error(device))
        text = ctypes.string_at((error.value or 0) + ERROR_TEXT).decode() if error else ""
        sys.exit(f"status {status}: {text}")


ERROR_TEXT = 144  # of presil_error_info: status, block, command, layer, field, numbers
kept: list[ctypes.Array[ctypes.c_char]] = []
remote = presil.presil_remote_open(name.encode(), 20_000)
if not remote:
    sys.exit(presil.presil_remote_error().decode())
device, network, job, info = Pointer(), Pointer(), Number(), TensorInfo()
port = Pointer(presil.presil_remote_port(Pointer(remote)))
must(presil.presil_open(port, *aligned(presil.presil_device_bytes()), ctypes.byref(device)))
file = Path(loadable).read_bytes()
image, _ = aligned(len(file))
ctypes.memmove(image, file, len(file))
storage = aligned(presil.presil_network_bytes())
must(presil.presil_network_load(device, image, Size(len(file)), *storage, ctypes.byref(network)))
data = Path(given).read_bytes()
ctypes.memmove(presil.presil_network_input(network, 0), data, len(data))
must(presil.presil_job_submit(network, ctypes.byref(job)))
must(presil.presil_job_wait(network, job, ctypes.c_uint64(0)))
must(presil.presil_network_output_info(network, 0, ctypes.byref(info)))
Path(made).write_bytes(ctypes.string_at(presil.presil_job_output(network, job, 0), info.bytes))
presil.presil_network_unload(network)
presil.presil_close(device)
presil.presil_remote_close(Pointer(remote))
