// Types that travel between the units of the engine, and what a command's loops look like.
package dla_engine_pkg;
  import dla_pkg::*;

  // Flags of a step. They travel with it: no unit looks at another's counters.
  typedef struct packed {
    logic       slot;           // which of the two commands in flight
    logic       first_of_pass;  // a weight set is swapped in
    logic       first_of_group; // first pass of MacsK output channels: parameters too
    logic       first_pass;     // of a block: the accumulator starts from bias or sums
    logic       last_pass;      // of a block: the result goes to post-processing
    logic       last_of_group;  // last pixel of MacsK output channels
    logic       last;           // of the command
    logic       pixel;          // the window is complete: a result
    logic [6:0] index;          // accumulator
    logic [9:0] group;          // of MacsK output channels
    logic [2:0] columns;        // of this chunk of taps
    logic [2:0] rows;
  } step_t;

  // What of a column or window lies inside the image.
  typedef struct packed {
    logic [3:0]         row_inside;  // conv: bit 0
    logic               shift;       // packed: the window crosses into the next word
    logic               low_new;     // packed: port 0 brings the lower word
    logic               high_new;    // packed: port 1 brings the upper word
    logic signed [16:0] first_byte;  // packed: position of lane 0 in the row
  } where_t;

  // What a job adds to its commands.
  typedef struct packed {
    logic [23:0] sram_base;
    logic [7:0]  sync_base;
    logic [31:0] value_base;
  } relocation_t;

  function automatic logic [7:0] counter_of(input logic [7:0] id, input logic [7:0] base);
    return id == '0 ? '0 : id + base;  // 0 stays none
  endfunction

  // The command with addresses of the tile's SRAM, counters of the tile and their values.
  function automatic command_t relocated(input command_t c, input relocation_t by);
    command_t r;
    r = c;
    r.in_base = c.in_base + by.sram_base;
    r.out_base = c.out_base + by.sram_base;
    r.w_base = c.w_base + by.sram_base;
    r.p_base = c.p_base + by.sram_base;
    r.lut_base = c.lut_base + by.sram_base;
    r.res_base = c.res_base + by.sram_base;
    r.wait_weights = counter_of(c.wait_weights, by.sync_base);
    r.wait_in = counter_of(c.wait_in, by.sync_base);
    r.wait_out = counter_of(c.wait_out, by.sync_base);
    r.signal = counter_of(c.signal, by.sync_base);
    r.wait_weights_value = c.wait_weights_value + by.value_base;
    r.wait_in_value = c.wait_in_value + by.value_base;
    r.wait_out_value = c.wait_out_value + by.value_base;
    return r;
  endfunction

  // Where a cycle went, as the operand stage sees it. In the order of the counter registers.
  typedef enum logic [3:0] {
    CauseRun,
    CauseFeature,
    CauseWeights,
    CausePost,
    CauseStart,
    CauseWaitIn,
    CauseWaitWeights,
    CauseWaitOut,
    CauseNone  // no command
  } cause_e;

  function automatic logic is_window(input command_t c);
    return c.op != OpConv;
  endfunction
  function automatic logic reads_weights(input command_t c);
    return c.op == OpConv || c.op == OpDwconv;
  endfunction
  function automatic logic reads_parameters(input command_t c);
    return c.op == OpConv || c.op == OpDwconv || c.op == OpSumpool ||
           (c.op == OpPass && c.rule != RuleNone);
  endfunction
  function automatic logic reads_sums(input command_t c);
    return c.acc_init == AccInitInt32;
  endfunction
  function automatic logic reads_second(input command_t c);
    return c.ew_op != EwOpNone || reads_sums(c);
  endfunction

  // Loops of a block: a (input blocks, chunks or rows of taps), b (kernel rows), c (columns).
  typedef struct packed {
    logic [9:0] groups;  // of MacsK output channels
    logic [9:0] a;
    logic [5:0] b;
    logic [5:0] c;
  } loops_t;

  function automatic loops_t loops_of(input command_t c, input int unsigned groups_k,
                                      input int unsigned groups_c);
    loops_t l;
    l.groups = 10'((32'(c.out_blocks) + groups_k - 1) / groups_k);
    if (c.op == OpConv) begin
      l.a = c.packed_ ? c.in_blocks : 10'((32'(c.in_blocks) + groups_c - 1) / groups_c);
      l.b = c.kernel_h;
      l.c = c.packed_ ? 6'd1 : c.kernel_w;
    end else begin
      l.a = 10'((32'(c.kernel_h) + 3) / 4);
      l.b = 6'd1;
      l.c = c.dil_x > 5'd1 ? c.kernel_w : 6'((32'(c.kernel_w) + 3) / 4);
    end
    return l;
  endfunction
endpackage
