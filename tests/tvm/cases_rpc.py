"""The simulated board at a port, by TVM's remote procedure calls."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import presil
import presil.tvm
import pytest
import tvm
from modules import Quantised, called
from presil.tvm.serve import server
from tvm import relax, rpc

SHAPE = (1, 8, 8, 16)


def test_a_client_runs_its_library_on_the_board(tmp_path: Path) -> None:
    q = Quantised(SHAPE)
    mod = q.module(lambda x: q.stored(q.conv(q.real(x), 16)))
    mod = relax.transform.RunCodegen()(presil.tvm.partition_for_presil(mod))
    built = relax.build(mod, "llvm")
    built.export_library(str(tmp_path / "net.so"))
    x = np.random.default_rng(0).integers(-128, 128, SHAPE, np.int8)
    (here,) = called(relax.VirtualMachine(built, tvm.cpu()), x)
    running = server(port=9190)
    try:
        remote = rpc.connect("127.0.0.1", running.port, session_timeout=60)
        remote.upload(str(tmp_path / "net.so"))
        device = remote.cpu()
        vm = relax.VirtualMachine(remote.load_module("net.so"), device)
        vm.set_input("main", tvm.runtime.tensor(x, device))
        vm.invoke_stateful("main")
        there = vm.get_outputs("main").numpy()
    finally:
        running.terminate()
    assert np.array_equal(here, there)


def test_a_port_that_cannot_be_is_refused() -> None:
    with pytest.raises(presil.Refusal, match="tvm-rpc: the port is 0, must be 1 to 65535"):
        server(port=0)
    with pytest.raises(presil.Refusal, match="tvm-rpc: no server at 203.0.113.1:9190"):
        server("203.0.113.1", 9190)


def test_the_verb_listens_until_it_is_interrupted() -> None:
    command = [sys.executable, "-m", "presil", "tvm-rpc", "--port", "9290"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            assert "RPC server listens at 127.0.0.1:9" in process.stdout.readline()
        finally:
            process.terminate()
