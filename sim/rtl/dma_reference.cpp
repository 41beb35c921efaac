#include "sim/rtl/dma_reference.h"

#include <algorithm>
#include <utility>

#include "models/dma/dma_check.h"
#include "sim/rtl/lockstep_text.h"

namespace presil::rtl {
namespace {

constexpr unsigned kWordBytes = 16;

/// Writes of a copy from system to system are cut like those of a store.
dma::Command as_store(dma::Command command) {
  command.src_space = dma::Space::kSram;
  return command;
}

}  // namespace

DmaReference::DmaReference(const SocConfig& config, BytePort& sram, BytePort& system,
                           std::function<void(const Divergence&)> report)
    : m_config(config), m_sram(sram), m_system(system), m_report(std::move(report)) {}

Divergence DmaReference::at(const Flight* flight, const char* stage, Cycle cycle) const {
  Divergence d;
  d.block = "dma";
  d.stage = stage;
  d.rtl_cycle = cycle;
  if (flight == nullptr) return d;
  flight->fetched.name(d);
  d.tag = flight->command.tag;
  return d;
}

dma::Side DmaReference::absolute(const Flight& flight, bool source) const {
  const dma::Command& c = flight.command;
  const JobEntry& job = flight.fetched.job;
  const bool sram = (source ? c.src_space : c.dst_space) == dma::Space::kSram;
  const uint64_t base =
      sram ? job.sram_base : job.region_base[source ? c.src_region : c.dst_region];
  return source ? dma::source_of(c, base + c.src_base) : dma::destination_of(c, base + c.dst_base);
}

void DmaReference::offered(uint8_t channel, const std::optional<FetchedCommand>& command,
                           Cycle cycle) {
  m_channels[channel].offer = command;
  if (command) return;
  Divergence d = at(nullptr, "offer", cycle);
  d.model = "no such command has been fetched";
  d.rtl = "channel " + std::to_string(channel) + " is offered one";
  m_report(d);
}

void DmaReference::begun(uint8_t channel, Cycle cycle) {
  Channel& c = m_channels[channel];
  if (!c.offer) return;
  Flight flight;
  flight.fetched = std::move(*c.offer);
  c.offer.reset();
  const uint32_t* words = flight.fetched.words.data();
  flight.command = dma::Command::decode(words);
  if (dma::check(words, {flight.fetched.job, 0}, m_config.sram.bytes)) {
    Divergence d = at(&flight, "offer", cycle);
    d.model = "refuses it";
    d.rtl = "begins it";
    m_report(d);
    return;
  }
  const dma::Command& command = flight.command;
  flight.path = dma::path_of(command);
  const dma::Side source = absolute(flight, true), to = absolute(flight, false);
  const unsigned beat = m_config.noc.data_bytes;
  const bool moves = flight.path != dma::Path::kNone;
  flight.sram = command.dst_space == dma::Space::kSram;
  flight.bytes = moves ? to.bytes() : 0;
  if (moves) flight.to.emplace(to);
  if (flight.path == dma::Path::kLoad || flight.path == dma::Path::kMove) {
    flight.reads.emplace(command, source, to, beat);
  }
  if (flight.path == dma::Path::kStore || flight.path == dma::Path::kMove) {
    flight.writes.emplace(as_store(command), source, to, beat);
  }
  BytePort& from = command.src_space == dma::Space::kSram ? m_sram : m_system;
  const bool known = command.op != dma::Op::kCopy || gather(command, source, from, flight.stream);
  c.failed = c.failed || !known;
  c.dropped = false;
  c.flights.push_back(std::move(flight));
}

// -------------------------------------------------------------------------------------- bursts

void DmaReference::compare_burst(Flight* flight, std::optional<dma::PieceWalk>* walk,
                                 const char* stage, uint64_t address, unsigned bytes, Cycle cycle) {
  std::optional<dma::Piece> piece;
  if (walk != nullptr) {
    piece = (*walk)->piece();
    (*walk)->next();
    if (piece->address == address && piece->bytes == bytes) return;
  }
  Divergence d = at(flight, stage, cycle);
  d.address = address;
  d.rtl = burst_text(address, bytes);
  d.model = piece ? burst_text(piece->address, piece->bytes) : "nothing";
  m_report(d);
}

void DmaReference::read_asked(uint8_t channel, uint64_t address, unsigned bytes, Cycle cycle) {
  Flight* last = nullptr;
  for (Flight& flight : m_channels[channel].flights) {
    last = &flight;
    if (flight.reads && !flight.reads->done()) {
      return compare_burst(last, &flight.reads, "read", address, bytes, cycle);
    }
  }
  compare_burst(last, nullptr, "read", address, bytes, cycle);
}

void DmaReference::write_asked(uint8_t channel, uint64_t address, unsigned bytes, Cycle cycle) {
  Flight* last = nullptr;
  for (Flight& flight : m_channels[channel].flights) {
    last = &flight;
    if (flight.writes && !flight.writes->done()) {
      return compare_burst(last, &flight.writes, "write", address, bytes, cycle);
    }
  }
  compare_burst(last, nullptr, "write", address, bytes, cycle);
}

// -------------------------------------------------------------------------------------- values

// A beat holds all that its word takes of the row, a word of the SRAM as much as the stream had.
void DmaReference::written(bool sram, uint8_t channel, uint64_t address, const uint8_t* bytes,
                           uint16_t strobes, Cycle cycle) {
  Channel& c = m_channels[channel];
  const auto open = std::find_if(c.flights.begin(), c.flights.end(),
                                 [](const Flight& f) { return f.written < f.bytes; });
  Flight* flight = open == c.flights.end() ? nullptr : &*open;
  if (flight == nullptr && c.dropped) return;
  const auto differs = [&](const std::string& model, const std::string& where) {
    Divergence d = at(flight, "write", cycle);
    d.address = address;
    d.model = model;
    d.rtl = word_text(bytes, strobes) + where;
    m_report(d);
  };
  if (flight == nullptr || flight->sram != sram) return differs("writes nothing there", "");
  const uint64_t to = flight->to->address(), word = to / kWordBytes * kWordBytes;
  const auto from = static_cast<unsigned>(to - word);
  const unsigned most = std::min(kWordBytes - from, flight->to->in_row());
  const auto count = static_cast<unsigned>(__builtin_popcount(strobes));
  const unsigned taken = sram ? std::clamp(count, 1u, most) : most;
  const unsigned mask = ((1u << taken) - 1) << from;
  uint8_t values[kWordBytes] = {};
  bool same = address == word && strobes == mask;
  for (unsigned i = 0; i < taken; ++i) {
    if (c.failed) break;
    values[from + i] =
        dma::destination_byte(flight->command, flight->stream, flight->written + i, to + i);
    same = same && values[from + i] == bytes[from + i];
  }
  flight->written += taken;
  flight->to->skip(taken);
  if (same || c.failed) return;
  const bool elsewhere = address != word;
  differs(word_text(values, mask) + (elsewhere ? " at " + address_text(word) : ""),
          elsewhere ? " at " + address_text(address) : "");
}

void DmaReference::ended(uint8_t channel, uint32_t index, uint32_t tag, Cycle cycle) {
  Channel& c = m_channels[channel];
  if (c.flights.empty()) return;
  const Flight flight = std::move(c.flights.front());
  c.flights.pop_front();
  Divergence d = at(&flight, "end", cycle);
  if (index != flight.fetched.index || tag != flight.command.tag) {
    d.model = "command " + std::to_string(flight.fetched.index) + " ends";
    d.rtl = "command " + std::to_string(index) + " ends";
    m_report(d);
  } else if (flight.written != flight.bytes) {
    d.model = std::to_string(flight.bytes) + " bytes";
    d.rtl = std::to_string(flight.written) + " bytes";
    m_report(d);
  }
}

void DmaReference::dropped(uint8_t channel) {
  Channel& c = m_channels[channel];
  c.flights.clear();
  c.failed = false;
  c.dropped = true;
}

}  // namespace presil::rtl
