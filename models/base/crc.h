// CRC-32 (IEEE 802.3, reflected, as zlib's): of commands, programs of the DSP, .presil files.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace presil {
namespace crc {

/// Row k: what a byte does that is followed by k others.
using Tables = std::array<std::array<uint32_t, 256>, 8>;

constexpr Tables make_tables() {
  Tables tables{};
  for (uint32_t i = 0; i < 256; ++i) {
    uint32_t crc = i;
    for (unsigned bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ ((crc & 1) != 0 ? 0xedb88320u : 0u);
    tables[0][i] = crc;
  }
  for (uint32_t i = 0; i < 256; ++i) {
    for (unsigned k = 1; k < tables.size(); ++k)
      tables[k][i] = tables[k - 1][i] >> 8 ^ tables[0][tables[k - 1][i] & 255];
  }
  return tables;
}

inline constexpr Tables kTables = make_tables();

/// From kBegin on; the CRC is the complement.
inline constexpr uint32_t kBegin = 0xffffffffu;
inline uint32_t with_word(uint32_t crc, uint32_t word) {
  crc ^= word;
  return kTables[3][crc & 255] ^ kTables[2][crc >> 8 & 255] ^ kTables[1][crc >> 16 & 255] ^
         kTables[0][crc >> 24];
}

inline uint32_t with_words(uint32_t crc, uint32_t first, uint32_t second) {
  crc ^= first;
  return kTables[7][crc & 255] ^ kTables[6][crc >> 8 & 255] ^ kTables[5][crc >> 16 & 255] ^
         kTables[4][crc >> 24] ^ with_word(0, second);
}

}  // namespace crc

inline uint32_t crc32(const void* bytes, size_t size) {
  const auto* at = static_cast<const uint8_t*>(bytes);
  uint32_t crc = crc::kBegin;
  for (; size >= 8; size -= 8, at += 8) {
    uint32_t words[2];
    std::memcpy(words, at, sizeof words);
    crc = crc::with_words(crc, words[0], words[1]);
  }
  for (; size >= 4; size -= 4, at += 4) {
    uint32_t word;
    std::memcpy(&word, at, sizeof word);
    crc = crc::with_word(crc, word);
  }
  for (; size > 0; --size) crc = crc >> 8 ^ crc::kTables[0][(crc ^ *at++) & 255];
  return ~crc;
}

}  // namespace presil
