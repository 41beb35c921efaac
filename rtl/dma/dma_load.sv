// The read side: channels take bursts in turn (one a cycle, round robin, credits per channel and in
// all), AR, R into a FIFO of 8, the byte stream, words to the SRAM write port. A burst's beats come
// together; channels' bursts may come in any order, a channel's in its own.
`include "rtl/common/assert.svh"

module dma_load
  import dma_engine_pkg::*;
#(
    parameter int unsigned Channels         = 4,
    parameter int unsigned BurstsPerChannel = 8,
    parameter int unsigned BurstsTotal      = 16
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
    output logic  [Channels-1:0]       empty_o,
    output logic  [Channels-1:0]       failed_o,
    output logic  [Channels-1:0][39:0] failed_address_o,
    input  logic  [Channels-1:0]       halt_i,
    input  logic  [Channels-1:0]       clear_i,
    output logic  [Channels-1:0]       outstanding_o,
    output logic  [Channels-1:0]       completing_o,
    output logic  [Channels-1:0]       moving_o,         // a word of the channel leaves the stream
    // AXI, id = channel
    output logic                       ar_valid_o,
    input  logic                       ar_ready_i,
    output logic  [2:0]                ar_id_o,
    output logic  [39:0]               ar_address_o,   // of the first byte
    output logic  [7:0]                ar_len_o,       // beats - 1
    output logic  [8:0]                ar_bytes_o,     // used of them, for statistics
    input  logic                       r_valid_i,
    output logic                       r_ready_o,
    input  logic  [2:0]                r_id_i,
    input  logic  [127:0]              r_data_i,
    input  logic  [1:0]                r_resp_i,
    input  logic                       r_last_i,
    // SRAM write port
    output logic                       write_valid_o,
    input  logic                       write_ready_i,
    output logic  [23:0]               write_address_o,
    output logic  [127:0]              write_data_o,
    output logic  [15:0]               write_strobe_o,
    output logic  [2:0]                write_channel_o,
    output logic                       write_ends_o,     // the burst
    output logic                       write_busy_o,     // words of a burst are to come
    // words of moves
    output logic  [Channels-1:0]       move_valid_o,
    input  logic  [Channels-1:0]       move_ready_i,
    output move_word_t                 move_o,
    input  logic  [Channels-1:0]       handed_i,
    input  burst_t                     handed_burst_i
);

  localparam int unsigned ChannelBits = Channels > 1 ? $clog2(Channels) : 1;
  typedef logic [ChannelBits-1:0] channel_t;
  typedef struct packed {
    channel_t     channel;
    logic [127:0] data;
    logic         error;
    logic         last;
  } beat_t;

  logic     [Channels-1:0]       take_valid, take;
  logic     [Channels-1:0][39:0] take_address;
  logic     [Channels-1:0][8:0]  take_bytes;
  logic     [Channels-1:0]       awaited_valid, credit, source_step, target_valid, target_step;
  logic     [Channels-1:0]       command_ends;
  awaited_t [Channels-1:0]       awaited;
  transform_t [Channels-1:0]     answered;
  logic     [Channels-1:0][12:0] position;
  target_t  [Channels-1:0]       target;
  logic     [Channels-1:0][39:0] target_address;

  // ----------------------------------------------------------------------------------------- takes

  logic     [4:0] credits_q;
  channel_t       last_taker_q, taker;
  logic           taken;

  always_comb begin
    taker = last_taker_q;
    taken = 1'b0;
    for (int unsigned i = 1; i <= Channels; i++) begin
      automatic channel_t c = channel_t'((32'(last_taker_q) + i) % Channels);
      if (!taken && take_valid[c]) begin
        taken = (credits_q != '0 || |credit) && (!ar_valid_o || ar_ready_i);
        taker = c;
      end
    end
    take = '0;
    take[taker] = taken;
  end

  // --------------------------------------------------------------------------------------- R, FIFO

  beat_t beat_in, beat, held;
  logic  beat_valid, beat_ready, held_valid, fifo_ready;
  assign beat_in = '{channel: channel_t'(r_id_i), data: r_data_i, error: r_resp_i[1], last: r_last_i};

  stream_fifo #(
      .T    (beat_t),
      .Depth(8)
  ) u_beats (
      .clk_i,
      .rst_ni,
      .clear_i    (1'b0),
      .in_valid_i (r_valid_i && (held_valid || !beat_ready)),
      .in_ready_o (fifo_ready),
      .in_data_i  (beat_in),
      .out_valid_o(held_valid),
      .out_ready_i(beat_ready),
      .out_data_o (held),
      .count_o    ()
  );

  // While the FIFO is empty a beat passes it by.
  assign r_ready_o  = fifo_ready;
  assign beat_valid = held_valid || r_valid_i;
  assign beat       = held_valid ? held : beat_in;

  // -------------------------------------------------------------------------------- into the stream

  channel_t     from;
  logic         first_q;
  logic  [8:0]  left_q, left, piece_bytes_q;
  source_word_t word;
  logic  [12:0] next_position;
  logic         open, stream_ready, step;
  transform_t   command;

  assign from    = beat.channel;
  always_comb begin
    command       = '0;
    left          = '0;
    word          = '0;
    next_position = '0;
    if (beat_valid) begin
      command       = answered[from];
      left          = first_q ? awaited[from].bytes : left_q;
      word.data     = beat.data;
      word.offset   = first_q ? awaited[from].address[3:0] : '0;
      word.count    = 5'd16 - 5'(word.offset);
      if (left < 9'(word.count)) word.count = left[4:0];
      word.position = position[from];
      word.first    = first_q;
      word.last     = beat.last;
      next_position = position[from] + 13'(word.count);
      if (next_position >= command.drop.pitch) next_position = next_position - command.drop.pitch;
      if (!command.drop.packed_elements) next_position = '0;
    end
  end

  // A command's first burst enters when the channel's destination stands at that command.
  logic [Channels-1:0] target_open;
  assign open       = !first_q || target_open[from];
  assign beat_ready = stream_ready && open;
  assign step       = beat_valid && beat_ready;
  always_comb begin
    source_step       = '0;
    source_step[from] = step;
  end

  // ------------------------------------------------------------------------------ out of the stream

  logic         piece, piece_done, piece_last_q, word_valid, word_ready;
  channel_t     to_q;
  target_word_t out;
  logic  [4:0]  out_count;
  logic  [12:0] out_position;

  dma_stream u_stream (
      .clk_i,
      .rst_ni,
      .context_i        (1'b0),
      .clear_i          (1'b0),
      .source_valid_i   (beat_valid && open),
      .source_ready_o   (stream_ready),
      .source_i         (word),
      .source_elements_i(command.drop),
      .xor80_i          (command.xor80),
      .target_elements_i(command.pad),
      .pattern_i        (command.pattern),
      .piece_o          (piece),
      .piece_done_o     (piece_done),
      .target_valid_i   (target_valid[to_q]),
      .target_i         (target[to_q]),
      .word_valid_o     (word_valid),
      .word_ready_i     (word_ready),
      .word_o           (out),
      .word_count_o     (out_count),
      .word_position_o  (out_position)
  );

  logic [Channels-1:0] target_move, row_ends, last_row;
  logic                write_ready;
  assign write_busy_o = write_valid_o || (piece && !target_move[to_q]);
  assign write_ready = !write_valid_o || write_ready_i;
  assign word_ready  = target_move[to_q] ? move_ready_i[to_q] : write_ready;
  always_comb begin
    move_valid_o       = '0;
    move_valid_o[to_q] = word_valid && target_move[to_q];
    move_o = '{address: target_address[to_q], count: out_count, data: out.data, strobe: out.strobe,
               ends: row_ends[to_q] || 9'(target_address[to_q][7:0]) + 9'(out_count) == 9'd256,
               last: row_ends[to_q] && last_row[to_q]};
  end
  assign moving_o = target_step;
  always_comb begin
    target_step        = '0;
    target_step[to_q]  = word_valid && word_ready;
    credit             = '0;
    credit[to_q]       = piece && piece_done;
    command_ends       = '0;
    command_ends[to_q] = piece && piece_done && piece_last_q;
  end

  for (genvar c = 0; c < Channels; c++) begin : gen_channel
    dma_load_channel #(
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
        .empty_o          (empty_o[c]),
        .halt_i           (halt_i[c]),
        .clear_i          (clear_i[c]),
        .outstanding_o    (outstanding_o[c]),
        .completing_o     (completing_o[c]),
        .take_valid_o     (take_valid[c]),
        .take_i           (take[c]),
        .take_address_o   (take_address[c]),
        .take_bytes_o     (take_bytes[c]),
        .awaited_valid_o  (awaited_valid[c]),
        .awaited_o        (awaited[c]),
        .answered_o       (answered[c]),
        .source_position_o(position[c]),
        .credit_i         (credit[c]),
        .credit_bytes_i   (piece_bytes_q),
        .source_step_i    (source_step[c]),
        .source_position_i(next_position),
        .source_last_i    (beat.last),
        .source_error_i   (beat.error),
        .target_open_o    (target_open[c]),
        .target_move_o    (target_move[c]),
        .target_row_ends_o(row_ends[c]),
        .target_last_row_o(last_row[c]),
        .target_valid_o   (target_valid[c]),
        .target_o         (target[c]),
        .target_address_o (target_address[c]),
        .target_step_i    (target_step[c]),
        .target_count_i   (out_count),
        .target_position_i(out_position),
        .command_ends_i   (command_ends[c]),
        .write_stalls_i   (write_valid_o && !write_ready_i),
        .handed_i         (handed_i[c]),
        .handed_bytes_i   (handed_burst_i.bytes)
    );
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      credits_q       <= 5'(BurstsTotal);
      last_taker_q    <= channel_t'(Channels - 1);
      ar_valid_o      <= 1'b0;
      ar_id_o         <= '0;
      ar_address_o    <= '0;
      ar_len_o        <= '0;
      ar_bytes_o      <= '0;
      first_q         <= 1'b1;
      left_q          <= '0;
      to_q            <= '0;
      piece_last_q    <= 1'b0;
      piece_bytes_q   <= '0;
      write_valid_o   <= 1'b0;
      write_address_o <= '0;
      write_data_o    <= '0;
      write_strobe_o  <= '0;
      write_channel_o <= '0;
      write_ends_o    <= 1'b0;
    end else begin
      credits_q <= credits_q - 5'(taken) + 5'(|credit);
      if (taken) begin
        last_taker_q <= taker;
        ar_valid_o   <= 1'b1;
        ar_id_o      <= 3'(taker);
        ar_address_o <= take_address[taker];
        ar_len_o     <= 8'(beats_less_one(take_address[taker][3:0], take_bytes[taker]));
        ar_bytes_o   <= take_bytes[taker];
      end else if (ar_ready_i) begin
        ar_valid_o <= 1'b0;
      end
      if (step) begin
        first_q <= beat.last;
        left_q  <= left - 9'(word.count);
        if (first_q) begin
          to_q          <= from;
          piece_last_q  <= awaited[from].last;
          piece_bytes_q <= awaited[from].bytes;
        end
      end
      if (write_ready) begin
        write_valid_o <= word_valid && !target_move[to_q];
        if (word_valid && !target_move[to_q]) begin
          write_address_o <= {target_address[to_q][23:4], 4'd0};
          write_data_o    <= out.data;
          write_strobe_o  <= out.strobe;
          write_channel_o <= 3'(to_q);
          write_ends_o    <= piece_done;
        end
      end
    end
  end

  // ---------------------------------------------------------------------------------- assertions

  `PRESIL_STAYS(Address_holds_until_taken_A,
      ar_valid_o && !ar_ready_i, ar_valid_o, {ar_address_o, ar_len_o})
  `PRESIL_ASSERT(Burst_is_inside_256_bytes_A,
      ar_valid_o -> 10'(ar_address_o[7:0]) + 10'(ar_bytes_o) <= 10'd256)
  `PRESIL_ASSERT(Beats_are_as_many_as_asked_A,
      step -> awaited_valid[from] && beat.last == (left == 9'(word.count)))
  `PRESIL_STAYS(Write_holds_until_granted_A,
      write_valid_o && !write_ready_i, write_valid_o, write_address_o)

endmodule
