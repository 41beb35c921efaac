// A program of the user's own on the core: it runs from its reset to its end, and what ends it
// before is told in a sentence.
#include <algorithm>

#include "models/base/refusal.h"
#include "sim/debug/debugger.h"
#include "sim/host_cpu/host_cpu.h"

namespace presil::host_cpu {

uint8_t* HostCpu::bytes(uint32_t address, uint32_t count) {
  if (address < kFlashBytes && count <= kFlashBytes - address) return m_flash + address;
  return m_core->at(address, count);
}

void HostCpu::debug(debug::Debugger& debugger) {
  m_debug.reset();
  m_debug = m_core->debug(debugger);
  if (m_debug == nullptr) {
    throw Refusal("gdb",
                  "host " + m_files.kind + " has no debugger; leave --gdb out, or take another");
  }
  m_debugger = &debugger;
}

HostCpu::Ended HostCpu::run_program(uint64_t cycles) {
  m_begin = m_host.now() - static_cast<Cycle>(m_core->cycle());
  const auto failed = [this](const std::string& how) {
    return ProgramFailed("host " + m_files.kind + ": '" + m_files.firmware + "', cycle " +
                         std::to_string(m_core->cycle()) + ": " + how);
  };
  begin_profile();
  while (m_core->cycle() < cycles) {
    update_line();
    const CoreStop stop = m_core->run(std::min(cycles, m_core->cycle() + kQuantum));
    follow(m_core->cycle());
    switch (stop.reason) {
      case CoreStop::Reason::kTime:
        break;
      case CoreStop::Reason::kWait:
        sleep();
        break;
      case CoreStop::Reason::kExit:
        if (stop.status >= CoreStop::kFault && !fault().empty()) throw failed(fault());
        if (m_debugger != nullptr) m_debugger->ended(stop.status);
        if (m_profile) m_profile->profile.end(m_core->cycle());
        return {true, stop.status};
      case CoreStop::Reason::kStuck:
        throw failed(fault() + "; its handler of faults fails too");
      case CoreStop::Reason::kBreakpoint:
        throw failed("it stops at a breakpoint in '" + m_core->function_at(stop.pc) +
                     "', and no debugger is there");
      case CoreStop::Reason::kLater:
        throw Refusal("host", m_files.kind + ": '" + m_files.firmware +
                                  "' serves requests of a simulation, must be a program with an "
                                  "end; `presil firmware` makes one");
    }
  }
  return {};
}

}  // namespace presil::host_cpu
