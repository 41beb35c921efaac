// The memory protection unit in both forms: v7 (base, size, eight subregions) and v8 (base, limit).
#pragma once

#include <cstdint>
#include <vector>

#include "models/cpu/cpu_config.h"
#include "models/cpu/cpu_memory.h"

namespace presil::cpu {

class Mpu : public Protection {
 public:
  void configure(const Config& config);
  void reset();
  Extent look(uint32_t address, Right right, bool privileged) const override;

  /// Registers from 0xe000ed90 on, by their offset.
  uint32_t load(uint32_t offset) const;
  void store(uint32_t offset, uint32_t value);
  bool enabled() const { return (m_control & 1) != 0; }
  /// MPU_CTRL.HFNMIENA is 0 and the priority is negative: the MPU is off.
  bool bypassed = false;

 private:
  struct Region {
    uint32_t base = 0;   ///< RBAR
    uint32_t limit = 0;  ///< RASR of v7, RLAR of v8
  };
  bool covers(const Region& region, uint32_t address, uint32_t& first, uint32_t& last) const;
  bool permits(const Region& region, Right right, bool privileged) const;
  Region* selected(unsigned alias);

  bool m_v8 = true;
  uint32_t m_control = 0, m_number = 0;
  uint32_t m_attributes[2] = {};
  std::vector<Region> m_regions;
};

}  // namespace presil::cpu
