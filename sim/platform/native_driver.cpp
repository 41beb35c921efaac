#include "sim/platform/native_driver.h"

namespace presil::platform {

NativeDriver::NativeDriver(Soc& soc, const SocConfig& config, unsigned tile)
    : m_own(soc, config, tile), m_device(m_own.get()) {}

presil_status NativeDriver::load(const std::vector<uint8_t>& file, const NativeDriver* same) {
  m_network_storage.resize(presil_network_bytes() / sizeof(std::max_align_t) + 1);
  const size_t bytes = m_network_storage.size() * sizeof(std::max_align_t);
  if (same != nullptr) {
    return presil_network_load_shared(m_device, same->m_network, file.data(), file.size(),
                                      m_network_storage.data(), bytes, &m_network);
  }
  return presil_network_load(m_device, file.data(), file.size(), m_network_storage.data(), bytes,
                             &m_network);
}

void NativeDriver::unload() {
  if (m_network != nullptr) presil_network_unload(m_network);
  m_network = nullptr;
}

JobDriver::Edge NativeDriver::input(unsigned index) {
  presil_tensor_info info{};
  presil_network_input_info(m_network, index, &info);
  return {static_cast<uint8_t*>(presil_network_input(m_network, index)), info.bytes};
}

JobDriver::Edge NativeDriver::output(unsigned index) {
  presil_tensor_info info{};
  presil_network_output_info(m_network, index, &info);
  const void* data = presil_network_output(m_network, index);
  return {static_cast<uint8_t*>(const_cast<void*>(data)), info.bytes};
}

uint64_t NativeDriver::region_address(unsigned region) const {
  return presil_network_region_address(m_network, region);
}

presil_status NativeDriver::run(uint64_t timeout_ns) {
  const presil_status status = presil_job_submit(m_network, &m_job);
  return status == PRESIL_OK ? presil_job_wait(m_network, m_job, timeout_ns) : status;
}

presil_status NativeDriver::set_in_flight(unsigned jobs) {
  const presil_status status = presil_network_set_in_flight(m_network, jobs);
  return status == PRESIL_OK && jobs > 2 ? presil_device_set_depth(m_device, jobs) : status;
}

presil_status NativeDriver::start(uint32_t& job) {
  const presil_status status = presil_job_submit(m_network, &job);
  m_job = job;
  return status;
}

presil_status NativeDriver::wait(uint32_t job, uint64_t timeout_ns) {
  m_job = job;
  return presil_job_wait(m_network, job, timeout_ns);
}

JobDriver::Edge NativeDriver::output(unsigned index, uint32_t job) {
  presil_tensor_info info{};
  presil_network_output_info(m_network, index, &info);
  const void* data = presil_job_output(m_network, job, index);
  return {static_cast<uint8_t*>(const_cast<void*>(data)), info.bytes};
}

std::string NativeDriver::cancel() {
  return presil_job_cancel(m_network, m_job) == PRESIL_CANCELLED ? "" : error();
}

std::unique_ptr<JobDriver> native_driver(Soc& soc, const SocConfig& config) {
  return std::make_unique<NativeDriver>(soc, config);
}

}  // namespace presil::platform
