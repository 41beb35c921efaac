// Words that a contract refuses, from its printed tables: of a sound command or job entry every
// reserved bit, every code of a field that is none or not legal, and the values beside the limits
// of every other field, one at a time. Fields that the operation does not use must be 0.
#pragma once

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "rtl/common/field.h"

namespace presil::testbench {

struct BadWords {
  std::string what;  ///< "out_type = 3", "bit 7 of word 0"
  std::vector<uint32_t> words;
};

/// Values of a field that its bits can hold and that operation `op` does not allow: of an
/// enumeration all, of others those beside what is legal and the ends of what its bits can hold.
inline std::set<int64_t> bad_values(const presil_field& f, int64_t op) {
  const int64_t low = f.is_signed ? -(int64_t{1} << (f.width - 1)) : 0;
  const int64_t high = low + (int64_t{1} << f.width) - 1;
  std::set<int64_t> values = {low, high, f.min - 1, f.min + 1, f.max - 1, f.max + 1, 1, -1};
  for (int64_t code = 0; f.codes != nullptr && code <= high; ++code) values.insert(code);
  std::set<int64_t> bad;
  for (const int64_t v : values) {
    const bool holds = v >= low && v <= high;
    if (holds && presil_field_check(&f, v, op, nullptr) != PRESIL_QUEUE_ERROR_CODE_NONE) {
      bad.insert(v);
    }
  }
  return bad;
}

inline std::vector<BadWords> bad_words(const presil_command_format& format,
                                       const std::vector<uint32_t>& sound) {
  std::vector<BadWords> all;
  for (unsigned word = 0; word < format.word_count; ++word) {
    for (unsigned bit = 0; bit < 32; ++bit) {
      if ((format.reserved[word] >> bit & 1u) == 0) continue;
      all.push_back({"bit " + std::to_string(bit) + " of word " + std::to_string(word), sound});
      all.back().words[word] |= 1u << bit;
    }
  }
  const int64_t op =
      format.op_field < 0 ? -1 : presil_field_get(sound.data(), &format.fields[format.op_field]);
  for (unsigned i = 0; i < format.field_count; ++i) {
    const presil_field& f = format.fields[i];
    for (const int64_t value : bad_values(f, op)) {
      all.push_back({std::string(f.name) + " = " + std::to_string(value), sound});
      presil_field_set(all.back().words.data(), &f, value);
    }
  }
  return all;
}

}  // namespace presil::testbench
