// CRC-32 of an image: IEEE 802.3, reflected, as zlib's.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace presil::dsp {

inline uint32_t crc32(const uint8_t* bytes, size_t count) {
  static constexpr std::array<uint32_t, 256> kTable = [] {
    std::array<uint32_t, 256> table{};
    for (uint32_t i = 0; i < 256; ++i) {
      uint32_t crc = i;
      for (unsigned bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ ((crc & 1) != 0 ? 0xedb88320u : 0u);
      table[i] = crc;
    }
    return table;
  }();
  uint32_t crc = 0xffffffffu;
  for (size_t i = 0; i < count; ++i) crc = crc >> 8 ^ kTable[(crc ^ bytes[i]) & 255];
  return ~crc;
}

}  // namespace presil::dsp
