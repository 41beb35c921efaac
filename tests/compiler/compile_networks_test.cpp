// Trained networks through the whole compiler; the loadables run without time, in random orders of
// the queues, and every kept tensor is compared with the reference interpreter's.
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "compiler_bridge/import/post.h"
#include "compiler_bridge/import/tflite.h"
#include "tests/compiler/compile_check.h"

namespace presil::tests {
namespace {

namespace fs = std::filesystem;

struct Network {
  const char* name;
  const char* model;  ///< under models/ of the shared folder, or in the repository
  const char* post = nullptr;
};
const Network kDigits = {"digits", "sim/nets/digits/digits.tflite", "sim/nets/digits/post.yaml"};
const Network kResnet8 = {"resnet8", "mlperf-tiny-resnet8/pretrainedResnet_quant.tflite"};
const Network kResnetLarge = {"resnet_large",
                              "mlperf-tiny-resnet-large/pretrainedResnet_large_int8.tflite"};

struct Case {
  Network network;
  uint32_t sram_kib;
};

void PrintTo(const Case& what, std::ostream* out) {
  *out << what.network.name << " in " << what.sram_kib << " KiB";
}

std::string file(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

fs::path path_of(const Network& network) {
  if (std::string(network.model).rfind("sim/", 0) == 0) return network.model;
  const char* set = std::getenv("PRESIL_SHARED");
  return fs::path(set != nullptr ? set : "../shared") / "models" / network.model;
}

class CompileNetworks : public testing::TestWithParam<std::tuple<Case, ir::Numerics>> {};

TEST_P(CompileNetworks, every_kept_tensor_is_exact) {
  const auto& [what, numerics] = GetParam();
  const fs::path model = path_of(what.network);
  if (!fs::exists(model)) {
    GTEST_SKIP() << "SKIPPED, NOT CHECKED: " << model
                 << " is absent; set PRESIL_SHARED to the folder with models and data";
  }
  const std::string bytes = file(model);
  ir::Graph imported = import::import_tflite({bytes.begin(), bytes.end()}, what.network.name);
  imported.numerics = numerics;
  if (what.network.post != nullptr) import::attach_post(imported, file(what.network.post));
  SocConfig config;
  config.sram.bytes = what.sram_kib << 10;
  const CompileCheck check = expect_compiled_exact(imported, config, 2);
  int dla = 0;
  for (const auto& layer : check.compiled.layers) dla += layer.engine == "dla" ? layer.commands : 0;
  std::printf("%s, %u KiB, %s: %d dla commands, %d tensors compared, compiled in %.3f s\n",
              what.network.name, what.sram_kib, ir::to_string(numerics), dla, check.compared,
              check.seconds);
  EXPECT_LT(check.seconds, 1.0);
}

INSTANTIATE_TEST_SUITE_P(
    Trained, CompileNetworks,
    testing::Combine(testing::Values(Case{kResnet8, 1024}, Case{kResnet8, 32}, Case{kDigits, 1024},
                                     Case{kDigits, 64}, Case{kResnetLarge, 1024},
                                     Case{kResnetLarge, 128}),
                     testing::Values(ir::Numerics::kTflite, ir::Numerics::kXnnpack)),
    [](const auto& claim) {
      const Case& what = std::get<0>(claim.param);
      return std::string(what.network.name) + "_" + std::to_string(what.sram_kib) + "KiB_" +
             ir::to_string(std::get<1>(claim.param));
    });

}  // namespace
}  // namespace presil::tests
