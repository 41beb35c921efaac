// Operators of which the DSP computes what it can: random shapes in text, compiled and run.
#pragma once

#include <gmock/gmock.h>

#include <random>
#include <string>
#include <vector>

#include "compiler_bridge/ir/text.h"
#include "tests/compiler/compile_check.h"

namespace presil::tests {

using Shape = std::vector<int64_t>;

inline constexpr uint32_t kLarge = 1 << 20, kSmall = 24 << 10, kTiny = 8 << 10;

/// Where a call of the host and the DMA's short rows cost so much that the DSP computes, and moves,
/// whatever it can.
inline SocConfig soc_for_dsp(uint32_t sram_bytes) {
  SocConfig config;
  config.sram.bytes = sram_bytes;
  config.host.cycles_call = 100000000;
  config.dram.read_latency_ps = 5000000;
  return config;
}

class Cases {
 public:
  explicit Cases(uint32_t seed) : m_random(seed) {}

  int pick(int low, int high) { return std::uniform_int_distribution<int>(low, high)(m_random); }
  template <class T>
  T one_of(const std::vector<T>& values) {
    return values[size_t(pick(0, int(values.size()) - 1))];
  }
  /// @param least  axes; four of which the first is not 1 are nothing for the DLA
  Shape shape(int least = 1) {
    Shape s = {one_of<int64_t>({2, 3, 7, 40})};
    int64_t left = 20000 / s[0];
    for (int axes = pick(least - 1, 4); axes > 0; --axes) {
      s.push_back(std::min<int64_t>(one_of<int64_t>({1, 2, 3, 5, 16, 17, 64, 70, 300}), left));
      left = std::max<int64_t>(1, left / s.back());
    }
    return s;
  }
  /// Some axes of extent 1, some in front missing.
  Shape broadcast(Shape s) {
    if (pick(0, 3) == 0) return s;
    for (int64_t& n : s) {
      if (pick(0, 2) == 0) n = 1;
    }
    const auto absent = pick(0, 2) == 0 ? pick(0, int(s.size()) - 1) : 0;
    s.erase(s.begin(), s.begin() + absent);
    return s;
  }
  std::string scale() {
    const double real = std::ldexp(1.0 + pick(0, 99) / 100.0, pick(-7, -4));
    return " q(" + std::to_string(real) + ", " + std::to_string(pick(-128, 127)) + ")";
  }

 private:
  std::mt19937 m_random;
};

/// "[2, 3]"
inline std::string list_of(const Shape& values) {
  std::string text = "[";
  for (size_t i = 0; i < values.size(); ++i) {
    text += (i == 0 ? "" : ", ") + std::to_string(values[i]);
  }
  return text + "]";
}

inline std::string typed(const std::string& dtype, const Shape& shape, const std::string& q = "") {
  std::string list = list_of(shape);
  list.erase(std::remove(list.begin(), list.end(), ' '), list.end());
  return dtype + list + q;
}

inline std::string graph_of(const std::string& lines, const std::string& numerics) {
  return "graph \"g\" " + numerics + " {\n" + lines + "\n  output %y\n}";
}

/// All operators are kernels of the DSP, in tiles if need be.
inline compile::Compiled expect_on_dsp(const std::string& text, uint32_t sram_bytes) {
  SCOPED_TRACE(text + " with SRAM of " + std::to_string(sram_bytes));
  const SocConfig soc = soc_for_dsp(sram_bytes);
  ir::Graph graph = ir::parse(text);
  // As imported: an op's record is that of its images, not of what joins them.
  for (size_t i = 0; i < graph.ops.size(); ++i) graph.ops[i].source_ops = {static_cast<int>(i)};
  const compile::Compiled c = expect_compiled_exact(std::move(graph), soc, 2).compiled;
  for (const placement::Placement& p : c.placements) {
    EXPECT_EQ(p.engine, "dsp") << p.op << ": " << p.reason();
  }
  EXPECT_THAT(c.stream_text, testing::Not(testing::HasSubstr("host 0")));
  return c;
}

}  // namespace presil::tests
