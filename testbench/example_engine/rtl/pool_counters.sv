// The counters: in each cycle one of run .. wait counts, so that their sum is `cycles`. What is read
// is the last snapshot, of all counters in one cycle.
`include "rtl/common/assert.svh"

module pool_counters
  import pool_pkg::*;
(
    input  logic         clk_i,
    input  logic         rst_ni,
    input  logic         snapshot_i,  // acts, as clear_i after it, when this cycle has counted
    input  logic         clear_i,
    output counters_in_t shown_o,

    input logic            run_i,
    input logic            start_i,
    input logic            bank_i,
    input logic            drain_i,
    input logic            waiting_i,
    input logic [engines_pkg::KindBits-1:0] signaller_i,  // kind of engine that would have to signal
    input logic            jobs_i,       // the ring is not empty
    input logic            command_i,    // a command has completed
    output logic [15:0]    which_o       // offset of the counter that this cycle counts for
);
  counters_in_t count_q, counted, shown_q;
  logic [$clog2(engines_pkg::Kinds)-1:0] by;
  assign by = $bits(by)'(signaller_i);
  assign shown_o = shown_q;
  always_comb begin
    counted        = count_q;
    counted.cycles = count_q.cycles + 64'd1;
    if (run_i) counted.run = count_q.run + 64'd1;
    else if (bank_i) counted.sram_bank = count_q.sram_bank + 64'd1;
    else if (drain_i) counted.drain = count_q.drain + 64'd1;
    else if (start_i) counted.start = count_q.start + 64'd1;
    else if (waiting_i) counted.wait_[by] = count_q.wait_[by] + 64'd1;
    else if (jobs_i) counted.fetch = count_q.fetch + 64'd1;
    else counted.idle = count_q.idle + 64'd1;
    if (command_i) counted.commands = count_q.commands + 64'd1;
  end
  always_comb begin
    if (run_i) which_o = 16'(CountersRegRun);
    else if (bank_i) which_o = 16'(CountersRegSramBank);
    else if (drain_i) which_o = 16'(CountersRegDrain);
    else if (start_i) which_o = 16'(CountersRegStart);
    else if (waiting_i) which_o = 16'(CountersRegWait + 32'(by) * CountersRegWaitStride);
    else if (jobs_i) which_o = 16'(CountersRegFetch);
    else which_o = 16'(CountersRegIdle);
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {count_q, shown_q} <= '0;
    end else begin
      count_q <= clear_i ? '0 : counted;
      if (snapshot_i) shown_q <= counted;
    end
  end

  // ---- Assertions ----
  `PRESIL_ASSERT(SignallerIsAKindOfEngine_A, waiting_i -> 32'(signaller_i) < engines_pkg::Kinds)
endmodule
