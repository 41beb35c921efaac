// Whether the lengths of a copy with packed elements hold whole elements, and whether rows and elements
// divide each other (rules R7, R8): 22 cycles from its offer to when it can begin, two bits of each
// quotient a cycle; channels one after the other. Lengths are below 2^32, elem_bytes and rows not 0
// (dma_check).
module dma_pack_check #(
    parameter int unsigned Channels = 4
) (
    input  logic                             clk_i,
    input  logic                             rst_ni,
    input  logic [Channels-1:0]              request_i,    // until the answer, or until the offer is gone
    input  dma_pkg::command_t                command_i[Channels],
    output logic [Channels-1:0]              answer_o,
    output presil_pkg::queue_error_t         error_o     // code none: fine
);

  localparam int unsigned ChannelBits = Channels > 1 ? $clog2(Channels) : 1;
  typedef logic [ChannelBits-1:0] channel_t;

  localparam logic [4:0] Multiplies = 5'd4, Divides = 5'd16, DividesRow = 5'd12;

  // A restoring division on its way: what is left of the dividend leaves `quotient` at the top.
  typedef struct packed {
    logic [31:0] quotient;
    logic [12:0] rest;
  } division_t;

  function automatic division_t two_bits(input division_t now, input logic [12:0] divisor);
    logic [13:0] shifted;
    for (int i = 0; i < 2; i++) begin
      shifted      = {now.rest, now.quotient[31]};
      now.quotient = {now.quotient[30:0], shifted >= 14'(divisor)};
      now.rest     = shifted >= 14'(divisor) ? 13'(shifted - 14'(divisor)) : 13'(shifted);
    end
    return now;
  endfunction

  function automatic logic [23:0] longer(input logic [23:0] row, input logic [12:0] element);
    return row < 24'(element) ? 24'(element) : row;
  endfunction
  function automatic logic [12:0] shorter(input logic [23:0] row, input logic [12:0] element);
    return row < 24'(element) ? 13'(row) : element;
  endfunction

  logic        busy_q;
  logic [4:0]  step_q;
  logic [31:0] source_q, target_q;
  logic [12:0] divisor, factor;  // an element's bytes in the source, in the destination
  logic [44:0] product;
  division_t         whole_q;    // the source by its elements
  division_t   [1:0] rows_q;     // the longer by the shorter of row and element: source, destination
  logic  [1:0][12:0] by_q;
  logic        pads, done;
  channel_t    channel_q, next;
  dma_pkg::command_t command;

  always_comb begin
    next = channel_q;
    for (int unsigned c = 0; c < Channels; c++) if (!busy_q && request_i[c]) next = channel_t'(c);
    answer_o            = '0;
    answer_o[channel_q] = done;
  end
  always_comb begin
    command = '0;
    if (busy_q || request_i != '0) command = command_i[next];
  end

  assign pads    = command.pack == dma_pkg::PackPad;
  assign divisor = pads ? 13'(command.elem_bytes) : (13'(command.elem_bytes) + 13'd15) & ~13'd15;
  assign factor  = pads ? (13'(command.elem_bytes) + 13'd15) & ~13'd15 : 13'(command.elem_bytes);
  assign product = 45'(whole_q.quotient) * 45'(factor);

  assign done = busy_q && step_q == Multiplies + Divides;
  always_comb begin
    error_o = '0;
    if (!done) begin
      error_o = '0;
    end else if (whole_q.rest != '0 || rows_q[0].rest != '0) begin
      error_o = '{code: queue_pkg::ErrorCodeStreamLength, word: 8'd8, default: '0};
    end else if (product != 45'(target_q) || rows_q[1].rest != '0) begin
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
      whole_q    <= '0;
      rows_q     <= '0;
      by_q       <= '0;
    end else if (busy_q && !request_i[channel_q]) begin
      busy_q <= 1'b0;
    end else if (!busy_q) begin
      busy_q    <= |request_i;
      channel_q <= next;
      step_q   <= '0;
      source_q <= 32'(command.src_row_bytes);
      target_q <= 32'(command.dst_row_bytes);
      rows_q[0] <= '{quotient: {longer(command.src_row_bytes, divisor), 8'd0}, rest: '0};
      rows_q[1] <= '{quotient: {longer(command.dst_row_bytes, factor), 8'd0}, rest: '0};
      by_q      <= {shorter(command.dst_row_bytes, factor), shorter(command.src_row_bytes, divisor)};
    end else if (busy_q) begin
      busy_q <= !done;
      step_q <= step_q + 5'd1;
      if (step_q < DividesRow) begin
        for (int s = 0; s < 2; s++) rows_q[s] <= two_bits(rows_q[s], by_q[s]);
      end
      if (step_q < Multiplies) begin
        source_q <= source_q * 32'(command.src_n[step_q[1:0]]);
        target_q <= target_q * 32'(command.dst_n[step_q[1:0]]);
        whole_q  <= '{quotient: source_q * 32'(command.src_n[step_q[1:0]]), rest: '0};
      end else if (!done) begin
        whole_q <= two_bits(whole_q, divisor);
      end
    end
  end

endmodule
