// Printed from rtl/host/host.rdl by `python3 rtl/gen/print.py`; do not edit.
// Host registers.
// One access a cycle, answered in that cycle; what a write stores shows in the next one.
`include "rtl/common/assert.svh"

module host_registers (
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
    input  host_pkg::registers_in_t hw_i,
    output host_pkg::registers_out_t reg_o
);

  logic readable, writable;
  logic irq_enable_write;
  logic [29:0] irq_enable_engines_q;
  logic irq_enable_user_q;
  logic irq_enable_sync_q;

  assign hit_o = 1'b1;
  assign reg_error_o = hit_o && ((reg_read_i && !readable) || (reg_write_i && !writable));

  always_comb begin
    {readable, writable} = '0;
    reg_rdata_o = '0;
    irq_enable_write = '0;
    case (reg_offset_i)
      16'h0000: begin  // id
        readable = 1'b1;
        reg_rdata_o[7:0] = hw_i.id_isa_version;
        reg_rdata_o[15:8] = hw_i.id_most_instances;
        reg_rdata_o[31:16] = hw_i.id_tile;
      end
      16'h0004: begin  // engines
        readable = 1'b1;
        reg_rdata_o = hw_i.engines_kinds;
      end
      16'h0008: begin  // clock
        readable = 1'b1;
        reg_rdata_o = hw_i.clock_khz;
      end
      16'h000c: begin  // sram
        readable = 1'b1;
        reg_rdata_o = hw_i.sram_bytes;
      end
      16'h0010: begin  // time
        readable = 1'b1;
        reg_rdata_o = hw_i.time_cycles[31:0];
      end
      16'h0014: begin  // time.hi
        readable = 1'b1;
        reg_rdata_o = hw_i.time_cycles[63:32];
      end
      16'h0018: begin  // dram
        readable = 1'b1;
        reg_rdata_o = hw_i.dram_bytes[31:0];
      end
      16'h001c: begin  // dram.hi
        readable = 1'b1;
        reg_rdata_o = hw_i.dram_bytes[63:32];
      end
      16'h0020: begin  // irq_pending
        readable = 1'b1;
        reg_rdata_o[0] = hw_i.irq_pending_sync;
        reg_rdata_o[1] = hw_i.irq_pending_user;
        reg_rdata_o[31:2] = hw_i.irq_pending_engines;
      end
      16'h0024: begin  // irq_enable
        readable = 1'b1;
        reg_rdata_o[0] = irq_enable_sync_q;
        reg_rdata_o[1] = irq_enable_user_q;
        reg_rdata_o[31:2] = irq_enable_engines_q;
        writable = 1'b1;
        irq_enable_write = reg_write_i;
      end
      16'h0028: begin  // tiles
        readable = 1'b1;
        reg_rdata_o[15:0] = hw_i.tiles_count;
      end
      16'h0040: begin  // config_hash[0]
        readable = 1'b1;
        reg_rdata_o = hw_i.config_hash[0];
      end
      16'h0044: begin  // config_hash[1]
        readable = 1'b1;
        reg_rdata_o = hw_i.config_hash[1];
      end
      16'h0048: begin  // config_hash[2]
        readable = 1'b1;
        reg_rdata_o = hw_i.config_hash[2];
      end
      16'h004c: begin  // config_hash[3]
        readable = 1'b1;
        reg_rdata_o = hw_i.config_hash[3];
      end
      16'h0050: begin  // config_hash[4]
        readable = 1'b1;
        reg_rdata_o = hw_i.config_hash[4];
      end
      16'h0054: begin  // config_hash[5]
        readable = 1'b1;
        reg_rdata_o = hw_i.config_hash[5];
      end
      16'h0058: begin  // config_hash[6]
        readable = 1'b1;
        reg_rdata_o = hw_i.config_hash[6];
      end
      16'h005c: begin  // config_hash[7]
        readable = 1'b1;
        reg_rdata_o = hw_i.config_hash[7];
      end
      16'h0060: begin  // instances[0]
        readable = 1'b1;
        reg_rdata_o = hw_i.instances_of_kinds[0];
      end
      16'h0064: begin  // instances[1]
        readable = 1'b1;
        reg_rdata_o = hw_i.instances_of_kinds[1];
      end
      16'h0068: begin  // instances[2]
        readable = 1'b1;
        reg_rdata_o = hw_i.instances_of_kinds[2];
      end
      16'h006c: begin  // instances[3]
        readable = 1'b1;
        reg_rdata_o = hw_i.instances_of_kinds[3];
      end
      16'h0070: begin  // instances[4]
        readable = 1'b1;
        reg_rdata_o = hw_i.instances_of_kinds[4];
      end
      16'h0074: begin  // instances[5]
        readable = 1'b1;
        reg_rdata_o = hw_i.instances_of_kinds[5];
      end
      16'h0078: begin  // instances[6]
        readable = 1'b1;
        reg_rdata_o = hw_i.instances_of_kinds[6];
      end
      16'h007c: begin  // instances[7]
        readable = 1'b1;
        reg_rdata_o = hw_i.instances_of_kinds[7];
      end
      default: ;
    endcase
  end

  always_comb begin
    reg_o.irq_enable_engines = irq_enable_engines_q;
    reg_o.irq_enable_user = irq_enable_user_q;
    reg_o.irq_enable_sync = irq_enable_sync_q;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) irq_enable_engines_q <= 30'h0;
    else if (irq_enable_write) irq_enable_engines_q <= reg_wdata_i[31:2];
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) irq_enable_user_q <= 1'h0;
    else if (irq_enable_write) irq_enable_user_q <= reg_wdata_i[1];
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) irq_enable_sync_q <= 1'h0;
    else if (irq_enable_write) irq_enable_sync_q <= reg_wdata_i[0];
  end

  // ------------------------------------------------------------------------------- assertions
  `PRESIL_ASSERT(OneAccessACycle_A, !(reg_write_i && reg_read_i))

endmodule
