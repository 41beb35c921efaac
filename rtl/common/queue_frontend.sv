// A command queue from its doorbell to the commands that it offers to an engine: registers
// (queue.rdl), job ring, prefetch, job checks, barrier, errors, stop, abort, interrupt.
// An engine sees the oldest command at offer_*, answers take_i when it has its copy, and complete_i
// when the oldest one taken has ended. A register write acts after what else happens in its cycle.
`include "rtl/common/assert.svh"

module queue_frontend #(
    parameter int unsigned CommandWords = 32,
    parameter int unsigned PitchBytes   = 128,  // from command to command in a stream
    parameter int unsigned Prefetch     = 4,    // commands held or under way beyond the offered one
    parameter int unsigned Taken        = 4,    // most commands that an engine takes and has not ended
    parameter logic [7:0]  IsaVersion   = job_pkg::IsaVersion,
    localparam int unsigned TakenBits   = $clog2(Taken + 1)
) (
    input logic clk_i,
    input logic rst_ni,

    // the queue's block of registers: an access a cycle, answered in that cycle
    input  logic        reg_write_i,
    input  logic        reg_read_i,
    input  logic [7:0]  reg_offset_i,
    input  logic [31:0] reg_wdata_i,
    output logic [31:0] reg_rdata_o,
    output logic        reg_error_o,
    output logic        irq_o,

    // reads of entries and commands: AXI4, one id, beats of 16 bytes
    output logic         ar_valid_o,
    input  logic         ar_ready_i,
    output logic [39:0]  ar_addr_o,
    output logic [7:0]   ar_len_o,
    input  logic         r_valid_i,
    output logic         r_ready_o,
    input  logic [127:0] r_data_i,
    input  logic [1:0]   r_resp_i,
    input  logic         r_last_i,

    // the oldest command, until take_i or until it is withdrawn by fail_i or abort_o
    output logic                          offer_valid_o,
    output logic [CommandWords-1:0][31:0] offer_words_o,
    output presil_pkg::job_t              offer_job_o,
    output logic [31:0]                   offer_index_o,
    output logic                          offer_last_o,  // of its job
    output presil_pkg::queue_error_t      offer_refusal_o,  // the checker's verdict; code none: fine
    input  logic                          take_i,

    // the engine's checker sees a command while its beats arrive, each one cycle after it came; its
    // verdict, in the cycle of check_o, stays with the command, and the engine fails it when offered
    output logic                          check_active_o,
    output logic [CommandWords-1:0][31:0] check_words_o,
    output presil_pkg::job_t              check_job_o,
    output logic                          check_o,
    input  presil_pkg::queue_error_t      check_error_i,

    // from the engine
    input  logic                     waiting_i,       // the oldest command waits for a counter
    input  logic                     complete_i,      // the oldest one taken has ended
    input  logic                     complete_irq_i,  // and has its irq bit
    input  logic                     fail_i,          // a command is refused or met an error
    input  presil_pkg::queue_error_t fail_error_i,
    input  logic [TakenBits-1:0]     fail_older_i,    // taken ones before it, with that of complete_i
    output logic                     jobs_o,          // the ring is not empty
    output logic                     abort_o,         // a pulse: answer with aborted_i, now or later
    input  logic                     aborted_i,

    // barrier: has every counter first .. first + count - 1 reached the value?
    output logic        barrier_valid_o,
    output logic [7:0]  barrier_first_o,
    output logic [7:0]  barrier_count_o,
    output logic [31:0] barrier_value_o,
    input  logic        barrier_met_i
);

  typedef enum logic [2:0] {
    ModeRun,
    ModeStopping,
    ModeAborting,
    ModeStopped,
    ModeFailing,
    ModeFailed
  } mode_e;

  typedef struct packed {
    logic [31:0] tag;
    logic [31:0] index;
    logic        last;
    logic        irq_at_end;
  } taken_t;

  localparam int unsigned TakenPlaceBits = Taken > 1 ? $clog2(Taken) : 1;
  localparam int unsigned IrqJobDone = 0, IrqCommandDone = 1, IrqError = 2, IrqStopped = 3;

  // ------------------------------------------------------------------------------------- state
  mode_e                    mode_q, mode_d;
  logic                     abort_sent_q, offered_q, offered_d, waiting_q;
  taken_t                   taken_q[Taken], taken_d[Taken];
  logic [TakenBits-1:0]     taken_count_q, taken_count_d;

  logic                     enable_q;
  logic                     rung_q, rung_d;  // since head was written: fetch nothing before
  logic [39:0]              ring_base_q, ring_base_used_q;
  logic [3:0]               ring_size_q;
  logic [7:0]               ring_mask_q, ring_mask_now;
  logic [15:0]              head_q, head_d, tail_q;
  logic [3:0]               irq_status_q, irq_status_d, irq_enable_q;
  presil_pkg::queue_error_t error_q, error_d;
  logic [31:0]              error_tag_q, error_tag_d, error_index_q, error_index_d;
  logic [queue_pkg::ContextCount-1:0][7:0] sync_first_q, sync_last_q;

  // ------------------------------------------------------------------------------------- fetch
  logic                     clear, next_set, front_valid, front_known, in_progress, empty, take;
  logic [15:0]              next_job;
  presil_pkg::queue_error_t front_error;

  assign take = take_i && offer_valid_o;

  queue_fetch #(
      .CommandWords(CommandWords),
      .PitchBytes  (PitchBytes),
      .Prefetch    (Prefetch),
      .IsaVersion  (IsaVersion)
  ) u_fetch (
      .run_i        (mode_q == ModeRun),
      .jobs_i       (enable_q && rung_q),
      .clear_i      (clear),
      .next_set_i   (next_set),
      .next_job_i   (next_job),
      .tail_i       (tail_q),
      .ring_base_i  (ring_base_used_q),
      .ring_mask_i  (ring_mask_q),
      .sync_first_i (sync_first_q),
      .sync_last_i  (sync_last_q),
      .front_valid_o(front_valid),
      .front_error_o(front_error),
      .front_words_o(offer_words_o),
      .front_job_o  (offer_job_o),
      .front_index_o(offer_index_o),
      .front_known_o(front_known),
      .front_refusal_o(offer_refusal_o),
      .take_i       (take),
      .in_progress_o(in_progress),
      .empty_o      (empty),
      .*
  );

  // ------------------------------------------------------------------------------------- offer
  logic steps, front_bad;  // the front takes its turn in this cycle
  assign steps           = mode_q == ModeRun && front_valid && !offered_q;
  assign front_bad       = front_error.code != queue_pkg::ErrorCodeNone;
  assign barrier_valid_o = steps && !front_bad && offer_job_o.barrier && offer_index_o == '0 &&
                           offer_job_o.sync_count != '0;
  assign barrier_first_o = offer_job_o.sync_base + 8'd1;
  assign barrier_count_o = offer_job_o.sync_count;
  assign barrier_value_o = offer_job_o.value_base;
  assign offer_valid_o   = (offered_q && mode_q != ModeAborting) ||
                           (steps && !front_bad && (!barrier_valid_o || barrier_met_i));
  assign offer_last_o    = offer_index_o + 32'd1 == offer_job_o.command_count;
  assign jobs_o          = head_q != tail_q;
  assign abort_o         = mode_q == ModeAborting && !abort_sent_q;

  // ----------------------------------------------------------------------------------- registers
  logic write, idle, quiet;
  logic [15:0] head_now, ahead;

  queue_pkg::state_e state;
  logic              exists, writable;
  logic [1:0]        context_number;
  logic              is_context;
  logic [31:0]       current_tag, current_index;

  assign is_context     = reg_offset_i[7:4] == 4'(queue_pkg::RegContext >> 4);
  assign context_number = reg_offset_i[3:2];
  assign write          = reg_write_i && exists && writable;
  assign reg_error_o    = (reg_read_i && !exists) || (reg_write_i && !(exists && writable));
  assign irq_o          = (irq_status_q & irq_enable_q) != '0;

  always_comb begin
    unique case (mode_q)
      ModeStopping, ModeAborting, ModeFailing: state = queue_pkg::StateDraining;
      ModeStopped: state = queue_pkg::StateStopped;
      ModeFailed:  state = queue_pkg::StateError;
      default: begin
        if (head_q == tail_q ||
            (!enable_q && !in_progress && !offered_q && taken_count_q == '0)) begin
          state = queue_pkg::StateIdle;
        end else begin
          state = waiting_q ? queue_pkg::StateWaiting : queue_pkg::StateRunning;
        end
      end
    endcase
    {current_tag, current_index} = '0;
    if (taken_count_q != '0) {current_tag, current_index} = {taken_q[0].tag, taken_q[0].index};
    else if (front_known) {current_tag, current_index} = {offer_job_o.tag, offer_index_o};
  end

  always_comb begin
    {exists, writable} = 2'b10;
    reg_rdata_o        = '0;
    unique case (32'(reg_offset_i))
      queue_pkg::RegControl:           {writable, reg_rdata_o[0]} = {1'b1, enable_q};
      queue_pkg::RegStatus:            reg_rdata_o[3:0] = state;
      queue_pkg::RegRingBase:          {writable, reg_rdata_o} = {1'b1, ring_base_q[31:0]};
      queue_pkg::RegRingBaseHi:        {writable, reg_rdata_o[7:0]} = {1'b1, ring_base_q[39:32]};
      queue_pkg::RegRingSizeLog2:      {writable, reg_rdata_o[3:0]} = {1'b1, ring_size_q};
      queue_pkg::RegHead:              {writable, reg_rdata_o[15:0]} = {1'b1, head_q};
      queue_pkg::RegTail:              {writable, reg_rdata_o[15:0]} = {1'b1, tail_q};
      queue_pkg::RegIrqStatus:         {writable, reg_rdata_o[3:0]} = {1'b1, irq_status_q};
      queue_pkg::RegIrqEnable:         {writable, reg_rdata_o[3:0]} = {1'b1, irq_enable_q};
      queue_pkg::RegCurrentJob:        reg_rdata_o = current_tag;
      queue_pkg::RegCurrentCommand:    reg_rdata_o = current_index;
      queue_pkg::RegError:             reg_rdata_o[23:0] = {error_q.word, error_q.rule, error_q.code};
      queue_pkg::RegErrorJobTag:       reg_rdata_o = error_tag_q;
      queue_pkg::RegErrorCommandIndex: reg_rdata_o = error_index_q;
      queue_pkg::RegErrorAddress:      reg_rdata_o = error_q.address[31:0];
      queue_pkg::RegErrorAddressHi:    reg_rdata_o[7:0] = error_q.address[39:32];
      default: begin
        {exists, writable} = {2{is_context && reg_offset_i[1:0] == '0}};
        if (exists) reg_rdata_o[15:0] = {sync_last_q[context_number], sync_first_q[context_number]};
      end
    endcase
  end

  // ---------------------------------------------------------------------------------- next state
  assign ring_mask_now = ring_size_q < 4'd2 ? 8'd3 : ring_size_q > 4'd8 ? 8'hff :
                         8'((9'd1 << ring_size_q) - 9'd1);
  assign head_now      = head_q + 16'(complete_i && taken_q[0].last);
  assign ahead         = reg_wdata_i[15:0] - head_now;

  logic       overrun, take_ring;
  logic [7:0] ring_mask_d;
  assign take_ring   = write && 32'(reg_offset_i) == queue_pkg::RegTail && tail_q == head_now;
  assign ring_mask_d = take_ring ? ring_mask_now : ring_mask_q;
  assign overrun     = write && 32'(reg_offset_i) == queue_pkg::RegTail &&
                       ahead > 16'(ring_mask_d) + 16'd1;

  always_comb begin
    mode_d        = mode_q;
    offered_d     = offer_valid_o && !take;
    taken_d       = taken_q;
    taken_count_d = taken_count_q;
    head_d        = head_now;
    irq_status_d  = irq_status_q;
    {error_d, error_tag_d, error_index_d} = {error_q, error_tag_q, error_index_q};
    rung_d        = rung_q;
    clear         = 1'b0;
    next_set      = 1'b0;
    if (mode_q == ModeAborting) offered_d = offered_q;

    // -- what happens in this cycle
    if (take) begin
      taken_d[TakenPlaceBits'(taken_count_q)] = '{tag: offer_job_o.tag, index: offer_index_o, last: offer_last_o,
                                 irq_at_end: offer_job_o.irq_at_end};
      taken_count_d = taken_count_q + 1'b1;
    end
    if (fail_i) begin  // it and all after it are dropped
      taken_count_d = fail_older_i;
      offered_d     = 1'b0;
    end
    if (complete_i) begin
      for (int unsigned i = 0; i + 1 < Taken; ++i) taken_d[i] = taken_d[i+1];
      taken_count_d = taken_count_d - 1'b1;
      if (complete_irq_i) irq_status_d[IrqCommandDone] = 1'b1;
      if (taken_q[0].last && taken_q[0].irq_at_end) irq_status_d[IrqJobDone] = 1'b1;
    end
    if (mode_q != ModeFailing && mode_q != ModeFailed) begin  // the first error stays
      if (fail_i) begin
        mode_d  = ModeFailing;
        error_d = fail_error_i;
        if (fail_older_i == taken_count_q) begin
          {error_tag_d, error_index_d} = {offer_job_o.tag, offer_index_o};
        end else begin
          {error_tag_d, error_index_d} = {taken_q[TakenPlaceBits'(fail_older_i)].tag,
                                          taken_q[TakenPlaceBits'(fail_older_i)].index};
        end
      end else if (steps && front_bad) begin
        mode_d  = ModeFailing;
        error_d = front_error;
        {error_tag_d, error_index_d} = {offer_job_o.tag, offer_index_o};
      end
    end
    quiet = taken_count_d == '0 && !offered_d;
    if (mode_d == ModeFailing && quiet) begin
      mode_d = ModeFailed;
      irq_status_d[IrqError] = 1'b1;
    end else if (mode_d == ModeStopping && quiet) begin
      mode_d = ModeStopped;
      irq_status_d[IrqStopped] = 1'b1;
    end else if (mode_d == ModeAborting && aborted_i) begin
      mode_d = ModeStopped;
      clear  = 1'b1;
      irq_status_d[IrqStopped] = 1'b1;
    end
    if (clear) {taken_count_d, offered_d} = '0;
    idle = empty && taken_count_d == '0 && !offered_d;

    // -- then a register is written
    if (write) begin
      unique case (32'(reg_offset_i))
        queue_pkg::RegControl: begin
          rung_d = 1'b1;
          if (reg_wdata_i[3]) begin
            if (mode_d == ModeRun || mode_d == ModeStopping) mode_d = ModeAborting;
          end else if (reg_wdata_i[2]) begin
            if (mode_d == ModeRun) begin
              mode_d = quiet ? ModeStopped : ModeStopping;
              if (quiet) irq_status_d[IrqStopped] = 1'b1;
            end
          end else if (reg_wdata_i[1]) begin
            if (mode_d == ModeFailed || mode_d == ModeStopped) begin
              mode_d = ModeRun;
              clear  = 1'b1;
              {error_d, error_tag_d, error_index_d} = '0;
            end
          end
        end
        queue_pkg::RegTail: begin
          if (!overrun) begin
            rung_d = 1'b1;
          end else if (mode_d != ModeFailing && mode_d != ModeFailed) begin
            error_d       = '{code: queue_pkg::ErrorCodeRingOverrun, default: '0};
            error_tag_d   = '0;
            error_index_d = '1;
            if (mode_d != ModeAborting) begin  // which goes on, to state stopped
              mode_d = quiet ? ModeFailed : ModeFailing;
              if (quiet) irq_status_d[IrqError] = 1'b1;
            end
          end
        end
        queue_pkg::RegHead: begin
          if (mode_d == ModeStopped || mode_d == ModeFailed || idle) begin
            head_d = reg_wdata_i[15:0];
            if (idle && mode_d == ModeRun) begin
              next_set = 1'b1;
              rung_d   = 1'b0;
            end
          end
        end
        queue_pkg::RegIrqStatus: irq_status_d = irq_status_d & ~reg_wdata_i[3:0];
        default: ;
      endcase
    end
    if (clear) begin
      {taken_count_d, offered_d} = '0;
      next_set = 1'b1;
    end
    next_job = head_d;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      mode_q <= ModeRun;
      {abort_sent_q, offered_q, waiting_q, enable_q, rung_q} <= '0;
      taken_count_q <= '0;
      {ring_base_q, ring_base_used_q, head_q, tail_q} <= '0;
      ring_size_q <= 4'd2;
      ring_mask_q <= 8'd3;
      {irq_status_q, irq_enable_q, error_q, error_tag_q, error_index_q} <= '0;
      sync_first_q <= {queue_pkg::ContextCount{8'd1}};
      sync_last_q  <= {queue_pkg::ContextCount{8'd63}};
    end else begin
      mode_q        <= mode_d;
      abort_sent_q  <= mode_q == ModeAborting;
      offered_q     <= offered_d;
      waiting_q     <= !clear && (waiting_i || (barrier_valid_o && !barrier_met_i));
      taken_count_q <= taken_count_d;
      head_q        <= head_d;
      rung_q        <= rung_d;
      irq_status_q  <= irq_status_d;
      ring_mask_q   <= ring_mask_d;
      if (take_ring) ring_base_used_q <= ring_base_q;
      {error_q, error_tag_q, error_index_q} <= {error_d, error_tag_d, error_index_d};
      if (write) begin
        unique case (32'(reg_offset_i))
          queue_pkg::RegControl:      enable_q <= reg_wdata_i[0];
          queue_pkg::RegRingBase:     ring_base_q[31:0] <= reg_wdata_i;
          queue_pkg::RegRingBaseHi:   ring_base_q[39:32] <= reg_wdata_i[7:0];
          queue_pkg::RegRingSizeLog2: ring_size_q <= reg_wdata_i[3:0];
          queue_pkg::RegTail:         if (!overrun) tail_q <= reg_wdata_i[15:0];
          queue_pkg::RegIrqEnable:    irq_enable_q <= reg_wdata_i[3:0];
          default: if (is_context) begin
            {sync_last_q[context_number], sync_first_q[context_number]} <= reg_wdata_i[15:0];
          end
        endcase
      end
    end
  end

  always_ff @(posedge clk_i) taken_q <= taken_d;

  // ---------------------------------------------------------------------------------- assertions
  `PRESIL_ASSERT(TakenIsOffered_A, take_i -> offer_valid_o)
  `PRESIL_ASSERT(EngineHasRoomForTaken_A, take -> taken_count_q != TakenBits'(Taken))
  `PRESIL_ASSERT(CompletedWasTaken_A, complete_i -> taken_count_q != '0)
  `PRESIL_ASSERT(FailedWasTakenOrOffered_A,
      fail_i -> fail_older_i < taken_count_q || (fail_older_i == taken_count_q && offer_valid_o))

endmodule
