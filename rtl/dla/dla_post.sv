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
`include "rtl/common/assert.svh"

module dla_post
  import dla_pkg::*;
  import dla_post_pkg::*;
#(
    parameter int unsigned MacsK = 16,
    parameter int unsigned PostLanes = 16,  // requantised results a cycle, a power of 2
    parameter int unsigned EwLanes = 8,     // element-wise results a cycle, a power of 2
    parameter int unsigned UserBits = 1,
    parameter int unsigned LutRows = 1,     // of a table, written at once; a power of 2
    localparam int unsigned Groups = MacsK / 16
) (
    input logic clk_i,
    input logic rst_ni,

    input post_command_t cmd_i[2],  // the two commands in flight

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

    // Writes rows of a command's table.
    input  logic                           lut_we_i,
    input  logic                           lut_slot_i,
    input  logic [         3:0]            lut_line_i,    // LutRows rows a line
    input  logic [ LutRows-1:0][127:0]     lut_data_i,

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
  localparam int unsigned Ew = EwLanes / Groups < Post ? EwLanes / Groups : Post;
  // Beats of a pixel as a power of 2: alone, with a second operand, with int32 output.
  localparam int unsigned LogPlain = $clog2(16 / Post);
  localparam int unsigned LogEw = $clog2(16 / Ew);
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

  // What goes with a lane's product. 17 bits.
  typedef struct packed {
    logic              negative;
    logic [5:0]        right;
    logic signed [9:0] exponent;
  } lane_t;

  // The first lane of the group in a beat.
  function automatic logic [3:0] first_lane(input logic [3:0] beat, input logic [2:0] log_beats);
    return beat << (3'd4 - log_beats);
  endfunction

  // ---------------------------------------------------------------------------------- P1: beats

  post_command_t cmd0;
  beat_t beat0, beat1_q, beat2_q, beat3_q;
  logic valid1_q, valid2_q, valid3_q;
  logic move1, move2, move3, move4;  // the stage takes what is before it
  logic [3:0] beat_q, last_beat;

  assign cmd0 = cmd_i[slot_i];

  always_comb begin
    beat0 = '0;
    beat0.slot = slot_i;
    beat0.beat = beat_q;
    beat0.log_beats = 3'(LogPlain);
    if (cmd0.ew_op != EwOpNone) beat0.log_beats = 3'(LogEw);
    if (cmd0.int32) beat0.log_beats = 3'(LogSums);
    last_beat = 4'((5'd1 << beat0.log_beats) - 5'd1);
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

  logic [Groups-1:0][Post-1:0][63:0] product1_q;
  lane_t [Groups-1:0][Post-1:0] lane1_q;
  logic [Groups-1:0][127:0] sums1_q, sums2_q, sums3_q;  // int32 output

  always_ff @(posedge clk_i) begin
    if (valid_i && move1) begin
      logic [Groups-1:0][15:0][31:0] x, m;  // from the beat's first lane on
      logic [Groups-1:0][15:0][7:0] s;
      logic [3:0] lane;
      float_product_t f;
      beat1_q <= beat0;
      x = acc_i;
      m = multiplier_i;
      s = shift_i;
      if (cmd0.int32) begin
        for (int g = 0; g < Groups; g++) begin
          x[g] = x[g] >> {beat0.word, 7'd0};
          sums1_q[g] <= x[g][3:0];
        end
      end else begin
        lane = first_lane(beat_q, beat0.log_beats);
        if (lane != '0) begin
          for (int g = 0; g < Groups; g++) begin
            x[g] = x[g] >> {lane, 5'd0};
            m[g] = m[g] >> {lane, 5'd0};
            s[g] = s[g] >> {lane, 3'd0};
          end
        end
        unique case (cmd0.rule)
          RuleDouble:
          for (int g = 0; g < Groups; g++) begin
            for (int h = 0; h < Post; h++) begin
              product1_q[g][h] <= double_product(x[g][h], m[g][h], left_places(s[g][h]));
              lane1_q[g][h] <= '{negative: 1'b0, right: 6'(right_places(s[g][h])), exponent: '0};
            end
          end
          RuleSingle:
          for (int g = 0; g < Groups; g++) begin
            for (int h = 0; h < Post; h++) begin
              product1_q[g][h] <= double_product(x[g][h], m[g][h], 5'd0);
              lane1_q[g][h] <= '{negative: 1'b0, right: single_places(s[g][h]), exponent: '0};
            end
          end
          RuleFloat:
          for (int g = 0; g < Groups; g++) begin
            for (int h = 0; h < Post; h++) begin
              f = float_product(x[g][h], m[g][h]);
              product1_q[g][h] <= {16'd0, f.product};
              lane1_q[g][h] <= '{negative: f.negative, right: '0, exponent: f.exponent};
            end
          end
          RuleDivide:
          for (int g = 0; g < Groups; g++) begin
            for (int h = 0; h < Post; h++) begin
              product1_q[g][h] <= divide_product(x[g][h], cmd0.div_count, cmd0.div_recip);
              lane1_q[g][h] <= '{negative: x[g][h][31], right: '0, exponent: '0};
            end
          end
          default:
          for (int g = 0; g < Groups; g++) begin
            for (int h = 0; h < Post; h++) product1_q[g][h] <= 64'($signed(x[g][h][7:0]));
          end
        endcase
      end
    end
  end

  // -------------------------------------------------------- P2: round, zero point, clamp, table

  post_command_t cmd1;
  logic [127:0] table_q[32];  // {slot, row}
  logic [Groups-1:0][Post-1:0][7:0] y2_q, y3_q;

  assign cmd1 = cmd_i[beat1_q.slot];

  always_ff @(posedge clk_i) begin
    if (lut_we_i) begin
      for (int r = 0; r < LutRows; r++) begin
        table_q[{lut_slot_i, 4'(32'(lut_line_i)*LutRows+r)}] <= lut_data_i[r];
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (valid1_q && move2) begin
      logic [Groups-1:0][Post-1:0][31:0] v;
      logic [Groups-1:0][Post-1:0][7:0] y;
      beat2_q <= beat1_q;
      if (cmd1.int32) begin
        sums2_q <= sums1_q;
      end else begin
        for (int g = 0; g < Groups; g++) begin
          for (int h = 0; h < Post; h++) v[g][h] = product1_q[g][h][31:0];
        end
        unique case (cmd1.rule)
          RuleDouble:
          for (int g = 0; g < Groups; g++) begin
            for (int h = 0; h < Post; h++) begin
              v[g][h] = double_result(product1_q[g][h], lane1_q[g][h].right[4:0]);
            end
          end
          RuleSingle:
          for (int g = 0; g < Groups; g++) begin
            for (int h = 0; h < Post; h++) begin
              v[g][h] = single_result(product1_q[g][h], lane1_q[g][h].right);
            end
          end
          RuleFloat:
          for (int g = 0; g < Groups; g++) begin
            for (int h = 0; h < Post; h++) begin
              v[g][h] = float_result('{lane1_q[g][h].negative, lane1_q[g][h].exponent,
                                       product1_q[g][h][47:0]});
            end
          end
          RuleDivide:
          for (int g = 0; g < Groups; g++) begin
            for (int h = 0; h < Post; h++) begin
              v[g][h] = product1_q[g][h][63:32];
              if (lane1_q[g][h].negative) v[g][h] = -v[g][h];
            end
          end
          default: ;
        endcase
        for (int g = 0; g < Groups; g++) begin
          for (int h = 0; h < Post; h++) begin
            y[g][h] = clamped(v[g][h], cmd1.out_zero, cmd1.act_min, cmd1.act_max);
          end
        end
        if (cmd1.lut_en) begin
          for (int g = 0; g < Groups; g++) begin
            for (int h = 0; h < Post; h++) begin
              y[g][h] = table_q[{beat1_q.slot, y[g][h][7:4]}][8*y[g][h][3:0]+:8];
            end
          end
        end
        y2_q <= y;
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

  always_ff @(posedge clk_i) begin
    if (valid2_q && move3) begin
      logic [Groups-1:0][15:0][7:0] b8;  // from the beat's first lane on
      logic signed [31:0] a, b, one, two;
      beat3_q <= beat2_q;
      if (cmd2.int32) sums3_q <= sums2_q;
      else if (!ew2) y3_q <= y2_q;
      else begin
        for (int g = 0; g < Groups; g++) begin
          b8[g] = res_data_i[g] >> {first_lane(beat2_q.beat, beat2_q.log_beats), 3'd0};
          for (int h = 0; h < Ew; h++) begin
            a = 32'($signed(y2_q[g][h]));
            b = 32'($signed(b8[g][h]));
            if (cmd2.ew_rule == EwRuleXnnpack && cmd2.ew_op == EwOpAdd) begin
              x3_q[g][h] <= a * cmd2.ew_a_mult + b * cmd2.ew_b_mult + cmd2.ew_out_mult;
            end else begin
              a = a - 32'(cmd2.ew_a_zero);
              b = b - 32'(cmd2.ew_b_zero);
              if (cmd2.ew_op == EwOpMul) x3_q[g][h] <= a * b;
              else begin
                one = double_rule(a << cmd2.ew_left_shift, cmd2.ew_a_mult, 8'(cmd2.ew_a_shift));
                two = double_rule(b << cmd2.ew_left_shift, cmd2.ew_b_mult, 8'(cmd2.ew_b_shift));
                x3_q[g][h] <= cmd2.ew_op == EwOpSub ? one - two : one + two;
              end
            end
          end
        end
      end
    end
  end

  // The bytes of a beat go to its lanes; those of lanes that are not real are 0.
  function automatic logic [127:0] real_lanes(input logic [127:0] word, input logic [4:0] lanes);
    return lanes == 5'd16 ? word : word & ((128'd1 << {lanes[3:0], 3'd0}) - 128'd1);
  endfunction

  logic [Groups-1:0][127:0] data_q;
  logic emitted_q, last_q;
  logic [1:0] word_q;
  logic [UserBits-1:0] user_q;

  always_ff @(posedge clk_i) begin
    if (valid3_q && move4) begin
      logic [15:0][7:0] bytes;
      logic [3:0] lane;
      logic [31:0] v;
      last_q <= beat3_q.last;
      word_q <= beat3_q.word;
      user_q <= beat3_q.user;
      lane = first_lane(beat3_q.beat, beat3_q.log_beats);
      for (int g = 0; g < Groups; g++) begin
        if (cmd3.int32) begin
          for (int i = 0; i < 4; i++) begin
            data_q[g][32*i+:32] <= 4 * int'(beat3_q.word) + i < int'(beat3_q.lanes[g]) ?
                sums3_q[g][32*i+:32] : 32'd0;
          end
        end else begin
          bytes = '0;
          if (!ew3) begin
            bytes[Post-1:0] = y3_q[g];
          end else begin
            for (int h = 0; h < Ew; h++) begin
              if (cmd3.ew_rule == EwRuleTflite) begin
                v = double_rule(x3_q[g][h], cmd3.ew_out_mult, 8'(cmd3.ew_out_shift));
              end else if (cmd3.ew_op == EwOpMul) begin
                v = float_result(float_product(x3_q[g][h], cmd3.ew_out_mult));
              end else begin
                v = $signed(x3_q[g][h]) >>> cmd3.ew_out_shift[4:0];
              end
              bytes[h] = clamped(v, cmd3.ew_out_zero, cmd3.ew_act_min, cmd3.ew_act_max);
            end
          end
          if (lane != '0) bytes = (bytes << {lane, 3'd0}) | data_q[g];
          data_q[g] <= real_lanes(bytes, beat3_q.lanes[g]);
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

  `PRESIL_STAYS(PixelStaysUntilTaken_A, valid_i && !ready_o, valid_i, {acc_i, slot_i, lanes_i})
  `PRESIL_STAYS(WordStaysUntilTaken_A, valid_o && !ready_i, valid_o, {data_o, word_o, last_o})
  `PRESIL_ASSERT(SecondOperandIsThereWhenTaken_A, res_ready_o -> res_valid_i)
  `PRESIL_ASSERT(NoSecondOperandWithSums_A, valid_i -> !(cmd0.int32 && cmd0.ew_op != EwOpNone))
  `PRESIL_ASSERT(LanesAreOfAGroup_A, valid_i -> lanes_i[0] <= 5'd16)
endmodule
