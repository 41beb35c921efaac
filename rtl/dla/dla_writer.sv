// Output words: a queue of 16 and the word that asks for its bank. upsample2 writes each word four times.
`include "rtl/common/assert.svh"

module dla_writer
  import dla_pkg::*;
#(
    parameter int unsigned Ports = 1
) (
    input  logic                    clk_i,
    input  logic                    rst_ni,
    input  logic                    start_i,
    input  logic                    slot_i,
    input  command_t                cmd_i[2],
    input  logic [9:0]              groups_i,
    output logic                    idle_o,
    input  logic                    valid_i,
    output logic                    ready_o,
    input  logic [Ports-1:0][127:0] data_i,
    output logic [Ports-1:0]        req_o,
    output logic [Ports-1:0][23:0]  addr_o,
    output logic [Ports-1:0][127:0] data_o,
    input  logic [Ports-1:0]        gnt_i,
    output logic                    end_o     // the command's last word is granted
);
  logic slot_q, load_q, running_q, held_q;
  command_t c;
  assign c = cmd_i[slot_q];
  logic [Ports-1:0] mask;
  logic done, last, last_word, release_word, refill;
  logic [Ports-1:0][127:0] fifo_q[16];
  logic [3:0] in_q, out_q;
  logic [4:0] count_q;
  dla_grant #(
      .Ports(Ports)
  ) u_grant (
      .clk_i, .rst_ni, .valid_i(held_q && running_q && !load_q), .mask_i(mask), .req_o, .gnt_i,
      .done_o(done)
  );
  dla_output_walk #(
      .Groups(Ports)
  ) u_walk (
      .clk_i, .rst_ni, .load_i(load_q), .next_i(done), .groups_i, .blocks_i(c.out_blocks),
      .rows_i(c.out_h), .columns_i(c.out_w),
      .four_i(c.upsample2 || c.out_type == OutTypeInt32), .square_i(c.upsample2),
      .base_i(c.out_base), .row_pitch_i(c.out_row_pitch), .block_pitch_i(c.out_cb_pitch),
      .x_step_i(c.out_x_step), .mask_o(mask), .addr_o, .last_word_o(last_word), .last_o(last)
  );
  assign release_word = done && (!c.upsample2 || last_word);
  assign refill = count_q != '0 && (!held_q || release_word);
  assign ready_o = count_q != 5'd16;
  assign idle_o = !running_q;
  assign end_o = done && last;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {slot_q, load_q, running_q, held_q, in_q, out_q, count_q} <= '0;
    end else begin
      load_q  <= 1'b0;
      held_q  <= refill || (held_q && !release_word);
      in_q    <= in_q + 4'(valid_i && ready_o);
      out_q   <= out_q + 4'(refill);
      count_q <= count_q + 5'(valid_i && ready_o) - 5'(refill);
      if (end_o) running_q <= 1'b0;
      if (start_i) begin
        slot_q <= slot_i;
        load_q <= 1'b1;
        running_q <= 1'b1;
      end
    end
  end
  always_ff @(posedge clk_i) begin
    if (valid_i && ready_o) fifo_q[in_q] <= data_i;
    if (refill) data_o <= fifo_q[out_q];
  end

  // ---- Assertions ----
  `PRESIL_ASSERT(StartOnlyWhenIdle_A, start_i -> !running_q)
  `PRESIL_ASSERT(NeverMoreThanSixteen_A, count_q <= 5'd16)
endmodule
