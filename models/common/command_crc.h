// The CRC that commands and job entries carry in a field of their own: CRC-32 (IEEE 802.3, as
// zlib's) of all words, little-endian, with the field as 0; its low bits, as many as the field has.
#pragma once

#include <cstdint>
#include <cstring>

#include "models/base/crc.h"
#include "rtl/common/field.h"

namespace presil {

/// @param field of at most 32 bits, in one word
inline uint32_t crc_of(const uint32_t* words, unsigned count, const presil_field& field) {
  const uint64_t own = ((uint64_t{1} << field.width) - 1) << field.lsb;
  uint32_t crc = crc::kBegin;
  for (unsigned i = 0; i < count; ++i) {
    const uint32_t others = i == field.word ? ~static_cast<uint32_t>(own) : ~uint32_t{0};
    crc = crc::with_word(crc, words[i] & others);
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
