#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <sstream>

#include "compiler_bridge/compile/compile.h"
#include "compiler_bridge/emit/stream.h"
#include "models/base/checksum.h"
#include "models/base/digest.h"
#include "models/base/refusal.h"
#include "rtl/soc/loadable_generated.h"
#include "tests/compiler/partition_random_network.h"

namespace presil::emit {
namespace {

SocConfig soc() {
  SocConfig config;
  config.sram.bytes = 64 << 10;
  return config;
}

std::string text_of(const std::vector<uint8_t>& file) {
  return stream_text(*loadable::GetLoadable(file.data()));
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
  EXPECT_THAT(refusal("npu 0: nop\n"),
              testing::HasSubstr("must be one of dla, dsp, host, dma0, dma1"));
  EXPECT_EQ(
      refusal("dla 1: nop\n"),
      "assemble: line 1: this is command 0 of dla, the text says 1; commands of a queue are in "
      "order from 0");
  EXPECT_THAT(refusal("dla 0: jump\n"), testing::HasSubstr("jump"));
  EXPECT_THAT(refusal("dla 0 nop\n"), testing::HasSubstr("must be 'queue index: command'"));
  EXPECT_EQ(refusal("\n; only a comment\ndma0 0: copy src_n1=0\n"),
            "assemble: line 3, dma0 0: src_n1 is 0, must be 1..65535 (word 10)");
  EXPECT_EQ(refusal("dla 0: nop fence=maybe\n"),
            "assemble: line 1, dla 0: fence is 'maybe', must be 0..1");
}

TEST(EmitStream, a_text_with_other_numbers_of_commands_is_refused_with_both) {
  const compile::Compiled compiled = random_compiled(2);
  try {
    assemble("", compiled.loadable);
    FAIL() << "accepted";
  } catch (const Refusal& r) {
    EXPECT_THAT(r.what(), testing::HasSubstr("queue dla: the text has 0 commands, the loadable"));
    EXPECT_THAT(r.what(), testing::HasSubstr("requires as many: change commands, add none"));
  }
}

TEST(EmitStream, its_own_text_assembles_to_the_same_file) {
  for (uint32_t seed = 0; seed < 30; ++seed) {
    const compile::Compiled compiled = random_compiled(seed);
    EXPECT_EQ(assemble(text_of(compiled.loadable), compiled.loadable), compiled.loadable);
  }
}

TEST(EmitStream, a_line_names_layer_tile_and_source_ops) {
  const compile::Compiled compiled = random_compiled(3);
  const auto* file = loadable::GetLoadable(compiled.loadable.data());
  std::istringstream lines(compiled.stream_text);
  std::string line;
  for (const auto* entry : *file->commands()) {
    ASSERT_TRUE(std::getline(lines, line));
    if (entry->layer() < 0) continue;
    const auto& layer = *file->layers()->Get(static_cast<uint32_t>(entry->layer()));
    std::string expected = "  ; " + layer.name()->str();
    if (entry->tile() != 0) expected += " tile " + std::to_string(entry->tile());
    expected += " [" + std::to_string(layer.source_ops()->Get(0));
    EXPECT_THAT(line, testing::HasSubstr(expected));
  }
}

TEST(EmitStream, a_debug_map_or_stream_that_points_nowhere_is_refused) {
  const auto refusal = [](const std::vector<uint8_t>& file) {
    try {
      text_of(file);
    } catch (const Refusal& r) {
      return std::string(r.what());
    }
    return std::string("accepted");
  };
  const compile::Compiled compiled = random_compiled(3);
  /// A field of a list's last entry that has it, set to something else.
  const auto changed = [&](auto list, flatbuffers::voffset_t field, auto value) {
    std::vector<uint8_t> file = compiled.loadable;
    const auto& entries = *(loadable::GetLoadable(file.data())->*list)();
    for (uint32_t i = entries.size(); i-- > 0;) {
      const auto* entry = reinterpret_cast<const flatbuffers::Table*>(entries.Get(i));
      if (!entry->CheckField(field)) continue;
      const_cast<flatbuffers::Table*>(entry)->SetField(field, value, decltype(value){0});
      return file;
    }
    ADD_FAILURE() << "no entry has the field";
    return file;
  };
  const auto commands = &loadable::Loadable::commands;
  const auto streams = &loadable::Loadable::streams;
  EXPECT_THAT(refusal(changed(commands, loadable::Command::VT_INDEX, uint32_t{1} << 20)),
              testing::HasSubstr("which no stream has; compile the network again"));
  EXPECT_THAT(refusal(changed(streams, loadable::Stream::VT_OFFSET, uint64_t{1} << 40)),
              testing::HasSubstr(", outside the image of "));
  EXPECT_THAT(refusal(changed(streams, loadable::Stream::VT_QUEUE, uint8_t{200})),
              testing::HasSubstr("the stream of queue 200 is of no queue, or there twice"));
}

TEST(EmitLoadable, streams_begin_on_bursts_and_every_used_counter_ends_at_job_span) {
  const compile::Compiled compiled = random_compiled(3);
  const auto* file = loadable::GetLoadable(compiled.loadable.data());
  std::map<uint8_t, uint32_t> sum;
  for (const auto& command : from_text(compiled.stream_text)) {
    const plan::Signal signal = plan::signal_of(command.word);
    sum[signal.counter] += signal.add;
  }
  EXPECT_EQ(sum.size(), file->streams()->size());
  for (const auto& [counter, added] : sum) {
    EXPECT_EQ(added, file->job_span());
    EXPECT_LE(counter, file->counters());
  }
  for (const auto* stream : *file->streams()) EXPECT_EQ(stream->offset() % 256, 0u);
}

TEST(EmitLoadable, the_file_has_its_checksum_and_its_stamp_is_that_of_the_configuration) {
  const compile::Compiled compiled = random_compiled(1);
  const auto* file = loadable::GetLoadable(compiled.loadable.data());
  EXPECT_TRUE(has_checksum(compiled.loadable.data(), compiled.loadable.size()));
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
