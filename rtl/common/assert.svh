// Assertions at the rising clock, off in reset. A module that uses one has clk_i and rst_ni.
//
// They are immediate: they look at values as they are before the edge, as a concurrent one would, but a
// simulator need not keep a sample of each of them at every edge.
`ifndef PRESIL_ASSERT_SVH
`define PRESIL_ASSERT_SVH

// Holds at every clock. An implication is `a -> b`.
`define PRESIL_ASSERT(Name, Condition) \
  always @(posedge clk_i) begin \
    if (rst_ni) begin \
      Name : assert (Condition) else $error("%m"); \
    end \
  end

// At the clock after one with Held: Valid, and Value is what it was then.
`define PRESIL_STAYS(Name, Held, Valid, Value) \
  logic Name``_held_q; \
  logic [$bits(Value)-1:0] Name``_was_q; \
  always_ff @(posedge clk_i or negedge rst_ni) begin \
    if (!rst_ni) begin \
      Name``_held_q <= 1'b0; \
      Name``_was_q <= '0; \
    end else begin \
      Name``_held_q <= Held; \
      if (Held) Name``_was_q <= Value; \
    end \
  end \
  always @(posedge clk_i) begin \
    if (rst_ni && Name``_held_q) begin \
      Name : assert (Valid && Name``_was_q == Value) else $error("%m"); \
    end \
  end

`endif
