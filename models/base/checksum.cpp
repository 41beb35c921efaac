#include "models/base/checksum.h"

#include "models/base/crc.h"

namespace presil {

void append_checksum(std::vector<uint8_t>& file) {
  const uint32_t crc = crc32(file.data(), file.size());
  for (unsigned i = 0; i < kChecksumBytes; ++i) file.push_back(static_cast<uint8_t>(crc >> 8 * i));
}

bool has_checksum(const void* file, size_t size) {
  if (size < kChecksumBytes) return false;
  const size_t covered = size - kChecksumBytes;
  const auto* at = static_cast<const uint8_t*>(file) + covered;
  uint32_t written = 0;
  for (unsigned i = 0; i < kChecksumBytes; ++i) written |= uint32_t{at[i]} << 8 * i;
  return crc32(file, covered) == written;
}

}  // namespace presil
