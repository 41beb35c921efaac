// Printed from rtl/dma/dma.rdl by `python3 rtl/gen/print.py`; do not edit.
// No block uses all of a contract.
// verilator lint_off UNUSEDPARAM
package dma_pkg;

  typedef enum logic [3:0] {
    OpNop = 4'd0,  // Waits, then signals; uses words 0 to 6 only.
    OpCopy = 4'd1,  // Reads the source rows as one byte stream and writes it to the destination rows.
    OpFill = 4'd2  // Writes the pattern of word 7 to the destination rows; reads nothing.
  } op_e;

  typedef enum logic [0:0] {
    SpaceSram = 1'd0,  // The tile's SRAM: 24-bit offset plus sram_base of the job.
    SpaceSystem = 1'd1  // A region of the job: 40-bit offset plus region_base.
  } space_e;

  typedef enum logic [1:0] {
    PackNone = 2'd0,  // Bytes as they are.
    PackPad = 2'd1,  // Cut the source stream into elements of elem_bytes, pad each with the pattern to a multiple of 16.
    PackDrop = 2'd2  // The inverse: drop the padding of each element of elem_bytes.
  } pack_e;

  // DMA channel counters: offsets in bytes.
  localparam logic [31:0] CountersSize = 32'h00000200;
  localparam logic [31:0] CountersRegControl = 32'h00000000;
  localparam logic [31:0] CountersRegCycles = 32'h00000008;
  localparam logic [31:0] CountersRegCyclesHi = 32'h0000000c;
  localparam logic [31:0] CountersRegRun = 32'h00000010;
  localparam logic [31:0] CountersRegRunHi = 32'h00000014;
  localparam logic [31:0] CountersRegReadCredit = 32'h00000018;
  localparam logic [31:0] CountersRegReadCreditHi = 32'h0000001c;
  localparam logic [31:0] CountersRegDramRow = 32'h00000020;
  localparam logic [31:0] CountersRegDramRowHi = 32'h00000024;
  localparam logic [31:0] CountersRegDramTurnaround = 32'h00000028;
  localparam logic [31:0] CountersRegDramTurnaroundHi = 32'h0000002c;
  localparam logic [31:0] CountersRegDramRefresh = 32'h00000030;
  localparam logic [31:0] CountersRegDramRefreshHi = 32'h00000034;
  localparam logic [31:0] CountersRegDramBusy = 32'h00000038;
  localparam logic [31:0] CountersRegDramBusyHi = 32'h0000003c;
  localparam logic [31:0] CountersRegWriteQueue = 32'h00000040;
  localparam logic [31:0] CountersRegWriteQueueHi = 32'h00000044;
  localparam logic [31:0] CountersRegSramPort = 32'h00000048;
  localparam logic [31:0] CountersRegSramPortHi = 32'h0000004c;
  localparam logic [31:0] CountersRegFetch = 32'h00000050;
  localparam logic [31:0] CountersRegFetchHi = 32'h00000054;
  localparam logic [31:0] CountersRegDrain = 32'h00000058;
  localparam logic [31:0] CountersRegDrainHi = 32'h0000005c;
  localparam logic [31:0] CountersRegIdle = 32'h00000060;
  localparam logic [31:0] CountersRegIdleHi = 32'h00000064;
  localparam logic [31:0] CountersRegCommands = 32'h00000068;
  localparam logic [31:0] CountersRegCommandsHi = 32'h0000006c;
  localparam logic [31:0] CountersRegBytesRead = 32'h00000070;
  localparam logic [31:0] CountersRegBytesReadHi = 32'h00000074;
  localparam logic [31:0] CountersRegBytesWritten = 32'h00000078;
  localparam logic [31:0] CountersRegBytesWrittenHi = 32'h0000007c;
  localparam logic [31:0] CountersRegWait = 32'h00000100;
  localparam logic [31:0] CountersRegWaitHi = 32'h00000104;
  localparam logic [31:0] CountersRegWaitStride = 32'h00000008;
  localparam int unsigned CountersWaitCount = 4;

  // DMA registers: offsets in bytes.
  localparam logic [31:0] Size = 32'h00002000;
  localparam logic [31:0] RegId = 32'h00000000;
  localparam logic [31:0] RegBursts = 32'h00000004;
  localparam logic [31:0] RegWidth = 32'h00000008;
  localparam logic [31:0] RegCapability = 32'h0000000c;
  localparam logic [31:0] RegSram = 32'h00000010;
  localparam logic [31:0] RegChannel = 32'h00000200;
  localparam logic [31:0] RegChannelStride = 32'h00000100;
  localparam int unsigned ChannelCount = 8;
  localparam logic [31:0] RegCounters = 32'h00001000;
  localparam logic [31:0] RegCountersStride = 32'h00000200;
  localparam int unsigned CountersCount = 8;

  // DMA channel counters: what hardware gives to the register block.
  typedef struct packed {
    logic [63:0] cycles;
    logic [63:0] run;
    logic [63:0] read_credit;
    logic [63:0] dram_row;
    logic [63:0] dram_turnaround;
    logic [63:0] dram_refresh;
    logic [63:0] dram_busy;
    logic [63:0] write_queue;
    logic [63:0] sram_port;
    logic [63:0] fetch;
    logic [63:0] drain;
    logic [63:0] idle;
    logic [63:0] commands;
    logic [63:0] bytes_read;
    logic [63:0] bytes_written;
    logic [3:0][63:0] wait_;
  } counters_in_t;

  // DMA channel counters: what it gets from it.
  typedef struct packed {
    logic control_clear;
    logic control_snapshot;
  } counters_out_t;

  // DMA registers: what hardware gives to the register block.
  typedef struct packed {
    logic [7:0] id_prefetch;
    logic [7:0] id_contexts;
    logic [7:0] id_queues;
    logic [7:0] id_isa_version;
    logic [7:0] bursts_total;
    logic [7:0] bursts_per_channel;
    logic [15:0] bursts_bytes;
    logic [7:0] width_sram_write_ports;
    logic [7:0] width_sram_read_ports;
    logic [15:0] width_axi;
    logic capability_multicast;
    logic [31:0] sram_bytes;
    counters_in_t [7:0] counters;
  } registers_in_t;

  // DMA registers: what it gets from it.
  typedef struct packed {
    counters_out_t [7:0] counters;
  } registers_out_t;

  // DMA command. 128 bytes. Source and destination walk a row and four dimensions each; between them is a byte stream.
  localparam int unsigned CommandWords = 32;
  localparam int unsigned CommandPitch = 128;  // bytes from one to the next in memory
  localparam logic [7:0] IsaVersion = 8'd1;

  // Largest legal values of fields that hold numbers.
  localparam logic [2:0] CommandSrcRegionMax = 3'd7;
  localparam logic [2:0] CommandDstRegionMax = 3'd7;
  localparam logic [31:0] CommandTagMax = 32'd4294967295;
  localparam logic [7:0] CommandWait0Max = 8'd255;
  localparam logic [7:0] CommandWait1Max = 8'd255;
  localparam logic [7:0] CommandSignalMax = 8'd255;
  localparam int signed CommandWait0ValueMax = 2147483647;
  localparam int signed CommandWait1ValueMax = 2147483647;
  localparam logic [15:0] CommandSignalAddMax = 16'd65535;
  localparam logic [11:0] CommandElemBytesMax = 12'd4095;
  localparam logic [31:0] CommandPatternMax = 32'd4294967295;
  localparam logic [39:0] CommandSrcBaseMax = 40'd1099511627775;
  localparam logic [23:0] CommandSrcRowBytesMax = 24'd16777215;
  localparam logic [15:0] CommandSrcN1Max = 16'd65535;
  localparam logic [15:0] CommandSrcN2Max = 16'd65535;
  localparam logic [15:0] CommandSrcN3Max = 16'd65535;
  localparam logic [15:0] CommandSrcN4Max = 16'd65535;
  localparam int signed CommandSrcStride1Max = 2147483647;
  localparam int signed CommandSrcStride2Max = 2147483647;
  localparam int signed CommandSrcStride3Max = 2147483647;
  localparam int signed CommandSrcStride4Max = 2147483647;
  localparam logic [39:0] CommandDstBaseMax = 40'd1099511627775;
  localparam logic [23:0] CommandDstRowBytesMax = 24'd16777215;
  localparam logic [15:0] CommandDstN1Max = 16'd65535;
  localparam logic [15:0] CommandDstN2Max = 16'd65535;
  localparam logic [15:0] CommandDstN3Max = 16'd65535;
  localparam logic [15:0] CommandDstN4Max = 16'd65535;
  localparam int signed CommandDstStride1Max = 2147483647;
  localparam int signed CommandDstStride2Max = 2147483647;
  localparam int signed CommandDstStride3Max = 2147483647;
  localparam int signed CommandDstStride4Max = 2147483647;
  localparam logic [31:0] CommandDstTileMaskMax = 32'd0;
  localparam logic [31:0] CommandCrcMax = 32'd4294967295;

  // Bits that must be 0, by word, word 0 last.
  localparam logic [CommandWords-1:0][31:0] Reserved = {
    32'h00000000,
    32'hffffffff,
    32'hffffffff,
    32'hffffffff,
    32'hffffffff,
    32'hffffffff,
    32'hffffffff,
    32'h00000000,
    32'h00000000,
    32'h00000000,
    32'h00000000,
    32'h00000000,
    32'h00000000,
    32'h00000000,
    32'h00000000,
    32'h00000000,
    32'h00000000,
    32'h00000000,
    32'h00000000,
    32'h00000000,
    32'h00000000,
    32'h00000000,
    32'h00000000,
    32'h00000000,
    32'h00000000,
    32'hf0000000,
    32'hffffffff,
    32'h00000000,
    32'h00000000,
    32'h00ff0000,
    32'h00000000,
    32'h00cf8000
  };

  // One member per field. A code stays a number: the word may hold one that no enumeration has.
  typedef struct packed {
    logic [3:0] op;  // Operation.
    logic src_space;  // Where the source is.
    logic dst_space;  // Where the destination is.
    logic [2:0] src_region;  // Region of the source (space system, else 0).
    logic [2:0] dst_region;  // Region of the destination (space system, else 0).
    logic xor80;  // Flip bit 7 of every data byte (uint8 to int8 and back); padding bytes are not changed.
    logic [1:0] pack;  // Channel padding in the stream.
    logic fence;  // Begin only when every earlier command of the channel has completed.
    logic irq;  // Raise irq_status.command_done on completion.
    logic [7:0] isa_version;  // Version of the command word.
    logic [31:0] tag;  // Key into the debug map: command, tile, layer, source op.
    logic [7:0] wait0;  // Counter to wait for; 0: none.
    logic [7:0] wait1;  // Second counter to wait for; 0: none.
    logic [7:0] signal;  // Counter that signal_add is added to on completion; 0: none.
    logic signed [31:0] wait0_value;  // Relative to value_base of the job; met when int32(counter - value_base - value) >= 0.
    logic signed [31:0] wait1_value;  // As wait0_value, for wait1.
    logic [15:0] signal_add;  // Added to the counter named by signal.
    logic [11:0] elem_bytes;  // [bytes] Data bytes of an element, 1..4095 (pack pad or drop, else 0).
    logic [31:0] pattern;  // Fill or pad bytes, by destination address modulo 4: bits 7:0 at 0.
    logic [39:0] src_base;  // [bytes] First source byte: SRAM offset (24 bit) or offset in the region.
    logic [23:0] src_row_bytes;  // [bytes] Bytes of a source row.
    logic [3:0][15:0] src_n;  // src_n1, src_n2, src_n3, src_n4
    logic [3:0][31:0] src_stride;  // [bytes] src_stride1, src_stride2, src_stride3, src_stride4
    logic [39:0] dst_base;  // [bytes] First destination byte: SRAM offset (24 bit) or offset in the region.
    logic [23:0] dst_row_bytes;  // [bytes] Bytes of a destination row.
    logic [3:0][15:0] dst_n;  // dst_n1, dst_n2, dst_n3, dst_n4
    logic [3:0][31:0] dst_stride;  // [bytes] dst_stride1, dst_stride2, dst_stride3, dst_stride4
    logic [31:0] dst_tile_mask;  // Tiles to write to (multicast); 0, this tile, is the only legal value today.
    logic [31:0] crc;  // CRC-32 of the other words (IEEE 802.3, as zlib's). The driver writes it when it loads the network; looked at where control.check of the queue is 1.
  } command_t;

  // Of the words' bits exactly the fields are looked at.
  /* verilator lint_off UNUSEDSIGNAL */
  function automatic command_t unpack(input logic [CommandWords-1:0][31:0] words);
    logic [32*CommandWords-1:0] bits;
    bits = words;
    unpack.op = bits[0+:4];
    unpack.src_space = bits[4+:1];
    unpack.dst_space = bits[5+:1];
    unpack.src_region = bits[6+:3];
    unpack.dst_region = bits[9+:3];
    unpack.xor80 = bits[12+:1];
    unpack.pack = bits[13+:2];
    unpack.fence = bits[20+:1];
    unpack.irq = bits[21+:1];
    unpack.isa_version = bits[24+:8];
    unpack.tag = bits[32+:32];
    unpack.wait0 = bits[64+:8];
    unpack.wait1 = bits[72+:8];
    unpack.signal = bits[88+:8];
    unpack.wait0_value = bits[96+:32];
    unpack.wait1_value = bits[128+:32];
    unpack.signal_add = bits[192+:16];
    unpack.elem_bytes = bits[208+:12];
    unpack.pattern = bits[224+:32];
    unpack.src_base = bits[256+:40];
    unpack.src_row_bytes = bits[296+:24];
    unpack.src_n[0] = bits[320+:16];
    unpack.src_n[1] = bits[336+:16];
    unpack.src_n[2] = bits[352+:16];
    unpack.src_n[3] = bits[368+:16];
    unpack.src_stride[0] = bits[384+:32];
    unpack.src_stride[1] = bits[416+:32];
    unpack.src_stride[2] = bits[448+:32];
    unpack.src_stride[3] = bits[480+:32];
    unpack.dst_base = bits[512+:40];
    unpack.dst_row_bytes = bits[552+:24];
    unpack.dst_n[0] = bits[576+:16];
    unpack.dst_n[1] = bits[592+:16];
    unpack.dst_n[2] = bits[608+:16];
    unpack.dst_n[3] = bits[624+:16];
    unpack.dst_stride[0] = bits[640+:32];
    unpack.dst_stride[1] = bits[672+:32];
    unpack.dst_stride[2] = bits[704+:32];
    unpack.dst_stride[3] = bits[736+:32];
    unpack.dst_tile_mask = bits[768+:32];
    unpack.crc = bits[992+:32];
  endfunction

  // What is wrong with the fields that begin in a word, in the order of the contract: error_code of
  // queue_pkg, 0 for nothing. `bits` are the word and above it the next one, `op` is a legal operation.
  // Version and operation and reserved bits come before and are not looked at.
  function automatic logic [7:0] field_error(input logic [7:0] word, input logic [63:0] bits,
                                             input logic [3:0] op);
    logic [1:0] used;
    used[0] = op inside {OpCopy};
    used[1] = op inside {OpCopy, OpFill};
    field_error = 8'd0;
    case (word)
      8'd0: begin
        // src_space: sram, system
        if (field_error == 8'd0 && !used[0] && bits[4] != 1'd0) field_error = 8'd6;
        // dst_space: sram, system
        if (field_error == 8'd0 && !used[1] && bits[5] != 1'd0) field_error = 8'd6;
        // src_region: 0 .. 7
        if (field_error == 8'd0 && !used[0] && bits[8:6] != 3'd0) field_error = 8'd6;
        // dst_region: 0 .. 7
        if (field_error == 8'd0 && !used[1] && bits[11:9] != 3'd0) field_error = 8'd6;
        // xor80: 0, 1
        if (field_error == 8'd0 && !used[0] && bits[12] != 1'd0) field_error = 8'd6;
        // pack: none, pad, drop
        if (field_error == 8'd0 && !used[0] && bits[14:13] != 2'd0) field_error = 8'd6;
        if (field_error == 8'd0 && used[0] && !(bits[14:13] inside {2'd0, 2'd1, 2'd2})) field_error = 8'd6;
      end
      8'd6: begin
        // elem_bytes: 0 .. 4095 bytes
        if (field_error == 8'd0 && !used[0] && bits[27:16] != 12'd0) field_error = 8'd6;
      end
      8'd7: begin
        // pattern: 0 .. 2^32 - 1
        if (field_error == 8'd0 && !used[1] && bits[31:0] != 32'd0) field_error = 8'd6;
      end
      8'd8: begin
        // src_base: 0 .. 2^40 - 1 bytes
        if (field_error == 8'd0 && !used[0] && bits[39:0] != 40'd0) field_error = 8'd6;
      end
      8'd9: begin
        // src_row_bytes: 1 .. 2^24 - 1 bytes
        if (field_error == 8'd0 && !used[0] && bits[31:8] != 24'd0) field_error = 8'd6;
        if (field_error == 8'd0 && used[0] && bits[31:8] == 24'd0) field_error = 8'd6;
      end
      8'd10: begin
        // src_n1: 1 .. 65535
        if (field_error == 8'd0 && !used[0] && bits[15:0] != 16'd0) field_error = 8'd6;
        if (field_error == 8'd0 && used[0] && bits[15:0] == 16'd0) field_error = 8'd6;
        // src_n2: 1 .. 65535
        if (field_error == 8'd0 && !used[0] && bits[31:16] != 16'd0) field_error = 8'd6;
        if (field_error == 8'd0 && used[0] && bits[31:16] == 16'd0) field_error = 8'd6;
      end
      8'd11: begin
        // src_n3: 1 .. 65535
        if (field_error == 8'd0 && !used[0] && bits[15:0] != 16'd0) field_error = 8'd6;
        if (field_error == 8'd0 && used[0] && bits[15:0] == 16'd0) field_error = 8'd6;
        // src_n4: 1 .. 65535
        if (field_error == 8'd0 && !used[0] && bits[31:16] != 16'd0) field_error = 8'd6;
        if (field_error == 8'd0 && used[0] && bits[31:16] == 16'd0) field_error = 8'd6;
      end
      8'd12: begin
        // src_stride1: -2^31 .. 2^31 - 1 bytes
        if (field_error == 8'd0 && !used[0] && bits[31:0] != 32'd0) field_error = 8'd6;
      end
      8'd13: begin
        // src_stride2: -2^31 .. 2^31 - 1 bytes
        if (field_error == 8'd0 && !used[0] && bits[31:0] != 32'd0) field_error = 8'd6;
      end
      8'd14: begin
        // src_stride3: -2^31 .. 2^31 - 1 bytes
        if (field_error == 8'd0 && !used[0] && bits[31:0] != 32'd0) field_error = 8'd6;
      end
      8'd15: begin
        // src_stride4: -2^31 .. 2^31 - 1 bytes
        if (field_error == 8'd0 && !used[0] && bits[31:0] != 32'd0) field_error = 8'd6;
      end
      8'd16: begin
        // dst_base: 0 .. 2^40 - 1 bytes
        if (field_error == 8'd0 && !used[1] && bits[39:0] != 40'd0) field_error = 8'd6;
      end
      8'd17: begin
        // dst_row_bytes: 1 .. 2^24 - 1 bytes
        if (field_error == 8'd0 && !used[1] && bits[31:8] != 24'd0) field_error = 8'd6;
        if (field_error == 8'd0 && used[1] && bits[31:8] == 24'd0) field_error = 8'd6;
      end
      8'd18: begin
        // dst_n1: 1 .. 65535
        if (field_error == 8'd0 && !used[1] && bits[15:0] != 16'd0) field_error = 8'd6;
        if (field_error == 8'd0 && used[1] && bits[15:0] == 16'd0) field_error = 8'd6;
        // dst_n2: 1 .. 65535
        if (field_error == 8'd0 && !used[1] && bits[31:16] != 16'd0) field_error = 8'd6;
        if (field_error == 8'd0 && used[1] && bits[31:16] == 16'd0) field_error = 8'd6;
      end
      8'd19: begin
        // dst_n3: 1 .. 65535
        if (field_error == 8'd0 && !used[1] && bits[15:0] != 16'd0) field_error = 8'd6;
        if (field_error == 8'd0 && used[1] && bits[15:0] == 16'd0) field_error = 8'd6;
        // dst_n4: 1 .. 65535
        if (field_error == 8'd0 && !used[1] && bits[31:16] != 16'd0) field_error = 8'd6;
        if (field_error == 8'd0 && used[1] && bits[31:16] == 16'd0) field_error = 8'd6;
      end
      8'd20: begin
        // dst_stride1: -2^31 .. 2^31 - 1 bytes
        if (field_error == 8'd0 && !used[1] && bits[31:0] != 32'd0) field_error = 8'd6;
      end
      8'd21: begin
        // dst_stride2: -2^31 .. 2^31 - 1 bytes
        if (field_error == 8'd0 && !used[1] && bits[31:0] != 32'd0) field_error = 8'd6;
      end
      8'd22: begin
        // dst_stride3: -2^31 .. 2^31 - 1 bytes
        if (field_error == 8'd0 && !used[1] && bits[31:0] != 32'd0) field_error = 8'd6;
      end
      8'd23: begin
        // dst_stride4: -2^31 .. 2^31 - 1 bytes
        if (field_error == 8'd0 && !used[1] && bits[31:0] != 32'd0) field_error = 8'd6;
      end
      8'd24: begin
        // dst_tile_mask: 0
        if (field_error == 8'd0 && !used[1] && bits[31:0] != 32'd0) field_error = 8'd6;
        if (field_error == 8'd0 && used[1] && bits[31:0] > 32'd0) field_error = 8'd6;
      end
      default: ;
    endcase
  endfunction
  /* verilator lint_on UNUSEDSIGNAL */

endpackage
// verilator lint_on UNUSEDPARAM
