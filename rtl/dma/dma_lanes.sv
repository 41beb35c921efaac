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

  logic [13:0] past;
  logic [4:0]  plain;  // lanes that pass where all are data
  assign plain = limit_i < 9'(count_i) ? limit_i[4:0] : count_i;

  // index_o counts where data_o is set.
  logic        stopped, is_data;
  logic [13:0] place;  // in the element
  always_comb begin
    stopped      = 1'b0;
    is_data      = 1'b0;
    place        = '0;
    data_o       = 16'((17'd1 << plain) - 17'd1);
    for (int unsigned i = 0; i < 16; i++) index_o[i] = 4'(i);
    count_o      = plain;
    data_count_o = plain;
    if (elements_i.packed_elements) begin
      data_o       = '0;
      count_o      = '0;
      data_count_o = '0;
      for (int unsigned i = 0; i < 16; i++) begin
        place      = 14'(position_i) + 14'(i);
        if (place >= 14'(elements_i.pitch)) place = place - 14'(elements_i.pitch);
        is_data    = place < 14'(elements_i.data);
        stopped    = stopped || 5'(i) >= count_i || (is_data && 9'(data_count_o) >= limit_i);
        index_o[i] = data_count_o[3:0];
        if (!stopped) begin
          count_o   = 5'(i + 1);
          data_o[i] = is_data;
          if (is_data) data_count_o = data_count_o + 5'd1;
        end
      end
    end
  end

  assign past = 14'(position_i) + 14'(count_o);
  assign position_o = !elements_i.packed_elements ? '0
                    : past >= 14'(elements_i.pitch) ? 13'(past - 14'(elements_i.pitch))
                                                      : 13'(past);

endmodule
