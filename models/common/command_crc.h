// The CRC that commands and job entries carry in a field of their own: CRC-32 (IEEE 802.3, as
// zlib's) of all words, little-endian, with the field as 0; its low bits, as many as the field has.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>

#include "rtl/common/field.h"

namespace presil {

namespace command_crc {

/// Row k: what a byte does that is followed by k others.
using Tables = std::array<std::array<uint32_t, 256>, 4>;

constexpr Tables make_tables() {
  Tables tables{};
  for (uint32_t i = 0; i < 256; ++i) {
    uint32_t crc = i;
    for (unsigned bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ ((crc & 1) != 0 ? 0xedb88320u : 0u);
    tables[0][i] = crc;
  }
  for (uint32_t i = 0; i < 256; ++i) {
    for (unsigned k = 1; k < 4; ++k)
      tables[k][i] = tables[k - 1][i] >> 8 ^ tables[0][tables[k - 1][i] & 255];
  }
  return tables;
}

inline constexpr Tables kTables = make_tables();

}  // namespace command_crc

/// @param field of at most 32 bits, in one word
inline uint32_t crc_of(const uint32_t* words, unsigned count, const presil_field& field) {
  const uint64_t own = ((uint64_t{1} << field.width) - 1) << field.lsb;
  uint32_t crc = 0xffffffffu;
  for (unsigned i = 0; i < count; ++i) {
    crc ^= i == field.word ? words[i] & ~static_cast<uint32_t>(own) : words[i];
    const auto& t = command_crc::kTables;
    crc = t[3][crc & 255] ^ t[2][crc >> 8 & 255] ^ t[1][crc >> 16 & 255] ^ t[0][crc >> 24];
  }
  return ~crc & static_cast<uint32_t>(own >> field.lsb);
}

/// The field of a format; nullptr: its commands carry none.
inline const presil_field* crc_field_of(const presil_command_format& format) {
  for (unsigned i = 0; i < format.field_count; ++i) {
    if (std::strcmp(format.fields[i].name, "crc") == 0) return &format.fields[i];
  }
  return nullptr;
}

inline bool has_crc(const uint32_t* words, unsigned count, const presil_field& field) {
  return static_cast<uint32_t>(presil_field_get(words, &field)) == crc_of(words, count, field);
}

}  // namespace presil
