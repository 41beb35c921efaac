// Printed from rtl/common/queue.rdl by `python3 rtl/gen/print.py`; do not edit.
// No block uses all of a contract.
// verilator lint_off UNUSEDPARAM
package queue_pkg;

  typedef enum logic [3:0] {
    StateIdle = 4'd0,  // Nothing to do: disabled, or head equals tail.
    StateRunning = 4'd1,  // A job is in progress and a command is offered or executing.
    StateWaiting = 4'd2,  // A job is in progress and its oldest command waits for a counter, or the job for its barrier.
    StateError = 4'd3,  // A job was refused or failed; the error registers say which. Leaves by control.start.
    StateStopped = 4'd4,  // Stopped by control.stop or control.abort. Leaves by control.start.
    StateDraining = 4'd5  // Stop or abort was written; outstanding work is finishing.
  } state_e;

  typedef enum logic [7:0] {
    ErrorCodeNone = 8'd0,  // No error.
    ErrorCodeBadJob = 8'd1,  // A field of the job entry is out of its range or valid is 0 (error_word: word of the entry).
    ErrorCodeBadContext = 8'd2,  // The job names a context that the queue does not have, or counters outside its context's.
    ErrorCodeBadVersion = 8'd3,  // isa_version of the command is not the one of this engine.
    ErrorCodeBadOp = 8'd4,  // The operation code is not defined.
    ErrorCodeReservedBits = 8'd5,  // A reserved bit is 1.
    ErrorCodeIllegalValue = 8'd6,  // A field is outside its legal range, or not 0 although the operation does not use it.
    ErrorCodeUnsupported = 8'd7,  // A code that the ISA defines and this configuration lacks; its capability bit reads 0.
    ErrorCodeMisaligned = 8'd8,  // An address or pitch is not a multiple of what its field demands.
    ErrorCodeRuleBroken = 8'd9,  // A rule between fields is broken; error_rule has its number, the block's README its text.
    ErrorCodeAddressRange = 8'd10,  // An address is outside the SRAM window or past the limit of its region.
    ErrorCodeSyncLimit = 8'd11,  // A counter id is above sync_count of the job or outside the counters of its context.
    ErrorCodeStreamLength = 8'd12,  // Source and destination of a DMA command differ in length, or an element is cut by a row end.
    ErrorCodeBusError = 8'd13,  // SLVERR or DECERR on a data access; error_address has the address.
    ErrorCodeFetchError = 8'd14,  // SLVERR or DECERR while a job entry or command was fetched; error_address has the address.
    ErrorCodeRingOverrun = 8'd15,  // The doorbell put tail more than a ring ahead of head.
    ErrorCodeKernelTrap = 8'd16,  // A program of the DSP trapped or refused its work; the block's trap registers say why and where.
    ErrorCodeMemoryError = 8'd17,  // A read met an error that ECC cannot correct; error_address has the word: SRAM or system address.
    ErrorCodeCrcMismatch = 8'd18  // A job entry or command does not have the CRC of its words (control.check): memory has changed since the driver wrote it. Nothing of it has run.
  } error_code_e;

  // Command queue: offsets in bytes.
  localparam logic [31:0] Size = 32'h00000100;
  localparam logic [31:0] RegControl = 32'h00000000;
  localparam logic [31:0] RegStatus = 32'h00000004;
  localparam logic [31:0] RegRingBase = 32'h00000008;
  localparam logic [31:0] RegRingBaseHi = 32'h0000000c;
  localparam logic [31:0] RegRingSizeLog2 = 32'h00000010;
  localparam logic [31:0] RegHead = 32'h00000014;
  localparam logic [31:0] RegTail = 32'h00000018;
  localparam logic [31:0] RegIrqStatus = 32'h0000001c;
  localparam logic [31:0] RegIrqEnable = 32'h00000020;
  localparam logic [31:0] RegCurrentJob = 32'h00000024;
  localparam logic [31:0] RegCurrentCommand = 32'h00000028;
  localparam logic [31:0] RegError = 32'h0000002c;
  localparam logic [31:0] RegErrorJobTag = 32'h00000030;
  localparam logic [31:0] RegErrorCommandIndex = 32'h00000034;
  localparam logic [31:0] RegErrorAddress = 32'h00000038;
  localparam logic [31:0] RegErrorAddressHi = 32'h0000003c;
  localparam logic [31:0] RegContext = 32'h00000040;
  localparam logic [31:0] RegContextStride = 32'h00000004;
  localparam int unsigned ContextCount = 4;

endpackage
// verilator lint_on UNUSEDPARAM
