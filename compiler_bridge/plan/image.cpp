#include "compiler_bridge/plan/image.h"

namespace presil::plan {

uint64_t Image::add(const void* bytes, size_t size, uint64_t align) {
  m_bytes.resize((m_bytes.size() + align - 1) / align * align, 0);
  const uint64_t offset = m_bytes.size();
  const auto* from = static_cast<const uint8_t*>(bytes);
  m_bytes.insert(m_bytes.end(), from, from + size);
  return offset;
}

}  // namespace presil::plan
