// Which of up to 16 bytes that follow each other in a packed stream are data and which padding, and
// how many of them may pass when `limit` data bytes are there. Padding after an element's last
// data byte passes with it; an element that has no byte left does not begin.
module dma_lanes
  import dma_engine_pkg::*;
(
    input  elements_t         elements_i,
    input  logic [12:0]       position_i,  // of lane 0 in its element
    input  logic [4:0]        count_i,     // lanes asked for, 0..16
    input  logic [8:0]        limit_i,     // data bytes
    output logic [15:0]       data_o,      // lane passes and is data
    output logic [15:0][3:0]  index_o,     // of a data lane among them
    output logic [4:0]        count_o,     // lanes that pass
    output logic [4:0]        data_count_o,
    output logic [12:0]       position_o   // after the last that passes
);

  logic [15:0][13:0] place;  // in the element
  logic [15:0]       is_data;
  logic [13:0]       past;

  always_comb begin
    for (int unsigned i = 0; i < 16; i++) begin
      place[i] = 14'(position_i) + 14'(i);
      if (place[i] >= 14'(elements_i.pitch)) place[i] = place[i] - 14'(elements_i.pitch);
      is_data[i] = !elements_i.packed_elements || place[i] < 14'(elements_i.data);
    end
  end

  logic stopped;
  always_comb begin
    data_o       = '0;
    index_o      = '0;
    count_o      = '0;
    data_count_o = '0;
    stopped      = 1'b0;
    for (int unsigned i = 0; i < 16; i++) begin
      stopped    = stopped || 5'(i) >= count_i || (is_data[i] && 9'(data_count_o) >= limit_i);
      index_o[i] = data_count_o[3:0];
      if (!stopped) begin
        count_o   = 5'(i + 1);
        data_o[i] = is_data[i];
        if (is_data[i]) data_count_o = data_count_o + 5'd1;
      end
    end
  end

  assign past = 14'(position_i) + 14'(count_o);
  assign position_o = !elements_i.packed_elements ? '0
                    : past >= 14'(elements_i.pitch) ? 13'(past - 14'(elements_i.pitch))
                                                      : 13'(past);

endmodule
