// Files that are no loadables, or no longer.
#include <gmock/gmock.h>

#include <random>

#include "rtl/soc/loadable_generated.h"
#include "tests/driver/device_fixture.h"

namespace presil::driver {
namespace {

using ::testing::HasSubstr;
using BadLoadableTest = DeviceTest;

/// The file without its checksum.
std::vector<uint8_t> without_checksum(const LoadableMaker& maker) {
  auto file = maker.finish();
  file.resize(file.size() - kChecksumBytes);
  return file;
}

TEST_F(BadLoadableTest, every_changed_bit_is_refused) {
  const auto whole = four_queues().finish();
  for (size_t bit = 0; bit < 8 * whole.size(); ++bit) {
    auto file = whole;
    file[bit / 8] = static_cast<uint8_t>(file[bit / 8] ^ 1u << bit % 8);
    const bool identifier = bit / 32 == 1;
    EXPECT_THAT(refusal(file), HasSubstr(identifier ? "it does not begin as a .presil file does"
                                                    : "it is cut short or damaged: its last 4"))
        << bit;
  }
}

TEST_F(BadLoadableTest, empty_truncated_or_longer_it_is_refused) {
  const auto whole = four_queues().finish();
  EXPECT_THAT(refusal(std::vector<uint8_t>{}), HasSubstr("the loadable is refused: it is empty"));
  for (size_t size = 1; size < whole.size(); ++size) {
    const std::vector<uint8_t> cut(whole.begin(), whole.begin() + static_cast<long>(size));
    EXPECT_THAT(refusal(cut), HasSubstr("the loadable is refused: it is cut short")) << size;
  }
  auto longer = whole;
  longer.push_back(0);
  EXPECT_THAT(refusal(longer), HasSubstr("it is cut short or damaged"));
}

// From here on files get a new checksum after the change: the checks after it stand alone.

TEST_F(BadLoadableTest, truncated_with_a_new_checksum_it_is_refused) {
  const auto whole = without_checksum(four_queues());
  for (size_t size = 0; size + 4 <= whole.size(); size += size < 64 ? 1 : 13) {
    std::vector<uint8_t> cut(whole.begin(), whole.begin() + static_cast<long>(size));
    append_checksum(cut);
    EXPECT_THAT(refusal(cut), HasSubstr("the loadable is refused: ")) << size;
  }
}

// FlatBuffers' verifier aligns the count before an array only.
TEST_F(BadLoadableTest, numbers_of_64_bits_at_odd_places_are_refused) {
  auto file = without_checksum(four_queues());
  const auto* tensor = loadable::GetLoadable(file.data())->tensors()->Get(0);
  const auto at =
      static_cast<uint32_t>(reinterpret_cast<const flatbuffers::Table*>(tensor)->GetAddressOf(
                                loadable::Tensor::VT_SHAPE) -
                            file.data());
  uint32_t count = 0, to = at;
  while (count != 1 || (to + 4) % 8 == 0) std::memcpy(&count, &file[to += 4], 4);
  to -= at;  // an array of one, at an odd place
  std::memcpy(&file[at], &to, 4);
  append_checksum(file);
  EXPECT_THAT(refusal(file), HasSubstr("its tensors have 64-bit numbers at odd places"));
}

TEST_F(BadLoadableTest, noise_is_refused) {
  std::mt19937 random(1);
  for (int i = 0; i < 200; ++i) {
    std::vector<uint8_t> noise(16 + random() % 2000);
    for (uint8_t& b : noise) b = static_cast<uint8_t>(random());
    if (i % 2) std::memcpy(noise.data() + 4, "PRSL", 4);
    if (i % 4 > 1) append_checksum(noise);
    EXPECT_THAT(refusal(noise), HasSubstr("the loadable is refused: ")) << i;
  }
}

// A changed byte is either refused, or it is one that neither hardware nor memory safety depends on
// (a name, a scale): then the job must run as before.
TEST_F(BadLoadableTest, a_changed_byte_with_a_new_checksum_is_refused_or_harmless) {
  const auto whole = without_checksum(four_queues());
  size_t refused = 0;
  for (size_t at = 0; at < whole.size(); ++at) {
    for (const uint8_t change : {0x01, 0x80, 0xff}) {
      auto file = whole;
      file[at] = static_cast<uint8_t>(file[at] ^ change);
      append_checksum(file);
      const size_t memory = mock.allocations();
      if (load(file) != PRESIL_OK) {
        ++refused;
        EXPECT_EQ(network, nullptr);
        EXPECT_GT(text().size(), 20u) << at;
        EXPECT_EQ(mock.allocations(), memory) << at;
        continue;
      }
      EXPECT_EQ(run(), PRESIL_OK) << "byte " << at << ": " << text();
      presil_network_unload(network);
    }
  }
  RecordProperty("refused", static_cast<int>(refused));
  EXPECT_GT(refused, whole.size()) << "every third change at least must matter";
}

TEST_F(BadLoadableTest, an_image_that_changes_after_load_stops_the_host_task) {
  ASSERT_EQ(load(four_queues()), PRESIL_OK);
  uint32_t job = 0;
  ASSERT_EQ(presil_job_submit(network, &job), PRESIL_OK);
  // The list follows the table of 256 bytes; its second tensor (the table) loses an element.
  region(PRESIL_REGION_CONSTANTS, 512)[256 + 64 + 8] = 0xff;
  region(PRESIL_REGION_CONSTANTS, 512)[256 + 64 + 9] = 0;
  EXPECT_EQ(presil_job_wait(network, job, 0), PRESIL_HARDWARE);
  EXPECT_THAT(
      text(),
      HasSubstr(
          "host command 0 (layer even_layer): the task was whole when the network was loaded"));
}

}  // namespace
}  // namespace presil::driver
