// The CRC of commands, images and files: by the driver and by the models as by long division, and
// what it finds.
#include "models/common/command_crc.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "driver/core/crc.h"
#include "rtl/common/job.h"
#include "rtl/soc/engines.h"
#include "tests/driver/device_fixture.h"

extern "C" {
void presil_crc_write(const presil_command_format* format, uint32_t* words);
bool presil_crc_right(const presil_command_format* format, const uint32_t* words);
}

namespace presil::driver {
namespace {

using Words = std::array<uint32_t, PRESIL_MAX_COMMAND_WORDS>;

/// Division by x^32 + x^26 + ... + 1, bit by bit, lowest bit of a byte first.
uint32_t divided(const std::vector<uint8_t>& bytes) {
  uint32_t rest = 0xffffffffu;
  for (const uint8_t byte : bytes) {
    for (unsigned bit = 0; bit < 8; ++bit) {
      const bool carry = ((rest ^ (byte >> bit)) & 1) != 0;
      rest = rest >> 1 ^ (carry ? 0xedb88320u : 0u);
    }
  }
  return ~rest;
}

std::vector<uint8_t> random_bytes(size_t size) {
  std::mt19937 random(7);
  std::vector<uint8_t> bytes(size);
  for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(random());
  return bytes;
}

std::vector<const presil_command_format*> formats() {
  std::vector<const presil_command_format*> all = {presil_job_entry_format()};
  for (unsigned kind = 0; kind < PRESIL_ENGINE_KINDS; ++kind)
    all.push_back(presil_engine_description_of(kind)->format());
  return all;
}

Words random_words(uint32_t seed) {
  std::mt19937 random(seed);
  Words words;
  for (uint32_t& word : words) word = random();
  return words;
}

// Of files and images: by driver and models, of every length and at every alignment.
TEST(Crc, of_bytes_is_that_of_the_division) {
  const std::vector<uint8_t> bytes = random_bytes(300);
  for (size_t size = 0; size < 290; ++size) {
    const uint8_t* begin = bytes.data() + size % 5;
    const uint32_t expected = divided({begin, begin + size});
    ASSERT_EQ(presil_crc32(begin, size), expected) << size;
    ASSERT_EQ(crc32(begin, size), expected) << size;
  }
}

// "123456789" has the check value of the standard: the table of every catalogue of CRCs.
TEST(CommandCrc, the_division_is_that_of_ieee_802_3) {
  EXPECT_EQ(divided({'1', '2', '3', '4', '5', '6', '7', '8', '9'}), 0xcbf43926u);
}

TEST(CommandCrc, driver_and_models_write_what_the_division_leaves) {
  for (const presil_command_format* format : formats()) {
    const presil_field* field = crc_field_of(*format);
    ASSERT_NE(field, nullptr) << format->name;
    for (uint32_t seed = 0; seed < 50; ++seed) {
      Words words = random_words(seed);
      presil_field_set(words.data(), field, 0);
      std::vector<uint8_t> bytes;
      for (unsigned i = 0; i < format->word_count; ++i) {
        for (unsigned k = 0; k < 4; ++k) bytes.push_back(static_cast<uint8_t>(words[i] >> 8 * k));
      }
      const uint32_t mask = field->width == 32 ? ~0u : (1u << field->width) - 1;
      const uint32_t expected = divided(bytes) & mask;
      presil_crc_write(format, words.data());
      EXPECT_EQ(static_cast<uint32_t>(presil_field_get(words.data(), field)), expected);
      EXPECT_TRUE(presil_crc_right(format, words.data()));
      EXPECT_TRUE(has_crc(words.data(), format->word_count, *field));
    }
  }
}

TEST(CommandCrc, every_bit_that_changes_is_found) {
  for (const presil_command_format* format : formats()) {
    Words words = random_words(7);
    presil_crc_write(format, words.data());
    for (unsigned bit = 0; bit < 32u * format->word_count; ++bit) {
      words[bit / 32] ^= 1u << bit % 32;
      EXPECT_FALSE(presil_crc_right(format, words.data())) << format->name << " bit " << bit;
      EXPECT_FALSE(has_crc(words.data(), format->word_count, *crc_field_of(*format)));
      words[bit / 32] ^= 1u << bit % 32;
    }
  }
}

using CrcTest = DeviceTest;

TEST_F(CrcTest, a_loaded_network_has_it_in_every_command_and_a_job_in_its_entry) {
  ASSERT_EQ(load(four_queues()), PRESIL_OK) << text();
  ASSERT_EQ(run(), PRESIL_OK) << text();
  uint32_t words[JobEntry::kWords];
  engines.entries[PRESIL_QUEUE_DLA].encode(words);
  EXPECT_TRUE(presil_crc_right(presil_job_entry_format(), words));
}

TEST_F(CrcTest, a_task_of_the_host_that_has_changed_is_not_run) {
  ASSERT_EQ(load(four_queues()), PRESIL_OK) << text();
  uint8_t* image = region(PRESIL_REGION_CONSTANTS, 4096);
  ASSERT_NE(image, nullptr);
  const size_t spent = mock.tasks.size();
  for (size_t at = 0; at < 4096; at += 64) {  // every place where it may begin
    auto* words = reinterpret_cast<uint32_t*>(image + at);
    if (words[0] != 0 && presil_crc_right(presil_host_description()->format(), words))
      words[1] ^= 1u << 20;  // its tag
  }
  EXPECT_EQ(run(), PRESIL_HARDWARE);
  EXPECT_STREQ(error().block, "host");
  EXPECT_NE(text().find("the command does not have the CRC of its words: memory has changed since "
                        "the driver wrote it, load the network again"),
            std::string::npos)
      << text();
  EXPECT_EQ(mock.tasks.size(), spent);
}

}  // namespace
}  // namespace presil::driver
