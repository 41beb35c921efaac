// Printed from rtl/common/job.rdl by `python3 rtl/gen/print.py`; do not edit.
// No block uses all of a contract.
// verilator lint_off UNUSEDPARAM
package job_pkg;

  // Job ring entry. Tells a queue which stream to run and on what: command addresses are (region, offset), counters and wait values relative; the entry carries the bases, so a stream is never patched.
  localparam int unsigned EntryWords = 32;
  localparam int unsigned EntryPitch = 128;  // bytes from one to the next in memory
  localparam logic [7:0] IsaVersion = 8'd1;

  // Largest legal values of fields that hold numbers.
  localparam logic [7:0] EntryContextMax = 8'd255;
  localparam logic [31:0] EntryTagMax = 32'd4294967295;
  localparam logic [39:0] EntryStreamAddressMax = 40'd1099511627775;
  localparam logic [31:0] EntryCommandCountMax = 32'd16777215;
  localparam logic [7:0] EntrySyncBaseMax = 8'd255;
  localparam logic [7:0] EntrySyncCountMax = 8'd255;
  localparam int signed EntryValueBaseMax = 2147483647;
  localparam logic [23:0] EntrySramBaseMax = 24'd16777215;
  localparam logic [39:0] EntryRegionBase0Max = 40'd1099511627775;
  localparam logic [39:0] EntryRegionBase1Max = 40'd1099511627775;
  localparam logic [39:0] EntryRegionBase2Max = 40'd1099511627775;
  localparam logic [39:0] EntryRegionBase3Max = 40'd1099511627775;
  localparam logic [39:0] EntryRegionBase4Max = 40'd1099511627775;
  localparam logic [39:0] EntryRegionBase5Max = 40'd1099511627775;
  localparam logic [39:0] EntryRegionBase6Max = 40'd1099511627775;
  localparam logic [39:0] EntryRegionBase7Max = 40'd1099511627775;
  localparam logic [15:0] EntryRegionLimit0Max = 16'd65535;
  localparam logic [15:0] EntryRegionLimit1Max = 16'd65535;
  localparam logic [15:0] EntryRegionLimit2Max = 16'd65535;
  localparam logic [15:0] EntryRegionLimit3Max = 16'd65535;
  localparam logic [15:0] EntryRegionLimit4Max = 16'd65535;
  localparam logic [15:0] EntryRegionLimit5Max = 16'd65535;
  localparam logic [15:0] EntryRegionLimit6Max = 16'd65535;
  localparam logic [15:0] EntryRegionLimit7Max = 16'd65535;
  localparam logic [31:0] EntryCrcMax = 32'd4294967295;

  // Bits that must be 0, by word, word 0 last.
  localparam logic [EntryWords-1:0][31:0] Reserved = {
    32'h00000000,
    32'hffffffff,
    32'hffffffff,
    32'hffffffff,
    32'h00000000,
    32'h00000000,
    32'h00000000,
    32'h00000000,
    32'hffffff00,
    32'h00000000,
    32'hffffff00,
    32'h00000000,
    32'hffffff00,
    32'h00000000,
    32'hffffff00,
    32'h00000000,
    32'hffffff00,
    32'h00000000,
    32'hffffff00,
    32'h00000000,
    32'hffffff00,
    32'h00000000,
    32'hffffff00,
    32'h00000000,
    32'hff000000,
    32'h00000000,
    32'hffff0000,
    32'h00000000,
    32'hffffff00,
    32'h00000000,
    32'h00000000,
    32'h00ff00f0
  };

  // One member per field. A code stays a number: the word may hold one that no enumeration has.
  typedef struct packed {
    logic valid;  // The entry is complete; an entry without it is refused.
    logic irq_at_end;  // Raise irq_status.job_done when the last command has completed.
    logic stop_on_error;  // On a refused command or bus error the queue stops (1) or skips the rest of this job (0, refused today).
    logic barrier;  // Offer the first command only when every counter sync_base + 1 .. sync_base + sync_count has reached value_base.
    logic [7:0] context_;  // Context of the job: which context register of the queue limits it.
    logic [7:0] isa_version;  // Version of the command words in the stream.
    logic [31:0] tag;  // Job id, copied into every error and trace record.
    logic [39:0] stream_address;  // [bytes] System address of the first command.
    logic [31:0] command_count;  // [commands] Commands in the stream.
    logic [7:0] sync_base;  // Added to every non-zero counter id of the stream.
    logic [7:0] sync_count;  // Counters the stream uses: its ids are 1 .. sync_count, a larger one is refused. The barrier looks at these.
    logic signed [31:0] value_base;  // Added to every wait value, wrapping.
    logic [23:0] sram_base;  // [bytes] Added to SRAM addresses of the stream.
    logic [7:0][39:0] region_base;  // [bytes] region_base0, region_base1, region_base2, region_base3, region_base4, region_base5, region_base6, region_base7
    logic [7:0][15:0] region_limit;  // [pages of 4 KiB] region_limit0, region_limit1, region_limit2, region_limit3, region_limit4, region_limit5, region_limit6, region_limit7
    logic [31:0] crc;  // CRC-32 of the other words (IEEE 802.3, as zlib's). Looked at where control.check of the queue is 1.
  } entry_t;

  // Of the words' bits exactly the fields are looked at.
  /* verilator lint_off UNUSEDSIGNAL */
  function automatic entry_t unpack(input logic [EntryWords-1:0][31:0] words);
    logic [32*EntryWords-1:0] bits;
    bits = words;
    unpack.valid = bits[0+:1];
    unpack.irq_at_end = bits[1+:1];
    unpack.stop_on_error = bits[2+:1];
    unpack.barrier = bits[3+:1];
    unpack.context_ = bits[8+:8];
    unpack.isa_version = bits[24+:8];
    unpack.tag = bits[32+:32];
    unpack.stream_address = bits[64+:40];
    unpack.command_count = bits[128+:32];
    unpack.sync_base = bits[160+:8];
    unpack.sync_count = bits[168+:8];
    unpack.value_base = bits[192+:32];
    unpack.sram_base = bits[224+:24];
    unpack.region_base[0] = bits[256+:40];
    unpack.region_base[1] = bits[320+:40];
    unpack.region_base[2] = bits[384+:40];
    unpack.region_base[3] = bits[448+:40];
    unpack.region_base[4] = bits[512+:40];
    unpack.region_base[5] = bits[576+:40];
    unpack.region_base[6] = bits[640+:40];
    unpack.region_base[7] = bits[704+:40];
    unpack.region_limit[0] = bits[768+:16];
    unpack.region_limit[1] = bits[784+:16];
    unpack.region_limit[2] = bits[800+:16];
    unpack.region_limit[3] = bits[816+:16];
    unpack.region_limit[4] = bits[832+:16];
    unpack.region_limit[5] = bits[848+:16];
    unpack.region_limit[6] = bits[864+:16];
    unpack.region_limit[7] = bits[880+:16];
    unpack.crc = bits[992+:32];
  endfunction

  // What is wrong with the fields that begin in a word, in the order of the contract: error_code of
  // queue_pkg, 0 for nothing. `bits` are the word and above it the next one.
  // Version and reserved bits come before and are not looked at.
  function automatic logic [7:0] field_error(input logic [7:0] word, input logic [63:0] bits);
    field_error = 8'd0;
    case (word)
      8'd0: begin
        // valid: 1
        if (field_error == 8'd0 && bits[0] == 1'd0) field_error = 8'd6;
        // stop_on_error: 1
        if (field_error == 8'd0 && bits[2] == 1'd0) field_error = 8'd6;
        // isa_version: 1
        if (field_error == 8'd0 && bits[31:24] == 8'd0) field_error = 8'd6;
        if (field_error == 8'd0 && bits[31:24] > 8'd1) field_error = 8'd6;
      end
      8'd2: begin
        // stream_address: 0 .. 2^40 - 1, multiple of 256 bytes
        if (field_error == 8'd0 && bits[7:0] != 8'd0) field_error = 8'd8;
      end
      8'd4: begin
        // command_count: 1 .. 2^24 - 1 commands
        if (field_error == 8'd0 && bits[31:0] == 32'd0) field_error = 8'd6;
        if (field_error == 8'd0 && bits[31:0] > 32'd16777215) field_error = 8'd6;
      end
      8'd7: begin
        // sram_base: 0 .. 2^24 - 1, multiple of 16 bytes
        if (field_error == 8'd0 && bits[3:0] != 4'd0) field_error = 8'd8;
      end
      default: ;
    endcase
  endfunction
  /* verilator lint_on UNUSEDSIGNAL */

endpackage
// verilator lint_on UNUSEDPARAM
