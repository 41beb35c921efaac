// The pins of the Verilated DMA (rtl/dma/dma.sv) as plain values, and its SRAM as bytes. What
// Verilator makes is hidden here.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "models/common/attribution.h"
#include "sim/rtl/lite_access.h"
#include "sim/rtl/read_channels.h"
#include "sim/rtl/waveform.h"

namespace presil::rtl {

/// An address of AXI4, id = channel.
struct AddressPins {
  bool valid = false;
  uint8_t id = 0;
  uint64_t address = 0;  ///< of the first byte requested
  unsigned beats = 0;
  unsigned bytes = 0;  ///< requested; fetches: all
};

struct DmaPins {
  static constexpr unsigned kChannels = 4, kWaits = 2 * kChannels;
  struct In {
    LitePins cfg;
    const ReadChannels::Beat* fetch =
        nullptr;  ///< R of fetches and of data: nullptr where none is valid
    const ReadChannels::Beat* read = nullptr;
    bool aw_ready = false, w_ready = false;
    bool b_valid = false, b_error = false;
    uint8_t b_id = 0;
    uint32_t met = 0;                         ///< bit of a wait port
    std::array<uint8_t, kWaits> signaller{};  ///< enum presil_engine_kind
    uint32_t barrier_met = 0;                 ///< bit of a channel
  } in;
  struct Out {
    bool irq = false;
    AddressPins fetch, read, write;
    bool read_ready = false;
    bool w_valid = false, w_last = false;
    uint16_t w_strobes = 0;
    const uint8_t* w_bytes = nullptr;  ///< 16
    uint32_t wait = 0;
    std::array<uint8_t, kWaits> wait_id{};
    std::array<uint32_t, kWaits> wait_value{};
    uint32_t signal = 0;  ///< bit of a channel, as those below
    std::array<uint8_t, kChannels> signal_id{};
    std::array<uint16_t, kChannels> signal_add{};
    uint32_t barrier = 0;
    std::array<uint8_t, kChannels> barrier_first{}, barrier_count{};
    std::array<uint32_t, kChannels> barrier_value{};
    uint32_t done = 0;  ///< a command ends in this cycle
    std::array<uint32_t, kChannels> done_index{}, done_tag{};
  } out;
};

/// What goes on inside, of the present cycle: for records, not for values. Bits are channels.
struct DmaProbe {
  uint32_t offered = 0;  ///< a command is there
  uint32_t taken = 0;    ///< it begins
  uint32_t reset = 0;    ///< an abort or an error drops what is in flight
};

/// Part of a word of 16 bytes is written to the SRAM.
using SramStrobesObserver =
    std::function<void(unsigned channel, uint32_t address, const uint8_t* bytes, uint16_t strobes)>;

class DmaTop {
 public:
  virtual ~DmaTop() = default;
  DmaPins pins;
  SramStrobesObserver on_write;

  /// pins.in to the block, combinational settling, the block to pins.out.
  virtual void settle() = 0;
  virtual DmaProbe probe() const = 0;
  /// Of the command on offer.
  virtual uint32_t offer_index(unsigned channel) const = 0;
  /// Causes of the present cycle, four bits a channel: as they are, or as they were.
  virtual uint32_t causes() const = 0;
  static Cause cause_in(uint32_t causes, unsigned channel);
  static constexpr unsigned kCauseBits = 6;
  virtual RegisterAccess register_access() const = 0;
  /// enum presil_queue_state
  virtual uint8_t queue_state(unsigned channel) const = 0;
  /// Nothing happens in it until an event outside: queues are idle or wait.
  virtual bool rests() const = 0;
  /// The word that is written in this cycle goes to the SRAM now, not with the edge: at the
  /// end of a command, heard in its cycle, the SRAM holds what it has written.
  virtual void write_word() = 0;
  /// The rising edge. @return whether the block used its SRAM
  virtual bool edge() = 0;
  /// An assertion of the RTL has failed; it said so on standard output.
  virtual bool failed() const = 0;
  /// Of all its signals; nullptr in a build without waveforms.
  virtual std::unique_ptr<Waveform> waveform(const std::string& file) = 0;
};

/// In reset, then out of it, all inputs 0.
/// @param seed of the state that reset does not set
std::unique_ptr<DmaTop> make_dma_top(uint8_t* sram, uint32_t sram_bytes, uint32_t seed);

}  // namespace presil::rtl
