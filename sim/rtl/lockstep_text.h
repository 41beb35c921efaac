// Words and bursts as the messages of lock-step say them.
#pragma once

#include <cstdint>
#include <string>

namespace presil::rtl {

/// A word of 16 bytes, those that are not written as dots.
std::string word_text(const uint8_t* bytes, unsigned strobes = 0xffff);
/// 40 bits
std::string address_text(uint64_t address);
std::string burst_text(uint64_t address, uint64_t bytes);

}  // namespace presil::rtl
