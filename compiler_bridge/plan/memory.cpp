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

bool live_together(const Buffer& a, const Buffer& b) {
  return a.first <= b.last && b.first <= a.last;
}

/// Puts buffers, in the order given, at the lowest offset that is free while they live.
Placing first_fit(const std::vector<Buffer>& buffers, const std::vector<size_t>& order) {
  Placing placing;
  placing.offsets.assign(buffers.size(), 0);
  std::vector<size_t> placed;  // by offset
  for (size_t i : order) {
    const Buffer& buffer = buffers[i];
    uint64_t offset = 0;
    for (size_t other : placed) {
      if (!live_together(buffer, buffers[other])) continue;
      if (offset + buffer.bytes <= placing.offsets[other]) break;  // fits into the gap before it
      const uint64_t end = placing.offsets[other] + buffers[other].bytes;
      offset = std::max(offset, align_up(end, buffer.align));
    }
    placing.offsets[i] = offset;
    placing.peak = std::max(placing.peak, offset + buffer.bytes);
    const auto by_offset = [&](size_t a, size_t b) {
      return placing.offsets[a] < placing.offsets[b];
    };
    placed.insert(std::upper_bound(placed.begin(), placed.end(), i, by_offset), i);
  }
  return placing;
}

}  // namespace

Placing place_buffers(const std::vector<Buffer>& buffers) {
  const auto duration = [](const Buffer& b) { return static_cast<uint64_t>(b.last - b.first + 1); };
  using Less = std::function<bool(const Buffer&, const Buffer&)>;
  const Less orders[] = {
      [](const Buffer& a, const Buffer& b) { return a.bytes > b.bytes; },
      [&](const Buffer& a, const Buffer& b) {
        return a.bytes * duration(a) > b.bytes * duration(b);
      },
      [](const Buffer& a, const Buffer& b) { return a.first < b.first; },
  };
  Placing best;
  bool any = false;
  for (const Less& less : orders) {
    std::vector<size_t> order(buffers.size());
    std::iota(order.begin(), order.end(), size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](size_t a, size_t b) { return less(buffers[a], buffers[b]); });
    Placing placing = first_fit(buffers, order);
    if (!any || placing.peak < best.peak) best = std::move(placing);
    any = true;
  }
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
