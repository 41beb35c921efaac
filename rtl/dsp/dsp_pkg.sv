// Printed from rtl/dsp/dsp.rdl by `python3 rtl/gen/print.py`; do not edit.
// No block uses all of a contract.
// verilator lint_off UNUSEDPARAM
package dsp_pkg;

  typedef enum logic [3:0] {
    OpNop = 4'd0,  // Waits, then signals; uses words 0 to 6 only.
    OpRun = 4'd1,  // Calls the function at `entry` of the resident image with an argument block and up to 16 regions.
    OpSelect = 4'd2  // Copies an image into the instruction memory; it is resident until the next select.
  } op_e;

  typedef enum logic [0:0] {
    OnTrapStop = 1'd0,  // The queue stops with error kernel_trap; signal is not sent.
    OnTrapGoOn = 1'd1  // The trap registers are filled, signal is sent, the queue goes on: for tests of the block.
  } on_trap_e;

  typedef enum logic [7:0] {
    TrapCauseNone = 8'd0,  // No program has trapped since trap_control.clear.
    TrapCauseFetch = 8'd1,  // No instruction there: pc outside the instruction memory.
    TrapCauseIllegal = 8'd2,  // An instruction that the DSP does not have, or a reserved encoding.
    TrapCauseBreakpoint = 8'd3,  // ebreak.
    TrapCauseLoadMisaligned = 8'd4,  // A load whose address is no multiple of its (element's) size.
    TrapCauseLoadFault = 8'd5,  // A load outside the regions that may be read, or a copy's source.
    TrapCauseStoreMisaligned = 8'd6,  // A store whose address is no multiple of its (element's) size.
    TrapCauseStoreFault = 8'd7,  // A store outside the regions that may be written, or a copy's destination.
    TrapCauseWatchdog = 8'd24,  // More than `watchdog` cycles since the first instruction.
    TrapCauseStackGuard = 8'd25,  // An access to the 64 bytes below the stack.
    TrapCauseKernelRefused = 8'd26  // The function returned another value than 0: trap_code.
  } trap_cause_e;

  typedef enum logic [1:0] {
    NearNone = 2'd0,  // The address is not in SRAM or DRAM, or the program has no region there.
    NearInRegion = 2'd1,  // In the region, which lacks the right; distance is from its first byte.
    NearBelow = 2'd2,  // Before the region; distance is to its first byte.
    NearAbove = 2'd3  // After the region; distance is from its last byte.
  } near_e;

  // DSP counters: offsets in bytes.
  localparam logic [31:0] CountersSize = 32'h00000200;
  localparam logic [31:0] CountersRegControl = 32'h00000000;
  localparam logic [31:0] CountersRegCycles = 32'h00000008;
  localparam logic [31:0] CountersRegCyclesHi = 32'h0000000c;
  localparam logic [31:0] CountersRegRun = 32'h00000010;
  localparam logic [31:0] CountersRegRunHi = 32'h00000014;
  localparam logic [31:0] CountersRegLoadUse = 32'h00000018;
  localparam logic [31:0] CountersRegLoadUseHi = 32'h0000001c;
  localparam logic [31:0] CountersRegBranch = 32'h00000020;
  localparam logic [31:0] CountersRegBranchHi = 32'h00000024;
  localparam logic [31:0] CountersRegDivide = 32'h00000028;
  localparam logic [31:0] CountersRegDivideHi = 32'h0000002c;
  localparam logic [31:0] CountersRegFarLoad = 32'h00000030;
  localparam logic [31:0] CountersRegFarLoadHi = 32'h00000034;
  localparam logic [31:0] CountersRegVectorQueue = 32'h00000038;
  localparam logic [31:0] CountersRegVectorQueueHi = 32'h0000003c;
  localparam logic [31:0] CountersRegVectorResult = 32'h00000040;
  localparam logic [31:0] CountersRegVectorResultHi = 32'h00000044;
  localparam logic [31:0] CountersRegSramBank = 32'h00000048;
  localparam logic [31:0] CountersRegSramBankHi = 32'h0000004c;
  localparam logic [31:0] CountersRegOwnDma = 32'h00000050;
  localparam logic [31:0] CountersRegOwnDmaHi = 32'h00000054;
  localparam logic [31:0] CountersRegStart = 32'h00000058;
  localparam logic [31:0] CountersRegStartHi = 32'h0000005c;
  localparam logic [31:0] CountersRegFetch = 32'h00000060;
  localparam logic [31:0] CountersRegFetchHi = 32'h00000064;
  localparam logic [31:0] CountersRegIdle = 32'h00000068;
  localparam logic [31:0] CountersRegIdleHi = 32'h0000006c;
  localparam logic [31:0] CountersRegCommands = 32'h00000070;
  localparam logic [31:0] CountersRegCommandsHi = 32'h00000074;
  localparam logic [31:0] CountersRegInstructions = 32'h00000078;
  localparam logic [31:0] CountersRegInstructionsHi = 32'h0000007c;
  localparam logic [31:0] CountersRegElements = 32'h00000080;
  localparam logic [31:0] CountersRegElementsHi = 32'h00000084;
  localparam logic [31:0] CountersRegBytesRead = 32'h00000088;
  localparam logic [31:0] CountersRegBytesReadHi = 32'h0000008c;
  localparam logic [31:0] CountersRegBytesWritten = 32'h00000090;
  localparam logic [31:0] CountersRegBytesWrittenHi = 32'h00000094;
  localparam logic [31:0] CountersRegWait = 32'h00000100;
  localparam logic [31:0] CountersRegWaitHi = 32'h00000104;
  localparam logic [31:0] CountersRegWaitStride = 32'h00000008;
  localparam int unsigned CountersWaitCount = 4;

  // DSP registers: offsets in bytes.
  localparam logic [31:0] Size = 32'h00002000;
  localparam logic [31:0] RegId = 32'h00000000;
  localparam logic [31:0] RegVector = 32'h00000004;
  localparam logic [31:0] RegUnit = 32'h00000008;
  localparam logic [31:0] RegItcm = 32'h0000000c;
  localparam logic [31:0] RegDtcm = 32'h00000010;
  localparam logic [31:0] RegStack = 32'h00000014;
  localparam logic [31:0] RegCapability = 32'h00000018;
  localparam logic [31:0] RegSram = 32'h0000001c;
  localparam logic [31:0] RegTrapControl = 32'h00000300;
  localparam logic [31:0] RegTrap = 32'h00000304;
  localparam logic [31:0] RegTrapPc = 32'h00000308;
  localparam logic [31:0] RegTrapWord = 32'h0000030c;
  localparam logic [31:0] RegTrapAddress = 32'h00000310;
  localparam logic [31:0] RegTrapAddressHi = 32'h00000314;
  localparam logic [31:0] RegTrapSp = 32'h00000318;
  localparam logic [31:0] RegTrapSpHi = 32'h0000031c;
  localparam logic [31:0] RegTrapCycle = 32'h00000320;
  localparam logic [31:0] RegTrapCycleHi = 32'h00000324;
  localparam logic [31:0] RegTrapTag = 32'h00000328;
  localparam logic [31:0] RegTrapCommand = 32'h0000032c;
  localparam logic [31:0] RegTrapCode = 32'h00000330;
  localparam logic [31:0] RegTrapRegion = 32'h00000334;
  localparam logic [31:0] RegTrapDistance = 32'h00000338;
  localparam logic [31:0] RegImageCrc = 32'h00000340;
  localparam logic [31:0] RegImageBytes = 32'h00000344;
  localparam logic [31:0] RegProgramPc = 32'h00000348;
  localparam logic [31:0] RegQueue = 32'h00000200;
  localparam logic [31:0] RegCounters = 32'h00001000;

  // DSP counters: what hardware gives to the register block.
  typedef struct packed {
    logic [63:0] cycles;
    logic [63:0] run;
    logic [63:0] load_use;
    logic [63:0] branch;
    logic [63:0] divide;
    logic [63:0] far_load;
    logic [63:0] vector_queue;
    logic [63:0] vector_result;
    logic [63:0] sram_bank;
    logic [63:0] own_dma;
    logic [63:0] start;
    logic [63:0] fetch;
    logic [63:0] idle;
    logic [63:0] commands;
    logic [63:0] instructions;
    logic [63:0] elements;
    logic [63:0] bytes_read;
    logic [63:0] bytes_written;
    logic [3:0][63:0] wait_;
  } counters_in_t;

  // DSP counters: what it gets from it.
  typedef struct packed {
    logic control_clear;
    logic control_snapshot;
  } counters_out_t;

  // DSP registers: what hardware gives to the register block.
  typedef struct packed {
    logic [7:0] id_prefetch;
    logic [7:0] id_contexts;
    logic [7:0] id_queues;
    logic [7:0] id_isa_version;
    logic [15:0] vector_dlen;
    logic [15:0] vector_vlen;
    logic [7:0] unit_dma_channels;
    logic [7:0] unit_regions;
    logic [7:0] unit_arithmetic_sequencers;
    logic [7:0] unit_elen;
    logic [31:0] itcm_bytes;
    logic [31:0] dtcm_bytes;
    logic [31:0] stack_bytes;
    logic capability_gather_by_element;
    logic capability_on_trap;
    logic [31:0] sram_bytes;
    logic [15:0] trap_vstart;
    logic [7:0] trap_cause;
    logic [31:0] trap_pc;
    logic [31:0] trap_word;
    logic [63:0] trap_address;
    logic [63:0] trap_sp;
    logic [63:0] trap_cycle;
    logic [31:0] trap_tag;
    logic [31:0] trap_command;
    logic [31:0] trap_code;
    logic [15:0] trap_region_tensor;
    logic [3:0] trap_region_region;
    logic [1:0] trap_region_near;
    logic [31:0] trap_distance;
    logic [31:0] image_crc;
    logic [31:0] image_bytes;
    logic [31:0] program_pc;
    counters_in_t counters;
  } registers_in_t;

  // DSP registers: what it gets from it.
  typedef struct packed {
    logic trap_control_clear;
    counters_out_t counters;
  } registers_out_t;

  // DSP command. 64 bytes. Words 0 to 6 have the DLA's meaning and positions.
  localparam int unsigned CommandWords = 16;
  localparam int unsigned CommandPitch = 64;  // bytes from one to the next in memory
  localparam logic [7:0] IsaVersion = 8'd1;

  // Largest legal values of fields that hold numbers.
  localparam logic [31:0] CommandTagMax = 32'd4294967295;
  localparam logic [7:0] CommandWait0Max = 8'd255;
  localparam logic [7:0] CommandWait1Max = 8'd255;
  localparam logic [7:0] CommandWait2Max = 8'd255;
  localparam logic [7:0] CommandSignalMax = 8'd255;
  localparam int signed CommandWait0ValueMax = 2147483647;
  localparam int signed CommandWait1ValueMax = 2147483647;
  localparam int signed CommandWait2ValueMax = 2147483647;
  localparam logic [15:0] CommandSignalAddMax = 16'd65535;
  localparam logic [4:0] CommandRegionCountMax = 5'd16;
  localparam logic [31:0] CommandEntryMax = 32'd4294967295;
  localparam logic [23:0] CommandArgsBaseMax = 24'd16777215;
  localparam logic [23:0] CommandArgsBytesMax = 24'd16777215;
  localparam logic [31:0] CommandWatchdogMax = 32'd4294967295;
  localparam logic [23:0] CommandRegionsBaseMax = 24'd16777215;
  localparam logic [31:0] CommandImageOffsetMax = 32'd4294967295;
  localparam logic [31:0] CommandImageBytesMax = 32'd4294967295;
  localparam logic [2:0] CommandImageRegionMax = 3'd7;
  localparam logic [15:0] CommandCrcMax = 16'd65535;
  localparam logic [31:0] CommandImageCrcMax = 32'd4294967295;

  // Bits that must be 0, by word, word 0 last.
  localparam logic [CommandWords-1:0][31:0] Reserved = {
    32'h00000000,
    32'h0000fff0,
    32'h00000000,
    32'h00000000,
    32'hff000000,
    32'h00000000,
    32'hff000000,
    32'hff000000,
    32'h00000000,
    32'hffe00000,
    32'h00000000,
    32'h00000000,
    32'h00000000,
    32'h00000000,
    32'h00000000,
    32'h008ffff0
  };

  // One member per field. A code stays a number: the word may hold one that no enumeration has.
  typedef struct packed {
    logic [3:0] op;  // Operation.
    logic fence;  // Begin only when every earlier command has completed (always so: commands run one after the other).
    logic irq;  // Raise irq_status.command_done on completion.
    logic on_trap;  // What a trap does to the queue; go_on needs capability.on_trap.
    logic [7:0] isa_version;  // Version of the command word.
    logic [31:0] tag;  // Key into the debug map: command, tile, layer, source op.
    logic [7:0] wait0;  // Counter to wait for; 0: none.
    logic [7:0] wait1;  // Second counter to wait for; 0: none.
    logic [7:0] wait2;  // Third counter to wait for; 0: none.
    logic [7:0] signal;  // Counter that signal_add is added to on completion; 0: none.
    logic signed [31:0] wait0_value;  // Relative to value_base of the job; met when int32(counter - value_base - value) >= 0.
    logic signed [31:0] wait1_value;  // As wait0_value, for wait1.
    logic signed [31:0] wait2_value;  // As wait0_value, for wait2.
    logic [15:0] signal_add;  // Added to the counter named by signal.
    logic [4:0] region_count;  // [regions] Entries of the region table.
    logic [31:0] entry;  // Address of the function in the program's view, inside the instruction memory.
    logic [23:0] args_base;  // [bytes] SRAM address of the argument block; the program may read it.
    logic [23:0] args_bytes;  // [bytes] Size of the argument block.
    logic [31:0] watchdog;  // [cycles] Most cycles from the first instruction to the return.
    logic [23:0] regions_base;  // [bytes] SRAM address of the region table, 16 bytes an entry.
    logic [31:0] image_offset;  // [bytes] First byte of the image: offset in its region, or SRAM address (24 bits).
    logic [31:0] image_bytes;  // [bytes] Size of the image, at most that of the instruction memory.
    logic [2:0] image_region;  // Region of the image (image_in_sram 0, else 0).
    logic image_in_sram;  // The image is in SRAM.
    logic [15:0] crc;  // Low half of the CRC-32 of the words without this field. The driver writes it when it loads the network; looked at where control.check of the queue is 1.
    logic [31:0] image_crc;  // CRC-32 of the image (IEEE 802.3, as zlib's). select: what the bytes must have; run: what the resident image must have.
  } command_t;

  // Of the words' bits exactly the fields are looked at.
  /* verilator lint_off UNUSEDSIGNAL */
  function automatic command_t unpack(input logic [CommandWords-1:0][31:0] words);
    logic [32*CommandWords-1:0] bits;
    bits = words;
    unpack.op = bits[0+:4];
    unpack.fence = bits[20+:1];
    unpack.irq = bits[21+:1];
    unpack.on_trap = bits[22+:1];
    unpack.isa_version = bits[24+:8];
    unpack.tag = bits[32+:32];
    unpack.wait0 = bits[64+:8];
    unpack.wait1 = bits[72+:8];
    unpack.wait2 = bits[80+:8];
    unpack.signal = bits[88+:8];
    unpack.wait0_value = bits[96+:32];
    unpack.wait1_value = bits[128+:32];
    unpack.wait2_value = bits[160+:32];
    unpack.signal_add = bits[192+:16];
    unpack.region_count = bits[208+:5];
    unpack.entry = bits[224+:32];
    unpack.args_base = bits[256+:24];
    unpack.args_bytes = bits[288+:24];
    unpack.watchdog = bits[320+:32];
    unpack.regions_base = bits[352+:24];
    unpack.image_offset = bits[384+:32];
    unpack.image_bytes = bits[416+:32];
    unpack.image_region = bits[448+:3];
    unpack.image_in_sram = bits[451+:1];
    unpack.crc = bits[464+:16];
    unpack.image_crc = bits[480+:32];
  endfunction

  // What is wrong with the fields that begin in a word, in the order of the contract: error_code of
  // queue_pkg, 0 for nothing. `bits` are the word and above it the next one, `op` is a legal operation.
  // Version and operation and reserved bits come before and are not looked at.
  function automatic logic [7:0] field_error(input logic [7:0] word, input logic [63:0] bits,
                                             input logic [3:0] op);
    logic [2:0] used;
    used[0] = op inside {OpRun};
    used[1] = op inside {OpSelect};
    used[2] = op inside {OpRun, OpSelect};
    field_error = 8'd0;
    case (word)
      8'd0: begin
        // on_trap: stop, go_on
        if (field_error == 8'd0 && !used[0] && bits[22] != 1'd0) field_error = 8'd6;
      end
      8'd6: begin
        // region_count: 1 .. 16 regions
        if (field_error == 8'd0 && !used[0] && bits[20:16] != 5'd0) field_error = 8'd6;
        if (field_error == 8'd0 && used[0] && bits[20:16] == 5'd0) field_error = 8'd6;
        if (field_error == 8'd0 && used[0] && bits[20:16] > 5'd16) field_error = 8'd6;
      end
      8'd7: begin
        // entry: 0 .. 2^32 - 1, multiple of 2
        if (field_error == 8'd0 && !used[0] && bits[31:0] != 32'd0) field_error = 8'd6;
        if (field_error == 8'd0 && bits[0] != 1'd0) field_error = 8'd8;
      end
      8'd8: begin
        // args_base: 0 .. 2^24 - 1, multiple of 16 bytes
        if (field_error == 8'd0 && !used[0] && bits[23:0] != 24'd0) field_error = 8'd6;
        if (field_error == 8'd0 && bits[3:0] != 4'd0) field_error = 8'd8;
      end
      8'd9: begin
        // args_bytes: 16 .. 2^24 - 1, multiple of 16 bytes
        if (field_error == 8'd0 && !used[0] && bits[23:0] != 24'd0) field_error = 8'd6;
        if (field_error == 8'd0 && used[0] && bits[23:0] < 24'd16) field_error = 8'd6;
        if (field_error == 8'd0 && bits[3:0] != 4'd0) field_error = 8'd8;
      end
      8'd10: begin
        // watchdog: 1 .. 2^32 - 1 cycles
        if (field_error == 8'd0 && !used[0] && bits[31:0] != 32'd0) field_error = 8'd6;
        if (field_error == 8'd0 && used[0] && bits[31:0] == 32'd0) field_error = 8'd6;
      end
      8'd11: begin
        // regions_base: 0 .. 2^24 - 1, multiple of 16 bytes
        if (field_error == 8'd0 && !used[0] && bits[23:0] != 24'd0) field_error = 8'd6;
        if (field_error == 8'd0 && bits[3:0] != 4'd0) field_error = 8'd8;
      end
      8'd12: begin
        // image_offset: 0 .. 2^32 - 1, multiple of 16 bytes
        if (field_error == 8'd0 && !used[1] && bits[31:0] != 32'd0) field_error = 8'd6;
        if (field_error == 8'd0 && bits[3:0] != 4'd0) field_error = 8'd8;
      end
      8'd13: begin
        // image_bytes: 16 .. 2^32 - 1, multiple of 16 bytes
        if (field_error == 8'd0 && !used[1] && bits[31:0] != 32'd0) field_error = 8'd6;
        if (field_error == 8'd0 && used[1] && bits[31:0] < 32'd16) field_error = 8'd6;
        if (field_error == 8'd0 && bits[3:0] != 4'd0) field_error = 8'd8;
      end
      8'd14: begin
        // image_region: 0 .. 7
        if (field_error == 8'd0 && !used[1] && bits[2:0] != 3'd0) field_error = 8'd6;
        // image_in_sram: 0, 1
        if (field_error == 8'd0 && !used[1] && bits[3] != 1'd0) field_error = 8'd6;
      end
      8'd15: begin
        // image_crc: 0 .. 2^32 - 1
        if (field_error == 8'd0 && !used[2] && bits[31:0] != 32'd0) field_error = 8'd6;
      end
      default: ;
    endcase
  endfunction
  /* verilator lint_on UNUSEDSIGNAL */

endpackage
// verilator lint_on UNUSEDPARAM
