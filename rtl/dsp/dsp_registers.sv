// Printed from rtl/dsp/dsp.rdl by `python3 rtl/gen/print.py`; do not edit.
// DSP registers but for those of the queues, which queue_frontend.sv has.
// One access a cycle, answered in that cycle; what a write stores shows in the next one.
`include "rtl/common/assert.svh"

module dsp_registers (
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
    input  dsp_pkg::registers_in_t hw_i,
    output dsp_pkg::registers_out_t reg_o
);

  logic readable, writable;
  logic trap_control_write;
  logic counters_control_write;

  assign hit_o = !(reg_offset_i inside {[16'h0200:16'h02ff]});
  assign reg_error_o = hit_o && ((reg_read_i && !readable) || (reg_write_i && !writable));

  always_comb begin
    {readable, writable} = '0;
    reg_rdata_o = '0;
    trap_control_write = '0;
    counters_control_write = '0;
    case (reg_offset_i)
      16'h0000: begin  // id
        readable = 1'b1;
        reg_rdata_o[7:0] = hw_i.id_isa_version;
        reg_rdata_o[15:8] = hw_i.id_queues;
        reg_rdata_o[23:16] = hw_i.id_contexts;
        reg_rdata_o[31:24] = hw_i.id_prefetch;
      end
      16'h0004: begin  // vector
        readable = 1'b1;
        reg_rdata_o[15:0] = hw_i.vector_vlen;
        reg_rdata_o[31:16] = hw_i.vector_dlen;
      end
      16'h0008: begin  // unit
        readable = 1'b1;
        reg_rdata_o[7:0] = hw_i.unit_elen;
        reg_rdata_o[15:8] = hw_i.unit_arithmetic_sequencers;
        reg_rdata_o[23:16] = hw_i.unit_regions;
        reg_rdata_o[31:24] = hw_i.unit_dma_channels;
      end
      16'h000c: begin  // itcm
        readable = 1'b1;
        reg_rdata_o = hw_i.itcm_bytes;
      end
      16'h0010: begin  // dtcm
        readable = 1'b1;
        reg_rdata_o = hw_i.dtcm_bytes;
      end
      16'h0014: begin  // stack
        readable = 1'b1;
        reg_rdata_o = hw_i.stack_bytes;
      end
      16'h0018: begin  // capability
        readable = 1'b1;
        reg_rdata_o[0] = hw_i.capability_on_trap;
        reg_rdata_o[1] = hw_i.capability_gather_by_element;
      end
      16'h001c: begin  // sram
        readable = 1'b1;
        reg_rdata_o = hw_i.sram_bytes;
      end
      16'h0300: begin  // trap_control
        writable = 1'b1;
        trap_control_write = reg_write_i;
      end
      16'h0304: begin  // trap
        readable = 1'b1;
        reg_rdata_o[7:0] = hw_i.trap_cause;
        reg_rdata_o[31:16] = hw_i.trap_vstart;
      end
      16'h0308: begin  // trap_pc
        readable = 1'b1;
        reg_rdata_o = hw_i.trap_pc;
      end
      16'h030c: begin  // trap_word
        readable = 1'b1;
        reg_rdata_o = hw_i.trap_word;
      end
      16'h0310: begin  // trap_address
        readable = 1'b1;
        reg_rdata_o = hw_i.trap_address[31:0];
      end
      16'h0314: begin  // trap_address.hi
        readable = 1'b1;
        reg_rdata_o = hw_i.trap_address[63:32];
      end
      16'h0318: begin  // trap_sp
        readable = 1'b1;
        reg_rdata_o = hw_i.trap_sp[31:0];
      end
      16'h031c: begin  // trap_sp.hi
        readable = 1'b1;
        reg_rdata_o = hw_i.trap_sp[63:32];
      end
      16'h0320: begin  // trap_cycle
        readable = 1'b1;
        reg_rdata_o = hw_i.trap_cycle[31:0];
      end
      16'h0324: begin  // trap_cycle.hi
        readable = 1'b1;
        reg_rdata_o = hw_i.trap_cycle[63:32];
      end
      16'h0328: begin  // trap_tag
        readable = 1'b1;
        reg_rdata_o = hw_i.trap_tag;
      end
      16'h032c: begin  // trap_command
        readable = 1'b1;
        reg_rdata_o = hw_i.trap_command;
      end
      16'h0330: begin  // trap_code
        readable = 1'b1;
        reg_rdata_o = hw_i.trap_code;
      end
      16'h0334: begin  // trap_region
        readable = 1'b1;
        reg_rdata_o[1:0] = hw_i.trap_region_near;
        reg_rdata_o[7:4] = hw_i.trap_region_region;
        reg_rdata_o[31:16] = hw_i.trap_region_tensor;
      end
      16'h0338: begin  // trap_distance
        readable = 1'b1;
        reg_rdata_o = hw_i.trap_distance;
      end
      16'h0340: begin  // image_crc
        readable = 1'b1;
        reg_rdata_o = hw_i.image_crc;
      end
      16'h0344: begin  // image_bytes
        readable = 1'b1;
        reg_rdata_o = hw_i.image_bytes;
      end
      16'h0348: begin  // program_pc
        readable = 1'b1;
        reg_rdata_o = hw_i.program_pc;
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
      16'h1018: begin  // load_use
        readable = 1'b1;
        reg_rdata_o = hw_i.counters.load_use[31:0];
      end
      16'h101c: begin  // load_use.hi
        readable = 1'b1;
        reg_rdata_o = hw_i.counters.load_use[63:32];
      end
      16'h1020: begin  // branch
        readable = 1'b1;
        reg_rdata_o = hw_i.counters.branch[31:0];
      end
      16'h1024: begin  // branch.hi
        readable = 1'b1;
        reg_rdata_o = hw_i.counters.branch[63:32];
      end
      16'h1028: begin  // divide
        readable = 1'b1;
        reg_rdata_o = hw_i.counters.divide[31:0];
      end
      16'h102c: begin  // divide.hi
        readable = 1'b1;
        reg_rdata_o = hw_i.counters.divide[63:32];
      end
      16'h1030: begin  // far_load
        readable = 1'b1;
        reg_rdata_o = hw_i.counters.far_load[31:0];
      end
      16'h1034: begin  // far_load.hi
        readable = 1'b1;
        reg_rdata_o = hw_i.counters.far_load[63:32];
      end
      16'h1038: begin  // vector_queue
        readable = 1'b1;
        reg_rdata_o = hw_i.counters.vector_queue[31:0];
      end
      16'h103c: begin  // vector_queue.hi
        readable = 1'b1;
        reg_rdata_o = hw_i.counters.vector_queue[63:32];
      end
      16'h1040: begin  // vector_result
        readable = 1'b1;
        reg_rdata_o = hw_i.counters.vector_result[31:0];
      end
      16'h1044: begin  // vector_result.hi
        readable = 1'b1;
        reg_rdata_o = hw_i.counters.vector_result[63:32];
      end
      16'h1048: begin  // sram_bank
        readable = 1'b1;
        reg_rdata_o = hw_i.counters.sram_bank[31:0];
      end
      16'h104c: begin  // sram_bank.hi
        readable = 1'b1;
        reg_rdata_o = hw_i.counters.sram_bank[63:32];
      end
      16'h1050: begin  // own_dma
        readable = 1'b1;
        reg_rdata_o = hw_i.counters.own_dma[31:0];
      end
      16'h1054: begin  // own_dma.hi
        readable = 1'b1;
        reg_rdata_o = hw_i.counters.own_dma[63:32];
      end
      16'h1058: begin  // start
        readable = 1'b1;
        reg_rdata_o = hw_i.counters.start[31:0];
      end
      16'h105c: begin  // start.hi
        readable = 1'b1;
        reg_rdata_o = hw_i.counters.start[63:32];
      end
      16'h1060: begin  // fetch
        readable = 1'b1;
        reg_rdata_o = hw_i.counters.fetch[31:0];
      end
      16'h1064: begin  // fetch.hi
        readable = 1'b1;
        reg_rdata_o = hw_i.counters.fetch[63:32];
      end
      16'h1068: begin  // idle
        readable = 1'b1;
        reg_rdata_o = hw_i.counters.idle[31:0];
      end
      16'h106c: begin  // idle.hi
        readable = 1'b1;
        reg_rdata_o = hw_i.counters.idle[63:32];
      end
      16'h1070: begin  // commands
        readable = 1'b1;
        reg_rdata_o = hw_i.counters.commands[31:0];
      end
      16'h1074: begin  // commands.hi
        readable = 1'b1;
        reg_rdata_o = hw_i.counters.commands[63:32];
      end
      16'h1078: begin  // instructions
        readable = 1'b1;
        reg_rdata_o = hw_i.counters.instructions[31:0];
      end
      16'h107c: begin  // instructions.hi
        readable = 1'b1;
        reg_rdata_o = hw_i.counters.instructions[63:32];
      end
      16'h1080: begin  // elements
        readable = 1'b1;
        reg_rdata_o = hw_i.counters.elements[31:0];
      end
      16'h1084: begin  // elements.hi
        readable = 1'b1;
        reg_rdata_o = hw_i.counters.elements[63:32];
      end
      16'h1088: begin  // bytes_read
        readable = 1'b1;
        reg_rdata_o = hw_i.counters.bytes_read[31:0];
      end
      16'h108c: begin  // bytes_read.hi
        readable = 1'b1;
        reg_rdata_o = hw_i.counters.bytes_read[63:32];
      end
      16'h1090: begin  // bytes_written
        readable = 1'b1;
        reg_rdata_o = hw_i.counters.bytes_written[31:0];
      end
      16'h1094: begin  // bytes_written.hi
        readable = 1'b1;
        reg_rdata_o = hw_i.counters.bytes_written[63:32];
      end
      16'h1100: begin  // wait[0]
        readable = 1'b1;
        reg_rdata_o = hw_i.counters.wait_[0][31:0];
      end
      16'h1104: begin  // wait[0].hi
        readable = 1'b1;
        reg_rdata_o = hw_i.counters.wait_[0][63:32];
      end
      16'h1108: begin  // wait[1]
        readable = 1'b1;
        reg_rdata_o = hw_i.counters.wait_[1][31:0];
      end
      16'h110c: begin  // wait[1].hi
        readable = 1'b1;
        reg_rdata_o = hw_i.counters.wait_[1][63:32];
      end
      16'h1110: begin  // wait[2]
        readable = 1'b1;
        reg_rdata_o = hw_i.counters.wait_[2][31:0];
      end
      16'h1114: begin  // wait[2].hi
        readable = 1'b1;
        reg_rdata_o = hw_i.counters.wait_[2][63:32];
      end
      16'h1118: begin  // wait[3]
        readable = 1'b1;
        reg_rdata_o = hw_i.counters.wait_[3][31:0];
      end
      16'h111c: begin  // wait[3].hi
        readable = 1'b1;
        reg_rdata_o = hw_i.counters.wait_[3][63:32];
      end
      default: ;
    endcase
  end

  always_comb begin
    reg_o.trap_control_clear = trap_control_write && reg_wdata_i[0];
    reg_o.counters.control_clear = counters_control_write && reg_wdata_i[1];
    reg_o.counters.control_snapshot = counters_control_write && reg_wdata_i[0];
  end

  // ------------------------------------------------------------------------------- assertions
  `PRESIL_ASSERT(OneAccessACycle_A, !(reg_write_i && reg_read_i))

endmodule
