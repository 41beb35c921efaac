// The engine of the DLA: from offered, checked commands to words in the SRAM.
`include "rtl/common/assert.svh"

module dla_engine
  import dla_pkg::*;
  import dla_engine_pkg::*;
#(
    parameter int unsigned MacsK = 16,
    parameter int unsigned MacsC = 16,
    parameter int unsigned FeatPorts = 4,
    parameter int unsigned WeightPorts = 1,
    parameter int unsigned ResPorts = MacsK / 16,
    parameter int unsigned OutPorts = MacsK / 16,
    parameter int unsigned AccDepth = 128,
    parameter int unsigned PostLanes = 16,
    parameter int unsigned EwLanes = 8,
    localparam int unsigned Ports = FeatPorts + OutPorts + ResPorts + WeightPorts
) (
    input  logic                              clk_i,
    input  logic                              rst_ni,
    input  logic                              offer_valid_i,
    input  logic [CommandWords-1:0][31:0]     offer_words_i,
    input  relocation_t                       relocation_i,   // of the offered command's job
    output logic                              take_o,
    // waits of loader, sequencer, writer, each when it is its turn; id 0 is not asked
    output logic [2:0]                        wait_valid_o,
    output logic [2:0][7:0]                   wait_id_o,
    output logic [2:0][31:0]                  wait_value_o,
    input  logic [2:0]                        met_i,
    output logic                              waiting_o,        // the oldest command does
    output logic                              complete_o,       // the oldest command has ended
    output logic                              complete_irq_o,   // and has its irq bit
    output logic                              signal_valid_o,   // and signals
    output logic [7:0]                        signal_id_o,
    output logic [15:0]                       signal_add_o,
    // SRAM: ports F, O, E, W in the order of their priority, granted; data in the next cycle
    output logic [Ports-1:0]                  sram_req_o,
    output logic [Ports-1:0][23:0]            sram_addr_o,
    output logic [OutPorts-1:0][127:0]        sram_wdata_o,
    input  logic [Ports-1:0][127:0]           sram_rdata_i,
    output logic                              step_o,
    output cause_e                            cause_o           // where the cycle went
);
  localparam int unsigned Groups = MacsK / 16;
  localparam int unsigned FirstO = FeatPorts;
  localparam int unsigned FirstE = FirstO + OutPorts;
  localparam int unsigned FirstW = FirstE + ResPorts;

  localparam int unsigned Words = words_of_step(MacsK, MacsC);

  // ---- Commands in flight, relocated.
  command_t cmd_q[2];
  traits_t traits_q[2];
  turn_t turn_q[2], turn_new;
  dla_post_pkg::post_command_t post_cmd_q[2];
  logic slot_q, written_q, oldest_q, new_offer;
  assign new_offer = offer_valid_i && !written_q;
  always_comb begin
    turn_new = '0;
    if (new_offer) turn_new = turn_of(relocated(unpack(offer_words_i), relocation_i));
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      slot_q <= 1'b0;
      written_q <= 1'b0;
    end else if (take_o) begin
      slot_q <= !slot_q;
      written_q <= 1'b0;
    end else if (offer_valid_i) written_q <= 1'b1;
  end
  always_ff @(posedge clk_i) begin
    if (new_offer) begin
      cmd_q[slot_q] <= relocated(unpack(offer_words_i), relocation_i);
      traits_q[slot_q] <= traits_of(unpack(offer_words_i));
      turn_q[slot_q] <= turn_new;
      post_cmd_q[slot_q] <= dla_post_pkg::post_command(unpack(offer_words_i));
    end
  end

  // ---- Starts: 0 loader, 1 sequencer and second operand, 2 writer. A fenced command starts when it
  // is the oldest one.
  logic [2:0] idle, taken, slot, waiting, start, unit_idle, unit_start, nop_start, nop_q, met, asks;
  logic [2:0] second;  // its command reads one
  logic [1:0] flying_q;
  logic nop_all, nop_end_q, sequencer_idle, residual_idle;
  for (genvar u = 0; u < 3; u++) begin : gen_start
    turn_t turn;
    assign turn = new_offer && slot[u] == slot_q ? turn_new : turn_q[slot[u]];
    assign wait_id_o[u] = turn.wait_id[u];
    assign wait_value_o[u] = turn.wait_value[u];
    assign wait_valid_o[u] = waiting[u] && wait_id_o[u] != '0;
    assign asks[u] = wait_valid_o[u] && !met_i[u];
    assign met[u] = (wait_id_o[u] == '0 || met_i[u]) &&
                    (!turn.fence || slot[u] == oldest_q);
    dla_start u_start (
        .clk_i, .rst_ni, .offer_i(offer_valid_i), .slot_i(slot_q), .all_taken_i(take_o),
        .idle_i(idle[u]), .met_i(met[u]), .taken_o(taken[u]), .slot_o(slot[u]),
        .waiting_o(waiting[u]), .start_o(start[u])
    );
    assign unit_start[u] = start[u] && !turn.nop;
    assign nop_start[u] = start[u] && turn.nop;
    assign second[u] = turn.second;
  end
  assign waiting_o = (asks & ~(slot ^ {3{oldest_q}})) != '0;
  assign take_o = offer_valid_i && taken == '1;
  assign idle = unit_idle & ~nop_q;
  // A nop has every unit's turn; it ends two cycles after the last of them.
  logic nop_first_q;
  assign nop_all = (nop_q | nop_start) == '1 && !nop_first_q && !nop_end_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {nop_q, nop_first_q, nop_end_q, flying_q, oldest_q} <= '0;
    else begin
      oldest_q <= oldest_q ^ complete_o;
      nop_first_q <= nop_all;
      nop_end_q <= nop_first_q;
      nop_q <= nop_q | nop_start;
      if (nop_all) nop_q <= 3'b100;
      if (nop_end_q) nop_q[2] <= 1'b0;
      flying_q <= flying_q + 2'(new_offer) - 2'(complete_o);
    end
  end

  // ---- Features.
  logic walk_valid, walk_ready, head_valid, fire;
  logic [Words-1:0] walk_mask;
  logic [Words-1:0][23:0] walk_addr;
  step_t walk_step, head_step;
  where_t walk_where, head_where;
  logic [Words-1:0][127:0] head_words;
  logic [Ports-1:0] req, gnt;
  dla_sequencer #(
      .MacsK(MacsK), .MacsC(MacsC)
  ) u_sequencer (
      .clk_i, .rst_ni, .start_i(unit_start[1]), .slot_i(slot[1]), .cmd_i(cmd_q),
      .traits_i(traits_q), .idle_o(sequencer_idle), .valid_o(walk_valid), .ready_i(walk_ready),
      .mask_o(walk_mask), .addr_o(walk_addr), .step_o(walk_step), .where_o(walk_where)
  );
  dla_feature #(
      .Words(Words), .FeatPorts(FeatPorts)
  ) u_feature (
      .clk_i, .rst_ni, .valid_i(walk_valid), .ready_o(walk_ready), .mask_i(walk_mask),
      .addr_i(walk_addr), .step_i(walk_step), .where_i(walk_where),
      .req_o(req[FeatPorts-1:0]), .addr_o(sram_addr_o[FeatPorts-1:0]),
      .gnt_i(gnt[FeatPorts-1:0]), .rdata_i(sram_rdata_i[FeatPorts-1:0]), .valid_o(head_valid),
      .take_i(fire), .words_o(head_words), .step_o(head_step), .where_o(head_where)
  );

  // ---- Weights and parameters.
  logic set_valid, set_take, parameters_free, loads_late, loader_slot;
  logic weights_we, weights_set, weights_wide, parameters_we, lut_we;
  logic signed [8:0] weights_zero;
  logic [1:0] parameters_set;
  logic [9:0] line;
  logic [WeightPorts-1:0][127:0] line_data;
  dla_weight_loader #(
      .MacsK(MacsK), .MacsC(MacsC), .WeightPorts(WeightPorts)
  ) u_weight_loader (
      .clk_i, .rst_ni, .start_i(unit_start[0]), .slot_i(slot[0]), .cmd_i(cmd_q),
      .traits_i(traits_q), .idle_o(unit_idle[0]), .late_o(loads_late),
      .req_o(req[Ports-1:FirstW]), .addr_o(sram_addr_o[Ports-1:FirstW]),
      .gnt_i(gnt[Ports-1:FirstW]), .rdata_i(sram_rdata_i[Ports-1:FirstW]),
      .set_valid_o(set_valid), .set_take_i(set_take), .parameters_free_i(parameters_free),
      .weights_we_o(weights_we), .weights_set_o(weights_set), .weights_wide_o(weights_wide),
      .weights_zero_o(weights_zero), .parameters_we_o(parameters_we),
      .parameters_set_o(parameters_set), .lut_we_o(lut_we), .slot_o(loader_slot), .line_o(line),
      .data_o(line_data)
  );

  // ---- Channel parameters, four sets: of each 16 channels 4 words of biases, 4 of multipliers, 1 of
  // shifts.
  logic [MacsK-1:0][31:0] bias_q[4], multiplier_q[4];
  logic [MacsK-1:0][7:0] shift_q[4];
  always_ff @(posedge clk_i) begin
    if (parameters_we) begin
      for (int p = 0; p < WeightPorts; p++) begin
        for (int g = 0; g < Groups; g++) begin
          for (int q = 0; q < 4; q++) begin
            if (32'(line) * WeightPorts + p == 9 * g + q)
              bias_q[parameters_set][16*g+4*q+:4] <= line_data[p];
            if (32'(line) * WeightPorts + p == 9 * g + 4 + q)
              multiplier_q[parameters_set][16*g+4*q+:4] <= line_data[p];
          end
          if (32'(line) * WeightPorts + p == 9 * g + 8)
            shift_q[parameters_set][16*g+:16] <= line_data[p];
        end
      end
    end
  end

  // ---- Second operand.
  logic [9:0] residual_groups, writer_groups;
  logic second_valid, second_take, sums_valid, sums_take, residual_start;
  logic [ResPorts-1:0][127:0] second_word;
  logic [ResPorts-1:0][511:0] sums;
  assign residual_start = unit_start[1] && second[1];
  assign unit_idle[1] = sequencer_idle && residual_idle;
  logic residual_slot_q, writer_slot_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {residual_slot_q, writer_slot_q} <= '0;
    else begin
      if (unit_start[1]) residual_slot_q <= slot[1];
      if (unit_start[2]) writer_slot_q <= slot[2];
    end
  end
  assign residual_groups = 10'((32'(cmd_q[residual_slot_q].out_blocks) + Groups - 1) / Groups);
  assign writer_groups = 10'((32'(cmd_q[writer_slot_q].out_blocks) + Groups - 1) / Groups);
  dla_residual #(
      .Ports(ResPorts)
  ) u_residual (
      .clk_i, .rst_ni, .start_i(residual_start), .slot_i(slot[1]), .cmd_i(cmd_q),
      .traits_i(traits_q),
      .groups_i(residual_groups), .idle_o(residual_idle), .req_o(req[FirstW-1:FirstE]),
      .addr_o(sram_addr_o[FirstW-1:FirstE]), .gnt_i(gnt[FirstW-1:FirstE]),
      .rdata_i(sram_rdata_i[FirstW-1:FirstE]), .word_valid_o(second_valid),
      .word_take_i(second_take), .word_o(second_word), .sums_valid_o(sums_valid),
      .sums_take_i(sums_take), .sums_o(sums)
  );

  // ---- Operand stage and array.
  logic operand_valid, operand_set, array_valid, room;
  logic stall_feature, stall_weights, stall_post;
  /* verilator lint_off UNUSEDSIGNAL */
  logic stall_turn;  // what is left
  /* verilator lint_on UNUSEDSIGNAL */
  step_t operand_step, array_step;
  logic [MacsC/16-1:0][127:0] x;
  logic column_valid;
  logic [Groups-1:0][3:0][127:0] column;
  logic [MacsK-1:0][31:0] init, acc;
  logic [1:0] parameter_q, parameter_now, parameter_array_q, parameter_next_q;
  dla_operand #(
      .MacsK(MacsK), .MacsC(MacsC)
  ) u_operand (
      .clk_i, .rst_ni, .cmd_i(cmd_q), .traits_i(traits_q), .valid_i(head_valid), .take_o(fire), .step_i(head_step),
      .where_i(head_where), .words_i(head_words), .set_valid_i(set_valid), .set_take_o(set_take),
      .sums_valid_i(sums_valid), .sums_take_o(sums_take), .room_i(room), .valid_o(operand_valid),
      .step_o(operand_step), .set_o(operand_set), .x_o(x),
      .column_valid_o(column_valid), .column_o(column), .stall_feature_o(stall_feature),
      .stall_weights_o(stall_weights), .stall_post_o(stall_post), .stall_turn_o(stall_turn)
  );
  assign step_o = fire;
  // The parameters of a group travel as the number of their set.
  logic parameters_first;  // step of a group
  assign parameters_first = fire && head_step.first_of_group && traits_q[head_step.slot].parameters;
  assign parameter_now = parameters_first ? parameter_next_q : parameter_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {parameter_q, parameter_next_q, parameter_array_q} <= '0;
    else begin
      parameter_q <= parameter_now;
      if (parameters_first) parameter_next_q <= parameter_next_q + 2'd1;
      parameter_array_q <= parameter_q;
    end
  end
  logic [MacsK-1:0][31:0] sums_q;
  always_ff @(posedge clk_i) if (sums_take) sums_q <= sums;
  always_comb begin
    init = '0;
    if (traits_q[operand_step.slot].sums) init = sums_q;
    else if (traits_q[operand_step.slot].parameters) init = bias_q[parameter_q];
  end
  dla_array #(
      .MacsK(MacsK), .MacsC(MacsC), .AccDepth(AccDepth), .WeightPorts(WeightPorts)
  ) u_array (
      .clk_i, .rst_ni, .cmd_i(cmd_q), .weights_we_i(weights_we), .weights_set_i(weights_set),
      .weights_line_i(line), .weights_wide_i(weights_wide), .weights_zero_i(weights_zero),
      .weights_data_i(line_data), .column_valid_i(column_valid), .column_i(column),
      .column_inside_i(head_where.row_inside), .valid_i(operand_valid), .step_i(operand_step),
      .set_i(operand_set), .x_i(x), .init_i(init), .valid_o(array_valid), .step_o(array_step), .acc_o(acc)
  );

  // ---- Post FIFO, 4 pixels; its credits are taken where the operand fires.
  logic [2:0] used_q, count_q;
  logic [1:0] in_q, out_q, parameter_fifo_q[4];
  logic [MacsK-1:0][31:0] fifo_acc_q[4];
  step_t fifo_step_q[4], post_step;
  logic post_valid, post_ready, pop, upsample;
  logic [Groups-1:0][4:0] lanes;
  assign room = used_q != 3'd4;
  // upsample2 keeps its pixel for four beats, as long as the writer takes for its four words.
  logic [1:0] beat_q;
  logic sent_q;
  assign upsample = cmd_q[post_step.slot].upsample2;
  assign post_valid = count_q != '0 && !sent_q;
  assign pop = ((post_valid && post_ready) || sent_q) && (!upsample || beat_q == 2'd3);
  assign post_step = fifo_step_q[out_q];
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {used_q, count_q, in_q, out_q, beat_q, sent_q} <= '0;
    else begin
      used_q <= used_q + 3'(fire && head_step.last_pass && head_step.pixel) - 3'(pop);
      count_q <= count_q + 3'(array_valid) - 3'(pop);
      in_q <= in_q + 2'(array_valid);
      out_q <= out_q + 2'(pop);
      sent_q <= (sent_q || (post_valid && post_ready)) && !pop;
      if (pop) beat_q <= '0;
      else if (upsample && count_q != '0 && beat_q != 2'd3) beat_q <= beat_q + 2'd1;
    end
  end
  always_ff @(posedge clk_i) begin
    if (array_valid) begin
      fifo_acc_q[in_q] <= acc;
      fifo_step_q[in_q] <= array_step;
      parameter_fifo_q[in_q] <= parameter_array_q;
    end
  end
  logic [9:0] last_block;
  assign last_block = cmd_q[post_step.slot].out_blocks - 10'd1;
  always_comb begin
    for (int g = 0; g < Groups; g++) begin
      lanes[g] = 32'(post_step.group) * Groups + g == 32'(last_block) ?
                 cmd_q[post_step.slot].out_lanes_last :
                 32'(post_step.group) * Groups + g < 32'(last_block) ? 5'd16 : 5'd0;
    end
  end
  assign parameters_free = pop && post_step.last_of_group && traits_q[post_step.slot].parameters;

  // ---- Post-processing and output.
  logic out_valid, out_ready;
  logic [OutPorts-1:0][127:0] out_data;
  /* verilator lint_off UNUSEDSIGNAL */
  logic [1:0] out_word;  // the writer counts words itself
  logic out_last;
  logic out_user;
  /* verilator lint_on UNUSEDSIGNAL */
  dla_post #(
      .MacsK(MacsK), .PostLanes(PostLanes), .EwLanes(EwLanes), .LutRows(WeightPorts)
  ) u_post (
      .clk_i, .rst_ni, .cmd_i(post_cmd_q), .valid_i(post_valid), .ready_o(post_ready),
      .slot_i(post_step.slot), .acc_i(fifo_acc_q[out_q]),
      .multiplier_i(multiplier_q[parameter_fifo_q[out_q]]),
      .shift_i(shift_q[parameter_fifo_q[out_q]]), .lanes_i(lanes), .user_i(1'b0),
      .res_valid_i(second_valid), .res_ready_o(second_take), .res_data_i(second_word),
      .lut_we_i(lut_we), .lut_slot_i(loader_slot), .lut_line_i(line[3:0]), .lut_data_i(line_data),
      .valid_o(out_valid), .ready_i(out_ready), .data_o(out_data), .word_o(out_word),
      .last_o(out_last), .user_o(out_user)
  );
  logic writer_end;
  dla_writer #(
      .Ports(OutPorts)
  ) u_writer (
      .clk_i, .rst_ni, .start_i(unit_start[2]), .slot_i(slot[2]), .cmd_i(cmd_q),
      .groups_i(writer_groups), .idle_o(unit_idle[2]), .valid_i(out_valid), .ready_o(out_ready),
      .data_i(out_data), .req_o(req[FirstE-1:FirstO]), .addr_o(sram_addr_o[FirstE-1:FirstO]),
      .data_o(sram_wdata_o), .gnt_i(gnt[FirstE-1:FirstO]), .end_o(writer_end)
  );
  assign complete_o = writer_end || nop_end_q;
  assign complete_irq_o = cmd_q[oldest_q].irq;
  assign signal_valid_o = complete_o && cmd_q[oldest_q].signal != '0;
  assign signal_id_o = cmd_q[oldest_q].signal;
  assign signal_add_o = cmd_q[oldest_q].signal_add;

  dla_cause u_cause (
      .clk_i, .rst_ni, .offered_i(new_offer), .any_i(new_offer || flying_q != '0), .step_i(fire),
      .step_last_i(head_step.last), .nop_end_i(nop_end_q), .asks_i(asks), .slot_i(slot[1:0]),
      .set_valid_i(set_valid), .loads_late_i(loads_late), .loader_slot_i(loader_slot),
      .stall_feature_i(stall_feature), .stall_weights_i(stall_weights), .stall_post_i(stall_post),
      .post_backlog_i(count_q != '0 && !pop), .cause_o
  );

  dla_sram_ports #(
      .Ports(Ports)
  ) u_sram_ports (
      .req_i(req), .addr_i(sram_addr_o), .gnt_o(gnt)
  );
  assign sram_req_o = gnt;

  // ---- Assertions ----
  `PRESIL_ASSERT(PostFifoHolds_A, used_q <= 3'd4 && count_q <= used_q)
  `PRESIL_ASSERT(AtMostTwoInFlight_A, flying_q <= 2'd2)
endmodule
