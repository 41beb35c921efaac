// Weight sets, window of taps; multiply and tree (one cycle), accumulate or hand to post-processing
// (one cycle). Nothing stalls here.
module dla_array
  import dla_pkg::*;
  import dla_engine_pkg::*;
#(
    parameter int unsigned MacsK = 16,
    parameter int unsigned MacsC = 16,
    parameter int unsigned AccDepth = 128,
    parameter int unsigned WeightPorts = 1,
    localparam int unsigned GroupsK = MacsK / 16,
    localparam int unsigned GroupsC = MacsC / 16
) (
    input  logic                               clk_i,
    input  logic                               rst_ni,
    input  command_t                           cmd_i[2],
    // a line of a weight set: 16 lanes of an output channel a port
    input  logic                               weights_we_i,
    input  logic                               weights_set_i,
    input  logic     [9:0]                     weights_line_i,  // from the set's first word on
    input  logic                               weights_wide_i,  // MacsC lanes a channel, else 16
    input  logic signed [8:0]                  weights_zero_i,
    input  logic     [WeightPorts-1:0][127:0]  weights_data_i,
    // a column for the window
    input  logic                               column_valid_i,
    input  logic     [GroupsK-1:0][3:0][127:0] column_i,
    input  logic     [3:0]                     column_inside_i,
    // a step
    input  logic                               valid_i,
    input  step_t                              step_i,
    input  logic                               set_i,
    input  logic     [GroupsC-1:0][127:0]      x_i,
    input  logic     [MacsK-1:0][31:0]         init_i,  // of its first pass: bias or partial sums
    output logic                               valid_o,
    output step_t                              step_o,
    output logic     [MacsK-1:0][31:0]         acc_o
);
  // ---- Weights less their zero point: 9 bits each, held as int.
  logic [15:0][31:0] weights_q[2][MacsK][GroupsC];
  always_ff @(posedge clk_i) begin
    if (weights_we_i) begin
      for (int p = 0; p < WeightPorts; p++) begin
        logic [15:0][31:0] lanes;
        int line;
        line = 32'(weights_line_i) * WeightPorts + p;
        for (int i = 0; i < 16; i++) begin
          lanes[i] = 32'($signed(weights_data_i[p][8*i+:8])) - 32'(weights_zero_i);
        end
        if (weights_wide_i && GroupsC > 1) begin
          weights_q[weights_set_i][line/GroupsC][line%GroupsC] <= lanes;
        end else begin
          weights_q[weights_set_i][line][0] <= lanes;
        end
      end
    end
  end

  // ---- Taps: rows of four columns, the newest at the right end.
  logic [3:0][127:0] taps_q[GroupsK][4];
  logic [3:0][3:0] inside_q;  // of the image
  always_ff @(posedge clk_i) begin
    if (column_valid_i) begin
      for (int r = 0; r < 4; r++) begin
        for (int g = 0; g < GroupsK; g++) begin
          taps_q[g][r] <= {column_i[g][r], taps_q[g][r][3:1]};
        end
        inside_q[r] <= {column_inside_i[r], inside_q[r][3:1]};
      end
    end
  end

  // ---- Products and their sum; of a maximum, the largest.
  logic op_max, op_dw, op_conv;
  always_comb begin
    op_conv = cmd_i[step_i.slot].op == OpConv;
    op_max  = cmd_i[step_i.slot].op == OpMaxpool;
    op_dw   = cmd_i[step_i.slot].op == OpDwconv;
  end

  logic [MacsK-1:0][31:0] sum_q, init_q;
  logic valid_q, max_q;
  step_t step_q;
  always_ff @(posedge clk_i) begin
    if (valid_i) begin
      step_q <= step_i;
      max_q  <= op_max;
      if (step_i.first_pass) init_q <= init_i;
      if (op_conv) begin
        for (int k = 0; k < MacsK; k++) begin
          int sum;
          sum = 0;
          for (int i = 0; i < MacsC; i++) begin
            if (i < 16 || !cmd_i[step_i.slot].packed_) begin
              sum += 32'($signed(x_i[i/16][8*(i%16)+:8])) *
                     $signed(weights_q[set_i][k][i/16][i%16]);
            end
          end
          sum_q[k] <= sum;
        end
      end else begin
        for (int k = 0; k < MacsK; k++) begin
          int sum, tap;
          sum = op_max ? -32'd128 : 32'd0;
          for (int t = 0; t < 16; t++) begin
            // Of this chunk; of pools inside the image (the padding of dwconv and pass counts).
            if (3'(t / 4) < step_i.rows && 3'(t % 4) + step_i.columns >= 3'd4 &&
                (inside_q[t/4][t%4] || op_dw || cmd_i[step_i.slot].op == OpPass)) begin
              tap = 32'($signed(taps_q[k/16][t/4][t%4][8*(k%16)+:8]));
              if (op_max) sum = tap > sum ? tap : sum;
              else sum += op_dw ? tap * $signed(weights_q[set_i][k][0][t]) : tap;
            end
          end
          sum_q[k] <= sum;
        end
      end
    end
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) valid_q <= 1'b0;
    else valid_q <= valid_i;
  end

  // ---- Accumulators: one read, one write a cycle.
  logic [MacsK-1:0][31:0] acc_q[AccDepth], old;
  always_comb begin
    old = '0;
    acc_o  = '0;
    if (valid_q) begin
      old = step_q.first_pass ? init_q : acc_q[step_q.index];
      if (!max_q) begin
        for (int k = 0; k < MacsK; k++) acc_o[k] = old[k] + sum_q[k];
      end else begin
        for (int k = 0; k < MacsK; k++) begin
          acc_o[k] = step_q.first_pass || $signed(sum_q[k]) > $signed(old[k]) ? sum_q[k]
                                                                                 : old[k];
        end
      end
    end
  end
  always_ff @(posedge clk_i) begin
    if (valid_q && !step_q.last_pass) acc_q[step_q.index] <= acc_o;
  end
  assign valid_o = valid_q && step_q.last_pass;
  assign step_o  = step_q;
endmodule
