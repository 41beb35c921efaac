// The project's own detector against the goldens beside it, made by tflite-micro (rules `tflite`)
// and ai-edge-litert (rules `xnnpack`): every byte of both heads. Four samples by default, all with
// PRESIL_ALL=1. Then box decoding and suppression after it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "compiler_bridge/import/post.h"
#include "compiler_bridge/import/tflite.h"
#include "compiler_bridge/ir/count.h"
#include "compiler_bridge/reference/reference.h"

namespace presil {
namespace {

namespace fs = std::filesystem;
const fs::path kFolder = "sim/nets/digits";  // tests run from the repository root

ir::Bytes file(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return ir::Bytes(std::istreambuf_iterator<char>(in), {});
}

/// The values of a .npy file: after a header whose length stands in bytes 8 and 9.
ir::Bytes npy(const fs::path& path) {
  const ir::Bytes all = file(path);
  if (all.size() < 10) return {};
  const size_t header = 10 + all[8] + 256u * all[9];
  return ir::Bytes(all.begin() + static_cast<std::ptrdiff_t>(header), all.end());
}

/// The sample scenes as the network takes them, q = byte - 128; PNGs are read by Python's PIL.
std::vector<ir::Bytes> scenes(size_t bytes_each) {
  const std::string command =
      "/usr/bin/python3 -c 'import glob, sys; from PIL import Image; "
      "[sys.stdout.buffer.write(Image.open(f).convert(\"RGB\").tobytes()) for f in "
      "sorted(glob.glob(\"sim/nets/digits/samples/*.png\"))]' 2>/dev/null";
  std::vector<ir::Bytes> images;
  FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return images;
  ir::Bytes image(bytes_each);
  while (std::fread(image.data(), 1, image.size(), pipe) == image.size()) {
    images.push_back(image);
    for (uint8_t& byte : images.back()) byte = static_cast<uint8_t>(byte - 128);
  }
  pclose(pipe);
  return images;
}

size_t count_of(const std::vector<ir::Bytes>& images) {
  const char* all = std::getenv("PRESIL_ALL");
  const bool every = all != nullptr && *all != '\0' && *all != '0';
  return every ? images.size() : std::min<size_t>(images.size(), 4);
}

class Digits : public testing::TestWithParam<ir::Numerics> {
 protected:
  void SetUp() override {
    m_graph = import::import_tflite(file(kFolder / "digits.tflite"), "digits");
    m_graph.numerics = GetParam();
    m_images = scenes(m_graph.tensor(m_graph.inputs.at(0)).bytes());
    if (m_images.empty()) {
      GTEST_SKIP() << "SKIPPED, NOT CHECKED: python3 with PIL did not read the sample scenes";
    }
  }
  reference::TensorValue input(size_t i) const {
    return {ir::DType::kInt8, m_graph.tensor(m_graph.inputs[0]).shape, m_images[i]};
  }

  ir::Graph m_graph;
  std::vector<ir::Bytes> m_images;
};

TEST_P(Digits, every_byte_of_both_heads_equals_the_runtimes) {
  EXPECT_EQ(ir::macs(m_graph), 22913280);
  EXPECT_EQ(ir::parameters(m_graph), 239084);
  ASSERT_EQ(m_graph.outputs.size(), 2u);
  const std::string runtime = ir::to_string(GetParam());
  for (size_t i = 0; i < count_of(m_images); ++i) {
    const auto outputs = reference::run(m_graph, {input(i)});
    for (size_t k = 0; k < 2; ++k) {
      const ir::Bytes golden =
          npy(kFolder / "golden" / ("out" + std::to_string(k) + "_" + runtime + ".npy"));
      const size_t size = outputs[k].data.size();
      ASSERT_GE(golden.size(), (i + 1) * size);
      EXPECT_EQ(std::memcmp(outputs[k].data.data(), golden.data() + i * size, size), 0)
          << "scene " << i << ", output " << k;
    }
  }
}

TEST_P(Digits, detections_follow_the_heads_and_stand_best_first) {
  std::ifstream yaml(kFolder / "post.yaml");
  const std::string text(std::istreambuf_iterator<char>(yaml), {});
  const auto before = reference::run(m_graph, {input(0)});
  const auto classes = import::attach_post(m_graph, text);
  EXPECT_EQ(classes.size(), 10u);
  const auto after = reference::run(m_graph, {input(0)});
  ASSERT_EQ(after.size(), 4u);
  EXPECT_EQ(after[0], before[0]);
  EXPECT_EQ(after[1], before[1]);
  EXPECT_EQ(after[2].shape, (std::vector<int64_t>{32, 6}));
  int32_t count = 0;
  std::memcpy(&count, after[3].data.data(), 4);
  ASSERT_GT(count, 0);
  ASSERT_LE(count, 32);
  std::vector<float> rows(32 * 6);
  std::memcpy(rows.data(), after[2].data.data(), rows.size() * 4);
  for (int i = 0; i < 32; ++i) {
    const float* row = rows.data() + 6 * i;
    if (i >= count) {
      EXPECT_TRUE(std::all_of(row, row + 6, [](float v) { return v == 0.0f; }));
      continue;
    }
    EXPECT_GT(row[4], 0.3f);
    EXPECT_LT(row[0], row[2]);
    EXPECT_LT(row[1], row[3]);
    EXPECT_TRUE(row[5] >= 0 && row[5] <= 9);
    if (i > 0) {
      EXPECT_LE(row[4], row[4 - 6]);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(BothRules, Digits,
                         testing::Values(ir::Numerics::kTflite, ir::Numerics::kXnnpack),
                         [](const auto& info) { return std::string(to_string(info.param)); });

}  // namespace
}  // namespace presil
