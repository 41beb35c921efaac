// GDB at one core: breakpoints, watchpoints, steps, and what it asks while the core stands. The
// core's owner calls `at` before each instruction; while GDB has the word, `at` does not return, so
// that nothing in the SoC moves and no cycle passes.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <unordered_set>
#include <vector>

#include "sim/debug/connection.h"
#include "sim/debug/target.h"

namespace presil::debug {

/// GDB has ended the program.
class Killed : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class Debugger {
 public:
  enum class Watches : uint8_t { kWrites, kReads, kAccesses };
  struct Watched {
    Watches what = Watches::kWrites;
    uint64_t address = 0;
    Bytes value;  ///< what it was when GDB last had the word
  };

  /// @param port of this machine, 0: any that is free. @throws Refusal where it is taken
  explicit Debugger(uint16_t port) : m_connection(port) {}
  ~Debugger();

  uint16_t port() const { return m_connection.port(); }
  /// Before an instruction; before the first one it waits until GDB has come. @throws Killed
  void at(Target& target, uint64_t pc) {
    if (m_free) return;
    ++m_instructions;
    if (m_steps || !m_came || m_instructions % kLook == 0 || !m_watched.empty() ||
        m_breakpoints.count(pc) != 0)
      look(target, pc);
  }
  /// The core sleeps and the SoC works, or it runs between places that it knows of: GDB may ask to
  /// look. @throws Killed
  void asleep(Target& target);
  // For a core that asks only where there is something to stop for.
  bool every_instruction() const { return !m_free && (m_steps || !m_came); }
  bool is_free() const { return m_free; }
  const std::unordered_multiset<uint64_t>& breakpoints() const { return m_breakpoints; }
  const std::vector<Watched>& watched() const { return m_watched; }

  /// The program has ended by itself.
  void ended(uint32_t status) { m_status = status; }

 private:
  static constexpr uint64_t kLook = 1024;  ///< instructions between looks for an interrupt

  void look(Target& target, uint64_t pc);
  void stand(Target& target, const std::string& why);
  bool answer(Target& target, const std::string& packet, std::string& reply);
  std::string query(Target& target, const std::string& packet);
  std::string monitor(Target& target, const std::string& hexadecimal);
  std::string read_registers(Target& target) const;
  std::string write_registers(Target& target, const std::string& hexadecimal);
  std::string read_memory(Target& target, const std::string& where);
  std::string write_memory(Target& target, const std::string& packet, bool binary);
  std::string set_point(Target& target, const std::string& packet, bool on);
  std::string set_watch(Target& target, const Watched& watched, bool on);
  bool changed(Target& target, std::string& why);
  bool tell_reads(Target& target);
  void leave();

  Connection m_connection;
  std::unordered_multiset<uint64_t> m_breakpoints;
  std::vector<Watched> m_watched;
  bool m_came = false, m_free = false, m_steps = false;
  uint64_t m_instructions = 0;
  uint32_t m_status = 0;
  std::string m_why;  ///< the last stop
};

}  // namespace presil::debug
