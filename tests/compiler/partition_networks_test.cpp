// Trained networks: every tensor that the layers make equals the reference interpreter's, under
// both rule sets. The detector of digits is the project's own; the others lie in the shared folder
// (PRESIL_SHARED). Inputs are random.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "compiler_bridge/import/post.h"
#include "compiler_bridge/import/tflite.h"
#include "compiler_bridge/ir/count.h"
#include "tests/compiler/partition_check.h"

namespace presil::partition {
namespace {

namespace fs = std::filesystem;

struct Network {
  const char* name;
  const char* model;           ///< under models/ of the shared folder, or in the repository
  size_t dla, host;            ///< layers
  const char* post = nullptr;  ///< in the repository
};

constexpr const char* kOwn = "sim/nets/";

const Network kNetworks[] = {
    {"digits", "sim/nets/digits/digits.tflite", 16, 3, "sim/nets/digits/post.yaml"},
    {"resnet8", "mlperf-tiny-resnet8/pretrainedResnet_quant.tflite", 11, 1},
    {"resnet_large", "mlperf-tiny-resnet-large/pretrainedResnet_large_int8.tflite", 11, 1},
    {"dscnn", "mlperf-tiny-dscnn-kws/kws_ref_model.tflite", 11, 1},
    {"mobilenetv1_vww", "mlperf-tiny-mobilenetv1-vww/vww_96_int8.tflite", 29, 1},
    {"autoencoder", "mlperf-tiny-autoencoder-ad/ad01_int8.tflite", 10, 0},
    {"mobilenet_v2", "mobilenet-v2-int8/tf2_mobilenet_v2_1.0_224_ptq.tflite", 54, 1},
    {"mobilenet_v1_uint8", "mobilenet-v1-0.25-128-uint8/mobilenet_v1_0.25_128_quant.tflite", 29, 1},
    {"yolov8n_224", "yolov8n-int8/yolov8n_full_integer_quant_224.tflite", 88, 1},
};

std::string file(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

fs::path path_of(const Network& network) {
  if (std::string(network.model).rfind(kOwn, 0) == 0) return network.model;
  const char* set = std::getenv("PRESIL_SHARED");
  return fs::path(set != nullptr ? set : "../shared") / "models" / network.model;
}

class Networks : public testing::TestWithParam<std::tuple<Network, ir::Numerics>> {};

TEST_P(Networks, every_tensor_that_a_layer_makes_is_exact) {
  const auto& [network, numerics] = GetParam();
  const fs::path model = path_of(network);
  if (!fs::exists(model)) {
    GTEST_SKIP() << "SKIPPED, NOT CHECKED: " << model
                 << " is absent; set PRESIL_SHARED to the folder with models and data";
  }
  const std::string bytes = file(model);
  ir::Graph imported = import::import_tflite({bytes.begin(), bytes.end()}, network.name);
  imported.numerics = numerics;
  if (network.post != nullptr) import::attach_post(imported, file(network.post));
  const Partitioned p = partitioned(std::move(imported));

  const int compared = expect_exact(p, random_inputs(p.imported, 1));
  size_t dla = 0, host = 0;
  uint64_t macs = 0;
  for (const layer::Layer& layer : p.partition.layers) {
    dla += layer.work.as<layer::DlaLayer>() != nullptr ? 1 : 0;
    host += layer.work.as<layer::HostLayer>() != nullptr ? 1 : 0;
    macs += layer.macs;
  }
  std::printf("%s, %s: %zu ops in %zu layers (%zu dla, %zu host), %d tensors compared\n",
              network.name, ir::to_string(numerics), p.imported.ops.size(),
              p.partition.layers.size(), dla, host, compared);
  EXPECT_EQ(dla, network.dla);
  EXPECT_EQ(host, network.host);
  EXPECT_EQ(macs, static_cast<uint64_t>(ir::macs(p.imported)));
  EXPECT_EQ(p.partition.placements.size(), p.imported.ops.size());
}

INSTANTIATE_TEST_SUITE_P(Trained, Networks,
                         testing::Combine(testing::ValuesIn(kNetworks),
                                          testing::Values(ir::Numerics::kTflite,
                                                          ir::Numerics::kXnnpack)),
                         [](const auto& claim) {
                           return std::string(std::get<0>(claim.param).name) + "_" +
                                  ir::to_string(std::get<1>(claim.param));
                         });

}  // namespace
}  // namespace presil::partition
