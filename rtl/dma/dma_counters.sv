// Where a channel's cycles go: in each exactly one of run .. idle counts. What only the memory
// controller knows (rows, turnarounds, refreshes, other masters) is read_credit here.
`include "rtl/common/assert.svh"

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

  localparam int unsigned Causes = int'(CauseIdle) + 1;

  dma_pkg::counters_in_t snapshot_q;
  logic [63:0]           causes_q[Causes], waits_q[engines_pkg::Kinds];  // by cause, by kind of engine
  logic [63:0]           cycles_q, commands_q, bytes_read_q, bytes_written_q;
  assign snapshot_o = snapshot_q;

  logic [$clog2(Causes)-1:0]             which;
  logic [$clog2(engines_pkg::Kinds)-1:0] by;
  logic                                  waits;
  assign which = $bits(which)'(cause_o);
  assign by    = $bits(by)'(signaller_i);
  assign waits = cause_o >= CauseWait;

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

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      causes_q   <= '{default: '0};
      waits_q    <= '{default: '0};
      snapshot_q <= '0;
      {cycles_q, commands_q, bytes_read_q, bytes_written_q} <= '0;
    end else begin
      cycles_q <= cycles_q + 64'd1;
      if (waits) waits_q[by] <= waits_q[by] + 64'd1;
      else causes_q[which] <= causes_q[which] + 64'd1;
      commands_q      <= commands_q + 64'(complete_i);
      bytes_read_q    <= bytes_read_q + 64'(read_bytes_i) + {59'd0, fetched_i, 4'd0};
      bytes_written_q <= bytes_written_q + 64'(written_bytes_i);
      if (snapshot_i) begin  // this cycle included
        automatic logic [63:0] causes[Causes];
        for (int unsigned i = 0; i < Causes; i++) begin
          causes[i] = causes_q[i] + 64'(!waits && 32'(which) == i);
        end
        snapshot_q               <= '0;
        snapshot_q.cycles        <= cycles_q + 64'd1;
        snapshot_q.run           <= causes[$bits(which)'(CauseRun)];
        snapshot_q.read_credit   <= causes[$bits(which)'(CauseReadCredit)];
        snapshot_q.write_queue   <= causes[$bits(which)'(CauseWriteQueue)];
        snapshot_q.sram_port     <= causes[$bits(which)'(CauseSramPort)];
        snapshot_q.fetch         <= causes[$bits(which)'(CauseFetch)];
        snapshot_q.drain         <= causes[$bits(which)'(CauseDrain)];
        snapshot_q.idle          <= causes[$bits(which)'(CauseIdle)];
        snapshot_q.commands      <= commands_q + 64'(complete_i);
        snapshot_q.bytes_read    <= bytes_read_q + 64'(read_bytes_i) + {59'd0, fetched_i, 4'd0};
        snapshot_q.bytes_written <= bytes_written_q + 64'(written_bytes_i);
        for (int unsigned k = 0; k < engines_pkg::Kinds; k++) begin
          snapshot_q.wait_[k] <= waits_q[k] + 64'(waits && 32'(by) == k);
        end
      end
      if (clear_i) begin
        causes_q <= '{default: '0};
        waits_q  <= '{default: '0};
        {cycles_q, commands_q, bytes_read_q, bytes_written_q} <= '0;
      end
    end
  end

  // ---- Assertions ----
  `PRESIL_ASSERT(SignallerIsAKindOfEngine_A, waiting_i -> 32'(signaller_i) < engines_pkg::Kinds)

endmodule
