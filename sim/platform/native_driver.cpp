// The driver as code of this process.
#include "sim/bridge/model_port.h"
#include "sim/platform/job_driver.h"
#include "sim/platform/own_device.h"

namespace presil::platform {
namespace {

class NativeDriver : public JobDriver {
 public:
  NativeDriver(Soc& soc, const SocConfig& config)
      : m_port(soc.model_port()), m_own(soc, config), m_device(m_own.get()) {}
  ~NativeDriver() override { unload(); }
  presil_status load(const std::vector<uint8_t>& file) override {
    m_network_storage.resize(presil_network_bytes() / sizeof(std::max_align_t) + 1);
    const size_t bytes = m_network_storage.size() * sizeof(std::max_align_t);
    return presil_network_load(m_device, file.data(), file.size(), m_network_storage.data(), bytes,
                               &m_network);
  }
  void unload() override {
    if (m_network != nullptr) presil_network_unload(m_network);
    m_network = nullptr;
  }
  bool loaded() const override { return m_network != nullptr; }
  Edge input(unsigned index) override {
    presil_tensor_info info{};
    presil_network_input_info(m_network, index, &info);
    return {static_cast<uint8_t*>(presil_network_input(m_network, index)), info.bytes};
  }
  Edge output(unsigned index) override {
    presil_tensor_info info{};
    presil_network_output_info(m_network, index, &info);
    const void* data = presil_network_output(m_network, index);
    return {static_cast<uint8_t*>(const_cast<void*>(data)), info.bytes};
  }
  uint64_t region_address(unsigned region) const override {
    return presil_network_region_address(m_network, region);
  }
  presil_status run(uint64_t timeout_ns) override {
    m_port.begin_inference(edges(presil_network_inputs(m_network), presil_network_input_info));
    presil_status status = presil_job_submit(m_network, &m_job);
    if (status == PRESIL_OK) status = presil_job_wait(m_network, m_job, timeout_ns);
    m_port.end_inference(edges(presil_network_outputs(m_network), presil_network_output_info));
    return status;
  }
  presil_status set_in_flight(unsigned jobs) override {
    const presil_status status = presil_network_set_in_flight(m_network, jobs);
    return status == PRESIL_OK && jobs > 2 ? presil_device_set_depth(m_device, jobs) : status;
  }
  presil_status start(uint32_t& job) override {
    const presil_status status = presil_job_submit(m_network, &job);
    m_job = job;
    return status;
  }
  presil_status wait(uint32_t job, uint64_t timeout_ns) override {
    m_job = job;
    return presil_job_wait(m_network, job, timeout_ns);
  }
  Edge output(unsigned index, uint32_t job) override {
    presil_tensor_info info{};
    presil_network_output_info(m_network, index, &info);
    const void* data = presil_job_output(m_network, job, index);
    return {static_cast<uint8_t*>(const_cast<void*>(data)), info.bytes};
  }
  std::string cancel() override {
    return presil_job_cancel(m_network, m_job) == PRESIL_CANCELLED ? "" : error();
  }
  std::string error() const override { return presil_error(m_device)->text; }

 private:
  /// Bytes of all inputs, or all outputs.
  template <class Info>
  uint64_t edges(uint32_t count, Info info_of) const {
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < count; ++i) {
      presil_tensor_info info{};
      info_of(m_network, i, &info);
      bytes += info.bytes;
    }
    return bytes;
  }

  bridge::ModelPort& m_port;
  OwnDevice m_own;
  presil_device* m_device;
  std::vector<std::max_align_t> m_network_storage;
  presil_network* m_network = nullptr;
  uint32_t m_job = 0;
};

}  // namespace

std::unique_ptr<JobDriver> native_driver(Soc& soc, const SocConfig& config) {
  return std::make_unique<NativeDriver>(soc, config);
}

}  // namespace presil::platform
