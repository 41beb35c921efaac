// An assertion at the rising clock, off in reset. A module that uses it has clk_i and rst_ni.
`ifndef PRESIL_ASSERT_SVH
`define PRESIL_ASSERT_SVH

`define PRESIL_ASSERT(Name, Property) \
  Name: assert property (@(posedge clk_i) disable iff (!rst_ni) Property) \
  else $error("%m");

`endif
