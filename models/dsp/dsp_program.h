// A program on the DSP: the processor with its tightly coupled memories, what it may touch, its own
// registers, the state in which it begins, and why it ended. Knows cycles from its first
// instruction on, but no timeline: its owner lets it run up to a cycle.
#pragma once

#include <optional>
#include <vector>

#include "models/dsp/dsp_copier.h"
#include "models/dsp/dsp_core.h"
#include "rtl/dsp/dsp_bank.h"
#include "rtl/dsp/dsp_view.h"

namespace presil::dsp {

constexpr uint32_t kStackBytes = 8192;  ///< at the top of the data memory

/// A program's end that is none, as the trap registers show it.
struct Trap {
  TrapCause cause = TrapCause::kNone;
  uint32_t pc = 0, word = 0;
  uint64_t address = 0, vstart = 0, sp = 0, cycle = 0;
  uint32_t code = 0;  ///< kernel_refused: what it returned
  Near near = Near::kNone;
  uint8_t region = 0;
  uint16_t tensor = 0;
  uint32_t distance = 0;
};

/// The program's own DMA channel, as its registers use it.
class OwnChannel {
 public:
  virtual ~OwnChannel() = default;
  virtual bool full() const = 0;
  /// @param cycle of the program. @return the copy's ticket
  virtual uint32_t start(Copy copy, uint64_t cycle) = 0;
  virtual uint32_t started() const = 0;
  virtual uint32_t done() const = 0;
};

class Program : private Device {
 public:
  /// What a command asks for.
  struct Setup {
    uint32_t entry = 0;
    uint64_t args = 0;  ///< SRAM address
    uint32_t args_bytes = 0;
    uint64_t watchdog = 0;
    std::vector<Region> regions;  ///< in the program's view; tensor of each
  };
  enum class State : uint8_t {
    kRunning,  ///< it has come to the limit
    kWaiting,  ///< for a copy
    kEnded,
    kTrapped
  };

  /// @param banks what the SRAM port loses to others; nullptr: nothing
  Program(const SocConfig& config, BytePort& sram, OwnChannel& channel, SramBanks* banks);

  // ---- the image
  /// The instruction memory takes these bytes; those after them are not there.
  void set_image(const std::vector<uint8_t>& bytes);
  void drop_image();
  uint32_t image_bytes() const { return m_image_bytes; }

  // ---- a run
  void begin(const Setup& setup);
  /// Goes on until cycle `limit` or a little after it. @return kTrapped: trap() says why
  State advance(uint64_t limit);
  /// It waited for a copy until `cycle`.
  void waited_until(uint64_t cycle);
  uint64_t cycle() const { return m_core.hart().cycle; }
  /// Where it goes on.
  uint32_t pc() const { return static_cast<uint32_t>(m_pc); }
  const Trap& trap() const { return m_trap; }

  Core& core() { return m_core; }
  const Core& core() const { return m_core; }

 private:
  Answer load(uint64_t address, unsigned bytes, uint64_t cycle, uint64_t& value) override;
  Answer store(uint64_t address, unsigned bytes, uint64_t cycle, uint64_t value) override;
  Answer start_copy(uint64_t cycle);
  bool row(uint64_t address, Right right, Cause cause, uint8_t*& host, bool& dram);
  void trapped(const Stop& stop);
  void find_nearest(uint64_t address);
  uint32_t instruction_at(uint32_t pc) const;

  const uint32_t m_dtcm_bytes;
  BytePort& m_sram;
  OwnChannel& m_channel;
  Core m_core;
  std::vector<uint8_t> m_itcm, m_dtcm;
  uint32_t m_image_bytes = 0;
  Setup m_setup;
  uint64_t m_pc = 0;
  bool m_waits = false;
  Trap m_trap;

  // Own registers.
  uint64_t m_source = 0, m_destination = 0;
  uint32_t m_row_bytes = 0, m_rows = 0;
  int32_t m_source_stride = 0, m_destination_stride = 0;
  struct Refused {
    Cause cause;
    uint64_t address;
  };
  std::optional<Refused> m_refused;  // why a copy has not been started
};

}  // namespace presil::dsp
