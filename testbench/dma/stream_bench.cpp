#include "testbench/dma/stream_bench.h"

#include "Vdma_stream_bench.h"

namespace presil::testbench {

namespace {

constexpr uint64_t kCycleLimit = 4000000;

template <class Words>
uint8_t byte_of(const Words& words, unsigned i) {
  return static_cast<uint8_t>(words[i / 4] >> 8 * (i % 4));
}

uint64_t counts(const std::array<uint16_t, 4>& n) {
  return n[0] | uint64_t{n[1]} << 16 | uint64_t{n[2]} << 32 | uint64_t{n[3]} << 48;
}

}  // namespace

struct StreamBench::Dut {
  VerilatedContext context;  // its own: that of another bench may be gone
  Vdma_stream_bench top{&context};

  void tick() {
    top.clk_i = 1;
    top.eval();
    top.clk_i = 0;
    top.eval();
  }
};

StreamBench::StreamBench() : m_dut(std::make_unique<Dut>()) {
  auto& top = m_dut->top;
  top.clk_i = 0;
  top.rst_ni = 1;
  top.start_i = 0;
  top.eval();
  top.rst_ni = 0;
  top.eval();
  m_dut->tick();
  top.rst_ni = 1;
}

StreamBench::~StreamBench() {
  m_dut->top.final();
}

StreamBench::Result StreamBench::run(const dma::Command& c, bool store,
                                     const std::vector<uint8_t>& source, uint64_t source_at,
                                     const std::vector<uint8_t>& target, uint64_t target_at,
                                     unsigned stalls, std::mt19937& random) {
  auto& top = m_dut->top;
  const bool fill = c.op == dma::Op::kFill;
  top.start_i = 1;
  top.store_i = store;
  top.xor80_i = c.xor80;
  top.pad_i = fill || c.pack == dma::Pack::kPad;
  top.drop_i = c.pack == dma::Pack::kDrop;
  top.elem_bytes_i = c.elem_bytes;
  top.pattern_i = c.pattern;
  top.source_base_i = c.src_base;
  top.source_row_bytes_i = c.src_row_bytes;
  top.source_n_i = counts(c.src_n);
  top.target_base_i = c.dst_base;
  top.target_row_bytes_i = c.dst_row_bytes;
  top.target_n_i = counts(c.dst_n);
  for (unsigned d = 0; d < 4; ++d) {
    top.source_stride_i[d] = static_cast<uint32_t>(c.src_stride[d]);
    top.target_stride_i[d] = static_cast<uint32_t>(c.dst_stride[d]);
  }
  top.source_allowed_i = top.target_allowed_i = 0;
  m_dut->tick();
  top.start_i = 0;

  Result result;
  result.written = target;
  uint64_t piece_began = 0;
  bool in_piece = false;
  for (; result.cycles < kCycleLimit; ++result.cycles) {
    top.source_allowed_i = random() % 100 >= stalls;
    top.target_allowed_i = random() % 100 >= stalls;
    top.eval();
    if (!top.busy_o) {
      result.ended = true;
      break;
    }
    for (unsigned i = 0; i < 4; ++i) {  // a read is answered in its cycle
      uint32_t word = 0;
      for (unsigned b = 0; b < 4; ++b) {
        const uint64_t at = top.read_address_o + 4 * i + b - source_at;
        word |= uint32_t{at < source.size() ? source[at] : uint8_t{0}} << 8 * b;
      }
      top.read_data_i[i] = word;
    }
    top.eval();
    if (top.read_o && !in_piece) {
      in_piece = true;
      piece_began = result.cycles;
    }
    if (top.write_o) {
      result.writes.push_back({top.write_address_o & ~uint64_t{15}, top.write_strobe_o});
      for (unsigned i = 0; i < 16; ++i) {
        if (!(top.write_strobe_o >> i & 1)) continue;
        const uint64_t at = (top.write_address_o & ~uint64_t{15}) + i - target_at;
        if (at < result.written.size()) {
          result.written[at] = byte_of(top.write_data_o, i);
        } else {
          result.outside = true;
        }
      }
    }
    if (top.piece_done_o) {
      result.pieces.push_back(static_cast<unsigned>(result.cycles - piece_began));
      in_piece = false;
    }
    m_dut->tick();
  }
  return result;
}

}  // namespace presil::testbench
