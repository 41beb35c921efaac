// What the DMA in RTL must read and write: bursts and values of models/dma, from the words that it
// fetched and the bytes of its sources as they were when it began. Every burst and every word that
// the RTL asks for or writes is compared in its cycle: address, bytes, order within its channel.
#pragma once

#include <array>
#include <deque>
#include <functional>
#include <optional>
#include <vector>

#include "models/dma/dma_timing.h"
#include "sim/rtl/divergence.h"
#include "sim/rtl/fetched_commands.h"
#include "sim/rtl/write_bridge.h"

namespace presil::rtl {

class DmaReference {
 public:
  /// @param report called with what differs
  DmaReference(const SocConfig& config, BytePort& sram, BytePort& system,
               std::function<void(const Divergence&)> report);

  void offered(uint8_t channel, const std::optional<FetchedCommand>& command, Cycle cycle);
  void begun(uint8_t channel, Cycle cycle);
  void read_asked(uint8_t channel, uint64_t address, unsigned bytes, Cycle cycle);
  /// A burst of the channel has been answered with an error: its values are not defined.
  void failed(uint8_t channel) { m_channels[channel].failed = true; }
  void write_asked(uint8_t channel, uint64_t address, unsigned bytes, Cycle cycle);
  void written(bool sram, uint8_t channel, uint64_t address, const uint8_t* bytes, uint16_t strobes,
               Cycle cycle);
  void ended(uint8_t channel, uint32_t index, uint32_t tag, Cycle cycle);
  void dropped(uint8_t channel);

 private:
  struct Flight {
    FetchedCommand fetched;
    dma::Command command;
    dma::Path path = dma::Path::kNone;
    std::vector<uint8_t> stream;
    std::optional<dma::PieceWalk> reads, writes;
    std::optional<dma::RowWalk> to;  // the next byte written
    uint64_t written = 0, bytes = 0;
    bool sram = false;
  };
  struct Channel {
    std::optional<FetchedCommand> offer;
    std::deque<Flight> flights;  // begun, oldest first
    bool failed = false;
    bool dropped = false;  // since the last began: a word of it may still be written
  };

  dma::Side absolute(const Flight& flight, bool source) const;
  Divergence at(const Flight* flight, const char* stage, Cycle cycle) const;
  void compare_burst(Flight* flight, std::optional<dma::PieceWalk>* walk, const char* stage,
                     uint64_t address, unsigned bytes, Cycle cycle);

  SocConfig m_config;
  BytePort& m_sram;
  BytePort& m_system;
  std::function<void(const Divergence&)> m_report;
  std::array<Channel, 8> m_channels;
};

}  // namespace presil::rtl
