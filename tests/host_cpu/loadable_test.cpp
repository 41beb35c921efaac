// A loadable read without FlatBuffers' library: the same answers, also of damaged files. The reader
// under test may take what FlatBuffers refuses only in fields that the driver does not read.
#include "driver/core/loadable.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "tests/driver/loadable_maker.h"

extern "C" {
const char* bare_loadable_read(const void* bytes, size_t size, presil_loadable* loadable);
presil_loadable_stream bare_loadable_get_stream(const presil_loadable*, uint32_t);
presil_loadable_command bare_loadable_get_command(const presil_loadable*, uint32_t);
const char* bare_loadable_get_layer(const presil_loadable*, uint32_t);
int32_t bare_loadable_get_input(const presil_loadable*, uint32_t);
int32_t bare_loadable_get_output(const presil_loadable*, uint32_t);
presil_loadable_tensor bare_loadable_get_tensor(const presil_loadable*, uint32_t);
presil_loadable_dsp_image bare_loadable_get_dsp_image(const presil_loadable*, uint32_t);
presil_loadable_symbol bare_loadable_get_symbol(const presil_loadable*, uint32_t, uint32_t);
}

namespace presil::host_cpu {
namespace {

/// Everything that a reader says of a file, in words.
struct Bare {
  static constexpr auto read = bare_loadable_read;
  static constexpr auto stream = bare_loadable_get_stream;
  static constexpr auto command = bare_loadable_get_command;
  static constexpr auto layer = bare_loadable_get_layer;
  static constexpr auto input = bare_loadable_get_input;
  static constexpr auto output = bare_loadable_get_output;
  static constexpr auto tensor = bare_loadable_get_tensor;
  static constexpr auto dsp_image = bare_loadable_get_dsp_image;
  static constexpr auto symbol = bare_loadable_get_symbol;
};
struct Library {
  static constexpr auto read = presil_loadable_read;
  static constexpr auto stream = presil_loadable_get_stream;
  static constexpr auto command = presil_loadable_get_command;
  static constexpr auto layer = presil_loadable_get_layer;
  static constexpr auto input = presil_loadable_get_input;
  static constexpr auto output = presil_loadable_get_output;
  static constexpr auto tensor = presil_loadable_get_tensor;
  static constexpr auto dsp_image = presil_loadable_get_dsp_image;
  static constexpr auto symbol = presil_loadable_get_symbol;
};

template <class... T>
void say(std::string& out, const T&... values) {
  ((out += std::to_string(values) + " "), ...);
}

template <class Reader>
std::string told(const std::vector<uint64_t>& words, size_t size) {
  const auto* file = reinterpret_cast<const uint8_t*>(words.data());
  presil_loadable l;
  if (const char* wrong = Reader::read(file, size, &l)) return std::string("refused: ") + wrong;
  std::string out =
      std::string(l.network) + "|" + l.numerics + "|" + l.soc_name + "|" + l.soc_sha256;
  say(out, l.isa_version, l.image - file, l.image_bytes, l.input_bytes, l.output_bytes);
  say(out, l.scratch_bytes, l.sram_bytes, l.job_span, l.counters);
  for (uint32_t i = 0; i < l.streams; ++i) {
    const presil_loadable_stream s = Reader::stream(&l, i);
    say(out, s.queue, s.offset, s.commands);
  }
  for (uint32_t i = 0; i < l.commands; ++i) {
    const presil_loadable_command c = Reader::command(&l, i);
    say(out, c.queue, c.index, c.layer);
  }
  for (uint32_t i = 0; i < l.layers; ++i) out += std::string(Reader::layer(&l, i)) + "|";
  for (uint32_t i = 0; i < l.inputs; ++i) say(out, Reader::input(&l, i));
  for (uint32_t i = 0; i < l.outputs; ++i) say(out, Reader::output(&l, i));
  for (uint32_t i = 0; i < l.tensors; ++i) {
    const presil_loadable_tensor t = Reader::tensor(&l, i);
    out += std::string(t.name) + "|";
    for (const int64_t d : t.shape) say(out, d);
    uint32_t scale;
    std::memcpy(&scale, &t.scale, sizeof scale);
    say(out, t.dtype, t.rank, scale, t.zero_point, t.in_region, t.nhwc, t.region, t.offset,
        t.bytes);
  }
  for (uint32_t i = 0; i < l.dsp_images; ++i) {
    const presil_loadable_dsp_image d = Reader::dsp_image(&l, i);
    say(out, d.offset, d.bytes, d.crc, d.symbols);
    for (uint32_t k = 0; k < d.symbols; ++k) {
      const presil_loadable_symbol s = Reader::symbol(&l, i, k);
      out += std::string(s.name) + "|";
      say(out, s.address, s.bytes);
    }
  }
  return out;
}

std::vector<uint8_t> made() {
  driver::LoadableMaker maker = driver::four_queues();
  maker.dsp_images = {{256, 64, 7, {{"softmax", 16, 8}, {"start", 0, 16}}}};
  maker.inputs = {{"in", {1, 4, 4, 3}, 1, 0, 48}};
  maker.outputs = {{"out", {1, 10}, 2, 64, 40, 5}, {"scalar", {}, 2, 128, 4, 5}};
  return maker.finish();
}

std::vector<uint64_t> aligned(const std::vector<uint8_t>& bytes) {
  std::vector<uint64_t> words(bytes.size() / 8 + 2);
  std::memcpy(words.data(), bytes.data(), bytes.size());
  return words;
}

TEST(BareLoadable, says_what_the_library_says) {
  const std::vector<uint8_t> file = made();
  const size_t size = file.size() - kChecksumBytes;
  const std::string ours = told<Bare>(aligned(file), size);
  EXPECT_EQ(ours, told<Library>(aligned(file), size));
  EXPECT_NE(ours.find("softmax|16 8 "), std::string::npos);
  EXPECT_NE(ours.find("in|1 4 4 3 "), std::string::npos);
}

TEST(BareLoadable, cut_files_are_refused_in_the_same_words) {
  const std::vector<uint64_t> words = aligned(made());
  EXPECT_EQ(told<Bare>(words, 15), "refused: it ends before its header");
  EXPECT_EQ(told<Bare>(words, 15), told<Library>(words, 15));
  EXPECT_EQ(told<Bare>(words, 64), "refused: its structure points outside the file");
  EXPECT_EQ(told<Bare>(words, 64), told<Library>(words, 64));
}

TEST(BareLoadable, what_both_take_of_damaged_files_is_the_same) {
  const std::vector<uint8_t> file = made();
  const size_t size = file.size() - kChecksumBytes;
  std::mt19937 random(9);
  unsigned both = 0, library_only = 0, bare_refused = 0;
  for (int i = 0; i < 20000; ++i) {
    std::vector<uint8_t> damaged(file.begin(), file.begin() + static_cast<std::ptrdiff_t>(size));
    for (unsigned k = 0; k <= random() % 3; ++k)
      damaged[random() % size] = static_cast<uint8_t>(random() >> random() % 24);
    const std::vector<uint64_t> words = aligned(damaged);
    const std::string ours = told<Bare>(words, size), theirs = told<Library>(words, size);
    const bool refused = ours.rfind("refused", 0) == 0;
    if (refused) ++bare_refused;
    if (theirs.rfind("refused", 0) == 0) continue;  // of a field that the driver does not read, too
    ++both;
    if (refused) ++library_only;
    if (!refused) {
      ASSERT_EQ(ours, theirs) << i;
    }
  }
  EXPECT_GT(both, 1000u);
  EXPECT_GT(bare_refused, 1000u);
  // An entry of a vector that leads to itself: the library looks at offsets of fields alone.
  EXPECT_LE(library_only, both / 1000);
}

}  // namespace
}  // namespace presil::host_cpu
