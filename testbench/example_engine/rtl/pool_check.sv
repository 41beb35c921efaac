// Whether a command is taken: version, operation, reserved bits, fields, the rules R1 to R4 of the
// README, counters, addresses; code, rule, word and address of the first thing that is wrong.
module pool_check
  import pool_pkg::*;
#(
    parameter int unsigned TableEntries = 128,
    parameter logic [31:0] SramBytes = 32'h10_0000
) (
    input  logic [CommandWords-1:0][31:0] words_i,
    input  presil_pkg::job_t              job_i,
    output presil_pkg::queue_error_t      error_o   // code none: the command is taken
);
  localparam logic [7:0] CounterWord = 8'd2, InputWord = 8'd13, OutputWord = 8'd16, TableWord = 8'd19;

  command_t c;
  logic     works, window, resize;
  assign c      = unpack(words_i);
  assign works  = c.op != OpNop;
  assign window = c.op == OpMax || c.op == OpAverage;
  assign resize = c.op == OpNearest || c.op == OpBilinear;

  typedef struct packed {
    logic       found;
    logic [7:0] code;
    logic [7:0] word;
  } finding_t;

  finding_t reserved, fields;
  always_comb begin
    reserved = '0;
    fields   = '0;
    for (int w = int'(CommandWords) - 1; w >= 0; w--) begin
      automatic logic [7:0] code = field_error(8'(w), {32'd0, words_i[w]}, c.op);
      if ((words_i[w] & Reserved[w]) != '0) begin
        reserved = '{found: 1'b1, code: queue_pkg::ErrorCodeReservedBits, word: 8'(w)};
      end
      if (code != '0) fields = '{found: 1'b1, code: code, word: 8'(w)};
    end
  end

  // ----------------------------------------------------------------------------------- addresses
  // One past the last byte, from the start of the SRAM.
  function automatic logic [43:0] ends(input logic [23:0] base, input logic [15:0] blocks,
                                       input logic [23:0] block_pitch, input logic [15:0] rows,
                                       input logic [23:0] row_pitch, input logic [15:0] columns);
    return 44'(base) + 44'(job_i.sram_base) + (44'(blocks) - 44'd1) * 44'(block_pitch) +
           (44'(rows) - 44'd1) * 44'(row_pitch) + {24'd0, columns, 4'd0};
  endfunction

  logic [43:0] input_end, output_end, table_end;
  logic [15:0] table_words;
  assign table_words = 16'((17'(c.out_w) + 17'd3) >> 2) + 16'((17'(c.out_h) + 17'd3) >> 2);
  assign input_end   = ends(c.in_base, c.blocks, c.in_block_pitch, c.in_h, c.in_row_pitch, c.in_w);
  assign output_end  = ends(c.out_base, c.blocks, c.out_block_pitch, c.out_h, c.out_row_pitch, c.out_w);
  assign table_end   = ends(c.table_base, 16'd1, '0, 16'd1, '0, table_words);

  // ------------------------------------------------------------------------------------- verdict
  logic [24:0] last_row, last_column;  // where the last window begins, from the padding's edge
  assign last_row    = (25'(c.out_h) - 25'd1) * 25'(c.stride_y);
  assign last_column = (25'(c.out_w) - 25'd1) * 25'(c.stride_x);

  function automatic presil_pkg::queue_error_t error(input logic [7:0] code, input logic [7:0] rule,
                                                     input logic [7:0] word,
                                                     input logic [43:0] address);
    return '{code: code, rule: rule, word: word, address: address[39:0]};
  endfunction
  function automatic presil_pkg::queue_error_t broken(input logic [7:0] rule);
    return error(queue_pkg::ErrorCodeRuleBroken, rule, '0, '0);
  endfunction

  // The last assignment that holds is the first thing that is wrong.
  always_comb begin
    error_o = '0;
    if (resize && table_end > {12'd0, SramBytes}) begin
      error_o = error(queue_pkg::ErrorCodeAddressRange, '0, TableWord, table_end - 44'd1);
    end
    if (works && output_end > {12'd0, SramBytes}) begin
      error_o = error(queue_pkg::ErrorCodeAddressRange, '0, OutputWord, output_end - 44'd1);
    end
    if (works && input_end > {12'd0, SramBytes}) begin
      error_o = error(queue_pkg::ErrorCodeAddressRange, '0, InputWord, input_end - 44'd1);
    end
    if (c.wait0 > job_i.sync_count || c.wait1 > job_i.sync_count || c.signal > job_i.sync_count) begin
      error_o = error(queue_pkg::ErrorCodeSyncLimit, '0, CounterWord, '0);
    end
    if (resize && (c.out_h > 16'(TableEntries) || c.out_w > 16'(TableEntries))) error_o = broken(8'd4);
    if (window && (last_row >= 25'(c.in_h) + 25'(c.pad_top) ||
                   last_column >= 25'(c.in_w) + 25'(c.pad_left))) error_o = broken(8'd3);
    if (window && (c.pad_top >= c.kernel_h || c.pad_left >= c.kernel_w)) error_o = broken(8'd2);
    if (works && c.clamp_low > c.clamp_high) error_o = broken(8'd1);
    if (fields.found) error_o = error(fields.code, '0, fields.word, '0);
    if (reserved.found) error_o = error(reserved.code, '0, reserved.word, '0);
    if (c.op > OpBilinear) error_o = error(queue_pkg::ErrorCodeBadOp, '0, '0, '0);
    if (c.isa_version != IsaVersion) error_o = error(queue_pkg::ErrorCodeBadVersion, '0, '0, '0);
  end
endmodule
