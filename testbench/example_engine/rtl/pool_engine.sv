// A command from its offer to its end: waits, tables, taps, results. One port to the SRAM: a request
// a cycle, results first; what is granted is read in the next cycle.
`include "rtl/common/assert.svh"

module pool_engine
  import pool_pkg::*;
#(
    parameter int unsigned TableEntries = 128
) (
    input logic clk_i,
    input logic rst_ni,

    input  logic                          offer_valid_i,
    input  logic [CommandWords-1:0][31:0] offer_words_i,
    input  presil_pkg::job_t              offer_job_i,
    output logic                          take_o,

    output logic [1:0]       wait_valid_o,
    output logic [1:0][7:0]  wait_id_o,
    output logic [1:0][31:0] wait_value_o,
    input  logic [1:0]       wait_met_i,
    output logic             waiting_o,

    output logic        complete_o,
    output logic        complete_irq_o,
    output logic        signal_valid_o,
    output logic [7:0]  signal_id_o,
    output logic [15:0] signal_add_o,

    output logic         sram_req_o,
    output logic         sram_we_o,
    output logic [23:0]  sram_addr_o,
    output logic [127:0] sram_wdata_o,
    input  logic         sram_gnt_i,
    input  logic [127:0] sram_rdata_i,

    // where this cycle went
    output logic run_o,
    output logic start_o,
    output logic bank_o,
    output logic drain_o
);
  localparam int unsigned EntryBits = $clog2(TableEntries);

  typedef enum logic [2:0] {Idle, Setup, Tables, TablesEnd, Run, Done} state_e;
  state_e   state_q, state_d;
  command_t command_q, offered;
  logic [7:0] signal_q;
  logic       resize;
  assign resize = command_q.op == OpNearest || command_q.op == OpBilinear;

  // --------------------------------------------------------------------------------------- offer
  logic free;  // a command may begin: its waits are looked at
  assign offered = unpack(offer_words_i);
  assign free    = state_q == Idle;
  function automatic logic [7:0] counter(input logic [7:0] id, input logic [7:0] base);
    return id == '0 ? '0 : id + base;
  endfunction
  // In the cycle of an end they are looked at too, for the counters.
  assign wait_valid_o = {2{offer_valid_i && (free || complete_o)}} &
                        {offered.wait1 != '0, offered.wait0 != '0};
  assign wait_id_o    = {counter(offered.wait1, offer_job_i.sync_base),
                         counter(offered.wait0, offer_job_i.sync_base)};
  assign wait_value_o = {offered.wait1_value + offer_job_i.value_base,
                         offered.wait0_value + offer_job_i.value_base};
  assign waiting_o    = (wait_valid_o & ~wait_met_i) != '0;
  assign take_o       = free && offer_valid_i && !waiting_o;

  always_ff @(posedge clk_i) begin
    if (take_o) begin
      command_q            <= offered;
      command_q.in_base    <= offered.in_base + offer_job_i.sram_base;
      command_q.out_base   <= offered.out_base + offer_job_i.sram_base;
      command_q.table_base <= offered.table_base + offer_job_i.sram_base;
      signal_q             <= counter(offered.signal, offer_job_i.sync_base);
    end
  end

  // -------------------------------------------------------------------------------------- tables
  // Four entries a word; those of the columns first. A word is stored in the cycle after its grant.
  logic [28:0] columns_q[TableEntries], rows_q[TableEntries];
  logic [EntryBits:0] words, word_q, stored_q, column_words, row_words;
  logic table_grant, table_grant_q;
  assign column_words = (EntryBits + 1)'((command_q.out_w + 16'd3) >> 2);
  assign row_words    = (EntryBits + 1)'((command_q.out_h + 16'd3) >> 2);
  assign words        = column_words + row_words;
  assign table_grant  = state_q == Tables && sram_gnt_i;

  function automatic logic [28:0] entry(input logic [127:0] word, input int place);
    return word[32*place+:29];
  endfunction

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      table_grant_q <= 1'b0;
    end else begin
      table_grant_q <= table_grant;
    end
  end
  always_ff @(posedge clk_i) begin
    if (state_q == Setup) word_q <= '0;
    else if (table_grant) word_q <= word_q + 1'b1;
    stored_q <= word_q;
    if (table_grant_q) begin
      for (int i = 0; i < 4; i++) begin
        if (stored_q < column_words) begin
          columns_q[{stored_q[EntryBits-3:0], 2'(i)}] <= entry(sram_rdata_i, i);
        end else begin
          rows_q[{(EntryBits-2)'(stored_q - column_words), 2'(i)}] <= entry(sram_rdata_i, i);
        end
      end
    end
  end

  // ---------------------------------------------------------------------------------------- taps
  logic [EntryBits-1:0] row, column;
  logic                 first, last, ends, read_grant, read_q;  // read_q: taps are left
  logic [23:0]          address;
  logic [8:0]           count;
  logic [22:0]          weight;
  pool_walk #(.EntryBits(EntryBits)) u_walk (
      .clk_i, .start_i(state_q == Setup), .advance_i(read_grant), .command_i(command_q),
      .row_o(row), .column_o(column), .row_entry_i(rows_q[row]), .column_entry_i(columns_q[column]),
      .address_o(address), .first_o(first), .last_o(last), .end_o(ends), .count_o(count),
      .weight_o(weight)
  );

  // ------------------------------------------------------------------------------------- results
  logic lanes_valid, lanes_busy, result_valid, fifo_ready, write_grant;
  logic [127:0] lanes_word, result;
  logic [3:0] held;
  pool_lanes u_lanes (
      .clk_i, .rst_ni, .op_i(command_q.op), .rounding_i(command_q.rounding),
      .clamp_low_i(command_q.clamp_low), .clamp_high_i(command_q.clamp_high),
      .valid_i(read_grant), .first_i(first), .last_i(last), .count_i(count), .weight_i(weight),
      .word_i(sram_rdata_i), .valid_o(lanes_valid), .word_o(lanes_word), .busy_o(lanes_busy)
  );
  // Nothing is read while a result waits, so that no more come than are on their way: 8.
  stream_fifo #(.T(logic [127:0]), .Depth(9)) u_results (
      .clk_i, .rst_ni, .clear_i(1'b0), .in_valid_i(lanes_valid), .in_ready_o(fifo_ready),
      .in_data_i(lanes_word), .out_valid_o(result_valid), .out_ready_i(sram_gnt_i && state_q == Run),
      .out_data_o(result), .count_o(held)
  );

  logic [15:0] oy_q, ox_q;
  logic [23:0] out_row_q, out_block_q;  // addresses
  assign write_grant = state_q == Run && result_valid && sram_gnt_i;
  always_ff @(posedge clk_i) begin
    if (state_q == Setup) begin
      {oy_q, ox_q} <= '0;
      {out_row_q, out_block_q} <= {2{command_q.out_base}};
    end else if (write_grant) begin
      ox_q <= ox_q + 16'd1;
      if (ox_q + 16'd1 == command_q.out_w) begin
        ox_q      <= '0;
        oy_q      <= oy_q + 16'd1;
        out_row_q <= out_row_q + command_q.out_row_pitch;
        if (oy_q + 16'd1 == command_q.out_h) begin
          oy_q        <= '0;
          out_row_q   <= out_block_q + command_q.out_block_pitch;
          out_block_q <= out_block_q + command_q.out_block_pitch;
        end
      end
    end
  end

  // ---------------------------------------------------------------------------------------- port
  assign sram_we_o    = state_q == Run && result_valid;
  assign sram_req_o   = state_q == Tables || (state_q == Run && (result_valid || read_q));
  assign sram_wdata_o = result;
  assign read_grant   = state_q == Run && !result_valid && read_q && sram_gnt_i;
  always_comb begin
    sram_addr_o = address;
    if (state_q == Tables) sram_addr_o = command_q.table_base + 24'({word_q, 4'd0});
    else if (result_valid) sram_addr_o = out_row_q + {4'd0, ox_q, 4'd0};
  end

  // --------------------------------------------------------------------------------------- state
  always_comb begin
    state_d = state_q;
    unique case (state_q)
      Idle:      if (take_o) state_d = Setup;
      Setup:     state_d = command_q.op == OpNop ? Idle : resize ? Tables : Run;
      Tables:    if (table_grant && word_q + 1'b1 == words) state_d = TablesEnd;
      TablesEnd: state_d = Run;
      Run:       if (write_grant && !read_q && !lanes_busy && held == 4'd1) state_d = Done;
      Done:      state_d = Idle;
      default:   state_d = Idle;
    endcase
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= Idle;
      read_q  <= 1'b0;
    end else begin
      state_q <= state_d;
      if (state_q == Setup) read_q <= 1'b1;
      else if (read_grant && ends) read_q <= 1'b0;
    end
  end

  assign complete_o     = state_q == Done || (state_q == Setup && command_q.op == OpNop);
  assign complete_irq_o = command_q.irq;
  assign signal_valid_o = complete_o && signal_q != '0;
  assign signal_id_o    = signal_q;
  assign signal_add_o   = command_q.signal_add;

  assign run_o   = state_q == Run && sram_req_o && sram_gnt_i;
  assign bank_o  = sram_req_o && !sram_gnt_i;
  assign drain_o = state_q == Run && !sram_req_o;
  assign start_o = take_o || (state_q == Setup && command_q.op != OpNop) || table_grant ||
                   state_q == TablesEnd || (complete_o && offer_valid_i && !waiting_o);

  // ---- Assertions ----
  `PRESIL_ASSERT(ResultsHaveAPlace_A, lanes_valid -> fifo_ready)
endmodule
