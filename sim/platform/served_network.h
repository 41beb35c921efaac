// A network of several on one SoC: its loadable in the driver, where its samples and the outputs
// that they must give lie, and what its layers took in a job.
#pragma once

#include <presil/presil.h>

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "sim/platform/shared_tensors.h"

namespace presil::platform {

class ServedNetwork {
 public:
  /// @param about one of message `serve`, key `networks`
  /// @throws Failure where the driver refuses it
  ServedNetwork(presil_device* device, const nlohmann::json& about, SharedTensors& memory);
  ~ServedNetwork();
  ServedNetwork(const ServedNetwork&) = delete;
  ServedNetwork& operator=(const ServedNetwork&) = delete;

  const std::string& name() const { return m_name; }
  presil_network* get() const { return m_network; }
  uint8_t priority() const { return m_priority; }
  bool preemptible() const { return m_preemptible; }
  void set_in_flight(unsigned jobs);
  /// At the borders where these layers begin; none given: at all.
  void set_preemptible(const std::vector<uint32_t>& layers = {});

  /// Writes a sample into the inputs of the next job.
  void put(unsigned sample);
  /// Bytes of a job's outputs that are not those of its sample; `first` of them: output and byte.
  uint64_t different(uint32_t job, unsigned sample,
                     std::vector<std::pair<unsigned, uint64_t>>& first) const;
  uint64_t output_bytes() const;

  /// The layers that begin after a border, after the network's first.
  std::vector<uint32_t> borders() const;

 private:
  void must(presil_status status) const;

  presil_device* m_device;
  std::string m_name;
  std::vector<uint8_t> m_file;
  std::vector<std::max_align_t> m_storage;
  presil_network* m_network = nullptr;
  uint8_t m_priority;
  bool m_preemptible;
  unsigned m_samples;
  struct Edge {
    uint8_t* samples;  ///< one after another
    size_t bytes;      ///< of each
  };
  std::vector<Edge> m_inputs, m_expected;
};

}  // namespace presil::platform
