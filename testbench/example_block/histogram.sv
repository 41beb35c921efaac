// A histogram of bytes in memory: 256 counters of 32 bits, one byte a cycle. The host writes where
// the bytes are, how many, and where the counters go; a write of CONTROL starts it, the interrupt
// says that the counters are in memory.
//
// Data: 16-byte beats, bursts inside 256 bytes, one read burst at a time.
module histogram (
    input  logic         clk_i,
    input  logic         rst_ni,
    output logic         busy_o,
    output logic         irq_o,
    // AXI4-Lite
    input  logic         cfg_aw_valid_i,
    output logic         cfg_aw_ready_o,
    input  logic [15:0]  cfg_aw_addr_i,
    input  logic         cfg_w_valid_i,
    output logic         cfg_w_ready_o,
    input  logic [31:0]  cfg_w_data_i,
    input  logic [3:0]   cfg_w_strb_i,
    output logic         cfg_b_valid_o,
    input  logic         cfg_b_ready_i,
    output logic [1:0]   cfg_b_resp_o,
    input  logic         cfg_ar_valid_i,
    output logic         cfg_ar_ready_o,
    input  logic [15:0]  cfg_ar_addr_i,
    output logic         cfg_r_valid_o,
    input  logic         cfg_r_ready_i,
    output logic [31:0]  cfg_r_data_o,
    output logic [1:0]   cfg_r_resp_o,
    // AXI4
    output logic         ar_valid_o,
    input  logic         ar_ready_i,
    output logic [39:0]  ar_addr_o,
    output logic [7:0]   ar_len_o,
    input  logic         r_valid_i,
    output logic         r_ready_o,
    input  logic [127:0] r_data_i,
    input  logic [1:0]   r_resp_i,
    input  logic         r_last_i,
    output logic         aw_valid_o,
    input  logic         aw_ready_i,
    output logic [39:0]  aw_addr_o,
    output logic [7:0]   aw_len_o,
    output logic         w_valid_o,
    input  logic         w_ready_i,
    output logic [127:0] w_data_o,
    output logic [15:0]  w_strb_o,
    output logic         w_last_o,
    input  logic         b_valid_i,
    output logic         b_ready_o,
    input  logic [1:0]   b_resp_i
);

  // ----------------------------------------------------------------------------------- registers
  localparam logic [15:0] Id = 16'h00, Control = 16'h04, Status = 16'h08, Bytes = 16'h0c,
      SourceLow = 16'h10, SourceHigh = 16'h14, TargetLow = 16'h18, TargetHigh = 16'h1c,
      IrqEnable = 16'h20, Cycles = 16'h24;
  localparam logic [31:0] IdValue = 32'h4853_5447;

  logic        reg_write, unused_read, reg_error, start, done_q, failed_q, irq_enable_q;
  logic [15:0] offset;
  logic [31:0] wdata, rdata, bytes_q, cycles_q;
  logic [39:0] source_q, target_q;

  axi_lite_slave u_registers (
      .clk_i, .rst_ni,
      .cfg_aw_valid_i, .cfg_aw_ready_o, .cfg_aw_addr_i, .cfg_w_valid_i, .cfg_w_ready_o,
      .cfg_w_data_i, .cfg_w_strb_i, .cfg_b_valid_o, .cfg_b_ready_i, .cfg_b_resp_o,
      .cfg_ar_valid_i, .cfg_ar_ready_o, .cfg_ar_addr_i, .cfg_r_valid_o, .cfg_r_ready_i,
      .cfg_r_data_o, .cfg_r_resp_o,
      .reg_write_o(reg_write), .reg_read_o(unused_read), .reg_offset_o(offset), .reg_wdata_o(wdata),
      .reg_rdata_i(rdata), .reg_error_i(reg_error));

  assign irq_o = irq_enable_q && (done_q || failed_q);
  // A job that cannot be done is refused: it would read or write past its beats.
  assign reg_error = offset > Cycles || offset[1:0] != 2'b00 ||
                     (reg_write && (offset == Id || offset == Cycles || (busy_o && offset != Status)));
  assign start = reg_write && !reg_error && offset == Control && wdata[0];

  always_comb begin
    unique case (offset)
      Id:         rdata = IdValue;
      Status:     rdata = {29'b0, failed_q, done_q, busy_o};
      Bytes:      rdata = bytes_q;
      SourceLow:  rdata = source_q[31:0];
      SourceHigh: rdata = {24'b0, source_q[39:32]};
      TargetLow:  rdata = target_q[31:0];
      TargetHigh: rdata = {24'b0, target_q[39:32]};
      IrqEnable:  rdata = {31'b0, irq_enable_q};
      Cycles:     rdata = cycles_q;
      default:    rdata = '0;
    endcase
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {bytes_q, source_q, target_q, irq_enable_q} <= '0;
    end else if (reg_write && !reg_error) begin
      unique case (offset)
        Bytes:      bytes_q <= {wdata[31:4], 4'b0};
        SourceLow:  source_q[31:0] <= {wdata[31:4], 4'b0};
        SourceHigh: source_q[39:32] <= wdata[7:0];
        TargetLow:  target_q[31:0] <= {wdata[31:8], 8'b0};
        TargetHigh: target_q[39:32] <= wdata[7:0];
        IrqEnable:  irq_enable_q <= wdata[0];
        default:    ;
      endcase
    end
  end

  // --------------------------------------------------------------------------------------- phases
  typedef enum logic [2:0] {Idle, Clear, Count, Address, Data, Answer} phase_e;
  phase_e phase_q;
  logic [5:0]  row_q;                 // of four counters
  logic [27:0] ask_q, come_q;         // beats to ask for, and to come
  logic        asked_q, error_q;      // a read burst is under way; an answer was an error
  logic [39:0] read_q;                // where the next burst begins
  logic [2:0]  answers_q;             // write bursts without one
  logic [3:0]  room, beats;           // of the burst: up to the next 256 bytes, and not more than remain
  logic        ar, r, aw, w, b, counted;

  assign busy_o     = phase_q != Idle;
  assign ar         = ar_valid_o && ar_ready_i;
  assign r          = r_valid_i && r_ready_o;
  assign aw         = aw_valid_o && aw_ready_i;
  assign w          = w_valid_o && w_ready_i;
  assign b          = b_valid_i && b_ready_o;

  assign ar_valid_o = phase_q == Count && !asked_q && ask_q != '0;
  assign ar_addr_o  = read_q;
  assign room       = 4'd15 - read_q[7:4];
  assign beats      = ask_q > 28'(room) ? room : 4'(ask_q - 28'd1);
  assign ar_len_o   = {4'b0, beats};
  assign aw_valid_o = phase_q == Address;
  assign aw_addr_o  = target_q + 40'({row_q, 4'b0});
  assign aw_len_o   = 8'd15;
  assign w_valid_o  = phase_q == Data;
  assign w_strb_o   = '1;
  assign w_last_o   = &row_q[3:0];
  assign b_ready_o  = 1'b1;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      phase_q <= Idle;
      {row_q, ask_q, come_q, asked_q, error_q, answers_q, done_q, failed_q, cycles_q} <= '0;
    end else begin
      if (busy_o) cycles_q <= cycles_q + 32'd1;
      if (ar) ask_q <= ask_q - 28'(beats) - 28'd1;
      if (r) come_q <= come_q - 28'd1;
      if (ar || (r && r_last_i)) asked_q <= ar;
      if ((r && r_resp_i != '0) || (b && b_resp_i != '0)) error_q <= 1'b1;
      answers_q <= answers_q + 3'(aw) - 3'(b);
      if (reg_write && !reg_error && offset == Status) {failed_q, done_q} <= '0;
      unique case (phase_q)
        Idle:
        if (start) begin
          phase_q <= Clear;
          {row_q, error_q, failed_q, done_q, cycles_q} <= '0;
          {ask_q, come_q} <= {2{bytes_q[31:4]}};
        end
        Clear: begin
          row_q <= row_q + 6'd1;
          if (&row_q) phase_q <= Count;
        end
        Count:
        if (counted && come_q == '0) phase_q <= error_q ? Answer : Address;
        Address:
        if (aw) phase_q <= Data;
        Data:
        if (w) begin
          row_q <= row_q + 6'd1;
          if (w_last_o) phase_q <= &row_q ? Answer : Address;
        end
        default:  // Answer
        if (answers_q == '0) begin
          phase_q            <= Idle;
          {failed_q, done_q} <= {error_q, !error_q};
        end
      endcase
    end
  end

  always_ff @(posedge clk_i) begin
    if (start) read_q <= source_q;
    else if (ar) read_q <= {read_q[39:8] + 32'd1, 8'b0};
  end

  // --------------------------------------------------------------------------------------- counts
  logic [127:0] beat_q;
  logic [4:0]   left_q;  // bytes of it
  logic [3:0][31:0] counters_q[64];

  assign counted   = left_q == '0;
  assign r_ready_o = left_q <= 5'd1;
  assign w_data_o  = counters_q[row_q];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) left_q <= '0;
    else if (r) left_q <= 5'd16;
    else if (!counted) left_q <= left_q - 5'd1;
  end

  always_ff @(posedge clk_i) begin
    beat_q <= r ? r_data_i : beat_q >> 8;
    if (phase_q == Clear) counters_q[row_q] <= '0;
    else if (!counted) counters_q[beat_q[7:2]][beat_q[1:0]] <= counters_q[beat_q[7:2]][beat_q[1:0]] + 32'd1;
  end

endmodule
