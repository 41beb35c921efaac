// Printed from rtl/host/host.rdl by `python3 rtl/gen/print.py`; do not edit.
// No block uses all of a contract.
// verilator lint_off UNUSEDPARAM
package host_pkg;

  typedef enum logic [3:0] {
    OpNop = 4'd0,  // Waits, then signals; uses words 0 to 6 only.
    OpRun = 4'd1  // Runs a kernel of the driver on tensors.
  } op_e;

  // Host registers: offsets in bytes.
  localparam logic [31:0] Size = 32'h00001000;
  localparam logic [31:0] RegId = 32'h00000000;
  localparam logic [31:0] RegEngines = 32'h00000004;
  localparam logic [31:0] RegClock = 32'h00000008;
  localparam logic [31:0] RegSram = 32'h0000000c;
  localparam logic [31:0] RegTime = 32'h00000010;
  localparam logic [31:0] RegTimeHi = 32'h00000014;
  localparam logic [31:0] RegDram = 32'h00000018;
  localparam logic [31:0] RegDramHi = 32'h0000001c;
  localparam logic [31:0] RegIrqPending = 32'h00000020;
  localparam logic [31:0] RegIrqEnable = 32'h00000024;
  localparam logic [31:0] RegTiles = 32'h00000028;
  localparam logic [31:0] RegConfigHash = 32'h00000040;
  localparam logic [31:0] RegConfigHashStride = 32'h00000004;
  localparam int unsigned ConfigHashCount = 8;
  localparam logic [31:0] RegInstances = 32'h00000060;
  localparam logic [31:0] RegInstancesStride = 32'h00000004;
  localparam int unsigned InstancesCount = 8;

  // Host registers: what hardware gives to the register block.
  typedef struct packed {
    logic [15:0] id_tile;
    logic [7:0] id_most_instances;
    logic [7:0] id_isa_version;
    logic [31:0] engines_kinds;
    logic [31:0] clock_khz;
    logic [31:0] sram_bytes;
    logic [63:0] time_cycles;
    logic [63:0] dram_bytes;
    logic [29:0] irq_pending_engines;
    logic irq_pending_user;
    logic irq_pending_sync;
    logic [15:0] tiles_count;
    logic [7:0][31:0] config_hash;
    logic [7:0][31:0] instances_of_kinds;
  } registers_in_t;

  // Host registers: what it gets from it.
  typedef struct packed {
    logic [29:0] irq_enable_engines;
    logic irq_enable_user;
    logic irq_enable_sync;
  } registers_out_t;

  // Host task. 64 bytes. The driver walks these in order; engines cannot tell a task from a command of an engine.
  localparam int unsigned CommandWords = 16;
  localparam int unsigned CommandPitch = 64;  // bytes from one to the next in memory
  localparam logic [7:0] IsaVersion = 8'd1;

  // Largest legal values of fields that hold numbers.
  localparam logic [31:0] CommandTagMax = 32'd4294967295;
  localparam logic [7:0] CommandWait0Max = 8'd255;
  localparam logic [7:0] CommandWait1Max = 8'd255;
  localparam logic [7:0] CommandSignalMax = 8'd255;
  localparam int signed CommandWait0ValueMax = 2147483647;
  localparam int signed CommandWait1ValueMax = 2147483647;
  localparam logic [15:0] CommandSignalAddMax = 16'd65535;
  localparam logic [15:0] CommandKernelIdMax = 16'd65535;
  localparam logic [31:0] CommandTensorsOffsetMax = 32'd4294967295;
  localparam logic [31:0] CommandTensorsBytesMax = 32'd4294967295;
  localparam logic [31:0] CommandAttributesOffsetMax = 32'd4294967295;
  localparam logic [31:0] CommandAttributesBytesMax = 32'd4294967295;
  localparam logic [31:0] CommandCrcMax = 32'd4294967295;

  // Bits that must be 0, by word, word 0 last.
  localparam logic [CommandWords-1:0][31:0] Reserved = {
    32'h00000000,
    32'hffffffff,
    32'hffffffff,
    32'hffffffff,
    32'h00000000,
    32'h00000000,
    32'h00000000,
    32'h00000000,
    32'hffff0000,
    32'hffff0000,
    32'hffffffff,
    32'h00000000,
    32'h00000000,
    32'h00ff0000,
    32'h00000000,
    32'h00cffff0
  };

  // One member per field. A code stays a number: the word may hold one that no enumeration has.
  typedef struct packed {
    logic [3:0] op;  // Operation.
    logic fence;  // Begin only when every earlier task of the stream has completed (always so: tasks run in order).
    logic irq;  // Tell the driver's caller on completion.
    logic [7:0] isa_version;  // Version of the command word.
    logic [31:0] tag;  // Key into the debug map: command, tile, layer, source op.
    logic [7:0] wait0;  // Counter to wait for; 0: none.
    logic [7:0] wait1;  // Second counter to wait for; 0: none.
    logic [7:0] signal;  // Counter that signal_add is added to on completion; 0: none.
    logic signed [31:0] wait0_value;  // Relative to value_base of the job; met when int32(counter - value_base - value) >= 0.
    logic signed [31:0] wait1_value;  // As wait0_value, for wait1.
    logic [15:0] signal_add;  // Added to the counter named by signal.
    logic [15:0] kernel_id;  // Which kernel of the driver.
    logic [31:0] tensors_offset;  // [bytes] Where the tensor list begins in the constants region.
    logic [31:0] tensors_bytes;  // [bytes] Size of the tensor list, 64 per tensor (host_task.h).
    logic [31:0] attributes_offset;  // [bytes] Where the kernel's attributes begin in the constants region.
    logic [31:0] attributes_bytes;  // [bytes] Size of the attributes; 0: none.
    logic [31:0] crc;  // CRC-32 of the other words (IEEE 802.3, as zlib's). The driver writes it when it loads the network, and looks at it before it runs the task.
  } command_t;

  // Of the words' bits exactly the fields are looked at.
  /* verilator lint_off UNUSEDSIGNAL */
  function automatic command_t unpack(input logic [CommandWords-1:0][31:0] words);
    logic [32*CommandWords-1:0] bits;
    bits = words;
    unpack.op = bits[0+:4];
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
    unpack.kernel_id = bits[224+:16];
    unpack.tensors_offset = bits[256+:32];
    unpack.tensors_bytes = bits[288+:32];
    unpack.attributes_offset = bits[320+:32];
    unpack.attributes_bytes = bits[352+:32];
    unpack.crc = bits[480+:32];
  endfunction

  // What is wrong with the fields that begin in a word, in the order of the contract: error_code of
  // queue_pkg, 0 for nothing. `bits` are the word and above it the next one, `op` is a legal operation.
  // Version and operation and reserved bits come before and are not looked at.
  function automatic logic [7:0] field_error(input logic [7:0] word, input logic [63:0] bits,
                                             input logic [3:0] op);
    logic [0:0] used;
    used[0] = op inside {OpRun};
    field_error = 8'd0;
    case (word)
      8'd7: begin
        // kernel_id: 0 .. 65535
        if (field_error == 8'd0 && !used[0] && bits[15:0] != 16'd0) field_error = 8'd6;
      end
      8'd8: begin
        // tensors_offset: 0 .. 2^32 - 1, multiple of 64 bytes
        if (field_error == 8'd0 && !used[0] && bits[31:0] != 32'd0) field_error = 8'd6;
        if (field_error == 8'd0 && bits[5:0] != 6'd0) field_error = 8'd8;
      end
      8'd9: begin
        // tensors_bytes: 64 .. 2^32 - 1, multiple of 64 bytes
        if (field_error == 8'd0 && !used[0] && bits[31:0] != 32'd0) field_error = 8'd6;
        if (field_error == 8'd0 && used[0] && bits[31:0] < 32'd64) field_error = 8'd6;
        if (field_error == 8'd0 && bits[5:0] != 6'd0) field_error = 8'd8;
      end
      8'd10: begin
        // attributes_offset: 0 .. 2^32 - 1, multiple of 16 bytes
        if (field_error == 8'd0 && !used[0] && bits[31:0] != 32'd0) field_error = 8'd6;
        if (field_error == 8'd0 && bits[3:0] != 4'd0) field_error = 8'd8;
      end
      8'd11: begin
        // attributes_bytes: 0 .. 2^32 - 1, multiple of 4 bytes
        if (field_error == 8'd0 && !used[0] && bits[31:0] != 32'd0) field_error = 8'd6;
        if (field_error == 8'd0 && bits[1:0] != 2'd0) field_error = 8'd8;
      end
      default: ;
    endcase
  endfunction
  /* verilator lint_on UNUSEDSIGNAL */

endpackage
// verilator lint_on UNUSEDPARAM
