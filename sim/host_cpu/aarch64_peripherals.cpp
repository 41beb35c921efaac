#include "sim/host_cpu/aarch64_peripherals.h"

namespace presil::host_cpu {

Access Distributor::load(uint32_t address, uint64_t, uint32_t& value) {
  if (address == kBase + kEnable) {
    value = m_enabled;
  } else if (address == kBase + kPending) {
    value = m_level ? 1 : 0;
  } else {
    return Access::kRefused;
  }
  return Access::kDone;
}

Access Distributor::store(uint32_t address, uint64_t, uint32_t value) {
  if (address != kBase + kEnable) return Access::kRefused;
  m_enabled |= value;
  return Access::kDone;
}

Access TimerFrame::load(uint32_t address, uint64_t cycle, uint32_t& value) {
  constexpr uint32_t kFired = 4;
  switch (address - kBase) {
    case kCountLow:
      value = static_cast<uint32_t>(cycle);
      return Access::kDone;
    case kCountHigh:
      value = static_cast<uint32_t>(cycle >> 32);
      return Access::kDone;
    case kCompareLow:
      value = static_cast<uint32_t>(m_compare);
      return Access::kDone;
    case kCompareHigh:
      value = static_cast<uint32_t>(m_compare >> 32);
      return Access::kDone;
    case kControl:
      value = m_control | ((m_control & 1) != 0 && cycle >= m_compare ? kFired : 0);
      return Access::kDone;
    default:
      return Access::kRefused;
  }
}

Access TimerFrame::store(uint32_t address, uint64_t, uint32_t value) {
  switch (address - kBase) {
    case kCompareLow:
      m_compare = (m_compare & ~uint64_t{0xffffffff}) | value;
      return Access::kDone;
    case kCompareHigh:
      m_compare = (m_compare & 0xffffffff) | uint64_t{value} << 32;
      return Access::kDone;
    case kControl:
      m_control = value & 3;
      return Access::kDone;
    default:
      return Access::kRefused;
  }
}

}  // namespace presil::host_cpu
