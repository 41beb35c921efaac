"""The client of presil-sim: a SoC in a process of its own, spoken to in lines of JSON.

Tensors travel in shared memory; sim/platform/README.md has the messages. A crash of the simulator
is an exception here, not the end of the caller.
"""

from __future__ import annotations

import json
import os
import secrets
import subprocess
import tempfile
import weakref
from collections.abc import Collection, Mapping, Sequence
from multiprocessing import shared_memory
from pathlib import Path
from typing import Any

import numpy as np

from . import paths
from .atomic import writing
from .faults import Fault
from .gdb import Gdb
from .host import NATIVE, host_message
from .image import Image
from .interrupt import at_end, held_back
from .program import Program
from .refusal import (
    EXIT_HARDWARE,
    EXIT_REFUSED,
    Diverged,
    HardwareError,
    Refusal,
    SimulatorDied,
)
from .rtl_size import rtl_size
from .tiles import one_tile

ALIGN = 64
SHARED = Path("/dev/shm")
MODEL = "model"
RTL_SEED = 1
ONE_TILE = "what is asked for looks at one program on one tile"
LIVE: weakref.WeakSet[Simulation] = weakref.WeakSet()
"""Those whose process runs."""


def memory_of(size: int) -> shared_memory.SharedMemory:
    """Memory shared with the simulator; where there is not so much, that is told now: a later
    access would end the process."""
    name = f"presil_{os.getpid()}_{secrets.token_hex(4)}"
    memory = shared_memory.SharedMemory(name, create=True, size=size)
    file = SHARED / memory.name.lstrip("/")
    try:
        with writing(file):
            if file.is_file():
                with file.open("r+b") as opened:
                    os.posix_fallocate(opened.fileno(), 0, size)
    except BaseException:
        memory.close()
        memory.unlink()
        raise
    return memory


class Simulation:
    """One SoC with one program loaded; `job` runs samples one after another, `load` replaces the
    program."""

    def __init__(
        self,
        program: Program,
        keep: bool | Collection[int] = False,
        blocks: Mapping[str, str] | None = None,
        rtl_batch: int = 0,
        rtl_seed: int = RTL_SEED,
        waveforms: bool = False,
        trace: Mapping[str, Any] | None = None,
        host: str | Image = NATIVE,
        gdb: Gdb | None = None,
        values: bool = True,
        compiled_for: str = "",
        over_tiles: bool = False,
    ) -> None:
        """keep: hand back every tensor that the compiler kept, for `check layers`, or those of them
        with these numbers in the imported graph.
        blocks: what is not its model, as {"dla": "rtl"}. rtl_batch: cycles that RTL is ticked at
        once, at most; 0: as many as it likes. rtl_seed: of its state that reset does not set.
        waveforms: in the simulator that can write them. trace: cycles `first` up to `end` of every
        block in RTL go to `folder`. host: what runs the driver (host.HOSTS), or an image
        that brings its own. gdb: debuggers that the simulation waits for. values: False: the DLA
        takes its time and computes nothing; what the DSP reads of it is what the memory held.
        compiled_for: parameters that the program was compiled for, where the SoC takes other times;
        the driver is told those. over_tiles: the SoC with all of the program's tiles, and nothing
        loaded: `tiles` is what it is for."""
        soc = program.soc
        if program.system is not None:
            soc = program.system if over_tiles else one_tile(program.system, "soc", ONE_TILE)
        self._rtl: dict[str, Any] = {"rtl_batch": rtl_batch, "rtl_seed": rtl_seed}
        if compiled_for:
            self._rtl["compiled_for"] = compiled_for
        if not values:
            self._rtl["values"] = False
        if trace is not None:
            self._rtl["trace"] = dict(trace)
        self._blocks = {name: kind for name, kind in (blocks or {}).items() if kind != MODEL}
        self._memory: shared_memory.SharedMemory | None = None
        simulator = paths.simulator(
            rtl=bool(self._blocks),
            waveforms=waveforms or trace is not None,
            size=rtl_size(program.soc) if "dla" in self._blocks else "",
        )
        environment = dict(os.environ, SC_COPYRIGHT_MESSAGE="DISABLE")
        self._stderr = tempfile.TemporaryFile()
        with held_back():
            self._process = subprocess.Popen(
                [str(simulator)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._stderr,
                env=environment,
                text=True,
            )
            LIVE.add(self)
        try:
            if gdb is not None:
                ports = self._ask(do="listen", ports=dict(gdb.ports))["ports"]
                gdb.waits(ports, host, program)
            self._ask(
                do="open",
                soc_name=soc.name,
                soc=soc.canonical_text,
                engines=paths.native().engine_notes(soc),
                blocks=self._blocks,
                **self._rtl,
                **host_message(host),
            )
            if not over_tiles:
                self.load(program, keep)
        except BaseException:
            self.close()
            raise

    def load(self, program: Program, keep: bool | Collection[int] = False) -> None:
        """Puts a program for the same SoC in the place of what was loaded. keep: as above."""
        self._free()
        self._program = program
        tensors = program.info["tensors"]
        self._kept = [
            i
            for i, t in enumerate(tensors)
            if t["kept"] and (keep if isinstance(keep, bool) else t["graph_tensor"] in keep)
        ]
        offset = 0

        def place(indices: list[int]) -> list[int]:
            nonlocal offset
            places = []
            for index in indices:
                places.append(offset)
                offset += -(-tensors[index]["plain_bytes"] // ALIGN) * ALIGN
            return places

        self._input_at = place(program.info["inputs"])
        self._output_at = place(program.info["outputs"])
        self._kept_at = place(self._kept)
        with held_back():
            self._memory = memory_of(max(offset, ALIGN))
        folder = tempfile.gettempdir()
        with writing(folder), tempfile.NamedTemporaryFile(suffix=".presil", dir=folder) as file:
            file.write(program.loadable)
            file.flush()
            self._ask(
                do="load",
                loadable=file.name,
                memory=self._memory.name,
                inputs=self._input_at,
                outputs=self._output_at,
                kept=list(zip(self._kept, self._kept_at)),
            )

    def _ask(self, **message: Any) -> dict[str, Any]:
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None and stdout is not None
        try:
            stdin.write(json.dumps(message) + "\n")
            stdin.flush()
        except BrokenPipeError:
            pass
        line = stdout.readline()
        if not line:
            code = self._process.wait()
            raise SimulatorDied(
                f"presil-sim ended with code {code} during '{message['do']}': {self._said()}"
            )
        answer: dict[str, Any] = json.loads(line)
        if not answer["ok"]:
            detail = answer.get("detail")
            if detail and "stage" in detail:
                raise self._diverged(answer["error"], detail)
            if detail and answer["exit"] == EXIT_HARDWARE:
                raise HardwareError(answer["error"], detail)
            kind = {EXIT_REFUSED: Refusal, EXIT_HARDWARE: HardwareError}.get(answer["exit"])
            if kind is None:
                raise SimulatorDied(" ".join(filter(None, (answer["error"], self._said()))))
            raise kind(answer["error"])
        return answer

    def _diverged(self, text: str, detail: dict[str, Any]) -> Diverged:
        """With the layer and tile that the command belongs to, and what the RTL itself said."""
        info, tag = self._program.info, detail["tag"]
        if tag is not None and tag < len(info["commands"]):
            _, _, layer, tile = info["commands"][tag]
            detail = {**detail, "layer": info["layers"][layer]["name"], "tile": tile}
            text += f"; layer '{detail['layer']}', tile {tile}"
        return Diverged(" ".join(filter(None, (text, self._said()))), detail)

    def _said(self) -> str:
        """The end of what the process has written to standard error."""
        self._stderr.seek(0)
        return self._stderr.read()[-2000:].decode(errors="replace").strip()

    def _array(self, tensor: dict[str, Any], offset: int) -> np.ndarray:
        assert self._memory is not None
        return np.ndarray(tensor["shape"], tensor["dtype"], self._memory.buf, offset)

    def job(
        self,
        inputs: list[np.ndarray],
        records: bool = False,
        timeout_ns: int = 0,
        profile: bool = False,
        trace: Mapping[str, Any] | None = None,
        faults: Sequence[Fault] = (),
        counters: str | None = None,
        core_profile: bool = False,
    ) -> tuple[list[np.ndarray], dict[int, np.ndarray], dict[str, Any]]:
        """Runs one sample.

        Returns the outputs, the kept tensors by their index in the loadable, and the
        simulator's account: cycles, queues, memory, with records also every command. profile:
        `kernels` has what each instruction of the DSP did, too. trace: which of its instructions
        go to a file, as DspTrace.order says. faults: of the hardware, in this job. counters:
        'job' or 'layers', those that the driver reads of the engines. core_profile: `host` has
        where the time of the host's core goes.
        """
        for tensor, offset, array in zip(self._program.inputs, self._input_at, inputs, strict=True):
            if array.dtype != tensor["dtype"] or list(array.shape) != tensor["shape"]:
                raise Refusal(
                    f"input: '{tensor['name']}' got {array.dtype}{list(array.shape)}, "
                    f"expected {tensor['dtype']}{tensor['shape']}"
                )
            self._array(tensor, offset)[...] = array
        order: dict[str, Any] = {} if trace is None else {"trace": dict(trace)}
        if faults:
            order["faults"] = [fault.message() for fault in faults]
        if counters:
            order["counters"] = counters
        if core_profile:
            order["core_profile"] = True
        account = self._ask(
            do="job", records=records, timeout_ns=timeout_ns, profile=profile, **order
        )
        outputs = [
            self._array(tensor, offset).copy()
            for tensor, offset in zip(self._program.outputs, self._output_at)
        ]
        tensors = self._program.info["tensors"]
        kept = {
            index: self._array(tensors[index], offset).copy()
            for index, offset in zip(self._kept, self._kept_at)
        }
        return outputs, kept, account

    def jobs(
        self, samples: list[list[np.ndarray]], in_flight: int, timeout_ns: int = 0
    ) -> tuple[list[list[np.ndarray]], dict[str, Any]]:
        """Runs samples, so many in flight at once: the outputs of each, and the simulator's account
        of all, with `begins` and `ends` of each, and the first one's commands."""
        offset = 0

        def place(tensors: list[dict[str, Any]]) -> list[int]:
            nonlocal offset
            places = []
            for tensor in tensors:
                places.append(offset)
                offset += -(-tensor["plain_bytes"] * len(samples) // ALIGN) * ALIGN
            return places

        def array(tensor: dict[str, Any], at: int, index: int) -> np.ndarray:
            at += index * tensor["plain_bytes"]
            return np.ndarray(tensor["shape"], tensor["dtype"], memory.buf, at)

        inputs, outputs = self._program.inputs, self._program.outputs
        input_at, output_at = place(inputs), place(outputs)
        with held_back():
            memory = memory_of(max(offset, ALIGN))
        try:
            for index, sample in enumerate(samples):
                for tensor, at, given in zip(inputs, input_at, sample, strict=True):
                    array(tensor, at, index)[...] = given
            account = self._ask(
                do="jobs",
                count=len(samples),
                in_flight=in_flight,
                timeout_ns=timeout_ns,
                memory=memory.name,
                inputs=input_at,
                outputs=output_at,
            )
            results = [
                [array(t, at, index).copy() for t, at in zip(outputs, output_at, strict=True)]
                for index in range(len(samples))
            ]
        finally:
            with held_back():
                memory.close()
                memory.unlink()
        return results, account

    def serve(
        self,
        networks: list[dict[str, Any]],
        requests: list[list[int]],
        memory: str,
        timeout_cycles: int,
    ) -> dict[str, Any]:
        """Several networks instead of the program: message `serve` of sim/platform/README.md."""
        return self._ask(
            do="serve",
            networks=networks,
            requests=requests,
            memory=memory,
            timeout_cycles=timeout_cycles,
        )

    def tiles(self, **message: Any) -> dict[str, Any]:
        """Samples over the tiles: message `tiles` of sim/platform/README.md (tile_run)."""
        return self._ask(do="tiles", **message)

    def reset(self) -> None:
        """The SoC's reset; its driver is opened anew, the program loaded again."""
        self._ask(do="reset")

    def kernels(self) -> list[dict[str, Any]]:
        """What the programs on the DSP did in all jobs since `load`, kernel by kernel."""
        return list(self._ask(do="kernels")["kernels"])

    def usage(self) -> dict[str, Any]:
        """Peak memory of the simulation process."""
        return self._ask(do="usage")

    def close(self, kill: bool = False) -> None:
        """Ends the process and frees the shared memory; kill: in the middle of a job too."""
        with held_back():
            self._close(kill)

    def _close(self, kill: bool) -> None:
        if kill:
            self._process.kill()
        if self._process.stdin is not None:
            try:
                self._process.stdin.close()
            except BrokenPipeError:
                pass
        try:
            self._process.wait(timeout=5)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        if self._process.stdout is not None:
            self._process.stdout.close()
        self._stderr.close()
        self._free()
        LIVE.discard(self)

    def _free(self) -> None:
        if self._memory is not None:
            self._memory.close()
            self._memory.unlink()
            self._memory = None

    def __enter__(self) -> Simulation:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is not None and not issubclass(kind, Exception):
            self._process.kill()  # Ctrl-C: the job is not waited for
        self.close()


def kill_all() -> None:
    """Ends every simulation of this process at once."""
    for simulation in list(LIVE):
        simulation.close(kill=True)


at_end(kill_all)
