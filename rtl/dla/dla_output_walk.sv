// Addresses of pixels in the order in which they leave the array: groups of output channels, rows,
// columns, words of a pixel. For the second operand and for the output.
module dla_output_walk #(
    parameter int unsigned Groups = 1
) (
    input  logic                    clk_i,
    input  logic                    rst_ni,
    input  logic                    load_i,   // from the first pixel
    input  logic                    next_i,
    input  logic [9:0]              groups_i,
    input  logic [9:0]              blocks_i,
    input  logic [11:0]             rows_i,
    input  logic [11:0]             columns_i,
    input  logic                    four_i,   // words of a pixel: four, else one
    input  logic                    square_i, // the four are a 2 x 2 square of pixels
    input  logic [23:0]             base_i,
    input  logic [23:0]             row_pitch_i,
    input  logic [23:0]             block_pitch_i,
    input  logic [11:0]             x_step_i,
    output logic [Groups-1:0]       mask_o,
    output logic [Groups-1:0][23:0] addr_o,
    output logic                    last_word_o,  // of the pixel
    output logic                    last_o
);
  logic [9:0]  group_q;
  logic [11:0] y_q, x_q;
  logic [1:0]  word_q;
  logic last_x, last_y;
  assign last_x = x_q == columns_i - 12'd1;
  assign last_y = y_q == rows_i - 12'd1;
  assign last_word_o = !four_i || word_q == 2'd3;
  assign last_o = last_word_o && last_x && last_y && group_q == groups_i - 10'd1;

  logic [12:0] row, column;
  logic [23:0] inner;
  always_comb begin
    row = square_i ? {y_q, word_q[1]} : {1'b0, y_q};
    column = square_i ? {x_q, word_q[0]} : {1'b0, x_q};
    inner = square_i || !four_i ? '0 : 24'(word_q) << 4;
    for (int g = 0; g < Groups; g++) begin
      mask_o[g] = 32'(group_q) * Groups + g < 32'(blocks_i);
      addr_o[g] = base_i + 24'(32'(group_q) * Groups + g) * block_pitch_i +
                  24'(row) * row_pitch_i + 24'(column) * 24'(x_step_i) + inner;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {group_q, y_q, x_q, word_q} <= '0;
    else if (load_i) {group_q, y_q, x_q, word_q} <= '0;
    else if (next_i) begin
      word_q <= last_word_o ? '0 : word_q + 2'd1;
      if (last_word_o) begin
        x_q <= last_x ? '0 : x_q + 12'd1;
        if (last_x) y_q <= last_y ? '0 : y_q + 12'd1;
        if (last_x && last_y) group_q <= group_q + 10'd1;
      end
    end
  end
endmodule
