// Words in error: what is corrected, what is not, what a write repairs.
#include "models/memory/memory_errors.h"

#include <gtest/gtest.h>

#include "models/memory/memory_core.h"

namespace presil::memory {
namespace {

TEST(MemoryErrors, one_bit_is_corrected_at_every_read) {
  MemoryErrors errors;
  errors.add(19, 1);  // of the word at 16
  EXPECT_FALSE(errors.read(0, 64));
  EXPECT_FALSE(errors.read(23, 1));
  EXPECT_FALSE(errors.read(24, 1));
  EXPECT_EQ(errors.corrected(), 2u);
}

TEST(MemoryErrors, two_bits_of_a_word_are_told_by_its_address) {
  MemoryErrors errors;
  errors.add(40, 2);
  errors.add(64, 1);
  errors.add(71, 1);  // the same word once more
  EXPECT_EQ(errors.read(0, 1000), 40u);
  EXPECT_EQ(errors.read(48, 1000), 64u);
  EXPECT_EQ(errors.read(47, 1), 40u);
  EXPECT_FALSE(errors.read(0, 40));
  EXPECT_FALSE(errors.read(48, 16));
  EXPECT_FALSE(errors.read(40, 0));
}

TEST(MemoryErrors, a_word_that_is_written_whole_is_right_again) {
  MemoryErrors errors;
  errors.add(8, 2);
  errors.written(8, 7);
  EXPECT_TRUE(errors.read(8, 8)) << "its last byte is the old one";
  errors.written(9, 100);
  EXPECT_TRUE(errors.read(8, 8)) << "its first byte is the old one";
  errors.written(8, 8);
  EXPECT_FALSE(errors.read(8, 8));
  EXPECT_FALSE(errors.any());
}

TEST(MemoryErrors, a_system_address_means_the_word_of_its_memory) {
  Sram sram{SramConfig()};
  Bytes dram(1 << 20);
  SystemBytes system(sram, dram);
  const uint64_t window = PRESIL_TILE_BASE(0) + PRESIL_TILE_SRAM;
  sram.errors().add(256, 2);
  dram.errors().add(512, 2);
  EXPECT_EQ(system.read(window, 1024), window + 256);
  EXPECT_EQ(system.read(PRESIL_DRAM_BASE, 1024), PRESIL_DRAM_BASE + 512);
  system.written(window + 256, 8);
  system.written(PRESIL_DRAM_BASE + 512, 8);
  EXPECT_FALSE(system.read(window, 1024));
  EXPECT_FALSE(system.read(PRESIL_DRAM_BASE, 1024));
}

}  // namespace
}  // namespace presil::memory
