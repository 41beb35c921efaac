// A piece on the AXI side is a burst: up to the end of the row, never across 256 bytes. Of a burst
// on the destination side: how many data bytes it takes from the stream,
//   data(x) = x / pitch * data + min(x % pitch, data),  data(position + bytes) - data(position).
// The pitch is a multiple of 16: up to 256 the quotient is that of numbers of 5 bits, above at most 1.
module dma_piece
  import dma_engine_pkg::*;
(
    input  logic [7:0]  address_i,
    input  logic [23:0] row_left_i,
    input  elements_t   elements_i,
    input  logic [12:0] position_i,
    output logic [8:0]  bytes_o,
    output logic [8:0]  data_bytes_o
);

  logic [8:0] to_boundary;
  assign to_boundary = 9'(BurstBytes) - 9'(address_i);
  assign bytes_o     = row_left_i < 24'(to_boundary) ? row_left_i[8:0] : to_boundary;

  logic [12:0] data, past, rest;
  logic [4:0]  quotient;
  logic        short_pitch;
  assign data   = 13'(elements_i.data);
  assign past = position_i + 13'(bytes_o);
  assign short_pitch = elements_i.pitch <= 13'(BurstBytes);
  always_comb begin
    quotient = 5'(past >= elements_i.pitch);
    if (elements_i.packed_elements && short_pitch) begin
      for (int unsigned j = 2; j < 32; j++) begin
        if (13'(j) * 13'(elements_i.pitch[8:4]) <= 13'(past[12:4])) quotient = 5'(j);
      end
    end
  end
  assign rest = past - 13'(quotient) * elements_i.pitch;

  logic [12:0] had, will_have;
  assign had          = position_i < data ? position_i : data;
  assign will_have    = rest < data ? rest : data;
  assign data_bytes_o = !elements_i.packed_elements
                      ? bytes_o : 9'(13'(quotient) * data + will_have - had);

endmodule
