// Printed from rtl/dla/dla.rdl by `python3 rtl/gen/print.py`; do not edit.
// DLA registers but for those of the queues, which queue_frontend.sv has.
// One access a cycle, answered in that cycle; what a write stores shows in the next one.
`include "rtl/common/assert.svh"

module dla_registers (
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
    input  dla_pkg::registers_in_t hw_i,
    output dla_pkg::registers_out_t reg_o
);

  logic readable, writable;
  logic counters_control_write;

  assign hit_o = !(reg_offset_i inside {[16'h0200:16'h02ff]});
  assign reg_error_o = hit_o && ((reg_read_i && !readable) || (reg_write_i && !writable));

  always_comb begin
    {readable, writable} = '0;
    reg_rdata_o = '0;
    counters_control_write = '0;
    case (reg_offset_i)
      16'h0000: begin  // id
        readable = 1'b1;
        reg_rdata_o[7:0] = hw_i.id_isa_version;
        reg_rdata_o[15:8] = hw_i.id_queues;
        reg_rdata_o[23:16] = hw_i.id_contexts;
        reg_rdata_o[31:24] = hw_i.id_prefetch;
      end
      16'h0004: begin  // array
        readable = 1'b1;
        reg_rdata_o[15:0] = hw_i.array_macs_k;
        reg_rdata_o[31:16] = hw_i.array_macs_c;
      end
      16'h0008: begin  // ports
        readable = 1'b1;
        reg_rdata_o[7:0] = hw_i.ports_feat_ports;
        reg_rdata_o[15:8] = hw_i.ports_weight_ports;
        reg_rdata_o[23:16] = hw_i.ports_res_ports;
        reg_rdata_o[31:24] = hw_i.ports_out_ports;
      end
      16'h000c: begin  // lanes
        readable = 1'b1;
        reg_rdata_o[15:0] = hw_i.lanes_post_lanes;
        reg_rdata_o[31:16] = hw_i.lanes_ew_lanes;
      end
      16'h0010: begin  // acc
        readable = 1'b1;
        reg_rdata_o[15:0] = hw_i.acc_depth;
      end
      16'h0014: begin  // capability
        readable = 1'b1;
        reg_rdata_o[0] = hw_i.capability_int16;
        reg_rdata_o[1] = hw_i.capability_int4;
        reg_rdata_o[2] = hw_i.capability_int2;
        reg_rdata_o[3] = hw_i.capability_rule_mul_add_shift;
      end
      16'h0018: begin  // sram
        readable = 1'b1;
        reg_rdata_o = hw_i.sram_bytes;
      end
      16'h1000: begin  // control
        writable = 1'b1;
        counters_control_write = reg_write_i;
      end
      16'h1008: begin  // cycles
        readable = 1'b1;
        reg_rdata_o = hw_i.counters.cycles[31:0];
      end
      16'h100c: begin  // cycles.hi
        readable = 1'b1;
        reg_rdata_o = hw_i.counters.cycles[63:32];
      end
      16'h1010: begin  // run
        readable = 1'b1;
        reg_rdata_o = hw_i.counters.run[31:0];
      end
      16'h1014: begin  // run.hi
        readable = 1'b1;
        reg_rdata_o = hw_i.counters.run[63:32];
      end
      16'h1018: begin  // stall_feature
        readable = 1'b1;
        reg_rdata_o = hw_i.counters.stall_feature[31:0];
      end
      16'h101c: begin  // stall_feature.hi
        readable = 1'b1;
        reg_rdata_o = hw_i.counters.stall_feature[63:32];
      end
      16'h1020: begin  // stall_weights
        readable = 1'b1;
        reg_rdata_o = hw_i.counters.stall_weights[31:0];
      end
      16'h1024: begin  // stall_weights.hi
        readable = 1'b1;
        reg_rdata_o = hw_i.counters.stall_weights[63:32];
      end
      16'h1028: begin  // stall_post
        readable = 1'b1;
        reg_rdata_o = hw_i.counters.stall_post[31:0];
      end
      16'h102c: begin  // stall_post.hi
        readable = 1'b1;
        reg_rdata_o = hw_i.counters.stall_post[63:32];
      end
      16'h1030: begin  // start
        readable = 1'b1;
        reg_rdata_o = hw_i.counters.start[31:0];
      end
      16'h1034: begin  // start.hi
        readable = 1'b1;
        reg_rdata_o = hw_i.counters.start[63:32];
      end
      16'h1038: begin  // fetch
        readable = 1'b1;
        reg_rdata_o = hw_i.counters.fetch[31:0];
      end
      16'h103c: begin  // fetch.hi
        readable = 1'b1;
        reg_rdata_o = hw_i.counters.fetch[63:32];
      end
      16'h1040: begin  // idle
        readable = 1'b1;
        reg_rdata_o = hw_i.counters.idle[31:0];
      end
      16'h1044: begin  // idle.hi
        readable = 1'b1;
        reg_rdata_o = hw_i.counters.idle[63:32];
      end
      16'h1048: begin  // commands
        readable = 1'b1;
        reg_rdata_o = hw_i.counters.commands[31:0];
      end
      16'h104c: begin  // commands.hi
        readable = 1'b1;
        reg_rdata_o = hw_i.counters.commands[63:32];
      end
      16'h1050: begin  // steps
        readable = 1'b1;
        reg_rdata_o = hw_i.counters.steps[31:0];
      end
      16'h1054: begin  // steps.hi
        readable = 1'b1;
        reg_rdata_o = hw_i.counters.steps[63:32];
      end
      16'h1100: begin  // wait_in[0]
        readable = 1'b1;
        reg_rdata_o = hw_i.counters.wait_in[0][31:0];
      end
      16'h1104: begin  // wait_in[0].hi
        readable = 1'b1;
        reg_rdata_o = hw_i.counters.wait_in[0][63:32];
      end
      16'h1108: begin  // wait_in[1]
        readable = 1'b1;
        reg_rdata_o = hw_i.counters.wait_in[1][31:0];
      end
      16'h110c: begin  // wait_in[1].hi
        readable = 1'b1;
        reg_rdata_o = hw_i.counters.wait_in[1][63:32];
      end
      16'h1110: begin  // wait_in[2]
        readable = 1'b1;
        reg_rdata_o = hw_i.counters.wait_in[2][31:0];
      end
      16'h1114: begin  // wait_in[2].hi
        readable = 1'b1;
        reg_rdata_o = hw_i.counters.wait_in[2][63:32];
      end
      16'h1118: begin  // wait_in[3]
        readable = 1'b1;
        reg_rdata_o = hw_i.counters.wait_in[3][31:0];
      end
      16'h111c: begin  // wait_in[3].hi
        readable = 1'b1;
        reg_rdata_o = hw_i.counters.wait_in[3][63:32];
      end
      16'h1200: begin  // wait_weights[0]
        readable = 1'b1;
        reg_rdata_o = hw_i.counters.wait_weights[0][31:0];
      end
      16'h1204: begin  // wait_weights[0].hi
        readable = 1'b1;
        reg_rdata_o = hw_i.counters.wait_weights[0][63:32];
      end
      16'h1208: begin  // wait_weights[1]
        readable = 1'b1;
        reg_rdata_o = hw_i.counters.wait_weights[1][31:0];
      end
      16'h120c: begin  // wait_weights[1].hi
        readable = 1'b1;
        reg_rdata_o = hw_i.counters.wait_weights[1][63:32];
      end
      16'h1210: begin  // wait_weights[2]
        readable = 1'b1;
        reg_rdata_o = hw_i.counters.wait_weights[2][31:0];
      end
      16'h1214: begin  // wait_weights[2].hi
        readable = 1'b1;
        reg_rdata_o = hw_i.counters.wait_weights[2][63:32];
      end
      16'h1218: begin  // wait_weights[3]
        readable = 1'b1;
        reg_rdata_o = hw_i.counters.wait_weights[3][31:0];
      end
      16'h121c: begin  // wait_weights[3].hi
        readable = 1'b1;
        reg_rdata_o = hw_i.counters.wait_weights[3][63:32];
      end
      16'h1300: begin  // wait_out[0]
        readable = 1'b1;
        reg_rdata_o = hw_i.counters.wait_out[0][31:0];
      end
      16'h1304: begin  // wait_out[0].hi
        readable = 1'b1;
        reg_rdata_o = hw_i.counters.wait_out[0][63:32];
      end
      16'h1308: begin  // wait_out[1]
        readable = 1'b1;
        reg_rdata_o = hw_i.counters.wait_out[1][31:0];
      end
      16'h130c: begin  // wait_out[1].hi
        readable = 1'b1;
        reg_rdata_o = hw_i.counters.wait_out[1][63:32];
      end
      16'h1310: begin  // wait_out[2]
        readable = 1'b1;
        reg_rdata_o = hw_i.counters.wait_out[2][31:0];
      end
      16'h1314: begin  // wait_out[2].hi
        readable = 1'b1;
        reg_rdata_o = hw_i.counters.wait_out[2][63:32];
      end
      16'h1318: begin  // wait_out[3]
        readable = 1'b1;
        reg_rdata_o = hw_i.counters.wait_out[3][31:0];
      end
      16'h131c: begin  // wait_out[3].hi
        readable = 1'b1;
        reg_rdata_o = hw_i.counters.wait_out[3][63:32];
      end
      default: ;
    endcase
  end

  always_comb begin
    reg_o.counters.control_clear = counters_control_write && reg_wdata_i[1];
    reg_o.counters.control_snapshot = counters_control_write && reg_wdata_i[0];
  end

  // ------------------------------------------------------------------------------- assertions
  `PRESIL_ASSERT(OneAccessACycle_A, !(reg_write_i && reg_read_i))

endmodule
