#include "sim/rtl/outside_reference.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "rtl/common/field.h"
#include "sim/rtl/lockstep_text.h"

namespace presil::rtl {
namespace {

constexpr unsigned kWordBytes = 16;

}  // namespace

OutsideReference::OutsideReference(const EnginePlugin& plugin, const uint64_t* parameters,
                                   const uint8_t* sram, uint32_t sram_bytes,
                                   std::function<void(const Divergence&)> report)
    : QueueReference(plugin.description->name, plugin.description->format()->pitch_bytes,
                     std::move(report)),
      m_plugin(plugin),
      m_parameters(parameters),
      m_sram(sram),
      m_bytes(sram_bytes) {}

Divergence OutsideReference::at(const Flight* flight, const char* stage, Cycle cycle) const {
  return flight == nullptr ? QueueReference::at(nullptr, 0, stage, cycle)
                           : QueueReference::at(&flight->fetched, flight->tag, stage, cycle);
}

std::string OutsideReference::refused(const FetchedCommand& command) const {
  const uint32_t* words = command.words.data();
  const JobEntry& job = command.job;
  presil_violation field{};
  if (presil_command_check(m_plugin.description->format(), words, &field) !=
      PRESIL_QUEUE_ERROR_CODE_NONE) {
    return std::string("field ") + field.field + " of word " + std::to_string(field.word);
  }
  if (m_parameters == nullptr) return "";
  presil_limits limits{};
  limits.sram_bytes = m_bytes - std::min(m_bytes, job.sram_base);
  limits.sync_count = job.sync_count;
  limits.parameters = m_parameters;
  std::copy(std::begin(job.region_limit), std::end(job.region_limit), limits.region_pages);
  presil_finding finding{};
  if (m_plugin.driver->check(words, &limits, &finding)) return "";
  return std::string(finding.what == nullptr ? "a rule" : finding.what) + " is " +
         std::to_string(finding.got) + ", must be " + std::to_string(finding.low) + " .. " +
         std::to_string(finding.high);
}

void OutsideReference::offered(uint32_t index, Cycle cycle) {
  if (!m_flights.empty() && !m_flights.back().started) m_flights.pop_back();  // withdrawn
  auto fetched = take(index, cycle);
  if (!fetched) return;
  Flight flight;
  flight.fetched = std::move(*fetched);
  const presil_command_format& format = *m_plugin.description->format();
  const std::vector<uint32_t>& words = flight.fetched.words;
  flight.tag = static_cast<uint32_t>(
      presil_field_get(words.data(), &format.fields[m_plugin.description->tag]));
  if (const std::string why = refused(flight.fetched); !why.empty()) {
    Divergence d = at(&flight, "offer", cycle);
    d.model = "refused: " + why;
    d.rtl = "taken";
    report(d);
    return;
  }
  m_flights.push_back(std::move(flight));
}

void OutsideReference::started(unsigned place) {
  if (place >= m_flights.size()) return;
  m_flights[place].started = true;
  if (place == 0) compute();
}

void OutsideReference::compute() {
  Flight& flight = m_flights.front();
  if (flight.computed || !flight.started) return;
  flight.computed = true;
  m_results.assign(m_sram, m_sram + m_bytes);
  m_plugin.compute(flight.fetched.words.data(), m_results.data() + flight.fetched.job.sram_base);
  m_changed.clear();
  for (uint32_t at = 0; at < m_bytes; at += kWordBytes) {
    if (std::memcmp(&m_results[at], m_sram + at, kWordBytes) != 0) m_changed.push_back(at);
  }
  m_written.assign(m_bytes / kWordBytes, false);
}

void OutsideReference::written(uint32_t address, const uint8_t* bytes, Cycle cycle) {
  const Flight* flight = m_flights.empty() ? nullptr : &m_flights.front();
  const auto differs = [&](const std::string& model) {
    Divergence d = at(flight, "write", cycle);
    d.address = address;
    d.model = model;
    d.rtl = word_text(bytes);
    report(d);
  };
  if (flight == nullptr || !flight->computed) return differs("writes nothing");
  m_written[address / kWordBytes] = true;
  if (std::memcmp(&m_results[address], bytes, kWordBytes) == 0) return;
  const bool changes = std::binary_search(m_changed.begin(), m_changed.end(), address);
  differs(word_text(&m_results[address]) + (changes ? "" : " (as it was)"));
}

void OutsideReference::ended(uint32_t index, uint32_t tag, Cycle cycle) {
  if (m_flights.empty()) return;
  const Flight flight = std::move(m_flights.front());
  m_flights.pop_front();
  if (ends_another(flight.fetched, flight.tag, index, tag, cycle)) return;
  const auto missing = std::find_if(m_changed.begin(), m_changed.end(),
                                    [this](uint32_t at) { return !m_written[at / kWordBytes]; });
  if (flight.computed && missing != m_changed.end()) {
    Divergence d = at(&flight, "end", cycle);
    d.address = *missing;
    d.model = word_text(&m_results[*missing]) + " at " + address_text(*missing);
    d.rtl = "has not written it";
    report(d);
    return;
  }
  if (!m_flights.empty()) compute();
}

}  // namespace presil::rtl
