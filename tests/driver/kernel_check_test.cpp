#include <set>
#include <string>

#include "tests/driver/kernel_task.h"

namespace presil::kernels {
namespace {

using Bytes = std::vector<int8_t>;

template <class A = None>
presil_kernel_refusal refusal(uint32_t kernel, std::vector<presil_kernel_tensor> tensors,
                              const A& attributes = {}) {
  const uint32_t bytes = std::is_same_v<A, None> ? 0 : sizeof attributes;
  presil_kernel_refusal why{"taken", -2, 0, 0};
  presil_kernel_check(kernel, tensors.data(), static_cast<uint32_t>(tensors.size()), &attributes,
                      bytes, &why);
  return why;
}

TEST(KernelTable, names_and_numbers_belong_together) {
  std::set<std::string> names;
  for (uint32_t id = 1; id < PRESIL_KERNELS; ++id) {
    ASSERT_NE(presil_kernel_name(id), nullptr) << id;
    EXPECT_TRUE(names.insert(presil_kernel_name(id)).second);
    EXPECT_EQ(presil_kernel_id(presil_kernel_name(id)), id);
  }
  EXPECT_EQ(presil_kernel_name(0), nullptr);
  EXPECT_EQ(presil_kernel_name(PRESIL_KERNELS), nullptr);
  EXPECT_EQ(presil_kernel_id("copy_"), 0u);
  EXPECT_STREQ(presil_kernel_name(PRESIL_KERNEL_NMS), "nms");
  EXPECT_EQ(presil_kernel_reads(PRESIL_KERNEL_NMS, 5), 2u);
}

TEST(KernelCheck, no_kernel_takes_a_random_task) {
  Bytes x(4);
  for (uint32_t id = 0; id < PRESIL_KERNELS + 2; ++id) {
    for (const uint32_t bytes : {0u, 4u, 1000u}) {
      presil_kernel_refusal why{nullptr, -1, 0, 0};
      std::vector<presil_kernel_tensor> one{tensor(x)};
      const std::vector<uint8_t> junk(1000, 0xff);
      EXPECT_FALSE(presil_kernel_check(id, one.data(), 1, junk.data(), bytes, &why)) << id;
      EXPECT_NE(why.what, nullptr);
    }
  }
}

TEST(KernelCheck, sizes_must_agree) {
  Bytes x(4), y(6);
  const auto why = refusal(PRESIL_KERNEL_COPY, {tensor(x), tensor(y)});
  EXPECT_STREQ(why.what, "number of elements");
  EXPECT_EQ(why.tensor, 1);
  EXPECT_EQ(why.got, 6);
  EXPECT_EQ(why.expected, 4);
}

TEST(KernelCheck, a_shape_that_overflows_is_refused) {
  Bytes x(4);
  auto huge = tensor(x);
  huge.rank = 6;
  for (uint32_t& d : huge.shape) d = 0xffffffffu;
  EXPECT_STREQ(refusal(PRESIL_KERNEL_COPY, {huge, huge}).what, "number of elements");
  EXPECT_EQ(presil_tensor_bytes(&huge), UINT64_MAX);
  huge.rank = 7;
  EXPECT_STREQ(refusal(PRESIL_KERNEL_COPY, {huge, huge}).what, "rank");
}

TEST(KernelCheck, empty_tensors_and_unknown_types_are_refused) {
  Bytes x(4);
  auto t = tensor(x);
  t.shape[0] = 0;
  EXPECT_STREQ(refusal(PRESIL_KERNEL_COPY, {t, t}).what, "number of elements");
  t.shape[0] = 4;
  t.dtype = 9;
  EXPECT_STREQ(refusal(PRESIL_KERNEL_COPY, {t, t}).what, "type");
}

TEST(KernelCheck, attributes_have_their_size_and_ranges) {
  Bytes x(4), y(4);
  EXPECT_STREQ(refusal(PRESIL_KERNEL_SOFTMAX_I8, {tensor(x), tensor(y)}).what,
               "bytes of attributes");
  EXPECT_STREQ(
      refusal(PRESIL_KERNEL_SOFTMAX_I8, {tensor(x), tensor(y)}, presil_softmax_attributes{1, 32, 0})
          .what,
      "left_shift");
  presil_transpose_attributes twice{};
  EXPECT_STREQ(refusal(PRESIL_KERNEL_TRANSPOSE, {tensor(x, {2, 2}), tensor(y, {2, 2})}, twice).what,
               "perm names an axis twice");
  presil_pool_attributes pool{2, 2, 1, 1, 2, 0, -128, 127, 0};
  EXPECT_STREQ(
      refusal(PRESIL_KERNEL_MAX_POOL_I8, {tensor(x, {1, 2, 2, 1}), tensor(y, {1, 2, 2, 1})}, pool)
          .what,
      "pad_top");
}

TEST(KernelCheck, a_window_beyond_the_image_is_refused) {
  Bytes x(4), y(9);
  presil_pool_attributes pool{1, 1, 1, 1, 0, 0, -128, 127, 0};
  EXPECT_STREQ(
      refusal(PRESIL_KERNEL_MAX_POOL_I8, {tensor(x, {1, 2, 2, 1}), tensor(y, {1, 3, 3, 1})}, pool)
          .what,
      "first row of the last window");
}

TEST(KernelCheck, a_slice_stays_inside) {
  Bytes x(4), y(2);
  presil_strided_slice_attributes p{};
  p.begin[0] = 3, p.size[0] = 2, p.step[0] = 1;
  EXPECT_STREQ(refusal(PRESIL_KERNEL_STRIDED_SLICE, {tensor(x), tensor(y)}, p).what,
               "last element");
  p.step[0] = -3;
  EXPECT_STREQ(refusal(PRESIL_KERNEL_STRIDED_SLICE, {tensor(x), tensor(y)}, p).what, "taken");
}

}  // namespace
}  // namespace presil::kernels
