// One access over several SRAM ports: each asks until it is granted, all before the next access.
`include "rtl/common/assert.svh"

module dla_grant #(
    parameter int unsigned Ports = 4
) (
    input  logic             clk_i,
    input  logic             rst_ni,
    input  logic             valid_i,
    input  logic [Ports-1:0] mask_i,
    output logic [Ports-1:0] req_o,
    input  logic [Ports-1:0] gnt_i,
    output logic             done_o
);
  logic [Ports-1:0] got_q;
  assign req_o  = valid_i ? mask_i & ~got_q : '0;
  assign done_o = valid_i && (req_o & ~gnt_i) == '0;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) got_q <= '0;
    else if (valid_i) got_q <= done_o ? '0 : got_q | gnt_i;
  end

  // ---- Assertions ----
  `PRESIL_ASSERT(GrantOnlyWhatIsAsked_A, (gnt_i & ~req_o) == '0)
endmodule
