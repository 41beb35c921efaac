// The DMA's read side with a register per channel that a bench sets a command in, field by field.
module dma_load_bench
  import dma_engine_pkg::*;
#(
    parameter int unsigned Channels = 4
) (
    input  logic                     clk_i,
    input  logic                     rst_ni,
    input  logic                     set_i,
    input  logic [1:0]               set_channel_i,
    input  logic                     xor80_i,
    input  logic                     pad_i,
    input  logic                     drop_i,
    input  logic [11:0]              elem_bytes_i,
    input  logic [31:0]              pattern_i,
    input  logic [39:0]              source_base_i,
    input  logic [23:0]              source_row_bytes_i,
    input  logic [63:0]              source_n_i,
    input  logic [127:0]             source_stride_i,
    input  logic [39:0]              target_base_i,
    input  logic [23:0]              target_row_bytes_i,
    input  logic [63:0]              target_n_i,
    input  logic [127:0]             target_stride_i,
    input  logic [Channels-1:0]      begin_valid_i,
    output logic [Channels-1:0]      begin_ready_o,
    input  logic [Channels-1:0]      begin_late_i,
    input  logic [Channels-1:0][2:0] begin_age_i,
    output logic [Channels-1:0]      complete_o,
    output logic [Channels-1:0]      empty_o,
    output logic [Channels-1:0]      failed_o,
    output logic [Channels*40-1:0]    failed_address_o,
    output logic                     ar_valid_o,
    input  logic                     ar_ready_i,
    output logic [2:0]               ar_id_o,
    output logic [39:0]              ar_address_o,
    output logic [7:0]               ar_len_o,
    output logic [8:0]               ar_bytes_o,
    input  logic                     r_valid_i,
    output logic                     r_ready_o,
    input  logic [2:0]               r_id_i,
    input  logic [127:0]             r_data_i,
    input  logic [1:0]               r_resp_i,
    input  logic                     r_last_i,
    output logic                     write_valid_o,
    input  logic                     write_ready_i,
    output logic [23:0]              write_address_o,
    output logic [127:0]             write_data_o,
    output logic [15:0]              write_strobe_o
);

  work_t [Channels-1:0] command_q;
  elements_t                  elements;
  assign elements = '{packed_elements: 1'b1, data: elem_bytes_i,
                      pitch: elem_bytes_i == '0 ? 13'd16 : (13'(elem_bytes_i) + 13'd15) & ~13'd15};

  // Not clocked: the register of the queue's front end shows a command in the cycle of its offer.
  always_ff @(posedge set_i) begin
    command_q[set_channel_i] <= '{
        path: PathLoad, fill: 1'b0,
        source: '{base: source_base_i, row_bytes: source_row_bytes_i, n: source_n_i,
                  stride: source_stride_i},
        target: '{base: target_base_i, row_bytes: target_row_bytes_i, n: target_n_i,
                  stride: target_stride_i},
        transform: '{drop: drop_i ? elements : '0, pad: pad_i ? elements : '0, xor80: xor80_i,
                     pattern: pattern_i}
    };
  end

  dma_load #(
      .Channels(Channels)
  ) u_load (
      .begin_i       (command_q),
      .halt_i        ('0),
      .clear_i       ('0),
      .outstanding_o (),
      .completing_o  (),
      .moving_o      (),
      .write_channel_o(),
      .write_ends_o  (),
      .write_busy_o  (),
      .move_valid_o  (),
      .move_ready_i  ('0),
      .move_o        (),
      .handed_i      ('0),
      .handed_burst_i('0),
      .*
  );

endmodule
