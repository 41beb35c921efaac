// Grants each of 16 banks, word-interleaved, to one port a cycle; the port with the lower number goes
// first.
module dla_sram_ports #(
    parameter int unsigned Ports = 7
) (
    input  logic [Ports-1:0]       req_i,
    input  logic [Ports-1:0][23:0] addr_i,
    output logic [Ports-1:0]       gnt_o
);
  logic [15:0] taken;
  always_comb begin
    taken = '0;
    gnt_o = '0;
    for (int p = 0; p < Ports; p++) begin
      if (req_i[p] && !taken[addr_i[p][7:4]]) begin
        gnt_o[p] = 1'b1;
        taken[addr_i[p][7:4]] = 1'b1;
      end
    end
  end
endmodule
