#include "models/base/digest.h"

#include <nettle/sha2.h>

namespace presil {

std::string sha256(const void* bytes, size_t size) {
  sha256_ctx context;
  uint8_t digest[SHA256_DIGEST_SIZE];
  sha256_init(&context);
  sha256_update(&context, size, static_cast<const uint8_t*>(bytes));
  sha256_digest(&context, sizeof digest, digest);
  static const char kDigits[] = "0123456789abcdef";
  std::string text;
  for (const uint8_t byte : digest) {
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

std::string soc_sha256(const SocConfig& config) {
  const std::string text = canonical_text(config);
  return sha256(text.data(), text.size());
}

}  // namespace presil
