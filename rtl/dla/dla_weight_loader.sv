// Reads table, channel parameters and weight sets in the order of the passes; two sets, four
// parameter sets.
module dla_weight_loader
  import dla_pkg::*;
  import dla_engine_pkg::*;
#(
    parameter int unsigned MacsK = 16,
    parameter int unsigned MacsC = 16,
    parameter int unsigned WeightPorts = 1
) (
    input  logic                          clk_i,
    input  logic                          rst_ni,
    input  logic                          start_i,
    input  logic                          slot_i,
    input  command_t [1:0]                cmd_i,
    output logic                          idle_o,
    output logic                          late_o,       // it has taken longer than a first set's words
    output logic                          late_slot_o,  // of this command
    output logic [WeightPorts-1:0]        req_o,
    output logic [WeightPorts-1:0][23:0]  addr_o,
    input  logic [WeightPorts-1:0]        gnt_i,
    input  logic [WeightPorts-1:0][127:0] rdata_i,
    output logic                          set_valid_o,  // the next pass may begin
    input  logic                          set_take_i,
    input  logic                          parameters_free_i,  // the oldest set is done with
    output logic signed [8:0]             weights_o[2][MacsK][MacsC],
    output logic [MacsK-1:0][31:0]        bias_o[4],
    output logic [MacsK-1:0][31:0]        multiplier_o[4],
    output logic [MacsK-1:0][7:0]         shift_o[4],
    output logic                          lut_we_o,
    output logic                          lut_slot_o,
    output logic [3:0]                    lut_row_o,
    output logic [127:0]                  lut_data_o
);
  localparam int unsigned GroupsK = MacsK / 16;
  localparam int unsigned GroupsC = MacsC / 16;

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
  assign c = cmd_i[slot_q];

  logic [9:0] lines_set;
  logic [7:0] inner_count;
  assign inner_count = 8'(8'(loops_q.b) * 8'(loops_q.c) - 8'd1);
  assign lines_set = 10'((MacsK * (c.op == OpConv && !c.packed_ ? GroupsC : 1)) / WeightPorts);

  function automatic phase_e first_phase(input command_t k, input logic command, input logic group);
    if (command && k.lut_en) return Table;
    if (group && reads_parameters(k)) return Parameters;
    return reads_weights(k) ? Set : Empty;
  endfunction

  function automatic walk_t walk_on(input walk_t w, input command_t k, input loops_t l,
                                    input logic [9:0] set_lines, input logic [7:0] inner_last);
    walk_t n;
    n = w;
    n.word = w.word + 10'd1;
    unique case (w.phase)
      Table:
      if (n.word == 10'(16 / WeightPorts)) begin
        n.word  = '0;
        n.phase = first_phase(k, 1'b0, 1'b1);
      end
      Parameters:
      if (n.word == 10'(9 * GroupsK / WeightPorts)) begin
        n.word  = '0;
        n.phase = Set;
      end
      default: ;
    endcase
    // The end of a pass: its set's last word, or without sets the parameters' last.
    if ((w.phase == Set && n.word == set_lines) || w.phase == Empty ||
        (w.phase == Parameters && n.phase == Set && !reads_weights(k))) begin
      n.word = '0;
      n.inner = w.inner + 8'd1;
      if (w.inner == inner_last) begin
        n.inner = '0;
        n.a = w.a + 10'd1;
        if (w.a == l.a - 10'd1) begin
          n.a = '0;
          n.block = w.block + 12'(k.block_rows);
          if (13'(w.block) + 13'(k.block_rows) >= 13'(k.out_h)) begin
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
  assign ask_next  = walk_on(ask_q, c, loops_q, lines_set, inner_count);
  assign fill_next = walk_on(fill_q, c, loops_q, lines_set, inner_count);

  // ---- Cycles that a first set takes where nothing is in its way, of which the first two are gone.
  logic [9:0] cold, cold_q;
  assign cold = 10'(2 + (c.lut_en ? 16 / WeightPorts : 0) +
                    (reads_parameters(c) ? 9 * GroupsK / WeightPorts : 0)) +
                (reads_weights(c) ? lines_set : '0);
  assign late_o = running_q && !load_q && cold_q == '0;
  assign late_slot_o = slot_q;
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
  logic asked_q, pop;
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
  logic set_in_q, push;
  logic [WeightPorts-1:0][127:0] head;
  assign head = fifo_q[out_q];
  assign push = (fill_q.phase == Set && pop && fill_next.phase != Set) ||
                (fill_q.phase == Set && pop && fill_next.word == '0) ||
                (fill_q.phase == Parameters && pop && fill_next.word == '0 && !reads_weights(c)) ||
                (fill_q.phase == Empty && running_q && !load_q && !pending_q);
  logic last_parameter_line;
  assign last_parameter_line = fill_q.word == 10'(9 * GroupsK / WeightPorts - 1);
  always_comb begin
    pop = 1'b0;
    if (running_q && !load_q && count_q != '0) begin
      unique case (fill_q.phase)
        Table: pop = 1'b1;
        Parameters:
        pop = parameter_sets_q != 3'd4 &&
              !(last_parameter_line && !reads_weights(c) && pending_q);
        Set: pop = !pending_q;
        default: ;
      endcase
    end
  end
  assign set_valid_o = pending_q;
  assign idle_o = !running_q;
  assign lut_we_o = pop && fill_q.phase == Table;
  assign lut_slot_o = slot_q;
  assign lut_row_o = fill_q.word[3:0];
  assign lut_data_o = head[0];

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
        if (reads_weights(c)) set_in_q <= !set_in_q;
      end else if (set_take_i) pending_q <= 1'b0;
      if (push && !reads_weights(c)) set_in_q <= !set_in_q;
      if (pop && fill_q.phase == Parameters && last_parameter_line)
        parameter_in_q <= parameter_in_q + 2'd1;
      parameter_sets_q <= parameter_sets_q +
          3'(pop && fill_q.phase == Parameters && last_parameter_line) - 3'(parameters_free_i);
      if (load_q) begin
        load_q <= 1'b0;
        loops_q <= loops_of(c, GroupsK, GroupsC);
        asking_q <= 1'b1;
        ask_q <= '0;
        fill_q <= '0;
        ask_q.phase <= first_phase(c, 1'b1, 1'b1);
        fill_q.phase <= first_phase(c, 1'b1, 1'b1);
      end else begin
        if (done || (asking_q && ask_q.phase == Empty)) begin
          ask_q <= ask_next;
          if (ask_next.last) asking_q <= 1'b0;
        end
        if (pop || (push && fill_q.phase == Empty)) begin
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

  logic [9:0] row;
  assign row = fill_q.word;
  always_ff @(posedge clk_i) begin
    for (int p = 0; p < WeightPorts; p++) if (came_q[p]) early_q[p] <= rdata_i[p];
    if (asked_q) fifo_q[in_q] <= line;
    if (pop && fill_q.phase == Set) begin
      for (int p = 0; p < WeightPorts; p++) begin
        for (int i = 0; i < 16; i++) begin
          if (c.op == OpConv && !c.packed_)
            weights_o[set_in_q][(32'(row)*WeightPorts+p)/GroupsC][16*((32'(row)*WeightPorts+p)%GroupsC)+i]
              <= 9'($signed(head[p][8*i+:8])) - 9'(c.w_zero);
          else
            weights_o[set_in_q][32'(row)*WeightPorts+p][i] <= 9'($signed(head[p][8*i+:8])) - 9'(c.w_zero);
        end
      end
    end
    if (pop && fill_q.phase == Parameters) begin
      for (int p = 0; p < WeightPorts; p++) begin
        for (int g = 0; g < GroupsK; g++) begin
          for (int q = 0; q < 4; q++) begin
            if (32'(row) * WeightPorts + p == 9 * g + q)
              bias_o[parameter_in_q][16*g+4*q+:4] <= head[p];
            if (32'(row) * WeightPorts + p == 9 * g + 4 + q)
              multiplier_o[parameter_in_q][16*g+4*q+:4] <= head[p];
          end
          if (32'(row) * WeightPorts + p == 9 * g + 8)
            shift_o[parameter_in_q][16*g+:16] <= head[p];
        end
      end
    end
  end

  // ---- Assertions ----
  StartOnlyWhenIdle_A :
  assert property (@(posedge clk_i) disable iff (!rst_ni) start_i |-> !running_q);
  TakeOnlyAFullSet_A :
  assert property (@(posedge clk_i) disable iff (!rst_ni) set_take_i |-> pending_q);
endmodule
