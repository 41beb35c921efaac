// Where a core's time goes in a job: a span for each stay in a function or asleep, and sums by
// function. An instruction's cycles are those up to the next one, its waits included.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

namespace presil::host_cpu {

class CoreProfile {
 public:
  struct Function {
    std::string name;
    uint64_t cycles = 0, instructions = 0, entries = 0;
  };
  struct Span {
    uint64_t begin = 0, end = 0;  ///< of the core's cycles
    uint32_t function = 0;        ///< index
  };
  static constexpr size_t kMostSpans = 20000;
  static constexpr uint32_t kAsleep = 0;  ///< the function that is none

  /// @param function_at "name + 0x12" of an address
  explicit CoreProfile(std::function<std::string(uint64_t)> function_at)
      : m_function_at(std::move(function_at)) {}

  /// A job begins; what was before is forgotten.
  void begin(uint64_t cycle);
  /// The instruction at `pc` comes next.
  void at(uint64_t pc, uint64_t cycle) {
    enter(function_of(pc), cycle);
    ++m_functions[m_now].instructions;
  }
  void sleeps(uint64_t from, uint64_t until);
  void end(uint64_t cycle) { close(cycle); }

  const std::vector<Function>& functions() const { return m_functions; }
  const std::vector<Span>& spans() const { return m_spans; }
  uint64_t left_out() const { return m_left_out; }

 private:
  uint32_t function_of(uint64_t pc);
  void enter(uint32_t function, uint64_t cycle);
  void close(uint64_t cycle);

  std::function<std::string(uint64_t)> m_function_at;
  std::vector<Function> m_functions;
  std::unordered_map<std::string, uint32_t> m_by_name;
  std::unordered_map<uint64_t, uint32_t> m_by_pc;
  std::vector<Span> m_spans;
  uint64_t m_since = 0, m_left_out = 0;
  uint32_t m_now = kAsleep;
};

}  // namespace presil::host_cpu
