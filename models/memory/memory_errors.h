// Words of a memory with bits in error, and what its code (SECDED, 8 bits beside 64) says of them:
// one is corrected at every read, two are found and cannot be corrected. The bytes of a word with
// two are changed, those of a word with one are as the decoder gives them.
#pragma once

#include <cstdint>
#include <map>
#include <optional>

namespace presil::memory {

class MemoryErrors {
 public:
  static constexpr uint64_t kWordBytes = 8;

  bool any() const { return !m_words.empty(); }
  /// `bits` more bits of the word that holds `address` are in error.
  void add(uint64_t address, unsigned bits) { m_words[address / kWordBytes] += bits; }
  /// @return the address of the first word of these bytes that cannot be corrected
  std::optional<uint64_t> read(uint64_t address, uint64_t bytes);
  /// A word that is written whole is right again; of a part the rest is read first, and stays.
  void written(uint64_t address, uint64_t bytes);
  void clear() { m_words.clear(); }

  /// Reads that met a word.
  uint64_t corrected() const { return s_corrected; }
  uint64_t uncorrected() const { return s_uncorrected; }

 private:
  std::map<uint64_t, unsigned> m_words;  ///< by number of the word: bits in error
  uint64_t s_corrected = 0, s_uncorrected = 0;
};

}  // namespace presil::memory
