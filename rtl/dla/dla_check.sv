// Whether the DLA takes a command: fields, rules R1 .. R22, counters, addresses, in the order of the
// README; code, rule, word and address of the first thing that is wrong.
//
// It works while the words arrive. `words_i` is the fill buffer of the fetch, four words a beat,
// `active_i` is high from the first beat to `check_i`. Words 0 to 31 pass two registers (products,
// then sums), words 32 to 39 none: as beats 8 and 9 come after beat 7, the answer is there in the
// cycle in which the last beat has become visible, and checking costs no time.
module dla_check
  import dla_pkg::*;
#(
    parameter int unsigned MacsK = 16,
    parameter int unsigned MacsC = 16,
    parameter int unsigned AccDepth = 128,
    parameter int unsigned SramBytes = 1 << 20
) (
    input logic clk_i,

    input logic                          active_i,      // a command is arriving or checked
    input logic [CommandWords-1:0][31:0] words_i,
    input logic [23:0]                   sram_base_i,   // of its job
    input logic [ 7:0]                   sync_count_i,

    input  logic                   check_i,    // all words are there
    output queue_pkg::error_code_e code_o,     // none: the command is taken
    output logic [ 7:0]            rule_o,     // rule_broken: its number
    output logic [ 7:0]            word_o,
    output logic [47:0]            address_o   // address_range: one past the last byte accessed
);
  localparam int unsigned EarlyWords = 32;  // beats 0 to 7

  command_t c;
  always_comb begin
    c = '0;
    if (active_i) c = unpack(words_i);
  end

  logic conv, dwconv, maxpool, sumpool, pass, pool;
  logic reads_weights, reads_parameters, reads_second;
  assign conv = c.op == OpConv;
  assign dwconv = c.op == OpDwconv;
  assign maxpool = c.op == OpMaxpool;
  assign sumpool = c.op == OpSumpool;
  assign pass = c.op == OpPass;
  assign pool = maxpool || sumpool;
  assign reads_weights = conv || dwconv;
  assign reads_parameters = conv || dwconv || sumpool || (pass && c.rule != RuleNone);
  assign reads_second = c.ew_op != EwOpNone || c.acc_init == AccInitInt32;

  // ------------------------------------------------------------------------------------ fields

  typedef struct packed {
    logic       found;
    logic [7:0] code;
    logic [7:0] word;
  } finding_t;

  function automatic finding_t reserved_in(input logic [CommandWords-1:0][31:0] words, input int from,
                                           input int to);
    reserved_in = '0;
    for (int w = to - 1; w >= from; w--) begin
      if ((words[w] & Reserved[w]) != 32'd0) begin
        reserved_in = '{found: 1'b1, code: queue_pkg::ErrorCodeReservedBits, word: 8'(w)};
      end
    end
  endfunction

  // No field of this command goes on into the next word.
  function automatic finding_t fields_in(input logic [CommandWords-1:0][31:0] words, input logic [3:0] op,
                                         input int from, input int to);
    logic [7:0] code;
    fields_in = '0;
    for (int w = to - 1; w >= from; w--) begin
      code = field_error(8'(w), {32'd0, words[w]}, op);
      if (code != 8'd0) fields_in = '{found: 1'b1, code: code, word: 8'(w)};
    end
  endfunction

  finding_t reserved_q, fields_q;

  always_ff @(posedge clk_i) begin
    if (active_i) begin
      reserved_q <= reserved_in(words_i, 0, int'(EarlyWords));
      fields_q <= fields_in(words_i, c.op, 0, int'(EarlyWords));
    end
  end

  // ------------------------------------------------------------------------------------- rules

  // The word of each rule: where its first field is.
  function automatic logic [7:0] word_of_rule(input int rule);
    case (rule)
      1: return 8'd6;
      2, 3: return 8'd8;
      4: return 8'd13;
      5, 7, 8, 9: return 8'd10;
      6: return 8'd11;
      10: return 8'd7;
      12: return 8'd37;
      14: return 8'd24;
      16: return 8'd23;
      17: return 8'd22;
      18: return 8'd26;
      19, 21: return 8'd30;
      22: return 8'd34;
      default: return 8'd0;  // R11, R13, R15, R20
    endcase
  endfunction

  // Products and sums that more than one term of a rule, or a wide one, needs.
  logic [19:0] block_pixels;
  logic [10:0] extent_y, extent_x, last_y, last_x;  // of the kernel
  logic signed [15:0] window_y, window_x;           // where the last window begins
  logic [6:0] packed_step;
  logic [9:0] packed_lanes;
  logic [15:0] packed_row;
  assign block_pixels = 20'(c.block_rows) * 20'(c.out_w);
  assign last_y = 11'(c.kernel_h) - 11'd1;
  assign last_x = 11'(c.kernel_w) - 11'd1;
  assign extent_y = 11'(last_y * 11'(c.dil_y)) + 11'd1;
  assign extent_x = 11'(last_x * 11'(c.dil_x)) + 11'd1;
  assign window_y = $signed((16'(c.out_h) - 16'd1) * 16'(c.stride_y) - 16'(c.pad_top));
  assign window_x = $signed((16'(c.out_w) - 16'd1) * 16'(c.stride_x) - 16'(c.pad_left));
  assign packed_step = 7'(c.stride_x) * 7'(c.packed_ic);
  assign packed_lanes = 10'(c.kernel_w) * 10'(c.packed_ic) + 10'd15;
  assign packed_row = 16'(c.in_w) * 16'(c.packed_ic);

  logic [22:1] early, early_q, late, broken;  // rule is broken

  always_comb begin
    early = '0;
    if (active_i) begin
      early[1] = !pass && block_pixels > 20'(AccDepth);
      early[2] = reads_weights && (c.kernel_h > 6'd16 || c.kernel_w > 6'd16);
      early[3] = pass && (c.kernel_h != 6'd1 || c.kernel_w != 6'd1 || c.dil_y != 5'd1 ||
                          c.dil_x != 5'd1);
      early[4] = pool && (c.dil_y != 5'd1 || c.dil_x != 5'd1 || c.pad_value != 16'sd0);
      early[5] = !pass && (11'(c.pad_top) >= extent_y || 11'(c.pad_left) >= extent_x);
      early[6] = maxpool && (window_y >= $signed({4'd0, c.in_h}) ||
                             window_x >= $signed({4'd0, c.in_w}));
      early[7] = !conv && (c.in_blocks != 10'd1 || c.in_kb_step != 8'd1);
      early[8] = c.packed_ && (c.dil_x != 5'd1 || c.packed_ic == 4'd0 || packed_step > 7'd16 ||
                               c.in_x_step != 12'(packed_step) ||
                               c.in_blocks != 10'(packed_lanes[9:4]) ||
                               c.row_bytes != packed_row || c.in_kb_step != 8'd0 ||
                               c.in_cb_pitch != 24'd0);
      early[9] = !c.packed_ && (c.packed_ic != 4'd0 || c.row_bytes != 16'd0 ||
                                c.in_x_step[3:0] != 4'd0);
      early[10] = conv && c.in_kb_step != 8'd0 && MacsK != 16;
      early[11] = (c.rule == RuleDivide && !sumpool) || (maxpool && c.rule != RuleNone);
      if (c.out_type == OutTypeInt32) begin
        early[13] = !conv || c.rule != RuleNone || c.lut_en || c.ew_op != EwOpNone ||
                    c.upsample2 || c.out_zero != 16'sd0 || c.act_min != 16'sd0 ||
                    c.act_max != 16'sd0;
      end else begin
        early[13] = conv && c.rule == RuleNone;
      end
      early[15] = c.acc_init == AccInitInt32 && c.ew_op != EwOpNone;
      early[16] = !c.lut_en && c.lut_base != 24'd0;
      early[17] = !reads_parameters && c.p_base != 24'd0;
      early[18] = !reads_second && (c.res_base != 24'd0 || c.res_row_pitch != 24'd0 ||
                                    c.res_cb_pitch != 24'd0 || c.res_x_step != 12'd0);
      early[20] = c.ew_rule == EwRuleXnnpack && !(c.ew_op inside {EwOpAdd, EwOpMul});
    end
  end

  // div_recip is floor(2^32 / n) + 1: the largest r with (r - 1) * n <= 2^32, and r * n is above it.
  logic [47:0] recip_product;
  logic recip_right, ew_none, ew_tflite, ew_unscaled, ew_unshifted;
  assign recip_product = 48'(c.div_recip) * 48'(c.div_count);
  assign recip_right = recip_product > 48'h1_0000_0000 &&
                       recip_product - 48'(c.div_count) <= 48'h1_0000_0000;
  assign ew_none = c.ew_op == EwOpNone;
  assign ew_tflite = c.ew_rule == EwRuleTflite;
  assign ew_unscaled = c.ew_a_mult == '0 && c.ew_b_mult == '0;
  assign ew_unshifted = c.ew_left_shift == '0 && c.ew_a_shift == '0 && c.ew_b_shift == '0;

  always_comb begin
    late = '0;
    if (check_i) begin
      late[12] = c.rule == RuleDivide ? c.div_count < 16'd2 || !recip_right
                                      : c.div_count != '0 || c.div_recip != '0;
      late[14] = c.act_min > c.act_max || c.ew_act_min > c.ew_act_max;
      late[19] = ew_none && (!ew_tflite || c.ew_a_zero != '0 || c.ew_b_zero != '0 ||
                             !ew_unscaled || c.ew_out_mult != '0 || !ew_unshifted ||
                             c.ew_out_shift != '0 || c.ew_out_zero != '0 ||
                             c.ew_act_min != '0 || c.ew_act_max != '0);
      if (c.ew_op == EwOpMul) begin
        late[21] = !ew_unscaled || !ew_unshifted || (!ew_tflite && c.ew_out_shift != '0);
      end else if (c.ew_op == EwOpAdd && !ew_tflite) begin
        late[21] = c.ew_a_zero != '0 || c.ew_b_zero != '0 || !ew_unshifted;
      end
      late[22] = ew_tflite ? c.ew_out_shift > 6'sd30
                           : c.ew_op == EwOpAdd && c.ew_out_shift < 6'sd0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (active_i) early_q <= early;
  end
  assign broken = early_q | late;

  // ---------------------------------------------------------------------------------- addresses

  // In the order in which they are checked.
  typedef enum int {
    In,
    W,
    P,
    Lut,
    Res,
    Out
  } base_e;
  localparam int unsigned Bases = 6;

  function automatic logic [7:0] word_of_base(input int base);
    case (base)
      In: return 8'd7;
      W: return 8'd19;
      P: return 8'd22;
      Lut: return 8'd23;
      Res: return 8'd26;
      default: return 8'd15;
    endcase
  endfunction

  // count - 1 times a pitch
  function automatic logic [47:0] span(input logic [12:0] count, input logic [23:0] pitch);
    return (48'(count) - 48'd1) * 48'(pitch);
  endfunction

  logic [6:0] tap_rows, tap_columns;  // in chunks of 4
  assign tap_rows = (7'(c.kernel_h) + 7'd3) >> 2;
  assign tap_columns = (7'(c.kernel_w) + 7'd3) >> 2;

  logic [12:0] kbs, groups, out_rows, out_columns;
  logic [11:0] sets;
  logic set_wide;  // weight sets of MacsC lanes, else of 16
  always_comb begin
    kbs = 13'((15'(c.out_blocks) * 15'd16 + 15'(MacsK) - 15'd1) / 15'(MacsK));
    groups = 13'(c.in_blocks);
    sets = 12'(c.kernel_h);
    set_wide = 1'b0;
    if (dwconv) begin
      groups = 13'(tap_rows);
      sets = c.dil_x > 5'd1 ? 12'(c.kernel_w) : 12'(tap_columns);
    end else if (!c.packed_) begin
      groups = 13'((15'(c.in_blocks) * 15'd16 + 15'(MacsC) - 15'd1) / 15'(MacsC));
      sets = 12'(c.kernel_h) * 12'(c.kernel_w);
      set_wide = 1'b1;
    end
    out_rows = c.upsample2 ? {c.out_h, 1'b0} : {1'b0, c.out_h};
    out_columns = c.upsample2 ? {c.out_w, 1'b0} : {1'b0, c.out_w};
  end

  logic [17:0] in_block_q;
  logic [47:0] in_rows_q, in_columns_q, w_kbs_q, w_groups_q, w_sets_q;
  logic [47:0] res_blocks_q, res_rows_q, res_columns_q, out_blocks_q, out_rows_q, out_columns_q;
  logic [Bases-1:0][47:0] end_q;

  always_ff @(posedge clk_i) begin
    if (active_i) begin
      in_block_q <= 18'(c.in_blocks) - 18'd1 + (18'(c.out_blocks) - 18'd1) * 18'(c.in_kb_step);
      in_rows_q <= span(13'(c.in_h), c.in_row_pitch);
      in_columns_q <= span(13'(c.in_w), 24'(c.in_x_step));
      w_kbs_q <= span(kbs, c.w_kb_pitch);
      w_groups_q <= span(groups, c.w_cb_pitch);
      w_sets_q <= 48'(sets) * (set_wide ? 48'(MacsK * MacsC) : 48'(MacsK * 16));
      res_blocks_q <= span(13'(c.out_blocks), c.res_cb_pitch);
      res_rows_q <= span(13'(c.out_h), c.res_row_pitch);
      res_columns_q <= span(13'(c.out_w), 24'(c.res_x_step));
      out_blocks_q <= span(13'(c.out_blocks), c.out_cb_pitch);
      out_rows_q <= span(out_rows, c.out_row_pitch);
      out_columns_q <= span(out_columns, 24'(c.out_x_step));

      end_q[In] <= 48'(sram_base_i) + 48'(c.in_base) + in_rows_q +
                   (c.packed_ ? (48'(c.row_bytes) + 48'd15) & ~48'd15
                              : 48'(in_block_q) * 48'(c.in_cb_pitch) + in_columns_q + 48'd16);
      end_q[W] <= 48'(sram_base_i) + 48'(c.w_base) + w_kbs_q + w_groups_q + w_sets_q;
      end_q[P] <= 48'(sram_base_i) + 48'(c.p_base) + 48'd144 * 48'(c.out_blocks);
      end_q[Lut] <= 48'(sram_base_i) + 48'(c.lut_base) + 48'd256;
      end_q[Res] <= 48'(sram_base_i) + 48'(c.res_base) + res_blocks_q + res_rows_q +
                    res_columns_q + (c.acc_init == AccInitInt32 ? 48'd64 : 48'd16);
      end_q[Out] <= 48'(sram_base_i) + 48'(c.out_base) + out_blocks_q + out_rows_q +
                    out_columns_q + (c.out_type == OutTypeInt32 ? 48'd64 : 48'd16);
    end
  end

  // ------------------------------------------------------------------------------------- verdict

  finding_t late_reserved, late_fields;
  logic [Bases-1:0] read;
  logic [7:0] code;
  assign code_o = queue_pkg::error_code_e'(code);

  // The last assignment that holds is the first thing that is wrong.
  always_comb begin
    code = queue_pkg::ErrorCodeNone;
    rule_o = '0;
    word_o = '0;
    address_o = '0;
    late_reserved = '0;
    late_fields = '0;
    read = '0;
    if (check_i) begin
      late_reserved = reserved_in(words_i, int'(EarlyWords), int'(CommandWords));
      late_fields = fields_in(words_i, c.op, int'(EarlyWords), int'(CommandWords));
      read[In] = 1'b1;
      read[W] = reads_weights;
      read[P] = reads_parameters;
      read[Lut] = c.lut_en;
      read[Res] = reads_second;
      read[Out] = 1'b1;

      if (c.op != OpNop) begin
        for (int b = int'(Bases) - 1; b >= 0; b--) begin
          if (read[b] && end_q[b] > 48'(SramBytes)) begin
            code = queue_pkg::ErrorCodeAddressRange;
            word_o = word_of_base(b);
            address_o = end_q[b];
          end
        end
      end
      if (c.wait_weights > sync_count_i || c.wait_in > sync_count_i ||
          c.wait_out > sync_count_i || c.signal > sync_count_i) begin
        code = queue_pkg::ErrorCodeSyncLimit;
        word_o = 8'd2;
        address_o = '0;
      end
      if (c.op != OpNop) begin
        for (int r = 22; r >= 1; r--) begin
          if (broken[r]) begin
            code = queue_pkg::ErrorCodeRuleBroken;
            rule_o = 8'(r);
            word_o = word_of_rule(r);
            address_o = '0;
          end
        end
      end
      if (fields_q.found || late_fields.found) begin
        code = fields_q.found ? fields_q.code : late_fields.code;
        rule_o = '0;
        word_o = fields_q.found ? fields_q.word : late_fields.word;
        address_o = '0;
      end
      if (reserved_q.found || late_reserved.found) begin
        code = reserved_q.found ? reserved_q.code : late_reserved.code;
        rule_o = '0;
        word_o = reserved_q.found ? reserved_q.word : late_reserved.word;
        address_o = '0;
      end
      if (c.op > OpPass) begin
        code = queue_pkg::ErrorCodeBadOp;
        rule_o = '0;
        word_o = '0;
        address_o = '0;
      end
      if (c.isa_version != IsaVersion) begin
        code = queue_pkg::ErrorCodeBadVersion;
        rule_o = '0;
        word_o = '0;
        address_o = '0;
      end
    end
  end

  // ----------------------------------------------------------------------------- assertions

  if (MacsK % 16 != 0 || MacsC % 16 != 0) begin : gen_multiples
    $error("dla_check: MacsK and MacsC are multiples of 16");
  end

  // There is no reset here: what is checked has been active before.
  logic [1:0] active_q;
  logic same_q;  // a clock ago the early rules had been known for one
  always_ff @(posedge clk_i) begin
    active_q <= {active_q[0], active_i};
    if (active_i) same_q <= early_q == early;
  end
  always @(posedge clk_i) begin
    if (check_i) begin
      CheckedWhileActive_A : assert (active_i) else $error("%m");
      ActiveForTwoClocksBefore_A : assert (&active_q) else $error("%m");
      EarlyWordsAreTwoClocksOld_A : assert (early_q == early && same_q) else $error("%m");
    end
  end
endmodule
