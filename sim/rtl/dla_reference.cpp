#include "sim/rtl/dla_reference.h"

#include <cstdio>
#include <cstring>
#include <utility>

#include "models/dla/dla_check.h"
#include "models/dla/dla_shape.h"
#include "sim/rtl/lockstep_text.h"

namespace presil::rtl {
namespace {

constexpr unsigned kWordBytes = 16;

std::string sram_text(uint32_t address) {
  char text[16];
  std::snprintf(text, sizeof text, "0x%06x", address);
  return text;
}

}  // namespace

DlaReference::DlaReference(const SocConfig& config, const uint8_t* sram,
                           std::function<void(const Divergence&)> report)
    : QueueReference("dla", dla::Command::kPitch, std::move(report)),
      m_config(config),
      m_sram(sram),
      m_core(config.dla) {}

Divergence DlaReference::at(const Flight* flight, const char* stage, Cycle cycle) const {
  return flight == nullptr
             ? QueueReference::at(nullptr, 0, stage, cycle)
             : QueueReference::at(&flight->fetched, flight->command.tag, stage, cycle);
}

void DlaReference::offered(uint32_t index, Cycle cycle) {
  auto fetched = take(index, cycle);
  if (!fetched) return;
  Flight flight;
  flight.fetched = std::move(*fetched);
  const uint32_t* words = flight.fetched.words.data();
  const JobEntry& job = flight.fetched.job;
  const auto fault =
      dla::check(words, m_config.dla, job.sram_base, job.sync_count, m_config.sram.bytes);
  flight.command = dla::relocated(dla::Command::decode(words), job.sram_base);
  if (fault) {
    Divergence d = at(&flight, "offer", cycle);
    d.model = "refused: " + fault->text;
    d.rtl = "taken";
    report(d);
    return;
  }
  m_flights.push_back(std::move(flight));
}

void DlaReference::started(unsigned place) {
  if (place >= m_flights.size() || m_flights[place].computed) return;
  Flight& flight = m_flights[place];
  flight.computed = true;
  m_core.compute(flight.command, m_sram, flight.results);
  flight.order = order_of(flight.command, m_config.dla.macs_k);
}

// Groups of macs_k channels; within one pixel by pixel, all blocks of the group in one access, the
// words of a block one after another.
std::vector<DlaReference::Word> DlaReference::order_of(const dla::Command& c, unsigned macs_k) {
  std::vector<Word> order;
  if (c.op == dla::Op::kNop) return order;
  const unsigned pixel = dla::output_pixel_bytes(c), words = pixel / kWordBytes;
  const unsigned copies = c.upsample2 ? 2 : 1, group = macs_k / 16;
  size_t access = 0;
  for (unsigned first = 0; first < c.out_blocks; first += group) {
    for (unsigned y = 0; y < c.out_h; ++y) {
      for (unsigned x = 0; x < c.out_w; ++x) {
        for (unsigned i = 0; i < copies * copies * words; ++i, ++access) {
          for (unsigned block = first; block < std::min(first + group, c.out_blocks + 0u);
               ++block) {
            const unsigned row = y * copies + (copies == 2 ? i / 2 : 0);
            const unsigned column = x * copies + (copies == 2 ? i % 2 : 0);
            const unsigned word = copies == 1 ? i : 0;
            const size_t from = ((size_t{block} * c.out_h + y) * c.out_w + x) * pixel;
            order.push_back({c.out_base + block * c.out_cb_pitch + row * c.out_row_pitch +
                                 column * c.out_x_step + word * kWordBytes,
                             from + word * kWordBytes, access});
          }
        }
      }
    }
  }
  return order;
}

void DlaReference::written(uint32_t address, const uint8_t* bytes, Cycle cycle) {
  Flight* flight = m_flights.empty() ? nullptr : &m_flights.front();
  const auto differs = [&](const std::string& model, const std::string& where) {
    Divergence d = at(flight, "write", cycle);
    d.address = address;
    d.model = model;
    d.rtl = word_text(bytes) + where;
    report(d);
  };
  if (flight == nullptr || !flight->computed || flight->next == flight->order.size()) {
    return differs("writes nothing", "");
  }
  // Of the words of an access, any.
  const auto begin = flight->order.begin() + static_cast<ptrdiff_t>(flight->next++);
  for (auto i = begin; i != flight->order.end() && i->access == begin->access; ++i) {
    if (i->address == address) {
      std::swap(*begin, *i);
      break;
    }
  }
  const Word& word = *begin;
  const uint8_t* expected = &flight->results[word.from];
  if (address == word.address && std::memcmp(bytes, expected, kWordBytes) == 0) return;
  const bool elsewhere = address != word.address;
  differs(word_text(expected) + (elsewhere ? " at " + sram_text(word.address) : ""),
          elsewhere ? " at " + sram_text(address) : "");
}

void DlaReference::ended(uint32_t index, uint32_t tag, Cycle cycle) {
  if (m_flights.empty()) return;
  const Flight flight = std::move(m_flights.front());
  m_flights.pop_front();
  if (ends_another(flight.fetched, flight.command.tag, index, tag, cycle)) return;
  if (flight.next == flight.order.size()) return;
  Divergence d = at(&flight, "end", cycle);
  d.model = std::to_string(flight.order.size()) + " words";
  d.rtl = std::to_string(flight.next) + " words";
  report(d);
}

}  // namespace presil::rtl
