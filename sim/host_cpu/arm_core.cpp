#include "sim/host_cpu/arm_core.h"

#include <algorithm>

namespace presil::host_cpu {
namespace {

constexpr uint32_t kVectors = 0;
constexpr unsigned kMostWait = 255;  // of a region of the core

cpu::Device::Answer arm_answer(Access access) {
  return static_cast<cpu::Device::Answer>(access);
}
static_assert(static_cast<unsigned>(cpu::Device::Answer::kRefused) ==
              static_cast<unsigned>(Access::kRefused));
static_assert(static_cast<unsigned>(cpu::Device::Answer::kLater) ==
              static_cast<unsigned>(Access::kLater));

CoreStop::Reason reason_of(cpu::Reason reason) {
  switch (reason) {
    case cpu::Reason::kTime:
      return CoreStop::Reason::kTime;
    case cpu::Reason::kWait:
      return CoreStop::Reason::kWait;
    case cpu::Reason::kLater:
      return CoreStop::Reason::kLater;
    case cpu::Reason::kExit:
      return CoreStop::Reason::kExit;
    case cpu::Reason::kLockup:
      return CoreStop::Reason::kStuck;
    default:
      return CoreStop::Reason::kBreakpoint;
  }
}

}  // namespace

ArmCore::ArmCore(const std::string& core_file, const std::string& firmware)
    : m_firmware(firmware), m_image(cpu::read_elf(firmware)), m_core(cpu::read_config(core_file)) {}

void ArmCore::add(const CoreRegion& from) {
  cpu::Region region{};
  region.base = from.base;
  region.bytes = from.bytes;
  region.host = from.host;
  region.rights = static_cast<uint8_t>(cpu::kRead | (from.writes ? cpu::kWrite : 0) |
                                       (from.executes ? cpu::kExecute : 0));
  region.wait_data = static_cast<uint8_t>(std::min(from.wait, kMostWait));
  if (from.device != nullptr) {
    m_devices.push_back(std::make_unique<Device>(*from.device));
    region.device = m_devices.back().get();
  }
  m_core.memory().add(region);
}

void ArmCore::reset() {
  cpu::load(m_image, m_firmware, m_core.memory());
  m_core.reset(kVectors);
}

bool ArmCore::observe(CoreObserver* observer) {
  m_told = observer == nullptr ? nullptr : std::make_unique<Told>(m_core, *observer);
  m_core.set_tracer(m_told.get());
  return true;
}

CoreStop ArmCore::run(uint64_t cycle) {
  const cpu::Stop& stop = m_core.run_awake(cycle);
  return {reason_of(stop.reason), stop.pc, stop.status};
}

cpu::Device::Answer ArmCore::Device::load(uint32_t address, unsigned bytes, uint64_t cycle,
                                          uint32_t& value) {
  return bytes == 4 ? arm_answer(m_device.load(address, cycle, value)) : Answer::kRefused;
}

cpu::Device::Answer ArmCore::Device::store(uint32_t address, unsigned bytes, uint64_t cycle,
                                           uint32_t value) {
  return bytes == 4 ? arm_answer(m_device.store(address, cycle, value)) : Answer::kRefused;
}

}  // namespace presil::host_cpu
