// Compare slots: once the counter of an enabled one has reached its value, the slot fires and turns
// itself off. The comparison is registered (1 cycle), then enable and status change (1). A write of
// its control drops what is under way.
`include "rtl/common/assert.svh"

module sync_slots #(
    parameter int unsigned Counters = 64,
    parameter int unsigned Slots    = 8,   // that compare; the others only keep what is written
    localparam int unsigned All     = sync_pkg::SlotCount,
    localparam int unsigned IdBits  = $clog2(Counters)
) (
    input logic clk_i,
    input logic rst_ni,

    input logic                [31:0]    count_i[Counters],
    input sync_pkg::slot_out_t [All-1:0] slot_i,

    output logic [All-1:0] enable_o,
    output logic [All-1:0] fire_o,
    output logic [All-1:0] far_o     // compares with more than 2^30 ahead
);

  logic [All-1:0] enable_q, met_q, met_d;

  always_comb begin
    for (int unsigned j = 0; j < All; ++j) begin
      logic [31:0] count;
      logic [1:0]  past;   // bits 31:30 of how far the counter is past the value
      logic        on;
      on        = enable_q[j] && slot_i[j].control_id != '0 && j < Slots;
      count     = 32'(slot_i[j].control_id) < Counters ? count_i[IdBits'(slot_i[j].control_id)]
                                                       : '0;
      past      = 2'((count - slot_i[j].value) >> 30);
      met_d[j]  = on && !past[1] && !met_q[j] && !slot_i[j].control_write;
      far_o[j]  = on && past == 2'b10;
      fire_o[j] = met_q[j] && !slot_i[j].control_write;
    end
  end
  assign enable_o = enable_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      enable_q <= '0;
      met_q    <= '0;
    end else begin
      met_q <= met_d;
      for (int unsigned j = 0; j < All; ++j) begin
        if (slot_i[j].control_write) enable_q[j] <= slot_i[j].control_enable;
        else if (met_q[j]) enable_q[j] <= 1'b0;
      end
    end
  end

  // ---------------------------------------------------------------------------------- assertions
  `PRESIL_ASSERT(OnlyEnabledSlotsFire_A, (fire_o & ~enable_q) == '0)

endmodule
