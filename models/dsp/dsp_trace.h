// The observer of every instruction that a core executes, and the text that comes of it.
#pragma once

#include <cstdint>
#include <functional>
#include <ostream>
#include <string>
#include <unordered_map>
#include <vector>

#include "models/dsp/dsp_elf.h"
#include "models/dsp/dsp_hart.h"

namespace presil::dsp {

class Tracer {
 public:
  virtual ~Tracer() = default;
  /// `op` is issued in `cycle`, if nothing but its block's schedule has a say; what ran before it
  /// has its results.
  virtual void before(const Hart& hart, const Decoded& op, uint64_t cycle) = 0;
  /// The core has stopped, Hart::stop says why. Stop::pc has been told of, and has not been
  /// executed where the cause is a trap or kLater.
  virtual void stopped(const Hart& hart) = 0;
};

/// A line for each instruction: cycle, pc, function, instruction, address of an access, result, and
/// what it waited for that its block's schedule does not know.
class Listing : public Tracer {
 public:
  /// What is written of a program.
  struct Window {
    uint64_t origin = 0;  ///< added to the program's cycles
    uint64_t first = 0, end = ~uint64_t{0};
  };

  /// @param most lines; those after them are counted
  Listing(std::ostream& out, uint64_t most) : m_out(out), m_most(most) {}
  /// A program begins. @param title a line without its end @param functions by address
  void begin(const std::string& title, std::vector<Symbol> functions, const Window& window);
  void before(const Hart& hart, const Decoded& op, uint64_t cycle) override;
  void stopped(const Hart& hart) override;
  /// Says what has been left out, if anything has.
  void end();
  uint64_t written() const { return m_written; }
  uint64_t left_out() const { return m_left_out; }

 private:
  /// An instruction without its results.
  struct Pending {
    bool any = false;
    uint64_t cycle = 0;
    uint32_t pc = 0;
    const Instruction* row = nullptr;
    uint8_t rd = 0;
    bool vector = false, whole = false;  ///< a group is written; it is so whatever vl is
    uint32_t group = 0, log2 = 0, whole_elements = 0;
    std::string access;
    Stalls stalls{};
  };
  void write(const Hart& hart, const std::string& end);
  std::string result(const Hart& hart) const;
  const std::string& text_at(const Hart& hart, uint32_t pc);

  std::ostream& m_out;
  const uint64_t m_most;
  std::string m_title;
  std::vector<Symbol> m_functions;
  Window m_window;
  Pending m_pending;
  std::unordered_map<uint32_t, std::string> m_texts;
  uint64_t m_written = 0, m_left_out = 0;
};

}  // namespace presil::dsp
