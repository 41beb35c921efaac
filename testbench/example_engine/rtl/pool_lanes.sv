// The values of 16 channels, from the words read to the words written: a tap a cycle. A result
// leaves seven cycles after its last word has been asked for: one of memory, one to gather, one to
// make it a quotient's numerator, four to divide, two bits each.
module pool_lanes
  import pool_pkg::*;
(
    input logic clk_i,
    input logic rst_ni,

    input logic [3:0]        op_i,
    input logic              rounding_i,
    input logic signed [7:0] clamp_low_i,
    input logic signed [7:0] clamp_high_i,

    input logic         valid_i,  // a tap has been asked for in this cycle; its word comes in the next
    input logic         first_i,
    input logic         last_i,
    input logic [8:0]   count_i,
    input logic [22:0]  weight_i,
    input logic [127:0] word_i,

    output logic         valid_o,
    output logic [127:0] word_o,
    output logic         busy_o  // a result is on its way
);
  localparam int unsigned Lanes = 16, Stages = 4;

  // ------------------------------------------------------------------------------------- control
  logic tap_q, first_q, last_q;
  logic [22:0] weight_q;
  logic [1:0][8:0] count_q;
  logic [Stages+1:0] valid_q;  // the sum; its numerator; a bit for each stage of the division
  logic [Stages:0][8:0] divisor_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {tap_q, valid_q} <= '0;
    end else begin
      tap_q   <= valid_i;
      valid_q <= {valid_q[Stages:0], tap_q && last_q};
    end
  end
  always_ff @(posedge clk_i) begin
    {first_q, last_q, weight_q} <= {first_i, last_i, weight_i};
    count_q   <= {count_q[0], count_i};
    divisor_q <= {divisor_q[Stages-1:0], count_q[1]};
  end
  assign valid_o = valid_q[Stages+1];
  assign busy_o  = tap_q || valid_q != '0;

  // --------------------------------------------------------------------------------------- lanes
  for (genvar lane = 0; lane < int'(Lanes); lane++) begin : gen_lane
    logic signed [7:0]  tap, value;
    logic signed [31:0] sum_q, so_far, weighted;
    assign tap      = word_i[8*lane+:8];
    assign so_far   = first_q ? 32'sd0 : sum_q;
    assign weighted = 32'(tap) * $signed({9'd0, weight_q});
    always_ff @(posedge clk_i) begin
      if (tap_q) begin
        unique case (op_i)
          OpAverage:  sum_q <= so_far + 32'(tap);
          OpBilinear: sum_q <= so_far + weighted;
          OpMax:      sum_q <= first_q || 32'(tap) > sum_q ? 32'(tap) : sum_q;
          default:    sum_q <= 32'(tap);
        endcase
      end
    end

    // -- What is divided: the magnitude, or, where ties go up, how far it is above -128. Halves of
    // the divisor make it round. What is not divided goes through as the quotient.
    logic               up, negative;
    logic        [31:0] magnitude;
    logic signed [31:0] between;
    logic        [16:0] numerator;
    assign up        = rounding_i == RoundingUp;
    assign negative  = !up && sum_q < 0;
    assign magnitude = up ? sum_q + {16'd0, count_q[1], 7'd0} : negative ? -sum_q : sum_q;
    assign numerator = 17'(magnitude) + 17'(count_q[1][8:1]);
    // Towards zero, as a quotient: what is below 0 is moved up by all but one of the shift's units.
    assign between   = up ? (sum_q + 32'sh0020_0000) >>> 22
                          : (sum_q > 0 ? sum_q + 32'sh0008_0000 : sum_q - 32'sh0008_0000 + 32'sh000f_ffff) >>> 20;

    logic [Stages:0][16:0] rest_q;
    logic [Stages:0][7:0]  quotient_q;
    logic [Stages:0]       negative_q;
    always_ff @(posedge clk_i) begin
      rest_q[0]     <= numerator;
      quotient_q[0] <= op_i == OpBilinear ? between[7:0] : sum_q[7:0];
      negative_q    <= {negative_q[Stages-1:0], negative};
      for (int s = 0; s < int'(Stages); s++) begin
        automatic logic [16:0] rest = rest_q[s];
        automatic logic [7:0]  quotient = quotient_q[s];
        for (int b = 0; b < 2; b++) begin
          automatic int          place = 7 - 2 * s - b;
          automatic logic [16:0] part = 17'(divisor_q[s]) << place;
          automatic logic        fits = rest >= part;
          if (op_i == OpAverage) begin
            quotient[place] = fits;
            if (fits) rest = rest - part;
          end
        end
        rest_q[s+1]     <= rest;
        quotient_q[s+1] <= quotient;
      end
    end

    always_comb begin
      value = quotient_q[Stages];
      if (op_i == OpAverage) begin
        if (up) value = 8'(quotient_q[Stages] - 8'd128);
        else if (negative_q[Stages]) value = 8'(-quotient_q[Stages]);
      end
      if (value < clamp_low_i) value = clamp_low_i;
      else if (value > clamp_high_i) value = clamp_high_i;
    end
    assign word_o[8*lane+:8] = value;
  end
endmodule
