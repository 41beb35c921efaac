// When a unit starts: it takes the offered command when it has finished its last, and starts when
// its own wait is met.
module dla_start (
    input  logic clk_i,
    input  logic rst_ni,
    input  logic offer_i,
    input  logic slot_i,
    input  logic all_taken_i,  // the offer goes
    input  logic idle_i,       // the unit has nothing to do
    input  logic met_i,        // wait of the command that this unit waits with
    output logic taken_o,      // of the offer
    output logic slot_o,
    output logic waiting_o,  // has a command that has not started before this cycle
    output logic start_o
);
  logic waiting_q, taken_q, slot_q, takes, waiting;
  assign takes = offer_i && !taken_q && idle_i && !waiting_q;
  assign taken_o = takes || taken_q;
  assign slot_o = waiting_q ? slot_q : slot_i;
  assign waiting = takes || waiting_q;
  assign waiting_o = waiting;
  assign start_o = waiting && met_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {waiting_q, taken_q, slot_q} <= '0;
    else begin
      taken_q   <= taken_o && !all_taken_i;
      waiting_q <= waiting && !met_i;
      slot_q    <= slot_o;
    end
  end
endmodule
