// Printed from rtl/sync/sync.rdl by `python3 rtl/gen/print.py`; do not edit.
// Nobody uses all of a contract.
// verilator lint_off UNUSEDPARAM
package sync_pkg;

  typedef enum logic [1:0] {
    EngineDla = 2'd0,  // The convolution engine.
    EngineDma = 2'd1,  // A DMA channel.
    EngineDsp = 2'd2,  // The vector DSP.
    EngineHost = 2'd3  // The host, through register SIGNAL or COUNT.
  } engine_e;

  // Compare slot: offsets in bytes.
  localparam logic [31:0] SlotSize = 32'h00000008;
  localparam logic [31:0] SlotRegValue = 32'h00000000;
  localparam logic [31:0] SlotRegControl = 32'h00000004;

  // Wait port: offsets in bytes.
  localparam logic [31:0] WaitPortSize = 32'h00000008;
  localparam logic [31:0] WaitPortRegValue = 32'h00000000;
  localparam logic [31:0] WaitPortRegState = 32'h00000004;

  // Sync registers: offsets in bytes.
  localparam logic [31:0] Size = 32'h00001000;
  localparam logic [31:0] RegId = 32'h00000000;
  localparam logic [31:0] RegControl = 32'h00000004;
  localparam logic [31:0] RegSignal = 32'h00000008;
  localparam logic [31:0] RegLimit = 32'h0000000c;
  localparam logic [31:0] RegIrqStatus = 32'h00000010;
  localparam logic [31:0] RegIrqEnable = 32'h00000014;
  localparam logic [31:0] RegOverflow = 32'h00000018;
  localparam logic [31:0] RegRefused = 32'h0000001c;
  localparam logic [31:0] RegCount = 32'h00000400;
  localparam logic [31:0] RegCountStride = 32'h00000004;
  localparam int unsigned CountCount = 256;
  localparam logic [31:0] RegSlot = 32'h00000040;
  localparam logic [31:0] RegSlotStride = 32'h00000008;
  localparam int unsigned SlotCount = 8;
  localparam logic [31:0] RegWaitPort = 32'h00000100;
  localparam logic [31:0] RegWaitPortStride = 32'h00000008;
  localparam int unsigned WaitPortCount = 24;

endpackage
// verilator lint_on UNUSEDPARAM
