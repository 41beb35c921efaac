// Post-processing: from accumulators to output words, four stages.
//
//   P1 product | P2 round, shift, zero point, clamp, table | P3, P4 element-wise, clamp | words
//
// A pixel has MacsK accumulators and takes c beats, c a power of 2 (README of models/dla, "Timing").
// Beat b works on lanes b * 16 / c and up of every group of 16 channels; P4 puts the bytes of a
// pixel's beats together. A pixel at the input stays until its last beat, `ready_o`. Four cycles
// after a beat its bytes are in the output register. With int32 output the accumulators go past the
// arithmetic, four of each group a word.
//
// Table: 16 rows of 16 bytes for each of the two commands in flight, read by all lanes at once
// (distributed RAM, a copy per lane).
module dla_post
  import dla_pkg::*;
  import dla_post_pkg::*;
#(
    parameter int unsigned MacsK = 16,
    parameter int unsigned PostLanes = 16,  // requantised results a cycle, a power of 2
    parameter int unsigned EwLanes = 8,     // element-wise results a cycle, a power of 2
    parameter int unsigned UserBits = 1,
    localparam int unsigned Groups = MacsK / 16
) (
    input logic clk_i,
    input logic rst_ni,

    input post_command_t [1:0] cmd_i,  // the two commands in flight

    // A pixel and what belongs to it.
    input  logic                           valid_i,
    output logic                           ready_o,
    input  logic                           slot_i,        // its command: index in cmd_i
    input  logic [   MacsK-1:0][31:0]      acc_i,
    input  logic [   MacsK-1:0][31:0]      multiplier_i,
    input  logic [   MacsK-1:0][ 7:0]      shift_i,
    input  logic [  Groups-1:0][ 4:0]      lanes_i,       // real channels of each group
    input  logic [UserBits-1:0]            user_i,        // comes out with the pixel's words

    // The second operand: one entry a pixel of a command with ew_op.
    input  logic                           res_valid_i,
    output logic                           res_ready_o,
    input  logic [  Groups-1:0][127:0]     res_data_i,

    // Writes a row of a command's table.
    input  logic                           lut_we_i,
    input  logic                           lut_slot_i,
    input  logic [         3:0]            lut_row_i,
    input  logic [       127:0]            lut_data_i,

    // One word of each group.
    output logic                           valid_o,
    input  logic                           ready_i,
    output logic [  Groups-1:0][127:0]     data_o,
    output logic [         1:0]            word_o,        // int32: which quarter of the pixel
    output logic                           last_o,        // the pixel's last word
    output logic [UserBits-1:0]            user_o
);
  // Lanes of hardware in each group of 16 channels.
  localparam int unsigned Post = PostLanes / Groups < 16 ? PostLanes / Groups : 16;
  localparam int unsigned Ew = EwLanes / Groups < 16 ? EwLanes / Groups : 16;
  // Beats of a pixel as a power of 2: alone, with a second operand, with int32 output.
  localparam int unsigned LogPlain = $clog2(16 / Post);
  localparam int unsigned LogEw = Ew < Post ? $clog2(16 / Ew) : LogPlain;
  localparam int unsigned LogSums = LogPlain < 2 ? 2 : LogPlain;

  typedef struct packed {
    logic                      slot;
    logic [3:0]                beat;
    logic [2:0]                log_beats;  // of its command
    logic                      last;       // beat of the pixel
    logic                      emit;       // a word is complete with it
    logic [1:0]                word;
    logic [Groups-1:0][4:0]    lanes;
    logic [UserBits-1:0]       user;
  } beat_t;

  typedef struct packed {
    logic [63:0]       product;
    logic signed [9:0] exponent;
    logic              negative;
    logic [4:0]        right;
  } lane_t;

  // ---------------------------------------------------------------------------------- P1: beats

  post_command_t cmd0;
  beat_t beat0, beat1_q, beat2_q, beat3_q;
  logic valid1_q, valid2_q, valid3_q;
  logic move1, move2, move3, move4;  // the stage takes what is before it
  logic [3:0] beat_q, last_beat;
  logic [4:0] lanes0;  // of a group in this beat

  assign cmd0 = cmd_i[slot_i];

  always_comb begin
    beat0 = '0;
    beat0.slot = slot_i;
    beat0.beat = beat_q;
    beat0.log_beats = 3'(LogPlain);
    if (cmd0.ew_op != EwOpNone) beat0.log_beats = 3'(LogEw);
    if (cmd0.int32) beat0.log_beats = 3'(LogSums);
    last_beat = 4'((5'd1 << beat0.log_beats) - 5'd1);
    lanes0 = 5'd16 >> beat0.log_beats;
    beat0.last = beat_q == last_beat;
    beat0.emit = beat0.last;
    if (cmd0.int32) begin  // c is 4, 8 or 16: a word every c / 4 beats
      beat0.emit = (beat_q & (last_beat >> 2)) == (last_beat >> 2);
      beat0.word = 2'(beat_q >> (beat0.log_beats - 3'd2));
    end
    beat0.lanes = lanes_i;
    beat0.user = user_i;
  end

  assign ready_o = move1 && beat0.last;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) beat_q <= '0;
    else if (valid_i && move1) beat_q <= beat0.last ? '0 : beat_q + 4'd1;
  end

  // ------------------------------------------------------------------------------- P1: products

  lane_t [Groups-1:0][Post-1:0] lane1_q;
  logic  [Groups-1:0][127:0] sums1_q, sums2_q, sums3_q;  // int32 output

  function automatic lane_t lane_of(input post_command_t c, input logic [31:0] x,
                                    input logic [31:0] m, input logic [7:0] shift);
    float_product_t f;
    lane_of = '0;
    lane_of.negative = x[31];
    case (c.rule)
      RuleDouble: begin
        lane_of.product = double_product(x, m, left_places(shift));
        lane_of.right = right_places(shift);
      end
      RuleFloat: begin
        f = float_product(x, m);
        lane_of.product = {16'd0, f.product};
        lane_of.exponent = f.exponent;
        lane_of.negative = f.negative;
      end
      RuleDivide: lane_of.product = divide_product(x, c.div_count, c.div_recip);
      default: lane_of.product = 64'($signed(x[7:0]));
    endcase
  endfunction

  always_ff @(posedge clk_i) begin
    if (valid_i && move1) begin
      beat1_q <= beat0;
      if (cmd0.int32) begin
        for (int g = 0; g < int'(Groups); g++) begin
          sums1_q[g] <= acc_i[16*g+4*int'(beat0.word)+:4];
        end
      end else begin
        for (int g = 0; g < int'(Groups); g++) begin
          for (int h = 0; h < int'(Post); h++) begin
            if (h < int'(lanes0)) begin
              lane1_q[g][h] <= lane_of(cmd0, acc_i[16*g+int'(beat_q)*int'(lanes0)+h],
                                       multiplier_i[16*g+int'(beat_q)*int'(lanes0)+h],
                                       shift_i[16*g+int'(beat_q)*int'(lanes0)+h]);
            end
          end
        end
      end
    end
  end

  // -------------------------------------------------------- P2: round, zero point, clamp, table

  post_command_t cmd1;
  logic [127:0] table_q[32];  // {slot, row}
  logic [Groups-1:0][Post-1:0][7:0] y2_q, y3_q;

  assign cmd1 = cmd_i[beat1_q.slot];

  function automatic logic [7:0] requantised(input post_command_t c, input lane_t l);
    logic [31:0] v;
    case (c.rule)
      RuleDouble: v = double_result(l.product, l.right);
      RuleFloat: v = float_result('{l.negative, l.exponent, l.product[47:0]});
      RuleDivide: v = l.negative ? -l.product[63:32] : l.product[63:32];
      default: v = l.product[31:0];
    endcase
    return clamped(v, c.out_zero, c.act_min, c.act_max);
  endfunction

  function automatic logic [4:0] lanes_of_beat(input beat_t beat);
    return 5'd16 >> beat.log_beats;
  endfunction

  always_ff @(posedge clk_i) begin
    if (lut_we_i) table_q[{lut_slot_i, lut_row_i}] <= lut_data_i;
  end

  always_ff @(posedge clk_i) begin
    if (valid1_q && move2) begin
      beat2_q <= beat1_q;
      if (cmd1.int32) begin
        sums2_q <= sums1_q;
      end else begin
        for (int g = 0; g < int'(Groups); g++) begin
          for (int h = 0; h < int'(Post); h++) begin
            logic [7:0] y;
            if (h < int'(lanes_of_beat(beat1_q))) begin
              y = requantised(cmd1, lane1_q[g][h]);
              y2_q[g][h] <= cmd1.lut_en ? table_q[{beat1_q.slot, y[7:4]}][8*y[3:0]+:8] : y;
            end
          end
        end
      end
    end
  end

  // --------------------------------------------------------------------- P3, P4: element-wise

  post_command_t cmd2, cmd3;
  logic ew2, ew3, res_present;
  logic [Groups-1:0][Ew-1:0][31:0] x3_q;  // what the last scaling starts from

  assign cmd2 = cmd_i[beat2_q.slot];
  assign cmd3 = cmd_i[beat3_q.slot];
  assign ew2 = cmd2.ew_op != EwOpNone;
  assign ew3 = cmd3.ew_op != EwOpNone;
  assign res_present = !ew2 || res_valid_i;
  assign res_ready_o = valid2_q && ew2 && beat2_q.last && move3;

  function automatic logic [31:0] combined(input post_command_t c, input logic [7:0] a8,
                                           input logic [7:0] b8);
    logic [31:0] a, b, one, two;
    if (c.ew_rule == EwRuleXnnpack && c.ew_op == EwOpAdd) begin
      return 32'($signed(a8)) * c.ew_a_mult + 32'($signed(b8)) * c.ew_b_mult + c.ew_out_mult;
    end
    a = 32'($signed(a8)) - 32'(c.ew_a_zero);
    b = 32'($signed(b8)) - 32'(c.ew_b_zero);
    if (c.ew_op == EwOpMul) return a * b;
    one = double_rule(a << c.ew_left_shift, c.ew_a_mult, 8'(c.ew_a_shift));
    two = double_rule(b << c.ew_left_shift, c.ew_b_mult, 8'(c.ew_b_shift));
    return c.ew_op == EwOpSub ? one - two : one + two;
  endfunction

  function automatic logic [7:0] scaled(input post_command_t c, input logic [31:0] x);
    logic [31:0] v;
    if (c.ew_rule == EwRuleTflite) v = double_rule(x, c.ew_out_mult, 8'(c.ew_out_shift));
    else if (c.ew_op == EwOpMul) v = float_result(float_product(x, c.ew_out_mult));
    else v = $signed(x) >>> c.ew_out_shift[4:0];
    return clamped(v, c.ew_out_zero, c.ew_act_min, c.ew_act_max);
  endfunction

  always_ff @(posedge clk_i) begin
    if (valid2_q && move3) begin
      beat3_q <= beat2_q;
      if (cmd2.int32) sums3_q <= sums2_q;
      else if (!ew2) y3_q <= y2_q;
      else begin
        for (int g = 0; g < int'(Groups); g++) begin
          for (int h = 0; h < int'(Ew); h++) begin
            if (h < int'(lanes_of_beat(beat2_q))) begin
              x3_q[g][h] <= combined(
                  cmd2, y2_q[g][h],
                  res_data_i[g][8*(int'(beat2_q.beat)*int'(lanes_of_beat(beat2_q))+h)+:8]);
            end
          end
        end
      end
    end
  end

  logic [Groups-1:0][127:0] data_q;
  logic emitted_q, last_q;
  logic [1:0] word_q;
  logic [UserBits-1:0] user_q;

  always_ff @(posedge clk_i) begin
    if (valid3_q && move4) begin
      last_q <= beat3_q.last;
      word_q <= beat3_q.word;
      user_q <= beat3_q.user;
      for (int g = 0; g < int'(Groups); g++) begin
        if (cmd3.int32) begin
          for (int i = 0; i < 4; i++) begin
            data_q[g][32*i+:32] <= 4 * int'(beat3_q.word) + i < int'(beat3_q.lanes[g]) ?
                sums3_q[g][32*i+:32] : 32'd0;
          end
        end else begin
          for (int h = 0; h < int'(Post); h++) begin
            int k;  // channel of the group
            k = int'(beat3_q.beat) * int'(lanes_of_beat(beat3_q)) + h;
            if (h < int'(lanes_of_beat(beat3_q))) begin
              if (k >= int'(beat3_q.lanes[g])) data_q[g][8*k+:8] <= 8'd0;
              else if (!ew3) data_q[g][8*k+:8] <= y3_q[g][h];
              else if (h < int'(Ew)) data_q[g][8*k+:8] <= scaled(cmd3, x3_q[g][h % Ew]);
            end
          end
        end
      end
    end
  end

  // ------------------------------------------------------------------------------- movement

  assign move4 = !emitted_q || ready_i;
  assign move3 = (!valid3_q || move4) && res_present;
  assign move2 = !valid2_q || move3;
  assign move1 = !valid1_q || move2;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid1_q <= 1'b0;
      valid2_q <= 1'b0;
      valid3_q <= 1'b0;
      emitted_q <= 1'b0;
    end else begin
      if (move1) valid1_q <= valid_i;
      if (move2) valid2_q <= valid1_q;
      if (!valid3_q || move4) valid3_q <= valid2_q && res_present;
      if (move4) emitted_q <= valid3_q && beat3_q.emit;
    end
  end

  assign valid_o = emitted_q;
  assign data_o = data_q;
  assign word_o = word_q;
  assign last_o = last_q;
  assign user_o = user_q;

  // ----------------------------------------------------------------------------- assertions

  if (MacsK % 16 != 0 || PostLanes < Groups || EwLanes < Groups) begin : gen_lanes
    $error("dla_post: MacsK is a multiple of 16, and PostLanes and EwLanes at least MacsK / 16");
  end
  if ((PostLanes & (PostLanes - 1)) != 0 || (EwLanes & (EwLanes - 1)) != 0) begin : gen_powers
    $error("dla_post: PostLanes and EwLanes are powers of 2");
  end

  PixelStaysUntilTaken_A :
  assert property (@(posedge clk_i) disable iff (!rst_ni) valid_i && !ready_o |=>
                   valid_i && $stable(acc_i) && $stable(slot_i) && $stable(lanes_i));
  WordStaysUntilTaken_A :
  assert property (@(posedge clk_i) disable iff (!rst_ni) valid_o && !ready_i |=>
                   valid_o && $stable(data_o) && $stable(word_o) && $stable(last_o));
  SecondOperandIsThereWhenTaken_A :
  assert property (@(posedge clk_i) disable iff (!rst_ni) res_ready_o |-> res_valid_i);
  NoSecondOperandWithSums_A :
  assert property (@(posedge clk_i) disable iff (!rst_ni) valid_i |->
                   !(cmd0.int32 && cmd0.ew_op != EwOpNone));
  LanesAreOfAGroup_A :
  assert property (@(posedge clk_i) disable iff (!rst_ni) valid_i |-> lanes_i[0] <= 5'd16);
endmodule
