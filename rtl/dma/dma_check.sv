// Whether the DMA takes a command: fields, rules, counters, addresses, in the order of the README;
// code, rule, word and address of the first thing that is wrong. It works while the words arrive:
// `words_i` is the fill buffer of the fetch, four words a beat, and the answer is there in the cycle
// in which the last beat has become visible. The last of the words that rules look at come with beat
// 5 of 8: lengths pass three registers, addresses two. Whether an element of a pack fits into the
// lengths needs a division: dma_pack_check, when the command is offered.
module dma_check
  import dma_pkg::*;
#(
    parameter logic [31:0] SramBytes = 32'h10_0000
) (
    input logic clk_i,

    input logic [CommandWords-1:0][31:0] words_i,
    input presil_pkg::job_t              job_i,
    input logic                          check_i,  // all words are there
    output presil_pkg::queue_error_t     error_o   // code none: the command is taken
);

  localparam logic [7:0] SourceWord = 8'd8, TargetWord = 8'd16, CounterWord = 8'd2;

  command_t c;
  logic     copy, moves;
  assign c     = unpack(words_i);
  assign copy  = c.op == OpCopy;
  assign moves = c.op != OpNop;

  // ------------------------------------------------------------------------------------ fields

  typedef struct packed {
    logic       found;
    logic [7:0] code;
    logic [7:0] word;
  } finding_t;

  function automatic finding_t reserved_in(input logic [CommandWords-1:0][31:0] words);
    reserved_in = '0;
    for (int w = int'(CommandWords) - 1; w >= 0; w--) begin
      if ((words[w] & Reserved[w]) != '0) begin
        reserved_in = '{found: 1'b1, code: queue_pkg::ErrorCodeReservedBits, word: 8'(w)};
      end
    end
  endfunction

  function automatic finding_t fields_in(input logic [CommandWords-1:0][31:0] words,
                                         input logic [3:0] op);
    logic [31:0] next;
    logic [7:0]  code;
    fields_in = '0;
    for (int w = int'(CommandWords) - 1; w >= 0; w--) begin
      next = w + 1 < int'(CommandWords) ? words[(w+1)%int'(CommandWords)] : '0;
      code = field_error(8'(w), {next, words[w]}, op);
      if (code != '0) fields_in = '{found: 1'b1, code: code, word: 8'(w)};
    end
  endfunction

  finding_t reserved, fields;
  always_comb begin
    reserved = '0;
    fields   = '0;
    if (check_i) begin
      reserved = reserved_in(words_i);
      fields   = fields_in(words_i, c.op);
    end
  end

  // ----------------------------------------------------------------------------------- lengths

  // row * n1 * n2 * n3 * n4, or that it is 2^32 at least; no count is 0, or it does not matter.
  typedef struct packed {
    logic        wide;
    logic [31:0] bytes;
  } length_t;

  logic [1:0][23:0]       row;
  logic [1:0][3:0][15:0]  n;
  logic [1:0][39:0]       rows_q;
  logic [1:0][31:0]       steps_q;
  logic [1:0][47:0]       all_steps_q;
  logic [1:0][39:0]       rows_late_q;
  length_t [1:0]          length_q;
  assign row = {c.dst_row_bytes, c.src_row_bytes};
  assign n   = {c.dst_n, c.src_n};

  always_ff @(posedge clk_i) begin
    for (int s = 0; s < 2; s++) begin
      automatic logic [63:0] product = 64'(rows_late_q[s][31:0]) * 64'(all_steps_q[s][31:0]);
      rows_q[s]      <= 40'(row[s]) * 40'(n[s][0]);
      steps_q[s]     <= 32'(n[s][1]) * 32'(n[s][2]);
      rows_late_q[s] <= rows_q[s];
      all_steps_q[s] <= 48'(steps_q[s]) * 48'(n[s][3]);
      length_q[s]    <= '{wide: |rows_late_q[s][39:32] || |all_steps_q[s][47:32] || |product[63:32],
                          bytes: product[31:0]};
    end
  end

  // --------------------------------------------------------------------------------- addresses

  // Lowest byte and end relative to the base: sums of (n - 1) * stride, the negative and the others.
  logic [1:0][3:0][31:0]        stride;
  logic signed [1:0][3:0][49:0] step_q;
  logic signed [1:0][52:0]      low_q, high_q;
  assign stride = {c.dst_stride, c.src_stride};

  function automatic logic signed [49:0] times(input logic [15:0] count, input logic [31:0] pitch);
    logic signed [16:0] steps;
    steps = $signed({1'b0, count}) - 17'sd1;
    return 50'(steps) * 50'($signed(pitch));
  endfunction

  always_ff @(posedge clk_i) begin
    for (int s = 0; s < 2; s++) begin
      automatic logic signed [52:0] low = '0, high = 53'(row[s]);
      for (int d = 0; d < 4; d++) begin
        automatic logic signed [52:0] term = 53'($signed(step_q[s][d]));
        step_q[s][d] <= times(n[s][d], stride[s][d]);
        if (term < 0) low = low + term;
        else high = high + term;
      end
      low_q[s]  <= low;
      high_q[s] <= high;
    end
  end

  typedef struct packed {
    logic        wrong;
    logic [39:0] address;
  } outside_t;

  function automatic outside_t outside(input logic sram, input logic [2:0] region,
                                       input logic [39:0] offset, input logic signed [52:0] low,
                                       input logic signed [52:0] high, input presil_pkg::job_t job);
    logic signed [54:0] first, past, limit;
    logic signed [54:0] blame;
    first  = $signed({15'd0, offset}) + 55'(low);
    past = $signed({15'd0, offset}) + 55'(high);
    limit  = sram ? $signed({23'd0, SramBytes}) - $signed({31'd0, job.sram_base})
                  : $signed({27'd0, job.region_limit[region], 12'd0});
    blame  = first < 0 ? first : past - 55'sd1;
    outside.wrong   = first < 0 || past > limit;
    outside.address = 40'(blame) + (sram ? 40'(job.sram_base) : job.region_base[region]);
  endfunction

  outside_t [1:0] of;
  assign of[0] = outside(c.src_space == SpaceSram, c.src_region, c.src_base, low_q[0], high_q[0], job_i);
  assign of[1] = outside(c.dst_space == SpaceSram, c.dst_region, c.dst_base, low_q[1], high_q[1], job_i);

  // ------------------------------------------------------------------------------------- verdict

  function automatic presil_pkg::queue_error_t error(input logic [7:0] code, input logic [7:0] rule,
                                                     input logic [7:0] word);
    return '{code: code, rule: rule, word: word, address: '0};
  endfunction

  // The last assignment that holds is the first thing that is wrong.
  always_comb begin
    error_o = '0;
    if (check_i) begin
      if (moves && of[1].wrong) begin
        error_o         = error(queue_pkg::ErrorCodeAddressRange, '0, TargetWord);
        error_o.address = of[1].address;
      end
      if (copy && of[0].wrong) begin
        error_o         = error(queue_pkg::ErrorCodeAddressRange, '0, SourceWord);
        error_o.address = of[0].address;
      end
      if (c.wait0 > job_i.sync_count || c.wait1 > job_i.sync_count || c.signal > job_i.sync_count) begin
        error_o = error(queue_pkg::ErrorCodeSyncLimit, '0, CounterWord);
      end
      if (copy && c.pack == PackNone && length_q[0].bytes != length_q[1].bytes) begin
        error_o = error(queue_pkg::ErrorCodeStreamLength, '0, TargetWord);
      end
      if (moves && length_q[1].wide) error_o = error(queue_pkg::ErrorCodeStreamLength, '0, TargetWord);
      if (copy && length_q[0].wide) error_o = error(queue_pkg::ErrorCodeStreamLength, '0, SourceWord);
      if (copy && c.pattern != '0 && c.pack != PackPad) begin
        error_o = error(queue_pkg::ErrorCodeRuleBroken, 8'd4, '0);
      end
      if (copy && (c.pack == PackNone) != (c.elem_bytes == '0)) begin
        error_o = error(queue_pkg::ErrorCodeRuleBroken, 8'd3, '0);
      end
      if (moves && c.dst_space == SpaceSram && (c.dst_region != '0 || c.dst_base[39:24] != '0)) begin
        error_o = error(queue_pkg::ErrorCodeRuleBroken, 8'd2, '0);
      end
      if (copy && c.src_space == SpaceSram && (c.src_region != '0 || c.src_base[39:24] != '0)) begin
        error_o = error(queue_pkg::ErrorCodeRuleBroken, 8'd1, '0);
      end
      if (fields.found) error_o = error(fields.code, '0, fields.word);
      if (reserved.found) error_o = error(reserved.code, '0, reserved.word);
      if (c.op > OpFill) error_o = error(queue_pkg::ErrorCodeBadOp, '0, '0);
      if (c.isa_version != IsaVersion) error_o = error(queue_pkg::ErrorCodeBadVersion, '0, '0);
    end
  end

endmodule
