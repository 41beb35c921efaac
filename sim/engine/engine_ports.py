"""The ports of an engine's RTL: are those there that a SoC connects? Prints C++ around them.

    engine_ports.py FOLDER --top MODULE --header V.h --print FILE --name N --waits W
        --sram BYTES [--parameters NAME=PLACE=VALUE ...]              exit 2: refused, one sentence

HEADER is what Verilator made of the top module: its ports stand there with their widths. FILE gets
the C++ that makes a sim/rtl/engine_top.h of the Verilated class.
"""

from __future__ import annotations

import argparse
import re
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
WHERE = 'sim/rtl/README.md, "Engines from outside"'
PORT = re.compile(r"VL_(IN|OUT)(?:8|16|64|W)?\(&(\w+),(\d+),(\d+)(?:,\d+)?\);")
KIND_BITS = re.compile(r"KindBits = (\d+);")


@dataclass(frozen=True)
class Port:
    direction: str
    bits: int

    def text(self) -> str:
        kind = {"IN": "input", "OUT": "output"}[self.direction]
        return f"{kind} of {self.bits} bit{'s' if self.bits != 1 else ''}"


FIXED = {
    "IN": """clk_i rst_ni cfg_aw_valid_i cfg_aw_addr_i:16 cfg_w_valid_i cfg_w_data_i:32
        cfg_w_strb_i:4 cfg_b_ready_i cfg_ar_valid_i cfg_ar_addr_i:16 cfg_r_ready_i ar_ready_i
        r_valid_i r_data_i:128 r_resp_i:2 r_last_i barrier_met_i sram_gnt_i sram_rdata_i:128""",
    "OUT": """cfg_aw_ready_o cfg_w_ready_o cfg_b_valid_o cfg_b_resp_o:2 cfg_ar_ready_o cfg_r_valid_o
        cfg_r_data_o:32 cfg_r_resp_o:2 irq_o ar_valid_o ar_addr_o:40 ar_len_o:8 r_ready_o
        signal_valid_o signal_id_o:8 signal_add_o:16 barrier_valid_o barrier_first_o:8
        barrier_count_o:8 barrier_value_o:32 sram_req_o sram_we_o sram_addr_o:24 sram_wdata_o:128
        done_valid_o done_index_o:32 done_tag_o:32 reg_write_o reg_read_o reg_error_o reg_rdata_o:32
        offer_valid_o offer_index_o:32 take_o abort_o busy_o counter_o:16""",
}


def kind_bits() -> int:
    found = KIND_BITS.search((ROOT / "rtl/soc/engines_pkg.sv").read_text(encoding="utf-8"))
    assert found is not None
    return int(found[1])


def required(waits: int) -> dict[str, Port]:
    """By name, in the order of the README."""
    ports = {}
    for direction, names in FIXED.items():
        for name in names.split():
            name, _, bits = name.partition(":")
            ports[name] = Port(direction, int(bits or 1))
    ports["wait_valid_o"] = Port("OUT", waits)
    ports["wait_id_o"] = Port("OUT", 8 * waits)
    ports["wait_value_o"] = Port("OUT", 32 * waits)
    ports["wait_met_i"] = Port("IN", waits)
    ports["wait_signaller_i"] = Port("IN", kind_bits() * waits)
    return ports


def found_in(header: str) -> dict[str, Port]:
    return {
        name: Port(direction, int(high) - int(low) + 1)
        for direction, name, high, low in PORT.findall(header)
    }


def refusal(top: str, waits: int, there: dict[str, Port]) -> str | None:
    """What is wrong with the ports; nothing: they are as a SoC connects them."""
    said = f"rtl: top module {top} has "
    for name, port in required(waits).items():
        of = f" (waits: {waits})" if name.startswith("wait_") else ""
        if name not in there:
            return f"{said}no port {name}, must have one: {port.text()}{of}; {WHERE} lists all"
        if there[name] != port:
            got = there[name].text()
            return f"{said}{name} as {got}, must be {port.text()}{of}; {WHERE} lists all"
    for name, port in there.items():
        if name not in required(waits) and port.direction == "IN":
            return f"{said}an input {name}, which nothing drives; must be one of {WHERE}, or none"
    return None


ADAPTOR = """// Printed by sim/engine/engine_ports.py; do not edit. The RTL of engine {name}.
#include "V{top}.h"
#include "sim/rtl/verilated_engine_top.h"

namespace {{

using Top = presil::rtl::VerilatedEngineTop<V{top}, {waits}, {kind_bits}>;
{parameters}
const presil::rtl::EngineRtl kRtl{{
    presil::rtl::kEngineRtlInterface, "{name}", "{top}", {waits}, {sram}u, {list}, {count},
    [](uint32_t seed) -> presil::rtl::EngineTop* {{ return new Top("{name}", seed); }}}};

}}  // namespace

extern "C" const presil::rtl::EngineRtl* presil_engine_rtl() {{
  return &kRtl;
}}
"""


def adaptor(name: str, top: str, waits: int, sram: int, parameters: list[str]) -> str:
    """`parameters`: NAME=PLACE=VALUE of those that the RTL was built with."""
    split = [p.split("=") for p in parameters]
    items = ", ".join(f'{{"{n}", {place}, {value}ull}}' for n, place, value in split)
    array = f"const presil::rtl::EngineRtlParameter kParameters[] = {{{items}}};"
    return ADAPTOR.format(
        name=name,
        top=top,
        waits=waits,
        kind_bits=kind_bits(),
        sram=sram,
        parameters=array if split else "",
        list="kParameters" if split else "nullptr",
        count=len(split),
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--top", required=True)
    parser.add_argument("--header", type=Path, required=True)
    parser.add_argument("--print", type=Path, required=True)
    parser.add_argument("--name", required=True)
    parser.add_argument("--waits", type=int, required=True)
    parser.add_argument("--sram", type=int, required=True)
    parser.add_argument("--parameters", nargs="*", default=[])
    args = parser.parse_args()
    there = found_in(args.header.read_text(encoding="utf-8"))
    if (wrong := refusal(args.top, args.waits, there)) is not None:
        print(f"engine {args.folder / 'engine.yaml'}: {wrong}", file=sys.stderr)
        return 2
    text = adaptor(args.name, args.top, args.waits, args.sram, args.parameters)
    args.print.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
