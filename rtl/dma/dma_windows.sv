// The target of a register access: the block's registers, a channel's queue, or, of channels that are not
// there, none: their registers exist, read 0 and keep nothing.
module dma_windows #(
    parameter int unsigned Channels = 4
) (
    input  logic                       reg_read_i,
    input  logic                       reg_write_i,
    input  logic [15:0]                reg_offset_i,
    output logic [Channels-1:0]        window_o,       // a queue's
    input  logic [Channels-1:0][31:0]  queue_rdata_i,
    input  logic [Channels-1:0]        queue_error_i,
    input  logic                       block_hit_i,
    input  logic [31:0]                block_rdata_i,
    input  logic                       block_error_i,
    output logic [31:0]                reg_rdata_o,
    output logic                       reg_error_o
);

  for (genvar c = 0; c < Channels; c++) begin : gen_window
    assign window_o[c] = reg_offset_i[15:8] == 8'(dma_pkg::RegChannel >> 8) + 8'(c);
  end

  localparam logic [7:0] End = 8'(queue_pkg::RegContext + queue_pkg::RegContextStride * queue_pkg::ContextCount);

  logic exists, writable;
  assign exists   = reg_offset_i[1:0] == '0 && reg_offset_i[7:0] < End;
  assign writable = !(32'(reg_offset_i[7:0]) inside {
      queue_pkg::RegStatus, queue_pkg::RegCurrentJob, queue_pkg::RegCurrentCommand,
      queue_pkg::RegError, queue_pkg::RegErrorJobTag, queue_pkg::RegErrorCommandIndex,
      queue_pkg::RegErrorAddress, queue_pkg::RegErrorAddressHi});

  always_comb begin
    reg_rdata_o = block_rdata_i;
    reg_error_o = block_hit_i ? block_error_i
                              : (reg_read_i && !exists) || (reg_write_i && !(exists && writable));
    for (int unsigned c = 0; c < Channels; c++) begin
      if (window_o[c]) {reg_rdata_o, reg_error_o} = {queue_rdata_i[c], queue_error_i[c]};
    end
  end

endmodule
