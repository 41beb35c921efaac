// The operand stage, the only one that can stall: joins features, weight set, parameters, partial
// sums and free entries after it; aligns, pads, moves the window of taps.
`include "rtl/common/assert.svh"

module dla_operand
  import dla_pkg::*;
  import dla_engine_pkg::*;
#(
    parameter int unsigned MacsK = 16,
    parameter int unsigned MacsC = 16,
    localparam int unsigned Words = words_of_step(MacsK, MacsC)
) (
    input  logic                                  clk_i,
    input  logic                                  rst_ni,
    input  command_t                              cmd_i   [2],
    input  traits_t                               traits_i[2],
    input  logic                                  valid_i,
    output logic                                  take_o,
    input  step_t                                 step_i,
    input  where_t                                where_i,
    input  logic     [Words-1:0][127:0]           words_i,
    input  logic                                  set_valid_i,   // for the next pass
    output logic                                  set_take_o,
    input  logic                                  sums_valid_i,  // of the next pixel
    output logic                                  sums_take_o,
    input  logic                                  room_i,        // in the post FIFO
    // to the array, one cycle later
    output logic                                  valid_o,
    output step_t                                 step_o,
    output logic                                  set_o,
    output logic     [MacsC/16-1:0][127:0]        x_o,
    // to its window of taps, in this cycle: four rows of each group of 16 channels
    output logic                                  column_valid_o,
    output logic     [MacsK/16-1:0][3:0][127:0]   column_o,
    // where the cycle went
    output logic                                  stall_feature_o,
    output logic                                  stall_weights_o,
    output logic                                  stall_post_o,
    output logic                                  stall_turn_o
);
  localparam int unsigned GroupsK = MacsK / 16;
  localparam int unsigned GroupsC = MacsC / 16;
  // A pool's pass may not read an accumulator that the pass before has yet to write.
  localparam int unsigned PoolPassAtLeast = 4;

  command_t c;
  traits_t traits;
  assign c = cmd_i[step_i.slot];
  assign traits = traits_i[step_i.slot];
  logic [2:0] since_pass_q;
  logic set_q;
  logic needs_set, needs_sums, needs_room, turn;
  assign needs_set = step_i.first_of_pass;
  assign needs_sums = step_i.first_pass && step_i.pixel && traits.sums;
  assign needs_room = step_i.last_pass && step_i.pixel;
  assign turn = !(step_i.first_of_pass && !step_i.first_pass) ||
                since_pass_q >= 3'(PoolPassAtLeast - 1);

  assign take_o = valid_i && turn && (!needs_set || set_valid_i) && (!needs_sums || sums_valid_i) &&
                  (!needs_room || room_i);
  assign set_take_o = take_o && needs_set;
  assign sums_take_o = take_o && needs_sums;
  assign stall_feature_o = !valid_i;
  assign stall_weights_o = valid_i && needs_set && !set_valid_i;
  assign stall_turn_o = valid_i && !stall_weights_o && !turn;
  assign stall_post_o = valid_i && !stall_weights_o && turn && !take_o;

  // conv: a word of each block, or 16 bytes out of two words of a dense row.
  logic [127:0] low_q, high_q, low, high;
  logic [255:0] both;
  logic signed [16:0] at;
  logic [MacsC/16-1:0][127:0] x;
  always_comb begin
    low  = '0;
    high = '0;
    both = '0;
    at   = '0;
    x    = {GroupsC{{16{c.pad_value[7:0]}}}};
    if (where_i.row_inside[0]) x = words_i[GroupsC-1:0];
    for (int g = 1; g < GroupsC; g++) if (!where_i.lanes[g]) x[g] = '0;
    if (c.packed_) begin
      low  = where_i.low_new ? words_i[0] : where_i.shift ? high_q : low_q;
      high = where_i.high_new ? words_i[1] : high_q;
      both = {high, low} >> {where_i.first_byte[3:0], 3'b0};
      for (int i = 0; i < 16; i++) begin
        at = where_i.first_byte + 17'(i);
        x[0][8*i+:8] = where_i.row_inside[0] && at >= 0 && at < $signed({1'b0, c.row_bytes}) ?
                       both[8*i+:8] : c.pad_value[7:0];
      end
    end
  end

  // The others: a column of the window.
  assign column_valid_o = take_o && traits.window;
  always_comb begin
    column_o = '0;
    if (traits.window) begin
      for (int r = 0; r < 4; r++) begin
        for (int g = 0; g < GroupsK; g++) begin
          column_o[g][r] = where_i.row_inside[r] ? words_i[4*g+r] : {16{c.pad_value[7:0]}};
        end
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_o <= 1'b0;
      set_q <= 1'b0;
      since_pass_q <= '1;
    end else begin
      valid_o <= take_o && step_i.pixel;
      if (set_take_o) begin
        set_q <= !set_q;
        since_pass_q <= '0;
      end else if (since_pass_q != '1) since_pass_q <= since_pass_q + 3'd1;
    end
  end
  assign set_o = !set_q;  // sets are filled 0, 1, 0, ...

  always_ff @(posedge clk_i) begin
    if (take_o) begin
      step_o <= step_i;
      if (!traits.window) x_o <= x;
      if (c.packed_) begin
        low_q  <= low;
        high_q <= high;
      end
    end
  end

  // ---- Assertions ----
  `PRESIL_ASSERT(OneReasonACycle_A,
      $onehot({take_o, stall_feature_o, stall_weights_o, stall_turn_o, stall_post_o}))
endmodule
