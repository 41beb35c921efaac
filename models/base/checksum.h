// The checksum of a .presil file: a loadable (loadable.fbs) and after it the CRC-32 of its bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace presil {

constexpr size_t kChecksumBytes = 4;

/// Appends the checksum.
void append_checksum(std::vector<uint8_t>& file);

/// True if the last kChecksumBytes are the checksum of all before them.
bool has_checksum(const void* file, size_t size);

}  // namespace presil
