// The physical form of every tensor, before anything has an address.
//
// A tensor has one or both of two forms:
//   storage  what the DLA reads and writes: C16 blocks (or, for a convolution of few channels, dense
//            NHWC rows) in the SRAM. Several tensors may share one storage: a concatenation and its
//            inputs, a tensor and its view.
//   flat     dense NHWC in a region: network inputs and outputs, constants, what host tasks read
//            and write. A tensor and its views share one flat.
// A DLA layer makes the storage, and DMA stores fill the flat when somebody wants it; everything
// else makes the flat, and DMA loads fill the storage.
#pragma once

#include <string>
#include <vector>

#include "compiler_bridge/ir/graph.h"
#include "compiler_bridge/plan/layer.h"
#include "compiler_bridge/plan/order.h"
#include "rtl/soc/soc_config.h"

namespace presil::plan {

inline constexpr int kNone = -1;
inline constexpr int kWordBytes = 16;

/// Every lane of the output reads its own lane of the input, and no other.
inline bool is_lane_wise(const DlaLayer& layer) {
  return layer.op != dla::Op::kConv;
}

/// Pixels and channels as an engine sees a tensor.
struct Extent {
  int h = 1, w = 1, c = 1;
  bool operator==(const Extent& o) const { return h == o.h && w == o.w && c == o.c; }
};
/// Batch 1: the last axis is channels, the one before it columns, the rest rows.
Extent extent_of(const ir::Tensor& tensor);

/// A run of channels that begins at lane 0 of a block: what concatenation leaves of each input.
struct Segment {
  int channel = 0;   ///< first channel of the tensor
  int channels = 0;
  int block = 0;     ///< first block, counted from the tensor's own first
  bool operator==(const Segment& o) const {
    return channel == o.channel && channels == o.channels && block == o.block;
  }
};
/// The channels of a tensor over its blocks, ascending in both.
struct Lanes {
  std::vector<Segment> segments;

  static Lanes dense(int channels) { return {{{0, channels, 0}}}; }
  int blocks() const;
  int channels() const;
  /// Channel of lane `lane` (16 per block), -1 for padding.
  std::vector<int> channel_of_lane() const;
  bool is_dense() const { return segments.size() == 1; }
  /// Merges runs that follow each other without padding between them.
  void append(const Lanes& more);
  bool operator==(const Lanes& o) const { return segments == o.segments; }
};

enum class Form : uint8_t {
  kC16,   ///< [block][y][x][16]
  kRows,  ///< [y][x][c], rows padded to whole words: the packed mode of the DLA
};

struct Storage {
  Form form = Form::kC16;
  Extent extent;   ///< pixels; c: bytes of a pixel of kRows
  int blocks = 0;  ///< of 16 channels, all tensors together; kRows: 1
  /// Four rows read at once fall into four banks: an odd number of words per row.
  bool odd_rows = false;
  std::vector<TensorId> tensors;
  int load = kNone;         ///< index in Layout::loads; kNone: the DLA makes it
  int first = 0, last = 0;  ///< steps of the first and the last layer that touches it

  uint32_t x_step() const { return form == Form::kC16 ? kWordBytes : uint32_t(extent.c); }
  uint32_t row_pitch() const { return row_pitch(extent.w); }
  uint32_t row_pitch(int columns) const;
  uint32_t block_pitch() const { return row_pitch() * static_cast<uint32_t>(extent.h); }
  uint64_t bytes() const { return uint64_t(block_pitch()) * static_cast<uint64_t>(blocks); }
};

/// Dense NHWC bytes in a region.
struct Flat {
  unsigned region = PRESIL_REGION_SCRATCH;
  uint64_t bytes = 0;
  uint64_t offset = 0;  ///< in the region
  std::vector<TensorId> tensors;
  int first = 0, last = 0;  ///< steps of the first and the last layer that touches it
};

struct TensorPlace {
  int storage = kNone;
  int block = 0;  ///< its first block in the storage
  Lanes lanes;    ///< over its own blocks
  int flat = kNone;
  /// Where stores put what the DLA makes: its flat, and those of concatenations that it is part of.
  struct Store {
    int flat = kNone;
    int channel = 0;   ///< first channel in that flat
    int channels = 0;  ///< of a pixel of that flat
  };
  std::vector<Store> stores;
};

/// A storage that DMA fills from a flat.
struct Load {
  TensorId tensor = kNoTensor;
  int storage = kNone;
  int flat = kNone;
  int ready = 0;      ///< the first step at which the flat is whole
  int first_use = 0;  ///< the first step that reads the storage
};

/// One step is one layer that does work; views and concatenations have none.
struct Layout {
  std::vector<Layer> layers;  ///< the partition's, flattening absorbed into kernels
  std::vector<int> steps;     ///< layer index by step
  std::vector<int> step_of;   ///< step by layer, -1
  std::vector<TensorPlace> places;  ///< by tensor
  std::vector<Storage> storages;
  std::vector<Flat> flats;
  std::vector<Load> loads;
  /// Flats that are copied whole at the end: an output that is also an input, a constant or another
  /// output.
  struct Copy {
    int from = kNone, to = kNone;
  };
  std::vector<Copy> copies;
  uint64_t input_bytes = 0, output_bytes = 0;

  const Layer& layer_at(int step) const { return layers[size_t(steps[size_t(step)])]; }
  const TensorPlace& place(TensorId tensor) const { return places[size_t(tensor)]; }
  const Storage& storage_of(TensorId tensor) const {
    return storages[size_t(place(tensor).storage)];
  }
  int step_count() const { return static_cast<int>(steps.size()); }
};

/// Refuses (presil::Refusal) what has no form: layers that see a tensor in ways that do not fit
/// each other.
Layout lay_out(const ir::Graph& graph, const Partition& partition);

}  // namespace presil::plan
