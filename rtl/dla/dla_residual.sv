// Second operand: one word a pixel for post-processing, or four of partial sums for the operand
// stage; 16 words ahead.
`include "rtl/common/assert.svh"

module dla_residual
  import dla_pkg::*;
  import dla_engine_pkg::*;
#(
    parameter int unsigned Ports = 1
) (
    input  logic                    clk_i,
    input  logic                    rst_ni,
    input  logic                    start_i,
    input  logic                    slot_i,
    input  command_t                cmd_i   [2],
    input  traits_t                 traits_i[2],
    input  logic [9:0]              groups_i,
    output logic                    idle_o,
    output logic [Ports-1:0]        req_o,
    output logic [Ports-1:0][23:0]  addr_o,
    input  logic [Ports-1:0]        gnt_i,
    input  logic [Ports-1:0][127:0] rdata_i,
    output logic                    word_valid_o,
    input  logic                    word_take_i,
    output logic [Ports-1:0][127:0] word_o,
    output logic                    sums_valid_o,
    input  logic                    sums_take_i,
    output logic [Ports-1:0][511:0] sums_o
);
  logic slot_q, load_q, running_q;
  command_t c;
  logic sums;
  assign c = cmd_i[slot_q];
  assign sums = traits_i[slot_q].sums;
  logic [4:0] used_q, count_q;
  logic ask, done, last, asked_q;
  logic [Ports-1:0] mask, came_q;
  /* verilator lint_off UNUSEDSIGNAL */
  logic last_word;  // only the writer counts pixels
  /* verilator lint_on UNUSEDSIGNAL */
  assign ask = running_q && !load_q && used_q != 5'd16;
  dla_grant #(
      .Ports(Ports)
  ) u_grant (
      .clk_i, .rst_ni, .valid_i(ask), .mask_i(mask), .req_o, .gnt_i, .done_o(done)
  );
  dla_output_walk #(
      .Groups(Ports)
  ) u_walk (
      .clk_i, .rst_ni, .load_i(load_q), .next_i(done), .groups_i, .blocks_i(c.out_blocks),
      .rows_i(c.out_h), .columns_i(c.out_w), .four_i(sums), .square_i(1'b0),
      .base_i(c.res_base), .row_pitch_i(c.res_row_pitch), .block_pitch_i(c.res_cb_pitch),
      .x_step_i(c.res_x_step), .mask_o(mask), .addr_o, .last_word_o(last_word), .last_o(last)
  );
  logic [Ports-1:0][127:0] early_q, line, fifo_q[16];
  logic [3:0] in_q, out_q;
  logic [4:0] taken;
  always_comb begin
    for (int p = 0; p < Ports; p++) line[p] = came_q[p] ? rdata_i[p] : early_q[p];
    for (int p = 0; p < Ports; p++) begin
      for (int w = 0; w < 4; w++) sums_o[p][128*w+:128] = fifo_q[out_q+4'(w)][p];
    end
  end
  assign word_o = fifo_q[out_q];
  // Sums leave for the operand stage: not before post-processing has the words of the command before.
  logic [15:0] sums_q;  // which words are sums
  assign word_valid_o = count_q != '0 && !sums_q[out_q];
  assign sums_valid_o = count_q >= 5'd4 && sums_q[out_q];
  assign taken = word_take_i ? 5'd1 : sums_take_i ? 5'd4 : 5'd0;
  assign idle_o = !running_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {slot_q, load_q, running_q, used_q, count_q, asked_q, came_q, in_q, out_q} <= '0;
    end else begin
      used_q  <= used_q + 5'(done) - taken;
      count_q <= count_q + 5'(asked_q) - taken;
      asked_q <= done;
      came_q  <= gnt_i;
      in_q    <= in_q + 4'(asked_q);
      out_q   <= out_q + 4'(taken);
      load_q  <= 1'b0;
      if (done && last) running_q <= 1'b0;
      if (start_i) begin
        slot_q <= slot_i;
        load_q <= 1'b1;
        running_q <= 1'b1;
      end
    end
  end
  always_ff @(posedge clk_i) begin
    for (int p = 0; p < Ports; p++) if (came_q[p]) early_q[p] <= rdata_i[p];
    if (asked_q) fifo_q[in_q] <= line;
    if (asked_q) sums_q[in_q] <= sums;
  end

  // ---- Assertions ----
  `PRESIL_ASSERT(TakeOnlyWhatIsThere_A, taken <= count_q)
endmodule
