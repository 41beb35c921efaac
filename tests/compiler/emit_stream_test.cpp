#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <map>

#include "compiler_bridge/compile/compile.h"
#include "compiler_bridge/emit/stream.h"
#include "rtl/soc/digest.h"
#include "rtl/soc/loadable_generated.h"
#include "rtl/soc/refusal.h"
#include "rtl/soc/seal.h"
#include "tests/compiler/partition_random_network.h"

namespace presil::emit {
namespace {

SocConfig soc() {
  SocConfig config;
  config.sram.bytes = 64 << 10;
  return config;
}

compile::Compiled random_compiled(uint32_t seed, bool strip = false) {
  compile::CompileOptions options;
  options.strip = strip;
  return compile::compile(partition::RandomNetwork(seed).make(), soc(), options);
}

TEST(EmitStream, text_and_words_of_a_loadable_say_the_same) {
  for (uint32_t seed = 0; seed < 30; ++seed) {
    const compile::Compiled compiled = random_compiled(seed);
    const auto* file = loadable::GetLoadable(compiled.loadable.data());
    const auto commands = from_text(compiled.stream_text);
    ASSERT_EQ(commands.size(), file->commands()->size());
    for (const auto* stream : *file->streams()) {
      const auto words = words_of(commands, stream->queue());
      const auto* in_file = file->image()->data() + stream->offset();
      EXPECT_EQ(0, std::memcmp(words.data(), in_file, words.size() * 4)) << "seed " << seed;
    }
  }
}

TEST(EmitStream, text_that_is_no_stream_is_refused_with_its_line) {
  const auto refusal = [](const std::string& text) {
    try {
      from_text(text);
    } catch (const Refusal& r) {
      return std::string(r.what());
    }
    return std::string("accepted");
  };
  EXPECT_THAT(refusal("dla 0: nop\nfoo 0: nop\n"), testing::HasSubstr("line 2"));
  EXPECT_THAT(refusal("dla 1: nop\n"), testing::HasSubstr("index should be 0"));
  EXPECT_THAT(refusal("dla 0: jump\n"), testing::HasSubstr("jump"));
  EXPECT_THAT(refusal("dla 0 nop\n"), testing::HasSubstr("wants 'queue index: command'"));
}

TEST(EmitLoadable, streams_begin_on_bursts_and_every_used_counter_ends_at_job_span) {
  const compile::Compiled compiled = random_compiled(3);
  const auto* file = loadable::GetLoadable(compiled.loadable.data());
  std::map<uint8_t, uint32_t> sum;
  for (const auto& command : from_text(compiled.stream_text)) {
    std::visit([&](const auto& c) { sum[c.signal] += c.signal_add; }, command.word);
  }
  EXPECT_EQ(sum.size(), file->streams()->size());
  for (const auto& [counter, added] : sum) {
    EXPECT_EQ(added, file->job_span());
    EXPECT_LE(counter, file->counters());
  }
  for (const auto* stream : *file->streams()) EXPECT_EQ(stream->offset() % 256, 0u);
}

TEST(EmitLoadable, the_file_is_sealed_and_its_stamp_is_that_of_the_configuration) {
  const compile::Compiled compiled = random_compiled(1);
  const auto* file = loadable::GetLoadable(compiled.loadable.data());
  EXPECT_TRUE(is_sealed(compiled.loadable.data(), compiled.loadable.size()));
  EXPECT_EQ(file->soc_sha256()->str(), soc_sha256(soc()));
  EXPECT_EQ(file->soc_text()->str(), canonical_text(soc()));
}

TEST(EmitLoadable, the_graph_is_there_unless_stripped) {
  const compile::Compiled whole = random_compiled(2), stripped = random_compiled(2, true);
  EXPECT_NE(loadable::GetLoadable(whole.loadable.data())->graph(), nullptr);
  EXPECT_EQ(loadable::GetLoadable(stripped.loadable.data())->graph(), nullptr);
  EXPECT_LT(stripped.loadable.size(), whole.loadable.size());
}

TEST(EmitLoadable, the_same_network_gives_the_same_file) {
  EXPECT_EQ(random_compiled(4).loadable, random_compiled(4).loadable);
}

}  // namespace
}  // namespace presil::emit
