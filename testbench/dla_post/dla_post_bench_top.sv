// dla_post with flat ports: the two commands in flight as their words.
module dla_post_bench_top
  import dla_pkg::*;
  import dla_post_pkg::*;
#(
    parameter int unsigned MacsK = 16,
    parameter int unsigned PostLanes = 16,
    parameter int unsigned EwLanes = 8,
    localparam int unsigned Groups = MacsK / 16
) (
    input  logic                          clk_i,
    input  logic                          rst_ni,
    input  logic [CommandWords*32-1:0]    words0_i,
    input  logic [CommandWords*32-1:0]    words1_i,
    input  logic                          valid_i,
    output logic                          ready_o,
    input  logic                          slot_i,
    input  logic [MacsK-1:0][31:0]        acc_i,
    input  logic [MacsK-1:0][31:0]        multiplier_i,
    input  logic [MacsK-1:0][7:0]         shift_i,
    input  logic [Groups-1:0][4:0]        lanes_i,
    input  logic [7:0]                    user_i,
    input  logic                          res_valid_i,
    output logic                          res_ready_o,
    input  logic [Groups-1:0][127:0]      res_data_i,
    input  logic                          lut_we_i,
    input  logic                          lut_slot_i,
    input  logic [3:0]                    lut_row_i,
    input  logic [127:0]                  lut_data_i,
    output logic                          valid_o,
    input  logic                          ready_i,
    output logic [Groups-1:0][127:0]      data_o,
    output logic [1:0]                    word_o,
    output logic                          last_o,
    output logic [7:0]                    user_o
);
  post_command_t cmd[2];
  assign cmd[0] = post_command(unpack(words0_i));
  assign cmd[1] = post_command(unpack(words1_i));

  dla_post #(
      .MacsK(MacsK),
      .PostLanes(PostLanes),
      .EwLanes(EwLanes),
      .UserBits(8)
  ) u_post (
      .cmd_i(cmd),
      .lut_line_i(lut_row_i),
      .*
  );
endmodule
