#include "sim/bridge/buffer_heap.h"

#include <algorithm>

namespace presil::bridge {

std::optional<uint64_t> BufferHeap::allocate(uint64_t bytes, uint64_t align) {
  const uint64_t size = std::max<uint64_t>(bytes, 1);
  uint64_t from = m_base;
  for (auto block = m_blocks.begin();; ++block) {
    const uint64_t at = (from + align - 1) & ~(align - 1);
    const uint64_t limit = block == m_blocks.end() ? m_end : block->first;
    if (at <= limit && size <= limit - at) {
      m_blocks[at] = at + size;
      return at;
    }
    if (block == m_blocks.end()) return std::nullopt;
    from = block->second;
  }
}

}  // namespace presil::bridge
