// Between source words and destination words: a byte stream with a buffer of two words. Padding of
// the source is dropped, xor80 applied, padding of the destination inserted. A source and a
// destination word pass each cycle, so that a piece (a burst) of s and d words takes max(s, d)
// cycles. A piece leaves the buffer empty; the first word of the next one may enter with its end.
// Positions and addresses are the caller's: this holds no state of a command beyond a piece. A long
// piece can rest: each of the contexts has a buffer of its own, one of them moves at a time.
`include "rtl/common/assert.svh"

module dma_stream
  import dma_engine_pkg::*;
#(
    parameter  int unsigned Contexts    = 1,
    localparam int unsigned ContextBits = Contexts > 1 ? $clog2(Contexts) : 1
) (
    input  logic         clk_i,
    input  logic         rst_ni,
    input  logic [ContextBits-1:0] context_i,
    input  logic [Contexts-1:0]    clear_i,  // drops the piece
    // source
    input  logic         source_valid_i,
    output logic         source_ready_o,
    input  source_word_t source_i,
    input  elements_t    source_elements_i,
    input  logic         xor80_i,
    // of the piece that source_i.first begins
    input  elements_t    target_elements_i,
    input  logic [31:0]  pattern_i,
    // destination of the piece in the buffer
    output logic         piece_o,           // one is there
    output logic         piece_done_o,      // it ends with this cycle
    input  logic         target_valid_i,    // low: the piece has no destination left
    input  target_t      target_i,
    output logic         word_valid_o,
    input  logic         word_ready_i,
    output target_word_t word_o,
    output logic [4:0]   word_count_o,      // bytes of word_o
    output logic [12:0]  word_position_o    // in the element after them
);

  typedef struct packed {
    logic             piece;
    logic             ended;
    elements_t        elements;
    logic [31:0]      pattern;
    logic [5:0]       fill;
  } state_t;

  state_t           state_q[Contexts];
  logic [31:0][7:0] buffer_of_q[Contexts];

  logic             piece_q, ended_q;
  elements_t        elements_q;
  logic [31:0]      pattern_q;
  logic [31:0][7:0] buffer_q;
  logic [5:0]       fill_q, kept;
  assign {piece_q, ended_q, elements_q, pattern_q, fill_q} = state_q[context_i];
  assign buffer_q = buffer_of_q[context_i];

  function automatic logic [127:0] first_bytes(input logic [127:0] bytes, input logic [4:0] count);
    return bytes & ~({128{1'b1}} << {count, 3'd0});
  endfunction

  // ----------------------------------------------------------------------------------- destination

  logic [15:0]      put_data;
  logic [15:0][3:0] put_index;
  logic [4:0]       put_count, put_data_count, put_bytes;
  logic             put;

  dma_lanes u_put_lanes (
      .elements_i  (elements_q),
      .position_i  (target_i.position),
      .count_i     (target_i.count),
      .limit_i     (9'(fill_q)),
      .data_o      (put_data),
      .index_o     (put_index),
      .count_o     (put_count),
      .data_count_o(put_data_count),
      .position_o  (word_position_o)
  );

  // A word waits for the bytes that complete it until the source has ended.
  assign word_valid_o = piece_q && target_valid_i && put_count != '0 &&
                        (put_count == target_i.count || ended_q);
  assign word_count_o = put_count;
  assign put          = word_valid_o && word_ready_i;
  assign put_bytes    = put ? put_data_count : '0;

  // Bytes that all are data move together; the others one by one.
  logic [3:0] lane;
  always_comb begin
    word_o = '0;
    lane   = '0;
    if (word_valid_o && !elements_q.packed_elements) begin
      word_o.strobe = 16'((17'd1 << put_count) - 17'd1) << target_i.offset;
      word_o.data   = first_bytes(buffer_q[15:0], put_count) << {target_i.offset, 3'd0};
    end else if (word_valid_o) begin
      for (int unsigned i = 0; i < 16; i++) begin
        lane = target_i.offset + 4'(i);
        if (5'(i) < put_count) begin
          word_o.strobe[lane] = 1'b1;
          word_o.data[8*lane+:8] = put_data[i] ? buffer_q[{1'b0, put_index[i]}]
                                               : pattern_q[8*lane[1:0]+:8];
        end
      end
    end
  end

  // Nothing is left, and no padding is owed to the element that has just got its last byte.
  logic owes;
  assign kept         = fill_q - 6'(put_bytes);
  assign owes         = elements_q.packed_elements && word_position_o >= 13'(elements_q.data);
  assign piece_o      = piece_q;
  assign piece_done_o = piece_q && ended_q &&
                        (put ? (kept == '0 && !owes) || (target_i.last && put_count == target_i.count)
                             : !target_valid_i || put_count == '0);

  // ---------------------------------------------------------------------------------------- source

  logic [15:0]      get_data;
  logic [15:0][3:0] get_index;
  logic [4:0]       get_data_count;
  logic             get;

  dma_lanes u_get_lanes (
      .elements_i  (source_elements_i),
      .position_i  (source_i.position),
      .count_i     (source_i.count),
      .limit_i     (9'h1ff),
      .data_o      (get_data),
      .index_o     (get_index),
      .count_o     (),
      .data_count_o(get_data_count),
      .position_o  ()
  );

  assign source_ready_o = source_i.first ? !piece_q || piece_done_o
                                         : !ended_q && kept + 6'(get_data_count) <= 6'd32;
  assign get = source_valid_i && source_ready_o;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      for (int unsigned c = 0; c < Contexts; c++) begin
        state_q[c]  <= '0;
        buffer_of_q[c] <= '0;
      end
    end else begin
      if (put || get || piece_done_o) begin
        automatic state_t           state  = state_q[context_i];
        automatic logic [31:0][7:0] buffer = buffer_q >> {put_bytes, 3'd0};
        automatic logic [15:0][7:0] taken  = '0;
        state.fill = kept;
        if (piece_done_o) state.piece = 1'b0;
        if (get) begin  // after what is kept
          if (!source_elements_i.packed_elements) begin
            taken = (source_i.data >> {source_i.offset, 3'd0}) ^ {16{xor80_i, 7'd0}};
          end else begin
            for (int unsigned i = 0; i < 16; i++) begin
              automatic logic [3:0] from = source_i.offset + 4'(i);
              if (get_data[i]) taken[get_index[i]] = source_i.data[8*from+:8] ^ {xor80_i, 7'd0};
            end
          end
          buffer = (buffer & ~({256{1'b1}} << {kept, 3'd0})) | (256'(taken) << {kept, 3'd0});
          state.fill  = kept + 6'(get_data_count);
          state.ended = source_i.last;
          if (source_i.first) begin
            state.piece    = 1'b1;
            state.elements = target_elements_i;
            state.pattern  = pattern_i;
          end
        end
        state_q[context_i]     <= state;
        buffer_of_q[context_i] <= buffer;
      end
      for (int unsigned c = 0; c < Contexts; c++) if (clear_i[c]) state_q[c] <= '0;
    end
  end

  // ---------------------------------------------------------------------------------- assertions

  logic held_q;
  logic [ContextBits-1:0] held_context_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      held_q <= 1'b0;
      held_context_q <= '0;
    end else begin
      held_q <= word_valid_o && !word_ready_i && clear_i == '0;
      held_context_q <= context_i;
    end
  end
  `PRESIL_ASSERT(Word_holds_until_taken_A,
      held_q && context_i == held_context_q -> word_valid_o)
  `PRESIL_ASSERT(Piece_leaves_the_buffer_empty_A, piece_done_o -> kept == '0)
  `PRESIL_ASSERT(Source_is_inside_its_word_A,
      source_valid_i -> 5'(source_i.offset) + source_i.count <= 5'd16)
  `PRESIL_ASSERT(Target_is_inside_its_word_A,
      target_valid_i -> target_i.count != '0 && 5'(target_i.offset) + target_i.count <= 5'd16)

endmodule
