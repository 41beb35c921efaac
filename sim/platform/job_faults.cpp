#include "sim/platform/job_faults.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <stdexcept>

#include "rtl/host/host.h"
#include "rtl/soc/engines.h"
#include "rtl/soc/loadable_generated.h"
#include "sim/faults/fault_injector.h"
#include "sim/host_cpu/host_task_tensors.h"
#include "sim/platform/session.h"

namespace presil::platform {
namespace {

using nlohmann::json;

constexpr int kRefused = 2;

std::string hex(uint64_t value) {
  char text[24];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(value));
  return text;
}

}  // namespace

/// Of memory: an SRAM or system address, an offset in a region, or a word of a command.
uint64_t JobFaults::address_of(const json& fault) const {
  if (fault.at("kind") == "corrupt_command") {
    const unsigned queue = fault.at("queue");
    const uint64_t command = fault.at("command"), word = fault.at("word");
    for (const loadable::Stream* stream : *m_loadable.streams()) {
      if (stream->queue() != queue) continue;
      const auto& format = *presil_engine_description_of(presil_kind_of_queue(queue))->format();
      if (command >= stream->commands() || word >= format.word_count) break;
      return m_driver.region_address(PRESIL_REGION_CONSTANTS) + stream->offset() +
             command * format.pitch_bytes + 4 * word;
    }
    throw Failure(kRefused, "fault: queue " + std::to_string(queue) + " has no word " +
                                std::to_string(word) + " of command " + std::to_string(command));
  }
  const auto region = fault.find("region");
  const uint64_t offset = fault.value("address", uint64_t{0});
  if (region == fault.end()) return offset;
  const uint64_t base = m_driver.region_address(region->get<unsigned>());
  if (base == 0)
    throw Failure(kRefused,
                  "fault: the network has no region " + region->dump() + "; name one that it uses");
  return base + offset;
}

void JobFaults::arm(const json& faults) {
  std::vector<faults::Fault> all;
  for (const json& message : faults) {
    try {
      all.push_back(faults::fault_of(message));
    } catch (const std::exception& wrong) {
      throw Failure(kRefused, wrong.what());
    }
    all.back().address = address_of(message);
  }
  uint64_t end = PRESIL_DRAM_BASE;
  const uint64_t bytes[] = {m_loadable.image()->size(), m_loadable.input_bytes(),
                            m_loadable.output_bytes(), m_loadable.scratch_bytes()};
  for (unsigned region = 0; region < 4; ++region) {
    if (const uint64_t base = m_driver.region_address(region); base != 0)
      end = std::max(end, base + bytes[region]);
  }
  m_armed = true;
  m_abort.clear();
  m_soc.faults().arm(all, end - PRESIL_DRAM_BASE);
}

json JobFaults::disarm() {
  json result = json::array();
  if (!m_armed) return result;
  m_armed = false;
  m_soc.faults().disarm();
  for (const faults::Injector::Happened& h : m_soc.faults().happened()) {
    result.push_back({{"kind", faults::name_of(h.fault.kind)},
                      {"times", h.times},
                      {"cycle", h.times == 0 ? json() : json(h.first)}});
  }
  return result;
}

void JobFaults::read(const std::string& what, uint64_t address, uint64_t bytes) {
  if (!m_abort.empty()) return;
  if (const auto bad = m_soc.read_error(address, bytes)) {
    m_abort = "host: " + what + " reads address " + hex(*bad) +
              ", memory has an error there that ECC cannot correct; load the network again";
  }
}

/// A word that goes wrong while a task runs may have been written before.
bool JobFaults::erred_since(Cycle cycle) const {
  const auto& all = m_soc.faults().happened();
  return std::any_of(all.begin(), all.end(), [cycle](const faults::Injector::Happened& h) {
    return h.fault.kind == faults::Kind::kEccDouble && h.times != 0 && h.first >= cycle;
  });
}

void JobFaults::ended(const CommandRecord& record) {
  if (record.queue != PRESIL_QUEUE_HOST) return;
  const uint64_t base = m_driver.region_address(PRESIL_REGION_CONSTANTS);
  const uint8_t* image = m_loadable.image()->data();  // memory may have changed since
  for (const loadable::Stream* stream : *m_loadable.streams()) {
    if (stream->queue() != PRESIL_QUEUE_HOST) continue;
    const uint64_t at = stream->offset() + uint64_t{record.index} * PRESIL_HOST_COMMAND_PITCH;
    uint32_t words[PRESIL_HOST_COMMAND_WORDS];
    std::memcpy(words, image + at, sizeof words);
    const std::string what = "command " + std::to_string(record.index);
    read(what, base + at, sizeof words);
    for (const host_cpu::TaskBytes& b : host_cpu::bytes_of_task(words, image)) {
      const uint64_t first = m_driver.region_address(b.region) + b.offset;
      if (!b.written)
        read(what, first, b.bytes);
      else if (!erred_since(record.start))
        m_soc.written(first, b.bytes);
    }
  }
}

void JobFaults::read_outputs(JobDriver& driver, size_t outputs) {
  for (const faults::Injector::Happened& h : m_soc.faults().happened()) {
    if (h.fault.kind != faults::Kind::kPowerLoss || h.times == 0 || !m_abort.empty()) continue;
    m_abort = "host: output 0 cannot be read, DRAM has lost its bytes in cycle " +
              std::to_string(h.first) + "; open the SoC and load the network again";
  }
  for (unsigned i = 0; i < outputs; ++i) {
    const auto* tensor =
        m_loadable.tensors()->Get(static_cast<unsigned>(m_loadable.outputs()->Get(i)));
    read("output " + std::to_string(i),
         m_driver.region_address(PRESIL_REGION_OUTPUTS) + tensor->offset(), driver.output(i).bytes);
  }
}

}  // namespace presil::platform
