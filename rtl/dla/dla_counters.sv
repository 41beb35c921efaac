// The counters: in each cycle one of run .. wait_out counts, so that their sum is `cycles`. What is
// read is the last snapshot, of all counters in one cycle.
module dla_counters
  import dla_pkg::*;
  import dla_engine_pkg::*;
(
    input  logic            clk_i,
    input  logic            rst_ni,
    input  logic            snapshot_i,  // acts, as clear_i after it, when this cycle has counted
    input  logic            clear_i,
    output counters_in_t    shown_o,
    input  cause_e          cause_i,
    input  logic            jobs_i,      // the ring is not empty
    input  logic [2:0][1:0] signaller_i, // by wait port: the queue that would have to signal
    input  logic            command_i,   // a command has completed
    input  logic            step_i
);
  localparam int unsigned Cycles = 0, Start = 5, Fetch = 6, Idle = 7, WaitIn = 8, WaitWeights = 12,
      WaitOut = 16, Commands = 20, Steps = 21, Count = 22;

  logic [4:0] which;
  always_comb begin
    unique case (cause_i)
      CauseWaitIn:      which = 5'(WaitIn) + 5'(signaller_i[1]);
      CauseWaitWeights: which = 5'(WaitWeights) + 5'(signaller_i[0]);
      CauseWaitOut:     which = 5'(WaitOut) + 5'(signaller_i[2]);
      CauseNone:        which = jobs_i ? 5'(Fetch) : 5'(Idle);
      default:          which = 5'(cause_i) + 5'd1;
    endcase
  end

  logic [63:0] count_q[Count];
  counters_in_t shown_q;
  assign shown_o = shown_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      count_q <= '{default: '0};
      shown_q <= '0;
    end else begin
      count_q[Cycles] <= count_q[Cycles] + 64'd1;
      count_q[which]  <= count_q[which] + 64'd1;
      if (command_i) count_q[Commands] <= count_q[Commands] + 64'd1;
      if (step_i) count_q[Steps] <= count_q[Steps] + 64'd1;
      if (snapshot_i) begin
        logic [63:0] now[Count];  // this cycle included
        for (int i = 0; i < Count; i++) now[i] = count_q[i] + 64'(i == Cycles || i == 32'(which));
        now[Commands] = count_q[Commands] + 64'(command_i);
        now[Steps]    = count_q[Steps] + 64'(step_i);
        shown_q <= '{cycles: now[Cycles], run: now[1], stall_feature: now[2],
                     stall_weights: now[3], stall_post: now[4], start: now[Start],
                     fetch: now[Fetch], idle: now[Idle],
                     wait_in: {now[WaitIn+3], now[WaitIn+2], now[WaitIn+1], now[WaitIn]},
                     wait_weights: {now[WaitWeights+3], now[WaitWeights+2], now[WaitWeights+1],
                                    now[WaitWeights]},
                     wait_out: {now[WaitOut+3], now[WaitOut+2], now[WaitOut+1], now[WaitOut]},
                     commands: now[Commands], steps: now[Steps]};
      end
      if (clear_i) count_q <= '{default: '0};
    end
  end

  // ---- Assertions ----
  CausesAreInTheOrderOfTheCounters_A :
  assert property (@(posedge clk_i) disable iff (!rst_ni)
                   5'(CauseStart) + 5'd1 == 5'(Start) && which != 5'(Cycles) &&
                   which < 5'(Commands));
endmodule
