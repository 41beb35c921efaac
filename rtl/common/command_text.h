// Commands as readable text, for any command format, and violations as sentences.
//   conv in_base=0x1000 kernel_h=3 kernel_w=3 signal=4 signal_add=1
// The operation, then each field that differs from the legal value nearest to 0 (0 where the
// operation does not use it). Text and words say the same: from_text(to_text(words)) == words where
// no reserved bit is set.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "rtl/common/field.h"

namespace presil {

inline std::string field_value_to_text(const presil_field& f, int64_t value) {
  if (const char* name = presil_field_code_name(&f, value)) return name;
  if (!f.is_hex) return std::to_string(value);
  char text[24];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(value));
  return text;
}

inline std::string command_to_text(const presil_command_format& format, const uint32_t* words) {
  std::string text;
  int64_t op = -1;
  if (format.op_field >= 0) {
    const presil_field& f = format.fields[format.op_field];
    op = presil_field_get(words, &f);
    text = field_value_to_text(f, op);
  }
  for (int i = 0; i < format.field_count; ++i) {
    const presil_field& f = format.fields[i];
    const int64_t value = presil_field_get(words, &f);
    const int64_t fresh = presil_field_used(&f, op) ? presil_field_default(&f) : 0;
    if (i == format.op_field || value == fresh) continue;
    if (!text.empty()) text += ' ';
    text += f.name;
    text += '=';
    text += field_value_to_text(f, value);
  }
  for (unsigned w = 0; w < format.word_count; ++w) {
    if ((words[w] & format.reserved[w]) == 0) continue;
    char note[48];
    std::snprintf(note, sizeof note, " reserved[%u]=0x%08x", w, words[w] & format.reserved[w]);
    text += note;
  }
  return text;
}

// Reads what command_to_text writes; field values are numbers (0x.. or decimal) or names of codes.
// False, and one sentence in error, where the text names no field or code, or a number does not fit
// its field.
inline bool command_from_text(const presil_command_format& format, std::string_view text,
                              uint32_t* words, std::string* error = nullptr) {
  const auto refuse = [&](const std::string& why) {
    if (error != nullptr) *error = std::string(format.name) + ": " + why;
    return false;
  };
  const auto next = [&]() {
    const size_t begin = text.find_first_not_of(" \t");
    if (begin == std::string_view::npos) return std::string();
    const size_t end = text.find_first_of(" \t", begin);
    std::string token(text.substr(begin, end == std::string_view::npos ? end : end - begin));
    text = end == std::string_view::npos ? std::string_view() : text.substr(end);
    return token;
  };
  const auto value_of = [](const presil_field& f, const std::string& token, int64_t* value) {
    for (int v = 0; v < f.code_count; ++v) {
      if (f.codes[v] != nullptr && token == f.codes[v]) {
        *value = v;
        return true;
      }
    }
    char* end = nullptr;
    *value = std::strtoll(token.c_str(), &end, 0);
    return !token.empty() && *end == '\0';
  };
  for (unsigned w = 0; w < format.word_count; ++w) words[w] = 0;
  int64_t op = -1;
  if (format.op_field >= 0) {
    const presil_field& f = format.fields[format.op_field];
    const std::string token = next();
    if (!value_of(f, token, &op)) return refuse("operation is '" + token + "', which is not one");
    presil_field_set(words, &f, op);
  }
  for (int i = 0; i < format.field_count; ++i) {
    const presil_field& f = format.fields[i];
    if (i != format.op_field && presil_field_used(&f, op))
      presil_field_set(words, &f, presil_field_default(&f));
  }
  for (std::string token = next(); !token.empty(); token = next()) {
    const size_t equal = token.find('=');
    const std::string name = token.substr(0, equal);
    const presil_field* field = nullptr;
    for (int i = 0; i < format.field_count; ++i) {
      if (name == format.fields[i].name) field = &format.fields[i];
    }
    if (equal == std::string::npos || field == nullptr)
      return refuse("'" + token + "' is not field=value");
    int64_t value = 0;
    if (!value_of(*field, token.substr(equal + 1), &value))
      return refuse("'" + token + "' has no value of the field");
    presil_field_set(words, field, value);
    if (presil_field_get(words, field) != value) {
      return refuse("'" + token + "' does not fit the field's " + std::to_string(field->width) +
                    " bits");
    }
  }
  return true;
}

// "in_base is 7, must be a multiple of 16 (word 7)"
inline std::string to_text(const presil_violation& v) {
  const std::string at = " (word " + std::to_string(v.word) + ")";
  const std::string got = std::string(v.field) + " is " + std::to_string(v.got);
  switch (v.code) {
    case PRESIL_QUEUE_ERROR_CODE_MISALIGNED:
      return got + ", must be a multiple of " + std::to_string(v.multiple_of) + at;
    case PRESIL_QUEUE_ERROR_CODE_UNSUPPORTED:
      return got + ", which this configuration does not support" + at;
    case PRESIL_QUEUE_ERROR_CODE_RESERVED_BITS: {
      char bits[16];
      std::snprintf(bits, sizeof bits, "0x%08llx", static_cast<unsigned long long>(v.got));
      return std::string("reserved bits are ") + bits + ", must be 0" + at;
    }
    default:
      if (v.min == v.max) return got + ", must be " + std::to_string(v.min) + at;
      return got + ", must be " + std::to_string(v.min) + ".." + std::to_string(v.max) + at;
  }
}

}  // namespace presil
