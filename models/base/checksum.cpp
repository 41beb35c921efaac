#include "models/base/checksum.h"

#include <nettle/sha2.h>

#include <array>
#include <cstring>

namespace presil {
namespace {

static_assert(kChecksumBytes == SHA256_DIGEST_SIZE, "the checksum is a whole SHA-256");
using Checksum = std::array<uint8_t, kChecksumBytes>;

Checksum checksum_of(const void* bytes, size_t size) {
  sha256_ctx context;
  Checksum digest;
  sha256_init(&context);
  sha256_update(&context, size, static_cast<const uint8_t*>(bytes));
  sha256_digest(&context, digest.size(), digest.data());
  return digest;
}

}  // namespace

void append_checksum(std::vector<uint8_t>& file) {
  const Checksum digest = checksum_of(file.data(), file.size());
  file.insert(file.end(), digest.begin(), digest.end());
}

bool has_checksum(const void* file, size_t size) {
  if (size < kChecksumBytes) return false;
  const size_t covered = size - kChecksumBytes;
  const Checksum digest = checksum_of(file, covered);
  return std::memcmp(digest.data(), static_cast<const uint8_t*>(file) + covered, kChecksumBytes) ==
         0;
}

}  // namespace presil
