// The words of a step through the feature ports: a port for each, or, where there are fewer ports, in
// each cycle the first of them that find a port and whose banks differ.
`include "rtl/common/assert.svh"

module dla_feature_ports #(
    parameter int unsigned Words = 4,
    parameter int unsigned Ports = 4
) (
    input  logic                    clk_i,
    input  logic                    rst_ni,
    input  logic                    valid_i,
    input  logic [Words-1:0]        mask_i,
    input  logic [Words-1:0][23:0]  addr_i,
    output logic [Ports-1:0]        req_o,
    output logic [Ports-1:0][23:0]  addr_o,
    input  logic [Ports-1:0]        gnt_i,
    input  logic [Ports-1:0][127:0] rdata_i,
    output logic                    done_o,  // the last of the step's words is granted
    output logic [Words-1:0]        came_o,  // of the words granted in the cycle before
    output logic [Words-1:0][127:0] read_o
);
  logic [Words-1:0] req, gnt, came_q;
  dla_grant #(
      .Ports(Words)
  ) u_grant (
      .clk_i, .rst_ni, .valid_i, .mask_i, .req_o(req), .gnt_i(gnt), .done_o
  );
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) came_q <= '0;
    else came_q <= gnt;
  end
  assign came_o = came_q;

  if (Ports >= Words) begin : gen_own
    always_comb begin
      req_o  = Ports'(req);
      addr_o = (24 * Ports)'(addr_i);
    end
    assign gnt = gnt_i[Words-1:0];
    assign read_o = rdata_i[Words-1:0];
  end else begin : gen_shared
    localparam int unsigned PortBits = Ports > 1 ? $clog2(Ports) : 1;
    typedef logic [PortBits-1:0] port_t;
    port_t port[Words], port_q[Words];  // of a word that has one
    logic [15:0] taken;                 // banks
    int unsigned used;                  // ports
    always_comb begin
      req_o  = '0;
      addr_o = '0;
      taken  = '0;
      used   = 0;
      gnt    = '0;
      for (int w = 0; w < Words; w++) begin
        port[w] = '0;
        if (req[w] && !taken[addr_i[w][7:4]] && used < Ports) begin
          port[w] = port_t'(used);
          req_o[port[w]] = 1'b1;
          addr_o[port[w]] = addr_i[w];
          taken[addr_i[w][7:4]] = 1'b1;
          gnt[w] = 1'b1;
          used = used + 1;
        end
      end
    end
    always_ff @(posedge clk_i) port_q <= port;
    always_comb begin
      for (int w = 0; w < Words; w++) read_o[w] = rdata_i[port_q[w]];
    end

    // ---- Assertions ----
    // Feature ports go first, and their banks differ.
  `PRESIL_ASSERT(WhatIsAskedIsGranted_A, req_o == gnt_i)
  end
endmodule
