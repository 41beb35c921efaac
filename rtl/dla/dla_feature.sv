// Feature words: asks for those of a step, keeps what arrives early, queues four steps.
`include "rtl/common/assert.svh"

module dla_feature
  import dla_engine_pkg::*;
#(
    parameter int unsigned Words = 4,      // of a step, at most
    parameter int unsigned FeatPorts = 4
) (
    input  logic                        clk_i,
    input  logic                        rst_ni,
    input  logic                        valid_i,
    output logic                        ready_o,
    input  logic [Words-1:0]            mask_i,
    input  logic [Words-1:0][23:0]      addr_i,
    input  step_t                       step_i,
    input  where_t                      where_i,
    output logic [FeatPorts-1:0]        req_o,
    output logic [FeatPorts-1:0][23:0]  addr_o,
    input  logic [FeatPorts-1:0]        gnt_i,
    input  logic [FeatPorts-1:0][127:0] rdata_i,
    output logic                        valid_o,
    input  logic                        take_i,
    output logic [Words-1:0][127:0]     words_o,
    output step_t                       step_o,
    output where_t                      where_o
);
  logic [2:0] used_q;  // steps asked for or queued
  logic       ask, done;
  // A step that has begun to ask goes on asking; a new one needs a free entry.
  assign ask = valid_i && used_q != 3'd4;
  logic [Words-1:0]        came;  // in this cycle
  logic [Words-1:0][127:0] read;
  dla_feature_ports #(
      .Words(Words), .Ports(FeatPorts)
  ) u_ports (
      .clk_i, .rst_ni, .valid_i(ask), .mask_i, .addr_i, .req_o, .addr_o, .gnt_i, .rdata_i,
      .done_o(done), .came_o(came), .read_o(read)
  );
  assign ready_o = done;

  logic [127:0]                word_q[Words];
  logic                        asked_q, there_q;
  step_t                       step_q, step2_q;
  where_t                      where_q, where2_q;

  logic [Words-1:0][127:0]     fifo_words_q[4];
  step_t                       fifo_step_q [4];
  where_t                      fifo_where_q[4];
  logic [1:0] in_q, out_q;
  logic [2:0] count_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {used_q, asked_q, there_q, in_q, out_q, count_q} <= '0;
    end else begin
      used_q  <= used_q + 3'(done) - 3'(take_i);
      asked_q <= done;
      there_q <= asked_q;
      in_q    <= in_q + 2'(there_q);
      out_q   <= out_q + 2'(take_i);
      count_q <= count_q + 3'(there_q) - 3'(take_i);
    end
  end
  always_ff @(posedge clk_i) begin
    for (int w = 0; w < Words; w++) if (came[w]) word_q[w] <= read[w];
    if (done) begin
      step_q  <= step_i;
      where_q <= where_i;
    end
    if (asked_q) begin
      step2_q  <= step_q;
      where2_q <= where_q;
    end
    if (there_q) begin
      for (int w = 0; w < Words; w++) fifo_words_q[in_q][w] <= word_q[w];
      fifo_step_q[in_q]  <= step2_q;
      fifo_where_q[in_q] <= where2_q;
    end
  end
  assign valid_o = count_q != '0;
  assign words_o = fifo_words_q[out_q];
  assign step_o  = fifo_step_q[out_q];
  assign where_o = fifo_where_q[out_q];

  // ---- Assertions ----
  `PRESIL_ASSERT(TakeOnlyWhatIsThere_A, take_i -> valid_o)
  `PRESIL_ASSERT(NeverMoreThanFour_A, used_q <= 3'd4 && count_q <= used_q)
endmodule
