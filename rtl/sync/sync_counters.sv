// The counters: signals of all queues in one cycle, and the host's writes. A signal of cycle t is in
// a register at t + 1 and in the counter at t + 2. A change of a counter that must not be changed is
// refused: the first of a cycle is told, COUNT's before the signals', these by queue.
`include "rtl/common/assert.svh"

module sync_counters #(
    parameter int unsigned Counters = 64,
    parameter int unsigned Queues   = engines_pkg::Queues
) (
    input logic clk_i,
    input logic rst_ni,

    input logic [Queues-1:0]       signal_valid_i,
    input logic [Queues-1:0][7:0]  signal_id_i,
    input logic [Queues-1:0][15:0] signal_add_i,
    input logic [7:0]              limit_i,         // highest id that may change

    input logic        set_i,
    input logic        set_enable_i,
    input logic [7:0]  set_id_i,
    input logic [31:0] set_value_i,

    output logic              [31:0] count_o    [Counters],  // by id
    output sync_pkg::engine_e        signaller_o[Counters],  // the host before the first signal

    output logic              refused_o,
    output logic [7:0]        refused_id_o,
    output sync_pkg::engine_e refused_engine_o
);

  localparam int unsigned SumBits = 16 + $clog2(Queues + 1);
  localparam int unsigned IdBits  = $clog2(Counters);

  logic [Queues-1:0]       valid_q, may;
  logic [Queues-1:0][7:0]  id_q;
  logic [Queues-1:0][15:0] add_q;
  logic [31:0]             count_q    [Counters];
  sync_pkg::engine_e       signaller_q[Counters];

  assign count_o     = count_q;
  assign signaller_o = signaller_q;

  function automatic logic may_change(input logic [7:0] id, input logic [7:0] limit);
    return id != '0 && 32'(id) < Counters && id <= limit;
  endfunction

  always_comb begin
    for (int unsigned q = 0; q < Queues; ++q) may[q] = may_change(id_q[q], limit_i);
  end

  // ----------------------------------------------------------------------------------- values
  logic set;
  assign set = set_i && set_enable_i && may_change(set_id_i, limit_i);

  function automatic logic [SumBits-1:0] sum_for(input int unsigned id);
    sum_for = '0;
    for (int unsigned q = 0; q < Queues; ++q) begin
      if (valid_q[q] && may[q] && 32'(id_q[q]) == id) sum_for = sum_for + SumBits'(add_q[q]);
    end
  endfunction

  logic              changes;  // else nothing below has to be looked at
  sync_pkg::engine_e signaller_d[Counters];
  assign changes = set || valid_q != '0;

  always_comb begin
    signaller_d = signaller_q;
    if (set) signaller_d[IdBits'(set_id_i)] = sync_pkg::EngineHost;
    for (int unsigned q = 0; q < Queues; ++q) begin
      if (valid_q[q] && may[q]) signaller_d[IdBits'(id_q[q])] = sync_pkg::engine_e'(engines_pkg::kind_of(q));
    end
  end

  for (genvar g = 0; g < Counters; ++g) begin : gen_counter
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        count_q[g]     <= '0;
        signaller_q[g] <= sync_pkg::EngineHost;
      end else if (changes) begin
        count_q[g]     <= (set && 32'(set_id_i) == g ? set_value_i : count_q[g]) + 32'(sum_for(g));
        signaller_q[g] <= signaller_d[g];
      end
    end
  end

  always_comb begin
    refused_o        = set_i && !set;
    refused_id_o     = set_id_i;
    refused_engine_o = sync_pkg::EngineHost;
    for (int unsigned q = 0; q < Queues; ++q) begin
      if (!refused_o && valid_q[q] && !may[q]) begin
        refused_o        = 1'b1;
        refused_id_o     = id_q[q];
        refused_engine_o = sync_pkg::engine_e'(engines_pkg::kind_of(q));
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) valid_q <= '0;
    else valid_q <= signal_valid_i;
  end

  always_ff @(posedge clk_i) begin
    for (int unsigned q = 0; q < Queues; ++q) begin
      if (signal_valid_i[q]) {id_q[q], add_q[q]} <= {signal_id_i[q], signal_add_i[q]};
    end
  end

  // ---------------------------------------------------------------------------------- assertions
  `PRESIL_ASSERT(OnlyWhatMayChangeIsSet_A, set -> set_id_i != '0 && set_id_i <= limit_i)

endmodule
