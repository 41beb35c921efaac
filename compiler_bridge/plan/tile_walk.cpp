#include "compiler_bridge/plan/tile_walk.h"

#include <algorithm>
#include <limits>

namespace presil::plan {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

/// Loads, or stores: one after another.
struct Stream {
  size_t next = 0;       ///< the one under way, or waiting
  double from = kNever;  ///< when it may move data
  double left = 0;       ///< of its cycles

  bool moves(double now) const { return from <= now; }
};

class Walker {
 public:
  Walker(const TileWalk& walk, const std::vector<WalkedTile>& tiles)
      : m_walk(walk), m_tiles(tiles) {
    m_loads.from = walk.load_latency, m_loads.left = tiles.front().load;
    m_stores.left = tiles.front().store;
  }

  double run(double enough) {
    while (m_stores.next < m_tiles.size() && m_now < enough) {
      begin_compute();
      const bool both = m_loads.moves(m_now) && m_stores.moves(m_now);
      const double slower = both ? 2 * m_walk.beside : 1;
      const double end = std::min({m_compute_end, event(m_loads, slower), event(m_stores, slower)});
      for (Stream* stream : {&m_loads, &m_stores}) {
        if (stream->moves(m_now)) stream->left -= (end - m_now) / slower;
      }
      m_now = end;
      if (m_compute_end <= m_now) end_compute();
      if (is_over(m_loads)) end_load();
      if (is_over(m_stores)) end_store();
    }
    return m_now;
  }

 private:
  double event(const Stream& stream, double slower) const {
    return stream.moves(m_now) ? m_now + std::max(0.0, stream.left) * slower : stream.from;
  }

  bool is_over(const Stream& stream) const {
    constexpr double kRounding = 1e-6;  // cycles
    return stream.moves(m_now) && m_now + stream.left <= m_now + kRounding;
  }

  void begin_compute() {
    const auto depth = static_cast<size_t>(m_walk.depth);
    const bool ready = m_computed < m_loads.next && m_computed < m_stores.next + depth;
    if (m_compute_end != kNever || !ready) return;
    m_compute_end = std::max(m_now, m_walk.first_compute) + m_tiles[m_computed].compute;
  }

  void end_compute() {
    if (m_computed == m_stores.next) m_stores.from = m_now + m_walk.store_latency;
    ++m_computed;
    m_compute_end = kNever;
    if (m_loads.from == kNever && has_buffer()) m_loads.from = m_now + m_walk.load_latency;
  }

  bool has_buffer() const {
    const size_t depth = m_walk.fills_turns ? static_cast<size_t>(m_walk.depth) : m_tiles.size();
    return m_loads.next < m_tiles.size() && m_loads.next < m_computed + depth;
  }

  /// A load whose buffer is free follows the one before without a gap; so does a store.
  void end_load() {
    ++m_loads.next;
    m_loads.from = has_buffer() ? m_now : kNever;
    if (m_loads.next < m_tiles.size()) m_loads.left = m_tiles[m_loads.next].load;
  }

  void end_store() {
    ++m_stores.next;
    m_stores.from = m_stores.next < m_computed ? m_now : kNever;
    if (m_stores.next < m_tiles.size()) m_stores.left = m_tiles[m_stores.next].store;
  }

  const TileWalk& m_walk;
  const std::vector<WalkedTile>& m_tiles;
  Stream m_loads, m_stores;
  size_t m_computed = 0;
  double m_now = 0, m_compute_end = kNever;
};

}  // namespace

double TileWalk::cycles(const std::vector<WalkedTile>& tiles, double enough) const {
  return Walker(*this, tiles).run(enough);
}

}  // namespace presil::plan
