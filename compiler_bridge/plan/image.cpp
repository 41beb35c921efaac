#include "compiler_bridge/plan/image.h"

#include <algorithm>
#include <functional>
#include <string_view>

namespace presil::plan {

uint64_t Image::add(const void* bytes, size_t size, uint64_t align) {
  m_bytes.resize((m_bytes.size() + align - 1) / align * align, 0);
  const uint64_t offset = m_bytes.size();
  const auto* from = static_cast<const uint8_t*>(bytes);
  m_bytes.insert(m_bytes.end(), from, from + size);
  return offset;
}

uint64_t Image::share(const std::vector<uint8_t>& bytes, uint64_t align) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  const size_t hash = std::hash<std::string_view>()(text);
  const auto [first, last] = m_shared.equal_range(hash);
  for (auto found = first; found != last; ++found) {
    const Shared& shared = found->second;
    const bool fits = shared.size == bytes.size() && shared.offset % align == 0;
    if (fits && std::equal(bytes.begin(), bytes.end(), m_bytes.begin() + ptrdiff_t(shared.offset)))
      return shared.offset;
  }
  const uint64_t offset = add(bytes, align);
  m_shared.insert({hash, {offset, bytes.size()}});
  return offset;
}

}  // namespace presil::plan
