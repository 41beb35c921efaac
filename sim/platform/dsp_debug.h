// The programs of the DSP as GDB sees them: one after the other, each from its first instruction.
#pragma once

#include <string>

#include "models/dsp/dsp_engine.h"
#include "models/dsp/dsp_trace.h"
#include "sim/debug/debugger.h"

namespace presil::platform {

class Soc;

class DspDebug : public dsp::ProgramWatch, private dsp::Tracer, private debug::Target {
 public:
  /// @param before is told of programs first
  DspDebug(Soc& soc, debug::Debugger& debugger, dsp::ProgramWatch& before)
      : m_soc(soc), m_debugger(debugger), m_before(before) {}

  void begins(const dsp::ProgramStart& start, dsp::Core& core) override;
  void ends(const dsp::ProgramStart& start, const dsp::Core& core) override;

 private:
  void before(const dsp::Hart& hart, const dsp::Decoded& op, uint64_t cycle) override;
  void stopped(const dsp::Hart&) override {}

  const std::string& description() const override { return m_description; }
  unsigned registers() const override;
  debug::Bytes register_bytes(unsigned number) const override;
  bool set_register(unsigned number, const debug::Bytes& value) override;
  bool read(uint64_t address, uint8_t* to, size_t bytes) override;
  bool write(uint64_t address, const uint8_t* from, size_t bytes) override;
  uint8_t* place(uint64_t address, size_t bytes) const;
  uint64_t pc() const override { return m_pc; }
  bool watch_reads(const std::vector<WatchedReads::Extent>& extents) override;
  bool was_read(uint64_t& address) override;
  std::string status() const override;

  Soc& m_soc;
  debug::Debugger& m_debugger;
  dsp::ProgramWatch& m_before;
  std::string m_description;
  dsp::Core* m_core = nullptr;  ///< of the program that runs
  dsp::ProgramStart m_start;
  std::vector<WatchedReads::Extent> m_reads;  ///< of all programs
  uint64_t m_pc = 0, m_cycle = 0;
};

}  // namespace presil::platform
