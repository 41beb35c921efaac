// Outputs of trained networks as two independent runtimes computed them: TFLite Micro's reference
// kernels (rules `tflite`) and TensorFlow Lite with the XNNPACK delegate (rules `xnnpack`). Every
// byte must be equal. Some samples by default, all with PRESIL_ALL=1.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "compiler_bridge/import/tflite.h"
#include "compiler_bridge/ir/count.h"
#include "compiler_bridge/reference/reference.h"

namespace presil {
namespace {

namespace fs = std::filesystem;

ir::Bytes file(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return ir::Bytes(std::istreambuf_iterator<char>(in), {});
}

/// Shared models and data; the tests run from the repository root.
fs::path shared() {
  const char* set = std::getenv("PRESIL_SHARED");
  return set != nullptr ? set : "../shared";
}

bool all_samples() {
  const char* set = std::getenv("PRESIL_ALL");
  return set != nullptr && *set != '\0' && *set != '0';
}

struct Network {
  const char* name;     ///< of the test
  const char* model;    ///< under models/
  const char* input;    ///< under the shared folder
  const char* golden;   ///< under models/, runtime appended
  int input_offset;     ///< what is added to the bytes of the input file
  size_t by_default;    ///< samples
  bool xnnpack = true;  ///< there is a golden of that runtime
};

const Network kNetworks[] = {
    {"resnet8", "mlperf-tiny-resnet8/pretrainedResnet_quant.tflite",
     "data/internal-test-only/ic01/images_u8_100x32x32x3.bin", "mlperf-tiny-resnet8/golden/out0",
     -128, 10},
    {"resnet_large", "mlperf-tiny-resnet-large/pretrainedResnet_large_int8.tflite",
     "data/internal-test-only/ic01/images_u8_100x32x32x3.bin",
     "mlperf-tiny-resnet-large/golden/out0", -128, 3},
    {"dscnn", "mlperf-tiny-dscnn-kws/kws_ref_model.tflite", "data/kws01/mfcc_i8_500x49x10.bin",
     "mlperf-tiny-dscnn-kws/golden/out0", 0, 25},
    {"mobilenetv1_vww", "mlperf-tiny-mobilenetv1-vww/vww_96_int8.tflite",
     "data/internal-test-only/vww01/images_u8_80x96x96x3.bin",
     "mlperf-tiny-mobilenetv1-vww/golden/out0", -128, 4},
    {"autoencoder", "mlperf-tiny-autoencoder-ad/ad01_int8.tflite",
     "models/mlperf-tiny-autoencoder-ad/golden/anomaly_id_01_00000003_hist_librosa_in_i8.bin",
     "mlperf-tiny-autoencoder-ad/golden/anomaly_id_01_00000003_hist_librosa_out0", 0, 50},
    {"person_detect", "tflm-person-detect/person_detect.tflite",
     "models/tflm-person-detect/golden/in_i8.bin", "tflm-person-detect/golden/out0", 0, 4, false},
    {"lstm_mnist", "lstm-mnist-int8/trained_lstm_int8.tflite",
     "data/mnist10/images_u8_10x28x28.bin", "lstm-mnist-int8/golden/out0", -128, 10, false},
    {"mobilenet_v2", "mobilenet-v2-int8/tf2_mobilenet_v2_1.0_224_ptq.tflite",
     "models/mobilenet-v2-int8/golden/in_u8.bin", "mobilenet-v2-int8/golden/out0", 0, 1},
    {"yolov8n_224", "yolov8n-int8/yolov8n_full_integer_quant_224.tflite",
     "models/yolov8n-int8/golden_224/in_i8.bin", "yolov8n-int8/golden_224/out0", 0, 1},
};

struct Claim {
  Network network;
  ir::Numerics numerics;

  const char* runtime() const { return numerics == ir::Numerics::kTflite ? "tflm" : "xnnpack"; }
  std::string name() const { return std::string(network.name) + "_" + ir::to_string(numerics); }
  friend void PrintTo(const Claim& claim, std::ostream* out) { *out << claim.name(); }
};

std::vector<Claim> claims() {
  std::vector<Claim> list;
  for (const Network& network : kNetworks) {
    list.push_back({network, ir::Numerics::kTflite});
    if (network.xnnpack) list.push_back({network, ir::Numerics::kXnnpack});
  }
  return list;
}

class Golden : public testing::TestWithParam<Claim> {};

TEST_P(Golden, every_output_byte_equals_the_runtimes) {
  const Network& network = GetParam().network;
  const char* runtime = GetParam().runtime();
  const fs::path model = shared() / "models" / network.model;
  const fs::path golden_file =
      shared() / "models" / (std::string(network.golden) + "_" + runtime + ".bin");
  const fs::path input_file = shared() / network.input;
  for (const fs::path& needed : {model, golden_file, input_file}) {
    if (!fs::exists(needed)) {
      GTEST_SKIP() << "SKIPPED, NOT CHECKED: " << needed
                   << " is absent; set PRESIL_SHARED to the folder with models and data";
    }
  }
  ir::Graph graph = import::import_tflite(file(model), network.name);
  graph.numerics = GetParam().numerics;
  const ir::Bytes inputs = file(input_file);
  const ir::Bytes golden = file(golden_file);
  const ir::Tensor& in = graph.tensor(graph.inputs.at(0));
  const ir::Tensor& out = graph.tensor(graph.outputs.at(0));
  const size_t available = std::min(inputs.size() / in.bytes(), golden.size() / out.bytes());
  ASSERT_GT(available, 0u);
  const size_t samples = all_samples() ? available : std::min(available, network.by_default);

  size_t different = 0;
  int largest = 0;
  const auto start = std::chrono::steady_clock::now();
  for (size_t i = 0; i < samples; ++i) {
    reference::TensorValue x{in.dtype, in.shape, ir::Bytes(in.bytes())};
    std::transform(inputs.begin() + static_cast<std::ptrdiff_t>(i * in.bytes()),
                   inputs.begin() + static_cast<std::ptrdiff_t>((i + 1) * in.bytes()),
                   x.data.begin(),
                   [&](uint8_t byte) { return static_cast<uint8_t>(byte + network.input_offset); });
    const auto y = reference::run(graph, {x}).at(0);
    for (size_t k = 0; k < out.bytes(); ++k) {
      const auto got = static_cast<int8_t>(y.data[k]);
      const auto expected = static_cast<int8_t>(golden[i * out.bytes() + k]);
      different += got != expected ? 1 : 0;
      largest = std::max(largest, std::abs(got - expected));
    }
  }
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  std::printf("%s, %s: %zu of %zu samples, %zu of %zu bytes differ, %.1f MMAC, %.1f ms a sample\n",
              network.name, runtime, samples, available, different, samples * out.bytes(),
              static_cast<double>(ir::macs(graph)) / 1e6,
              1e3 * seconds / static_cast<double>(samples));
  EXPECT_EQ(different, 0u) << "largest difference " << largest;
}

INSTANTIATE_TEST_SUITE_P(Networks, Golden, testing::ValuesIn(claims()),
                         [](const auto& claim) { return claim.param.name(); });

}  // namespace
}  // namespace presil
