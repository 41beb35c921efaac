#include "compiler_bridge/plan/tiling.h"

#include <algorithm>

namespace presil::plan {
namespace {

struct Span {
  int begin = 0, end = 0, pad = 0;
};

/// Input indices that outputs [begin, end) read along one axis, clipped to the image.
Span span_of(int begin, int end, int stride, int dilation, int kernel, int pad, int size) {
  const int first = begin * stride - pad;
  const int last = (end - 1) * stride - pad + (kernel - 1) * dilation;
  Span span;
  span.pad = std::max(0, -first);
  if (first >= size) {
    // After the image altogether (a pass that pads): as if all of it lay before the last pixel.
    return {size - 1, size, (end - begin - 1) * stride + (kernel - 1) * dilation + 1};
  }
  // A window that lies in the padding altogether still names one pixel: sizes are never 0.
  span.begin = std::min(std::max(0, first), size - 1);
  span.end = std::max(std::min(size, last + 1), span.begin + 1);
  return span;
}

/// Taps of output `o` that are inside the image, along one axis.
int inside(int o, int stride, int kernel, int pad, int size) {
  const int first = o * stride - pad;
  return std::min(first + kernel, size) - std::max(first, 0);
}

std::vector<Part> parts(int outputs, int most) {
  std::vector<Part> all;
  all.reserve(static_cast<size_t>((outputs + most - 1) / most));
  for (int o = 0; o < outputs; o += most) all.push_back({o, std::min(o + most, outputs)});
  return all;
}

/// @param taps  of an output; a part ends where they change
template <class Taps>
std::vector<Part> parts(int outputs, int most, const Taps& taps) {
  std::vector<Part> all;
  for (int o = 0; o < outputs; ++o) {
    const bool full = !all.empty() && o - all.back().begin == most;
    if (all.empty() || full || taps(o) != taps(o - 1)) all.push_back({o, o});
    all.back().end = o + 1;
  }
  return all;
}

int rows_inside(const layer::DlaLayer& layer, int o) {
  return inside(o, layer.stride_y, layer.kernel_h, layer.pad_top, layer.in_h);
}
int columns_inside(const layer::DlaLayer& layer, int o) {
  return inside(o, layer.stride_x, layer.kernel_w, layer.pad_left, layer.in_w);
}

}  // namespace

bool one_by_one(int stride, int outputs) {
  return stride > layer::kMostStride && outputs > 1;
}

std::vector<Part> row_parts(const layer::DlaLayer& layer, int most) {
  if (!layer.divide_inside) return parts(layer.out_h, most);
  return parts(layer.out_h, most, [&](int o) { return rows_inside(layer, o); });
}

std::vector<Part> column_parts(const layer::DlaLayer& layer, int most) {
  if (!layer.divide_inside) return parts(layer.out_w, most);
  return parts(layer.out_w, most, [&](int o) { return columns_inside(layer, o); });
}

int count_parts(const layer::DlaLayer& layer, int rows, int columns) {
  if (!layer.divide_inside) {
    return ((layer.out_h + rows - 1) / rows) * ((layer.out_w + columns - 1) / columns);
  }
  return static_cast<int>(row_parts(layer, rows).size() * column_parts(layer, columns).size());
}

int taps_inside(const layer::DlaLayer& layer, const Tile& tile) {
  return rows_inside(layer, tile.y0) * columns_inside(layer, tile.x0);
}

Window window_of(const layer::DlaLayer& layer, const Tile& tile) {
  if (layer.diagonal != 0) {  // those pixels of the matrix that pick the tile's channels
    const int first = tile.x0 % layer.diagonal;
    return {0, 1, first, first + tile.columns(), 0, 0};
  }
  const Span y = span_of(tile.y0, tile.y1, layer.stride_y, layer.dil_y, layer.kernel_h,
                         layer.pad_top, layer.in_h);
  const Span x = span_of(tile.x0, tile.x1, layer.stride_x, layer.dil_x, layer.kernel_w,
                         layer.pad_left, layer.in_w);
  return {y.begin, y.end, x.begin, x.end, y.pad, x.pad};
}

std::vector<Tile> block_tiles(const std::vector<Run>& runs, const Tiling& tiling) {
  std::vector<Tile> tiles;
  const auto add = [&](int b0, int b1) -> Tile& {
    tiles.emplace_back();
    tiles.back().b0 = b0, tiles.back().b1 = b1;
    return tiles.back();
  };
  if (tiling.in_blocks == 0) {
    const int blocks = runs.back().b1;
    size_t r = 0;
    for (int b = 0; b < blocks; b += tiling.blocks) {
      Tile& tile = add(b, std::min(b + tiling.blocks, blocks));
      while (runs[r].b1 <= b) ++r;
      for (size_t i = r; i < runs.size() && runs[i].b0 < tile.b1; ++i) {
        tile.runs.push_back(
            runs[i].outputs(std::max(runs[i].b0, b), std::min(runs[i].b1, tile.b1)));
      }
    }
    return tiles;
  }
  for (const Run& run : runs) {
    for (int b = run.b0; b < run.b1; b += tiling.blocks) {
      const Run outputs = run.outputs(b, std::min(b + tiling.blocks, run.b1));
      for (int c = 0; c < run.in_blocks; c += tiling.in_blocks) {
        const int rest = run.in_blocks - c;
        Tile& tile = add(b, outputs.b1);
        tile.runs.push_back(outputs.inputs(c, std::min(tiling.in_blocks, rest)));
        tile.first = c == 0;
        tile.last = rest <= tiling.in_blocks;
      }
    }
  }
  return tiles;
}

std::vector<Tile> tiles_of(const layer::DlaLayer& layer, const std::vector<Run>& runs,
                           const Tiling& tiling) {
  const std::vector<Tile> blocks = block_tiles(runs, tiling);
  const std::vector<Part> columns = column_parts(layer, tiling.columns);
  std::vector<Tile> pixels, tiles;
  for (const Part& y : row_parts(layer, tiling.rows)) {
    for (const Part& x : columns) pixels.push_back({y.begin, y.end, x.begin, x.end, 0, 0});
  }
  /// All parts of the sums that begin at block tile i. @return after them
  const auto add = [&](const Tile& pixel, size_t i) {
    for (bool last = false; !last; ++i) {
      Tile tile = blocks[i];
      tile.y0 = pixel.y0, tile.y1 = pixel.y1, tile.x0 = pixel.x0, tile.x1 = pixel.x1;
      last = tile.last;
      tiles.push_back(std::move(tile));
    }
    return i;
  };
  if (tiling.blocks_outer) {
    for (size_t i = 0, next = 0; i < blocks.size(); i = next) {
      for (const Tile& pixel : pixels) next = add(pixel, i);
    }
  } else {
    for (const Tile& pixel : pixels) {
      for (size_t i = 0; i < blocks.size();) i = add(pixel, i);
    }
  }
  return tiles;
}

int window_rows(const layer::DlaLayer& layer, int out) {
  return std::min(layer.in_h, (out - 1) * layer.stride_y + (layer.kernel_h - 1) * layer.dil_y + 1);
}

int window_columns(const layer::DlaLayer& layer, int out) {
  return std::min(layer.in_w, (out - 1) * layer.stride_x + (layer.kernel_w - 1) * layer.dil_x + 1);
}

int most_columns(const layer::DlaLayer& layer, const DlaConfig& config) {
  constexpr int kFieldLimit = dla::Command::kOutWMax;
  return layer.op == dla::Op::kPass ? kFieldLimit : static_cast<int>(config.acc_depth);
}

int diagonal_columns(const layer::DlaLayer& layer, const DlaConfig& config) {
  int columns = layer.diagonal;
  while (columns > most_columns(layer, config) || layer.diagonal % columns != 0) --columns;
  return columns;
}

std::vector<int> part_sizes(int whole, int unit) {
  std::vector<int> sizes;
  const int units = (whole + unit - 1) / unit;
  for (int parts = 1; parts <= units; ++parts) {
    const int size = (units + parts - 1) / parts * unit;
    if (sizes.empty() || size < sizes.back()) sizes.push_back(size);
  }
  return sizes;
}

}  // namespace presil::plan
