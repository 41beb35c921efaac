// Job entries and commands of a ring, fetched ahead of the engine: two reads outstanding, Prefetch
// commands held or under way beyond the oldest. A read is asked for in the cycle in which there is
// room, the entry that take_i frees included; words can be used one cycle after their last beat.
`include "rtl/common/assert.svh"

module queue_fetch #(
    parameter int unsigned CommandWords = 32,
    parameter int unsigned PitchBytes   = 128,  // from command to command
    parameter int unsigned Prefetch     = 4,
    parameter logic [7:0]  IsaVersion   = job_pkg::IsaVersion
) (
    input  logic clk_i,
    input  logic rst_ni,

    input  logic        run_i,         // new reads may go out
    input  logic        jobs_i,        // also of job entries
    input  logic        clear_i,       // forget all but the ring; reads under way are dropped as they come
    input  logic        next_set_i,    // the next job to fetch is next_job_i
    input  logic [15:0] next_job_i,
    input  logic [15:0] tail_i,
    input  logic [39:0] ring_base_i,
    input  logic [7:0]  ring_mask_i,   // entries - 1
    input  logic [queue_pkg::ContextCount-1:0][7:0] sync_first_i,
    input  logic [queue_pkg::ContextCount-1:0][7:0] sync_last_i,

    output logic         ar_valid_o,
    input  logic         ar_ready_i,
    output logic [39:0]  ar_addr_o,
    output logic [7:0]   ar_len_o,
    input  logic         r_valid_i,
    output logic         r_ready_o,
    input  logic [127:0] r_data_i,
    input  logic [1:0]   r_resp_i,
    input  logic         r_last_i,

    // the oldest command
    output logic                          front_valid_o,    // its words are there, or an error
    output presil_pkg::queue_error_t      front_error_o,    // code none: none
    output logic [CommandWords-1:0][31:0] front_words_o,
    output presil_pkg::job_t              front_job_o,
    output logic [31:0]                   front_index_o,    // all ones: the job entry itself
    output logic                          front_known_o,    // requested: job and index hold
    output presil_pkg::queue_error_t      front_refusal_o,  // the checker's verdict; code none: fine
    input  logic                          take_i,

    // to the engine's checker: a command while its beats arrive, each visible one cycle after it came
    output logic                          check_active_o,   // some are there, up to check_o
    output logic [CommandWords-1:0][31:0] check_words_o,
    output presil_pkg::job_t              check_job_o,
    output logic                          check_o,          // all are there: check_error_i is the verdict
    input  presil_pkg::queue_error_t      check_error_i,

    output logic in_progress_o,  // something is fetched, or to be fetched of a job that is known
    output logic empty_o         // after this cycle no command is held and no entry under way
);

  localparam int unsigned Held         = Prefetch + 1;
  localparam int unsigned Slots        = Prefetch + 2;  // a job each, and one that has no command yet
  localparam int unsigned CommandBeats = CommandWords / 4;
  localparam int unsigned EntryBeats   = job_pkg::EntryWords / 4;
  localparam int unsigned HeldBits     = $clog2(Held);
  localparam int unsigned SlotBits     = $clog2(Slots);
  localparam int unsigned CountBits    = $clog2(Held + 1);
  localparam int unsigned BeatBits     = $clog2(CommandBeats > EntryBeats ? CommandBeats : EntryBeats);

  typedef logic [HeldBits-1:0] held_t;
  typedef logic [SlotBits-1:0] slot_t;

  function automatic held_t next_held(input held_t held);
    return held == held_t'(Held - 1) ? '0 : held + 1'b1;
  endfunction

  // ------------------------------------------------------------------------------------- state
  logic [CommandBeats-1:0][127:0] words_q[Held];
  logic [31:0]                    index_q[Held];
  slot_t                          slot_of_q[Held];
  logic [Held-1:0]                error_q;  // the read failed
  held_t                          front_q, fill_q, free_q;
  logic [CountBits-1:0]           count_q, filled_q;  // requested; of these, there

  presil_pkg::job_t               jobs_q[Slots];
  slot_t                          slot_q;       // of the job whose commands are fetched
  logic [31:0]                    remaining_q;  // commands of it that are not yet requested
  logic [31:0]                    next_q;       // index of the next one
  logic [15:0]                    next_job_q;
  logic                           under_way_q;  // a job entry
  logic                           blocked_q;    // an error ends the fetching
  held_t                          check_held_q;  // it fills, or was filled a cycle ago
  logic                           check_q;
  presil_pkg::queue_error_t       verdict_q[Held];
  logic                           bad_q;        // the last job is refused: bad_error_q
  presil_pkg::queue_error_t       bad_error_q;

  logic [1:0]                     reads_q, stale_q;  // outstanding; the oldest of them to be dropped
  logic [1:0]                     entry_q;           // bit i: the read i from the oldest is a job entry
  logic                           hold_q, hold_entry_q;
  logic [39:0]                    hold_addr_q;
  logic [BeatBits-1:0]            beat_q;
  logic                           resp_q;            // an earlier beat of this read had an error
  logic [EntryBeats-2:0][127:0]   assembly_q;

  // --------------------------------------------------------------------------------- requests
  logic        for_command, request;
  logic [39:0] request_addr;

  assign for_command = remaining_q != '0;
  assign request = run_i && !blocked_q && reads_q < 2'd2 && !hold_q &&
      (for_command ? (count_q != CountBits'(Held) || take_i)
                    : (jobs_i && !under_way_q && next_job_q != tail_i));
  assign request_addr = for_command ?
      jobs_q[slot_q].stream_address + 40'(next_q) * 40'(PitchBytes) :
      ring_base_i + {25'd0, next_job_q[7:0] & ring_mask_i, 7'd0};
  assign ar_valid_o = hold_q || request;
  assign ar_addr_o = hold_q ? hold_addr_q : request_addr;
  assign ar_len_o = (hold_q ? hold_entry_q : !for_command) ? 8'(EntryBeats - 1) : 8'(CommandBeats - 1);

  // ---------------------------------------------------------------------------------- answers
  logic                     arrive, arrive_entry, arrive_command, failed, refused;
  slot_t                    arrive_slot;
  presil_pkg::job_t         arrive_job;
  presil_pkg::queue_error_t check_error, entry_error;

  assign r_ready_o      = 1'b1;
  assign arrive         = r_valid_i && r_last_i;
  assign arrive_entry   = arrive && stale_q == '0 && entry_q[0];
  assign arrive_command = arrive && stale_q == '0 && !entry_q[0];
  assign failed         = resp_q || r_resp_i >= 2'b10;  // SLVERR, DECERR
  assign arrive_slot    = slot_q == slot_t'(Slots - 1) ? '0 : slot_q + 1'b1;

  queue_job_check #(
      .IsaVersion(IsaVersion)
  ) u_check (
      .valid_i(arrive_entry),
      .words_i({r_data_i, assembly_q}),
      .error_o(check_error),
      .*
  );

  always_comb begin
    arrive_job  = '0;
    entry_error = check_error;
    if (arrive_entry) arrive_job = job_pkg::unpack({r_data_i, assembly_q});
    if (failed) begin
      arrive_job  = '0;
      entry_error = '{code: queue_pkg::ErrorCodeFetchError, rule: '0, word: '0,
                      address: ring_base_i + {25'd0, next_job_q[7:0] & ring_mask_i, 7'd0}};
    end
  end
  assign refused = entry_error.code != queue_pkg::ErrorCodeNone;

  // ------------------------------------------------------------------------------- next state
  logic [CountBits-1:0] count_d;
  logic                 under_way_d, request_command, request_entry;

  assign request_command = request && for_command;
  assign request_entry   = request && !for_command;
  assign count_d         = count_q + CountBits'(request_command) - CountBits'(take_i);
  assign under_way_d     = request_entry || (under_way_q && !arrive_entry);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {front_q, fill_q, free_q} <= '0;
      {count_q, filled_q, error_q} <= '0;
      {slot_q, remaining_q, next_q, next_job_q} <= '0;
      {under_way_q, blocked_q, bad_q, check_q} <= '0;
      check_held_q <= '0;
      {reads_q, stale_q, entry_q, hold_q, beat_q, resp_q} <= '0;
    end else begin
      // outstanding reads
      reads_q <= reads_q + 2'(request) - 2'(arrive);
      hold_q  <= ar_valid_o && !ar_ready_i;
      if (arrive) entry_q <= {1'b0, entry_q[1]};
      if (request) entry_q[1'(reads_q-2'(arrive))] <= !for_command;
      if (r_valid_i) begin
        beat_q <= r_last_i ? '0 : beat_q + 1'b1;
        resp_q <= !r_last_i && failed;
      end
      if (arrive && stale_q != '0) stale_q <= stale_q - 1'b1;

      // commands
      check_q       <= arrive_command && !clear_i;
      check_held_q <= fill_q;
      count_q     <= count_d;
      filled_q    <= filled_q + CountBits'(arrive_command) - CountBits'(take_i);
      under_way_q <= under_way_d;
      if (take_i) front_q <= next_held(front_q);
      if (request_command) begin
        free_q      <= next_held(free_q);
        next_q      <= next_q + 1'b1;
        remaining_q <= remaining_q - 1'b1;
      end
      if (arrive_command) begin
        fill_q          <= next_held(fill_q);
        error_q[fill_q] <= failed;
        if (failed) blocked_q <= 1'b1;
      end

      // jobs
      if (arrive_entry) begin
        slot_q      <= arrive_slot;
        next_q      <= '0;
        remaining_q <= refused ? '0 : arrive_job.command_count;
        next_job_q  <= next_job_q + 1'b1;
        bad_q       <= refused;
        if (refused) blocked_q <= 1'b1;
      end
      if (next_set_i) next_job_q <= next_job_i;
      if (clear_i) begin
        {count_q, filled_q, remaining_q, under_way_q, blocked_q, bad_q} <= '0;
        {front_q, fill_q, free_q} <= '0;
        stale_q <= reads_q + 2'(request) - 2'(arrive);
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (request) begin
      hold_addr_q  <= request_addr;
      hold_entry_q <= !for_command;
    end
    if (request_command) begin
      index_q[free_q]   <= next_q;
      slot_of_q[free_q] <= slot_q;
    end
    if (r_valid_i && stale_q == '0) begin
      if (!entry_q[0]) words_q[fill_q][beat_q[$clog2(CommandBeats)-1:0]] <= r_data_i;
      else if (!r_last_i) assembly_q[beat_q[$clog2(EntryBeats)-1:0]] <= r_data_i;
    end
    if (check_q) verdict_q[check_held_q] <= check_error_i;
    if (arrive_entry) begin
      jobs_q[arrive_slot] <= arrive_job;
      bad_error_q         <= entry_error;
    end
  end

  // ---------------------------------------------------------------------------------- outputs
  logic bad_is_front;
  assign bad_is_front  = bad_q && count_q == '0;
  assign front_valid_o = filled_q != '0 || bad_is_front;
  assign front_known_o = count_q != '0 || bad_q;
  always_comb begin
    front_words_o = '0;
    if (filled_q != '0) front_words_o = words_q[front_q];
  end
  assign front_job_o   = bad_is_front ? jobs_q[slot_q] : jobs_q[slot_of_q[front_q]];
  assign front_index_o = bad_is_front ? '1 : index_q[front_q];
  always_comb begin
    front_error_o = '0;
    if (bad_is_front) begin
      front_error_o = bad_error_q;
    end else if (error_q[front_q]) begin
      front_error_o.code    = queue_pkg::ErrorCodeFetchError;
      front_error_o.address = front_job_o.stream_address + 40'(front_index_o) * 40'(PitchBytes);
    end
  end
  assign front_refusal_o = check_q && check_held_q == front_q ? check_error_i : verdict_q[front_q];
  assign check_active_o  = check_q || (beat_q != '0 && stale_q == '0 && !entry_q[0]);
  always_comb begin
    check_words_o = '0;
    if (check_active_o) check_words_o = words_q[check_held_q];
  end
  assign check_job_o     = jobs_q[slot_of_q[check_held_q]];
  assign check_o         = check_q;
  assign in_progress_o = under_way_q || count_q != '0 || remaining_q != '0 || bad_q;
  assign empty_o       = count_d == '0 && !under_way_q && !request_entry && !bad_q;

  // ------------------------------------------------------------------------------- assertions
  `PRESIL_ASSERT(NoMoreThanTwoReads_A, reads_q <= 2'd2)
  `PRESIL_ASSERT(AnswerIsAskedFor_A, r_valid_i -> reads_q != '0)
  `PRESIL_ASSERT(LastBeatIsTheLast_A,
      r_valid_i -> r_last_i == (beat_q == (entry_q[0] ? BeatBits'(EntryBeats - 1) :
      BeatBits'(CommandBeats - 1))))
  `PRESIL_ASSERT(TakenWordsAreThere_A, take_i -> filled_q != '0)
  `PRESIL_STAYS(AddressStaysUntilTaken_A,
      ar_valid_o && !ar_ready_i, ar_valid_o, {ar_addr_o, ar_len_o})

endmodule
