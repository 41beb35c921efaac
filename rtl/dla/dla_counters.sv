// The counters: in each cycle one of run .. wait_out counts, so that their sum is `cycles`. What is
// read is the last snapshot, of all counters in one cycle.
`include "rtl/common/assert.svh"

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
    input  logic [2:0][engines_pkg::KindBits-1:0] signaller_i, // by wait port: what would have to signal
    input  logic            command_i,   // a command has completed
    input  logic            step_i
);
  // Of waits there is one for each kind of engine that the table of rtl/soc/engines_pkg.sv has.
  localparam int unsigned Cycles = 0, Start = 5, Fetch = 6, Idle = 7, Commands = 8, Steps = 9,
      WaitIn = 10, WaitWeights = WaitIn + engines_pkg::Kinds,
      WaitOut = WaitWeights + engines_pkg::Kinds, Count = WaitOut + engines_pkg::Kinds;
  localparam int unsigned Bits = $clog2(Count);

  logic [Bits-1:0] which;
  always_comb begin
    unique case (cause_i)
      CauseWaitIn:      which = Bits'(WaitIn) + Bits'(signaller_i[1]);
      CauseWaitWeights: which = Bits'(WaitWeights) + Bits'(signaller_i[0]);
      CauseWaitOut:     which = Bits'(WaitOut) + Bits'(signaller_i[2]);
      CauseNone:        which = jobs_i ? Bits'(Fetch) : Bits'(Idle);
      default:          which = Bits'(cause_i) + Bits'(1);
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
        logic [engines_pkg::Kinds-1:0][63:0] wait_in, wait_weights, wait_out;
        for (int i = 0; i < Count; i++) now[i] = count_q[i] + 64'(i == Cycles || i == 32'(which));
        now[Commands] = count_q[Commands] + 64'(command_i);
        now[Steps]    = count_q[Steps] + 64'(step_i);
        for (int k = 0; k < int'(engines_pkg::Kinds); k++) begin
          wait_in[k]      = now[int'(WaitIn)+k];
          wait_weights[k] = now[int'(WaitWeights)+k];
          wait_out[k]     = now[int'(WaitOut)+k];
        end
        shown_q <= '{cycles: now[Cycles], run: now[1], stall_feature: now[2],
                     stall_weights: now[3], stall_post: now[4], start: now[Start],
                     fetch: now[Fetch], idle: now[Idle],
                     commands: now[Commands], steps: now[Steps], wait_in: wait_in,
                     wait_weights: wait_weights, wait_out: wait_out};
      end
      if (clear_i) count_q <= '{default: '0};
    end
  end

  // ---- Assertions ----
  `PRESIL_ASSERT(CausesAreInTheOrderOfTheCounters_A,
      Bits'(CauseStart) + Bits'(1) == Bits'(Start) && which != Bits'(Cycles) && which !=
      Bits'(Commands) && which != Bits'(Steps) && which < Bits'(Count))
  `PRESIL_ASSERT(SignallerIsAKindOfEngine_A,
      cause_i inside {CauseWaitIn, CauseWaitWeights, CauseWaitOut} -> 32'(signaller_i[0]) <
      engines_pkg::Kinds && 32'(signaller_i[1]) < engines_pkg::Kinds && 32'(signaller_i[2]) <
      engines_pkg::Kinds)
endmodule
