"""Names as SystemVerilog can have them."""

from __future__ import annotations

# Keywords of SystemVerilog (IEEE 1800-2017, annex B) that a contract could use as a name.
SV_KEYWORDS = frozenset(
    """accept_on alias always and assert assign assume automatic before begin bind bins binsof bit
    break buf byte case cell chandle checker class clocking config const constraint context continue
    cover cross deassign default defparam design disable dist do edge else end enum event eventually
    expect export extends extern final for force foreach forever fork function generate genvar
    global if iff implements implies import include initial inout input inside instance int integer
    interconnect interface intersect join large let liblist library local localparam logic longint
    macromodule matches medium modport module nand negedge nettype new nexttime nor not null or
    output package packed parameter posedge primitive priority program property protected pull0
    pull1 pulldown pullup pure rand randc randcase randsequence real ref reg reject_on release
    repeat restrict return rnmos scalared sequence shortint shortreal signed small soft solve
    specify specparam static string strong struct super supply0 supply1 table tagged task this
    throughout time timeprecision timeunit tran tri trior type typedef union unique unique0 unsigned
    until untyped use uwire var vectored virtual void wait wand weak while wildcard wire with within
    wor xnor xor""".split()
)


def sv_name(name: str) -> str:
    """A name as SystemVerilog can have it: keywords get an underscore."""
    return f"{name}_" if name in SV_KEYWORDS else name
