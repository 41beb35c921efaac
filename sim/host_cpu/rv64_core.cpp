#include "sim/host_cpu/rv64_core.h"

#include "models/rv64/rv64_elf.h"
#include "sim/host_cpu/core_file.h"

namespace presil::host_cpu {
namespace {

dsp::Device::Answer rv64_answer(Access access) {
  return static_cast<dsp::Device::Answer>(access);
}
static_assert(static_cast<unsigned>(dsp::Device::Answer::kRefused) ==
              static_cast<unsigned>(Access::kRefused));
static_assert(static_cast<unsigned>(dsp::Device::Answer::kLater) ==
              static_cast<unsigned>(Access::kLater));

CoreStop::Reason reason_of(rv64::Reason reason) {
  switch (reason) {
    case rv64::Reason::kTime:
      return CoreStop::Reason::kTime;
    case rv64::Reason::kWait:
      return CoreStop::Reason::kWait;
    case rv64::Reason::kExit:
      return CoreStop::Reason::kExit;
    case rv64::Reason::kLockup:
      return CoreStop::Reason::kStuck;
    default:
      return CoreStop::Reason::kLater;
  }
}

}  // namespace

Rv64Core::Rv64Core(const std::string& core_file, const std::string& firmware)
    : m_firmware(firmware),
      m_program(rv64::read_elf(firmware)),
      m_core(rv64::read_config(core_file)) {}

void Rv64Core::add(const CoreRegion& from) {
  dsp::Region region;
  region.base = from.base;
  region.bytes = from.bytes;
  region.host = from.host;
  region.rights = static_cast<uint8_t>(dsp::kRead | (from.writes ? dsp::kWrite : 0) |
                                       (from.executes ? dsp::kExecute : 0));
  if (from.wait != 0) {
    region.space = dsp::Space::kDram;
    m_core.set_far(from.wait);
  }
  if (from.device != nullptr) {
    m_devices.push_back(std::make_unique<Device>(*from.device));
    region.space = dsp::Space::kDevice;
    region.device = m_devices.back().get();
  }
  m_core.memory().add(region);
}

bool Rv64Core::move(uint32_t base, uint8_t* host) {
  std::vector<dsp::Region> regions = m_core.memory().regions();
  m_core.memory().clear();
  for (dsp::Region& region : regions) {
    if (region.base == base) region.host = host;
    m_core.memory().add(region);
  }
  return true;
}

void Rv64Core::reset() {
  rv64::load(m_program, m_firmware, m_core.memory());
  const bool runs = m_core.memory().at(m_program.entry, 2, dsp::kExecute) != nullptr;
  if (!runs || m_program.entry % 2 != 0) throw no_entry("rv64", m_firmware, m_program.entry);
  m_core.reset(m_program.entry);
}

bool Rv64Core::observe(CoreObserver* observer) {
  m_told = observer == nullptr ? nullptr : std::make_unique<Told>(*observer);
  m_core.set_tracer(m_told.get());
  return true;
}

CoreStop Rv64Core::run(uint64_t cycle) {
  const rv64::Stop& stop = m_core.run_awake(cycle);
  return {reason_of(stop.reason), stop.pc, stop.status};
}

dsp::Device::Answer Rv64Core::Device::load(uint64_t address, unsigned bytes, uint64_t cycle,
                                           uint64_t& value) {
  uint32_t word = 0;
  if (bytes != 4) return Answer::kRefused;
  const Access access = m_device.load(static_cast<uint32_t>(address), cycle, word);
  value = word;
  return rv64_answer(access);
}

dsp::Device::Answer Rv64Core::Device::store(uint64_t address, unsigned bytes, uint64_t cycle,
                                            uint64_t value) {
  if (bytes != 4) return Answer::kRefused;
  return rv64_answer(
      m_device.store(static_cast<uint32_t>(address), cycle, static_cast<uint32_t>(value)));
}

}  // namespace presil::host_cpu
