// The engine of the DLA: from offered, checked commands to words in the SRAM.
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

  // ---- Commands in flight, relocated.
  command_t [1:0] cmd_q, cmd;
  logic slot_q, written_q, oldest_q, new_offer;
  assign new_offer = offer_valid_i && !written_q;
  always_comb begin
    cmd = cmd_q;
    if (new_offer) cmd[slot_q] = relocated(unpack(offer_words_i), relocation_i);
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
  always_ff @(posedge clk_i) if (new_offer) cmd_q[slot_q] <= cmd[slot_q];

  // ---- Starts: 0 loader, 1 sequencer and second operand, 2 writer. A fenced command starts when it
  // is the oldest one.
  logic [2:0] idle, taken, slot, waiting, start, unit_idle, unit_start, nop_q, met, asks;
  logic [1:0] flying_q;
  logic nop_all, nop_end_q, sequencer_idle, residual_idle;
  assign wait_id_o = {cmd[slot[2]].wait_out, cmd[slot[1]].wait_in, cmd[slot[0]].wait_weights};
  assign wait_value_o = {cmd[slot[2]].wait_out_value, cmd[slot[1]].wait_in_value,
                         cmd[slot[0]].wait_weights_value};
  for (genvar u = 0; u < 3; u++) begin : gen_start
    assign wait_valid_o[u] = waiting[u] && wait_id_o[u] != '0;
    assign asks[u] = wait_valid_o[u] && !met_i[u];
    assign met[u] = (wait_id_o[u] == '0 || met_i[u]) &&
                    (!cmd[slot[u]].fence || slot[u] == oldest_q);
    dla_start u_start (
        .clk_i, .rst_ni, .offer_i(offer_valid_i), .slot_i(slot_q), .all_taken_i(take_o),
        .idle_i(idle[u]), .met_i(met[u]), .taken_o(taken[u]), .slot_o(slot[u]),
        .waiting_o(waiting[u]), .start_o(start[u])
    );
    assign unit_start[u] = start[u] && cmd[slot[u]].op != OpNop;
  end
  assign waiting_o = (asks & ~(slot ^ {3{oldest_q}})) != '0;
  assign take_o = offer_valid_i && taken == '1;
  assign idle = unit_idle & ~nop_q;
  // A nop has every unit's turn; it ends two cycles after the last of them.
  logic [2:0] nop_start;
  logic nop_first_q;
  always_comb begin
    for (int u = 0; u < 3; u++) nop_start[u] = start[u] && cmd[slot[u]].op == OpNop;
  end
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
  logic [FeatPorts-1:0] walk_mask;
  step_t walk_step, head_step;
  where_t walk_where, head_where;
  logic [FeatPorts-1:0][127:0] head_words;
  logic [Ports-1:0] req, gnt;
  dla_sequencer #(
      .MacsK(MacsK), .MacsC(MacsC), .FeatPorts(FeatPorts)
  ) u_sequencer (
      .clk_i, .rst_ni, .start_i(unit_start[1]), .slot_i(slot[1]), .cmd_i(cmd_q),
      .idle_o(sequencer_idle), .valid_o(walk_valid), .ready_i(walk_ready), .mask_o(walk_mask),
      .addr_o(sram_addr_o[FeatPorts-1:0]), .step_o(walk_step), .where_o(walk_where)
  );
  dla_feature #(
      .FeatPorts(FeatPorts)
  ) u_feature (
      .clk_i, .rst_ni, .valid_i(walk_valid), .ready_o(walk_ready), .mask_i(walk_mask),
      .step_i(walk_step), .where_i(walk_where), .req_o(req[FeatPorts-1:0]),
      .gnt_i(gnt[FeatPorts-1:0]), .rdata_i(sram_rdata_i[FeatPorts-1:0]), .valid_o(head_valid),
      .take_i(fire), .words_o(head_words), .step_o(head_step), .where_o(head_where)
  );

  // ---- Weights and parameters.
  logic set_valid, set_take, parameters_free, loads_late, loader_slot;
  logic signed [8:0] weights[2][MacsK][MacsC];
  logic [MacsK-1:0][31:0] bias[4], multiplier[4];
  logic [MacsK-1:0][7:0] shift[4];
  logic lut_we, lut_slot;
  logic [3:0] lut_row;
  logic [127:0] lut_data;
  dla_weight_loader #(
      .MacsK(MacsK), .MacsC(MacsC), .WeightPorts(WeightPorts)
  ) u_weight_loader (
      .clk_i, .rst_ni, .start_i(unit_start[0]), .slot_i(slot[0]), .cmd_i(cmd_q),
      .idle_o(unit_idle[0]), .late_o(loads_late), .late_slot_o(loader_slot),
      .req_o(req[Ports-1:FirstW]), .addr_o(sram_addr_o[Ports-1:FirstW]),
      .gnt_i(gnt[Ports-1:FirstW]), .rdata_i(sram_rdata_i[Ports-1:FirstW]),
      .set_valid_o(set_valid), .set_take_i(set_take), .parameters_free_i(parameters_free),
      .weights_o(weights), .bias_o(bias), .multiplier_o(multiplier), .shift_o(shift),
      .lut_we_o(lut_we), .lut_slot_o(lut_slot), .lut_row_o(lut_row), .lut_data_o(lut_data)
  );

  // ---- Second operand.
  logic [9:0] residual_groups, writer_groups;
  logic second_valid, second_take, sums_valid, sums_take, residual_start;
  logic [ResPorts-1:0][127:0] second;
  logic [ResPorts-1:0][511:0] sums;
  assign residual_start = unit_start[1] && reads_second(cmd[slot[1]]);
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
      .groups_i(residual_groups), .idle_o(residual_idle), .req_o(req[FirstW-1:FirstE]),
      .addr_o(sram_addr_o[FirstW-1:FirstE]), .gnt_i(gnt[FirstW-1:FirstE]),
      .rdata_i(sram_rdata_i[FirstW-1:FirstE]), .word_valid_o(second_valid),
      .word_take_i(second_take), .word_o(second), .sums_valid_o(sums_valid),
      .sums_take_i(sums_take), .sums_o(sums)
  );

  // ---- Operand stage and array.
  logic operand_valid, operand_set, array_valid, room;
  logic stall_feature, stall_weights, stall_post;
  /* verilator lint_off UNUSEDSIGNAL */
  logic stall_turn;  // what is left
  /* verilator lint_on UNUSEDSIGNAL */
  step_t operand_step, array_step;
  logic [15:0][7:0] x[MacsC/16];
  logic [3:0][3:0][15:0][7:0] taps[Groups];
  logic [3:0][3:0] tap_inside;
  logic [MacsK-1:0][31:0] init, acc;
  logic [1:0] parameter_q, parameter_now, parameter_array_q, parameter_next_q;
  dla_operand #(
      .MacsK(MacsK), .MacsC(MacsC), .FeatPorts(FeatPorts)
  ) u_operand (
      .clk_i, .rst_ni, .cmd_i(cmd_q), .valid_i(head_valid), .take_o(fire), .step_i(head_step),
      .where_i(head_where), .words_i(head_words), .set_valid_i(set_valid), .set_take_o(set_take),
      .sums_valid_i(sums_valid), .sums_take_o(sums_take), .room_i(room), .valid_o(operand_valid),
      .step_o(operand_step), .set_o(operand_set), .x_o(x), .taps_o(taps),
      .tap_inside_o(tap_inside), .stall_feature_o(stall_feature),
      .stall_weights_o(stall_weights), .stall_post_o(stall_post), .stall_turn_o(stall_turn)
  );
  assign step_o = fire;
  // The parameters of a group travel as the number of their set.
  assign parameter_now = fire && head_step.first_of_group && reads_parameters(cmd_q[head_step.slot]) ?
                         parameter_next_q : parameter_q;
  logic [MacsK-1:0][31:0] sums_now;
  always_comb begin
    for (int k = 0; k < MacsK; k++) sums_now[k] = sums[k/16][32*(k%16)+:32];
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {parameter_q, parameter_next_q, parameter_array_q} <= '0;
    else begin
      parameter_q <= parameter_now;
      if (fire && head_step.first_of_group && reads_parameters(cmd_q[head_step.slot]))
        parameter_next_q <= parameter_next_q + 2'd1;
      parameter_array_q <= parameter_q;
    end
  end
  logic [MacsK-1:0][31:0] sums_q;
  always_ff @(posedge clk_i) if (sums_take) sums_q <= sums_now;
  always_comb begin
    init = '0;
    if (reads_sums(cmd_q[operand_step.slot])) init = sums_q;
    else if (reads_parameters(cmd_q[operand_step.slot])) init = bias[parameter_q];
  end
  dla_array #(
      .MacsK(MacsK), .MacsC(MacsC), .AccDepth(AccDepth)
  ) u_array (
      .clk_i, .rst_ni, .cmd_i(cmd_q), .valid_i(operand_valid), .step_i(operand_step),
      .set_i(operand_set), .x_i(x), .taps_i(taps), .tap_inside_i(tap_inside), .weights_i(weights),
      .init_i(init), .valid_o(array_valid), .step_o(array_step), .acc_o(acc)
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
  assign parameters_free = pop && post_step.last_of_group &&
                           reads_parameters(cmd_q[post_step.slot]);

  // ---- Post-processing and output.
  dla_post_pkg::post_command_t [1:0] post_cmd;
  assign post_cmd = {dla_post_pkg::post_command(cmd_q[1]), dla_post_pkg::post_command(cmd_q[0])};
  logic out_valid, out_ready;
  logic [OutPorts-1:0][127:0] out_data;
  /* verilator lint_off UNUSEDSIGNAL */
  logic [1:0] out_word;  // the writer counts words itself
  logic out_last;
  logic out_user;
  /* verilator lint_on UNUSEDSIGNAL */
  dla_post #(
      .MacsK(MacsK), .PostLanes(PostLanes), .EwLanes(EwLanes)
  ) u_post (
      .clk_i, .rst_ni, .cmd_i(post_cmd), .valid_i(post_valid), .ready_o(post_ready),
      .slot_i(post_step.slot), .acc_i(fifo_acc_q[out_q]),
      .multiplier_i(multiplier[parameter_fifo_q[out_q]]),
      .shift_i(shift[parameter_fifo_q[out_q]]), .lanes_i(lanes), .user_i(1'b0),
      .res_valid_i(second_valid), .res_ready_o(second_take), .res_data_i(second),
      .lut_we_i(lut_we), .lut_slot_i(lut_slot), .lut_row_i(lut_row), .lut_data_i(lut_data),
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
  PostFifoHolds_A :
  assert property (@(posedge clk_i) disable iff (!rst_ni) used_q <= 3'd4 && count_q <= used_q);
  AtMostTwoInFlight_A :
  assert property (@(posedge clk_i) disable iff (!rst_ni) flying_q <= 2'd2);
endmodule
