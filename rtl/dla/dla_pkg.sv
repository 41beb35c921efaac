// Printed from rtl/dla/dla.rdl by `python3 rtl/gen/print.py`; do not edit.
// No block uses all of a contract.
// verilator lint_off UNUSEDPARAM
package dla_pkg;

  typedef enum logic [3:0] {
    OpNop = 4'd0,  // Waits, then signals; uses words 0 to 6 only.
    OpConv = 4'd1,  // Convolution: sums over input channels, kernel rows and columns. Fully connected is a 1x1 kernel on one pixel.
    OpDwconv = 4'd2,  // Depthwise convolution, one output channel per input channel.
    OpMaxpool = 4'd3,  // Maximum over the window; taps outside the image do not count.
    OpSumpool = 4'd4,  // Sum over the window; taps outside the image count 0. An average with rule divide.
    OpPass = 4'd5  // Each word passes unchanged to post-processing: element-wise, table, copy, pad, upsample, requantise.
  } op_e;

  typedef enum logic [1:0] {
    WBitsInt8 = 2'd0,  // One weight a byte.
    WBitsInt4 = 2'd1,  // Two weights a byte, low nibble first.
    WBitsInt2 = 2'd2  // Four weights a byte, lowest pair first.
  } w_bits_e;

  typedef enum logic [0:0] {
    InTypeInt8 = 1'd0,  // 16 channels a word.
    InTypeInt16 = 1'd1  // 8 channels a word.
  } in_type_e;

  typedef enum logic [1:0] {
    OutTypeInt8 = 2'd0,  // 16 channels a word.
    OutTypeInt16 = 2'd1,  // 8 channels a word.
    OutTypeInt32 = 2'd2  // 4 channels a word: partial sums.
  } out_type_e;

  typedef enum logic [0:0] {
    AccInitBias = 1'd0,  // The channel's bias.
    AccInitInt32 = 1'd1  // Partial sums, int32, read through the residual port.
  } acc_init_e;

  typedef enum logic [2:0] {
    RuleDouble = 3'd0,  // Saturating doubling high multiply, then rounding shift: two roundings, ties away from zero.
    RuleFloat = 3'd1,  // Float scale in the multiplier field, product rounded to the nearest even integer.
    RuleMulAddShift = 3'd2,  // Integer multiply, add bias, arithmetic shift.
    RuleDivide = 3'd3,  // Division by div_count, ties away from zero: average pool.
    RuleInt16 = 3'd4,  // 64-bit accumulator, 16-bit multiplier, one rounding.
    RuleSingle = 3'd5,  // The product in 64 bits, half added, shifted once: TOSA's RESCALE with one rounding.
    RuleNone = 3'd7  // The accumulator's low byte unchanged; with out_type int32 the whole accumulator.
  } rule_e;

  typedef enum logic [2:0] {
    EwOpNone = 3'd0,  // No second operand.
    EwOpAdd = 3'd1,  // a + b
    EwOpSub = 3'd2,  // a - b
    EwOpMul = 3'd3  // a * b
  } ew_op_e;

  typedef enum logic [0:0] {
    EwRuleTflite = 1'd0,  // Both operands scaled to a common grid, then back: three multiplications with double rounding; mul: one.
    EwRuleXnnpack = 1'd1  // add: one multiply-accumulate and one arithmetic shift; mul: float requantisation.
  } ew_rule_e;

  // DLA counters: offsets in bytes.
  localparam logic [31:0] CountersSize = 32'h00000400;
  localparam logic [31:0] CountersRegControl = 32'h00000000;
  localparam logic [31:0] CountersRegCycles = 32'h00000008;
  localparam logic [31:0] CountersRegCyclesHi = 32'h0000000c;
  localparam logic [31:0] CountersRegRun = 32'h00000010;
  localparam logic [31:0] CountersRegRunHi = 32'h00000014;
  localparam logic [31:0] CountersRegStallFeature = 32'h00000018;
  localparam logic [31:0] CountersRegStallFeatureHi = 32'h0000001c;
  localparam logic [31:0] CountersRegStallWeights = 32'h00000020;
  localparam logic [31:0] CountersRegStallWeightsHi = 32'h00000024;
  localparam logic [31:0] CountersRegStallPost = 32'h00000028;
  localparam logic [31:0] CountersRegStallPostHi = 32'h0000002c;
  localparam logic [31:0] CountersRegStart = 32'h00000030;
  localparam logic [31:0] CountersRegStartHi = 32'h00000034;
  localparam logic [31:0] CountersRegFetch = 32'h00000038;
  localparam logic [31:0] CountersRegFetchHi = 32'h0000003c;
  localparam logic [31:0] CountersRegIdle = 32'h00000040;
  localparam logic [31:0] CountersRegIdleHi = 32'h00000044;
  localparam logic [31:0] CountersRegCommands = 32'h00000048;
  localparam logic [31:0] CountersRegCommandsHi = 32'h0000004c;
  localparam logic [31:0] CountersRegSteps = 32'h00000050;
  localparam logic [31:0] CountersRegStepsHi = 32'h00000054;
  localparam logic [31:0] CountersRegWaitIn = 32'h00000100;
  localparam logic [31:0] CountersRegWaitInHi = 32'h00000104;
  localparam logic [31:0] CountersRegWaitInStride = 32'h00000008;
  localparam int unsigned CountersWaitInCount = 4;
  localparam logic [31:0] CountersRegWaitWeights = 32'h00000200;
  localparam logic [31:0] CountersRegWaitWeightsHi = 32'h00000204;
  localparam logic [31:0] CountersRegWaitWeightsStride = 32'h00000008;
  localparam int unsigned CountersWaitWeightsCount = 4;
  localparam logic [31:0] CountersRegWaitOut = 32'h00000300;
  localparam logic [31:0] CountersRegWaitOutHi = 32'h00000304;
  localparam logic [31:0] CountersRegWaitOutStride = 32'h00000008;
  localparam int unsigned CountersWaitOutCount = 4;

  // DLA registers: offsets in bytes.
  localparam logic [31:0] Size = 32'h00002000;
  localparam logic [31:0] RegId = 32'h00000000;
  localparam logic [31:0] RegArray = 32'h00000004;
  localparam logic [31:0] RegPorts = 32'h00000008;
  localparam logic [31:0] RegLanes = 32'h0000000c;
  localparam logic [31:0] RegAcc = 32'h00000010;
  localparam logic [31:0] RegCapability = 32'h00000014;
  localparam logic [31:0] RegSram = 32'h00000018;
  localparam logic [31:0] RegQueue = 32'h00000200;
  localparam logic [31:0] RegCounters = 32'h00001000;

  // DLA counters: what hardware gives to the register block.
  typedef struct packed {
    logic [63:0] cycles;
    logic [63:0] run;
    logic [63:0] stall_feature;
    logic [63:0] stall_weights;
    logic [63:0] stall_post;
    logic [63:0] start;
    logic [63:0] fetch;
    logic [63:0] idle;
    logic [63:0] commands;
    logic [63:0] steps;
    logic [3:0][63:0] wait_in;
    logic [3:0][63:0] wait_weights;
    logic [3:0][63:0] wait_out;
  } counters_in_t;

  // DLA counters: what it gets from it.
  typedef struct packed {
    logic control_clear;
    logic control_snapshot;
  } counters_out_t;

  // DLA registers: what hardware gives to the register block.
  typedef struct packed {
    logic [7:0] id_prefetch;
    logic [7:0] id_contexts;
    logic [7:0] id_queues;
    logic [7:0] id_isa_version;
    logic [15:0] array_macs_c;
    logic [15:0] array_macs_k;
    logic [7:0] ports_out_ports;
    logic [7:0] ports_res_ports;
    logic [7:0] ports_weight_ports;
    logic [7:0] ports_feat_ports;
    logic [15:0] lanes_ew_lanes;
    logic [15:0] lanes_post_lanes;
    logic [15:0] acc_depth;
    logic capability_rule_mul_add_shift;
    logic capability_int2;
    logic capability_int4;
    logic capability_int16;
    logic [31:0] sram_bytes;
    counters_in_t counters;
  } registers_in_t;

  // DLA registers: what it gets from it.
  typedef struct packed {
    counters_out_t counters;
  } registers_out_t;

  // DLA command. 160 bytes, stateless: no value survives from one command to the next.
  localparam int unsigned CommandWords = 40;
  localparam int unsigned CommandPitch = 256;  // bytes from one to the next in memory
  localparam logic [7:0] IsaVersion = 8'd1;

  // Largest legal values of fields that hold numbers.
  localparam logic [31:0] CommandTagMax = 32'd4294967295;
  localparam logic [7:0] CommandWaitWeightsMax = 8'd255;
  localparam logic [7:0] CommandWaitInMax = 8'd255;
  localparam logic [7:0] CommandWaitOutMax = 8'd255;
  localparam logic [7:0] CommandSignalMax = 8'd255;
  localparam int signed CommandWaitWeightsValueMax = 2147483647;
  localparam int signed CommandWaitInValueMax = 2147483647;
  localparam int signed CommandWaitOutValueMax = 2147483647;
  localparam logic [15:0] CommandSignalAddMax = 16'd65535;
  localparam logic [7:0] CommandBlockRowsMax = 8'd128;
  localparam logic [23:0] CommandInBaseMax = 24'd16777215;
  localparam logic [7:0] CommandInKbStepMax = 8'd255;
  localparam logic [23:0] CommandInRowPitchMax = 24'd16777215;
  localparam logic [5:0] CommandKernelHMax = 6'd63;
  localparam logic [23:0] CommandInCbPitchMax = 24'd16777215;
  localparam logic [5:0] CommandKernelWMax = 6'd63;
  localparam logic [11:0] CommandInXStepMax = 12'd4095;
  localparam logic [9:0] CommandInBlocksMax = 10'd1023;
  localparam logic [4:0] CommandPadTopMax = 5'd31;
  localparam logic [4:0] CommandPadLeftMax = 5'd31;
  localparam logic [11:0] CommandInHMax = 12'd4095;
  localparam logic [11:0] CommandInWMax = 12'd4095;
  localparam logic [2:0] CommandStrideYMax = 3'd7;
  localparam logic [2:0] CommandStrideXMax = 3'd7;
  localparam int signed CommandPadValueMax = 127;
  localparam logic [15:0] CommandRowBytesMax = 16'd65535;
  localparam logic [4:0] CommandDilYMax = 5'd31;
  localparam logic [4:0] CommandDilXMax = 5'd31;
  localparam logic [3:0] CommandPackedIcMax = 4'd8;
  localparam logic [11:0] CommandOutHMax = 12'd4095;
  localparam logic [11:0] CommandOutWMax = 12'd4095;
  localparam logic [4:0] CommandOutLanesLastMax = 5'd16;
  localparam logic [23:0] CommandOutBaseMax = 24'd16777215;
  localparam logic [23:0] CommandOutRowPitchMax = 24'd16777215;
  localparam logic [23:0] CommandOutCbPitchMax = 24'd16777215;
  localparam logic [11:0] CommandOutXStepMax = 12'd4095;
  localparam logic [9:0] CommandOutBlocksMax = 10'd1023;
  localparam logic [23:0] CommandWBaseMax = 24'd16777215;
  localparam logic [23:0] CommandWKbPitchMax = 24'd16777215;
  localparam logic [23:0] CommandWCbPitchMax = 24'd16777215;
  localparam int signed CommandWZeroMax = 127;
  localparam logic [23:0] CommandPBaseMax = 24'd16777215;
  localparam logic [23:0] CommandLutBaseMax = 24'd16777215;
  localparam int signed CommandActMinMax = 127;
  localparam int signed CommandActMaxMax = 127;
  localparam int signed CommandOutZeroMax = 127;
  localparam logic [23:0] CommandResBaseMax = 24'd16777215;
  localparam logic [23:0] CommandResRowPitchMax = 24'd16777215;
  localparam logic [23:0] CommandResCbPitchMax = 24'd16777215;
  localparam logic [11:0] CommandResXStepMax = 12'd4095;
  localparam int signed CommandEwAZeroMax = 127;
  localparam int signed CommandEwBZeroMax = 127;
  localparam int signed CommandEwAMultMax = 2147483647;
  localparam int signed CommandEwBMultMax = 2147483647;
  localparam int signed CommandEwOutMultMax = 2147483647;
  localparam int signed CommandEwAShiftMax = 30;
  localparam int signed CommandEwBShiftMax = 30;
  localparam int signed CommandEwOutShiftMax = 31;
  localparam logic [4:0] CommandEwLeftShiftMax = 5'd22;
  localparam int signed CommandEwOutZeroMax = 127;
  localparam int signed CommandEwActMinMax = 127;
  localparam int signed CommandEwActMaxMax = 127;
  localparam logic [31:0] CommandDivRecipMax = 32'd4294967295;
  localparam logic [15:0] CommandDivCountMax = 16'd4096;
  localparam logic [31:0] CommandCrcMax = 32'd4294967295;

  // Bits that must be 0, by word, word 0 last.
  localparam logic [CommandWords-1:0][31:0] Reserved = {
    32'h00000000,
    32'hffff0000,
    32'h00000000,
    32'h00000000,
    32'hffff0000,
    32'he0c0c0c0,
    32'h00000000,
    32'h00000000,
    32'h00000000,
    32'h00000000,
    32'hfffff000,
    32'hff000000,
    32'hff000000,
    32'hff000000,
    32'hffff0000,
    32'h00000000,
    32'hff000000,
    32'hff000000,
    32'h00000000,
    32'hff000000,
    32'hff000000,
    32'hffc00000,
    32'hff000000,
    32'hff000000,
    32'hff000000,
    32'he0000000,
    32'hffffc000,
    32'h00000000,
    32'hc0000000,
    32'h00000000,
    32'hc0000000,
    32'hc0000000,
    32'h00000000,
    32'hff000000,
    32'h00000000,
    32'h00000000,
    32'h00000000,
    32'h00000000,
    32'h00000000,
    32'h00c00000
  };

  // One member per field. A code stays a number: the word may hold one that no enumeration has.
  typedef struct packed {
    logic [3:0] op;  // Operation.
    logic [1:0] w_bits;  // Width of a weight. int4 and int2 are refused while capability.int4, capability.int2 read 0.
    logic in_type;  // Type of the input. int16 is refused while capability.int16 reads 0.
    logic [1:0] out_type;  // Type of the output. int16 is refused while capability.int16 reads 0; int32 writes partial sums.
    logic packed_;  // Dense NHWC rows: the lanes hold kernel columns x channels.
    logic acc_init;  // What the accumulator starts from.
    logic [2:0] rule;  // How an accumulator becomes an output. mul_add_shift and int16 are refused while capability.rule_mul_add_shift, capability.int16 read 0.
    logic lut_en;  // Look the clamped value up in the table at lut_base.
    logic [2:0] ew_op;  // Element-wise operation with the operand at res_base.
    logic ew_rule;  // Integer rule of ew_op.
    logic upsample2;  // Write each word to the 2 x 2 output pixels (2y..2y+1, 2x..2x+1).
    logic fence;  // Begin only when every earlier command of the queue has completed.
    logic irq;  // Raise irq_status.command_done on completion.
    logic [7:0] isa_version;  // Version of the command word.
    logic [31:0] tag;  // Key into the debug map: command, tile, layer, source op.
    logic [7:0] wait_weights;  // Counter that the weight loader waits for; 0: none.
    logic [7:0] wait_in;  // Counter that sequencer and residual reader wait for; 0: none.
    logic [7:0] wait_out;  // Counter that the writer waits for; 0: none.
    logic [7:0] signal;  // Counter that signal_add is added to when the last word is written; 0: none.
    logic signed [31:0] wait_weights_value;  // Relative to value_base of the job; met when int32(counter - value_base - value) >= 0.
    logic signed [31:0] wait_in_value;  // As wait_weights_value, for wait_in.
    logic signed [31:0] wait_out_value;  // As wait_weights_value, for wait_out.
    logic [15:0] signal_add;  // Added to the counter named by signal.
    logic [7:0] block_rows;  // [rows] Output rows of a block: what the accumulators hold at once.
    logic [23:0] in_base;  // [bytes] SRAM address of pixel (0, 0), channel block 0.
    logic [7:0] in_kb_step;  // [channel blocks] Input blocks to advance per 16 output channels: conv 0 (all outputs see all inputs) or grouped; others 1.
    logic [23:0] in_row_pitch;  // [bytes] From one input row to the next.
    logic [5:0] kernel_h;  // [rows] Kernel height; see the rules for each operation's limit.
    logic [23:0] in_cb_pitch;  // [bytes] From one input channel block to the next.
    logic [5:0] kernel_w;  // [columns] Kernel width; see the rules for each operation's limit.
    logic [11:0] in_x_step;  // [bytes] From one input pixel to the next, a multiple of 16; packed: stride_x * packed_ic.
    logic [9:0] in_blocks;  // [channel blocks] Input blocks summed over (conv; others 1); packed: chunks of 16 lanes, ceil(kernel_w * packed_ic / 16).
    logic [4:0] pad_top;  // [rows] Rows of padding above the image.
    logic [4:0] pad_left;  // [columns] Columns of padding left of the image.
    logic [11:0] in_h;  // [rows] Rows of the input; a row outside 0 .. in_h - 1 is padding.
    logic [11:0] in_w;  // [columns] Columns of the input; a column outside 0 .. in_w - 1 is padding.
    logic [2:0] stride_y;  // [rows] Input rows per output row.
    logic [2:0] stride_x;  // [columns] Input columns per output column.
    logic signed [15:0] pad_value;  // Value of a padding pixel (conv, dwconv, pass): the input's zero point. Pools: 0.
    logic [15:0] row_bytes;  // [bytes] Bytes of an input row, in_w * packed_ic (packed, else 0); bytes outside are padding.
    logic [4:0] dil_y;  // [rows] Distance of kernel rows.
    logic [4:0] dil_x;  // [columns] Distance of kernel columns.
    logic [3:0] packed_ic;  // [channels] Channels of a packed pixel, 1..8 (packed, else 0).
    logic [11:0] out_h;  // [rows] Rows of the output, before upsampling.
    logic [11:0] out_w;  // [columns] Columns of the output, before upsampling.
    logic [4:0] out_lanes_last;  // [channels] Channels of the last output block; lanes beyond are written as 0.
    logic [23:0] out_base;  // [bytes] SRAM address of output pixel (0, 0), block 0.
    logic [23:0] out_row_pitch;  // [bytes] From one output row to the next.
    logic [23:0] out_cb_pitch;  // [bytes] From one output channel block to the next.
    logic [11:0] out_x_step;  // [bytes] From one output pixel to the next.
    logic [9:0] out_blocks;  // [channel blocks] Output blocks of 16 channels.
    logic [23:0] w_base;  // [bytes] SRAM address of the first weight set.
    logic [23:0] w_kb_pitch;  // [bytes] From the sets of one group of 16 output channels to the next.
    logic [23:0] w_cb_pitch;  // [bytes] From the sets of one input block (packed: chunk; dwconv: row of tap chunks) to the next.
    logic signed [7:0] w_zero;  // Zero point of the weights.
    logic [23:0] p_base;  // [bytes] SRAM address of the channel parameters, 144 bytes per 16 channels: bias int32 x 16, multiplier int32 x 16, shift int8 x 16.
    logic [23:0] lut_base;  // [bytes] SRAM address of the table of 256 bytes, indexed by the value as uint8 (lut_en, else 0).
    logic signed [15:0] act_min;  // Lower clamp after requantisation.
    logic signed [15:0] act_max;  // Upper clamp after requantisation.
    logic signed [15:0] out_zero;  // Zero point added after requantisation.
    logic [23:0] res_base;  // [bytes] SRAM address of the second operand (ew_op), or of the partial sums (acc_init int32).
    logic [23:0] res_row_pitch;  // [bytes] From row to row of it; 0 repeats a row.
    logic [23:0] res_cb_pitch;  // [bytes] From channel block to channel block of it; 0 repeats a block.
    logic [11:0] res_x_step;  // [bytes] From pixel to pixel of it; 0 repeats a pixel.
    logic signed [15:0] ew_a_zero;  // za: zero point of the first operand (the requantised value).
    logic signed [15:0] ew_b_zero;  // zb: zero point of the second operand.
    logic signed [31:0] ew_a_mult;  // ma
    logic signed [31:0] ew_b_mult;  // mb
    logic signed [31:0] ew_out_mult;  // mo; the additive constant of add under xnnpack; a float's bits for mul under xnnpack.
    logic signed [5:0] ew_a_shift;  // sa, positive is left.
    logic signed [5:0] ew_b_shift;  // sb, positive is left.
    logic signed [5:0] ew_out_shift;  // so, positive is left; add under xnnpack: arithmetic shift to the right, 0..31.
    logic [4:0] ew_left_shift;  // L: (a - za) and (b - zb), within -255..255, are shifted left by it; 22 keeps them inside int32 with a bit to spare for rounding.
    logic signed [15:0] ew_out_zero;  // zo: zero point added after the element-wise operation.
    logic signed [15:0] ew_act_min;  // Lower clamp after the element-wise operation.
    logic signed [15:0] ew_act_max;  // Upper clamp after the element-wise operation.
    logic [31:0] div_recip;  // floor(2^32 / div_count) + 1 (rule divide, else 0).
    logic [15:0] div_count;  // n: divisor of rule divide, 2..4096 (else 0).
    logic [31:0] crc;  // CRC-32 of the other words (IEEE 802.3, as zlib's). The driver writes it when it loads the network; looked at where control.check of the queue is 1.
  } command_t;

  // Of the words' bits exactly the fields are looked at.
  /* verilator lint_off UNUSEDSIGNAL */
  function automatic command_t unpack(input logic [CommandWords-1:0][31:0] words);
    logic [32*CommandWords-1:0] bits;
    bits = words;
    unpack.op = bits[0+:4];
    unpack.w_bits = bits[4+:2];
    unpack.in_type = bits[6+:1];
    unpack.out_type = bits[7+:2];
    unpack.packed_ = bits[9+:1];
    unpack.acc_init = bits[10+:1];
    unpack.rule = bits[11+:3];
    unpack.lut_en = bits[14+:1];
    unpack.ew_op = bits[15+:3];
    unpack.ew_rule = bits[18+:1];
    unpack.upsample2 = bits[19+:1];
    unpack.fence = bits[20+:1];
    unpack.irq = bits[21+:1];
    unpack.isa_version = bits[24+:8];
    unpack.tag = bits[32+:32];
    unpack.wait_weights = bits[64+:8];
    unpack.wait_in = bits[72+:8];
    unpack.wait_out = bits[80+:8];
    unpack.signal = bits[88+:8];
    unpack.wait_weights_value = bits[96+:32];
    unpack.wait_in_value = bits[128+:32];
    unpack.wait_out_value = bits[160+:32];
    unpack.signal_add = bits[192+:16];
    unpack.block_rows = bits[208+:8];
    unpack.in_base = bits[224+:24];
    unpack.in_kb_step = bits[248+:8];
    unpack.in_row_pitch = bits[256+:24];
    unpack.kernel_h = bits[280+:6];
    unpack.in_cb_pitch = bits[288+:24];
    unpack.kernel_w = bits[312+:6];
    unpack.in_x_step = bits[320+:12];
    unpack.in_blocks = bits[332+:10];
    unpack.pad_top = bits[342+:5];
    unpack.pad_left = bits[347+:5];
    unpack.in_h = bits[352+:12];
    unpack.in_w = bits[364+:12];
    unpack.stride_y = bits[376+:3];
    unpack.stride_x = bits[379+:3];
    unpack.pad_value = bits[384+:16];
    unpack.row_bytes = bits[400+:16];
    unpack.dil_y = bits[416+:5];
    unpack.dil_x = bits[421+:5];
    unpack.packed_ic = bits[426+:4];
    unpack.out_h = bits[448+:12];
    unpack.out_w = bits[460+:12];
    unpack.out_lanes_last = bits[472+:5];
    unpack.out_base = bits[480+:24];
    unpack.out_row_pitch = bits[512+:24];
    unpack.out_cb_pitch = bits[544+:24];
    unpack.out_x_step = bits[576+:12];
    unpack.out_blocks = bits[588+:10];
    unpack.w_base = bits[608+:24];
    unpack.w_kb_pitch = bits[640+:24];
    unpack.w_cb_pitch = bits[672+:24];
    unpack.w_zero = bits[696+:8];
    unpack.p_base = bits[704+:24];
    unpack.lut_base = bits[736+:24];
    unpack.act_min = bits[768+:16];
    unpack.act_max = bits[784+:16];
    unpack.out_zero = bits[800+:16];
    unpack.res_base = bits[832+:24];
    unpack.res_row_pitch = bits[864+:24];
    unpack.res_cb_pitch = bits[896+:24];
    unpack.res_x_step = bits[928+:12];
    unpack.ew_a_zero = bits[960+:16];
    unpack.ew_b_zero = bits[976+:16];
    unpack.ew_a_mult = bits[992+:32];
    unpack.ew_b_mult = bits[1024+:32];
    unpack.ew_out_mult = bits[1056+:32];
    unpack.ew_a_shift = bits[1088+:6];
    unpack.ew_b_shift = bits[1096+:6];
    unpack.ew_out_shift = bits[1104+:6];
    unpack.ew_left_shift = bits[1112+:5];
    unpack.ew_out_zero = bits[1120+:16];
    unpack.ew_act_min = bits[1152+:16];
    unpack.ew_act_max = bits[1168+:16];
    unpack.div_recip = bits[1184+:32];
    unpack.div_count = bits[1216+:16];
    unpack.crc = bits[1248+:32];
  endfunction

  // What is wrong with the fields that begin in a word, in the order of the contract: error_code of
  // queue_pkg, 0 for nothing. `bits` are the word and above it the next one, `op` is a legal operation.
  // Version and operation and reserved bits come before and are not looked at.
  function automatic logic [7:0] field_error(input logic [7:0] word, input logic [63:0] bits,
                                             input logic [3:0] op);
    logic [3:0] used;
    used[0] = op inside {OpConv, OpDwconv};
    used[1] = op inside {OpConv, OpDwconv, OpMaxpool, OpSumpool, OpPass};
    used[2] = op inside {OpConv};
    used[3] = op inside {OpConv, OpDwconv, OpSumpool, OpPass};
    field_error = 8'd0;
    case (word)
      8'd0: begin
        // w_bits: int8
        if (field_error == 8'd0 && !used[0] && bits[5:4] != 2'd0) field_error = 8'd6;
        if (field_error == 8'd0 && used[0] && !(bits[5:4] inside {2'd0, 2'd1, 2'd2})) field_error = 8'd6;
        if (field_error == 8'd0 && used[0] && bits[5:4] inside {2'd1, 2'd2}) field_error = 8'd7;
        // in_type: int8
        if (field_error == 8'd0 && !used[1] && bits[6] != 1'd0) field_error = 8'd6;
        if (field_error == 8'd0 && used[1] && bits[6] inside {1'd1}) field_error = 8'd7;
        // out_type: int8, int32
        if (field_error == 8'd0 && !used[1] && bits[8:7] != 2'd0) field_error = 8'd6;
        if (field_error == 8'd0 && used[1] && !(bits[8:7] inside {2'd0, 2'd1, 2'd2})) field_error = 8'd6;
        if (field_error == 8'd0 && used[1] && bits[8:7] inside {2'd1}) field_error = 8'd7;
        // packed: 0, 1
        if (field_error == 8'd0 && !used[2] && bits[9] != 1'd0) field_error = 8'd6;
        // acc_init: bias, int32
        if (field_error == 8'd0 && !used[2] && bits[10] != 1'd0) field_error = 8'd6;
        // rule: double, float, divide, single, none
        if (field_error == 8'd0 && !used[1] && bits[13:11] != 3'd0) field_error = 8'd6;
        if (field_error == 8'd0 && used[1] && !(bits[13:11] inside {3'd0, 3'd1, 3'd2, 3'd3, 3'd4, 3'd5, 3'd7})) field_error = 8'd6;
        if (field_error == 8'd0 && used[1] && bits[13:11] inside {3'd2, 3'd4}) field_error = 8'd7;
        // lut_en: 0, 1
        if (field_error == 8'd0 && !used[1] && bits[14] != 1'd0) field_error = 8'd6;
        // ew_op: none, add, sub, mul
        if (field_error == 8'd0 && !used[1] && bits[17:15] != 3'd0) field_error = 8'd6;
        if (field_error == 8'd0 && used[1] && !(bits[17:15] inside {3'd0, 3'd1, 3'd2, 3'd3})) field_error = 8'd6;
        // ew_rule: tflite, xnnpack
        if (field_error == 8'd0 && !used[1] && bits[18] != 1'd0) field_error = 8'd6;
        // upsample2: 0, 1
        if (field_error == 8'd0 && !used[1] && bits[19] != 1'd0) field_error = 8'd6;
      end
      8'd6: begin
        // block_rows: 1 .. 128 rows
        if (field_error == 8'd0 && !used[1] && bits[23:16] != 8'd0) field_error = 8'd6;
        if (field_error == 8'd0 && used[1] && bits[23:16] == 8'd0) field_error = 8'd6;
        if (field_error == 8'd0 && used[1] && bits[23:16] > 8'd128) field_error = 8'd6;
      end
      8'd7: begin
        // in_base: 0 .. 2^24 - 1, multiple of 16 bytes
        if (field_error == 8'd0 && !used[1] && bits[23:0] != 24'd0) field_error = 8'd6;
        if (field_error == 8'd0 && bits[3:0] != 4'd0) field_error = 8'd8;
        // in_kb_step: 0 .. 255 channel blocks
        if (field_error == 8'd0 && !used[1] && bits[31:24] != 8'd0) field_error = 8'd6;
      end
      8'd8: begin
        // in_row_pitch: 0 .. 2^24 - 1, multiple of 16 bytes
        if (field_error == 8'd0 && !used[1] && bits[23:0] != 24'd0) field_error = 8'd6;
        if (field_error == 8'd0 && bits[3:0] != 4'd0) field_error = 8'd8;
        // kernel_h: 1 .. 63 rows
        if (field_error == 8'd0 && !used[1] && bits[29:24] != 6'd0) field_error = 8'd6;
        if (field_error == 8'd0 && used[1] && bits[29:24] == 6'd0) field_error = 8'd6;
      end
      8'd9: begin
        // in_cb_pitch: 0 .. 2^24 - 1, multiple of 16 bytes
        if (field_error == 8'd0 && !used[1] && bits[23:0] != 24'd0) field_error = 8'd6;
        if (field_error == 8'd0 && bits[3:0] != 4'd0) field_error = 8'd8;
        // kernel_w: 1 .. 63 columns
        if (field_error == 8'd0 && !used[1] && bits[29:24] != 6'd0) field_error = 8'd6;
        if (field_error == 8'd0 && used[1] && bits[29:24] == 6'd0) field_error = 8'd6;
      end
      8'd10: begin
        // in_x_step: 0 .. 4095 bytes
        if (field_error == 8'd0 && !used[1] && bits[11:0] != 12'd0) field_error = 8'd6;
        // in_blocks: 1 .. 1023 channel blocks
        if (field_error == 8'd0 && !used[1] && bits[21:12] != 10'd0) field_error = 8'd6;
        if (field_error == 8'd0 && used[1] && bits[21:12] == 10'd0) field_error = 8'd6;
        // pad_top: 0 .. 31 rows
        if (field_error == 8'd0 && !used[1] && bits[26:22] != 5'd0) field_error = 8'd6;
        // pad_left: 0 .. 31 columns
        if (field_error == 8'd0 && !used[1] && bits[31:27] != 5'd0) field_error = 8'd6;
      end
      8'd11: begin
        // in_h: 1 .. 4095 rows
        if (field_error == 8'd0 && !used[1] && bits[11:0] != 12'd0) field_error = 8'd6;
        if (field_error == 8'd0 && used[1] && bits[11:0] == 12'd0) field_error = 8'd6;
        // in_w: 1 .. 4095 columns
        if (field_error == 8'd0 && !used[1] && bits[23:12] != 12'd0) field_error = 8'd6;
        if (field_error == 8'd0 && used[1] && bits[23:12] == 12'd0) field_error = 8'd6;
        // stride_y: 1 .. 7 rows
        if (field_error == 8'd0 && !used[1] && bits[26:24] != 3'd0) field_error = 8'd6;
        if (field_error == 8'd0 && used[1] && bits[26:24] == 3'd0) field_error = 8'd6;
        // stride_x: 1 .. 7 columns
        if (field_error == 8'd0 && !used[1] && bits[29:27] != 3'd0) field_error = 8'd6;
        if (field_error == 8'd0 && used[1] && bits[29:27] == 3'd0) field_error = 8'd6;
      end
      8'd12: begin
        // pad_value: -128 .. 127
        if (field_error == 8'd0 && !used[1] && bits[15:0] != 16'd0) field_error = 8'd6;
        if (field_error == 8'd0 && used[1] && $signed(bits[15:0]) < -16'sd128) field_error = 8'd6;
        if (field_error == 8'd0 && used[1] && $signed(bits[15:0]) > 16'sd127) field_error = 8'd6;
        // row_bytes: 0 .. 65535 bytes
        if (field_error == 8'd0 && !used[2] && bits[31:16] != 16'd0) field_error = 8'd6;
      end
      8'd13: begin
        // dil_y: 1 .. 31 rows
        if (field_error == 8'd0 && !used[1] && bits[4:0] != 5'd0) field_error = 8'd6;
        if (field_error == 8'd0 && used[1] && bits[4:0] == 5'd0) field_error = 8'd6;
        // dil_x: 1 .. 31 columns
        if (field_error == 8'd0 && !used[1] && bits[9:5] != 5'd0) field_error = 8'd6;
        if (field_error == 8'd0 && used[1] && bits[9:5] == 5'd0) field_error = 8'd6;
        // packed_ic: 0 .. 8 channels
        if (field_error == 8'd0 && !used[2] && bits[13:10] != 4'd0) field_error = 8'd6;
        if (field_error == 8'd0 && used[2] && bits[13:10] > 4'd8) field_error = 8'd6;
      end
      8'd14: begin
        // out_h: 1 .. 4095 rows
        if (field_error == 8'd0 && !used[1] && bits[11:0] != 12'd0) field_error = 8'd6;
        if (field_error == 8'd0 && used[1] && bits[11:0] == 12'd0) field_error = 8'd6;
        // out_w: 1 .. 4095 columns
        if (field_error == 8'd0 && !used[1] && bits[23:12] != 12'd0) field_error = 8'd6;
        if (field_error == 8'd0 && used[1] && bits[23:12] == 12'd0) field_error = 8'd6;
        // out_lanes_last: 1 .. 16 channels
        if (field_error == 8'd0 && !used[1] && bits[28:24] != 5'd0) field_error = 8'd6;
        if (field_error == 8'd0 && used[1] && bits[28:24] == 5'd0) field_error = 8'd6;
        if (field_error == 8'd0 && used[1] && bits[28:24] > 5'd16) field_error = 8'd6;
      end
      8'd15: begin
        // out_base: 0 .. 2^24 - 1, multiple of 16 bytes
        if (field_error == 8'd0 && !used[1] && bits[23:0] != 24'd0) field_error = 8'd6;
        if (field_error == 8'd0 && bits[3:0] != 4'd0) field_error = 8'd8;
      end
      8'd16: begin
        // out_row_pitch: 0 .. 2^24 - 1, multiple of 16 bytes
        if (field_error == 8'd0 && !used[1] && bits[23:0] != 24'd0) field_error = 8'd6;
        if (field_error == 8'd0 && bits[3:0] != 4'd0) field_error = 8'd8;
      end
      8'd17: begin
        // out_cb_pitch: 0 .. 2^24 - 1, multiple of 16 bytes
        if (field_error == 8'd0 && !used[1] && bits[23:0] != 24'd0) field_error = 8'd6;
        if (field_error == 8'd0 && bits[3:0] != 4'd0) field_error = 8'd8;
      end
      8'd18: begin
        // out_x_step: 0 .. 4095, multiple of 16 bytes
        if (field_error == 8'd0 && !used[1] && bits[11:0] != 12'd0) field_error = 8'd6;
        if (field_error == 8'd0 && bits[3:0] != 4'd0) field_error = 8'd8;
        // out_blocks: 1 .. 1023 channel blocks
        if (field_error == 8'd0 && !used[1] && bits[21:12] != 10'd0) field_error = 8'd6;
        if (field_error == 8'd0 && used[1] && bits[21:12] == 10'd0) field_error = 8'd6;
      end
      8'd19: begin
        // w_base: 0 .. 2^24 - 1, multiple of 16 bytes
        if (field_error == 8'd0 && !used[0] && bits[23:0] != 24'd0) field_error = 8'd6;
        if (field_error == 8'd0 && bits[3:0] != 4'd0) field_error = 8'd8;
      end
      8'd20: begin
        // w_kb_pitch: 0 .. 2^24 - 1, multiple of 16 bytes
        if (field_error == 8'd0 && !used[0] && bits[23:0] != 24'd0) field_error = 8'd6;
        if (field_error == 8'd0 && bits[3:0] != 4'd0) field_error = 8'd8;
      end
      8'd21: begin
        // w_cb_pitch: 0 .. 2^24 - 1, multiple of 16 bytes
        if (field_error == 8'd0 && !used[0] && bits[23:0] != 24'd0) field_error = 8'd6;
        if (field_error == 8'd0 && bits[3:0] != 4'd0) field_error = 8'd8;
        // w_zero: -128 .. 127
        if (field_error == 8'd0 && !used[0] && bits[31:24] != 8'd0) field_error = 8'd6;
      end
      8'd22: begin
        // p_base: 0 .. 2^24 - 1, multiple of 16 bytes
        if (field_error == 8'd0 && !used[3] && bits[23:0] != 24'd0) field_error = 8'd6;
        if (field_error == 8'd0 && bits[3:0] != 4'd0) field_error = 8'd8;
      end
      8'd23: begin
        // lut_base: 0 .. 2^24 - 1, multiple of 16 bytes
        if (field_error == 8'd0 && !used[1] && bits[23:0] != 24'd0) field_error = 8'd6;
        if (field_error == 8'd0 && bits[3:0] != 4'd0) field_error = 8'd8;
      end
      8'd24: begin
        // act_min: -128 .. 127
        if (field_error == 8'd0 && !used[1] && bits[15:0] != 16'd0) field_error = 8'd6;
        if (field_error == 8'd0 && used[1] && $signed(bits[15:0]) < -16'sd128) field_error = 8'd6;
        if (field_error == 8'd0 && used[1] && $signed(bits[15:0]) > 16'sd127) field_error = 8'd6;
        // act_max: -128 .. 127
        if (field_error == 8'd0 && !used[1] && bits[31:16] != 16'd0) field_error = 8'd6;
        if (field_error == 8'd0 && used[1] && $signed(bits[31:16]) < -16'sd128) field_error = 8'd6;
        if (field_error == 8'd0 && used[1] && $signed(bits[31:16]) > 16'sd127) field_error = 8'd6;
      end
      8'd25: begin
        // out_zero: -128 .. 127
        if (field_error == 8'd0 && !used[1] && bits[15:0] != 16'd0) field_error = 8'd6;
        if (field_error == 8'd0 && used[1] && $signed(bits[15:0]) < -16'sd128) field_error = 8'd6;
        if (field_error == 8'd0 && used[1] && $signed(bits[15:0]) > 16'sd127) field_error = 8'd6;
      end
      8'd26: begin
        // res_base: 0 .. 2^24 - 1, multiple of 16 bytes
        if (field_error == 8'd0 && !used[1] && bits[23:0] != 24'd0) field_error = 8'd6;
        if (field_error == 8'd0 && bits[3:0] != 4'd0) field_error = 8'd8;
      end
      8'd27: begin
        // res_row_pitch: 0 .. 2^24 - 1, multiple of 16 bytes
        if (field_error == 8'd0 && !used[1] && bits[23:0] != 24'd0) field_error = 8'd6;
        if (field_error == 8'd0 && bits[3:0] != 4'd0) field_error = 8'd8;
      end
      8'd28: begin
        // res_cb_pitch: 0 .. 2^24 - 1, multiple of 16 bytes
        if (field_error == 8'd0 && !used[1] && bits[23:0] != 24'd0) field_error = 8'd6;
        if (field_error == 8'd0 && bits[3:0] != 4'd0) field_error = 8'd8;
      end
      8'd29: begin
        // res_x_step: 0 .. 4095, multiple of 16 bytes
        if (field_error == 8'd0 && !used[1] && bits[11:0] != 12'd0) field_error = 8'd6;
        if (field_error == 8'd0 && bits[3:0] != 4'd0) field_error = 8'd8;
      end
      8'd30: begin
        // ew_a_zero: -128 .. 127
        if (field_error == 8'd0 && !used[1] && bits[15:0] != 16'd0) field_error = 8'd6;
        if (field_error == 8'd0 && used[1] && $signed(bits[15:0]) < -16'sd128) field_error = 8'd6;
        if (field_error == 8'd0 && used[1] && $signed(bits[15:0]) > 16'sd127) field_error = 8'd6;
        // ew_b_zero: -128 .. 127
        if (field_error == 8'd0 && !used[1] && bits[31:16] != 16'd0) field_error = 8'd6;
        if (field_error == 8'd0 && used[1] && $signed(bits[31:16]) < -16'sd128) field_error = 8'd6;
        if (field_error == 8'd0 && used[1] && $signed(bits[31:16]) > 16'sd127) field_error = 8'd6;
      end
      8'd31: begin
        // ew_a_mult: -2^31 .. 2^31 - 1
        if (field_error == 8'd0 && !used[1] && bits[31:0] != 32'd0) field_error = 8'd6;
      end
      8'd32: begin
        // ew_b_mult: -2^31 .. 2^31 - 1
        if (field_error == 8'd0 && !used[1] && bits[31:0] != 32'd0) field_error = 8'd6;
      end
      8'd33: begin
        // ew_out_mult: -2^31 .. 2^31 - 1
        if (field_error == 8'd0 && !used[1] && bits[31:0] != 32'd0) field_error = 8'd6;
      end
      8'd34: begin
        // ew_a_shift: -31 .. 30
        if (field_error == 8'd0 && !used[1] && bits[5:0] != 6'd0) field_error = 8'd6;
        if (field_error == 8'd0 && used[1] && $signed(bits[5:0]) < -6'sd31) field_error = 8'd6;
        if (field_error == 8'd0 && used[1] && $signed(bits[5:0]) > 6'sd30) field_error = 8'd6;
        // ew_b_shift: -31 .. 30
        if (field_error == 8'd0 && !used[1] && bits[13:8] != 6'd0) field_error = 8'd6;
        if (field_error == 8'd0 && used[1] && $signed(bits[13:8]) < -6'sd31) field_error = 8'd6;
        if (field_error == 8'd0 && used[1] && $signed(bits[13:8]) > 6'sd30) field_error = 8'd6;
        // ew_out_shift: -31 .. 31
        if (field_error == 8'd0 && !used[1] && bits[21:16] != 6'd0) field_error = 8'd6;
        if (field_error == 8'd0 && used[1] && $signed(bits[21:16]) < -6'sd31) field_error = 8'd6;
        // ew_left_shift: 0 .. 22
        if (field_error == 8'd0 && !used[1] && bits[28:24] != 5'd0) field_error = 8'd6;
        if (field_error == 8'd0 && used[1] && bits[28:24] > 5'd22) field_error = 8'd6;
      end
      8'd35: begin
        // ew_out_zero: -128 .. 127
        if (field_error == 8'd0 && !used[1] && bits[15:0] != 16'd0) field_error = 8'd6;
        if (field_error == 8'd0 && used[1] && $signed(bits[15:0]) < -16'sd128) field_error = 8'd6;
        if (field_error == 8'd0 && used[1] && $signed(bits[15:0]) > 16'sd127) field_error = 8'd6;
      end
      8'd36: begin
        // ew_act_min: -128 .. 127
        if (field_error == 8'd0 && !used[1] && bits[15:0] != 16'd0) field_error = 8'd6;
        if (field_error == 8'd0 && used[1] && $signed(bits[15:0]) < -16'sd128) field_error = 8'd6;
        if (field_error == 8'd0 && used[1] && $signed(bits[15:0]) > 16'sd127) field_error = 8'd6;
        // ew_act_max: -128 .. 127
        if (field_error == 8'd0 && !used[1] && bits[31:16] != 16'd0) field_error = 8'd6;
        if (field_error == 8'd0 && used[1] && $signed(bits[31:16]) < -16'sd128) field_error = 8'd6;
        if (field_error == 8'd0 && used[1] && $signed(bits[31:16]) > 16'sd127) field_error = 8'd6;
      end
      8'd37: begin
        // div_recip: 0 .. 2^32 - 1
        if (field_error == 8'd0 && !used[3] && bits[31:0] != 32'd0) field_error = 8'd6;
      end
      8'd38: begin
        // div_count: 0 .. 4096
        if (field_error == 8'd0 && !used[3] && bits[15:0] != 16'd0) field_error = 8'd6;
        if (field_error == 8'd0 && used[3] && bits[15:0] > 16'd4096) field_error = 8'd6;
      end
      default: ;
    endcase
  endfunction
  /* verilator lint_on UNUSEDSIGNAL */

endpackage
// verilator lint_on UNUSEDPARAM
