#include "compiler_bridge/plan/memory.h"

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>

namespace presil::plan {
namespace {

uint64_t align_up(uint64_t value, uint64_t align) {
  return (value + align - 1) / align * align;
}

/// Buffers by the steps in which they live: whom a new one meets is found without looking at all.
class Neighbours {
 public:
  Neighbours(const std::vector<Buffer>& buffers, Apart apart) : m_buffers(buffers), m_apart(apart) {
    int last = 0;
    for (const Buffer& buffer : buffers) last = std::max({last, buffer.first, buffer.last});
    m_begin.resize(size_t(last) + 1), m_live.resize(size_t(last) + 1);
  }

  void add(size_t i) {
    const Buffer& buffer = m_buffers[i];
    if (buffer.first > buffer.last) return;
    m_begin[size_t(buffer.first)].push_back(i);
    if (buffer.first < m_apart.before) m_head.push_back(i);
    if (buffer.last >= m_apart.from) m_tail.push_back(i);
    for (int step = buffer.first; step <= buffer.last; ++step) m_live[size_t(step)].push_back(i);
  }

  /// Those that live in its first step, and those that begin after it.
  std::vector<size_t> of(const Buffer& buffer) const {
    if (buffer.first > buffer.last) return {};
    std::vector<size_t> all = m_live[size_t(buffer.first)];
    for (int step = buffer.first + 1; step <= buffer.last; ++step) {
      const std::vector<size_t>& more = m_begin[size_t(step)];
      all.insert(all.end(), more.begin(), more.end());
    }
    if (buffer.first < m_apart.before) all.insert(all.end(), m_tail.begin(), m_tail.end());
    if (buffer.last >= m_apart.from) all.insert(all.end(), m_head.begin(), m_head.end());
    return all;
  }

 private:
  const std::vector<Buffer>& m_buffers;
  const Apart m_apart;
  std::vector<std::vector<size_t>> m_begin, m_live;  ///< by step
  std::vector<size_t> m_head, m_tail;
};

/// Puts buffers, in the order given, at the lowest offset that is free while they live.
Placing first_fit(const std::vector<Buffer>& buffers, const std::vector<size_t>& order,
                  Apart apart) {
  Placing placing;
  placing.offsets.assign(buffers.size(), 0);
  Neighbours placed(buffers, apart);
  for (size_t i : order) {
    const Buffer& buffer = buffers[i];
    uint64_t offset = 0;
    std::vector<size_t> neighbours = placed.of(buffer);
    placing.looked_at += neighbours.size() + 1;
    std::sort(neighbours.begin(), neighbours.end(),
              [&](size_t a, size_t b) { return placing.offsets[a] < placing.offsets[b]; });
    for (size_t other : neighbours) {
      if (offset + buffer.bytes <= placing.offsets[other]) break;  // fits into the gap before it
      const uint64_t end = placing.offsets[other] + buffers[other].bytes;
      offset = std::max(offset, align_up(end, buffer.align));
    }
    placing.offsets[i] = offset;
    placing.peak = std::max(placing.peak, offset + buffer.bytes);
    placed.add(i);
  }
  return placing;
}

constexpr int kMostRepairs = 4;

}  // namespace

Placing place_buffers(const std::vector<Buffer>& buffers, uint64_t enough, Apart apart) {
  const auto duration = [](const Buffer& b) { return static_cast<uint64_t>(b.last - b.first + 1); };
  using Less = std::function<bool(const Buffer&, const Buffer&)>;
  const Less orders[] = {
      [](const Buffer& a, const Buffer& b) { return a.bytes > b.bytes; },
      [&](const Buffer& a, const Buffer& b) {
        return a.bytes * duration(a) > b.bytes * duration(b);
      },
      [](const Buffer& a, const Buffer& b) { return a.first < b.first; },
  };
  const uint64_t least = highest_pressure(buffers).bytes;
  Placing best;
  std::vector<size_t> best_order;
  bool any = false;
  uint64_t looked_at = 0;
  const auto try_order = [&](const std::vector<size_t>& order) {
    Placing placing = first_fit(buffers, order, apart);
    looked_at += placing.looked_at;
    if (any && placing.peak >= best.peak) return false;
    best = std::move(placing), best_order = order;
    return any = true;
  };
  for (const Less& less : orders) {
    if (any && best.peak == least) break;  // none is better
    std::vector<size_t> order(buffers.size());
    std::iota(order.begin(), order.end(), size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](size_t a, size_t b) { return less(buffers[a], buffers[b]); });
    try_order(order);
  }
  // What lies too high goes first, as long as that helps.
  for (int more = 0; more < kMostRepairs && best.peak > enough && least <= enough; ++more) {
    std::vector<size_t> order = best_order;
    std::stable_partition(order.begin(), order.end(),
                          [&](size_t i) { return best.offsets[i] + buffers[i].bytes > enough; });
    if (!try_order(order)) break;
  }
  best.looked_at = looked_at;
  return best;
}

Pressure highest_pressure(const std::vector<Buffer>& buffers) {
  std::map<int, int64_t> change;  // step -> bytes that begin there, less those that ended before
  for (const Buffer& buffer : buffers) {
    change[buffer.first] += static_cast<int64_t>(buffer.bytes);
    change[buffer.last + 1] -= static_cast<int64_t>(buffer.bytes);
  }
  Pressure highest;
  int64_t bytes = 0;
  for (const auto& [step, delta] : change) {
    bytes += delta;
    if (bytes > static_cast<int64_t>(highest.bytes)) highest = {step, static_cast<uint64_t>(bytes)};
  }
  return highest;
}

}  // namespace presil::plan
