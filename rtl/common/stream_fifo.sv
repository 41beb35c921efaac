// Words in the order of their coming, up to Depth of them. A word a cycle in and out; latency 1.
`include "rtl/common/assert.svh"

module stream_fifo #(
    parameter type         T     = logic,
    parameter int unsigned Depth = 2
) (
    input  logic                       clk_i,
    input  logic                       rst_ni,
    input  logic                       clear_i,      // drops all words
    input  logic                       in_valid_i,
    output logic                       in_ready_o,
    input  T                           in_data_i,
    output logic                       out_valid_o,
    input  logic                       out_ready_i,
    output T                           out_data_o,
    output logic [$clog2(Depth+1)-1:0] count_o
);

  localparam int unsigned PlaceBits = Depth > 1 ? $clog2(Depth) : 1;
  localparam int unsigned CountBits = $clog2(Depth + 1);

  T                     words_q[Depth];
  logic [PlaceBits-1:0] first_q, free_q;
  logic [CountBits-1:0] count_q;
  logic                 push, pop;

  function automatic logic [PlaceBits-1:0] next(input logic [PlaceBits-1:0] place);
    return place == PlaceBits'(Depth - 1) ? '0 : place + 1'b1;
  endfunction

  assign in_ready_o  = count_q != CountBits'(Depth);
  assign out_valid_o = count_q != '0;
  assign out_data_o  = words_q[first_q];
  assign count_o     = count_q;
  assign push        = in_valid_i && in_ready_o;
  assign pop         = out_valid_o && out_ready_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      first_q <= '0;
      free_q  <= '0;
      count_q <= '0;
    end else if (clear_i) begin
      first_q <= '0;
      free_q  <= '0;
      count_q <= '0;
    end else begin
      if (push) free_q <= next(free_q);
      if (pop) first_q <= next(first_q);
      count_q <= count_q + CountBits'(push) - CountBits'(pop);
    end
  end

  always_ff @(posedge clk_i) begin
    if (push) words_q[free_q] <= in_data_i;
  end

  // ------------------------------------------------------------------------------- assertions
  `PRESIL_ASSERT(NoMoreThanDepth_A, count_q <= CountBits'(Depth))
  `PRESIL_STAYS(OfferedWordStays_A,
      out_valid_o && !out_ready_i && !clear_i, out_valid_o, out_data_o)

endmodule
