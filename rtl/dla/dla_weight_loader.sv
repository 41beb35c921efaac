// Reads table, channel parameters and weight sets in the order of the passes; two sets, four
// parameter sets.
`include "rtl/common/assert.svh"

module dla_weight_loader
  import dla_pkg::*;
  import dla_engine_pkg::*;
#(
    parameter int unsigned MacsK = 16,
    parameter int unsigned MacsC = 16,
    parameter int unsigned WeightPorts = 1  // a power of 2
) (
    input  logic                          clk_i,
    input  logic                          rst_ni,
    input  logic                          start_i,
    input  logic                          slot_i,
    input  command_t                      cmd_i   [2],
    input  traits_t                       traits_i[2],
    output logic                          idle_o,
    output logic                          late_o,       // it has taken longer than a first set's words
    output logic [WeightPorts-1:0]        req_o,
    output logic [WeightPorts-1:0][23:0]  addr_o,
    input  logic [WeightPorts-1:0]        gnt_i,
    input  logic [WeightPorts-1:0][127:0] rdata_i,
    output logic                          set_valid_o,  // the next pass may begin
    input  logic                          set_take_i,
    input  logic                          parameters_free_i,  // the oldest set is done with
    // what goes into a weight set, a parameter set, a table: lines of a word a port
    output logic                          weights_we_o,
    output logic                          weights_set_o,
    output logic                          weights_wide_o,
    output logic signed [8:0]             weights_zero_o,
    output logic                          parameters_we_o,
    output logic [1:0]                    parameters_set_o,
    output logic                          lut_we_o,
    output logic                          slot_o,
    output logic [9:0]                    line_o,
    output logic [WeightPorts-1:0][127:0] data_o
);
  localparam int unsigned GroupsK = MacsK / 16;
  localparam int unsigned GroupsC = MacsC / 16;
  localparam int unsigned LinesTable = (16 + WeightPorts - 1) / WeightPorts;
  localparam int unsigned LinesParameters = (9 * GroupsK + WeightPorts - 1) / WeightPorts;
  localparam int unsigned LinesWide = (MacsK * GroupsC) / WeightPorts;
  localparam int unsigned LinesNarrow = MacsK / WeightPorts;

  // Request side and fill side walk the same list of passes; a pass is: table (first of the command),
  // parameters (first of a group), set.
  typedef enum logic [1:0] { Table, Parameters, Set, Empty } phase_e;
  typedef struct packed {
    phase_e      phase;
    logic [9:0]  word;      // line within the phase
    logic [9:0]  group, a;
    logic [11:0] block;     // first row of the block
    logic [7:0]  inner;     // b * c
    logic        last;      // nothing follows
  } walk_t;

  logic   slot_q, running_q, asking_q, load_q;
  loops_t loops_q;
  walk_t  ask_q, fill_q;
  command_t c;
  traits_t is;
  assign c  = cmd_i[slot_q];
  assign is = traits_i[slot_q];

  logic [9:0] lines_set;
  logic [7:0] inner_last;
  assign inner_last = 8'(8'(loops_q.b) * 8'(loops_q.c) - 8'd1);
  assign lines_set  = is.wide ? 10'(LinesWide) : 10'(LinesNarrow);

  function automatic phase_e first_phase(input traits_t k, input logic command, input logic group);
    if (command && k.lut) return Table;
    if (group && k.parameters) return Parameters;
    return k.weights ? Set : Empty;
  endfunction

  function automatic walk_t walk_on(input walk_t w, input traits_t k, input loops_t l,
                                    input logic [7:0] block_rows, input logic [11:0] rows,
                                    input logic [9:0] set_lines, input logic [7:0] last_inner);
    walk_t n;
    logic  ends;  // the pass: its set's last word, or without sets the parameters' last
    n = w;
    n.word = w.word + 10'd1;
    ends = w.phase == Empty;
    if (w.phase == Table && n.word == 10'(LinesTable)) begin
      n.word  = '0;
      n.phase = first_phase(k, 1'b0, 1'b1);
    end
    if (w.phase == Parameters && n.word == 10'(LinesParameters)) begin
      n.word  = '0;
      n.phase = Set;
      ends = !k.weights;
    end
    if (w.phase == Set && n.word == set_lines) ends = 1'b1;
    if (ends) begin
      n.word = '0;
      n.inner = w.inner + 8'd1;
      if (w.inner == last_inner) begin
        n.inner = '0;
        n.a = w.a + 10'd1;
        if (w.a == l.a - 10'd1) begin
          n.a = '0;
          n.block = w.block + 12'(block_rows);
          if (13'(w.block) + 13'(block_rows) >= 13'(rows)) begin
            n.block = '0;
            n.group = w.group + 10'd1;
            n.last = w.group == l.groups - 10'd1;
          end
        end
      end
      n.phase = first_phase(k, 1'b0, n.block == '0 && n.a == '0 && n.inner == '0);
    end
    return n;
  endfunction

  walk_t ask_next, fill_next;
  logic ask_on, pop, push_empty;  // the walks move
  always_comb begin
    ask_next = ask_q;
    if (ask_on) begin
      ask_next = walk_on(ask_q, is, loops_q, c.block_rows, c.out_h, lines_set, inner_last);
    end
    fill_next = fill_q;
    if (pop || push_empty) begin
      fill_next = walk_on(fill_q, is, loops_q, c.block_rows, c.out_h, lines_set, inner_last);
    end
  end

  // ---- Cycles that a first set takes where nothing is in its way, of which the first two are gone.
  logic [9:0] cold, cold_q;
  assign cold = 10'd2 + (is.lut ? 10'(LinesTable) : '0) +
                (is.parameters ? 10'(LinesParameters) : '0) + (is.weights ? lines_set : '0);
  assign late_o = running_q && !load_q && cold_q == '0;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) cold_q <= '0;
    else if (load_q) cold_q <= cold;
    else if (cold_q != '0) cold_q <= cold_q - 10'd1;
  end

  // ---- Requests, up to 8 lines ahead.
  logic [3:0] used_q;
  logic       ask, done;
  assign ask = asking_q && ask_q.phase != Empty && used_q != 4'd8;
  dla_grant #(
      .Ports(WeightPorts)
  ) u_grant (
      .clk_i, .rst_ni, .valid_i(ask), .mask_i('1), .req_o, .gnt_i, .done_o(done)
  );
  assign ask_on = done || (asking_q && ask_q.phase == Empty);
  logic [23:0] at;
  always_comb begin
    unique case (ask_q.phase)
      Table: at = c.lut_base;
      Parameters: at = c.p_base + 24'(ask_q.group) * 24'(144 * GroupsK);
      default:
      at = c.w_base + 24'(ask_q.group) * c.w_kb_pitch + 24'(ask_q.a) * c.w_cb_pitch +
           24'(ask_q.inner) * 24'(lines_set) * 24'(16 * WeightPorts);
    endcase
    for (int p = 0; p < WeightPorts; p++) begin
      addr_o[p] = at + 24'(ask_q.word) * 24'(16 * WeightPorts) + 24'(16 * p);
    end
  end

  // ---- FIFO.
  logic [WeightPorts-1:0] came_q;
  logic [WeightPorts-1:0][127:0] early_q, line;
  logic asked_q;
  logic [WeightPorts-1:0][127:0] fifo_q[8];
  logic [2:0] in_q, out_q;
  logic [3:0] count_q;
  always_comb begin
    for (int p = 0; p < WeightPorts; p++) line[p] = came_q[p] ? rdata_i[p] : early_q[p];
  end

  // ---- Fill side.
  logic pending_q;  // a set is full and its pass has not begun
  logic [2:0] parameter_sets_q;
  logic [1:0] parameter_in_q;
  logic set_in_q, set_end, parameters_end, push, last_parameter_line;
  assign last_parameter_line = fill_q.word == 10'(LinesParameters - 1);
  assign set_end = pop && fill_q.phase == Set && fill_next.word == '0;
  assign parameters_end = pop && fill_q.phase == Parameters && last_parameter_line;
  assign push_empty = fill_q.phase == Empty && running_q && !load_q && !pending_q;
  assign push = set_end || (parameters_end && !is.weights) || push_empty;
  always_comb begin
    pop = 1'b0;
    if (running_q && !load_q && count_q != '0) begin
      unique case (fill_q.phase)
        Table: pop = 1'b1;
        Parameters:
        pop = parameter_sets_q != 3'd4 && !(last_parameter_line && !is.weights && pending_q);
        Set: pop = !pending_q;
        default: ;
      endcase
    end
  end
  assign set_valid_o = pending_q;
  assign idle_o = !running_q;
  assign weights_we_o = pop && fill_q.phase == Set;
  assign weights_set_o = set_in_q;
  assign weights_wide_o = is.wide;
  assign weights_zero_o = 9'(c.w_zero);
  assign parameters_we_o = pop && fill_q.phase == Parameters;
  assign parameters_set_o = parameter_in_q;
  assign lut_we_o = pop && fill_q.phase == Table;
  assign slot_o = slot_q;
  assign line_o = fill_q.word;
  assign data_o = fifo_q[out_q];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {slot_q, running_q, asking_q, load_q, used_q, came_q, asked_q, in_q, out_q, count_q} <= '0;
      {pending_q, parameter_sets_q, parameter_in_q, set_in_q} <= '0;
      loops_q <= '0;
      ask_q <= '0;
      fill_q <= '0;
    end else begin
      used_q  <= used_q + 4'(done) - 4'(pop);
      came_q  <= gnt_i;
      asked_q <= done;
      in_q    <= in_q + 3'(asked_q);
      out_q   <= out_q + 3'(pop);
      count_q <= count_q + 4'(asked_q) - 4'(pop);
      if (push) begin
        pending_q <= 1'b1;
        set_in_q  <= !set_in_q;
      end else if (set_take_i) pending_q <= 1'b0;
      if (parameters_end) parameter_in_q <= parameter_in_q + 2'd1;
      parameter_sets_q <= parameter_sets_q + 3'(parameters_end) - 3'(parameters_free_i);
      if (load_q) begin
        load_q <= 1'b0;
        loops_q <= loops_of(c, GroupsK, GroupsC);
        asking_q <= 1'b1;
        ask_q <= '0;
        fill_q <= '0;
        ask_q.phase <= first_phase(is, 1'b1, 1'b1);
        fill_q.phase <= first_phase(is, 1'b1, 1'b1);
      end else begin
        if (ask_on) begin
          ask_q <= ask_next;
          if (ask_next.last) asking_q <= 1'b0;
        end
        if (pop || push_empty) begin
          fill_q <= fill_next;
          if (fill_next.last) running_q <= 1'b0;
        end
      end
      if (start_i) begin
        slot_q <= slot_i;
        running_q <= 1'b1;
        load_q <= 1'b1;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    for (int p = 0; p < WeightPorts; p++) if (came_q[p]) early_q[p] <= rdata_i[p];
    if (asked_q) fifo_q[in_q] <= line;
  end

  // ---- Assertions ----
  if ((WeightPorts & (WeightPorts - 1)) != 0 || WeightPorts > 16) begin : gen_powers
    $error("dla_weight_loader: WeightPorts is a power of 2 up to 16");
  end
  `PRESIL_ASSERT(StartOnlyWhenIdle_A, start_i -> !running_q)
  `PRESIL_ASSERT(TakeOnlyAFullSet_A, set_take_i -> pending_q)
endmodule
