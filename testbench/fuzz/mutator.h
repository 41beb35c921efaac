// Mutations of FlatBuffers files that know the format: scalars, lengths, offsets and absent fields
// are hit by name, so that a rare field of a small table is changed as often as a large array.
// A mutation is a function of the file and a number: the same on every machine.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace presil::fuzz {

using File = std::vector<uint8_t>;

/// splitmix64.
class Random {
 public:
  explicit Random(uint64_t seed) : m_state(seed) {}
  uint64_t next();
  uint64_t below(uint64_t n) { return n == 0 ? 0 : next() % n; }
  bool one_in(uint64_t n) { return below(n) == 0; }

 private:
  uint64_t m_state;
};

/// Bytes of a file that mean something together.
struct Site {
  size_t at = 0, bytes = 0;
};

/// What has one name in the format, e.g. "Conv2D.stride_w".
struct Group {
  std::string name;
  std::vector<Site> sites;
};
using Groups = std::vector<Group>;

struct Format {
  std::string schema;                                 ///< file with the schema in binary form
  std::function<bool(const uint8_t*, size_t)> whole;  ///< may the file be walked?
  /// Positions that the schema does not know, e.g. words of commands; may be empty.
  std::function<void(const File&, Groups&)> more;
};

class Mutator {
 public:
  explicit Mutator(Format format);

  /// Where a file can be hit; empty for a damaged one, which is then changed blindly.
  Groups groups(const File& file) const;

  /// @param groups of this file
  File mutate(const File& file, const Groups& groups, uint64_t seed) const;

 private:
  Format m_format;
  std::string m_schema;
};

}  // namespace presil::fuzz
