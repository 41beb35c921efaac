// A channel between its queue and the two sides of the engine: refuses or waits, relocates addresses,
// begins a command on the side that moves its bytes, completes in order, signals, stops on an error or
// abort. A change of path drains, and so does a fence; at most four commands are in flight.
`include "rtl/common/assert.svh"

module dma_channel
  import dma_engine_pkg::*;
#(
    parameter int unsigned Taken = 4
) (
    input  logic clk_i,
    input  logic rst_ni,

    // queue_frontend
    input  logic                     offer_valid_i,
    input  dma_pkg::command_t        offer_i,
    input  presil_pkg::job_t         job_i,
    input  logic [31:0]              index_i,
    input  presil_pkg::queue_error_t refusal_i,
    output logic                     take_o,
    output logic                     waiting_o,
    output logic                     complete_o,
    output logic                     complete_irq_o,
    output logic                     fail_o,
    output presil_pkg::queue_error_t fail_error_o,
    output logic [2:0]               fail_older_o,
    input  logic                     abort_i,
    output logic                     aborted_o,

    // whole elements in a pack
    output logic                     pack_request_o,
    input  logic                     pack_answer_i,
    input  presil_pkg::queue_error_t pack_error_i,

    // sync
    output logic [1:0]       wait_valid_o,
    output logic [1:0][7:0]  wait_id_o,
    output logic [1:0][31:0] wait_value_o,
    input  logic [1:0]       wait_met_i,
    output logic             signal_valid_o,
    output logic [7:0]       signal_id_o,
    output logic [15:0]      signal_add_o,

    // both sides
    output work_t       begin_o,
    output logic        begin_late_o,
    output logic [2:0]  begin_age_o,
    output logic        begin_load_o,
    input  logic        load_ready_i,
    output logic        begin_store_o,
    input  logic        store_ready_i,
    input  logic        load_complete_i,
    input  logic        store_complete_i,
    input  logic        load_failed_i,
    input  logic [39:0] load_failed_address_i,
    input  logic        store_failed_i,
    input  logic [39:0] store_failed_address_i,
    input  logic        outstanding_i,  // on either side
    input  logic        completing_i,
    input  logic        moved_i,        // the last burst of a move is on its way out
    output logic        halt_o,
    output logic        clear_o,

    // for counters and records
    output logic        busy_o,         // a command has begun and has not completed
    output logic        offered_o,      // one is there and waits for no counter
    output path_e       path_o,         // of what is in flight
    output logic        done_valid_o,
    output logic [31:0] done_index_o,
    output logic [31:0] done_tag_o
);

  typedef struct packed {
    logic        nop;
    logic        irq;
    logic [7:0]  signal;
    logic [15:0] signal_add;
    logic [31:0] tag;
    logic [31:0] index;
  } flight_t;

  typedef enum logic [1:0] {
    HaltNo,
    HaltError,
    HaltAbort
  } halt_e;

  // -------------------------------------------------------------------------------------- verdict

  logic packs, answered_q, later, judged, refused;
  presil_pkg::queue_error_t pack_error_q, verdict;

  // A pack's lengths are looked at before counters and addresses.
  assign later      = refusal_i.code == queue_pkg::ErrorCodeNone ||
                      refusal_i.code == queue_pkg::ErrorCodeSyncLimit ||
                      refusal_i.code == queue_pkg::ErrorCodeAddressRange;
  assign packs      = offer_i.op == dma_pkg::OpCopy && offer_i.pack != dma_pkg::PackNone && later;
  assign pack_request_o = offer_valid_i && packs && !answered_q;
  assign judged     = offer_valid_i && (!packs || answered_q);
  assign verdict    = packs && pack_error_q.code != queue_pkg::ErrorCodeNone ? pack_error_q : refusal_i;
  assign refused    = judged && verdict.code != queue_pkg::ErrorCodeNone;

  // ---------------------------------------------------------------------------------------- waits

  logic [1:0] met;
  assign wait_valid_o[0] = judged && !refused && offer_i.wait0 != '0;
  assign wait_valid_o[1] = judged && !refused && offer_i.wait1 != '0;
  assign wait_id_o       = {offer_i.wait1 + job_i.sync_base, offer_i.wait0 + job_i.sync_base};
  assign wait_value_o    = {offer_i.wait1_value + job_i.value_base,
                            offer_i.wait0_value + job_i.value_base};
  assign met             = ~wait_valid_o | wait_met_i;
  assign waiting_o       = |(wait_valid_o & ~wait_met_i);

  // ---------------------------------------------------------------------------------------- begin

  path_e path, last_path_q;
  logic  turns, drained, ready, begins, moving_q, offered_q, halts;
  logic [2:0] age_q;
  halt_e halt_q;
  logic [2:0] count_q, left;  // in flight
  flight_t [Taken-1:0] flights_q;
  flight_t             flight, oldest;

  always_comb begin
    path = PathNone;
    if (offer_i.op == dma_pkg::OpCopy && offer_i.src_space == dma_pkg::SpaceSystem) begin
      path = offer_i.dst_space == dma_pkg::SpaceSystem ? PathMove : PathLoad;
    end else if (offer_i.op != dma_pkg::OpNop) begin
      path = offer_i.dst_space == dma_pkg::SpaceSystem ? PathStore : PathLocal;
    end
  end

  assign left          = count_q - 3'(complete_o);
  assign turns         = path != PathNone && last_path_q != PathNone && path != last_path_q;
  assign drained       = left == '0;
  assign ready         = load_ready_i && store_ready_i && (!moving_q || moved_i);
  assign begins        = judged && !refused && met == '1 && ready && count_q < 3'(Taken) &&
                         (!(offer_i.fence || turns) || drained) && halt_q == HaltNo && !halts;
  assign take_o        = begins;
  assign begin_load_o  = begins && path inside {PathLoad, PathMove};
  assign begin_store_o = begins && path inside {PathStore, PathLocal};
  assign begin_late_o  = offered_q;
  assign begin_age_o   = age_q;

  function automatic logic [39:0] absolute(input logic sram, input logic [2:0] region,
                                           input logic [39:0] base, input presil_pkg::job_t job);
    return base + (sram ? 40'(job.sram_base) : job.region_base[region]);
  endfunction

  elements_t elements;
  assign elements = '{packed_elements: 1'b1, data: offer_i.elem_bytes,
                      pitch: offer_i.op == dma_pkg::OpFill
                             ? 13'd16 : (13'(offer_i.elem_bytes) + 13'd15) & ~13'd15};
  always_comb begin
    begin_o.path             = path;
    begin_o.fill             = offer_i.op == dma_pkg::OpFill;
    begin_o.source.base      = absolute(offer_i.src_space == dma_pkg::SpaceSram, offer_i.src_region,
                                        offer_i.src_base, job_i);
    begin_o.source.row_bytes = offer_i.src_row_bytes;
    begin_o.source.n         = offer_i.src_n;
    begin_o.source.stride    = offer_i.src_stride;
    begin_o.target.base      = absolute(offer_i.dst_space == dma_pkg::SpaceSram, offer_i.dst_region,
                                        offer_i.dst_base, job_i);
    begin_o.target.row_bytes = offer_i.dst_row_bytes;
    begin_o.target.n         = offer_i.dst_n;
    begin_o.target.stride    = offer_i.dst_stride;
    begin_o.transform.drop   = offer_i.pack == dma_pkg::PackDrop ? elements : '0;
    begin_o.transform.pad    = offer_i.pack == dma_pkg::PackPad || begin_o.fill ? elements : '0;
    begin_o.transform.xor80  = offer_i.xor80;
    begin_o.transform.pattern = offer_i.pattern;
  end

  assign flight = '{nop: path == PathNone, irq: offer_i.irq,
                    signal: offer_i.signal == '0 ? '0 : offer_i.signal + job_i.sync_base,
                    signal_add: offer_i.signal_add, tag: offer_i.tag, index: index_i};

  // ----------------------------------------------------------------------------------- completion

  logic       ended;       // the oldest that is no nop
  logic [2:0] owed_q;      // have ended and not completed
  logic [2:0] nop_q;       // cycles until a nop may complete
  logic [2:0] nop_hold;    // as the first take of another command, less one
  always_comb begin
    nop_hold = 3'd3 - (age_q == 3'd4 ? 3'd3 : age_q);
    if (offered_q && nop_hold == '0) nop_hold = 3'd1;
  end
  assign oldest         = flights_q[0];
  assign ended          = store_complete_i || load_complete_i;
  assign complete_o     = count_q != '0 && halt_q != HaltAbort &&
                          (oldest.nop ? nop_q == '0 : owed_q != '0 || ended);
  assign complete_irq_o = oldest.irq;
  assign signal_valid_o = complete_o && oldest.signal != '0;
  assign signal_id_o    = oldest.signal;
  assign signal_add_o   = oldest.signal_add;
  assign done_valid_o   = complete_o;
  assign done_index_o   = oldest.index;
  assign done_tag_o     = oldest.tag;
  assign busy_o         = count_q != '0;
  assign offered_o      = offer_valid_i && !waiting_o;
  assign path_o         = last_path_q;

  // ------------------------------------------------------------------------------ error and abort

  // Nothing is issued any more; when all that is outstanding has come back, and for an error the
  // commands before it have completed, the rest is dropped.
  logic settled;
  assign halts   = abort_i || load_failed_i || store_failed_i;
  assign settled = !outstanding_i &&
                   (halt_q == HaltAbort || (!completing_i && owed_q == '0 && !ended && !oldest.nop));
  assign halt_o    = halt_q != HaltNo || halts;
  assign clear_o   = halt_q != HaltNo && settled && !(halt_q == HaltError && abort_i);
  assign aborted_o = clear_o && halt_q == HaltAbort;

  always_comb begin
    fail_o       = 1'b0;
    fail_older_o = count_q;
    fail_error_o = verdict;
    if (clear_o && halt_q == HaltError) begin
      fail_o       = 1'b1;
      fail_older_o = '0;
      fail_error_o = '{code: queue_pkg::ErrorCodeBusError, default: '0};
      fail_error_o.address = load_failed_i ? load_failed_address_i : store_failed_address_i;
    end else if (refused && halt_q == HaltNo && !halts) begin
      fail_o = 1'b1;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {answered_q, moving_q, offered_q} <= '0;
      age_q        <= '0;
      pack_error_q <= '0;
      halt_q       <= HaltNo;
      count_q      <= '0;
      flights_q    <= '0;
      owed_q       <= '0;
      nop_q        <= '0;
      last_path_q  <= PathNone;
    end else begin
      // A command offered in the cycle after a take has been here for a while.
      offered_q <= offer_valid_i && !begins;
      age_q     <= begins ? 3'd4 : !offer_valid_i ? '0 : age_q == 3'd4 ? 3'd4 : age_q + 3'd1;
      answered_q <= offer_valid_i && !begins && (answered_q || pack_answer_i);
      if (pack_answer_i) pack_error_q <= pack_error_i;
      if (!offer_valid_i || begins) pack_error_q <= '0;

      if (complete_o) flights_q <= {flight_t'('0), flights_q[Taken-1:1]};
      if (begins) begin
        flights_q[2'(left)] <= flight;
        if (path != PathNone) last_path_q <= path;
      end
      count_q  <= left + 3'(begins);
      moving_q <= begins && path == PathMove ? 1'b1 : moving_q && !moved_i;
      owed_q   <= owed_q + 3'(ended) - 3'(complete_o && !oldest.nop);
      nop_q    <= begins && path == PathNone ? nop_hold : nop_q - 3'(nop_q != '0);

      if (abort_i) halt_q <= HaltAbort;
      else if (halt_q == HaltNo && halts) halt_q <= HaltError;
      if (clear_o) begin
        halt_q      <= HaltNo;
        count_q     <= '0;
        owed_q      <= '0;
        moving_q    <= 1'b0;
        last_path_q <= PathNone;
      end
    end
  end

  // ---------------------------------------------------------------------------------- assertions

  `PRESIL_ASSERT(At_most_four_are_in_flight_A, count_q <= 3'(Taken))
  `PRESIL_ASSERT(What_ends_is_in_flight_A, ended -> count_q != '0)

endmodule
