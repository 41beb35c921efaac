#include "pool_tiles.h"

#include <algorithm>
#include <cstring>

#include "pool_core.h"
#include "pool_positions.h"

namespace presil::pool {
namespace {

Op op_of(PoolLayer::Kind kind) {
  switch (kind) {
    case PoolLayer::Kind::kMax:
      return Op::kMax;
    case PoolLayer::Kind::kAverage:
      return Op::kAverage;
    case PoolLayer::Kind::kNearest:
      return Op::kNearest;
    default:
      return Op::kBilinear;
  }
}

/// Words of entries, the last one filled up.
void append(std::vector<uint8_t>& bytes, const std::vector<Position>& positions) {
  const size_t begin = bytes.size();
  bytes.resize(begin + (4 * positions.size() + kWord - 1) / kWord * kWord, 0);
  for (size_t i = 0; i < positions.size(); ++i) {
    const uint32_t entry = entry_of(positions[i]);
    std::memcpy(&bytes[begin + 4 * i], &entry, sizeof entry);
  }
}

}  // namespace

engine::Part part_read(const PoolLayer& layer, const engine::Tile& tile) {
  if (layer.resizes()) {
    const Position first = position(layer, rows_of(layer), tile.y0);
    const Position last = position(layer, rows_of(layer), tile.y1 - 1);
    return {first.first, last.first + (last.further ? 1 : 0) + 1, tile.b0, tile.b1};
  }
  const int first = tile.y0 * layer.stride_y - layer.pad_top;
  const int end = (tile.y1 - 1) * layer.stride_y - layer.pad_top + layer.kernel_h;
  return {std::max(first, 0), std::min(end, layer.in_h), tile.b0, tile.b1};
}

std::vector<uint8_t> tables(const PoolLayer& layer, const engine::Tile& tile) {
  std::vector<uint8_t> bytes;
  if (!layer.resizes()) return bytes;
  append(bytes, positions(layer, columns_of(layer), 0, layer.out_w));
  std::vector<Position> rows = positions(layer, rows_of(layer), tile.y0, tile.y1);
  const uint16_t first = rows.front().first;
  for (Position& row : rows) row.first = static_cast<uint16_t>(row.first - first);
  append(bytes, rows);
  return bytes;
}

Command command_of(const PoolLayer& layer, const engine::Tile& tile) {
  const engine::Part read = part_read(layer, tile);
  Command c = Command::make(op_of(layer.op));
  if (c.op == Op::kAverage || c.op == Op::kBilinear) {
    c.rounding = layer.rounds_up ? Rounding::kUp : Rounding::kAway;
  }
  c.clamp_low = static_cast<int8_t>(layer.clamp_low);
  c.clamp_high = static_cast<int8_t>(layer.clamp_high);
  c.in_h = static_cast<uint16_t>(read.rows());
  c.in_w = static_cast<uint16_t>(layer.in_w);
  c.out_h = static_cast<uint16_t>(tile.rows());
  c.out_w = static_cast<uint16_t>(layer.out_w);
  c.blocks = static_cast<uint16_t>(tile.blocks());
  if (layer.resizes()) return c;
  c.kernel_h = static_cast<uint8_t>(layer.kernel_h);
  c.kernel_w = static_cast<uint8_t>(layer.kernel_w);
  c.stride_y = static_cast<uint8_t>(layer.stride_y);
  c.stride_x = static_cast<uint8_t>(layer.stride_x);
  c.pad_top = static_cast<uint8_t>(std::max(layer.pad_top - tile.y0 * layer.stride_y, 0));
  c.pad_left = static_cast<uint8_t>(layer.pad_left);
  return c;
}

std::vector<engine::Bytes> touched(const Command& c) {
  std::vector<engine::Bytes> all;
  const auto tensor = [&](bool write, uint64_t base, uint32_t block_pitch, uint32_t row_pitch,
                          unsigned rows, unsigned columns) {
    for (unsigned b = 0; b < c.blocks; ++b) {
      for (unsigned y = 0; y < rows; ++y) {
        const uint64_t begin = base + uint64_t{b} * block_pitch + uint64_t{y} * row_pitch;
        all.push_back({write, begin, begin + uint64_t{kWord} * columns});
      }
    }
  };
  tensor(false, c.in_base, c.in_block_pitch, c.in_row_pitch, c.in_h, c.in_w);
  if (const unsigned words = table_words(c)) {
    all.push_back({false, c.table_base, c.table_base + uint64_t{kWord} * words});
  }
  tensor(true, c.out_base, c.out_block_pitch, c.out_row_pitch, c.out_h, c.out_w);
  return all;
}

}  // namespace presil::pool
