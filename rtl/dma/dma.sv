// The DMA: a queue per channel, what decides when a command begins and ends, a read side and a write
// side that the channels share, registers. Ports and timing: README.
module dma
  import dma_engine_pkg::*;
#(
    parameter int unsigned Channels         = 4,  // 1..8
    parameter int unsigned Prefetch         = 4,
    parameter int unsigned BurstsPerChannel = 8,
    parameter int unsigned BurstsTotal      = 16,
    parameter logic [31:0] SramBytes        = 32'h10_0000
) (
    input logic clk_i,
    input logic rst_ni,

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

    // job entries and commands: AXI4 reads, id = channel
    output logic         f_ar_valid_o,
    input  logic         f_ar_ready_i,
    output logic [2:0]   f_ar_id_o,
    output logic [39:0]  f_ar_addr_o,
    output logic [7:0]   f_ar_len_o,
    input  logic         f_r_valid_i,
    output logic         f_r_ready_o,
    input  logic [2:0]   f_r_id_i,
    input  logic [127:0] f_r_data_i,
    input  logic [1:0]   f_r_resp_i,
    input  logic         f_r_last_i,

    // data: AXI4, id = channel
    output logic         ar_valid_o,
    input  logic         ar_ready_i,
    output logic [2:0]   ar_id_o,
    output logic [39:0]  ar_addr_o,
    output logic [7:0]   ar_len_o,
    output logic [8:0]   ar_bytes_o,
    input  logic         r_valid_i,
    output logic         r_ready_o,
    input  logic [2:0]   r_id_i,
    input  logic [127:0] r_data_i,
    input  logic [1:0]   r_resp_i,
    input  logic         r_last_i,
    output logic         aw_valid_o,
    input  logic         aw_ready_i,
    output logic [2:0]   aw_id_o,
    output logic [39:0]  aw_addr_o,
    output logic [7:0]   aw_len_o,
    output logic [8:0]   aw_bytes_o,
    output logic         w_valid_o,
    input  logic         w_ready_i,
    output logic [127:0] w_data_o,
    output logic [15:0]  w_strb_o,
    output logic         w_last_o,
    input  logic         b_valid_i,
    output logic         b_ready_o,
    input  logic [2:0]   b_id_i,
    input  logic [1:0]   b_resp_i,

    // SRAM: a word a cycle each; read data in the cycle after valid and ready
    output logic         sram_r_valid_o,
    input  logic         sram_r_ready_i,
    output logic [23:0]  sram_r_addr_o,
    input  logic [127:0] sram_r_data_i,
    output logic         sram_w_valid_o,
    input  logic         sram_w_ready_i,
    output logic [23:0]  sram_w_addr_o,
    output logic [127:0] sram_w_data_o,
    output logic [15:0]  sram_w_strb_o,
    output logic [2:0]   sram_w_channel_o,  // for records: whose word it is

    // sync: port 2 * channel + k for wait k
    output logic [2*Channels-1:0]       wait_valid_o,
    output logic [2*Channels-1:0][7:0]  wait_id_o,
    output logic [2*Channels-1:0][31:0] wait_value_o,
    input  logic [2*Channels-1:0]       wait_met_i,
    input  logic [2*Channels-1:0][engines_pkg::KindBits-1:0] wait_signaller_i,
    output logic [Channels-1:0]         signal_valid_o,
    output logic [Channels-1:0][7:0]    signal_id_o,
    output logic [Channels-1:0][15:0]   signal_add_o,
    output logic [Channels-1:0]         barrier_valid_o,
    output logic [Channels-1:0][7:0]    barrier_first_o,
    output logic [Channels-1:0][7:0]    barrier_count_o,
    output logic [Channels-1:0][31:0]   barrier_value_o,
    input  logic [Channels-1:0]         barrier_met_i,

    // for records
    output logic [Channels-1:0]       done_valid_o,
    output logic [Channels-1:0][31:0] done_index_o,
    output logic [Channels-1:0][31:0] done_tag_o
);

  localparam int unsigned Taken       = 4;
  localparam int unsigned ChannelBits = Channels > 1 ? $clog2(Channels) : 1;
  localparam int unsigned Words       = dma_pkg::CommandWords;
  typedef logic [ChannelBits-1:0] channel_t;

  // ------------------------------------------------------------------------------------ registers

  logic        reg_write, reg_read, reg_error, block_error, block_hit;
  logic [15:0] reg_offset;
  logic [31:0] reg_wdata, reg_rdata, block_rdata;
  logic [Channels-1:0]       window, queue_error, irq;
  logic [Channels-1:0][31:0] queue_rdata;
  dma_pkg::registers_in_t    hw;
  dma_pkg::registers_out_t   sw;
  dma_pkg::counters_in_t [Channels-1:0] counters;

  axi_lite_slave u_cfg (
      .reg_write_o (reg_write),
      .reg_read_o  (reg_read),
      .reg_offset_o(reg_offset),
      .reg_wdata_o (reg_wdata),
      .reg_rdata_i (reg_rdata),
      .reg_error_i (reg_error),
      .*
  );

  dma_registers u_registers (
      .clk_i,
      .rst_ni,
      .reg_write_i (reg_write),
      .reg_read_i  (reg_read),
      .reg_offset_i(reg_offset),
      .reg_wdata_i (reg_wdata),
      .reg_rdata_o (block_rdata),
      .reg_error_o (block_error),
      .hit_o       (block_hit),
      .hw_i        (hw),
      .reg_o       (sw)
  );

  always_comb begin
    hw                       = '0;
    hw.id_isa_version        = dma_pkg::IsaVersion;
    hw.id_queues             = 8'(Channels);
    hw.id_contexts           = 8'(queue_pkg::ContextCount);
    hw.id_prefetch           = 8'(Prefetch);
    hw.bursts_bytes          = 16'(BurstBytes);
    hw.bursts_per_channel    = 8'(BurstsPerChannel);
    hw.bursts_total          = 8'(BurstsTotal);
    hw.width_axi             = 16'd16;
    hw.width_sram_read_ports  = 8'd1;
    hw.width_sram_write_ports = 8'd1;
    hw.sram_bytes            = SramBytes;
    for (int unsigned c = 0; c < Channels; c++) hw.counters[c] = counters[c];
  end

  dma_windows #(.Channels(Channels)) u_windows (
      .reg_read_i   (reg_read),
      .reg_write_i  (reg_write),
      .reg_offset_i (reg_offset),
      .window_o     (window),
      .queue_rdata_i(queue_rdata),
      .queue_error_i(queue_error),
      .block_hit_i  (block_hit),
      .block_rdata_i(block_rdata),
      .block_error_i(block_error),
      .reg_rdata_o  (reg_rdata),
      .reg_error_o  (reg_error)
  );

  assign irq_o = |irq;

  // --------------------------------------------------------------------------------------- queues

  logic [Channels-1:0]       offer_valid, take, waiting, complete, complete_irq, fail, abort, aborted;
  logic [Channels-1:0]       jobs, f_valid, f_ready, check, check_active;
  logic [Channels-1:0][39:0] f_addr;
  logic [Channels-1:0][7:0]  f_len;
  logic [Channels-1:0][2:0]  fail_older;
  logic [Channels-1:0][31:0] offer_index;
  logic [Words-1:0][31:0]   offer_words[Channels], check_words[Channels];
  presil_pkg::job_t         offer_job[Channels], check_job[Channels];
  presil_pkg::queue_error_t refusal[Channels], fail_error[Channels];
  presil_pkg::queue_error_t verdict, pack_error;
  dma_pkg::command_t        offer[Channels];

  for (genvar c = 0; c < Channels; c++) begin : gen_queue
    queue_frontend #(
        .CommandWords(Words),
        .PitchBytes  (dma_pkg::CommandPitch),
        .Prefetch    (Prefetch),
        .Taken       (Taken),
        .IsaVersion  (dma_pkg::IsaVersion)
    ) u_queue (
        .clk_i,
        .rst_ni,
        .reg_write_i    (reg_write && window[c]),
        .reg_read_i     (reg_read && window[c]),
        .reg_offset_i   (reg_offset[7:0]),
        .reg_wdata_i    (reg_wdata),
        .reg_rdata_o    (queue_rdata[c]),
        .reg_error_o    (queue_error[c]),
        .irq_o          (irq[c]),
        .ar_valid_o     (f_valid[c]),
        .ar_ready_i     (f_ready[c]),
        .ar_addr_o      (f_addr[c]),
        .ar_len_o       (f_len[c]),
        .r_valid_i      (f_r_valid_i && f_r_id_i == 3'(c)),
        .r_ready_o      (),
        .r_data_i       (f_r_data_i),
        .r_resp_i       (f_r_resp_i),
        .r_last_i       (f_r_last_i),
        .offer_valid_o  (offer_valid[c]),
        .offer_words_o  (offer_words[c]),
        .offer_job_o    (offer_job[c]),
        .offer_index_o  (offer_index[c]),
        .offer_last_o   (),
        .offer_refusal_o(refusal[c]),
        .take_i         (take[c]),
        .check_active_o (check_active[c]),
        .check_words_o  (check_words[c]),
        .check_job_o    (check_job[c]),
        .check_o        (check[c]),
        .check_error_i  (verdict),
        .waiting_i      (waiting[c]),
        .complete_i     (complete[c]),
        .complete_irq_i (complete_irq[c]),
        .fail_i         (fail[c]),
        .fail_error_i   (fail_error[c]),
        .fail_older_i   (fail_older[c]),
        .jobs_o         (jobs[c]),
        .abort_o        (abort[c]),
        .aborted_i      (aborted[c]),
        .barrier_valid_o(barrier_valid_o[c]),
        .barrier_first_o(barrier_first_o[c]),
        .barrier_count_o(barrier_count_o[c]),
        .barrier_value_o(barrier_value_o[c]),
        .barrier_met_i  (barrier_met_i[c])
    );
    assign offer[c] = dma_pkg::unpack(offer_words[c]);
  end

  assign {f_r_ready_o, b_ready_o} = 2'b11;

  dma_fetch #(.Channels(Channels)) u_fetch (
      .clk_i,
      .rst_ni,
      .valid_i   (f_valid),
      .ready_o   (f_ready),
      .addr_i    (f_addr),
      .len_i     (f_len),
      .ar_valid_o(f_ar_valid_o),
      .ar_ready_i(f_ar_ready_i),
      .ar_id_o   (f_ar_id_o),
      .ar_addr_o (f_ar_addr_o),
      .ar_len_o  (f_ar_len_o)
  );

  // Bursts of fetches come whole: one command arrives at a time, and one checker looks at it. In the
  // cycle of a verdict the first beat of another channel's may be there already.
  channel_t checked;
  always_comb begin
    checked = '0;
    for (int unsigned c = 0; c < Channels; c++) if (check_active[c]) checked = channel_t'(c);
    for (int unsigned c = 0; c < Channels; c++) if (check[c]) checked = channel_t'(c);
  end

  dma_check #(
      .SramBytes(SramBytes)
  ) u_check (
      .clk_i,
      .words_i(check_words[checked]),
      .job_i  (check_job[checked]),
      .check_i(|check),
      .error_o(verdict)
  );

  logic [Channels-1:0] pack_request, pack_answer;
  dma_pack_check #(.Channels(Channels)) u_pack_check (
      .clk_i,
      .rst_ni,
      .request_i  (pack_request),
      .command_i(offer),
      .answer_o (pack_answer),
      .error_o  (pack_error)
  );

  // -------------------------------------------------------------------------------------- channels

  work_t [Channels-1:0]       begins;
  logic  [Channels-1:0]       begin_late, begin_load, begin_store, load_ready, store_ready;
  logic  [Channels-1:0][2:0]  begin_age;
  logic  [Channels-1:0]       load_complete, store_complete, load_failed, store_failed, halt, clear;
  logic  [Channels-1:0][39:0] load_failed_address, store_failed_address;
  logic  [Channels-1:0]       load_outstanding, store_outstanding, load_completing, store_completing;
  logic  [Channels-1:0]       handed, busy, offered, load_moving, store_works, blocked_queue;
  logic  [Channels-1:0]       blocked_engine;
  path_e  [Channels-1:0]      path;
  cause_e [Channels-1:0]      cause;
  burst_t                     handed_burst;

  for (genvar c = 0; c < Channels; c++) begin : gen_channel
    dma_channel #(
        .Taken(Taken)
    ) u_channel (
        .clk_i,
        .rst_ni,
        .offer_valid_i         (offer_valid[c]),
        .offer_i               (offer[c]),
        .job_i                 (offer_job[c]),
        .index_i               (offer_index[c]),
        .refusal_i             (refusal[c]),
        .take_o                (take[c]),
        .waiting_o             (waiting[c]),
        .complete_o            (complete[c]),
        .complete_irq_o        (complete_irq[c]),
        .fail_o                (fail[c]),
        .fail_error_o          (fail_error[c]),
        .fail_older_o          (fail_older[c]),
        .abort_i               (abort[c]),
        .aborted_o             (aborted[c]),
        .pack_request_o          (pack_request[c]),
        .pack_answer_i         (pack_answer[c]),
        .pack_error_i          (pack_error),
        .wait_valid_o          (wait_valid_o[2*c+:2]),
        .wait_id_o             (wait_id_o[2*c+:2]),
        .wait_value_o          (wait_value_o[2*c+:2]),
        .wait_met_i            (wait_met_i[2*c+:2]),
        .signal_valid_o        (signal_valid_o[c]),
        .signal_id_o           (signal_id_o[c]),
        .signal_add_o          (signal_add_o[c]),
        .begin_o               (begins[c]),
        .begin_late_o          (begin_late[c]),
        .begin_age_o           (begin_age[c]),
        .begin_load_o          (begin_load[c]),
        .load_ready_i          (load_ready[c]),
        .begin_store_o         (begin_store[c]),
        .store_ready_i         (store_ready[c]),
        .load_complete_i       (load_complete[c]),
        .store_complete_i      (store_complete[c]),
        .load_failed_i         (load_failed[c]),
        .load_failed_address_i (load_failed_address[c]),
        .store_failed_i        (store_failed[c]),
        .store_failed_address_i(store_failed_address[c]),
        .outstanding_i         (load_outstanding[c] || store_outstanding[c]),
        .completing_i          (load_completing[c] || store_completing[c]),
        .moved_i               (handed[c] && handed_burst.last),
        .halt_o                (halt[c]),
        .clear_o               (clear[c]),
        .busy_o                (busy[c]),
        .offered_o             (offered[c]),
        .path_o                (path[c]),
        .done_valid_o          (done_valid_o[c]),
        .done_index_o          (done_index_o[c]),
        .done_tag_o            (done_tag_o[c])
    );

    logic takes, writes, first_unmet;
    assign first_unmet = wait_valid_o[2*c] && !wait_met_i[2*c];
    assign takes  = ar_valid_o && ar_ready_i && ar_id_o == 3'(c);
    assign writes = aw_valid_o && aw_ready_i && aw_id_o == 3'(c);

    dma_counters u_counters (
        .clk_i,
        .rst_ni,
        .snapshot_i     (sw.counters[c].control_snapshot),
        .clear_i        (sw.counters[c].control_clear),
        .snapshot_o     (counters[c]),
        .busy_i         (busy[c]),
        .path_i         (path[c]),
        .runs_i         (takes || load_moving[c] || store_works[c]),
        .queue_full_i   (blocked_queue[c]),
        .engine_taken_i (blocked_engine[c]),
        .outstanding_i  (load_outstanding[c]),
        .waiting_i      (waiting[c]),
        .signaller_i    (first_unmet ? wait_signaller_i[2*c] : wait_signaller_i[2*c+1]),
        .offered_i      (offered[c]),
        .jobs_i         (jobs[c]),
        .complete_i     (complete[c]),
        .read_bytes_i   (takes ? ar_bytes_o : '0),
        .fetched_i      (f_r_valid_i && f_r_id_i == 3'(c)),
        .written_bytes_i(writes ? aw_bytes_o : '0),
        .cause_o        (cause[c])
    );
  end

  // ----------------------------------------------------------------------------------------- engine

  logic         load_write_valid, load_write_ready, local_write_valid, local_write_ready;
  logic [23:0]  load_write_address, local_write_address;
  logic [127:0] load_write_data, local_write_data;
  logic [15:0]  load_write_strobe, local_write_strobe;
  logic [2:0]   load_write_channel, local_write_channel;
  logic         load_write_ends, load_write_busy, local_write_busy;
  logic [Channels-1:0] move_valid, move_ready;
  move_word_t          move;

  dma_load #(
      .Channels        (Channels),
      .BurstsPerChannel(BurstsPerChannel),
      .BurstsTotal     (BurstsTotal)
  ) u_load (
      .begin_valid_i   (begin_load),
      .begin_ready_o   (load_ready),
      .begin_i         (begins),
      .begin_late_i    (begin_late),
      .begin_age_i     (begin_age),
      .complete_o      (load_complete),
      .empty_o         (),
      .failed_o        (load_failed),
      .failed_address_o(load_failed_address),
      .halt_i          (halt),
      .clear_i         (clear),
      .outstanding_o   (load_outstanding),
      .completing_o    (load_completing),
      .moving_o        (load_moving),
      .ar_address_o    (ar_addr_o),
      .write_valid_o   (load_write_valid),
      .write_ready_i   (load_write_ready),
      .write_address_o (load_write_address),
      .write_data_o    (load_write_data),
      .write_strobe_o  (load_write_strobe),
      .write_channel_o (load_write_channel),
      .write_ends_o    (load_write_ends),
      .write_busy_o    (load_write_busy),
      .move_valid_o    (move_valid),
      .move_ready_i    (move_ready),
      .move_o          (move),
      .handed_i        (handed),
      .handed_burst_i  (handed_burst),
      .*
  );

  dma_store #(
      .Channels        (Channels),
      .BurstsPerChannel(BurstsPerChannel)
  ) u_store (
      .begin_valid_i   (begin_store),
      .begin_ready_o   (store_ready),
      .begin_i         (begins),
      .begin_late_i    (begin_late),
      .begin_age_i     (begin_age),
      .complete_o      (store_complete),
      .failed_o        (store_failed),
      .failed_address_o(store_failed_address),
      .halt_i          (halt),
      .clear_i         (clear),
      .outstanding_o   (store_outstanding),
      .completing_o    (store_completing),
      .works_o         (store_works),
      .blocked_queue_o (blocked_queue),
      .blocked_engine_o(blocked_engine),
      .move_valid_i    (move_valid),
      .move_ready_o    (move_ready),
      .move_i          (move),
      .handed_o        (handed),
      .handed_burst_o  (handed_burst),
      .read_valid_o    (sram_r_valid_o),
      .read_ready_i    (sram_r_ready_i),
      .read_address_o  (sram_r_addr_o),
      .read_data_i     (sram_r_data_i),
      .write_valid_o   (local_write_valid),
      .write_ready_i   (local_write_ready),
      .write_address_o (local_write_address),
      .write_data_o    (local_write_data),
      .write_strobe_o  (local_write_strobe),
      .write_channel_o (local_write_channel),
      .write_busy_o    (local_write_busy),
      .*
  );

  dma_sram_write u_sram_write (
      .load_valid_i   (load_write_valid),
      .load_ready_o   (load_write_ready),
      .load_address_i (load_write_address),
      .load_data_i    (load_write_data),
      .load_strobe_i  (load_write_strobe),
      .load_channel_i (load_write_channel),
      .load_ends_i    (load_write_ends),
      .load_busy_i    (load_write_busy),
      .local_valid_i  (local_write_valid),
      .local_ready_o  (local_write_ready),
      .local_address_i(local_write_address),
      .local_data_i   (local_write_data),
      .local_strobe_i (local_write_strobe),
      .local_channel_i(local_write_channel),
      .local_busy_i   (local_write_busy),
      .*
  );

endmodule
