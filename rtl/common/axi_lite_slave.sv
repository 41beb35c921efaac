// AXI4-Lite to a register bus: one access a cycle, answered in that cycle. No input reaches an
// output of the same cycle: an address or datum that has come waits in a place of its own. What came
// in cycle t acts in t + 1 (a write before a read) and is answered in t + 2. A write of fewer than
// four bytes is refused.
`include "rtl/common/assert.svh"

module axi_lite_slave (
    input logic clk_i,
    input logic rst_ni,

    input  logic        cfg_aw_valid_i,
    output logic        cfg_aw_ready_o,
    input  logic [15:0] cfg_aw_addr_i,
    input  logic        cfg_w_valid_i,
    output logic        cfg_w_ready_o,
    input  logic [31:0] cfg_w_data_i,
    input  logic [3:0]  cfg_w_strb_i,
    output logic        cfg_b_valid_o,
    input  logic        cfg_b_ready_i,
    output logic [1:0]  cfg_b_resp_o,
    input  logic        cfg_ar_valid_i,
    output logic        cfg_ar_ready_o,
    input  logic [15:0] cfg_ar_addr_i,
    output logic        cfg_r_valid_o,
    input  logic        cfg_r_ready_i,
    output logic [31:0] cfg_r_data_o,
    output logic [1:0]  cfg_r_resp_o,

    output logic        reg_write_o,
    output logic        reg_read_o,
    output logic [15:0] reg_offset_o,
    output logic [31:0] reg_wdata_o,
    input  logic [31:0] reg_rdata_i,
    input  logic        reg_error_i   // SLVERR
);

  localparam logic [1:0] Okay = 2'b00, SlvErr = 2'b10;

  logic aw_q, w_q, ar_q;  // an address or datum waits
  logic [15:0] aw_addr_q, ar_addr_q;
  logic [31:0] w_data_q;
  logic        w_whole_q, write;

  assign cfg_aw_ready_o = !aw_q;
  assign cfg_w_ready_o  = !w_q;
  assign cfg_ar_ready_o = !ar_q;

  assign write        = aw_q && w_q && !cfg_b_valid_o;
  assign reg_write_o  = write && w_whole_q;
  assign reg_read_o   = ar_q && !cfg_r_valid_o && !write;
  assign reg_offset_o = write ? aw_addr_q : ar_addr_q;
  assign reg_wdata_o  = w_data_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {aw_q, w_q, ar_q} <= '0;
      {cfg_b_valid_o, cfg_r_valid_o} <= '0;
    end else begin
      aw_q          <= aw_q ? !write : cfg_aw_valid_i;
      w_q           <= w_q ? !write : cfg_w_valid_i;
      ar_q          <= ar_q ? !reg_read_o : cfg_ar_valid_i;
      cfg_b_valid_o <= cfg_b_valid_o ? !cfg_b_ready_i : write;
      cfg_r_valid_o <= cfg_r_valid_o ? !cfg_r_ready_i : reg_read_o;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!aw_q) aw_addr_q <= cfg_aw_addr_i;
    if (!w_q) {w_whole_q, w_data_q} <= {&cfg_w_strb_i, cfg_w_data_i};
    if (!ar_q) ar_addr_q <= cfg_ar_addr_i;
    if (write) cfg_b_resp_o <= reg_error_i || !w_whole_q ? SlvErr : Okay;
    if (reg_read_o) begin
      cfg_r_data_o <= reg_error_i ? '0 : reg_rdata_i;
      cfg_r_resp_o <= reg_error_i ? SlvErr : Okay;
    end
  end

  // ---------------------------------------------------------------------------------- assertions
  `PRESIL_STAYS(AwStays_A, cfg_aw_valid_i && !cfg_aw_ready_o, cfg_aw_valid_i, cfg_aw_addr_i)
  `PRESIL_STAYS(WStays_A,
      cfg_w_valid_i && !cfg_w_ready_o, cfg_w_valid_i, {cfg_w_data_i, cfg_w_strb_i})
  `PRESIL_STAYS(ArStays_A, cfg_ar_valid_i && !cfg_ar_ready_o, cfg_ar_valid_i, cfg_ar_addr_i)
  `PRESIL_STAYS(BStays_A, cfg_b_valid_o && !cfg_b_ready_i, cfg_b_valid_o, cfg_b_resp_o)
  `PRESIL_STAYS(RStays_A,
      cfg_r_valid_o && !cfg_r_ready_i, cfg_r_valid_o, {cfg_r_data_o, cfg_r_resp_o})
  `PRESIL_ASSERT(OneAccessACycle_A, !(reg_write_o && reg_read_o))

endmodule
