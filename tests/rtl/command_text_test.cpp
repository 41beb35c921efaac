#include <gtest/gtest.h>

#include <random>

#include "rtl/common/job_entry.h"
#include "rtl/dla/dla_command.h"
#include "rtl/dma/dma_command.h"
#include "rtl/dsp/dsp_command.h"
#include "rtl/host/host_command.h"

namespace presil {
namespace {

TEST(CommandText, shows_what_differs_from_a_fresh_command) {
  dla::Command c = dla::Command::make(dla::Op::kConv);
  EXPECT_EQ(c.to_text(), "conv");
  c.rule = dla::Rule::kFloat;
  c.in_base = 0x1000;
  c.kernel_h = 3;
  c.pad_value = -128;
  EXPECT_EQ(c.to_text(), "conv rule=float in_base=0x1000 kernel_h=3 pad_value=-128");
}

TEST(CommandText, is_read_back) {
  std::string error;
  const auto c = dma::Command::from_text(
      "copy  src_space=system src_region=2 src_base=0x100 src_n1=3 src_stride1=-16", &error);
  ASSERT_TRUE(c) << error;
  EXPECT_EQ(c->src_space, dma::Space::kSystem);
  EXPECT_EQ(c->src_n[0], 3);
  EXPECT_EQ(c->src_n[3], 1);  // legal value nearest to 0
  EXPECT_EQ(c->src_stride[0], -16);
}

template <class C>
void words_to_text_and_back(unsigned seed) {
  std::mt19937 random(seed);
  for (int round = 0; round < 300; ++round) {
    uint32_t words[C::kWords], again[C::kWords];
    for (uint32_t& w : words) w = random() & random();
    C::decode(words).encode(words);  // without reserved bits
    std::string error;
    const auto c = C::from_text(C::decode(words).to_text(), &error);
    ASSERT_TRUE(c) << error;
    c->encode(again);
    for (unsigned w = 0; w < C::kWords; ++w) ASSERT_EQ(again[w], words[w]) << "word " << w;
  }
}

TEST(CommandText, says_the_same_as_any_words) {
  words_to_text_and_back<dla::Command>(1);
  words_to_text_and_back<dma::Command>(2);
  words_to_text_and_back<host::Command>(3);
  words_to_text_and_back<JobEntry>(4);
  words_to_text_and_back<dsp::Command>(5);
}

TEST(CommandText, refuses_with_one_sentence) {
  std::string error;
  EXPECT_FALSE(dla::Command::from_text("convolve kernel_h=3", &error));
  EXPECT_EQ(error, "dla_command: operation is 'convolve', which is not one");
  EXPECT_FALSE(dla::Command::from_text("conv kernel=3", &error));
  EXPECT_EQ(error, "dla_command: 'kernel=3' is not field=value");
  EXPECT_FALSE(dla::Command::from_text("conv kernel_h=three", &error));
  EXPECT_EQ(error, "dla_command: 'kernel_h=three' has no value of the field");
  EXPECT_FALSE(dla::Command::from_text("conv kernel_h=64", &error));
  EXPECT_EQ(error, "dla_command: 'kernel_h=64' does not fit the field's 6 bits");
  EXPECT_FALSE(dla::Command::from_text("", &error));
  EXPECT_FALSE(dla::Command::from_text("conv kernel_h=99999999999999999999", &error));
}

}  // namespace
}  // namespace presil
