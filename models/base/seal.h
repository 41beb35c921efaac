// The seal of a .presil file: a loadable (loadable.fbs) and behind it the SHA-256 of its bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace presil {

constexpr size_t kSealBytes = 32;

/// Appends the seal.
void seal(std::vector<uint8_t>& file);

/// True if the last kSealBytes are the seal of all before them.
bool is_sealed(const void* file, size_t size);

}  // namespace presil
