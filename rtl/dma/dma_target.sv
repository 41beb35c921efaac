// The destination of a command: walks its rows by the words that the stream makes, and keeps the
// position in the element. A bounded piece (a burst to be written) ends after `bytes` bytes.
`include "rtl/common/assert.svh"

module dma_target
  import dma_engine_pkg::*;
(
    input  logic        clk_i,
    input  logic        rst_ni,
    input  logic        load_i,
    input  side_t       side_i,
    input  logic        piece_i,       // begins a bounded piece
    input  logic [8:0]  bytes_i,
    input  logic        bounded_i,     // the piece in the stream is
    output logic        valid_o,
    output target_t     target_o,
    output logic [39:0] address_o,
    output logic        rows_left_o,
    output logic [23:0] row_left_o,
    output logic        last_row_o,
    output logic [12:0] position_o,
    input  logic        step_i,
    input  logic [4:0]  count_i,
    input  logic [12:0] next_position_i
);

  logic [8:0]  left_q;
  logic [12:0] position_q;
  logic [4:0]  to_word, segment;

  dma_row_walk u_walk (
      .clk_i,
      .rst_ni,
      .load_i,
      .side_i,
      .step_i,
      .bytes_i   (9'(count_i)),
      .valid_o   (rows_left_o),
      .address_o,
      .row_left_o,
      .last_o    (last_row_o)
  );

  assign to_word = 5'd16 - 5'(address_o[3:0]);
  always_comb begin
    segment = row_left_o < 24'(to_word) ? row_left_o[4:0] : to_word;
    if (bounded_i && left_q < 9'(segment)) segment = left_q[4:0];
  end
  assign valid_o    = rows_left_o && !(bounded_i && left_q == '0);
  assign position_o = position_q;
  assign target_o   = '{offset: address_o[3:0], count: segment, position: position_q,
                        last: bounded_i && left_q == 9'(segment)};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      left_q     <= '0;
      position_q <= '0;
    end else begin
      if (load_i) position_q <= '0;
      else if (step_i) position_q <= next_position_i;
      if (piece_i) left_q <= bytes_i;
      else if (step_i && bounded_i) left_q <= left_q - 9'(count_i);
    end
  end

  // ---------------------------------------------------------------------------------- assertions

  `PRESIL_ASSERT(Step_is_what_was_offered_A, step_i && !load_i -> valid_o && count_i <= segment)

endmodule
