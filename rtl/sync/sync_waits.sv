// Waiting: a comparator per wait port, and per queue the barrier's, which compares a range of
// counters at once. All is combinational of the counters.
module sync_waits #(
    parameter int unsigned Counters = 64,
    parameter int unsigned Queues   = engines_pkg::Queues,
    localparam int unsigned Ports   = sync_pkg::WaitPortCount,
    localparam int unsigned IdBits  = $clog2(Counters)
) (
    input logic              [31:0] count_i    [Counters],
    input sync_pkg::engine_e        signaller_i[Counters],

    input  logic              [Ports-1:0]       wait_valid_i,
    input  logic              [Ports-1:0][7:0]  wait_id_i,
    input  logic              [Ports-1:0][31:0] wait_value_i,
    output logic              [Ports-1:0]       wait_met_o,
    output sync_pkg::engine_e [Ports-1:0]       wait_signaller_o,
    output logic              [Ports-1:0]       wait_far_o,  // waits for more than 2^30 ahead

    input  logic [Queues-1:0]       barrier_valid_i,
    input  logic [Queues-1:0][7:0]  barrier_first_i,
    input  logic [Queues-1:0][7:0]  barrier_count_i,
    input  logic [Queues-1:0][31:0] barrier_value_i,
    output logic [Queues-1:0]       barrier_met_o,
    output logic [Queues-1:0][7:0]  barrier_missing_o  // lowest id that has not reached the value
);

  // A counter that does not exist is 0, and signalled by the host.
  function automatic logic [31:0] count_of(input logic [7:0] id);
    return 32'(id) < Counters ? count_i[IdBits'(id)] : '0;
  endfunction

  // Bits 31:30 of how far the counter is past the value.
  function automatic logic [1:0] past(input logic [31:0] counter, input logic [31:0] value);
    return 2'((counter - value) >> 30);
  endfunction

  always_comb begin
    for (int unsigned p = 0; p < Ports; ++p) begin
      logic [1:0] by;
      by                  = past(count_of(wait_id_i[p]), wait_value_i[p]);
      wait_met_o[p]       = wait_id_i[p] == '0 || !by[1];
      wait_signaller_o[p] = 32'(wait_id_i[p]) < Counters ? signaller_i[IdBits'(wait_id_i[p])]
                                                         : sync_pkg::EngineHost;
      wait_far_o[p]       = wait_valid_i[p] && wait_id_i[p] != '0 && by == 2'b10;
    end
  end

  // Lowest counter of a range that has not reached the value; 0: all have. Counters that do not exist
  // are 0, all alike: the first of them stands for them.
  function automatic logic [7:0] missing(input logic [7:0] first, input logic [7:0] number,
                                         input logic [31:0] value);
    logic [8:0] last;
    last    = 9'(first) + 9'(number) - 9'd1;
    missing = '0;
    for (int unsigned i = Counters < 256 ? Counters : 255; i >= 1; --i) begin
      if (number != '0 && 9'(i) <= last && (i == Counters || 9'(i) >= 9'(first)) &&
          past(count_of(8'(i)), value) >= 2'b10) begin
        missing = 9'(first) > 9'(i) ? first : 8'(i);
      end
    end
  endfunction

  always_comb begin
    for (int unsigned q = 0; q < Queues; ++q) begin
      barrier_missing_o[q] = '0;
      if (barrier_valid_i[q]) begin
        barrier_missing_o[q] = missing(barrier_first_i[q], barrier_count_i[q], barrier_value_i[q]);
      end
      barrier_met_o[q] = barrier_valid_i[q] && barrier_missing_o[q] == '0;
    end
  end

endmodule
