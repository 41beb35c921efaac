// Where a byte of the DRAM lies: channel, bank, row of its address, by the list of bits dram.map.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "models/soc/soc_config.h"

namespace presil {

/// One column access: what a channel's data bus moves at once.
inline constexpr unsigned kAtomBytes = 64;
inline constexpr unsigned kMostDramBanks = 32;

struct DramPlace {
  uint32_t row = 0;
  unsigned bank = 0;  ///< its lowest bits are the bank group
};

/// Words from the highest bits of an address down to bit 6, with "-" between them: "row" first, of
/// all that the others leave; "colN", "bankN", "groupN" of N bits each, as often as one likes, and
/// "channel" once, of 1 bit where there are two channels and of none where there is one. With
/// bank_hash the bank (groups below banks) is XORed with the row and with the row >> its own bits.
class DramMap {
 public:
  /// @throws Refusal for a list that is not of this form, or of more than 32 banks
  explicit DramMap(const DramConfig& config);

  unsigned channel(uint64_t address) const { return gather(m_channel, address); }
  DramPlace place(uint64_t address) const {
    const auto row = static_cast<uint32_t>(address >> m_row_bit);
    const unsigned hash = m_hash ? row ^ row >> m_bank_bits : 0;
    return {row, (gather(m_bank, address) ^ hash) & (banks() - 1)};
  }
  unsigned banks() const { return 1u << m_bank_bits; }
  unsigned groups() const { return 1u << m_group_bits; }
  /// Bytes that lie in one row, from a multiple of it on: a power of two, kAtomBytes or more.
  uint64_t chunk_bytes() const { return m_chunk_bytes; }

 private:
  /// Bits of an address that become bits of a number.
  struct Bits {
    unsigned from = 0, to = 0, mask = 0;
  };
  struct Number {
    std::array<Bits, 8> parts;
    unsigned size = 0;
  };
  static unsigned gather(const Number& number, uint64_t address) {
    unsigned value = 0;
    for (unsigned i = 0; i < number.size; ++i) {
      const Bits& b = number.parts[i];
      value |= (static_cast<unsigned>(address >> b.from) & b.mask) << b.to;
    }
    return value;
  }
  static void add(Number& number, unsigned from, unsigned to, unsigned bits);

  Number m_bank, m_channel;
  unsigned m_row_bit = 0, m_bank_bits = 0, m_group_bits = 0;
  uint64_t m_chunk_bytes = 0;
  bool m_hash;
};

}  // namespace presil
