// Printed from every engine.yaml with its contract by `python3 rtl/gen/print.py`; do not edit.
// No block uses all of it.
// verilator lint_off UNUSEDPARAM
package engines_pkg;

  // Kinds of engines, numbered as enum engine_e of sync.
  localparam int unsigned KindBits = 5;
  localparam int unsigned Kinds = 4;
  localparam logic [KindBits-1:0] KindDla = 5'd0;  // The convolution engine.
  localparam logic [KindBits-1:0] KindDsp = 5'd1;  // The vector DSP.
  localparam logic [KindBits-1:0] KindDma = 5'd2;  // A DMA channel.
  localparam logic [KindBits-1:0] KindHost = 5'd3;  // The host, through register SIGNAL or COUNT.

  // Queues, as enum presil_queue; those of a tile with one engine of each kind are below Queues.
  localparam int unsigned Queues = 11;
  localparam int unsigned QueueDla = 0;
  localparam int unsigned QueueDsp = 1;
  localparam int unsigned QueueHost = 2;
  localparam int unsigned QueueDma0 = 3;
  localparam int unsigned QueueDma1 = 4;
  localparam int unsigned QueueDma2 = 5;
  localparam int unsigned QueueDma3 = 6;
  localparam int unsigned QueueDma4 = 7;
  localparam int unsigned QueueDma5 = 8;
  localparam int unsigned QueueDma6 = 9;
  localparam int unsigned QueueDma7 = 10;
  localparam int unsigned QueueDla1 = 11;
  localparam int unsigned QueueDla2 = 12;
  localparam int unsigned QueueDla3 = 13;

  function automatic logic [KindBits-1:0] kind_of(input int unsigned queue);
    case (queue)
      0: return KindDla;
      1: return KindDsp;
      2: return KindHost;
      3: return KindDma;
      4: return KindDma;
      5: return KindDma;
      6: return KindDma;
      7: return KindDma;
      8: return KindDma;
      9: return KindDma;
      10: return KindDma;
      11: return KindDla;
      12: return KindDla;
      13: return KindDla;
      default: return '1;
    endcase
  endfunction

endpackage
// verilator lint_on UNUSEDPARAM
