#include "models/soc/dram_map.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "models/base/refusal.h"

namespace presil {
namespace {

DramMap map_of(const std::string& text, unsigned channels = 1, unsigned hash = 0) {
  DramConfig config;
  config.map = text;
  config.channels = channels;
  config.bank_hash = hash;
  return DramMap(config);
}

TEST(DramMap, edge_has_pages_of_4_kib_in_8_banks) {
  const DramMap map = map_of("row-col2-bank3-col2-channel-col2");
  EXPECT_EQ(map.banks(), 8u);
  EXPECT_EQ(map.groups(), 1u);
  EXPECT_EQ(map.chunk_bytes(), 1024u);
  EXPECT_EQ(map.place(5u << 10).bank, 5u);
  EXPECT_EQ(map.place(7u << 15).row, 7u);
  EXPECT_EQ(map.place((1u << 15) - 1 - (7u << 10)).bank, 0u);
  EXPECT_EQ(map.channel(1u << 8), 0u);
}

TEST(DramMap, with_two_channels_a_bit_chooses_and_what_is_above_moves_up) {
  const DramMap map = map_of("row-col2-bank3-col2-channel-col2", 2);
  EXPECT_EQ(map.channel(255), 0u);
  EXPECT_EQ(map.channel(256), 1u);
  EXPECT_EQ(map.place(256).bank, 0u);
  EXPECT_EQ(map.place(5u << 11).bank, 5u);
  EXPECT_EQ(map.place(7u << 16).row, 7u);
  EXPECT_EQ(map.chunk_bytes(), 256u);
}

TEST(DramMap, groups_are_the_lowest_bits_of_the_bank) {
  const DramMap map = map_of("row-bank2-group1-channel-col1-group1");
  EXPECT_EQ(map.banks(), 16u);
  EXPECT_EQ(map.groups(), 4u);
  EXPECT_EQ(map.chunk_bytes(), 64u);
  EXPECT_EQ(map.place(1u << 6).bank, 1u);
  EXPECT_EQ(map.place(1u << 8).bank, 2u);
  EXPECT_EQ(map.place(3u << 9).bank, 12u);
}

TEST(DramMap, every_block_of_a_mebibyte_has_a_place_of_its_own) {
  const DramMap map = map_of("row-col2-bank3-col2-channel-col2", 2, 1);
  std::set<std::tuple<unsigned, unsigned, uint32_t>> rows;
  for (uint64_t at = 0; at < 1u << 20; at += 64) {
    const DramPlace place = map.place(at);
    rows.insert({map.channel(at), place.bank, place.row});
  }
  EXPECT_EQ(rows.size(), (1u << 20) / 4096);
}

TEST(DramMap, a_list_that_is_none_is_refused) {
  for (const char* text :
       {"", "row", "col2-row-channel", "row-row-channel", "row-col2", "row-col-channel",
        "row-colx-channel", "row-rank1-channel", "row-channel-channel", "row2-channel",
        "row-bank6-channel", "row-col15-channel", "row-channel1"}) {
    EXPECT_THROW(map_of(text), Refusal) << text;
  }
}

}  // namespace
}  // namespace presil
