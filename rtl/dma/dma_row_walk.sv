// Walks the rows of a side: the address of the next byte, how many are left in its row. A step of
// up to a row's rest each cycle. No multiplier: each dimension keeps where its loop began.
`include "rtl/common/assert.svh"

module dma_row_walk
  import dma_engine_pkg::*;
(
    input  logic        clk_i,
    input  logic        rst_ni,
    input  logic        load_i,     // takes side_i; wins over a step
    input  side_t       side_i,
    input  logic        step_i,
    input  logic [8:0]  bytes_i,    // 1..row_left_o
    output logic        valid_o,    // rows are left
    output logic [39:0] address_o,
    output logic [23:0] row_left_o,
    output logic        last_o       // the row is the last
);

  logic             valid_q;
  logic [39:0]      address_q;
  logic [23:0]      left_q;
  logic [23:0]      row_bytes_q;
  logic [3:0][15:0] n_q, at_q;
  logic [31:0]      stride_q[4];
  logic [39:0]      start_q[4];  // of the row when the indices below this dimension were 0

  logic [3:0] at_end;
  logic       row_ends;

  always_comb begin
    for (int unsigned d = 0; d < 4; d++) at_end[d] = at_q[d] == n_q[d] - 16'd1;
  end
  assign row_ends   = left_q == 24'(bytes_i);
  assign valid_o    = valid_q;
  assign address_o  = address_q;
  assign row_left_o = left_q;
  assign last_o     = &at_end;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q     <= 1'b0;
      address_q   <= '0;
      left_q      <= '0;
      row_bytes_q <= '0;
      n_q         <= '0;
      at_q        <= '0;
      stride_q    <= '{default: '0};
      start_q     <= '{default: '0};
    end else if (load_i) begin
      valid_q     <= 1'b1;
      address_q   <= side_i.base;
      left_q      <= side_i.row_bytes;
      row_bytes_q <= side_i.row_bytes;
      n_q         <= side_i.n;
      at_q        <= '0;
      start_q     <= '{default: side_i.base};
      for (int unsigned d = 0; d < 4; d++) stride_q[d] <= side_i.stride[d];
    end else if (step_i && !row_ends) begin
      address_q <= address_q + 40'(bytes_i);
      left_q    <= left_q - 24'(bytes_i);
    end else if (step_i) begin  // the innermost dimension that is not at its end moves on
      automatic logic [1:0]  moved = 2'd3;
      automatic logic [39:0] next_row;
      for (int unsigned d = 4; d > 0; d--) if (!at_end[d-1]) moved = 2'(d - 1);
      next_row = start_q[moved] + {{8{stride_q[moved][31]}}, stride_q[moved]};
      valid_q   <= !last_o;
      address_q <= next_row;
      left_q    <= row_bytes_q;
      for (int unsigned d = 0; d < 4; d++) begin
        if (d <= 32'(moved)) start_q[d] <= next_row;
        if (d < 32'(moved)) at_q[d] <= '0;
      end
      at_q[moved] <= at_q[moved] + 16'd1;
    end
  end

  // ---------------------------------------------------------------------------------- assertions

  `PRESIL_ASSERT(Step_is_inside_the_row_A,
      step_i && !load_i -> valid_q && bytes_i != '0 && 24'(bytes_i) <= left_q)

endmodule
