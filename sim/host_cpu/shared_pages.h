// Memory that another process sees too.
#pragma once

#include <cstdint>

namespace presil::host_cpu {

/// A file without a name, in memory; pages come into being when they are first touched.
class SharedFile {
 public:
  SharedFile();
  ~SharedFile();
  SharedFile(const SharedFile&) = delete;
  SharedFile& operator=(const SharedFile&) = delete;

  int descriptor() const { return m_descriptor; }
  uint64_t bytes() const { return m_bytes; }
  /// So many zeros more, from a page on. @return where they begin
  uint64_t grow(uint64_t bytes);
  /// The pages at `host`, which were mapped without a file, are those of a part of this one from
  /// now on, with what they hold. @return where that part begins
  uint64_t take_over(uint8_t* host, uint64_t bytes);
  /// Whole or part of it in this process, until the end of the process's need: unmap() ends it.
  uint8_t* map(uint64_t offset, uint64_t bytes) const;
  static void unmap(uint8_t* host, uint64_t bytes);

 private:
  int m_descriptor;
  uint64_t m_bytes = 0;
};

}  // namespace presil::host_cpu
