// Where a channel's cycles go: in each exactly one of run .. idle counts. What only the memory
// controller knows (rows, turnarounds, refreshes, other masters) is read_credit here.
module dma_counters
  import dma_engine_pkg::*;
(
    input  logic        clk_i,
    input  logic        rst_ni,
    input  logic        snapshot_i,
    input  logic        clear_i,
    output dma_pkg::counters_in_t snapshot_o,

    input  logic        busy_i,           // a command is in flight
    input  path_e       path_i,           // of it
    input  logic        runs_i,           // a burst is asked for, words move, or the engine works
    input  logic        queue_full_i,     // it could write but for the write queue
    input  logic        engine_taken_i,   // or but for another channel
    input  logic        outstanding_i,
    input  logic        waiting_i,
    input  logic [engines_pkg::KindBits-1:0] signaller_i,  // kind of engine
    input  logic        offered_i,
    input  logic        jobs_i,
    input  logic        complete_i,
    input  logic [8:0]  read_bytes_i,     // asked for in this cycle
    input  logic        fetched_i,        // 16 bytes
    input  logic [8:0]  written_bytes_i,
    output cause_e      cause_o           // of this cycle
);

  dma_pkg::counters_in_t count_q, count_d, snapshot_q;
  assign snapshot_o = snapshot_q;

  logic [$clog2(engines_pkg::Kinds)-1:0] by;
  assign by = $bits(by)'(signaller_i);

  always_comb begin
    cause_o = CauseIdle;
    if (busy_i) begin
      cause_o = CauseDrain;
      if (runs_i) cause_o = CauseRun;
      else if (queue_full_i) cause_o = CauseWriteQueue;
      else if (engine_taken_i) cause_o = CauseSramPort;
      else if (outstanding_i && path_i inside {PathLoad, PathMove}) cause_o = CauseReadCredit;
    end else if (waiting_i) begin
      cause_o = cause_e'(CauseWait + 6'(signaller_i));
    end else if (offered_i) begin
      cause_o = CauseDrain;
    end else if (jobs_i) begin
      cause_o = CauseFetch;
    end
  end

  always_comb begin
    count_d = count_q;
    count_d.cycles = count_q.cycles + 64'd1;
    case (cause_o)
      CauseRun:        count_d.run         = count_q.run + 64'd1;
      CauseWriteQueue: count_d.write_queue = count_q.write_queue + 64'd1;
      CauseSramPort:   count_d.sram_port   = count_q.sram_port + 64'd1;
      CauseReadCredit: count_d.read_credit = count_q.read_credit + 64'd1;
      CauseDrain:      count_d.drain       = count_q.drain + 64'd1;
      CauseFetch:      count_d.fetch       = count_q.fetch + 64'd1;
      CauseIdle:       count_d.idle        = count_q.idle + 64'd1;
      default: count_d.wait_[by] = count_q.wait_[by] + 64'd1;
    endcase
    count_d.commands      = count_q.commands + 64'(complete_i);
    count_d.bytes_read    = count_q.bytes_read + 64'(read_bytes_i) + {59'd0, fetched_i, 4'd0};
    count_d.bytes_written = count_q.bytes_written + 64'(written_bytes_i);
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      count_q    <= '0;
      snapshot_q <= '0;
    end else begin
      count_q <= clear_i ? '0 : count_d;
      if (snapshot_i) snapshot_q <= count_d;
    end
  end

  // ---- Assertions ----
  SignallerIsAKindOfEngine_A :
  assert property (@(posedge clk_i) disable iff (!rst_ni)
                   waiting_i |-> 32'(signaller_i) < engines_pkg::Kinds);

endmodule
