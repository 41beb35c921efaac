#include "compiler_bridge/plan/dma_copy.h"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace presil::plan {
namespace {

constexpr uint64_t kMostRowBytes = dma::Command::kSrcRowBytesMax;
constexpr uint64_t kMostSteps = dma::Command::kSrcN1Max;
constexpr int kMostElementBytes = dma::Command::kElemBytesMax;

/// A row and the dimensions around it, innermost first.
struct Walk {
  uint64_t base = 0;
  uint64_t row = 0;
  struct Dimension {
    uint64_t n = 1;
    int64_t stride = 0;
  };
  std::vector<Dimension> dimensions;

  /// Fewer and larger dimensions that walk the same bytes in the same order.
  Walk joined() const {
    Walk walk{base, row, {}};
    for (const Dimension& d : dimensions) {
      if (d.n == 1) continue;
      auto& out = walk.dimensions;
      if (out.empty() && d.stride == int64_t(walk.row) && walk.row * d.n <= kMostRowBytes) {
        walk.row *= d.n;
      } else if (!out.empty() && d.stride == out.back().stride * int64_t(out.back().n) &&
                 out.back().n * d.n <= kMostSteps) {
        out.back().n *= d.n;
      } else {
        out.push_back(d);
      }
    }
    return walk;
  }
};

Walk words_of(const View& v) {
  return {v.base,
          16,
          {{uint64_t(v.blocks), v.block_pitch},
           {uint64_t(v.columns), v.x_step},
           {uint64_t(v.rows), v.row_pitch}}};
}

Walk rows_of(const View& v) {
  return {v.base,
          v.row_bytes(),
          {{uint64_t(v.rows), v.row_pitch}, {uint64_t(v.blocks), v.block_pitch}}};
}

Walk pixels_of(const LinearView& v) {
  return {v.base,
          uint64_t(v.channels),
          {{uint64_t(v.columns), v.x_step}, {uint64_t(v.rows), v.row_pitch}}};
}

template <class N, class Stride>
void put(const Walk& walk, uint64_t& base, uint32_t& row, N& n, Stride& stride) {
  const Walk joined = walk.joined();
  const bool fits = std::all_of(joined.dimensions.begin(), joined.dimensions.end(),
                                [](const Walk::Dimension& d) { return d.n <= kMostSteps; });
  if (!fits || joined.row > kMostRowBytes || joined.dimensions.size() > n.size()) {
    throw std::logic_error("plan: a DMA command with a row of " + std::to_string(joined.row) +
                           " bytes and " + std::to_string(joined.dimensions.size()) +
                           " dimensions was asked for");
  }
  base = joined.base;
  row = static_cast<uint32_t>(joined.row);
  n.fill(1);
  stride.fill(0);
  for (size_t i = 0; i < joined.dimensions.size(); ++i) {
    n[i] = static_cast<uint16_t>(joined.dimensions[i].n);
    stride[i] = static_cast<int32_t>(joined.dimensions[i].stride);
  }
}

dma::Command make(Space from_space, const Walk& from, Space to_space, const Walk& to) {
  dma::Command c = dma::Command::make(dma::Op::kCopy);
  if (from_space != kSram) {
    c.src_space = dma::Space::kSystem;
    c.src_region = static_cast<uint8_t>(from_space - 1);
  }
  if (to_space != kSram) {
    c.dst_space = dma::Space::kSystem;
    c.dst_region = static_cast<uint8_t>(to_space - 1);
  }
  put(from, c.src_base, c.src_row_bytes, c.src_n, c.src_stride);
  put(to, c.dst_base, c.dst_row_bytes, c.dst_n, c.dst_stride);
  return c;
}

/// Splits off the channels beyond the last whole block, when an element would be too long.
template <class Copy>
bool split(const LinearView& flat, const View& view, const Copy& copy,
           std::vector<DmaCopy>& copies) {
  const int rest = flat.channels % 16;
  if (rest == 0 || flat.channels <= kMostElementBytes) return false;
  LinearView whole = flat, tail = flat;
  View whole_view = view, tail_view = view;
  whole.channels = flat.channels - rest;
  whole_view.blocks = view.blocks - 1;
  tail.channels = rest;
  tail.base = flat.base + uint64_t(whole.channels);
  tail_view.blocks = 1;
  tail_view.base = view.base + uint64_t(view.block_pitch) * uint64_t(whole_view.blocks);
  copies = copy(whole, whole_view);
  for (DmaCopy& more : copy(tail, tail_view)) copies.push_back(std::move(more));
  return true;
}

// ---- weight sets

/// A range of output channels and of blocks of 16 input channels that one walk can say.
struct Patch {
  int row = 0, rows = 0, block = 0, blocks = 0;
};

int words_of_set_row(const WeightSets& sets) {
  return static_cast<int>(sets.macs_c) / 16;
}

/// Whole groups of macs_k channels and the rest, times whole sets of macs_c lanes and the rest.
std::vector<Patch> patches(int rows, int blocks, int last_alone, const WeightSets& sets) {
  const int group = static_cast<int>(sets.macs_k), rest_rows = rows % group;
  const int rest = std::max(blocks % words_of_set_row(sets), last_alone);
  std::vector<Patch> all;
  for (const Patch& part : {Patch{0, 0, 0, blocks - rest}, Patch{0, 0, blocks - rest, rest}}) {
    if (part.blocks == 0) continue;
    all.push_back({0, rows - rest_rows, part.block, part.blocks});
    all.push_back({rows - rest_rows, rest_rows, part.block, part.blocks});
  }
  all.erase(std::remove_if(all.begin(), all.end(), [](const Patch& p) { return p.rows == 0; }),
            all.end());
  return all;
}

/// Words in the order of rows, a row's blocks one after another; or in the order of blocks.
enum class Order : uint8_t { kRows, kBlocks };
Walk words_of(const WeightSets& sets, const Patch& p, Order order = Order::kRows) {
  const int words = words_of_set_row(sets), group = static_cast<int>(sets.macs_k);
  const int side = std::min(words, p.blocks);
  const uint64_t base = sets.base + uint64_t(p.row / group) * sets.kb_pitch +
                        uint64_t(p.block / words) * sets.cb_pitch +
                        uint64_t(p.block % words) * kWordBytes;
  Walk walk{base,
            kWordBytes,
            {{uint64_t(side), kWordBytes},
             {uint64_t(p.blocks / side), sets.cb_pitch},
             {uint64_t(std::min(p.rows, group)), sets.macs_c},
             {uint64_t(std::max(1, p.rows / group)), sets.kb_pitch}}};
  const auto rows = walk.dimensions.begin() + 2;
  if (order == Order::kBlocks) std::rotate(walk.dimensions.begin(), rows, walk.dimensions.end());
  return walk;
}

Access access(const WeightSets& sets, const Walk& walk) {
  uint64_t end = walk.base + walk.row;
  for (const Walk::Dimension& d : walk.dimensions) end += (d.n - 1) * uint64_t(d.stride);
  return {kSram, Gate::kOut, true, std::min(sets.base, walk.base), end};
}

}  // namespace

// Block by block, as they lie in `from`: a block's rows are neighbours there.
std::vector<DmaCopy> copy_to_sets(const View& from, const WeightSets& to) {
  std::vector<DmaCopy> copies;
  for (const Patch& p : patches(from.columns, from.blocks, 0, to)) {
    View part = from;
    part.base += uint64_t(p.row) * from.x_step + uint64_t(p.block) * from.block_pitch;
    part.columns = p.rows, part.blocks = p.blocks;
    const Walk sets = words_of(to, p, Order::kBlocks);
    Walk words = words_of(part);
    std::rotate(words.dimensions.begin(), words.dimensions.begin() + 1, words.dimensions.end());
    DmaCopy copy;
    copy.command = make(from.space, words, kSram, sets);
    copy.accesses = accesses(part, Gate::kIn, false);
    copy.accesses.push_back(access(to, sets));
    copies.push_back(std::move(copy));
  }
  return copies;
}

std::vector<DmaCopy> load_sets(const LinearView& from, const WeightSets& to, bool flip_sign) {
  const int blocks = (from.channels + 15) / 16, rest = from.channels % 16;
  const int last_alone = rest != 0 && from.channels > kMostElementBytes ? 1 : 0;
  std::vector<DmaCopy> copies;
  for (const Patch& p : patches(from.columns, blocks, last_alone, to)) {
    LinearView part = from;
    part.base += uint64_t(p.row) * from.x_step + uint64_t(p.block) * 16;
    part.columns = p.rows;
    part.channels = std::min(from.channels, 16 * (p.block + p.blocks)) - 16 * p.block;
    const Walk sets = words_of(to, p);
    DmaCopy copy;
    copy.command = make(from.space, pixels_of(part), kSram, sets);
    if (part.channels % 16 != 0) {
      copy.command.pack = dma::Pack::kPad;
      copy.command.elem_bytes = static_cast<uint16_t>(part.channels);
      copy.command.pattern = 0x01010101u * static_cast<uint8_t>(to.zero);
    }
    copy.command.xor80 = flip_sign;
    copy.accesses = {access(part, false), access(to, sets)};
    copies.push_back(std::move(copy));
  }
  return copies;
}

std::vector<DmaCopy> fill_sets(int rows, int blocks, const WeightSets& to) {
  const int words = words_of_set_row(to), group = static_cast<int>(to.macs_k);
  if (blocks % words == 0) return {};
  const int groups = (rows + group - 1) / group;
  Patch unused{0, groups * group, blocks, words - blocks % words};
  const Walk sets = words_of(to, unused);
  DmaCopy copy;
  copy.command = dma::Command::make(dma::Op::kFill);
  put(sets, copy.command.dst_base, copy.command.dst_row_bytes, copy.command.dst_n,
      copy.command.dst_stride);
  copy.command.pattern = 0x01010101u * static_cast<uint8_t>(to.zero);
  copy.accesses = {access(to, sets)};
  return {copy};
}

DmaCopy copy_bytes(Space from_space, uint64_t from, Space to_space, uint64_t to, uint64_t bytes) {
  // A run too long for one row becomes equal rows.
  uint64_t row = bytes;
  for (uint64_t parts = 1; row > kMostRowBytes || bytes % row != 0; ++parts) row = bytes / parts;
  const uint64_t n = bytes / row;
  DmaCopy copy;
  copy.command =
      make(from_space, {from, row, {{n, int64_t(row)}}}, to_space, {to, row, {{n, int64_t(row)}}});
  copy.accesses = {{from_space, Gate::kIn, false, from, from + bytes},
                   {to_space, Gate::kOut, true, to, to + bytes}};
  return copy;
}

std::vector<DmaCopy> copy_rows(const common::Move& move, Space from_space, uint64_t from,
                               Space to_space, uint64_t to, bool flip_sign) {
  for (size_t i = 0; i < move.loops.size(); ++i) {
    const common::Move::Loop& loop = move.loops[i];
    if (loop.n <= int64_t(kMostSteps)) continue;
    common::Move head = move, tail = move;
    head.loops[i].n = loop.n / 2, tail.loops[i].n = loop.n - loop.n / 2;
    tail.from += loop.from * head.loops[i].n, tail.to += loop.to * head.loops[i].n;
    std::vector<DmaCopy> copies = copy_rows(head, from_space, from, to_space, to, flip_sign);
    for (DmaCopy& copy : copy_rows(tail, from_space, from, to_space, to, flip_sign)) {
      copies.push_back(std::move(copy));
    }
    return copies;
  }
  const uint64_t from_first = from + uint64_t(move.from), to_first = to + uint64_t(move.to);
  if (move.loops.empty()) {
    std::vector<DmaCopy> copies = {
        copy_bytes(from_space, from_first, to_space, to_first, uint64_t(move.row))};
    copies.front().command.xor80 = flip_sign;
    return copies;
  }
  Walk source{from_first, uint64_t(move.row), {}}, destination{to_first, uint64_t(move.row), {}};
  Access read{from_space, Gate::kIn, false, from_first, from_first + uint64_t(move.row)};
  Access write{to_space, Gate::kOut, true, to_first, to_first + uint64_t(move.row)};
  for (const common::Move::Loop& loop : move.loops) {
    source.dimensions.push_back({uint64_t(loop.n), loop.from});
    destination.dimensions.push_back({uint64_t(loop.n), loop.to});
    const int64_t reach = loop.from * (loop.n - 1);
    (reach < 0 ? read.begin : read.end) += uint64_t(reach);
    write.end += uint64_t(loop.to * (loop.n - 1));
  }
  DmaCopy copy;
  copy.command = make(from_space, source, to_space, destination);
  copy.command.xor80 = flip_sign;
  copy.accesses = {read, write};
  return {copy};
}

DmaCopy copy_view(const View& from, const View& to) {
  DmaCopy copy;
  const bool dense = from.has_dense_rows() && to.has_dense_rows();
  copy.command = dense ? make(from.space, rows_of(from), to.space, rows_of(to))
                       : make(from.space, words_of(from), to.space, words_of(to));
  copy.accesses = accesses(from, Gate::kIn, false);
  for (const Access& a : accesses(to, Gate::kOut, true)) copy.accesses.push_back(a);
  return copy;
}

std::vector<DmaCopy> load_linear(const LinearView& from, const View& to, bool flip_sign) {
  std::vector<DmaCopy> copies;
  const auto again = [&](const LinearView& f, const View& v) {
    return load_linear(f, v, flip_sign);
  };
  if (to.words && split(from, to, again, copies)) return copies;
  DmaCopy copy;
  copy.command = make(from.space, pixels_of(from), to.space, to.words ? words_of(to) : rows_of(to));
  if (to.words && from.channels % 16 != 0) {
    copy.command.pack = dma::Pack::kPad;
    copy.command.elem_bytes = static_cast<uint16_t>(from.channels);
  }
  copy.command.xor80 = flip_sign;
  copy.accesses = accesses(to, Gate::kOut, true);
  copy.accesses.push_back(access(from, false));
  return {copy};
}

std::vector<DmaCopy> store_linear(const View& from, const LinearView& to, bool flip_sign) {
  std::vector<DmaCopy> copies;
  const auto again = [&](const LinearView& f, const View& v) {
    return store_linear(v, f, flip_sign);
  };
  if (split(to, from, again, copies)) return copies;
  DmaCopy copy;
  copy.command = make(from.space, words_of(from), to.space, pixels_of(to));
  if (to.channels % 16 != 0) {
    copy.command.pack = dma::Pack::kDrop;
    copy.command.elem_bytes = static_cast<uint16_t>(to.channels);
  }
  copy.command.xor80 = flip_sign;
  copy.accesses = accesses(from, Gate::kIn, false);
  copy.accesses.push_back(access(to, true));
  return {copy};
}

}  // namespace presil::plan
