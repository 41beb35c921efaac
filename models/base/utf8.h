// Names come from files. What goes on into messages, JSON and Python is text in UTF-8.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace presil {

/// Bytes of the character at the beginning of `text`; 0: none begins there. NUL is none: it would
/// end a sentence.
inline size_t utf8_length(std::string_view text) {
  if (text.empty()) return 0;
  const auto byte = [&](size_t i) { return static_cast<uint8_t>(text[i]); };
  const uint8_t first = byte(0);
  if (first < 0x80) return first == 0 ? 0 : 1;
  const size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || text.size() < length) return 0;
  uint32_t code = first & (0x7fu >> length);
  for (size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return 0;
    code = code << 6 | (byte(i) & 0x3fu);
  }
  const bool too_long = code < (length == 3 ? 0x800u : length == 4 ? 0x10000u : 0x80u);
  const bool surrogate = code >= 0xd800 && code < 0xe000;
  return too_long || surrogate || code > 0x10ffff ? 0 : length;
}

inline bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const size_t length = utf8_length(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

/// The text with '?' for each byte that is no UTF-8 and for each control character.
inline std::string printable(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const size_t length = utf8_length(text);
    const bool control = length == 1 && (static_cast<uint8_t>(text[0]) < 0x20 || text[0] == 0x7f);
    if (length == 0 || control)
      result += '?';
    else
      result += text.substr(0, length);
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return result;
}

}  // namespace presil
