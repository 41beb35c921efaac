// What post-processing needs of a command, and the arithmetic of its rules (README, "Numerics").
// Each rule is two steps with a register between them: a product, then what makes it a number.
// A user of the package need not use all of it; a rounding drops bits that have done their part.
// verilator lint_off UNUSEDPARAM
// verilator lint_off UNUSEDSIGNAL
package dla_post_pkg;
  import dla_pkg::*;

  // Of a command; stays as it is while pixels of the command are in post-processing.
  typedef struct packed {
    rule_e rule;
    logic lut_en, int32;
    ew_op_e ew_op;
    ew_rule_e ew_rule;
    logic signed [15:0] out_zero, act_min, act_max;
    logic [31:0] div_recip;
    logic [15:0] div_count;
    logic signed [15:0] ew_a_zero, ew_b_zero, ew_out_zero, ew_act_min, ew_act_max;
    logic signed [31:0] ew_a_mult, ew_b_mult, ew_out_mult;
    logic signed [5:0] ew_a_shift, ew_b_shift, ew_out_shift;
    logic [4:0] ew_left_shift;
  } post_command_t;

  function automatic post_command_t post_command(input command_t c);
    return '{
        rule: rule_e'(c.rule),
        lut_en: c.lut_en,
        int32: c.out_type == OutTypeInt32,
        ew_op: ew_op_e'(c.ew_op),
        ew_rule: ew_rule_e'(c.ew_rule),
        out_zero: c.out_zero,
        act_min: c.act_min,
        act_max: c.act_max,
        div_recip: c.div_recip,
        div_count: c.div_count,
        ew_a_zero: c.ew_a_zero,
        ew_b_zero: c.ew_b_zero,
        ew_out_zero: c.ew_out_zero,
        ew_act_min: c.ew_act_min,
        ew_act_max: c.ew_act_max,
        ew_a_mult: c.ew_a_mult,
        ew_b_mult: c.ew_b_mult,
        ew_out_mult: c.ew_out_mult,
        ew_a_shift: c.ew_a_shift,
        ew_b_shift: c.ew_b_shift,
        ew_out_shift: c.ew_out_shift,
        ew_left_shift: c.ew_left_shift
    };
  endfunction

  // ---- shifts: positive is left; beyond 31 places counts as 31

  function automatic logic [4:0] left_places(input logic signed [7:0] shift);
    return shift < 0 ? 5'd0 : shift > 8'sd31 ? 5'd31 : shift[4:0];
  endfunction

  function automatic logic [4:0] right_places(input logic signed [7:0] shift);
    return shift >= 0 ? 5'd0 : shift < -8'sd31 ? 5'd31 : 5'(-shift);
  endfunction

  // ---- double rounding

  function automatic logic [63:0] double_product(input logic [31:0] x, input logic [31:0] m,
                                                 input logic [4:0] left);
    logic [31:0] shifted;
    shifted = x << left;
    return 64'($signed(shifted)) * 64'($signed(m));
  endfunction

  // Nearest to p / 2^31: for negative p truncation of (p + 1 - 2^30) / 2^31 is the floor of
  // (p + 2^30) / 2^31, so one addition serves both signs. Then / 2^right, ties away from zero.
  function automatic logic [31:0] double_result(input logic [63:0] p, input logic [4:0] right);
    logic [63:0] sum;
    logic [31:0] h, floor_part, rest, mask, threshold;
    sum = p + 64'h4000_0000;
    h = sum[62:31];
    if (!sum[63] && sum[62]) h = 32'h7fff_ffff;  // -2^31 * -2^31
    mask = (32'd1 << right) - 32'd1;
    rest = h & mask;
    threshold = (mask >> 1) + {31'd0, h[31]};
    floor_part = $signed(h) >>> right;
    return floor_part + {31'd0, rest > threshold};
  endfunction

  function automatic logic [31:0] double_rule(input logic [31:0] x, input logic [31:0] m,
                                              input logic signed [7:0] shift);
    return double_result(double_product(x, m, left_places(shift)), right_places(shift));
  endfunction

  // ---- single rounding: all places to the right, 1..62

  function automatic logic [5:0] single_places(input logic signed [7:0] shift);
    return shift > 8'sd30 ? 6'd1 : shift < -8'sd31 ? 6'd62 : 6'(8'sd31 - shift);
  endfunction

  // |p| is at most 2^62 and half at most 2^61: the sum fits. The result saturates to 32 bits.
  function automatic logic [31:0] single_result(input logic [63:0] p, input logic [5:0] places);
    logic signed [63:0] sum, whole;
    sum = $signed(p + (64'd1 << (places - 6'd1)));
    whole = sum >>> places;
    if (whole > 64'sh7fff_ffff) return 32'h7fff_ffff;
    if (whole < -64'sh8000_0000) return 32'h8000_0000;
    return whole[31:0];
  endfunction

  // ---- float requantisation: float32(x) * scale to the nearest float32, then to the nearest integer

  // A product of two 24-bit significands: its value is product * 2^(exponent - 46), so that
  // `exponent` is the power of its leading bit, or of the one below it.
  typedef struct packed {
    logic negative;
    logic signed [9:0] exponent;
    logic [47:0] product;
  } float_product_t;

  localparam logic signed [9:0] ExponentOfZero = -10'sd256;
  localparam logic signed [9:0] ExponentOfInfinity = 10'sd255;

  function automatic logic [4:0] leading_bit(input logic [31:0] value);
    leading_bit = 5'd0;
    for (int i = 0; i < 32; i++) if (value[i]) leading_bit = 5'(i);
  endfunction

  function automatic float_product_t float_product(input logic [31:0] x, input logic [31:0] scale);
    logic [31:0] size, normal;
    logic [4:0] top;
    logic [24:0] rounded;
    logic signed [9:0] power;
    size = x[31] ? -x : x;
    top = leading_bit(size);
    normal = size << (5'd31 - top);  // leading bit at 31: 24 bits kept, 8 rounded off
    rounded = {1'b0, normal[31:8]} +
              {24'd0, normal[7] && (normal[8] || normal[6:0] != 7'd0)};
    power = $signed({5'd0, top});
    if (rounded[24]) begin
      rounded = rounded >> 1;
      power = power + 10'sd1;
    end
    float_product.negative = x[31] ^ scale[31];
    float_product.product = 48'(rounded[23:0]) * 48'({1'b1, scale[22:0]});
    float_product.exponent = power + $signed({2'b0, scale[30:23]}) - 10'sd127;
    // A subnormal scale is below 2^-126, and |x| at most 2^31: nothing is left of the product.
    if (x == 32'd0 || scale[30:23] == 8'd0) float_product.exponent = ExponentOfZero;
    else if (scale[30:23] == 8'hff) begin  // infinity; a NaN counts as 0
      float_product.exponent = scale[22:0] == 23'd0 ? ExponentOfInfinity : ExponentOfZero;
    end
  endfunction

  function automatic logic [31:0] float_result(input float_product_t p);
    logic [47:0] normal;
    logic [24:0] significand, whole;
    logic signed [9:0] power;
    logic [48:0] fixed;  // the significand with 24 binary places, shifted right
    logic [4:0] right;
    logic [31:0] size;
    // float32: 24 bits kept, 24 rounded off
    normal = p.product[47] ? p.product : p.product << 1;
    power = p.exponent + (p.product[47] ? 10'sd1 : 10'sd0);
    significand = {1'b0, normal[47:24]} +
                  {24'd0, normal[23] && (normal[24] || normal[22:0] != 23'd0)};
    // value = significand * 2^(power - 23)
    right = 5'(10'sd23 - power);
    fixed = {significand, 24'd0} >> right;
    whole = fixed[48:24] + {24'd0, fixed[23] && (fixed[24] || fixed[22:0] != 23'd0)};
    if (power > 10'sd30) size = 32'h8000_0000;
    else if (power >= 10'sd23) size = 32'(significand) << 5'(power - 10'sd23);
    else if (power >= -10'sd1) size = 32'(whole);
    else size = 32'd0;  // below 1/2, or 1/2 after rounding: a tie, and 0 is even
    if (p.negative) return -size;
    return size[31] ? 32'h7fff_ffff : size;
  endfunction

  // ---- rule divide: the product with the reciprocal; its upper half is the quotient

  function automatic logic [63:0] divide_product(input logic [31:0] x, input logic [15:0] count,
                                                 input logic [31:0] reciprocal);
    logic [31:0] size;
    size = (x[31] ? -x : x) + {17'd0, count[15:1]};
    return 64'(size) * 64'(reciprocal);
  endfunction

  // ---- what every rule ends with

  function automatic logic [7:0] clamped(input logic [31:0] v, input logic signed [15:0] zero,
                                         input logic signed [15:0] low,
                                         input logic signed [15:0] high);
    logic signed [32:0] sum;
    sum = 33'($signed(v)) + 33'(zero);
    if (sum < 33'(low)) return low[7:0];
    if (sum > 33'(high)) return high[7:0];
    return sum[7:0];
  endfunction
endpackage
// verilator lint_on UNUSEDSIGNAL
// verilator lint_on UNUSEDPARAM
