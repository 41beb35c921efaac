// The counter registers: in each cycle one of run .. wait_out counts, so that their sum is `cycles`.
// What is read is the last snapshot, of all counters in one cycle.
module dla_counters
  import dla_pkg::*;
  import dla_engine_pkg::*;
(
    input  logic            clk_i,
    input  logic            rst_ni,
    input  logic            reg_write_i,
    input  logic            reg_read_i,
    input  logic [7:0]      reg_offset_i,
    input  logic [1:0]      reg_wdata_i,
    output logic [31:0]     reg_rdata_o,
    output logic            reg_error_o,
    input  cause_e          cause_i,
    input  logic            jobs_i,        // the ring is not empty
    input  logic [2:0][1:0] signaller_i,   // by wait port: who would have to signal
    input  logic            command_i,     // a command has completed
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

  logic [63:0] count_q[Count], shown_q[Count];
  logic control, snapshot, clear;
  assign control = reg_write_i && 32'(reg_offset_i) == CountersRegControl;
  assign snapshot = control && reg_wdata_i[0];
  assign clear = control && reg_wdata_i[1];

  logic [4:0] place;
  logic exists;
  assign exists = reg_offset_i[1:0] == '0 && 32'(reg_offset_i) >= CountersRegCycles &&
                  32'(reg_offset_i) <= CountersRegStepsHi;
  assign place = exists ? 5'(reg_offset_i[7:3]) - 5'd1 : '0;
  assign reg_rdata_o = !exists ? '0 : reg_offset_i[2] ? shown_q[place][63:32] : shown_q[place][31:0];
  assign reg_error_o = (reg_read_i && !exists) || (reg_write_i && !control);

  // A write acts after what else happens in its cycle.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      count_q <= '{default: '0};
      shown_q <= '{default: '0};
    end else begin
      count_q[Cycles] <= count_q[Cycles] + 64'd1;
      count_q[which]  <= count_q[which] + 64'd1;
      if (command_i) count_q[Commands] <= count_q[Commands] + 64'd1;
      if (step_i) count_q[Steps] <= count_q[Steps] + 64'd1;
      if (snapshot) begin
        shown_q           <= count_q;
        shown_q[Cycles]   <= count_q[Cycles] + 64'd1;
        shown_q[which]    <= count_q[which] + 64'd1;
        shown_q[Commands] <= count_q[Commands] + 64'(command_i);
        shown_q[Steps]    <= count_q[Steps] + 64'(step_i);
      end
      if (clear) count_q <= '{default: '0};
    end
  end

  // ---- Assertions ----
  CausesAreInTheOrderOfTheRegisters_A :
  assert property (@(posedge clk_i) disable iff (!rst_ni)
                   5'(CauseStart) + 5'd1 == 5'(Start) && which != 5'(Cycles) &&
                   which < 5'(Commands));
endmodule
