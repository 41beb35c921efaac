// Sync: the timeline counters of a tile with their links and registers (README.md). Everything that
// comes in cycle t belongs to cycle t; a counter shows a signal of t in t + 2, `met` follows it in the
// same cycle, a slot's interrupt in t + 4.
`include "rtl/common/assert.svh"

module sync #(
    parameter int unsigned Counters = 64,  // ids 1 .. Counters - 1
    parameter int unsigned Slots    = 8,
    parameter int unsigned Queues   = engines_pkg::Queues,
    localparam int unsigned Ports   = sync_pkg::WaitPortCount,
    localparam int unsigned IdBits  = $clog2(Counters)
) (
    input logic clk_i,
    input logic rst_ni,

    input  logic        cfg_aw_valid_i,
    output logic        cfg_aw_ready_o,
    input  logic [15:0] cfg_aw_addr_i,
    input  logic        cfg_w_valid_i,
    output logic        cfg_w_ready_o,
    input  logic [31:0] cfg_w_data_i,
    input  logic [3:0]  cfg_w_strb_i,
    output logic        cfg_b_valid_o,
    input  logic        cfg_b_ready_i,
    output logic [1:0]  cfg_b_resp_o,
    input  logic        cfg_ar_valid_i,
    output logic        cfg_ar_ready_o,
    input  logic [15:0] cfg_ar_addr_i,
    output logic        cfg_r_valid_o,
    input  logic        cfg_r_ready_i,
    output logic [31:0] cfg_r_data_o,
    output logic [1:0]  cfg_r_resp_o,
    output logic        irq_o,

    // queue q completes; the host's queue signals by register SIGNAL: its link is 0
    input logic [Queues-1:0]       signal_valid_i,
    input logic [Queues-1:0][7:0]  signal_id_i,
    input logic [Queues-1:0][15:0] signal_add_i,

    // wait ports, numbered as the registers; 3 and 7 show barriers: their links are 0
    input  logic [Ports-1:0]       wait_valid_i,
    input  logic [Ports-1:0][7:0]  wait_id_i,
    input  logic [Ports-1:0][31:0] wait_value_i,
    output logic [Ports-1:0]       wait_met_o,
    output logic [Ports-1:0][engines_pkg::KindBits-1:0] wait_signaller_o,

    // has every counter first .. first + count - 1 reached the value?
    input  logic [Queues-1:0]       barrier_valid_i,
    input  logic [Queues-1:0][7:0]  barrier_first_i,
    input  logic [Queues-1:0][7:0]  barrier_count_i,
    input  logic [Queues-1:0][31:0] barrier_value_i,
    output logic [Queues-1:0]       barrier_met_o
);

  localparam int unsigned Host = engines_pkg::QueueHost;
  localparam logic [Ports-1:0] BarrierPorts = Ports'(24'h000088);  // of queues 0 and 1

  logic        reg_write, reg_read, reg_error, unused_hit;
  logic [15:0] reg_offset;
  logic [31:0] reg_wdata, reg_rdata;
  sync_pkg::registers_in_t  hw;
  sync_pkg::registers_out_t regs;

  axi_lite_slave u_slave (
      .reg_write_o (reg_write),
      .reg_read_o  (reg_read),
      .reg_offset_o(reg_offset),
      .reg_wdata_o (reg_wdata),
      .reg_rdata_i (reg_rdata),
      .reg_error_i (reg_error),
      .*
  );

  sync_registers #(
      .ResetLimitLast(8'(Counters - 1))
  ) u_registers (
      .reg_write_i (reg_write),
      .reg_read_i  (reg_read),
      .reg_offset_i(reg_offset),
      .reg_wdata_i (reg_wdata),
      .reg_rdata_o (reg_rdata),
      .reg_error_o (reg_error),
      .hit_o       (unused_hit),
      .hw_i        (hw),
      .reg_o       (regs),
      .*
  );

  // ------------------------------------------------------------------------------------ counters
  logic              [31:0] count    [Counters];
  sync_pkg::engine_e        signaller[Counters];
  logic                     refused;
  logic              [7:0]  refused_id;
  sync_pkg::engine_e        refused_engine;
  logic                     host_valid_q;
  logic              [7:0]  host_id_q;
  logic              [15:0] host_add_q;
  logic [Queues-1:0]        signal_valid;
  logic [Queues-1:0][7:0]   signal_id;
  logic [Queues-1:0][15:0]  signal_add;

  // A write of SIGNAL in cycle t is the host's completion in t + 1.
  always_comb begin
    signal_valid       = signal_valid_i;
    signal_id          = signal_id_i;
    signal_add         = signal_add_i;
    signal_valid[Host] = host_valid_q;
    signal_id[Host]    = host_id_q;
    signal_add[Host]   = host_add_q;
  end

  sync_counters #(
      .Counters(Counters),
      .Queues  (Queues)
  ) u_counters (
      .signal_valid_i  (signal_valid),
      .signal_id_i     (signal_id),
      .signal_add_i    (signal_add),
      .limit_i         (regs.limit_last),
      .set_i           (regs.count_write != '0),
      .set_enable_i    (regs.control_set_enable),
      .set_id_i        (reg_offset[9:2]),  // COUNT begins at 0x400
      .set_value_i     (regs.count),
      .count_o         (count),
      .signaller_o     (signaller),
      .refused_o       (refused),
      .refused_id_o    (refused_id),
      .refused_engine_o(refused_engine),
      .*
  );

  // --------------------------------------------------------------------------------------- waits
  sync_pkg::engine_e [Ports-1:0] signaller_of_wait;
  logic [Ports-1:0]              wait_far;
  logic [Queues-1:0][7:0]        barrier_missing;

  sync_waits #(
      .Counters(Counters),
      .Queues  (Queues)
  ) u_waits (
      .count_i          (count),
      .signaller_i      (signaller),
      .wait_signaller_o (signaller_of_wait),
      .wait_far_o       (wait_far),
      .barrier_missing_o(barrier_missing),
      .*
  );
  assign wait_signaller_o = signaller_of_wait;

  logic [sync_pkg::SlotCount-1:0] slot_enable, slot_fire, slot_far;
  sync_slots #(
      .Counters(Counters),
      .Slots   (Slots)
  ) u_slots (
      .count_i (count),
      .slot_i  (regs.slot),
      .enable_o(slot_enable),
      .fire_o  (slot_fire),
      .far_o   (slot_far),
      .*
  );

  // ----------------------------------------------------------------------------- events, registers
  logic [7:0]        overflow_id, overflow_id_q, refused_id_q;
  sync_pkg::engine_e refused_engine_q;
  logic              overflow, overflow_held, refused_held;

  always_comb begin
    overflow_id = '0;
    for (int j = int'(sync_pkg::SlotCount) - 1; j >= 0; --j) begin
      if (slot_far[j]) overflow_id = regs.slot[j].control_id;
    end
    for (int p = int'(Ports) - 1; p >= 0; --p) begin
      if (wait_far[p]) overflow_id = wait_id_i[p];
    end
    overflow = slot_far != '0 || wait_far != '0;
  end

  // The first event since its bit was cleared stays, unless the bit is cleared in this cycle.
  logic status_write;
  assign status_write  = reg_write && reg_offset == 16'(sync_pkg::RegIrqStatus);
  assign overflow_held = regs.irq_status_overflow && !(status_write && reg_wdata[8]);
  assign refused_held  = regs.irq_status_refused && !(status_write && reg_wdata[9]);

  assign irq_o = (regs.irq_status_slot & regs.irq_enable_slot) != '0 ||
                 (regs.irq_status_overflow && regs.irq_enable_overflow) ||
                 (regs.irq_status_refused && regs.irq_enable_refused);

  sync_pkg::wait_port_in_t [Ports-1:0] wait_port;
  logic [255:0][31:0]                  counts;
  always_comb begin
    hw.id_counters             = 9'(Counters);
    hw.id_slots                = 8'(Slots);
    hw.id_wait_ports           = 8'(Ports);
    hw.irq_status_slot_set     = slot_fire;
    hw.irq_status_overflow_set = overflow;
    hw.irq_status_refused_set  = refused;
    hw.overflow_id             = overflow_id_q;
    hw.refused_id              = refused_id_q;
    hw.refused_engine          = refused_engine_q;
    hw.slot                    = slot_enable;
    hw.wait_port               = wait_port;
    hw.count                   = counts;
  end

  function automatic sync_pkg::wait_port_in_t shown(input logic waiting, input logic [7:0] id,
                                                    input logic [31:0] value);
    shown = '0;
    shown.state_met       = !waiting;
    shown.state_signaller = sync_pkg::EngineHost;
    if (waiting) begin
      shown.value         = value;
      shown.state_id      = id;
      shown.state_waiting = 1'b1;
      if (32'(id) < Counters) shown.state_signaller = signaller[IdBits'(id)];
    end
  endfunction

  // What a read observes; it stands still else.
  always_comb begin
    wait_port = '0;
    counts    = '0;
    if (reg_read) begin
      for (int unsigned i = 0; i < Counters; ++i) counts[i] = count[i];
      for (int unsigned p = 0; p < Ports; ++p) begin
        if (BarrierPorts[p]) begin
          wait_port[p] = shown(barrier_valid_i[p/4] && !barrier_met_o[p/4], barrier_missing[p/4],
                               barrier_value_i[p/4]);
        end else begin
          wait_port[p] = shown(wait_valid_i[p] && !wait_met_o[p], wait_id_i[p], wait_value_i[p]);
        end
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      host_valid_q     <= 1'b0;
      overflow_id_q    <= '0;
      refused_id_q     <= '0;
      refused_engine_q <= sync_pkg::EngineDla;
    end else begin
      host_valid_q <= regs.signal_write;
      if (overflow && !overflow_held) overflow_id_q <= overflow_id;
      if (refused && !refused_held) begin
        refused_id_q     <= refused_id;
        refused_engine_q <= refused_engine;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (regs.signal_write) {host_id_q, host_add_q} <= {regs.signal_id, regs.signal_add};
  end

  // ---------------------------------------------------------------------------------- assertions
  `PRESIL_ASSERT(HostSignalsByItsRegister_A, !signal_valid_i[Host])
  `PRESIL_ASSERT(BarrierPortsAreNotLinked_A, (wait_valid_i & BarrierPorts) == '0)

endmodule
