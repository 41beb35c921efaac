#include "sim/platform/served_network.h"

#include <cstring>
#include <fstream>
#include <iterator>

#include "sim/platform/session.h"

namespace presil::platform {

using nlohmann::json;

ServedNetwork::ServedNetwork(presil_device* device, const json& about, SharedTensors& memory)
    : m_device(device),
      m_name(about.at("name")),
      m_priority(about.at("priority")),
      m_preemptible(about.at("preemptible")),
      m_samples(about.at("samples")) {
  const std::string path = about.at("loadable");
  std::ifstream stream(path, std::ios::binary);
  if (!stream) throw Failure(2, "loadable: '" + path + "' cannot be read");
  m_file.assign(std::istreambuf_iterator<char>(stream), {});
  m_storage.resize(presil_network_bytes() / sizeof(std::max_align_t) + 1);
  must(presil_network_load(device, m_file.data(), m_file.size(), m_storage.data(),
                           m_storage.size() * sizeof(std::max_align_t), &m_network));
  must(presil_network_set_sram(m_network, about.at("sram")));
  const auto edges = [&](const char* key, bool inputs) {
    std::vector<Edge> found;
    for (const uint64_t offset : about.at(key).get<std::vector<uint64_t>>()) {
      const auto index = static_cast<uint32_t>(found.size());
      presil_tensor_info info{};
      must(inputs ? presil_network_input_info(m_network, index, &info)
                  : presil_network_output_info(m_network, index, &info));
      found.push_back({memory.at(offset, m_samples * info.bytes), info.bytes});
    }
    return found;
  };
  m_inputs = edges("inputs", true);
  m_expected = edges("expected", false);
}

ServedNetwork::~ServedNetwork() {
  presil_network_unload(m_network);
}

void ServedNetwork::must(presil_status status) const {
  if (status == PRESIL_OK) return;
  const bool refused = status == PRESIL_REFUSED || status == PRESIL_NO_MEMORY;
  throw Failure(refused ? 2 : 3, presil_error(m_device)->text);
}

void ServedNetwork::set_in_flight(unsigned jobs) {
  must(presil_network_set_in_flight(m_network, jobs));
}

void ServedNetwork::set_preemptible(const std::vector<uint32_t>& layers) {
  const bool all = layers.empty();
  const presil_status status = presil_network_set_preemptible(
      m_network, all ? nullptr : layers.data(),
      all ? PRESIL_EVERY_LAYER : static_cast<uint32_t>(layers.size()));
  if (status == PRESIL_REFUSED)
    throw Failure(2, "serve: network '" + m_name + "': " + presil_error(m_device)->text +
                         "; with `hold: jobs` priorities act between jobs");
  must(status);
}

void ServedNetwork::put(unsigned sample) {
  for (uint32_t i = 0; i < m_inputs.size(); ++i) {
    const Edge& from = m_inputs[i];
    std::memcpy(presil_network_input(m_network, i), from.samples + sample * from.bytes, from.bytes);
  }
}

uint64_t ServedNetwork::different(uint32_t job, unsigned sample,
                                  std::vector<std::pair<unsigned, uint64_t>>& first) const {
  uint64_t count = 0;
  for (uint32_t i = 0; i < m_expected.size(); ++i) {
    const Edge& edge = m_expected[i];
    const auto* got = static_cast<const uint8_t*>(presil_job_output(m_network, job, i));
    const uint8_t* expected = edge.samples + sample * edge.bytes;
    for (size_t byte = 0; byte < edge.bytes; ++byte) {
      if (got[byte] == expected[byte]) continue;
      if (count++ == 0) first.emplace_back(i, byte);
    }
  }
  return count;
}

uint64_t ServedNetwork::output_bytes() const {
  uint64_t bytes = 0;
  for (const Edge& edge : m_expected) bytes += edge.bytes;
  return bytes;
}

std::vector<uint32_t> ServedNetwork::borders() const {
  std::vector<uint32_t> layers(presil_network_borders(m_network, nullptr, 0));
  presil_network_borders(m_network, layers.data(), static_cast<uint32_t>(layers.size()));
  return layers;
}

}  // namespace presil::platform
