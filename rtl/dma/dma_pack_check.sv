// Whether the lengths of a copy with packed elements hold whole elements (rules R7, R8): 22 cycles from
// its offer to when it can begin, two bits of the quotient a cycle; channels one after the other.
// Lengths are below 2^32 and elem_bytes is not 0 (dma_check).
module dma_pack_check #(
    parameter int unsigned Channels = 4
) (
    input  logic                             clk_i,
    input  logic                             rst_ni,
    input  logic [Channels-1:0]              wants_i,    // until the answer, or until the offer is gone
    input  dma_pkg::command_t [Channels-1:0] command_i,
    output logic [Channels-1:0]              answer_o,
    output presil_pkg::queue_error_t         error_o     // code none: fine
);

  localparam int unsigned ChannelBits = Channels > 1 ? $clog2(Channels) : 1;
  typedef logic [ChannelBits-1:0] channel_t;

  localparam logic [4:0] Multiplies = 5'd4, Divides = 5'd16;

  logic        busy_q;
  logic [4:0]  step_q;
  logic [31:0] source_q, target_q, quotient_q;
  logic [12:0] rest_q, divisor, factor, rest;
  logic [31:0] quotient;
  logic [44:0] product;
  logic        pads, done;
  channel_t    channel_q, next;
  dma_pkg::command_t command;

  always_comb begin
    next = channel_q;
    for (int unsigned c = 0; c < Channels; c++) if (!busy_q && wants_i[c]) next = channel_t'(c);
    answer_o            = '0;
    answer_o[channel_q] = done;
  end
  assign command = command_i[next];

  assign pads    = command.pack == dma_pkg::PackPad;
  assign divisor = pads ? 13'(command.elem_bytes) : (13'(command.elem_bytes) + 13'd15) & ~13'd15;
  assign factor  = pads ? (13'(command.elem_bytes) + 13'd15) & ~13'd15 : 13'(command.elem_bytes);
  assign product = 45'(quotient_q) * 45'(factor);

  // Two steps of a restoring division; the dividend leaves quotient_q at the top.
  logic [13:0] shifted;
  always_comb begin
    rest     = rest_q;
    quotient = quotient_q;
    shifted  = '0;
    for (int i = 0; i < 2; i++) begin
      shifted  = {rest, quotient[31]};
      quotient = {quotient[30:0], shifted >= 14'(divisor)};
      rest     = shifted >= 14'(divisor) ? 13'(shifted - 14'(divisor)) : 13'(shifted);
    end
  end

  assign done = busy_q && step_q == Multiplies + Divides;
  always_comb begin
    error_o = '0;
    if (rest_q != '0) begin
      error_o = '{code: queue_pkg::ErrorCodeStreamLength, word: 8'd8, default: '0};
    end else if (product != 45'(target_q)) begin
      error_o = '{code: queue_pkg::ErrorCodeStreamLength, word: 8'd16, default: '0};
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      busy_q     <= 1'b0;
      channel_q  <= '0;
      step_q     <= '0;
      source_q   <= '0;
      target_q   <= '0;
      quotient_q <= '0;
      rest_q     <= '0;
    end else if (busy_q && !wants_i[channel_q]) begin
      busy_q <= 1'b0;
    end else if (!busy_q) begin
      busy_q    <= |wants_i;
      channel_q <= next;
      step_q   <= '0;
      source_q <= 32'(command.src_row_bytes);
      target_q <= 32'(command.dst_row_bytes);
    end else if (busy_q) begin
      busy_q <= !done;
      step_q <= step_q + 5'd1;
      if (step_q < Multiplies) begin
        source_q   <= source_q * 32'(command.src_n[step_q[1:0]]);
        target_q   <= target_q * 32'(command.dst_n[step_q[1:0]]);
        quotient_q <= source_q * 32'(command.src_n[step_q[1:0]]);
        rest_q     <= '0;
      end else if (!done) begin
        quotient_q <= quotient;
        rest_q     <= rest;
      end
    end
  end

endmodule
