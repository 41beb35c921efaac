// What targets share: how a reader may answer, and files that are FlatBuffers.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>

#include "models/base/refusal.h"
#include "testbench/fuzz/targets.h"

namespace presil::fuzz {

/// A refusal is one paragraph that names the part; anything less is a defect.
inline void check_text(const std::string& text) {
  const size_t colon = text.find(": ");
  if (colon == std::string::npos || colon == 0 || text.size() < colon + 12) {
    throw std::logic_error("a refusal says too little: '" + text + "'");
  }
}

template <class Read>
bool taken(Read read) {
  try {
    read();
    return true;
  } catch (const Refusal& refusal) {
    check_text(refusal.what());
    return false;
  }
}

/// Targets whose files are FlatBuffers; the walk over a file is done once.
class Structured : public Target {
 public:
  explicit Structured(Format format) : m_mutator(std::move(format)) {}

 protected:
  File mutate_structure(const File& file, uint64_t seed) {
    if (file != m_file) {
      m_file = file;
      m_groups = m_mutator.groups(file);
    }
    return m_mutator.mutate(file, m_groups, seed);
  }

 private:
  Mutator m_mutator;
  File m_file;
  Groups m_groups;
};

}  // namespace presil::fuzz
