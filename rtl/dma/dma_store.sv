// The write side: channels take the store engine in turn (round robin), a burst of a store or fill, or
// up to 16 words of a local copy, at a time. SRAM read port, byte stream, then W FIFO of 32 beats or
// the SRAM write port. Bursts of moves, whose beats dma_move holds, are written among those of stores.
// After a pick in cycle t of a piece of n words: AW in t + 1, first W in t + 6, next pick in t + n + 4.
`include "rtl/common/assert.svh"

module dma_store
  import dma_engine_pkg::*;
#(
    parameter int unsigned Channels         = 4,
    parameter int unsigned BurstsPerChannel = 8
) (
    input  logic                       clk_i,
    input  logic                       rst_ni,
    // commands of each channel
    input  logic  [Channels-1:0]       begin_valid_i,
    output logic  [Channels-1:0]       begin_ready_o,
    input  work_t [Channels-1:0]       begin_i,
    input  logic  [Channels-1:0]       begin_late_i,
    input  logic  [Channels-1:0][2:0]  begin_age_i,
    output logic  [Channels-1:0]       complete_o,
    output logic  [Channels-1:0]       failed_o,
    output logic  [Channels-1:0][39:0] failed_address_o,
    input  logic  [Channels-1:0]       halt_i,
    input  logic  [Channels-1:0]       clear_i,
    output logic  [Channels-1:0]       outstanding_o,
    output logic  [Channels-1:0]       completing_o,
    // for counters: what a channel that could be picked lacks
    output logic  [Channels-1:0]       works_o,
    output logic  [Channels-1:0]       blocked_queue_o,  // room in the W FIFO, or AWs wait
    output logic  [Channels-1:0]       blocked_engine_o,
    // words of moves
    input  logic  [Channels-1:0]       move_valid_i,
    output logic  [Channels-1:0]       move_ready_o,
    input  move_word_t                 move_i,
    output logic  [Channels-1:0]       handed_o,
    output burst_t                     handed_burst_o,
    // AXI, id = channel
    output logic                       aw_valid_o,
    input  logic                       aw_ready_i,
    output logic  [2:0]                aw_id_o,
    output logic  [39:0]               aw_addr_o,        // of the first byte
    output logic  [7:0]                aw_len_o,
    output logic  [8:0]                aw_bytes_o,
    output logic                       w_valid_o,
    input  logic                       w_ready_i,
    output logic  [127:0]              w_data_o,
    output logic  [15:0]               w_strb_o,
    output logic                       w_last_o,
    input  logic                       b_valid_i,
    input  logic  [2:0]                b_id_i,
    input  logic  [1:0]                b_resp_i,
    // SRAM read port: data in the cycle after valid and ready; a request may be withdrawn
    output logic                       read_valid_o,
    input  logic                       read_ready_i,
    output logic  [23:0]               read_address_o,
    input  logic  [127:0]              read_data_i,
    // SRAM write port, local copies
    output logic                       write_valid_o,
    input  logic                       write_ready_i,
    output logic  [23:0]               write_address_o,
    output logic  [127:0]              write_data_o,
    output logic  [15:0]               write_strobe_o,
    output logic  [2:0]                write_channel_o,
    output logic                       write_busy_o     // words of a piece are to come
);

  localparam int unsigned ChannelBits = Channels > 1 ? $clog2(Channels) : 1;
  localparam int unsigned PieceWords  = BurstBytes / 16;
  localparam int unsigned FifoWords   = 32;
  typedef logic [ChannelBits-1:0] channel_t;

  // ----------------------------------------------------------------------------------- channels

  logic         [Channels-1:0]       pick_valid, pick_local, pick, room, move_pick, leaves;
  burst_t       [Channels-1:0]       pick_burst, move_burst;
  logic         [Channels-1:0]       move_burst_valid, move_beat_valid, move_beat_ready, move_beat_last;
  logic         [Channels-1:0][127:0] move_data;
  logic         [Channels-1:0][15:0] move_strobe;
  logic         [Channels-1:0]       source_valid, source_ready, target_valid, target_step, answered;
  logic         [Channels-1:0][39:0] source_address, target_address;
  source_word_t [Channels-1:0]       source_word;
  elements_t    [Channels-1:0]       source_elements;
  transform_t   [Channels-1:0]       transform;
  target_t      [Channels-1:0]       target;
  logic         [4:0]                put_count;
  logic         [12:0]               put_position;
  logic                              piece_done;
  logic         [3:0]                margin;

  for (genvar c = 0; c < Channels; c++) begin : gen_channel
    dma_store_channel #(
        .BurstsPerChannel(BurstsPerChannel)
    ) u_channel (
        .clk_i,
        .rst_ni,
        .begin_valid_i    (begin_valid_i[c]),
        .begin_ready_o    (begin_ready_o[c]),
        .begin_i          (begin_i[c]),
        .begin_late_i     (begin_late_i[c]),
        .begin_age_i      (begin_age_i[c]),
        .complete_o       (complete_o[c]),
        .failed_o         (failed_o[c]),
        .failed_address_o (failed_address_o[c]),
        .halt_i           (halt_i[c]),
        .clear_i          (clear_i[c]),
        .outstanding_o    (outstanding_o[c]),
        .completing_o     (completing_o[c]),
        .pick_valid_o     (pick_valid[c]),
        .pick_local_o     (pick_local[c]),
        .pick_burst_o     (pick_burst[c]),
        .pick_i           (pick[c]),
        .room_o           (room[c]),
        .move_pick_i      (move_pick[c]),
        .move_burst_i     (move_burst[c]),
        .source_valid_o   (source_valid[c]),
        .source_ready_i   (source_ready[c]),
        .source_address_o (source_address[c]),
        .source_word_o    (source_word[c]),
        .source_elements_o(source_elements[c]),
        .transform_o      (transform[c]),
        .target_valid_o   (target_valid[c]),
        .target_o         (target[c]),
        .target_address_o (target_address[c]),
        .target_step_i    (target_step[c]),
        .target_count_i   (put_count),
        .target_position_i(put_position),
        .leave_i          (leaves[c]),
        .piece_done_i     (piece_done),
        .margin_i         (margin),
        .write_stalls_i   (write_valid_o && !write_ready_i),
        .b_valid_i        (answered[c]),
        .b_error_i        (b_resp_i[1])
    );

    dma_move u_move (
        .clk_i,
        .rst_ni,
        .clear_i      (clear_i[c]),
        .valid_i      (move_valid_i[c]),
        .ready_o      (move_ready_o[c]),
        .word_i       (move_i),
        .burst_valid_o(move_burst_valid[c]),
        .burst_o      (move_burst[c]),
        .burst_take_i (move_pick[c]),
        .beat_valid_o (move_beat_valid[c]),
        .beat_ready_i (move_beat_ready[c]),
        .beat_data_o  (move_data[c]),
        .beat_strobe_o(move_strobe[c]),
        .beat_last_o  (move_beat_last[c])
    );

    assign answered[c] = b_valid_i && b_id_i == 3'(c);
  end

  // --------------------------------------------------------------------------------------- picks

  logic        busy_q, local_q, picked, moved, fifo_free;
  logic  [9:0] cool_q;                     // cycles until the next pick
  channel_t    cur_q, last_q, picker;
  burst_t      burst;
  logic  [5:0] reserved_q;                 // beats of the W FIFO, from pick to W
  logic  [2:0] waiting;                    // AWs
  logic  [3:0] beats;                      // less one
  logic [Channels-1:0] move_request;

  assign fifo_free  = reserved_q <= 6'(FifoWords / 2) && waiting < 3'd3;
  assign move_request = move_burst_valid & room & ~halt_i;

  always_comb begin
    picker = last_q;
    picked = 1'b0;
    moved  = 1'b0;
    for (int unsigned i = 1; i <= Channels; i++) begin
      automatic channel_t c = channel_t'((32'(last_q) + i) % Channels);
      if (!picked && !busy_q && cool_q == '0) begin
        if (move_request[c] && fifo_free) {picked, moved, picker} = {2'b11, c};
        else if (pick_valid[c] && (pick_local[c] || fifo_free)) {picked, moved, picker} = {2'b10, c};
      end
    end
    pick              = '0;
    pick[picker]      = picked && !moved;
    move_pick         = '0;
    move_pick[picker] = moved;
  end

  assign burst            = moved ? move_burst[picker] : pick_burst[picker];
  assign beats            = beats_less_one(burst.address[3:0], burst.bytes);
  assign handed_o         = move_pick;
  assign handed_burst_o   = burst;
  assign blocked_queue_o  = (pick_valid & ~pick_local | move_request) & {Channels{!fifo_free}};
  assign blocked_engine_o = (pick_valid | move_request) & {Channels{busy_q || cool_q != '0}};

  always_comb begin
    works_o        = pick;
    works_o[cur_q] = works_o[cur_q] || busy_q;
  end

  // ------------------------------------------------------------------------------------------ AW

  typedef struct packed {
    channel_t channel;
    burst_t   burst;
  } address_t;

  address_t aw_in, aw_out;
  logic     writes, aw_taken, aw_room;
  assign writes = picked && (moved || !pick_local[picker]);
  assign aw_in  = '{channel: picker, burst: burst};

  stream_fifo #(
      .T    (address_t),
      .Depth(4)
  ) u_addresses (
      .clk_i,
      .rst_ni,
      .clear_i    (1'b0),
      .in_valid_i (writes),
      .in_ready_o (aw_room),
      .in_data_i  (aw_in),
      .out_valid_o(aw_valid_o),
      .out_ready_i(aw_ready_i),
      .out_data_o (aw_out),
      .count_o    (waiting)
  );

  assign aw_taken   = aw_valid_o && aw_ready_i;
  assign aw_id_o    = 3'(aw_out.channel);
  assign aw_addr_o  = aw_out.burst.address;
  assign aw_bytes_o = aw_out.burst.bytes;
  assign aw_len_o   = 8'(beats_less_one(aw_out.burst.address[3:0], aw_out.burst.bytes));

  // ------------------------------------------------------------------------------ SRAM to stream

  logic         held_valid_q, fresh_q, feeds, stops, reads, stream_ready, step, word_valid, word_ready;
  source_word_t held_q, word, fed;
  logic [127:0] kept_q;
  logic   [9:0] read_words_q, put_words_q, read_words, put_words, words, age_q, ends_at;
  channel_t     cur;

  assign cur            = cur_q;
  assign word           = source_word[cur];
  assign stops          = local_q && (read_words_q >= 10'(PieceWords) || put_words_q >= 10'(PieceWords));
  assign feeds          = busy_q && source_valid[cur] && !stops && (!held_valid_q || stream_ready);
  assign read_valid_o   = feeds && word.count != '0;
  assign read_address_o = {source_address[cur][23:4], 4'd0};
  assign reads          = feeds && (word.count == '0 || read_ready_i);
  always_comb begin
    source_ready      = '0;
    source_ready[cur] = reads;
    fed               = held_q;
    fed.data          = fresh_q ? read_data_i : kept_q;
  end

  // ------------------------------------------------------------------------------ out of the stream

  target_word_t out;
  logic         w_room, w_fifo_valid, w_fifo_ready, write_ready, rests, full;

  dma_stream #(
      .Contexts(Channels)
  ) u_stream (
      .clk_i,
      .rst_ni,
      .context_i        (cur),
      .clear_i,
      .source_valid_i   (held_valid_q),
      .source_ready_o   (stream_ready),
      .source_i         (fed),
      .source_elements_i(source_elements[cur]),
      .xor80_i          (transform[cur].xor80),
      .target_elements_i(transform[cur].pad),
      .pattern_i        (transform[cur].pattern),
      .piece_o          (),
      .piece_done_o     (piece_done),
      .target_valid_i   (target_valid[cur]),
      .target_i         (target[cur]),
      .word_valid_o     (word_valid),
      .word_ready_i     (word_ready),
      .word_o           (out),
      .word_count_o     (put_count),
      .word_position_o  (put_position)
  );

  assign write_busy_o = write_valid_o || (busy_q && local_q);
  assign write_ready = !write_valid_o || write_ready_i;
  assign full        = !held_valid_q && put_words_q >= 10'(PieceWords);
  assign rests       = local_q && !held_valid_q &&
                       (full || (read_words_q >= 10'(PieceWords) && source_valid[cur]));
  assign word_ready  = busy_q && (local_q ? write_ready && !full : w_room);
  assign step        = word_valid && word_ready;
  always_comb begin
    target_step      = '0;
    target_step[cur] = step;
  end

  // The engine leaves with the piece, or in a local copy after 16 words, with nothing under way.
  logic leave;
  assign read_words = read_words_q + 10'(reads && word.count != '0);
  assign put_words  = put_words_q + 10'(step);
  assign words      = read_words > put_words ? read_words : put_words;
  assign leave      = busy_q && (piece_done || rests);
  assign ends_at    = words + 10'd4;  // the age of the next pick
  assign margin     = words + 10'd9 > age_q + 10'd2 ? 4'(words + 10'd9 - age_q) : 4'd2;
  always_comb begin
    leaves      = '0;
    leaves[cur] = leave;
  end

  // ------------------------------------------------------------------------------------------- W

  typedef struct packed {
    logic [127:0] data;
    logic [15:0]  strobe;
    logic         last;
  } beat_t;
  typedef struct packed {
    logic     moved;
    channel_t channel;
  } order_t;

  beat_t  beat_in, beat;
  order_t order_in, order;
  logic   order_valid, order_room, w_sent, w_turn;
  logic   [4:0] late_valid_q;  // the order of bursts, 6 cycles late
  order_t [4:0] late_q;
  logic   [5:0] addressed_q;  // AWs taken whose burst has not left

  assign beat_in = '{data: out.data, strobe: out.strobe,
                     last: target[cur].last && put_count == target[cur].count};

  stream_fifo #(
      .T    (beat_t),
      .Depth(FifoWords)
  ) u_beats (
      .clk_i,
      .rst_ni,
      .clear_i    (1'b0),
      .in_valid_i (step && !local_q),
      .in_ready_o (w_room),
      .in_data_i  (beat_in),
      .out_valid_o(w_fifo_valid),
      .out_ready_i(w_fifo_ready),
      .out_data_o (beat),
      .count_o    ()
  );

  assign order_in = late_q[4];
  stream_fifo #(
      .T    (order_t),
      .Depth(FifoWords)
  ) u_order (
      .clk_i,
      .rst_ni,
      .clear_i    (1'b0),
      .in_valid_i (late_valid_q[4]),
      .in_ready_o (order_room),
      .in_data_i  (order_in),
      .out_valid_o(order_valid),
      .out_ready_i(w_sent && w_last_o),
      .out_data_o (order),
      .count_o    ()
  );

  assign w_turn       = order_valid && addressed_q != '0;
  assign w_valid_o    = w_turn && (order.moved ? move_beat_valid[order.channel] : w_fifo_valid);
  assign w_data_o     = order.moved ? move_data[order.channel] : beat.data;
  assign w_strb_o     = order.moved ? move_strobe[order.channel] : beat.strobe;
  assign w_last_o     = order.moved ? move_beat_last[order.channel] : beat.last;
  assign w_sent       = w_valid_o && w_ready_i;
  assign w_fifo_ready = w_turn && !order.moved && w_ready_i;
  always_comb begin
    move_beat_ready                = '0;
    move_beat_ready[order.channel] = w_turn && order.moved && w_ready_i;
  end

  // -------------------------------------------------------------------------------------- registers

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {busy_q, local_q, held_valid_q, fresh_q, write_valid_o} <= '0;
      cool_q          <= '0;
      cur_q           <= '0;
      last_q          <= channel_t'(Channels - 1);
      reserved_q      <= '0;
      held_q          <= '0;
      kept_q          <= '0;
      read_words_q    <= '0;
      put_words_q     <= '0;
      age_q           <= '0;
      late_valid_q    <= '0;
      late_q          <= '0;
      addressed_q     <= '0;
      write_address_o <= '0;
      write_data_o    <= '0;
      write_strobe_o  <= '0;
      write_channel_o <= '0;
    end else begin
      if (picked) last_q <= picker;
      reserved_q <= reserved_q + (writes ? 6'(beats) + 6'd1 : 6'd0) - 6'(w_sent);
      late_valid_q <= {late_valid_q[3:0], writes};
      late_q       <= {late_q[3:0], order_t'{moved: moved, channel: picker}};
      addressed_q  <= addressed_q + 6'(aw_taken) - 6'(w_sent && w_last_o);

      if (age_q != '1) age_q <= age_q + 10'd1;
      if (cool_q != '0) cool_q <= cool_q - 10'd1;
      if (picked && !moved) begin
        busy_q       <= 1'b1;
        cur_q        <= picker;
        local_q      <= pick_local[picker];
        read_words_q <= '0;
        put_words_q  <= '0;
        age_q        <= 10'd1;
      end else if (busy_q) begin
        read_words_q <= read_words;
        put_words_q  <= put_words;
        if (leave) begin
          busy_q <= 1'b0;
          cool_q <= ends_at > age_q + 10'd1 ? ends_at - age_q - 10'd1 : '0;
        end
      end

      // A word of the SRAM is there in the cycle after its read; it waits for the stream.
      fresh_q <= reads;
      if (fresh_q) kept_q <= read_data_i;
      if (reads) held_q <= word;
      if (reads) held_valid_q <= 1'b1;
      else if (stream_ready) held_valid_q <= 1'b0;

      if (write_ready) begin
        write_valid_o <= step && local_q;
        if (step && local_q) begin
          write_address_o <= {target_address[cur][23:4], 4'd0};
          write_data_o    <= out.data;
          write_strobe_o  <= out.strobe;
          write_channel_o <= 3'(cur_q);
        end
      end
    end
  end

  // ---------------------------------------------------------------------------------- assertions

  `PRESIL_ASSERT(Address_has_room_A, writes -> aw_room)
  `PRESIL_ASSERT(Order_has_room_A, late_valid_q[4] -> order_room)
  `PRESIL_ASSERT(Word_has_room_A, word_valid && !local_q -> w_room)
  `PRESIL_STAYS(Address_holds_until_taken_A,
      aw_valid_o && !aw_ready_i, aw_valid_o, {aw_addr_o, aw_len_o})
  `PRESIL_STAYS(Beat_holds_until_taken_A, w_valid_o && !w_ready_i, w_valid_o, {w_data_o, w_last_o})

endmodule
