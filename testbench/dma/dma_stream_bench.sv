// The DMA's byte stream with both its walks and nothing else: a command's rows from a memory that
// answers in the cycle to one that takes a word a cycle (back-pressure by the bench). Bursts are cut
// on the source side as a load's or on the destination side as a store's.
module dma_stream_bench
  import dma_engine_pkg::*;
(
    input  logic         clk_i,
    input  logic         rst_ni,
    input  logic         start_i,
    input  logic         store_i,             // cut on the destination side
    input  logic         xor80_i,
    input  logic         pad_i,
    input  logic         drop_i,
    input  logic [11:0]  elem_bytes_i,        // pad without any: a fill
    input  logic [31:0]  pattern_i,
    input  logic [39:0]  source_base_i,
    input  logic [23:0]  source_row_bytes_i,
    input  logic [63:0]  source_n_i,
    input  logic [127:0] source_stride_i,
    input  logic [39:0]  target_base_i,
    input  logic [23:0]  target_row_bytes_i,
    input  logic [63:0]  target_n_i,
    input  logic [127:0] target_stride_i,
    output logic         busy_o,
    output logic         piece_done_o,
    // memories
    input  logic         source_allowed_i,
    output logic         read_o,
    output logic [39:0]  read_address_o,
    input  logic [127:0] read_data_i,
    input  logic         target_allowed_i,
    output logic         write_o,
    output logic [39:0]  write_address_o,
    output logic [127:0] write_data_o,
    output logic [15:0]  write_strobe_o
);

  logic         store_q, xor80_q, busy_q, wait_q, fill_q;
  elements_t    target_elements_q, source_elements;
  logic [31:0]  pattern_q;
  side_t        source_side, target_side;
  logic         begin_piece, piece, piece_done;
  logic         source_valid, source_ready, source_rows_left, target_rows_left;
  source_word_t source_word, source_data;
  logic [39:0]  source_address;
  logic [23:0]  source_row_left, target_row_left;
  logic         target_valid, word_valid;
  target_t      target;
  target_word_t word;
  logic [4:0]   word_count;
  logic [12:0]  target_position, word_position;
  logic [8:0]   bytes, data_bytes;
  elements_t    of_pad, of_drop;
  logic [12:0]  pitch;

  assign pitch   = elem_bytes_i == '0 ? 13'd16 : (13'(elem_bytes_i) + 13'd15) & ~13'd15;
  assign of_pad  = '{packed_elements: pad_i, data: elem_bytes_i, pitch: pitch};
  assign of_drop = '{packed_elements: drop_i, data: elem_bytes_i, pitch: pitch};
  assign source_side = '{base: source_base_i, row_bytes: source_row_bytes_i, n: source_n_i,
                         stride: source_stride_i};
  assign target_side = '{base: target_base_i, row_bytes: target_row_bytes_i, n: target_n_i,
                         stride: target_stride_i};

  dma_piece u_piece (
      .address_i   (store_q ? write_address_o[7:0] : source_address[7:0]),
      .row_left_i  (store_q ? target_row_left : source_row_left),
      .elements_i  (target_elements_q),
      .position_i  (target_position),
      .bytes_o     (bytes),
      .data_bytes_o(data_bytes)
  );

  logic more;
  assign more        = store_q ? target_rows_left : source_rows_left;
  assign begin_piece = busy_q && !wait_q && more;

  dma_source u_source (
      .clk_i, .rst_ni,
      .clear_i    (1'b0),
      .load_i     (start_i),
      .side_i     (source_side),
      .elements_i (of_drop),
      .piece_i    (begin_piece),
      .by_data_i  (store_q),
      .whole_i    (1'b0),
      .bytes_i    (fill_q ? '0 : store_q ? data_bytes : bytes),
      .valid_o    (source_valid),
      .ready_i    (source_ready && source_allowed_i),
      .address_o  (source_address),
      .word_o     (source_word),
      .elements_o (source_elements),
      .rows_left_o(source_rows_left),
      .row_left_o (source_row_left)
  );

  always_comb begin
    source_data      = source_word;
    source_data.data = read_data_i;
  end

  dma_stream u_stream (
      .clk_i, .rst_ni,
      .context_i        (1'b0),
      .clear_i          (1'b0),
      .source_valid_i   (source_valid && source_allowed_i),
      .source_ready_o   (source_ready),
      .source_i         (source_data),
      .source_elements_i(source_elements),
      .xor80_i          (xor80_q),
      .target_elements_i(target_elements_q),
      .pattern_i        (pattern_q),
      .piece_o          (piece),
      .piece_done_o     (piece_done),
      .target_valid_i   (target_valid),
      .target_i         (target),
      .word_valid_o     (word_valid),
      .word_ready_i     (target_allowed_i),
      .word_o           (word),
      .word_count_o     (word_count),
      .word_position_o  (word_position)
  );

  dma_target u_target (
      .clk_i, .rst_ni,
      .load_i         (start_i),
      .side_i         (target_side),
      .piece_i        (begin_piece),
      .bytes_i        (bytes),
      .bounded_i      (store_q),
      .valid_o        (target_valid),
      .target_o       (target),
      .address_o      (write_address_o),
      .rows_left_o    (target_rows_left),
      .row_left_o     (target_row_left),
      .last_row_o     (),
      .position_o     (target_position),
      .step_i         (write_o),
      .count_i        (word_count),
      .next_position_i(word_position)
  );

  assign read_o         = source_valid && source_ready && source_allowed_i;
  assign read_address_o = {source_address[39:4], 4'd0};
  assign write_o        = word_valid && target_allowed_i;
  assign write_data_o   = word.data;
  assign write_strobe_o = word.strobe;
  assign busy_o         = busy_q;
  assign piece_done_o   = piece && piece_done;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {store_q, xor80_q, busy_q, wait_q, fill_q} <= '0;
      target_elements_q <= '0;
      pattern_q         <= '0;
    end else if (start_i) begin
      store_q           <= store_i;
      xor80_q           <= xor80_i;
      busy_q            <= 1'b1;
      wait_q            <= 1'b0;
      fill_q            <= pad_i && elem_bytes_i == '0;
      target_elements_q <= of_pad;
      pattern_q         <= pattern_i;
    end else if (begin_piece) begin
      wait_q <= 1'b1;
    end else if (piece_done_o) begin
      wait_q <= 1'b0;
    end else if (!wait_q && !more) begin
      busy_q <= 1'b0;
    end
  end

endmodule
