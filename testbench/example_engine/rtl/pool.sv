// Pooling and resizing of int8: queue, checker, engine, registers and counters at AXI4-Lite, an
// AXI4 read master for jobs and commands, the links of sync, one port to the tile's SRAM.
`include "rtl/common/assert.svh"

module pool
  import pool_pkg::*;
#(
    parameter int unsigned TableEntries = 128,
    parameter int unsigned Prefetch = 2,
    parameter int unsigned SramBytes = 1 << 20
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

    // sync: two waits; the signal in the cycle of completion; the barrier
    output logic [1:0]       wait_valid_o,
    output logic [1:0][7:0]  wait_id_o,
    output logic [1:0][31:0] wait_value_o,
    input  logic [1:0]       wait_met_i,
    input  logic [1:0][engines_pkg::KindBits-1:0] wait_signaller_i,  // kinds of engines
    output logic             signal_valid_o,
    output logic [7:0]       signal_id_o,
    output logic [15:0]      signal_add_o,
    output logic             barrier_valid_o,
    output logic [7:0]       barrier_first_o,
    output logic [7:0]       barrier_count_o,
    output logic [31:0]      barrier_value_o,
    input  logic             barrier_met_i,

    // SRAM: granted in the cycle of the request; data read comes in the next one
    output logic         sram_req_o,
    output logic         sram_we_o,
    output logic [23:0]  sram_addr_o,
    output logic [127:0] sram_wdata_o,
    input  logic         sram_gnt_i,
    input  logic [127:0] sram_rdata_i,

    // for records: a command has ended
    output logic        done_valid_o,
    output logic [31:0] done_index_o,
    output logic [31:0] done_tag_o,

    // for the simulator, of the present cycle: a register access acts; the engine sees a command that
    // it accepts, takes it, drops all; jobs are in the ring; the counter that counts, by its offset
    output logic        reg_write_o,
    output logic        reg_read_o,
    output logic        reg_error_o,
    output logic [31:0] reg_rdata_o,
    output logic        offer_valid_o,
    output logic [31:0] offer_index_o,
    output logic        take_o,
    output logic        abort_o,
    output logic        busy_o,
    output logic [15:0] counter_o
);
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
  pool_registers u_registers (
      .clk_i, .rst_ni, .reg_write_i(reg_write), .reg_read_i(reg_read), .reg_offset_i(reg_offset),
      .reg_wdata_i(reg_wdata), .reg_rdata_o(registers_rdata), .reg_error_o(registers_error),
      .hit_o(in_registers), .hw_i(registers_in), .reg_o(registers_out)
  );
  assign reg_rdata = in_registers ? registers_rdata : queue_rdata;
  assign reg_error = in_registers ? registers_error : queue_error;
  always_comb begin
    registers_in = '0;
    registers_in.id_isa_version = IsaVersion;
    registers_in.id_queues = 8'd1;
    registers_in.id_contexts = 8'(queue_pkg::ContextCount);
    registers_in.id_prefetch = 8'(Prefetch);
    registers_in.positions_entries = 16'(TableEntries);
    registers_in.sram_bytes = SramBytes;
    registers_in.counters = counters;
  end

  // ---- Queue. What an abort stops is in reset for the cycle after it.
  logic offer_valid, offer_ok, take, fail, waiting, complete, complete_irq, abort, abort_q, jobs;
  logic engine_complete, signal_valid, engine_rst_n, sram_req;
  logic [CommandWords-1:0][31:0] offer_words, check_words;
  presil_pkg::job_t offer_job, check_job;
  presil_pkg::queue_error_t refusal, check_error;
  logic [31:0] offer_index, index_q, tag_q;
  logic unused_last, unused_active, unused_check;
  logic [1:0] taken_q;
  queue_frontend #(
      .CommandWords(CommandWords), .PitchBytes(CommandPitch), .Prefetch(Prefetch), .Taken(2),
      .IsaVersion(IsaVersion)
  ) u_queue (
      .clk_i, .rst_ni,
      .reg_write_i(reg_write && !in_registers), .reg_read_i(reg_read && !in_registers),
      .reg_offset_i(reg_offset[7:0]), .reg_wdata_i(reg_wdata), .reg_rdata_o(queue_rdata),
      .reg_error_o(queue_error), .irq_o,
      .ar_valid_o, .ar_ready_i, .ar_addr_o, .ar_len_o, .r_valid_i, .r_ready_o, .r_data_i, .r_resp_i,
      .r_last_i,
      .offer_valid_o(offer_valid), .offer_words_o(offer_words), .offer_job_o(offer_job),
      .offer_index_o(offer_index), .offer_last_o(unused_last), .offer_refusal_o(refusal),
      .take_i(take), .check_active_o(unused_active), .check_words_o(check_words),
      .check_job_o(check_job), .check_o(unused_check), .check_error_i(check_error),
      .waiting_i(waiting), .complete_i(complete), .complete_irq_i(complete_irq),
      .fail_i(fail), .fail_error_i(refusal), .fail_older_i(taken_q), .jobs_o(jobs),
      .abort_o(abort), .aborted_i(abort),
      .barrier_valid_o, .barrier_first_o, .barrier_count_o, .barrier_value_o, .barrier_met_i
  );
  assign offer_valid_o = offer_valid && offer_ok && !abort_q;
  assign offer_ok     = refusal.code == queue_pkg::ErrorCodeNone;
  assign fail         = offer_valid && !offer_ok;
  assign complete     = engine_complete && !abort;
  assign engine_rst_n = rst_ni && !abort_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {abort_q, taken_q} <= '0;
    else begin
      abort_q <= abort;
      taken_q <= abort ? '0 : taken_q + 2'(take) - 2'(complete);
    end
  end
  pool_check #(.TableEntries(TableEntries), .SramBytes(SramBytes)) u_check (
      .words_i(check_words), .job_i(check_job), .error_o(check_error)
  );

  // ---- Engine.
  logic run, start, bank, drain;
  pool_engine #(.TableEntries(TableEntries)) u_engine (
      .clk_i, .rst_ni(engine_rst_n),
      .offer_valid_i(offer_valid_o), .offer_words_i(offer_words),
      .offer_job_i(offer_job), .take_o(take),
      .wait_valid_o, .wait_id_o, .wait_value_o, .wait_met_i, .waiting_o(waiting),
      .complete_o(engine_complete), .complete_irq_o(complete_irq), .signal_valid_o(signal_valid),
      .signal_id_o, .signal_add_o,
      .sram_req_o(sram_req), .sram_we_o, .sram_addr_o, .sram_wdata_o, .sram_gnt_i, .sram_rdata_i,
      .run_o(run), .start_o(start), .bank_o(bank), .drain_o(drain)
  );
  assign sram_req_o     = sram_req && !abort;
  assign signal_valid_o = signal_valid && !abort;
  pool_counters u_counters (
      .clk_i, .rst_ni, .snapshot_i(registers_out.counters.control_snapshot),
      .clear_i(registers_out.counters.control_clear), .shown_o(counters),
      .run_i(run), .start_i(start), .bank_i(bank), .drain_i(drain), .waiting_i(waiting),
      .signaller_i(wait_valid_o[0] && !wait_met_i[0] ? wait_signaller_i[0] : wait_signaller_i[1]),
      .jobs_i(jobs), .command_i(complete), .which_o(counter_o)
  );

  // ---- Records.
  always_ff @(posedge clk_i) begin
    if (take) {index_q, tag_q} <= {offer_index, offer_words[1]};
  end
  assign done_valid_o = complete;
  assign done_index_o = index_q;
  assign done_tag_o   = tag_q;

  // ---- For the simulator.
  assign reg_write_o   = reg_write;
  assign reg_read_o    = reg_read;
  assign reg_error_o   = reg_error;
  assign reg_rdata_o   = reg_rdata;
  assign offer_index_o = offer_index;
  assign take_o        = take;
  assign abort_o       = abort;
  assign busy_o        = jobs;

  // ---- Assertions ----
  `PRESIL_ASSERT(CompletedWasTaken_A, complete -> taken_q != '0)
endmodule
