// A FIFO of three 32-bit words, then a register: what stream_test.cpp drives.
module stream_top (
    input  logic        clk_i,
    input  logic        rst_ni,
    input  logic        clear_i,
    input  logic        in_valid_i,
    output logic        in_ready_o,
    input  logic [31:0] in_data_i,
    output logic        out_valid_o,
    input  logic        out_ready_i,
    output logic [31:0] out_data_o,
    output logic [1:0]  count_o
);

  logic        middle_valid, middle_ready;
  logic [31:0] middle_data;

  stream_fifo #(
      .T    (logic [31:0]),
      .Depth(3)
  ) u_fifo (
      .out_valid_o(middle_valid),
      .out_ready_i(middle_ready),
      .out_data_o (middle_data),
      .*
  );

  stream_register #(
      .T(logic [31:0])
  ) u_register (
      .in_valid_i(middle_valid),
      .in_ready_o(middle_ready),
      .in_data_i (middle_data),
      .*
  );

endmodule
