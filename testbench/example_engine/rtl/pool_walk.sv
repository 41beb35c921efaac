// Where the next value is read: blocks, rows, columns of the result, and for each the taps of its
// window, or the one or four values that it lies between. Taps outside the image are left out.
module pool_walk
  import pool_pkg::*;
#(
    parameter int unsigned EntryBits = 7
) (
    input logic clk_i,

    input logic     start_i,   // of a command: the first tap is shown in the next cycle
    input logic     advance_i, // to the next tap
    input command_t command_i,

    output logic [EntryBits-1:0] row_o,  // whose entries are asked for
    output logic [EntryBits-1:0] column_o,
    input  logic [28:0]          row_entry_i,  // {to the next one, weight[11:0], position[15:0]}
    input  logic [28:0]          column_entry_i,

    output logic [23:0] address_o,
    output logic        first_o,  // tap of its result
    output logic        last_o,
    output logic        end_o,    // tap of the last result
    output logic [8:0]  count_o,  // taps of the result
    output logic [22:0] weight_o
);
  logic [15:0]        oy_q, ox_q, block_q;
  logic [4:0]         ty_q, tx_q;
  logic signed [25:0] top_q, left_q;  // of the window, or what is above and left of the image
  logic [23:0]        base_q;

  logic resize, bilinear;
  assign resize   = command_i.op == OpNearest || command_i.op == OpBilinear;
  assign bilinear = command_i.op == OpBilinear;
  assign row_o    = oy_q[EntryBits-1:0];
  assign column_o = ox_q[EntryBits-1:0];

  // ------------------------------------------------------------------------- taps along an axis
  typedef struct packed {
    logic [15:0] first;
    logic [4:0]  count;
  } taps_t;

  function automatic taps_t window(input logic signed [25:0] from, input logic [7:0] kernel,
                                   input logic [15:0] size);
    logic signed [25:0] low, high;
    low  = from < 0 ? 26'sd0 : from;
    high = from + $signed({18'd0, kernel});
    if (high > $signed({10'd0, size})) high = $signed({10'd0, size});
    window.first = 16'(low);
    window.count = 5'(high - low);
  endfunction

  // The image ends with its last row and column, whatever a table says.
  function automatic logic [15:0] inside_of(input logic [16:0] position, input logic [15:0] size);
    return position >= {1'b0, size} ? size - 16'd1 : position[15:0];
  endfunction

  function automatic logic [11:0] share(input logic [28:0] entry, input logic far, input logic [11:0] unit);
    logic [11:0] weight;
    weight = entry[27:16] > unit ? unit : entry[27:16];
    return far ? weight : unit - weight;
  endfunction

  taps_t       rows, columns;
  logic [15:0] y, x;
  logic [11:0] unit;
  assign rows    = window(top_q, command_i.kernel_h, command_i.in_h);
  assign columns = window(left_q, command_i.kernel_w, command_i.in_w);
  assign unit    = command_i.rounding == RoundingUp ? 12'd2048 : 12'd1024;

  logic [4:0] row_count, column_count;
  always_comb begin
    row_count    = resize ? 5'd1 + 5'(bilinear) : rows.count;
    column_count = resize ? 5'd1 + 5'(bilinear) : columns.count;
    y = rows.first + 16'(ty_q);
    x = columns.first + 16'(tx_q);
    if (resize) begin
      y = inside_of({1'b0, row_entry_i[15:0]} + 17'(ty_q[0] && row_entry_i[28]), command_i.in_h);
      x = inside_of({1'b0, column_entry_i[15:0]} + 17'(tx_q[0] && column_entry_i[28]), command_i.in_w);
    end
  end

  assign address_o = base_q + 24'(y) * command_i.in_row_pitch + {4'd0, x, 4'd0};
  assign count_o   = 9'(row_count) * 9'(column_count);
  assign weight_o  = 23'(share(row_entry_i, ty_q[0], unit)) * 23'(share(column_entry_i, tx_q[0], unit));

  // ---------------------------------------------------------------------------------- next one
  logic last_column, last_row, last_ox, last_oy;
  assign last_column = tx_q + 5'd1 == column_count;
  assign last_row    = ty_q + 5'd1 == row_count;
  assign last_ox     = ox_q + 16'd1 == command_i.out_w;
  assign last_oy     = oy_q + 16'd1 == command_i.out_h;
  assign first_o     = ty_q == '0 && tx_q == '0;
  assign last_o      = last_column && last_row;
  assign end_o       = last_o && last_ox && last_oy && block_q + 16'd1 == command_i.blocks;

  logic signed [25:0] top, left;
  assign top  = -$signed({18'd0, command_i.pad_top});
  assign left = -$signed({18'd0, command_i.pad_left});

  always_ff @(posedge clk_i) begin
    if (start_i) begin
      {oy_q, ox_q, block_q, ty_q, tx_q} <= '0;
      {top_q, left_q} <= {top, left};
      base_q <= command_i.in_base;
    end else if (advance_i) begin
      tx_q <= last_column ? '0 : tx_q + 5'd1;
      if (last_column) ty_q <= last_row ? '0 : ty_q + 5'd1;
      if (last_o) begin
        ox_q   <= last_ox ? '0 : ox_q + 16'd1;
        left_q <= last_ox ? left : left_q + $signed({18'd0, command_i.stride_x});
        if (last_ox) begin
          oy_q  <= last_oy ? '0 : oy_q + 16'd1;
          top_q <= last_oy ? top : top_q + $signed({18'd0, command_i.stride_y});
          if (last_oy) begin
            block_q <= block_q + 16'd1;
            base_q  <= base_q + command_i.in_block_pitch;
          end
        end
      end
    end
  end
endmodule
