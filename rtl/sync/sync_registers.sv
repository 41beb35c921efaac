// Printed from rtl/sync/sync.rdl by `python3 rtl/gen/print.py`; do not edit.
// Sync registers.
// One access a cycle, answered in that cycle; what a write stores shows in the next one.
`include "rtl/common/assert.svh"

module sync_registers #(
    parameter logic [7:0] ResetLimitLast = 8'd63
) (
    input  logic        clk_i,
    input  logic        rst_ni,
    input  logic        reg_write_i,
    input  logic        reg_read_i,
    input  logic [15:0] reg_offset_i,
    // verilator lint_off UNUSEDSIGNAL
    input  logic [31:0] reg_wdata_i,  // not every bit is written somewhere
    // verilator lint_on UNUSEDSIGNAL
    output logic [31:0] reg_rdata_o,
    output logic        reg_error_o,
    output logic        hit_o,  // not in a queue's block
    input  sync_pkg::registers_in_t hw_i,
    output sync_pkg::registers_out_t reg_o
);

  logic readable, writable;
  logic control_write;
  logic signal_write;
  logic limit_write;
  logic irq_status_write;
  logic irq_enable_write;
  logic [255:0] count_write;
  logic [7:0] slot_value_write;
  logic [7:0] slot_control_write;
  logic control_set_enable_q;
  logic [7:0] limit_last_q;
  logic irq_status_refused_q;
  logic irq_status_overflow_q;
  logic [7:0] irq_status_slot_q;
  logic irq_enable_refused_q;
  logic irq_enable_overflow_q;
  logic [7:0] irq_enable_slot_q;
  logic [7:0][31:0] slot_value_q;
  logic [7:0][7:0] slot_control_id_q;

  logic [7:0] count_index;
  assign count_index = 8'((reg_offset_i - 16'h0400) >> 2);

  logic [2:0] slot_index;
  assign slot_index = 3'((reg_offset_i - 16'h0040) >> 3);

  logic [4:0] wait_port_index;
  assign wait_port_index = 5'((reg_offset_i - 16'h0100) >> 3);

  assign hit_o = 1'b1;
  assign reg_error_o = hit_o && ((reg_read_i && !readable) || (reg_write_i && !writable));

  always_comb begin
    {readable, writable} = '0;
    reg_rdata_o = '0;
    control_write = '0;
    signal_write = '0;
    limit_write = '0;
    irq_status_write = '0;
    irq_enable_write = '0;
    count_write = '0;
    slot_value_write = '0;
    slot_control_write = '0;
    case (reg_offset_i)
      16'h0000: begin  // id
        readable = 1'b1;
        reg_rdata_o[8:0] = hw_i.id_counters;
        reg_rdata_o[23:16] = hw_i.id_slots;
        reg_rdata_o[31:24] = hw_i.id_wait_ports;
      end
      16'h0004: begin  // control
        readable = 1'b1;
        reg_rdata_o[0] = control_set_enable_q;
        writable = 1'b1;
        control_write = reg_write_i;
      end
      16'h0008: begin  // signal
        writable = 1'b1;
        signal_write = reg_write_i;
      end
      16'h000c: begin  // limit
        readable = 1'b1;
        reg_rdata_o[7:0] = limit_last_q;
        writable = 1'b1;
        limit_write = reg_write_i;
      end
      16'h0010: begin  // irq_status
        readable = 1'b1;
        reg_rdata_o[7:0] = irq_status_slot_q;
        reg_rdata_o[8] = irq_status_overflow_q;
        reg_rdata_o[9] = irq_status_refused_q;
        writable = 1'b1;
        irq_status_write = reg_write_i;
      end
      16'h0014: begin  // irq_enable
        readable = 1'b1;
        reg_rdata_o[7:0] = irq_enable_slot_q;
        reg_rdata_o[8] = irq_enable_overflow_q;
        reg_rdata_o[9] = irq_enable_refused_q;
        writable = 1'b1;
        irq_enable_write = reg_write_i;
      end
      16'h0018: begin  // overflow
        readable = 1'b1;
        reg_rdata_o[7:0] = hw_i.overflow_id;
      end
      16'h001c: begin  // refused
        readable = 1'b1;
        reg_rdata_o[7:0] = hw_i.refused_id;
        reg_rdata_o[12:8] = hw_i.refused_engine;
      end
      default: ;
    endcase
    if (reg_offset_i inside {[16'h0400:16'h07ff]}) begin  // count
      case (reg_offset_i[1:0])
        2'h0: begin  // count[count_index]
          readable = 1'b1;
          reg_rdata_o = hw_i.count[count_index];
          writable = 1'b1;
          count_write[count_index] = reg_write_i;
        end
        default: ;
      endcase
    end
    if (reg_offset_i inside {[16'h0040:16'h007f]}) begin  // slot
      case (reg_offset_i[2:0])
        3'h0: begin  // value
          readable = 1'b1;
          reg_rdata_o = slot_value_q[slot_index];
          writable = 1'b1;
          slot_value_write[slot_index] = reg_write_i;
        end
        3'h4: begin  // control
          readable = 1'b1;
          reg_rdata_o[7:0] = slot_control_id_q[slot_index];
          reg_rdata_o[8] = hw_i.slot[slot_index].control_enable;
          writable = 1'b1;
          slot_control_write[slot_index] = reg_write_i;
        end
        default: ;
      endcase
    end
    if (reg_offset_i inside {[16'h0100:16'h01bf]}) begin  // wait_port
      case (reg_offset_i[2:0])
        3'h0: begin  // value
          readable = 1'b1;
          reg_rdata_o = hw_i.wait_port[wait_port_index].value;
        end
        3'h4: begin  // state
          readable = 1'b1;
          reg_rdata_o[7:0] = hw_i.wait_port[wait_port_index].state_id;
          reg_rdata_o[8] = hw_i.wait_port[wait_port_index].state_waiting;
          reg_rdata_o[9] = hw_i.wait_port[wait_port_index].state_met;
          reg_rdata_o[16:12] = hw_i.wait_port[wait_port_index].state_signaller;
        end
        default: ;
      endcase
    end
  end

  always_comb begin
    reg_o.control_set_enable = control_set_enable_q;
    reg_o.signal_write = signal_write;
    reg_o.signal_add = reg_wdata_i[31:16];
    reg_o.signal_id = reg_wdata_i[7:0];
    reg_o.limit_last = limit_last_q;
    reg_o.irq_status_refused = irq_status_refused_q;
    reg_o.irq_status_overflow = irq_status_overflow_q;
    reg_o.irq_status_slot = irq_status_slot_q;
    reg_o.irq_enable_refused = irq_enable_refused_q;
    reg_o.irq_enable_overflow = irq_enable_overflow_q;
    reg_o.irq_enable_slot = irq_enable_slot_q;
    reg_o.count_write = count_write;
    reg_o.count = reg_wdata_i;
    for (int unsigned i = 0; i < 8; ++i) begin
      reg_o.slot[i].value = slot_value_q[i];
      reg_o.slot[i].control_write = slot_control_write[i];
      reg_o.slot[i].control_enable = reg_wdata_i[8];
      reg_o.slot[i].control_id = slot_control_id_q[i];
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) control_set_enable_q <= 1'h0;
    else if (control_write) control_set_enable_q <= reg_wdata_i[0];
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) limit_last_q <= ResetLimitLast;
    else if (limit_write) limit_last_q <= reg_wdata_i[7:0];
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) irq_status_refused_q <= 1'h0;
    else begin
      irq_status_refused_q <= hw_i.irq_status_refused_set | (irq_status_refused_q & ~(irq_status_write ? reg_wdata_i[9] : '0));
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) irq_status_overflow_q <= 1'h0;
    else begin
      irq_status_overflow_q <= hw_i.irq_status_overflow_set | (irq_status_overflow_q & ~(irq_status_write ? reg_wdata_i[8] : '0));
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) irq_status_slot_q <= 8'h0;
    else begin
      irq_status_slot_q <= hw_i.irq_status_slot_set | (irq_status_slot_q & ~(irq_status_write ? reg_wdata_i[7:0] : '0));
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) irq_enable_refused_q <= 1'h0;
    else if (irq_enable_write) irq_enable_refused_q <= reg_wdata_i[9];
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) irq_enable_overflow_q <= 1'h0;
    else if (irq_enable_write) irq_enable_overflow_q <= reg_wdata_i[8];
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) irq_enable_slot_q <= 8'h0;
    else if (irq_enable_write) irq_enable_slot_q <= reg_wdata_i[7:0];
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) slot_value_q <= {8{32'h0}};
    else begin
      for (int unsigned i = 0; i < 8; ++i) begin
        if (slot_value_write[i]) slot_value_q[i] <= reg_wdata_i;
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) slot_control_id_q <= {8{8'h0}};
    else begin
      for (int unsigned i = 0; i < 8; ++i) begin
        if (slot_control_write[i]) slot_control_id_q[i] <= reg_wdata_i[7:0];
      end
    end
  end

  // ------------------------------------------------------------------------------- assertions
  `PRESIL_ASSERT(OneAccessACycle_A, !(reg_write_i && reg_read_i))

endmodule
