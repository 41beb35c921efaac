// Multiply and tree (one cycle), accumulate or hand to post-processing (one cycle). Nothing stalls
// here.
module dla_array
  import dla_pkg::*;
  import dla_engine_pkg::*;
#(
    parameter int unsigned MacsK = 16,
    parameter int unsigned MacsC = 16,
    parameter int unsigned AccDepth = 128
) (
    input  logic                             clk_i,
    input  logic                             rst_ni,
    input  command_t [1:0]                   cmd_i,
    input  logic                             valid_i,
    input  step_t                            step_i,
    input  logic                             set_i,
    input  logic     [15:0][7:0]             x_i   [MacsC/16],
    input  logic     [3:0][3:0][15:0][7:0]   taps_i[MacsK/16],
    input  logic     [3:0][3:0]              tap_inside_i,
    input  logic signed [8:0]                weights_i[2][MacsK][MacsC],
    input  logic     [MacsK-1:0][31:0]       init_i,    // bias or partial sums of this step
    output logic                             valid_o,
    output step_t                            step_o,
    output logic     [MacsK-1:0][31:0]       acc_o
);
  logic op_max, op_sum, op_dw;
  always_comb begin
    op_max = cmd_i[step_i.slot].op == OpMaxpool;
    op_dw  = cmd_i[step_i.slot].op == OpDwconv;
    op_sum = cmd_i[step_i.slot].op == OpSumpool || cmd_i[step_i.slot].op == OpPass;
  end

  // Taps of this chunk; pools: inside the image (the padding of dwconv and pass counts).
  logic use_tap[4][4];
  always_comb begin
    for (int r = 0; r < 4; r++) begin
      for (int x = 0; x < 4; x++) begin
        use_tap[r][x] = 3'(r) < step_i.rows && 3'(x) + step_i.columns >= 3'd4 &&
                        (tap_inside_i[r][x] || op_dw || cmd_i[step_i.slot].op == OpPass);
      end
    end
  end

  int x_int[MacsC];
  int sum[MacsK];
  int sum_q[MacsK];
  logic valid_q, max_q;
  step_t step_q;
  logic [MacsK-1:0][31:0] init_q;

  // Of output channel k; read only where an operation uses it, which spares simulation the others.
  function automatic int tap_at(input int k, input int t);
    return use_tap[t/4][t%4] ? 32'($signed(taps_i[k/16][t/4][t%4][k%16])) : 32'd0;
  endfunction

  always_comb begin
    for (int i = 0; i < MacsC; i++) x_int[i] = 32'($signed(x_i[i/16][i%16]));
    for (int k = 0; k < MacsK; k++) begin
      sum[k] = op_max ? -32'd128 : 32'd0;
    end
    if (valid_i) begin
      if (op_dw) begin
        for (int k = 0; k < MacsK; k++) begin
          for (int t = 0; t < 16; t++) sum[k] += tap_at(k, t) * 32'(weights_i[set_i][k][t]);
        end
      end else if (op_max) begin
        for (int k = 0; k < MacsK; k++) begin
          for (int t = 0; t < 16; t++) begin
            if (use_tap[t/4][t%4] && tap_at(k, t) > sum[k]) sum[k] = tap_at(k, t);
          end
        end
      end else if (op_sum) begin
        for (int k = 0; k < MacsK; k++) begin
          for (int t = 0; t < 16; t++) sum[k] += tap_at(k, t);
        end
      end else if (cmd_i[step_i.slot].packed_) begin
        for (int k = 0; k < MacsK; k++) begin
          for (int i = 0; i < 16; i++) sum[k] += x_int[i] * 32'(weights_i[set_i][k][i]);
        end
      end else begin
        for (int k = 0; k < MacsK; k++) begin
          for (int i = 0; i < MacsC; i++) sum[k] += x_int[i] * 32'(weights_i[set_i][k][i]);
        end
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) valid_q <= 1'b0;
    else valid_q <= valid_i;
  end
  always_ff @(posedge clk_i) begin
    if (valid_i) begin
      sum_q  <= sum;
      step_q <= step_i;
      max_q  <= op_max;
      init_q <= init_i;
    end
  end

  // Accumulators: one read, one write a cycle.
  int acc_q[AccDepth][MacsK];
  always_comb begin
    for (int k = 0; k < MacsK; k++) begin
      acc_o[k] = '0;
      if (valid_q) begin
        if (max_q) begin
          acc_o[k] = step_q.first_pass || sum_q[k] > acc_q[step_q.index][k] ? sum_q[k] :
                     acc_q[step_q.index][k];
        end else begin
          acc_o[k] = (step_q.first_pass ? init_q[k] : acc_q[step_q.index][k]) + sum_q[k];
        end
      end
    end
  end
  always_ff @(posedge clk_i) begin
    if (valid_q && !step_q.last_pass) begin
      for (int k = 0; k < MacsK; k++) acc_q[step_q.index][k] <= acc_o[k];
    end
  end
  assign valid_o = valid_q && step_q.last_pass;
  assign step_o  = step_q;
endmodule
