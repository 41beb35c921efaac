// SHA-256 without a library: the examples of FIPS 180-4, and nettle's digests of every length.
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <string>
#include <vector>

extern "C" {
#include "driver/core/hash.h"
void bare_sha256(const void* bytes, size_t size, uint8_t digest[PRESIL_SHA256_BYTES]);
}

namespace presil::host_cpu {
namespace {

using Digest = std::array<uint8_t, PRESIL_SHA256_BYTES>;

std::string hexadecimal(const std::string& text) {
  Digest digest;
  bare_sha256(text.data(), text.size(), digest.data());
  std::string out;
  for (const uint8_t byte : digest) {
    char digits[3];
    std::snprintf(digits, sizeof digits, "%02x", byte);
    out += digits;
  }
  return out;
}

TEST(Sha256, examples_of_the_standard) {
  EXPECT_EQ(hexadecimal("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(hexadecimal("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(hexadecimal(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

TEST(Sha256, every_length_is_as_by_nettle_at_every_alignment) {
  std::vector<uint8_t> bytes(400);
  for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<uint8_t>(i * 131 + i / 7);
  for (size_t size = 0; size < 300; ++size) {
    Digest ours, nettles;
    bare_sha256(bytes.data() + size % 4, size, ours.data());
    presil_sha256(bytes.data() + size % 4, size, nettles.data());
    ASSERT_EQ(ours, nettles) << size;
  }
}

}  // namespace
}  // namespace presil::host_cpu
