// The loops of a command: one step a pixel (conv, pass) or column (dwconv, pools), with the
// addresses that its feature ports read.
`include "rtl/common/assert.svh"

module dla_sequencer
  import dla_pkg::*;
  import dla_engine_pkg::*;
#(
    parameter int unsigned MacsK = 16,
    parameter int unsigned MacsC = 16,
    localparam int unsigned Words = words_of_step(MacsK, MacsC)
) (
    input  logic                       clk_i,
    input  logic                       rst_ni,
    input  logic                       start_i,  // the command in slot_i; counters load next cycle
    input  logic                       slot_i,
    input  command_t                   cmd_i   [2],
    input  traits_t                    traits_i[2],
    output logic                       idle_o,
    output logic                       valid_o,
    input  logic                       ready_i,
    output logic [Words-1:0]           mask_o,
    output logic [Words-1:0][23:0]     addr_o,
    output step_t                      step_o,
    output where_t                     where_o
);
  localparam int unsigned GroupsK = MacsK / 16;
  localparam int unsigned GroupsC = MacsC / 16;

  typedef enum logic [1:0] { Idle, Load, Run } state_e;
  state_e state_q;
  logic   slot_q;
  loops_t loops_q;
  logic [9:0] group_q, a_q;
  logic [5:0] b_q, c_q;
  logic [11:0] row0_q, y_q, x_q;  // first row of the block, row, column
  logic [2:0] column_q;           // of the window
  logic [6:0] index_q;
  logic signed [13:0] word_q;     // packed: next word of the row to be read

  command_t c;
  assign c = cmd_i[slot_q];

  logic window, last_x, last_y, last_block, last_a, last_b, last_c, last_group, last_pass;
  logic [12:0] row_end;
  logic [2:0] columns, rows, fresh;
  logic [5:0] left;

  always_comb begin
    window = traits_i[slot_q].window;
    columns = 3'd1;
    rows = 3'd1;
    if (window) begin
      left = c.kernel_w - 6'(c_q << 2);
      columns = c.dil_x > 5'd1 ? 3'd1 : left >= 6'd4 ? 3'd4 : 3'(left);
      left = c.kernel_h - 6'(a_q << 2);
      rows = left >= 6'd4 ? 3'd4 : 3'(left);
    end else begin
      left = '0;
    end
    fresh = c.stride_x < columns ? c.stride_x : columns;
    row_end = 13'(row0_q) + 13'(c.block_rows);
    last_x = x_q == c.out_w - 12'd1;
    last_y = y_q == c.out_h - 12'd1 || 13'(y_q) + 13'd1 == row_end;
    last_block = row_end >= 13'(c.out_h);
    last_a = a_q == loops_q.a - 10'd1;
    last_b = b_q == loops_q.b - 6'd1;
    last_c = c_q == loops_q.c - 6'd1;
    last_pass = last_a && last_b && last_c;
    last_group = group_q == loops_q.groups - 10'd1;
  end

  // Where the step reads.
  logic signed [16:0] iy, ix, ry, first, previous;
  logic signed [13:0] low;
  logic [23:0] row_at;
  logic [31:0] block;
  always_comb begin
    mask_o = '0;
    addr_o = '0;
    where_o = '0;
    low = '0;
    first = '0;
    previous = '0;
    ry = '0;
    block = '0;
    row_at = '0;
    iy = 17'(y_q) * 17'(c.stride_y) - 17'(c.pad_top);
    ix = 17'(x_q) * 17'(c.stride_x) - 17'(c.pad_left);
    if (!window) begin
      iy = iy + 17'(b_q) * 17'(c.dil_y);
      where_o.row_inside[0] = iy >= 0 && iy < 17'(c.in_h);
      row_at = c.in_base + 24'(iy) * c.in_row_pitch;
      if (c.packed_) begin
        first = 17'(x_q) * 17'(c.in_x_step) + 17'({a_q, 4'b0}) - 17'(c.pad_left) * 17'(c.packed_ic);
        previous = first - 17'(c.in_x_step);
        low = 14'(first >>> 4);
        where_o.first_byte = first;
        where_o.shift = x_q != '0 && low != 14'(previous >>> 4);
        where_o.low_new = where_o.row_inside[0] && low >= 0 && (x_q == '0 || word_q <= low) &&
                          (17'(low) << 4) < 17'(c.row_bytes);
        where_o.high_new = where_o.row_inside[0] && low >= -1 && (x_q == '0 || word_q <= low + 1) &&
                           ((17'(low) + 17'd1) << 4) < 17'(c.row_bytes) && first[3:0] != '0;
        mask_o[1:0] = {where_o.high_new, where_o.low_new};
        addr_o[0] = row_at + (24'(low) << 4);
        addr_o[1] = row_at + (24'(low) << 4) + 24'd16;
      end else begin
        ix = ix + 17'(c_q) * 17'(c.dil_x);
        where_o.row_inside[0] = where_o.row_inside[0] && ix >= 0 && ix < 17'(c.in_w);
        for (int g = 0; g < GroupsC; g++) begin
          block = 32'(a_q) * GroupsC + g;
          where_o.lanes[g] = block < 32'(c.in_blocks);
          mask_o[g] = where_o.row_inside[0] && where_o.lanes[g];
          addr_o[g] = row_at + 24'(ix) * 24'(c.in_x_step) +
                      24'(block + 32'(group_q) * 32'(c.in_kb_step)) * c.in_cb_pitch;
        end
      end
    end else begin
      ix = ix + ((c.dil_x > 5'd1 ? 17'(c_q) : 17'({c_q, 2'b00})) + 17'(column_q)) * 17'(c.dil_x);
      for (int r = 0; r < 4; r++) begin
        ry = iy + (17'({a_q, 2'b0}) + 17'(r)) * 17'(c.dil_y);
        where_o.row_inside[r] = r < 32'(rows) && ry >= 0 && ry < 17'(c.in_h) && ix >= 0 &&
                                ix < 17'(c.in_w);
        for (int g = 0; g < GroupsK; g++) begin
          block = 32'(group_q) * GroupsK + g;
          mask_o[4*g+r] = where_o.row_inside[r] && block < 32'(c.out_blocks);
          addr_o[4*g+r] = c.in_base + 24'(ry) * c.in_row_pitch + 24'(ix) * 24'(c.in_x_step) +
                          24'(block) * c.in_cb_pitch;
        end
      end
    end
  end

  logic pixel, pass_start, pass_end;
  assign pass_start = y_q == row0_q && x_q == '0 && column_q == '0;
  assign pixel      = column_q == columns - 3'd1;
  assign pass_end   = last_x && last_y && pixel;
  always_comb begin
    step_o = '0;
    step_o.slot = slot_q;
    step_o.first_of_pass = pass_start;
    step_o.first_pass = a_q == '0 && b_q == '0 && c_q == '0;
    step_o.first_of_group = pass_start && step_o.first_pass && row0_q == '0;
    step_o.last_pass = last_pass;
    step_o.pixel = pixel;
    step_o.last_of_group = pass_end && last_pass && last_block;
    step_o.last = step_o.last_of_group && last_group;
    step_o.index = index_q;
    step_o.group = group_q;
    step_o.columns = columns;
    step_o.rows = rows;
  end
  assign valid_o = state_q == Run;
  assign idle_o  = state_q == Idle;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= Idle;
      slot_q <= 1'b0;
      loops_q <= '0;
      {group_q, a_q, b_q, c_q, row0_q, y_q, x_q, column_q, index_q, word_q} <= '0;
    end else begin
      unique case (state_q)
        Load: begin
          loops_q <= loops_of(c, GroupsK, GroupsC);
          {group_q, a_q, b_q, c_q, row0_q, y_q, x_q, column_q, index_q} <= '0;
          state_q <= Run;
        end
        Run:
        if (ready_i) begin
          word_q <= where_o.high_new ? low + 14'sd2 : where_o.low_new || x_q == '0 ? low + 14'sd1 : word_q;
          column_q <= column_q + 3'd1;
          if (pixel) begin
            column_q <= columns - fresh;
            x_q <= x_q + 12'd1;
            index_q <= index_q + 7'd1;
            if (last_x) begin
              x_q <= '0;
              column_q <= '0;
              y_q <= y_q + 12'd1;
            end
          end
          if (pass_end) begin
            y_q <= row0_q;
            index_q <= '0;
            c_q <= last_c ? '0 : c_q + 6'd1;
            if (last_c) b_q <= last_b ? '0 : b_q + 6'd1;
            if (last_c && last_b) a_q <= last_a ? '0 : a_q + 10'd1;
            if (last_pass) begin
              row0_q <= last_block ? '0 : 12'(row_end);
              y_q <= last_block ? '0 : 12'(row_end);
              if (last_block) group_q <= group_q + 10'd1;
              if (last_block && last_group) state_q <= Idle;
            end
          end
        end
        default: ;
      endcase
      if (start_i) begin
        slot_q  <= slot_i;
        state_q <= Load;
      end
    end
  end

  // ---- Assertions ----
  `PRESIL_ASSERT(StartOnlyWhenIdle_A, start_i -> state_q == Idle)
  `PRESIL_ASSERT(AChunkHasColumns_A, valid_o && window -> columns != '0)
endmodule
