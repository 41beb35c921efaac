// A channel's part of the write side: both walks of a store, fill or local copy, how the destination
// is cut into bursts, what is outstanding, completion. The engine (dma_store) works on a channel from
// a pick to leave_i; a local copy, one long piece of the stream, rests between its picks.
// first pick = begin + 2; a store completes with its last B, a local copy margins after its words.
`include "rtl/common/assert.svh"

module dma_store_channel
  import dma_engine_pkg::*;
#(
    parameter int unsigned BurstsPerChannel = 8
) (
    input  logic         clk_i,
    input  logic         rst_ni,
    // commands, one at a time
    input  logic         begin_valid_i,
    output logic         begin_ready_o,
    input  work_t        begin_i,         // PathStore or PathLocal
    input  logic         begin_late_i,
    input  logic [2:0]   begin_age_i,     // as dma_load_channel
    output logic         complete_o,      // also of a move
    output logic         failed_o,
    output logic [39:0]  failed_address_o,
    input  logic         halt_i,
    input  logic         clear_i,         // drops all; nothing is outstanding
    output logic         outstanding_o,
    output logic         completing_o,
    // picks
    output logic         pick_valid_o,
    output logic         pick_local_o,
    output burst_t       pick_burst_o,
    input  logic         pick_i,
    // bursts of moves
    output logic         room_o,          // another burst may be outstanding
    input  logic         move_pick_i,
    input  burst_t       move_burst_i,
    // to the stream
    output logic         source_valid_o,
    input  logic         source_ready_i,
    output logic [39:0]  source_address_o,
    output source_word_t source_word_o,
    output elements_t    source_elements_o,
    output transform_t   transform_o,
    output logic         target_valid_o,
    output target_t      target_o,
    output logic [39:0]  target_address_o,
    input  logic         target_step_i,
    input  logic [4:0]   target_count_i,
    input  logic [12:0]  target_position_i,
    input  logic         leave_i,         // the engine leaves the channel
    input  logic         piece_done_i,    // with that: the piece has ended
    input  logic [3:0]   margin_i,        // of a local copy, from there to completion
    input  logic         write_stalls_i,  // a word of a local copy waits for the SRAM port
    // B
    input  logic         b_valid_i,
    input  logic         b_error_i
);

  // ---------------------------------------------------------------------------------------- begin

  logic       active_q, local_q, fill_q, piece_q, begins, works_q, last_q;
  logic [2:0] hold_q, hold;
  transform_t transform_q;

  assign begin_ready_o = !active_q;
  assign begins        = begin_valid_i && begin_ready_o;
  always_comb begin
    hold = 3'd4 - begin_age_i;
    if (begin_late_i && hold < 3'd2) hold = 3'd2;
    if (hold == '0) hold = 3'd1;
  end

  // ---------------------------------------------------------------------------------------- walks

  logic        rows_left, begin_piece, last_row, local_piece;
  logic [23:0] row_left;
  logic [12:0] position;
  logic [8:0]  bytes, data_bytes;

  dma_piece u_piece (
      .address_i   (target_address_o[7:0]),
      .row_left_i  (row_left),
      .elements_i  (transform_q.pad),
      .position_i  (position),
      .bytes_o     (bytes),
      .data_bytes_o(data_bytes)
  );

  assign local_piece = pick_i && local_q;
  assign begin_piece = pick_i && !piece_q;

  dma_source u_source (
      .clk_i,
      .rst_ni,
      .clear_i,
      .load_i     (begins),
      .side_i     (begin_i.source),
      .elements_i (begin_i.transform.drop),
      .piece_i    (begin_piece),
      .by_data_i  (!local_piece || fill_q),
      .whole_i    (local_piece && !fill_q),
      .bytes_i    (fill_q ? '0 : data_bytes),
      .valid_o    (source_valid_o),
      .ready_i    (source_ready_i),
      .address_o  (source_address_o),
      .word_o     (source_word_o),
      .elements_o (source_elements_o),
      .rows_left_o(),
      .row_left_o ()
  );

  dma_target u_target (
      .clk_i,
      .rst_ni,
      .load_i         (begins),
      .side_i         (begin_i.target),
      .piece_i        (begin_piece),
      .bytes_i        (bytes),
      .bounded_i      (!local_q),
      .valid_o        (target_valid_o),
      .target_o,
      .address_o      (target_address_o),
      .rows_left_o    (rows_left),
      .row_left_o     (row_left),
      .last_row_o     (last_row),
      .position_o     (position),
      .step_i         (target_step_i),
      .count_i        (target_count_i),
      .next_position_i(target_position_i)
  );

  assign transform_o  = transform_q;
  assign pick_local_o = local_q;
  assign pick_burst_o = '{address: target_address_o, bytes: bytes,
                          last: last_row && row_left == 24'(bytes)};
  assign pick_valid_o = active_q && !works_q && hold_q == '0 && !halt_i && !failed_o &&
                        (local_q || (rows_left && room_o));

  // ---------------------------------------------------------------------------------- outstanding

  logic   push, awaited_valid;
  burst_t pushed, awaited;
  assign push   = (pick_i && !local_q) || move_pick_i;
  assign pushed = move_pick_i ? move_burst_i : pick_burst_o;

  stream_fifo #(
      .T    (burst_t),
      .Depth(BurstsPerChannel)
  ) u_awaited (
      .clk_i,
      .rst_ni,
      .clear_i,
      .in_valid_i (push),
      .in_ready_o (room_o),
      .in_data_i  (pushed),
      .out_valid_o(awaited_valid),
      .out_ready_i(b_valid_i),
      .out_data_o (awaited),
      .count_o    ()
  );

  // ----------------------------------------------------------------------------------- completion

  logic [9:0] ended_q;  // of local copies: bit 0 completes
  assign complete_o    = (b_valid_i && awaited.last && !b_error_i && !failed_o) ||
                         (ended_q[0] && !write_stalls_i);
  assign completing_o  = ended_q != '0;
  assign outstanding_o = awaited_valid || works_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {active_q, local_q, fill_q, piece_q, works_q, last_q} <= '0;
      hold_q           <= '0;
      transform_q      <= '0;
      ended_q          <= '0;
      failed_o         <= 1'b0;
      failed_address_o <= '0;
    end else if (clear_i) begin
      {active_q, local_q, fill_q, piece_q, works_q} <= '0;
      hold_q   <= '0;
      ended_q  <= '0;
      failed_o <= 1'b0;
    end else begin
      if (!(ended_q[0] && write_stalls_i)) ended_q <= ended_q >> 1;
      hold_q  <= begins ? hold - 3'd1 : hold_q - 3'(hold_q != '0);
      if (begins) begin
        active_q    <= 1'b1;
        local_q     <= begin_i.path == PathLocal;
        fill_q      <= begin_i.fill;
        transform_q <= begin_i.transform;
      end
      if (pick_i) begin
        {works_q, piece_q} <= 2'b11;
        last_q             <= pick_burst_o.last;
      end
      if (leave_i) begin
        works_q <= 1'b0;
        if (piece_done_i) begin
          piece_q <= 1'b0;
          if (local_q || last_q) active_q <= 1'b0;
          if (local_q) ended_q[margin_i] <= 1'b1;
        end
      end
      if (b_valid_i && b_error_i && !failed_o) begin
        failed_o         <= 1'b1;
        failed_address_o <= awaited.address;
      end
    end
  end

  // ---------------------------------------------------------------------------------- assertions

  `PRESIL_ASSERT(Answer_is_awaited_A, b_valid_i -> awaited_valid)
  `PRESIL_ASSERT(One_burst_at_a_time_A, !(pick_i && move_pick_i))
  `PRESIL_ASSERT(Burst_has_room_A, push -> room_o)

endmodule
