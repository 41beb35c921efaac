// The SRAM write port: bursts of loads and pieces of local copies whole. Loads go first: a piece gets its
// turn when there has been no word of a load for 8 cycles, or it has waited for 40, about as far ahead
// as the model books the port for reads that the DRAM has decided.
`include "rtl/common/assert.svh"

module dma_sram_write (
    input  logic         clk_i,
    input  logic         rst_ni,
    input  logic         load_valid_i,
    output logic         load_ready_o,
    input  logic [23:0]  load_address_i,
    input  logic [127:0] load_data_i,
    input  logic [15:0]  load_strobe_i,
    input  logic [2:0]   load_channel_i,
    input  logic         load_ends_i,      // the word ends its burst
    input  logic         load_busy_i,      // words of a burst are to come
    input  logic         local_valid_i,
    output logic         local_ready_o,
    input  logic [23:0]  local_address_i,
    input  logic [127:0] local_data_i,
    input  logic [15:0]  local_strobe_i,
    input  logic [2:0]   local_channel_i,
    input  logic         local_busy_i,     // words of a piece are to come
    output logic         sram_w_valid_o,
    input  logic         sram_w_ready_i,
    output logic [23:0]  sram_w_addr_o,
    output logic [127:0] sram_w_data_o,
    output logic [15:0]  sram_w_strb_o,
    output logic [2:0]   sram_w_channel_o
);

  localparam logic [5:0] Patience = 6'd40;
  localparam logic [3:0] Quiet    = 4'd8;

  logic       local_turn_q, local_now, load_now, boundary;
  logic [5:0] waited_q;
  logic [3:0] quiet_q;

  assign boundary       = !load_busy_i || (load_now && sram_w_ready_i && load_ends_i);
  assign local_now      = local_valid_i && local_turn_q;
  assign load_now       = load_valid_i && !local_now && !(local_turn_q && local_busy_i);
  assign sram_w_valid_o = local_now || load_now;
  assign sram_w_addr_o  = local_now ? local_address_i : load_address_i;
  assign sram_w_data_o  = local_now ? local_data_i : load_data_i;
  assign sram_w_strb_o  = local_now ? local_strobe_i : load_strobe_i;
  assign sram_w_channel_o = local_now ? local_channel_i : load_channel_i;
  assign local_ready_o  = sram_w_ready_i && local_now;
  assign load_ready_o   = sram_w_ready_i && load_now;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      local_turn_q <= 1'b0;
      waited_q     <= '0;
      quiet_q      <= Quiet;
    end else begin
      if (load_busy_i) quiet_q <= '0;
      else if (quiet_q != Quiet) quiet_q <= quiet_q + 4'd1;
      if (!local_busy_i || local_turn_q) waited_q <= '0;
      else if (waited_q != Patience) waited_q <= waited_q + 6'd1;
      local_turn_q <= local_busy_i &&
                      (local_turn_q || (boundary && (waited_q == Patience ||
                                                     (quiet_q == Quiet && !load_busy_i))));
    end
  end

  // ---------------------------------------------------------------------------------- assertions

  `PRESIL_STAYS(Word_stays_until_it_is_taken_A,
      sram_w_valid_o && !sram_w_ready_i, sram_w_valid_o, sram_w_addr_o)

endmodule
