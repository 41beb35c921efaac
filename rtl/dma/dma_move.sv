// A channel's bytes between R and W of a move: words of the stream become whole beats (a word that
// the end of a burst read has cut comes in two parts), beats bursts that can be written when their
// last byte is here. A full buffer of 32 beats holds at least one whole burst.
`include "rtl/common/assert.svh"

module dma_move
  import dma_engine_pkg::*;
(
    input  logic       clk_i,
    input  logic       rst_ni,
    input  logic       clear_i,
    input  logic       valid_i,
    output logic       ready_o,
    input  move_word_t word_i,
    // bursts
    output logic       burst_valid_o,
    output burst_t     burst_o,
    input  logic       burst_take_i,
    // their beats
    output logic       beat_valid_o,
    input  logic       beat_ready_i,
    output logic [127:0] beat_data_o,
    output logic [15:0]  beat_strobe_o,
    output logic         beat_last_o
);

  typedef struct packed {
    logic [127:0] data;
    logic [15:0]  strobe;
    logic         last;
  } beat_t;

  logic         open_q, ends_q, in_burst_q, last_q;
  logic [35:0]  word_q;      // address / 16 of the open beat
  logic [127:0] data_q, merged;
  logic [15:0]  strobe_q;
  logic [39:0]  first_q;     // byte of the burst
  logic [8:0]   bytes_q;
  logic         step, joins, push, beats_ready, bursts_ready;
  beat_t        beat_in, beat_out;
  burst_t       burst_in, held;
  logic         held_valid;

  // The open beat leaves when its burst has ended or another word begins.
  assign joins   = open_q && !ends_q && word_q == word_i.address[39:4];
  assign push    = open_q && (ends_q || (valid_i && !joins)) && beats_ready && bursts_ready;
  assign ready_o = !open_q || joins || push;
  assign step    = valid_i && ready_o;

  always_comb begin
    for (int unsigned i = 0; i < 16; i++) begin
      merged[8*i+:8] = word_i.strobe[i] ? word_i.data[8*i+:8] : data_q[8*i+:8];
    end
  end

  assign beat_in  = '{data: data_q, strobe: strobe_q, last: ends_q};
  assign burst_in = '{address: first_q, bytes: bytes_q, last: last_q};

  stream_fifo #(
      .T    (beat_t),
      .Depth(32)
  ) u_beats (
      .clk_i,
      .rst_ni,
      .clear_i,
      .in_valid_i (push),
      .in_ready_o (beats_ready),
      .in_data_i  (beat_in),
      .out_valid_o(beat_valid_o),
      .out_ready_i(beat_ready_i),
      .out_data_o (beat_out),
      .count_o    ()
  );

  stream_fifo #(
      .T    (burst_t),
      .Depth(8)
  ) u_bursts (
      .clk_i,
      .rst_ni,
      .clear_i,
      .in_valid_i (push && ends_q && (held_valid || !burst_take_i)),
      .in_ready_o (bursts_ready),
      .in_data_i  (burst_in),
      .out_valid_o(held_valid),
      .out_ready_i(burst_take_i),
      .out_data_o (held),
      .count_o    ()
  );

  // A burst passes an empty FIFO by.
  assign burst_valid_o = held_valid || (push && ends_q);
  assign burst_o       = held_valid ? held : burst_in;

  assign beat_data_o   = beat_out.data;
  assign beat_strobe_o = beat_out.strobe;
  assign beat_last_o   = beat_out.last;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {open_q, ends_q, in_burst_q, last_q} <= '0;
      word_q   <= '0;
      data_q   <= '0;
      strobe_q <= '0;
      first_q  <= '0;
      bytes_q  <= '0;
    end else if (clear_i) begin
      {open_q, ends_q, in_burst_q} <= '0;
    end else begin
      if (push) open_q <= 1'b0;
      if (step) begin
        open_q     <= 1'b1;
        ends_q     <= word_i.ends;
        last_q     <= word_i.last;
        in_burst_q <= !word_i.ends;
        word_q     <= word_i.address[39:4];
        data_q     <= joins ? merged : word_i.data;
        strobe_q   <= joins ? strobe_q | word_i.strobe : word_i.strobe;
        bytes_q    <= (in_burst_q ? bytes_q : 9'd0) + 9'(word_i.count);
        if (!in_burst_q) first_q <= word_i.address;
      end
    end
  end

  // ---------------------------------------------------------------------------------- assertions

  `PRESIL_ASSERT(Burst_is_inside_256_bytes_A,
      push && ends_q -> 10'(first_q[7:0]) + 10'(bytes_q) <= 10'd256)
  `PRESIL_ASSERT(Beats_of_a_burst_follow_each_other_A,
      step && in_burst_q -> word_i.address == first_q + 40'(bytes_q))

endmodule
