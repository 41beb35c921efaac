// Requests of a program to the host that runs it: output and the end of the run.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "models/cpu/cpu_hart.h"

namespace presil::cpu {

class Semihosting {
 public:
  struct Answer {
    uint32_t value = 0;
    bool ends = false;
  };
  Semihosting(Hart& hart, const std::function<void(const std::string&)>& console)
      : m_hart(hart), m_console(console) {}
  /// A request that is not known, or whose memory cannot be read, answers -1.
  Answer serve(uint32_t operation, uint32_t parameter);

 private:
  bool word(uint32_t address, uint32_t& value) const;
  void write(const std::string& text) const {
    if (m_console) m_console(text);
  }
  Answer write_string(uint32_t address) const;
  Answer write_bytes(uint32_t parameter) const;

  Hart& m_hart;
  const std::function<void(const std::string&)>& m_console;
};

}  // namespace presil::cpu
