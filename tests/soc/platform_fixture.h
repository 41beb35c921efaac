// The driver on the simulated SoC, as a program has it, with networks that are compiled here and
// checked against the reference interpreter. Between driver and SoC lies a port that can lose a
// register write.
#pragma once

#include <gtest/gtest.h>
#include <presil/presil.h>

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "compiler_bridge/ir/graph.h"
#include "compiler_bridge/reference/reference.h"
#include "sim/platform/soc.h"

namespace presil::tests {

/// What a network is before and after the compiler.
struct Subject {
  ir::Graph graph;
  std::vector<uint8_t> loadable;
};
/// sim/nets/digits, without and with boxes and suppression after it; for the default SocConfig.
const Subject& digits();
const Subject& digits_with_boxes();
/// A quotient, which the host alone computes, and a convolution of it.
const Subject& host_before_dla();

/// One value per input, any bytes.
std::vector<reference::TensorValue> random_inputs(const ir::Graph& graph, uint32_t seed);

/// The port below it, as it is, but for register writes that get lost on the way.
struct LossyPort {
  explicit LossyPort(const presil_port* below);
  LossyPort(const LossyPort&) = delete;
  LossyPort& operator=(const LossyPort&) = delete;

  const presil_port* real;
  presil_port port{};
  /// Given each register write; true: it is lost.
  std::function<bool(uint64_t address, uint32_t value)> lose;
};

class PlatformTest : public ::testing::Test {
 protected:
  PlatformTest();
  void SetUp() override;
  void TearDown() override;

  void load(const Subject& subject);
  void unload();
  /// Submits and waits.
  presil_status run(uint32_t seed, uint64_t timeout_ns = 0);
  void expect_exact(uint32_t seed) const;
  std::string text() const { return presil_error(device)->text; }
  /// Bytes of a region of the loaded network.
  uint8_t* region(uint32_t number) const;

  const SocConfig config;
  platform::Soc& soc;
  LossyPort port;
  presil_device* device = nullptr;
  presil_network* network = nullptr;
  uint32_t job = 0;

 private:
  const Subject* m_subject = nullptr;
  std::vector<std::max_align_t> m_device_storage, m_network_storage;
};

}  // namespace presil::tests
