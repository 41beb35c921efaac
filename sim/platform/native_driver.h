// The driver as code of this process, on a tile.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "sim/bridge/model_port.h"
#include "sim/platform/job_driver.h"
#include "sim/platform/own_device.h"
#include "sim/platform/tile.h"

namespace presil::platform {

class NativeDriver : public JobDriver {
 public:
  /// @param config  of the tile
  NativeDriver(Soc& soc, const SocConfig& config, unsigned tile = 0)
      : m_port(soc.tile(tile).model_port()), m_own(soc, config, tile), m_device(m_own.get()) {}
  ~NativeDriver() override { unload(); }
  presil_status load(const std::vector<uint8_t>& file) override { return load(file, nullptr); }
  /// @param same  which has loaded this file on another tile, and whose image this one uses
  presil_status load(const std::vector<uint8_t>& file, const NativeDriver* same) {
    m_network_storage.resize(presil_network_bytes() / sizeof(std::max_align_t) + 1);
    const size_t bytes = m_network_storage.size() * sizeof(std::max_align_t);
    if (same != nullptr) {
      return presil_network_load_shared(m_device, same->m_network, file.data(), file.size(),
                                        m_network_storage.data(), bytes, &m_network);
    }
    return presil_network_load(m_device, file.data(), file.size(), m_network_storage.data(), bytes,
                               &m_network);
  }
  void unload() override {
    if (m_network != nullptr) presil_network_unload(m_network);
    m_network = nullptr;
    m_counting.clear();
    m_counters.clear();
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
    presil_job_options options{};
    options.counters = m_counters.empty() ? nullptr : m_counters.data();
    options.counter_rows = m_rows;
    m_port.begin_inference(edges(presil_network_inputs(m_network), presil_network_input_info));
    presil_status status = presil_job_start(m_network, &options, &m_job);
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
  presil_status set_counting(const std::string& by) override {
    if (by == m_counting) return PRESIL_OK;
    const uint32_t borders = by == "layers" ? PRESIL_EVERY_LAYER : 0;
    m_counters.clear();
    if (const presil_status status = presil_network_set_preemptible(m_network, nullptr, borders);
        status != PRESIL_OK)
      return status;
    m_rows = std::max(1u, presil_network_borders(m_network, nullptr, 0));
    m_counting = by;
    if (!by.empty())
      m_counters.assign(size_t{m_rows} * presil_network_counters(m_network, nullptr, 0), 0);
    return PRESIL_OK;
  }
  nlohmann::json counters() const override {
    if (m_counters.empty()) return nullptr;
    std::vector<presil_counter_name> of(m_counters.size() / m_rows);
    presil_network_counters(m_network, of.data(), static_cast<uint32_t>(of.size()));
    std::vector<uint32_t> layers(m_rows, 0);
    presil_network_borders(m_network, layers.data(), m_rows);
    nlohmann::json names = nlohmann::json::array(), rows = nlohmann::json::array();
    for (const presil_counter_name& name : of)
      names.push_back(std::string(name.block) + "." + name.name);
    for (size_t r = 0; r < m_rows; ++r) {
      const auto first = m_counters.begin() + static_cast<ptrdiff_t>(r * of.size());
      rows.push_back(
          {{"layer", layers[r]},
           {"values", std::vector<uint64_t>(first, first + static_cast<ptrdiff_t>(of.size()))}});
    }
    return {{"names", names}, {"rows", rows}};
  }

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
  std::string m_counting;
  std::vector<uint64_t> m_counters;  ///< of the last job; empty: they are not read
  uint32_t m_rows = 1;
};

}  // namespace presil::platform
