// The operand stage, the only one that can stall: joins features, weight set, parameters, partial
// sums and room behind it; aligns, pads, moves the window of taps.
module dla_operand
  import dla_pkg::*;
  import dla_engine_pkg::*;
#(
    parameter int unsigned MacsK = 16,
    parameter int unsigned MacsC = 16,
    parameter int unsigned FeatPorts = 4
) (
    input  logic                                  clk_i,
    input  logic                                  rst_ni,
    input  command_t [1:0]                        cmd_i,
    input  logic                                  valid_i,
    output logic                                  take_o,
    input  step_t                                 step_i,
    input  where_t                                where_i,
    input  logic     [FeatPorts-1:0][127:0]       words_i,
    input  logic                                  set_valid_i,   // for the next pass
    output logic                                  set_take_o,
    input  logic                                  sums_valid_i,  // of the next pixel
    output logic                                  sums_take_o,
    input  logic                                  room_i,        // in the post FIFO
    // to the array, one cycle later
    output logic                                  valid_o,
    output step_t                                 step_o,
    output logic                                  set_o,
    output logic     [15:0][7:0]                  x_o   [MacsC/16],
    output logic     [3:0][3:0][15:0][7:0]        taps_o[MacsK/16],
    output logic     [3:0][3:0]                   tap_inside_o,
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
  assign c = cmd_i[step_i.slot];
  logic [2:0] since_pass_q;
  logic set_q;
  logic needs_set, needs_sums, needs_room, turn;
  assign needs_set = step_i.first_of_pass;
  assign needs_sums = step_i.first_pass && step_i.pixel && reads_sums(c);
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
  logic [31:0][7:0] both;
  logic signed [16:0] at;
  logic [15:0][7:0] x[GroupsC];
  always_comb begin
    low  = where_i.low_new ? words_i[0] : where_i.shift ? high_q : low_q;
    high = where_i.high_new ? words_i[1] : high_q;
    both = {high, low};
    at   = '0;
    for (int g = 0; g < GroupsC; g++) begin
      x[g] = where_i.row_inside[0] ? words_i[g] : {16{c.pad_value[7:0]}};
    end
    if (c.packed_) begin
      for (int i = 0; i < 16; i++) begin
        at = where_i.first_byte + 17'(i);
        x[0][i] = where_i.row_inside[0] && at >= 0 && at < $signed({1'b0, c.row_bytes}) ?
                  both[5'(where_i.first_byte[3:0])+5'(i)] : c.pad_value[7:0];
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
      if (!is_window(c)) begin
        x_o <= x;
        if (c.packed_) begin
          low_q  <= low;
          high_q <= high;
        end
      end else begin
        for (int r = 0; r < 4; r++) begin
          for (int g = 0; g < GroupsK; g++) begin
            taps_o[g][r][2:0] <= taps_o[g][r][3:1];
            taps_o[g][r][3] <= where_i.row_inside[r] ? words_i[4*g+r] : {16{c.pad_value[7:0]}};
          end
          tap_inside_o[r][2:0] <= tap_inside_o[r][3:1];
          tap_inside_o[r][3]   <= where_i.row_inside[r];
        end
      end
    end
  end

  // ---- Assertions ----
  OneReasonACycle_A :
  assert property (@(posedge clk_i) disable iff (!rst_ni)
                   $onehot({take_o, stall_feature_o, stall_weights_o, stall_turn_o, stall_post_o}));
endmodule
