// The RTL's command checker against the model's: the same code, rule, word and address for legal
// commands and for commands with one or more things wrong, whatever they are.
#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <map>
#include <random>

#include "models/dla/dla_check.h"
#include "rtl/dla/dla_rules.h"
#include "testbench/dla_check/dla_check_bench.h"
#include "tests/common/shown.h"
#include "tests/dla/dla_oracle.h"

namespace presil::dla {
namespace {

constexpr uint32_t kSramBytes = 1 << 20;
using Words = std::array<uint32_t, Command::kWords>;

// How often each verdict came: (code, rule or word).
using Seen = std::map<std::pair<unsigned, unsigned>, unsigned>;

class CommandDice {
 public:
  CommandDice(uint32_t seed, const DlaConfig& config) : m_random(seed), m_config(config) {}

  unsigned below(unsigned n) { return static_cast<uint32_t>(m_random()) % n; }

  Words legal() {
    Words words;
    test::random_command(m_random, m_config, kSramBytes).encode(words.data());
    return words;
  }

  void mutate(Words& words) {
    switch (below(8)) {
      case 0:
        words[below(Command::kWords)] ^= 1u << below(32);
        return;
      case 1:
        words[below(Command::kWords)] = static_cast<uint32_t>(m_random());
        return;
      case 2: {  // an element-wise or divide field, where many rules are
        set(words, PRESIL_DLA_COMMAND_EW_A_ZERO + below(15));
        return;
      }
      case 3:
        set(words, PRESIL_DLA_COMMAND_OP + below(PRESIL_DLA_COMMAND_TAG));
        return;
      default:
        set(words, below(Command::kFields));
        return;
    }
  }

 private:
  // A value at, just inside or just outside the field's limits, near what it is, or any.
  void set(Words& words, unsigned field) {
    const presil_field& f = Command::format().fields[field];
    const int64_t now = presil_field_get(words.data(), &f);
    const int64_t choices[] = {0,         1,
                               f.min,     f.min - 1,
                               f.min + 1, f.max,
                               f.max + 1, f.max - 1,
                               now + 1,   now - 1,
                               now + 16,  now - 16,
                               now * 2,   static_cast<int64_t>(m_random()),
                               now ^ 8};
    presil_field_set(words.data(), &f, choices[below(15)]);
  }

  std::mt19937 m_random;
  DlaConfig m_config;
};

class DlaCheckRtl : public ::testing::TestWithParam<unsigned> {
 protected:
  DlaCheckRtl() { m_config.macs_k = m_config.macs_c = GetParam(); }

  // Both verdicts are equal; counts them.
  ::testing::AssertionResult agree(const Words& words, uint32_t sram_base, uint8_t sync_count) {
    const bench::Verdict got = m_bench->check(words.data(), sram_base, sync_count);
    const auto fault = check(words.data(), m_config, sram_base, sync_count, kSramBytes);
    const Fault expected = fault.value_or(Fault{});
    ++m_seen[{expected.code, expected.code == PRESIL_QUEUE_ERROR_CODE_RULE_BROKEN ? expected.rule
                                                                                  : expected.word}];
    if (got.code == static_cast<unsigned>(expected.code) && got.rule == expected.rule &&
        got.word == expected.word && got.address == expected.address) {
      return ::testing::AssertionSuccess();
    }
    return ::testing::AssertionFailure()
           << "RTL: code " << got.code << " rule " << got.rule << " word " << got.word
           << " address " << got.address << "; model: code " << expected.code << " rule "
           << int{expected.rule} << " word " << int{expected.word} << " address "
           << expected.address << " (" << expected.text << ")\n"
           << presil::command_to_text(Command::format(), words.data()) << "\nsram_base "
           << sram_base << " sync_count " << int{sync_count};
  }

  DlaConfig m_config;
  std::unique_ptr<bench::CheckBench> m_bench = bench::make_check_bench(GetParam());
  Seen m_seen;
};

TEST_P(DlaCheckRtl, every_verdict_is_the_models) {
  CommandDice dice(3, m_config);
  const unsigned bases = std::getenv("PRESIL_ALL") != nullptr ? 1000000 : 40000;
  for (unsigned i = 0; i < bases; ++i) {
    const Words legal = dice.legal();
    // A base near the end of the SRAM makes some addresses too large.
    const uint32_t far = (kSramBytes - dice.below(1 << 14)) & ~15u;
    ASSERT_TRUE(agree(legal, dice.below(2) ? 0 : far, 255));
    for (unsigned k = 0; k < 12; ++k) {
      Words words = legal;
      for (unsigned m = dice.below(8) == 0 ? 3 : 1; m > 0; --m) dice.mutate(words);
      ASSERT_TRUE(
          agree(words, k == 0 ? far : 0, static_cast<uint8_t>(k == 1 ? dice.below(256) : 255)));
    }
  }
  // Every rule, every address and every reserved bit's word was among them.
  presil::test::Shown shown("dla", {"rtl"});
  for (unsigned rule = 1; rule <= 22; ++rule) {
    if (m_seen.count({PRESIL_QUEUE_ERROR_CODE_RULE_BROKEN, rule}) != 0)
      shown.broken(presil_dla_rules()[rule - 1].name);
    if (rule == 10 && GetParam() == 16) continue;
    EXPECT_GE((m_seen[{PRESIL_QUEUE_ERROR_CODE_RULE_BROKEN, rule}]), 5u) << "R" << rule;
  }
  for (const unsigned word : {7u, 19u, 22u, 23u, 26u, 15u}) {
    EXPECT_GE((m_seen[{PRESIL_QUEUE_ERROR_CODE_ADDRESS_RANGE, word}]), 5u) << "word " << word;
  }
  for (unsigned word = 0; word < Command::kWords; ++word) {
    if (Command::format().reserved[word] == 0) continue;
    EXPECT_GE((m_seen[{PRESIL_QUEUE_ERROR_CODE_RESERVED_BITS, word}]), 5u) << "word " << word;
  }
  for (const auto code : {PRESIL_QUEUE_ERROR_CODE_NONE, PRESIL_QUEUE_ERROR_CODE_BAD_VERSION,
                          PRESIL_QUEUE_ERROR_CODE_BAD_OP, PRESIL_QUEUE_ERROR_CODE_UNSUPPORTED}) {
    EXPECT_GE((m_seen[{code, 0}]), 5u) << code;
  }
  EXPECT_GE((m_seen[{PRESIL_QUEUE_ERROR_CODE_SYNC_LIMIT, 2}]), 5u);
}

TEST_P(DlaCheckRtl, every_field_has_the_same_limits_for_every_operation) {
  for (unsigned op = 0; op < 16; ++op) {
    Words base{};
    Command::make(static_cast<Op>(op)).encode(base.data());
    for (unsigned field = 0; field < Command::kFields; ++field) {
      const presil_field& f = Command::format().fields[field];
      const int64_t low = f.is_signed ? -(int64_t{1} << (f.width - 1)) : 0;
      const int64_t high = low + (int64_t{1} << f.width) - 1;
      for (const int64_t value : {low, high, int64_t{0}, int64_t{1}, f.min - 1, f.min, f.min + 1,
                                  f.max - 1, f.max, f.max + 1, int64_t{16}}) {
        Words words = base;
        presil_field_set(words.data(), &f, value);
        ASSERT_TRUE(agree(words, 0, 255));
      }
      for (int64_t code = 0; f.codes != nullptr && code <= high; ++code) {
        Words words = base;
        presil_field_set(words.data(), &f, code);
        ASSERT_TRUE(agree(words, 0, 255));
      }
    }
  }
}

TEST_P(DlaCheckRtl, every_reserved_bit_is_refused) {
  Words nop;
  Command{}.encode(nop.data());
  ASSERT_EQ(m_bench->check(nop.data(), 0, 255).code, unsigned{PRESIL_QUEUE_ERROR_CODE_NONE});
  for (unsigned word = 0; word < Command::kWords; ++word) {
    for (unsigned bit = 0; bit < 32; ++bit) {
      if (!(Command::format().reserved[word] >> bit & 1u)) continue;
      Words words = nop;
      words[word] |= 1u << bit;
      const bench::Verdict got = m_bench->check(words.data(), 0, 255);
      EXPECT_EQ(got.code, unsigned{PRESIL_QUEUE_ERROR_CODE_RESERVED_BITS});
      EXPECT_EQ(got.word, word);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Arrays, DlaCheckRtl, ::testing::Values(16u, 32u));

}  // namespace
}  // namespace presil::dla
