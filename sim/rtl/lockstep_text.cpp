#include "sim/rtl/lockstep_text.h"

#include <cstdio>

namespace presil::rtl {

std::string word_text(const uint8_t* bytes, unsigned strobes) {
  constexpr unsigned kWordBytes = 16;
  std::string text;
  char two[3];
  for (unsigned i = 0; i < kWordBytes; ++i) {
    std::snprintf(two, sizeof two, "%02x", bytes[i]);
    text += strobes >> i & 1 ? two : "..";
  }
  return text;
}

std::string address_text(uint64_t address) {
  char text[24];
  std::snprintf(text, sizeof text, "0x%010llx", static_cast<unsigned long long>(address));
  return text;
}

std::string burst_text(uint64_t address, uint64_t bytes) {
  return std::to_string(bytes) + " bytes at " + address_text(address);
}

}  // namespace presil::rtl
