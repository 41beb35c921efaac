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
    logic [3:0]         lanes;       // conv: these groups of 16 lanes have an input block
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

  // What units ask of a command in every cycle, decoded once.
  typedef struct packed {
    logic window;      // all but conv: steps are columns of taps
    logic weights;     // reads weight sets
    logic wide;        // of MacsC lanes, else of 16
    logic parameters;  // reads channel parameters
    logic lut;         // and a table
    logic sums;        // starts from partial sums
    logic second;      // reads a second operand, or sums
  } traits_t;

  function automatic traits_t traits_of(input command_t c);
    traits_t t;
    t.window = c.op != OpConv;
    t.weights = c.op == OpConv || c.op == OpDwconv;
    t.wide = c.op == OpConv && !c.packed_;
    t.parameters = c.op == OpConv || c.op == OpDwconv || c.op == OpSumpool ||
                   (c.op == OpPass && c.rule != RuleNone);
    t.lut = c.lut_en;
    t.sums = c.acc_init == AccInitInt32;
    t.second = c.ew_op != EwOpNone || t.sums;
    return t;
  endfunction

  // What decides when its units start: 0 loader, 1 sequencer and second operand, 2 writer.
  typedef struct packed {
    logic nop;
    logic fence;
    logic second;
    logic [2:0][7:0]  wait_id;  // 0: none
    logic [2:0][31:0] wait_value;
  } turn_t;

  function automatic turn_t turn_of(input command_t c);
    turn_t t;
    t.nop = c.op == OpNop;
    t.fence = c.fence;
    t.second = c.ew_op != EwOpNone || c.acc_init == AccInitInt32;
    t.wait_id = {c.wait_out, c.wait_in, c.wait_weights};
    t.wait_value = {c.wait_out_value, c.wait_in_value, c.wait_weights_value};
    return t;
  endfunction

  // Feature words that a step reads at most: a column of 4 rows of each group of 16 output channels,
  // a word of each group of 16 lanes, two words of a dense row.
  function automatic int unsigned words_of_step(input int unsigned macs_k, input int unsigned macs_c);
    return macs_k / 4 > macs_c / 16 ? macs_k / 4 : macs_c / 16;
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
