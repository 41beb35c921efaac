// The source of a command as words: walks its rows, a word or a row's rest at a time, piece by
// piece. A piece ends after `bytes` bytes (a burst that was read) or after `data_bytes` data
// bytes and the padding that follows them (what a burst to be written takes), or with the last row.
`include "rtl/common/assert.svh"

module dma_source
  import dma_engine_pkg::*;
(
    input  logic         clk_i,
    input  logic         rst_ni,
    input  logic         clear_i,        // drops the piece
    input  logic         load_i,
    input  side_t        side_i,
    input  elements_t    elements_i,
    input  logic         piece_i,        // begins a piece; the one before has ended
    input  logic         by_data_i,
    input  logic         whole_i,        // all rows
    input  logic [8:0]   bytes_i,        // or data bytes; 0 of them: one word of no bytes
    output logic         valid_o,
    input  logic         ready_i,
    output logic [39:0]  address_o,      // of the first byte
    output source_word_t word_o,         // without data
    output elements_t    elements_o,
    // for cutting: where the next piece begins
    output logic         rows_left_o,
    output logic [23:0]  row_left_o
);

  elements_t   elements_q;
  logic [12:0] position_q, position;
  logic        busy_q, first_q, by_data_q, whole_q, last_row;
  logic [8:0]  left_q, left;
  logic [4:0]  to_word, segment, count, data_count;
  logic        none, ended, step;

  dma_row_walk u_walk (
      .clk_i,
      .rst_ni,
      .load_i,
      .side_i,
      .step_i    (step && !none),
      .bytes_i   (9'(count)),
      .valid_o   (rows_left_o),
      .address_o,
      .row_left_o,
      .last_o    (last_row)
  );

  assign none    = first_q && !whole_q && left_q == '0;
  assign to_word = 5'd16 - 5'(address_o[3:0]);
  always_comb begin
    segment = row_left_o < 24'(to_word) ? row_left_o[4:0] : to_word;
    if (!by_data_q && !whole_q && left_q < 9'(segment)) segment = left_q[4:0];
  end

  dma_lanes u_lanes (
      .elements_i  (elements_q),
      .position_i  (position_q),
      .count_i     (segment),
      .limit_i     (by_data_q ? left_q : 9'h1ff),
      .data_o      (),
      .index_o     (),
      .count_o     (count),
      .data_count_o(data_count),
      .position_o  (position)
  );

  assign left  = left_q - (by_data_q ? 9'(data_count) : 9'(count));
  always_comb begin
    if (whole_q) ended = last_row && row_left_o == 24'(count);
    else ended = none || left == '0 && !(by_data_q && elements_q.packed_elements &&
                                         position >= 13'(elements_q.data));
  end
  assign step       = valid_o && ready_i;
  assign valid_o    = busy_q;
  assign elements_o = elements_q;
  assign word_o     = '{data: '0, offset: none ? '0 : address_o[3:0], count: none ? '0 : count,
                        position: position_q, first: first_q, last: ended};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      elements_q <= '0;
      position_q <= '0;
      busy_q     <= 1'b0;
      first_q    <= 1'b0;
      by_data_q  <= 1'b0;
      whole_q    <= 1'b0;
      left_q     <= '0;
    end else begin
      if (load_i) begin
        elements_q <= elements_i;
        position_q <= '0;
      end else if (step && !none) begin
        position_q <= position;
      end
      if (piece_i) begin
        busy_q    <= 1'b1;
        first_q   <= 1'b1;
        by_data_q <= by_data_i;
        whole_q   <= whole_i;
        left_q    <= bytes_i;
      end else if (step) begin
        busy_q  <= !ended;
        first_q <= 1'b0;
        left_q  <= left;
      end
      if (clear_i) busy_q <= 1'b0;
    end
  end

  // ---------------------------------------------------------------------------------- assertions

  `PRESIL_ASSERT(Piece_begins_after_the_last_A, piece_i -> !busy_q || step && ended)
  `PRESIL_ASSERT(Rows_last_as_long_as_the_piece_A, busy_q && !none -> rows_left_o)
  `PRESIL_ASSERT(Word_moves_on_A, busy_q && !none -> count != '0)

endmodule
