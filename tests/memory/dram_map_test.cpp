#include "models/soc/dram_map.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <utility>

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

TEST(DramMap, a_list_that_is_none_is_refused_with_the_reason) {
  const std::pair<const char*, const char*> kLists[] = {
      {"", "row is not its first word"},
      {"col2-row-channel", "row is not its first word"},
      {"row", "channel is there 0 times"},
      {"row-channel-channel", "channel is there 2 times"},
      {"row-row-channel", "row is there more than once"},
      {"row-rank1-channel", "'rank1' is no part of an address"},
      {"row-col-channel", "'col' has no number of bits"},
      {"row-colx-channel", "'colx' is no part of an address"},
      {"row-channel1", "'channel1' has a number of bits"},
      {"row-bank6-channel", "it has more than 32 banks"},
      {"row-col15-channel", "a row of all banks is more than 1 MiB"},
      {"row-col1-col1-col1-col1-col1-col1-col1-col1-col1-col1-channel-col1",
       "it has more than 12 words"},
      {"row-bank1-bank0-bank0-bank0-bank0-bank0-bank0-bank0-bank0-channel",
       "more than 8 words are of banks"},
  };
  for (const auto& [list, reason] : kLists) {
    try {
      map_of(list);
      ADD_FAILURE() << list;
    } catch (const Refusal& refusal) {
      EXPECT_NE(std::string(refusal.what()).find(reason), std::string::npos) << refusal.what();
    }
  }
}

}  // namespace
}  // namespace presil
