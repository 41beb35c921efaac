#include "models/memory/memory_errors.h"

namespace presil::memory {

std::optional<uint64_t> MemoryErrors::read(uint64_t address, uint64_t bytes) {
  if (bytes == 0) return {};
  const auto end = m_words.upper_bound((address + bytes - 1) / kWordBytes);
  std::optional<uint64_t> first;
  for (auto word = m_words.lower_bound(address / kWordBytes); word != end; ++word) {
    if (word->second == 1) {
      ++s_corrected;
      continue;
    }
    ++s_uncorrected;
    if (!first) first = word->first * kWordBytes;
  }
  return first;
}

void MemoryErrors::written(uint64_t address, uint64_t bytes) {
  const uint64_t first = (address + kWordBytes - 1) / kWordBytes;
  const uint64_t end = (address + bytes) / kWordBytes;
  if (first < end) m_words.erase(m_words.lower_bound(first), m_words.lower_bound(end));
}

}  // namespace presil::memory
