// AXI4-Lite slave: one register access a cycle at most, writes before reads, answered in the next.
module dla_config_bus (
    input  logic        clk_i,
    input  logic        rst_ni,
    input  logic        aw_valid_i,
    output logic        aw_ready_o,
    input  logic [15:0] aw_addr_i,
    input  logic        w_valid_i,
    output logic        w_ready_o,
    input  logic [31:0] w_data_i,
    input  logic [3:0]  w_strb_i,
    output logic        b_valid_o,
    input  logic        b_ready_i,
    output logic [1:0]  b_resp_o,
    input  logic        ar_valid_i,
    output logic        ar_ready_o,
    input  logic [15:0] ar_addr_i,
    output logic        r_valid_o,
    input  logic        r_ready_i,
    output logic [31:0] r_data_o,
    output logic [1:0]  r_resp_o,
    // registers, in the same cycle
    output logic        reg_write_o,
    output logic        reg_read_o,
    output logic [15:0] reg_offset_o,
    output logic [31:0] reg_wdata_o,
    input  logic [31:0] reg_rdata_i,
    input  logic        reg_error_i
);
  localparam logic [1:0] Okay = 2'b00, Slverr = 2'b10;
  logic write, whole;
  assign whole        = w_strb_i == '1;  // words only
  assign write        = aw_valid_i && w_valid_i && (!b_valid_o || b_ready_i);
  assign aw_ready_o   = write;
  assign w_ready_o    = write;
  assign ar_ready_o   = !write && (!r_valid_o || r_ready_i);
  assign reg_write_o  = write && whole;
  assign reg_read_o   = ar_valid_i && ar_ready_o;
  assign reg_offset_o = write ? aw_addr_i : ar_addr_i;
  assign reg_wdata_o  = w_data_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {b_valid_o, r_valid_o} <= '0;
    else begin
      b_valid_o <= write || (b_valid_o && !b_ready_i);
      r_valid_o <= reg_read_o || (r_valid_o && !r_ready_i);
    end
  end
  always_ff @(posedge clk_i) begin
    if (write) b_resp_o <= reg_error_i || !whole ? Slverr : Okay;
    if (reg_read_o) begin
      r_data_o <= reg_rdata_i;
      r_resp_o <= reg_error_i ? Slverr : Okay;
    end
  end

  // ---- Assertions ----
  AnswerStaysUntilTaken_A :
  assert property (@(posedge clk_i) disable iff (!rst_ni)
                   (b_valid_o && !b_ready_i |=> b_valid_o && $stable(b_resp_o)));
  ReadStaysUntilTaken_A :
  assert property (@(posedge clk_i) disable iff (!rst_ni)
                   (r_valid_o && !r_ready_i |=> r_valid_o && $stable(r_data_o) && $stable(r_resp_o)));
endmodule
