// The values of the timeline counters: add, set, compare, and which addition is wrong. No time.
#pragma once

#include <cstdint>
#include <vector>

namespace presil::sync {

/// What became of an addition.
enum class Added : uint8_t { kDone, kRefused };

class Counters {
 public:
  /// @param count ids 1 .. count - 1 exist; 0 means none
  explicit Counters(unsigned count)
      : m_limit(static_cast<uint8_t>(count - 1)), m_values(count, 0) {}

  unsigned count() const { return static_cast<unsigned>(m_values.size()); }
  uint32_t value(uint8_t id) const { return id < m_values.size() ? m_values[id] : 0; }

  /// int32(counter - value) >= 0: right as long as the two are less than 2^31 apart.
  static bool reached(uint32_t counter, uint32_t value) {
    return static_cast<int32_t>(counter - value) >= 0;
  }
  /// Id 0 is no condition, and always met.
  bool met(uint8_t id, uint32_t threshold) const {
    return id == 0 || reached(value(id), threshold);
  }

  /// Ids 1 .. limit that exist may be changed; a change of another one is refused.
  void set_limit(uint8_t limit) { m_limit = limit; }
  bool may_change(uint8_t id) const { return id != 0 && id < m_values.size() && id <= m_limit; }

  Added add(uint8_t id, uint32_t amount) {
    if (!may_change(id)) return Added::kRefused;
    m_values[id] += amount;
    return Added::kDone;
  }
  Added set(uint8_t id, uint32_t value) {
    if (!may_change(id)) return Added::kRefused;
    m_values[id] = value;
    return Added::kDone;
  }

 private:
  uint8_t m_limit;
  std::vector<uint32_t> m_values;
};

}  // namespace presil::sync
