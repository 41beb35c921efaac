// The channels' fetches on one AXI read port, id = channel; an address in turn, round robin.
`include "rtl/common/assert.svh"

module dma_fetch #(
    parameter int unsigned Channels = 4
) (
    input  logic                      clk_i,
    input  logic                      rst_ni,
    input  logic [Channels-1:0]       valid_i,
    output logic [Channels-1:0]       ready_o,
    input  logic [Channels-1:0][39:0] addr_i,
    input  logic [Channels-1:0][7:0]  len_i,
    output logic                      ar_valid_o,
    input  logic                      ar_ready_i,
    output logic [2:0]                ar_id_o,
    output logic [39:0]               ar_addr_o,
    output logic [7:0]                ar_len_o
);

  localparam int unsigned ChannelBits = Channels > 1 ? $clog2(Channels) : 1;
  typedef logic [ChannelBits-1:0] channel_t;

  logic     held_q;  // the one shown before waits for ready
  channel_t last_q, now;

  always_comb begin
    now = last_q;
    for (int unsigned i = Channels; i > 0; i--) begin
      automatic channel_t c = channel_t'((32'(last_q) + i) % Channels);
      if (!held_q && valid_i[c]) now = c;
    end
    ready_o      = '0;
    ready_o[now] = ar_ready_i;
  end

  assign ar_valid_o = valid_i[now];
  assign ar_id_o    = 3'(now);
  assign ar_addr_o  = addr_i[now];
  assign ar_len_o   = len_i[now];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      held_q <= 1'b0;
      last_q <= channel_t'(Channels - 1);
    end else if (ar_valid_o) begin
      held_q <= !ar_ready_i;
      last_q <= now;
    end
  end

  // ---------------------------------------------------------------------------------- assertions

  `PRESIL_STAYS(Address_holds_until_taken_A,
      ar_valid_o && !ar_ready_i, ar_valid_o, {ar_addr_o, ar_id_o})

endmodule
