// A channel's part of the read side: cuts the source of a load into bursts and keeps the order in
// which their beats come back; walks the destination as the stream makes words; completes.
// first take = max(words fetched + 4, begin + 2 if it waited, last take of the one before + 4);
// complete = last word into the stream's write register + 4 (models/dma: last beat + 5).
// A move is read here too; its words go to the bursts that dma_store writes, and at most 512 bytes
// are on their way between.
`include "rtl/common/assert.svh"

module dma_load_channel
  import dma_engine_pkg::*;
#(
    parameter int unsigned BurstsPerChannel = 8,
    parameter int unsigned CommandsInFlight = 4
) (
    input  logic        clk_i,
    input  logic        rst_ni,
    // commands, in order
    input  logic        begin_valid_i,
    output logic        begin_ready_o,
    input  work_t       begin_i,
    input  logic        begin_late_i,     // it could have begun earlier: waited, or the channel was taken
    input  logic [2:0]  begin_age_i,      // cycles since its words were fetched, at most 4
    output logic        complete_o,
    output logic        failed_o,         // until clear: a burst was answered with an error
    output logic [39:0] failed_address_o,
    output logic        empty_o,          // all that has begun has completed
    input  logic        halt_i,           // takes no more
    input  logic        clear_i,          // drops all; no burst is outstanding
    output logic        outstanding_o,
    output logic        completing_o,     // complete_o is to come
    // takes
    output logic        take_valid_o,
    input  logic        take_i,
    output logic [39:0] take_address_o,
    output logic [8:0]  take_bytes_o,
    // answers
    output logic        awaited_valid_o,
    output awaited_t    awaited_o,
    output transform_t  answered_o,       // of the command whose beats come
    output logic [12:0] source_position_o,
    input  logic        credit_i,         // a burst has left the stream: its credit is back, now
    input  logic [8:0]  credit_bytes_i,
    input  logic        source_step_i,    // a word has gone into the stream
    input  logic [12:0] source_position_i,
    input  logic        source_last_i,
    input  logic        source_error_i,
    // destination
    output logic        target_open_o,    // the walk stands at the command that is answered
    output logic        target_move_o,    // it is a move
    output logic        target_row_ends_o,  // target_count_i bytes are the rest of a row
    output logic        target_last_row_o,
    output logic        target_valid_o,
    output target_t     target_o,
    output logic [39:0] target_address_o,
    input  logic        target_step_i,
    input  logic [4:0]  target_count_i,
    input  logic [12:0] target_position_i,
    input  logic        command_ends_i,   // its last burst leaves the stream
    input  logic        write_stalls_i,   // a word waits for the SRAM port
    input  logic        handed_i,         // a burst of a move is on its way out
    input  logic [8:0]  handed_bytes_i
);

  // ---------------------------------------------------------------------------------------- begin

  logic       active_q, take_last, begins;
  logic [2:0] hold_q, after_q, hold;
  logic [2:0] commands_q;

  assign begin_ready_o = (!active_q || (take_i && take_last)) && !failed_o &&
                         commands_q < 3'(CommandsInFlight);
  assign begins        = begin_valid_i && begin_ready_o;
  assign empty_o       = commands_q == '0;

  // Cycles from the begin to the first take; a last take in this very cycle counts 4 later.
  always_comb begin
    hold = 3'd4 - begin_age_i;
    if (begin_late_i && hold < 3'd2) hold = 3'd2;
    if (hold < after_q) hold = after_q;
    if (take_i) hold = 3'd4;
    if (hold == '0) hold = 3'd1;
  end

  // -------------------------------------------------------------------------------- bursts to take

  logic        rows_left;
  logic [23:0] row_left;
  logic        walk_last;
  logic [3:0]  credits_q;

  dma_row_walk u_walk (
      .clk_i,
      .rst_ni,
      .load_i    (begins),
      .side_i    (begin_i.source),
      .step_i    (take_i),
      .bytes_i   (take_bytes_o),
      .valid_o   (rows_left),
      .address_o (take_address_o),
      .row_left_o(row_left),
      .last_o    (walk_last)
  );

  dma_piece u_piece (
      .address_i   (take_address_o[7:0]),
      .row_left_i  (row_left),
      .elements_i  ('0),
      .position_i  ('0),
      .bytes_o     (take_bytes_o),
      .data_bytes_o()
  );

  // Bytes of a move between the read side and the write side, with what a pad adds in the stream.
  logic        move_q, full;
  logic [13:0] held_q;
  assign full = move_q && held_q >= 14'(BurstBytes) &&
                held_q + 14'(take_bytes_o) > 14'(2 * BurstBytes);

  assign take_last    = walk_last && 24'(take_bytes_o) == row_left;
  assign take_valid_o = active_q && rows_left && hold_q == '0 && (credits_q != '0 || credit_i) &&
                        !failed_o && !halt_i && !full;

  // ---------------------------------------------------------------------------- answers, in order

  logic      awaited_ready;
  awaited_t  awaited;
  logic      source_ends;
  assign awaited = '{address: take_address_o, bytes: take_bytes_o, last: take_last};

  stream_fifo #(
      .T    (awaited_t),
      .Depth(BurstsPerChannel)
  ) u_awaited (
      .clk_i,
      .rst_ni,
      .clear_i,
      .in_valid_i (take_i),
      .in_ready_o (awaited_ready),
      .in_data_i  (awaited),
      .out_valid_o(awaited_valid_o),
      .out_ready_i(source_step_i && source_last_i),
      .out_data_o (awaited_o),
      .count_o    ()
  );

  // The command that is answered, and the one that the stream's words belong to: both walk through
  // the commands that have begun.
  transform_t [CommandsInFlight-1:0] transform_q;
  side_t      [CommandsInFlight-1:0] side_q;
  logic       [CommandsInFlight-1:0] moves_q;
  localparam int unsigned IndexBits = $clog2(CommandsInFlight);
  logic [IndexBits-1:0] begun_q, answered_q, put_q;
  logic [2:0]           to_put_q;  // begun, their last word not yet written
  logic                 target_loaded_q, load_target;
  logic [12:0]          position_q;

  assign answered_o        = transform_q[answered_q];
  assign source_position_o = position_q;
  assign source_ends       = source_step_i && source_last_i && awaited_o.last;
  assign load_target       = !target_loaded_q && to_put_q != '0;

  logic        rows_at_target;
  logic [23:0] target_row_left;
  dma_target u_target (
      .clk_i,
      .rst_ni,
      .load_i         (load_target),
      .side_i         (side_q[put_q]),
      .piece_i        (1'b0),
      .bytes_i        ('0),
      .bounded_i      (1'b0),
      .valid_o        (rows_at_target),
      .target_o,
      .address_o      (target_address_o),
      .rows_left_o    (),
      .row_left_o     (target_row_left),
      .last_row_o     (target_last_row_o),
      .position_o     (),
      .step_i         (target_step_i),
      .count_i        (target_count_i),
      .next_position_i(target_position_i)
  );
  assign target_valid_o    = rows_at_target && target_loaded_q;
  assign target_move_o     = moves_q[put_q];
  assign target_row_ends_o = target_row_left == 24'(target_count_i);
  assign target_open_o  = target_loaded_q && answered_q == put_q && !command_ends_i;

  // ----------------------------------------------------------------------------------- completion

  logic [2:0] ended_q;  // a margin: what the SRAM port delays by less is not seen
  logic [2:0] owed_q;
  logic       owed_now;
  assign owed_now   = ended_q[2];
  assign complete_o = owed_q != '0 && !write_stalls_i;
  assign completing_o  = owed_q != '0 || ended_q != '0;
  assign outstanding_o = credits_q != 4'(BurstsPerChannel);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      active_q         <= 1'b0;
      hold_q           <= '0;
      after_q          <= '0;
      commands_q       <= '0;
      credits_q        <= 4'(BurstsPerChannel);
      transform_q      <= '0;
      side_q           <= '0;
      begun_q          <= '0;
      answered_q       <= '0;
      put_q            <= '0;
      to_put_q         <= '0;
      target_loaded_q  <= 1'b0;
      position_q       <= '0;
      ended_q          <= '0;
      owed_q           <= '0;
      failed_o         <= 1'b0;
      failed_address_o <= '0;
      moves_q          <= '0;
      move_q           <= 1'b0;
      held_q           <= '0;
    end else if (clear_i) begin
      active_q        <= 1'b0;
      hold_q          <= '0;
      after_q         <= '0;
      commands_q      <= '0;
      begun_q         <= '0;
      answered_q      <= '0;
      put_q           <= '0;
      to_put_q        <= '0;
      target_loaded_q <= 1'b0;
      position_q      <= '0;
      ended_q         <= '0;
      owed_q          <= '0;
      failed_o        <= 1'b0;
      move_q          <= 1'b0;
      held_q          <= '0;
    end else begin
      if (take_i && take_last) active_q <= 1'b0;
      if (begins) begin
        active_q             <= 1'b1;
        transform_q[begun_q] <= begin_i.transform;
        side_q[begun_q]      <= begin_i.target;
        moves_q[begun_q]     <= begin_i.path == PathMove;
        move_q               <= begin_i.path == PathMove;
        begun_q              <= begun_q + 1'b1;
      end
      hold_q <= begins ? hold - 3'd1 : hold_q - 3'(hold_q != '0);
      after_q <= take_i ? 3'd3 : after_q - 3'(after_q != '0);
      commands_q <= commands_q + 3'(begins) - 3'(complete_o) - 3'(command_ends_i && moves_q[put_q]);
      credits_q <= credits_q - 4'(take_i) + 4'(credit_i);
      if (source_step_i) position_q <= source_ends ? '0 : source_position_i;
      if (source_ends) answered_q <= answered_q + 1'b1;
      to_put_q <= to_put_q + 3'(begins) - 3'(command_ends_i);
      if (command_ends_i) put_q <= put_q + 1'b1;
      target_loaded_q <= load_target || (target_loaded_q && !command_ends_i);
      ended_q <= {ended_q[1:0], command_ends_i && !failed_o && !moves_q[put_q]};
      if (moves_q[put_q] || move_q) begin
        held_q <= held_q + (take_i ? 14'(take_bytes_o) : '0) + (target_step_i ? 14'(target_count_i) : '0)
                - (credit_i ? 14'(credit_bytes_i) : '0) - (handed_i ? 14'(handed_bytes_i) : '0);
      end
      owed_q <= owed_q + 3'(owed_now) - 3'(complete_o);
      if (source_step_i && source_error_i && !failed_o) begin
        failed_o         <= 1'b1;
        failed_address_o <= awaited_o.address;
      end
    end
  end

  // ---------------------------------------------------------------------------------- assertions

  `PRESIL_ASSERT(Take_was_offered_A, take_i -> take_valid_o && awaited_ready)
  `PRESIL_ASSERT(Credit_is_of_a_take_A, credit_i -> credits_q < 4'(BurstsPerChannel))
  `PRESIL_ASSERT(Answer_is_awaited_A, source_step_i -> awaited_valid_o)
  `PRESIL_ASSERT(Command_ends_once_A, command_ends_i -> to_put_q != '0 && target_loaded_q)

endmodule
