// The DSP's processor: RV64IMFC Zicsr Zicntr Zba Zbb with Zve64f (or strict Zve32f), machine mode
// only. Executes exactly, and says in which cycle. Knows nothing of SystemC, queues or kernels: its
// owner gives it memory and a pc.
#pragma once

#include <cstdint>
#include <memory>

#include "models/dsp/dsp_blocks.h"
#include "models/dsp/dsp_hart.h"

namespace presil::dsp {

class Core {
 public:
  /// @throws Refusal where a parameter is out of its range
  explicit Core(const Config& config);
  ~Core();
  Core(const Core&) = delete;
  Core& operator=(const Core&) = delete;

  Memory& memory() { return m_hart.memory; }
  /// Registers, for programs that prepare a run and look at its end.
  Hart& hart() { return m_hart; }
  const Hart& hart() const { return m_hart; }
  /// Vector register n, vlenb bytes; registers lie one after the other.
  uint8_t* vector_register(unsigned n) { return m_hart.v + n * m_hart.config.vlenb(); }

  /// All registers 0, vtype = vill, cycle 0; nothing counted. Blocks stay.
  void reset();
  /// Instructions in memory have changed.
  void forget_instructions() { m_blocks.drop(); }

  /// Runs from `pc` until a trap, an ecall, or until `cycle` reaches `limit`. Hart::cycle goes on
  /// from call to call.
  const Stop& run(uint64_t pc, uint64_t limit = ~uint64_t{0});

  /// False: vector instructions take one cycle; scalar ones keep theirs.
  void set_timed(bool timed) { m_hart.timed = timed; }
  /// Where the cycles so far went; their sum is Hart::cycle.
  Stalls stalls() const;

  uint64_t instructions() const { return m_blocks.retired(); }
  /// By pc: how often it was executed, and the cycles that a block's schedule knows; with
  /// `set_profiled` all cycles, beats and elements. The sum over all pcs is then Hart::cycle.
  Profile profile() const;
  /// From here on. Without it, it costs nothing.
  void set_profiled(bool profiled) { m_hart.late = profiled ? &m_late : nullptr; }
  /// The observer of every instruction, from the next run on; nullptr: none.
  void set_tracer(Tracer* tracer) { m_blocks.set_tracer(tracer); }

 private:
  Hart m_hart;
  Blocks m_blocks;
  std::unique_ptr<uint8_t[]> m_vectors;
  std::unordered_map<uint32_t, PcProfile> m_late;
};

}  // namespace presil::dsp
