// What the protocol checkers find: rules that were broken, in words, each with its cycle. A test
// expects that there are none; a checker's own test that a broken rule is named.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace presil::testbench {

class Violations {
 public:
  void next_cycle() { ++m_cycle; }
  void add(const std::string& rule) {
    if (m_found.size() < 20) m_found.push_back("cycle " + std::to_string(m_cycle) + ": " + rule);
  }
  void unless(bool holds, const std::string& rule) {
    if (!holds) add(rule);
  }
  const std::vector<std::string>& found() const { return m_found; }
  /// All of them, a line each; empty if there are none.
  std::string text() const {
    std::string lines;
    for (const std::string& line : m_found) lines += line + "\n";
    return lines;
  }

 private:
  int64_t m_cycle = -1;
  std::vector<std::string> m_found;
};

/// One channel of valid and ready: what is offered stays until it is taken, and unchanged.
template <class Payload>
class StreamChecker {
 public:
  StreamChecker(std::string name, Violations& violations)
      : m_name(std::move(name)), m_violations(violations) {}

  /// The signals of one cycle, before its clock edge. `drop`: reset or clear, nothing need stay.
  /// @return whether a word passes
  bool cycle(bool valid, bool ready, const Payload& payload, bool drop = false) {
    if (m_waits && !drop) {
      m_violations.unless(valid, m_name + " withdrew what it offered");
      if (valid) m_violations.unless(payload == m_payload, m_name + " changed what it offered");
    }
    m_waits = valid && !ready && !drop;
    m_payload = payload;
    return valid && ready && !drop;
  }

 private:
  std::string m_name;
  Violations& m_violations;
  bool m_waits = false;
  Payload m_payload{};
};

}  // namespace presil::testbench
