// Printed from rtl/sync/sync.rdl by `python3 rtl/gen/print.py`; do not edit.
// No block uses all of a contract.
// verilator lint_off UNUSEDPARAM
package sync_pkg;

  typedef enum logic [4:0] {
    EngineDla = 5'd0,  // The convolution engine.
    EngineDsp = 5'd1,  // The vector DSP.
    EngineDma = 5'd2,  // A DMA channel.
    EngineHost = 5'd3  // The host, through register SIGNAL or COUNT.
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

  // Compare slot: what hardware gives to the register block.
  typedef struct packed {
    logic control_enable;
  } slot_in_t;

  // Compare slot: what it gets from it.
  typedef struct packed {
    logic [31:0] value;
    logic control_write;
    logic control_enable;
    logic [7:0] control_id;
  } slot_out_t;

  // Wait port: what hardware gives to the register block.
  typedef struct packed {
    logic [31:0] value;
    logic [4:0] state_signaller;
    logic state_met;
    logic state_waiting;
    logic [7:0] state_id;
  } wait_port_in_t;

  // Sync registers: what hardware gives to the register block.
  typedef struct packed {
    logic [7:0] id_wait_ports;
    logic [7:0] id_slots;
    logic [8:0] id_counters;
    logic irq_status_refused_set;
    logic irq_status_overflow_set;
    logic [7:0] irq_status_slot_set;
    logic [7:0] overflow_id;
    logic [4:0] refused_engine;
    logic [7:0] refused_id;
    slot_in_t [7:0] slot;
    wait_port_in_t [23:0] wait_port;
    logic [255:0][31:0] count;
  } registers_in_t;

  // Sync registers: what it gets from it.
  typedef struct packed {
    logic control_set_enable;
    logic signal_write;
    logic [15:0] signal_add;
    logic [7:0] signal_id;
    logic [7:0] limit_last;
    logic irq_status_refused;
    logic irq_status_overflow;
    logic [7:0] irq_status_slot;
    logic irq_enable_refused;
    logic irq_enable_overflow;
    logic [7:0] irq_enable_slot;
    slot_out_t [7:0] slot;
    logic [255:0] count_write;
    logic [31:0] count;
  } registers_out_t;

endpackage
// verilator lint_on UNUSEDPARAM
