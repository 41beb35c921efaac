// Runs a loadable without time: commands of all queues in any order that their counters allow, the
// values by the models' cores and the driver's kernels. A seed picks the order, so that a missing
// wait shows itself as wrong bytes sooner or later.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "compiler_bridge/ir/graph.h"
#include "compiler_bridge/reference/reference.h"
#include "models/soc/soc_config.h"
#include "rtl/soc/loadable_generated.h"
#include "tests/compiler/dsp_runner.h"

namespace presil::tests {

class StreamRunner {
 public:
  StreamRunner(const std::vector<uint8_t>& loadable, const SocConfig& config);

  /// @param check_kept also compares every kept tensor, right when it is complete
  /// @return empty, or what went wrong first
  std::string run(const ir::Graph& imported, const std::vector<reference::TensorValue>& inputs,
                  const std::vector<reference::TensorValue>& expected, uint32_t seed,
                  bool check_kept);

  int compared_tensors() const { return m_compared; }

 private:
  struct Queue {
    const loadable::Stream* stream = nullptr;
    uint32_t next = 0;
  };

  void reset(uint32_t seed);
  bool met(uint8_t id, int32_t value) const;
  bool ready(const Queue& queue) const;
  std::string execute(Queue& queue);
  std::string execute_dla(const uint32_t* words);
  std::string execute_dma(const uint32_t* words);
  std::string execute_host(const uint32_t* words);
  std::string execute_dsp(const uint32_t* words);
  void signal(uint8_t id, uint16_t add) { m_counters[id] += add; }
  const uint32_t* words(const Queue& queue) const;
  uint8_t* place(const loadable::Tensor& tensor);
  std::vector<uint8_t> dense(const loadable::Tensor& tensor);
  std::string compare(const loadable::Tensor& tensor, const reference::TensorValue& expected);
  std::string compare_completed(uint32_t tag, const std::vector<reference::TensorValue>& expected);

  const loadable::Loadable* m_loadable;
  SocConfig m_config;
  std::vector<Queue> m_queues;
  std::array<uint32_t, 256> m_counters{};
  std::vector<uint8_t> m_sram;
  std::array<std::vector<uint8_t>, 8> m_regions;
  DspRunner m_dsp;
  int m_compared = 0;
};

}  // namespace presil::tests
