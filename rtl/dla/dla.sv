// The DLA: queue, checker, engine, registers and counters on AXI4-Lite, an AXI4 read master for
// jobs and commands, the links of sync, and the ports of the tile's SRAM.
`include "rtl/common/assert.svh"

module dla
  import dla_pkg::*;
  import dla_engine_pkg::*;
#(
    parameter int unsigned MacsK = 16,
    parameter int unsigned MacsC = 16,
    parameter int unsigned FeatPorts = 4,
    parameter int unsigned WeightPorts = 1,
    parameter int unsigned ResPorts = MacsK / 16,
    parameter int unsigned OutPorts = MacsK / 16,
    parameter int unsigned AccDepth = 128,
    parameter int unsigned PostLanes = 16,
    parameter int unsigned EwLanes = 8,
    parameter int unsigned SramBytes = 1 << 20,
    parameter int unsigned Prefetch = 2,
    localparam int unsigned Ports = FeatPorts + OutPorts + ResPorts + WeightPorts
) (
    input  logic clk_i,
    input  logic rst_ni,

    // registers: AXI4-Lite
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
    output logic        irq_o,

    // jobs and commands: AXI4 reads, one id, INCR, beats of 16 bytes
    output logic         ar_valid_o,
    input  logic         ar_ready_i,
    output logic [39:0]  ar_addr_o,
    output logic [7:0]   ar_len_o,
    input  logic         r_valid_i,
    output logic         r_ready_o,
    input  logic [127:0] r_data_i,
    input  logic [1:0]   r_resp_i,
    input  logic         r_last_i,

    // sync: waits of loader, sequencer, writer; the signal in the cycle of completion; the barrier
    output logic [2:0]       wait_valid_o,
    output logic [2:0][7:0]  wait_id_o,
    output logic [2:0][31:0] wait_value_o,
    input  logic [2:0]       wait_met_i,
    input  logic [2:0][engines_pkg::KindBits-1:0] wait_signaller_i,
    output logic             signal_valid_o,
    output logic [7:0]       signal_id_o,
    output logic [15:0]      signal_add_o,
    output logic             barrier_valid_o,
    output logic [7:0]       barrier_first_o,
    output logic [7:0]       barrier_count_o,
    output logic [31:0]      barrier_value_o,
    input  logic             barrier_met_i,

    // SRAM: ports F, O, E, W; granted; data read comes in the next cycle
    output logic [Ports-1:0]           sram_req_o,
    output logic [Ports-1:0][23:0]     sram_addr_o,
    output logic [OutPorts-1:0][127:0] sram_wdata_o,
    input  logic [Ports-1:0][127:0]    sram_rdata_i,

    // for records: a command has ended
    output logic        done_valid_o,
    output logic [31:0] done_index_o,
    output logic [31:0] done_tag_o
);
  localparam int unsigned Taken = 2;

  // ---- Registers.
  logic reg_write, reg_read, in_registers, queue_error, registers_error, reg_error;
  logic [15:0] reg_offset;
  logic [31:0] reg_wdata, reg_rdata, queue_rdata, registers_rdata;
  registers_in_t registers_in;
  registers_out_t registers_out;
  counters_in_t counters;
  axi_lite_slave u_axi_lite (
      .clk_i, .rst_ni, .cfg_aw_valid_i, .cfg_aw_ready_o, .cfg_aw_addr_i, .cfg_w_valid_i,
      .cfg_w_ready_o, .cfg_w_data_i, .cfg_w_strb_i, .cfg_b_valid_o, .cfg_b_ready_i, .cfg_b_resp_o,
      .cfg_ar_valid_i, .cfg_ar_ready_o, .cfg_ar_addr_i, .cfg_r_valid_o, .cfg_r_ready_i,
      .cfg_r_data_o, .cfg_r_resp_o,
      .reg_write_o(reg_write), .reg_read_o(reg_read), .reg_offset_o(reg_offset),
      .reg_wdata_o(reg_wdata), .reg_rdata_i(reg_rdata), .reg_error_i(reg_error)
  );
  dla_registers u_registers (
      .clk_i, .rst_ni, .reg_write_i(reg_write), .reg_read_i(reg_read), .reg_offset_i(reg_offset),
      .reg_wdata_i(reg_wdata), .reg_rdata_o(registers_rdata), .reg_error_o(registers_error),
      .hit_o(in_registers), .hw_i(registers_in), .reg_o(registers_out)
  );
  assign reg_rdata = in_registers ? registers_rdata : queue_rdata;
  assign reg_error = in_registers ? registers_error : queue_error;
  always_comb begin  // looked at by reads only
    registers_in = '0;  // no optional capability
    if (reg_read) begin
      registers_in.id_isa_version = IsaVersion;
      registers_in.id_queues = 8'd1;
      registers_in.id_contexts = 8'(queue_pkg::ContextCount);
      registers_in.id_prefetch = 8'(Prefetch);
      registers_in.array_macs_k = 16'(MacsK);
      registers_in.array_macs_c = 16'(MacsC);
      registers_in.ports_feat_ports = 8'(FeatPorts);
      registers_in.ports_weight_ports = 8'(WeightPorts);
      registers_in.ports_res_ports = 8'(ResPorts);
      registers_in.ports_out_ports = 8'(OutPorts);
      registers_in.lanes_post_lanes = 16'(PostLanes);
      registers_in.lanes_ew_lanes = 16'(EwLanes);
      registers_in.acc_depth = 16'(AccDepth);
      registers_in.sram_bytes = SramBytes;
      registers_in.counters = counters;
    end
  end

  // ---- Queue. What an abort stops is in reset for the cycle after it.
  logic offer_valid, offer_ok, take, fail, waiting, complete, complete_irq, abort, abort_q, jobs;
  logic engine_rst_n, engine_complete, signal_valid;
  logic [CommandWords-1:0][31:0] offer_words, check_words;
  presil_pkg::job_t offer_job, check_job;
  presil_pkg::queue_error_t refusal, check_error;
  logic [31:0] offer_index;
  /* verilator lint_off UNUSEDSIGNAL */
  logic offer_last;  // of its job: the queue keeps that itself
  /* verilator lint_on UNUSEDSIGNAL */
  logic check_active, check;
  logic [1:0] taken_q;
  queue_frontend #(
      .CommandWords(CommandWords), .PitchBytes(CommandPitch), .Prefetch(Prefetch), .Taken(Taken),
      .IsaVersion(IsaVersion)
  ) u_queue (
      .clk_i, .rst_ni,
      .reg_write_i(reg_write && !in_registers), .reg_read_i(reg_read && !in_registers),
      .reg_offset_i(reg_offset[7:0]), .reg_wdata_i(reg_wdata), .reg_rdata_o(queue_rdata),
      .reg_error_o(queue_error), .irq_o,
      .ar_valid_o, .ar_ready_i, .ar_addr_o, .ar_len_o, .r_valid_i, .r_ready_o, .r_data_i, .r_resp_i,
      .r_last_i,
      .offer_valid_o(offer_valid), .offer_words_o(offer_words), .offer_job_o(offer_job),
      .offer_index_o(offer_index), .offer_last_o(offer_last), .offer_refusal_o(refusal), .take_i(take),
      .check_active_o(check_active), .check_words_o(check_words), .check_job_o(check_job),
      .check_o(check), .check_error_i(check_error),
      .waiting_i(waiting), .complete_i(complete), .complete_irq_i(complete_irq),
      .fail_i(fail), .fail_error_i(refusal), .fail_older_i(taken_q), .jobs_o(jobs),
      .abort_o(abort), .aborted_i(abort),
      .barrier_valid_o, .barrier_first_o, .barrier_count_o, .barrier_value_o, .barrier_met_i
  );
  assign offer_ok = refusal.code == queue_pkg::ErrorCodeNone;
  assign fail = offer_valid && !offer_ok;
  assign complete = engine_complete && !abort;
  assign engine_rst_n = rst_ni && !abort_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {abort_q, taken_q} <= '0;
    else begin
      abort_q <= abort;
      taken_q <= abort ? '0 : taken_q + 2'(take) - 2'(complete);
    end
  end

  queue_pkg::error_code_e check_code;
  logic [47:0] check_address;
  dla_check #(
      .MacsK(MacsK), .MacsC(MacsC), .AccDepth(AccDepth), .SramBytes(SramBytes)
  ) u_check (
      .clk_i, .active_i(check_active), .words_i(check_words), .sram_base_i(check_job.sram_base),
      .sync_count_i(check_job.sync_count), .check_i(check), .code_o(check_code),
      .rule_o(check_error.rule), .word_o(check_error.word), .address_o(check_address)
  );
  assign check_error.code = 8'(check_code);
  assign check_error.address = check_address[39:0];  // a command's addresses are sums of 24 bit ones

  // ---- Engine.
  relocation_t relocation;
  cause_e cause;
  logic step;
  logic [Ports-1:0] sram_req;
  assign relocation = '{sram_base: offer_job.sram_base, sync_base: offer_job.sync_base,
                        value_base: offer_job.value_base};
  dla_engine #(
      .MacsK(MacsK), .MacsC(MacsC), .FeatPorts(FeatPorts), .WeightPorts(WeightPorts),
      .ResPorts(ResPorts), .OutPorts(OutPorts), .AccDepth(AccDepth), .PostLanes(PostLanes),
      .EwLanes(EwLanes)
  ) u_engine (
      .clk_i, .rst_ni(engine_rst_n),
      .offer_valid_i(offer_valid && offer_ok && !abort_q), .offer_words_i(offer_words),
      .relocation_i(relocation), .take_o(take),
      .wait_valid_o, .wait_id_o, .wait_value_o, .met_i(wait_met_i), .waiting_o(waiting),
      .complete_o(engine_complete), .complete_irq_o(complete_irq), .signal_valid_o(signal_valid),
      .signal_id_o, .signal_add_o, .sram_req_o(sram_req), .sram_addr_o, .sram_wdata_o,
      .sram_rdata_i, .step_o(step), .cause_o(cause)
  );
  assign sram_req_o = abort ? '0 : sram_req;
  assign signal_valid_o = signal_valid && !abort;

  dla_counters u_counters (
      .clk_i, .rst_ni, .snapshot_i(registers_out.counters.control_snapshot),
      .clear_i(registers_out.counters.control_clear), .shown_o(counters), .cause_i(cause),
      .jobs_i(jobs), .signaller_i(wait_signaller_i), .command_i(complete), .step_i(step)
  );

  // ---- Records.
  logic in_q, out_q;
  logic [1:0][31:0] index_q, tag_q;
  always_ff @(posedge clk_i or negedge engine_rst_n) begin
    if (!engine_rst_n) {in_q, out_q} <= '0;
    else begin
      in_q  <= in_q ^ take;
      out_q <= out_q ^ complete;
    end
  end
  always_ff @(posedge clk_i) begin
    if (take) begin
      index_q[in_q] <= offer_index;
      tag_q[in_q]   <= offer_words[1];
    end
  end
  assign done_valid_o = complete;
  assign done_index_o = index_q[out_q];
  assign done_tag_o   = tag_q[out_q];

  // ---- Assertions ----
  `PRESIL_ASSERT(AnAddressHasFortyBits_A, check -> check_address[47:40] == '0)
  `PRESIL_ASSERT(CompletedWasTaken_A, complete -> taken_q != '0)
endmodule
