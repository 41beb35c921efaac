// One place between two streams: data, valid and ready of the two sides do not meet in one cycle
// but for ready, which falls through. A word a cycle; latency 1.
`include "rtl/common/assert.svh"

module stream_register #(
    parameter type T = logic
) (
    input  logic clk_i,
    input  logic rst_ni,
    input  logic clear_i,      // drops the word
    input  logic in_valid_i,
    output logic in_ready_o,
    input  T     in_data_i,
    output logic out_valid_o,
    input  logic out_ready_i,
    output T     out_data_o
);

  logic valid_q;
  T     data_q;

  assign in_ready_o  = !valid_q || out_ready_i;
  assign out_valid_o = valid_q;
  assign out_data_o  = data_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) valid_q <= 1'b0;
    else if (clear_i) valid_q <= 1'b0;
    else if (in_ready_o) valid_q <= in_valid_i;
  end

  always_ff @(posedge clk_i) begin
    if (in_valid_i && in_ready_o) data_q <= in_data_i;
  end

  // ------------------------------------------------------------------------------- assertions
  `PRESIL_STAYS(OfferedWordStays_A,
      out_valid_o && !out_ready_i && !clear_i, out_valid_o, out_data_o)

endmodule
