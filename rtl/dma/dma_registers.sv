// Printed from rtl/dma/dma.rdl by `python3 rtl/gen/print.py`; do not edit.
// DMA registers but for those of the queues, which queue_frontend.sv has.
// One access a cycle, answered in that cycle; what a write stores shows in the next one.
`include "rtl/common/assert.svh"

module dma_registers (
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
    input  dma_pkg::registers_in_t hw_i,
    output dma_pkg::registers_out_t reg_o
);

  logic readable, writable;
  logic [7:0] counters_control_write;

  logic [2:0] counters_index;
  assign counters_index = 3'((reg_offset_i - 16'h1000) >> 9);

  assign hit_o = !(reg_offset_i inside {[16'h0200:16'h09ff]});
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
      16'h0004: begin  // bursts
        readable = 1'b1;
        reg_rdata_o[15:0] = hw_i.bursts_bytes;
        reg_rdata_o[23:16] = hw_i.bursts_per_channel;
        reg_rdata_o[31:24] = hw_i.bursts_total;
      end
      16'h0008: begin  // width
        readable = 1'b1;
        reg_rdata_o[15:0] = hw_i.width_axi;
        reg_rdata_o[23:16] = hw_i.width_sram_read_ports;
        reg_rdata_o[31:24] = hw_i.width_sram_write_ports;
      end
      16'h000c: begin  // capability
        readable = 1'b1;
        reg_rdata_o[0] = hw_i.capability_multicast;
      end
      16'h0010: begin  // sram
        readable = 1'b1;
        reg_rdata_o = hw_i.sram_bytes;
      end
      default: ;
    endcase
    if (reg_offset_i inside {[16'h1000:16'h1fff]}) begin  // counters
      case (reg_offset_i[8:0])
        9'h000: begin  // control
          writable = 1'b1;
          counters_control_write[counters_index] = reg_write_i;
        end
        9'h008: begin  // cycles
          readable = 1'b1;
          reg_rdata_o = hw_i.counters[counters_index].cycles[31:0];
        end
        9'h00c: begin  // cycles.hi
          readable = 1'b1;
          reg_rdata_o = hw_i.counters[counters_index].cycles[63:32];
        end
        9'h010: begin  // run
          readable = 1'b1;
          reg_rdata_o = hw_i.counters[counters_index].run[31:0];
        end
        9'h014: begin  // run.hi
          readable = 1'b1;
          reg_rdata_o = hw_i.counters[counters_index].run[63:32];
        end
        9'h018: begin  // read_credit
          readable = 1'b1;
          reg_rdata_o = hw_i.counters[counters_index].read_credit[31:0];
        end
        9'h01c: begin  // read_credit.hi
          readable = 1'b1;
          reg_rdata_o = hw_i.counters[counters_index].read_credit[63:32];
        end
        9'h020: begin  // dram_row
          readable = 1'b1;
          reg_rdata_o = hw_i.counters[counters_index].dram_row[31:0];
        end
        9'h024: begin  // dram_row.hi
          readable = 1'b1;
          reg_rdata_o = hw_i.counters[counters_index].dram_row[63:32];
        end
        9'h028: begin  // dram_turnaround
          readable = 1'b1;
          reg_rdata_o = hw_i.counters[counters_index].dram_turnaround[31:0];
        end
        9'h02c: begin  // dram_turnaround.hi
          readable = 1'b1;
          reg_rdata_o = hw_i.counters[counters_index].dram_turnaround[63:32];
        end
        9'h030: begin  // dram_refresh
          readable = 1'b1;
          reg_rdata_o = hw_i.counters[counters_index].dram_refresh[31:0];
        end
        9'h034: begin  // dram_refresh.hi
          readable = 1'b1;
          reg_rdata_o = hw_i.counters[counters_index].dram_refresh[63:32];
        end
        9'h038: begin  // dram_busy
          readable = 1'b1;
          reg_rdata_o = hw_i.counters[counters_index].dram_busy[31:0];
        end
        9'h03c: begin  // dram_busy.hi
          readable = 1'b1;
          reg_rdata_o = hw_i.counters[counters_index].dram_busy[63:32];
        end
        9'h040: begin  // write_queue
          readable = 1'b1;
          reg_rdata_o = hw_i.counters[counters_index].write_queue[31:0];
        end
        9'h044: begin  // write_queue.hi
          readable = 1'b1;
          reg_rdata_o = hw_i.counters[counters_index].write_queue[63:32];
        end
        9'h048: begin  // sram_port
          readable = 1'b1;
          reg_rdata_o = hw_i.counters[counters_index].sram_port[31:0];
        end
        9'h04c: begin  // sram_port.hi
          readable = 1'b1;
          reg_rdata_o = hw_i.counters[counters_index].sram_port[63:32];
        end
        9'h050: begin  // fetch
          readable = 1'b1;
          reg_rdata_o = hw_i.counters[counters_index].fetch[31:0];
        end
        9'h054: begin  // fetch.hi
          readable = 1'b1;
          reg_rdata_o = hw_i.counters[counters_index].fetch[63:32];
        end
        9'h058: begin  // drain
          readable = 1'b1;
          reg_rdata_o = hw_i.counters[counters_index].drain[31:0];
        end
        9'h05c: begin  // drain.hi
          readable = 1'b1;
          reg_rdata_o = hw_i.counters[counters_index].drain[63:32];
        end
        9'h060: begin  // idle
          readable = 1'b1;
          reg_rdata_o = hw_i.counters[counters_index].idle[31:0];
        end
        9'h064: begin  // idle.hi
          readable = 1'b1;
          reg_rdata_o = hw_i.counters[counters_index].idle[63:32];
        end
        9'h068: begin  // commands
          readable = 1'b1;
          reg_rdata_o = hw_i.counters[counters_index].commands[31:0];
        end
        9'h06c: begin  // commands.hi
          readable = 1'b1;
          reg_rdata_o = hw_i.counters[counters_index].commands[63:32];
        end
        9'h070: begin  // bytes_read
          readable = 1'b1;
          reg_rdata_o = hw_i.counters[counters_index].bytes_read[31:0];
        end
        9'h074: begin  // bytes_read.hi
          readable = 1'b1;
          reg_rdata_o = hw_i.counters[counters_index].bytes_read[63:32];
        end
        9'h078: begin  // bytes_written
          readable = 1'b1;
          reg_rdata_o = hw_i.counters[counters_index].bytes_written[31:0];
        end
        9'h07c: begin  // bytes_written.hi
          readable = 1'b1;
          reg_rdata_o = hw_i.counters[counters_index].bytes_written[63:32];
        end
        9'h100: begin  // wait[0]
          readable = 1'b1;
          reg_rdata_o = hw_i.counters[counters_index].wait_[0][31:0];
        end
        9'h104: begin  // wait[0].hi
          readable = 1'b1;
          reg_rdata_o = hw_i.counters[counters_index].wait_[0][63:32];
        end
        9'h108: begin  // wait[1]
          readable = 1'b1;
          reg_rdata_o = hw_i.counters[counters_index].wait_[1][31:0];
        end
        9'h10c: begin  // wait[1].hi
          readable = 1'b1;
          reg_rdata_o = hw_i.counters[counters_index].wait_[1][63:32];
        end
        9'h110: begin  // wait[2]
          readable = 1'b1;
          reg_rdata_o = hw_i.counters[counters_index].wait_[2][31:0];
        end
        9'h114: begin  // wait[2].hi
          readable = 1'b1;
          reg_rdata_o = hw_i.counters[counters_index].wait_[2][63:32];
        end
        9'h118: begin  // wait[3]
          readable = 1'b1;
          reg_rdata_o = hw_i.counters[counters_index].wait_[3][31:0];
        end
        9'h11c: begin  // wait[3].hi
          readable = 1'b1;
          reg_rdata_o = hw_i.counters[counters_index].wait_[3][63:32];
        end
        default: ;
      endcase
    end
  end

  always_comb begin
    for (int unsigned i = 0; i < 8; ++i) begin
      reg_o.counters[i].control_clear = counters_control_write[i] && reg_wdata_i[1];
      reg_o.counters[i].control_snapshot = counters_control_write[i] && reg_wdata_i[0];
    end
  end

  // ------------------------------------------------------------------------------- assertions
  `PRESIL_ASSERT(OneAccessACycle_A, !(reg_write_i && reg_read_i))

endmodule
