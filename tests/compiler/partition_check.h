// Rewrites and partitions a network, computes the layers and compares every tensor that they make
// with the reference interpreter's run of the network as imported.
#pragma once

#include <gtest/gtest.h>

#include <random>

#include "compiler_bridge/ir/text.h"
#include "compiler_bridge/layer/dla_layer.h"
#include "compiler_bridge/layer/host_layer.h"
#include "compiler_bridge/partition/partition.h"
#include "compiler_bridge/passes/pass.h"
#include "compiler_bridge/reference/reference.h"
#include "tests/compiler/partition_evaluator.h"

namespace presil::partition {

struct Partitioned {
  ir::Graph imported, graph;
  partition::Partition partition;

  /// "name: op" of every layer, in order
  std::vector<std::string> layers() const {
    std::vector<std::string> texts;
    for (const layer::Layer& layer : partition.layers)
      texts.push_back(layer.name + ": " + layer.op);
    return texts;
  }
  const layer::DlaLayer& dla(size_t layer) const {
    return *partition.layers.at(layer).work.as<layer::DlaLayer>();
  }
  const layer::HostLayer& host(size_t layer) const {
    return *partition.layers.at(layer).work.as<layer::HostLayer>();
  }
};

/// What runs elsewhere is the DLA's or the host's.
inline SocConfig without_dsp() {
  SocConfig soc;
  soc.dsp.units = 0;
  return soc;
}

inline Partitioned partitioned(ir::Graph imported) {
  ir::verify(imported);
  Partitioned p{imported, passes::prepare(std::move(imported)), {}};
  p.partition = partition(p.graph, without_dsp(), p.imported);
  ir::verify(p.graph);
  return p;
}

inline ir::Graph parsed(const std::string& text, ir::Numerics numerics) {
  ir::Graph graph = ir::parse(text);
  graph.numerics = numerics;
  return graph;
}

inline std::vector<reference::TensorValue> random_inputs(const ir::Graph& graph, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<reference::TensorValue> inputs;
  for (const ir::TensorId id : graph.inputs) {
    const ir::Tensor& tensor = graph.tensor(id);
    reference::TensorValue value{tensor.dtype, tensor.shape, ir::Bytes(tensor.bytes())};
    for (uint8_t& byte : value.data) byte = static_cast<uint8_t>(random());
    inputs.push_back(std::move(value));
  }
  return inputs;
}

/// @return tensors compared
inline int expect_exact(const Partitioned& p, const std::vector<reference::TensorValue>& inputs) {
  std::vector<ir::Bytes> bytes;
  for (const reference::TensorValue& input : inputs) bytes.push_back(input.data);
  const Values values = evaluate(p.graph, p.partition, bytes);
  const std::vector<reference::TensorValue> expected = reference::run_all(p.imported, inputs);
  int compared = 0;
  for (const auto& [id, got] : values) {
    if (origin(p.imported, id) == ir::kAbsent) continue;
    EXPECT_EQ(got, expected[static_cast<size_t>(id)].data) << p.imported.tensor(id).name;
    ++compared;
  }
  for (const ir::TensorId id : p.imported.outputs) {
    EXPECT_EQ(values.count(id), 1u) << "no layer makes output " << p.imported.tensor(id).name;
  }
  return compared;
}

/// Partitions the text under both rule sets and compares three random inputs of each.
inline Partitioned expect_exact(const std::string& text) {
  Partitioned result;
  for (const ir::Numerics numerics : {ir::Numerics::kXnnpack, ir::Numerics::kTflite}) {
    SCOPED_TRACE(ir::to_string(numerics));
    result = partitioned(parsed(text, numerics));
    for (unsigned seed = 1; seed <= 3; ++seed) {
      expect_exact(result, random_inputs(result.imported, seed));
    }
  }
  return result;
}

}  // namespace presil::partition
