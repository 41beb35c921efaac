// Encode and decode are inverse on every bit, for all commands.
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "rtl/common/job_entry.h"
#include "rtl/dla/dla_command.h"
#include "rtl/dma/dma_command.h"
#include "rtl/dsp/dsp_command.h"
#include "rtl/host/host_command.h"

namespace presil {
namespace {

template <class C>
class CommandCodec : public testing::Test {};
using Commands = testing::Types<dla::Command, dma::Command, dsp::Command, host::Command, JobEntry>;
struct CommandName {
  template <class C>
  static std::string GetName(int) {
    return C::format().name;
  }
};
TYPED_TEST_SUITE(CommandCodec, Commands, CommandName);

TYPED_TEST(CommandCodec, random_words_come_back_but_for_reserved_bits) {
  const presil_command_format& format = TypeParam::format();
  std::mt19937 random(1);
  for (int round = 0; round < 1000; ++round) {
    uint32_t words[TypeParam::kWords], again[TypeParam::kWords];
    for (uint32_t& w : words) w = random();
    TypeParam::decode(words).encode(again);
    for (unsigned w = 0; w < TypeParam::kWords; ++w) {
      ASSERT_EQ(again[w], words[w] & ~format.reserved[w]) << format.name << " word " << w;
    }
  }
}

TYPED_TEST(CommandCodec, every_field_has_its_own_bits) {
  const presil_command_format& format = TypeParam::format();
  std::vector<uint32_t> taken(format.reserved, format.reserved + format.word_count);
  for (unsigned i = 0; i < format.field_count; ++i) {
    uint32_t words[TypeParam::kWords] = {};
    presil_field_set(words, &format.fields[i], -1);
    int bits = 0;
    for (unsigned w = 0; w < format.word_count; ++w) {
      EXPECT_EQ(taken[w] & words[w], 0u) << format.fields[i].name;
      taken[w] |= words[w];
      bits += __builtin_popcount(words[w]);
    }
    EXPECT_EQ(bits, format.fields[i].width) << format.fields[i].name;
  }
  for (const uint32_t bits : taken)
    EXPECT_EQ(bits, 0xffffffffu);  // fields and reserved bits are all
}

TYPED_TEST(CommandCodec, members_hold_the_ends_of_their_fields) {
  const presil_command_format& format = TypeParam::format();
  for (unsigned i = 0; i < format.field_count; ++i) {
    const presil_field& f = format.fields[i];
    for (const int64_t value : {f.min, f.max}) {
      TypeParam c;
      c.set(i, value);
      uint32_t words[TypeParam::kWords];
      c.encode(words);
      EXPECT_EQ(presil_field_get(words, &f), value) << f.name;
      EXPECT_EQ(TypeParam::decode(words).get(i), value) << f.name;
    }
  }
}

TYPED_TEST(CommandCodec, entries_do_not_cross_a_burst) {
  EXPECT_GE(TypeParam::kPitch, TypeParam::kBytes);
  EXPECT_EQ(256 % TypeParam::kPitch, 0u);
}

TEST(CommandDefaults, fresh_commands_are_legal_nops) {
  EXPECT_FALSE(dla::Command{}.check());
  EXPECT_FALSE(dma::Command{}.check());
  EXPECT_FALSE(dsp::Command{}.check());
  EXPECT_FALSE(host::Command{}.check());
  EXPECT_FALSE(JobEntry{}.check());
  EXPECT_EQ(dla::Command{}, dla::Command::make(dla::Op::kNop));
}

TEST(CommandDefaults, make_gives_fields_that_are_legal_one_by_one) {
  for (int op = 0; op <= 5; ++op) EXPECT_FALSE(dla::Command::make(dla::Op(op)).check()) << op;
  for (int op = 0; op <= 2; ++op) EXPECT_FALSE(dma::Command::make(dma::Op(op)).check()) << op;
  for (int op = 0; op <= 2; ++op) EXPECT_FALSE(dsp::Command::make(dsp::Op(op)).check()) << op;
  for (int op = 0; op <= 1; ++op) EXPECT_FALSE(host::Command::make(host::Op(op)).check()) << op;
}

}  // namespace
}  // namespace presil
