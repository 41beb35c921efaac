// Where each cycle of the engine went, as the operand stage sees it: a step fires; or, before the
// first step of a command, which queue is waited for or what fills; within it, what stalls; after the last
// step of all, results on their way out.
`include "rtl/common/assert.svh"

module dla_cause
  import dla_engine_pkg::*;
(
    input  logic       clk_i,
    input  logic       rst_ni,
    input  logic       offered_i,        // a command comes in flight in this cycle
    input  logic       any_i,            // one is in flight, that one included
    input  logic       step_i,
    input  logic       step_last_i,      // of its command
    input  logic       nop_end_i,
    input  logic [2:0] asks_i,           // by unit: its command waits for a counter
    input  logic [1:0] slot_i,           // loader, sequencer: which command that is
    input  logic       set_valid_i,      // the next pass has its weights
    input  logic       loads_late_i,     // the loader takes longer than its words do
    input  logic       loader_slot_i,    // for this command
    input  logic       stall_feature_i,
    input  logic       stall_weights_i,
    input  logic       stall_post_i,
    input  logic       post_backlog_i,   // a result waits for post-processing
    output cause_e     cause_o
);
  logic [1:0] ahead_q;  // commands in flight whose last step is to come
  logic front_q, started_q, past, front;
  assign past = (step_i && step_last_i) || nop_end_i;
  assign front = ahead_q != '0 || offered_i;

  always_comb begin
    if (step_i) cause_o = CauseRun;
    else if (!any_i) cause_o = CauseNone;
    else if (front && !started_q) begin
      if (asks_i[1] && slot_i[1] == front_q) cause_o = CauseWaitIn;
      else if (asks_i[0] && slot_i[0] == front_q) cause_o = CauseWaitWeights;
      else if (stall_post_i || asks_i[2]) cause_o = asks_i[2] ? CauseWaitOut : CausePost;
      else if (!set_valid_i && loads_late_i && loader_slot_i == front_q) cause_o = CauseWeights;
      else cause_o = CauseStart;
    end else if (front) begin
      if (stall_feature_i) cause_o = CauseFeature;
      else if (stall_weights_i) cause_o = CauseWeights;
      else if (stall_post_i) cause_o = asks_i[2] ? CauseWaitOut : CausePost;
      else cause_o = CauseStart;
    end else if (asks_i[2]) cause_o = CauseWaitOut;
    else cause_o = post_backlog_i ? CausePost : CauseStart;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {ahead_q, front_q, started_q} <= '0;
    else begin
      ahead_q <= ahead_q + 2'(offered_i) - 2'(past);
      if (past) front_q <= !front_q;
      if (step_i) started_q <= !step_last_i;
    end
  end

  // ---- Assertions ----
  `PRESIL_ASSERT(WhatEndsWasAhead_A, past -> front)
endmodule
