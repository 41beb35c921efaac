// The library's images: what a kernel is in one it is in all.
#include <gtest/gtest.h>

#include <set>

#include "driver/kernels/dsp/params.h"
#include "tests/dsp_kernels/dsp_rig.h"

namespace presil::dsp {
namespace {

constexpr const char* kPrefix = "presil_entry_";

std::multiset<std::string> kernels() {
  std::multiset<std::string> all;
  for (const std::string& file : Rig::library()) {
    for (const Symbol& s : read_elf(file).functions) {
      if (s.name.rfind(kPrefix, 0) == 0) all.insert(s.name.substr(std::string(kPrefix).size()));
    }
  }
  return all;
}

/// Runs a kernel by each image that has it.
template <class Params>
void expect_alike(const std::string& kernel, const std::vector<Operand>& in, const Operand& out,
                  const Params& params) {
  std::vector<Ran> runs;
  for (const std::string& file : Rig::library()) {
    Rig rig({}, {file});
    Ran ran = rig.run(kernel, in, {out}, params);
    if (ran.where == "there is no kernel " + kernel) continue;
    ASSERT_EQ(ran.refused, 0) << kernel << " in " << file << ": " << ran.where;
    runs.push_back(std::move(ran));
  }
  ASSERT_EQ(runs.size(), kernels().count(kernel));
  for (const Ran& ran : runs) {
    EXPECT_EQ(ran.out[0].data, runs[0].out[0].data) << kernel;
    EXPECT_EQ(ran.cycles, runs[0].cycles) << kernel;
  }
}

TEST(DspImages, a_kernel_gives_the_same_bytes_in_the_same_cycles_by_every_image) {
  Random random(1);
  const Operand x{random_bytes(random, {70, 30}), {}}, table{random_bytes(random, {256}), {}};
  EXPECT_EQ(kernels().count("table_i8"), 5u);
  expect_alike("table_i8", {x, table}, x, presil_dsp_table_i8{});
  EXPECT_EQ(kernels().count("softmax_i8"), 4u);
  const Operand exponentials{
      tensor_of(ir::DType::kInt32, {256}, std::vector<int32_t>(256, 1 << 23)), {}};
  expect_alike("softmax_i8", {x, exponentials}, x, presil_dsp_softmax_i8{});
  const Operand turned{random_bytes(random, {30, 70}), {}};
  EXPECT_EQ(kernels().count("transpose"), 9u);
  presil_dsp_transpose order{};
  order.perm[0] = 1;
  expect_alike("transpose", {x}, turned, order);
}

}  // namespace
}  // namespace presil::dsp
