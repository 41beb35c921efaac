// The driver as code of this process, on a tile.
#pragma once

#include "sim/platform/job_driver.h"
#include "sim/platform/own_device.h"

namespace presil::platform {

class NativeDriver : public JobDriver {
 public:
  /// @param config  of the tile
  NativeDriver(Soc& soc, const SocConfig& config, unsigned tile = 0);
  ~NativeDriver() override { unload(); }
  presil_status load(const std::vector<uint8_t>& file) override { return load(file, nullptr); }
  /// @param same  which has loaded this file on another tile, and whose image this one uses
  presil_status load(const std::vector<uint8_t>& file, const NativeDriver* same);
  void unload() override;
  bool loaded() const override { return m_network != nullptr; }
  Edge input(unsigned index) override;
  Edge output(unsigned index) override;
  uint64_t region_address(unsigned region) const override;
  presil_status run(uint64_t timeout_ns) override;
  presil_status set_in_flight(unsigned jobs) override;
  presil_status start(uint32_t& job) override;
  presil_status wait(uint32_t job, uint64_t timeout_ns) override;
  Edge output(unsigned index, uint32_t job) override;
  std::string cancel() override;
  std::string error() const override { return presil_error(m_device)->text; }

 private:
  OwnDevice m_own;
  presil_device* m_device;
  std::vector<std::max_align_t> m_network_storage;
  presil_network* m_network = nullptr;
  uint32_t m_job = 0;
};

}  // namespace presil::platform
