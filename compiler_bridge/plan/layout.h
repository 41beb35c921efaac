// The physical form of every tensor, before anything has an address.
//
// A tensor has one or both of two forms:
//   blocked buffer  what the DLA and engines from outside read and write: C16 blocks (for a
//                   convolution of few channels: dense NHWC rows) in the SRAM. Several tensors may
//                   share one: a concatenation and its inputs, a tensor and its view.
//   linear buffer   dense NHWC in a region: network inputs and outputs, constants, what host tasks
//                   read and write; what only DSP and DMA do may stay in the SRAM too. A tensor
//                   and its views share one; so do a stack and its parts, and a slice of
//                   neighbouring bytes with what it is cut from.
// `storage` and `flat` are a tensor's index among these.
// The DSP reads and writes linear buffers, or blocked buffers where its kernel takes blocks and the
// DLA is at the other end (dsp_blocks.h); then what is said of the DLA's tensors holds for the
// DSP's. A sign-bit flip has no bytes of its own: the blocked buffer of an int8 tensor is loaded
// from the linear buffer of the uint8 one, and the linear buffer of a uint8 tensor stored from the
// blocked buffer of the int8 one. A DLA layer makes the blocked buffer, and DMA stores fill the
// linear buffer where it is read; everything else makes the linear buffer, and DMA loads fill the
// blocked one.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "compiler_bridge/plan/forms.h"
#include "compiler_bridge/plan/order.h"
#include "models/soc/soc_config.h"

namespace presil::plan {

/// Dense NHWC bytes in a region, or in the SRAM.
struct LinearBuffer {
  unsigned region = PRESIL_REGION_SCRATCH;
  uint64_t bytes = 0;
  uint64_t offset = 0;  ///< in the region
  std::vector<TensorId> tensors;
  int first = 0, last = 0;  ///< steps of the first and the last layer that touches it
  /// How often the DSP has it as it is, and layers of the DMA; where nothing else touches it but
  /// loads and stores, it may stay in the SRAM. Both 0: it may not.
  int uses_of_dsp = 0, uses_of_dma = 0;
  int uses() const { return uses_of_dsp + uses_of_dma; }
  /// By what is made in it, or stored: first byte and after the last, and the step after the
  /// last one that does so.
  struct Made {
    uint64_t begin = 0, end = 0;
    int ready = 0;
  };
  std::vector<Made> made = {};
};

struct TensorPlace {
  int storage = kNone;
  int block = 0;  ///< its first block in the storage
  Lanes lanes;    ///< over its own blocks
  /// Its pixels in the storage: those of `interleaved`, every so many.
  Lattice lattice;
  TensorId interleaved = kNoTensor;
  int flat = kNone;
  uint64_t linear_at = 0;     ///< first byte in the linear buffer,
  uint64_t linear_bytes = 0;  ///< and how many
  /// Where stores put what the DLA makes: its linear buffer, and those of concatenations that it is
  /// part of. Of a view that the DLA reads: of the tensor whose bytes it shows.
  struct Store {
    TensorId tensor = kNoTensor;  ///< whose linear buffer
    int channel = 0;              ///< first channel in that tensor
    int channels = 0;             ///< of a pixel of that tensor
    bool flip_sign = false;       ///< bit 7 of every byte
  };
  std::vector<Store> stores;
};

/// A storage that DMA fills from a linear buffer.
struct Load {
  TensorId tensor = kNoTensor;
  int storage = kNone;
  TensorId from = kNoTensor;  ///< whose linear buffer
  bool flip_sign = false;     ///< bit 7 of every byte: the linear buffer is another tensor's
  int ready = 0;              ///< the first step at which the linear buffer is whole
  int first_use = 0;          ///< the first step that reads the storage
};

/// One step is one layer that does work; views, concatenations and sign-bit flips have none.
struct Layout {
  Layers layers;                    ///< the partition's, flattening absorbed into kernels
  std::vector<int> steps;           ///< layer index by step
  std::vector<int> step_of;         ///< step by layer, -1
  std::vector<int> until;           ///< by step: the last one that begins while it is at work
  std::vector<TensorPlace> places;  ///< by tensor
  std::vector<BlockedBuffer> blocked_buffers;
  /// Blocked buffers of the images of one tensor of a batch, and by blocked buffer which of these
  /// it is in.
  std::vector<std::vector<int>> images;
  std::vector<int> images_of;
  std::vector<LinearBuffer> linear_buffers;
  std::vector<Load> loads;
  uint64_t input_bytes = 0, output_bytes = 0;

  const Layer& layer_at(int step) const { return layers[size_t(steps[size_t(step)])]; }
  const TensorPlace& place(TensorId tensor) const { return places[size_t(tensor)]; }
  const BlockedBuffer& blocked_of(TensorId tensor) const {
    return blocked_buffers[size_t(place(tensor).storage)];
  }
  /// Computed weights that the DLA made come from its storage, whole and in dense lanes; others
  /// from their linear buffer.
  bool stored_weights(TensorId tensor) const {
    const TensorPlace& p = place(tensor);
    return p.storage != kNone && blocked_buffers[size_t(p.storage)].load == kNone &&
           p.lanes.is_dense() && p.lattice.is_whole();
  }
  /// The first step at which all of a tensor is there in its linear buffer.
  int linear_ready(TensorId tensor) const;
  /// Do the tensors have bytes of a linear buffer in common?
  bool share_linear(TensorId a, TensorId b) const;
  /// All that have some with this one, itself too.
  std::vector<TensorId> sharing_linear(TensorId tensor) const;
  /// Do the tensors have bytes of a storage in common: views, a concatenation and its inputs?
  bool share_bytes(TensorId a, TensorId b) const;
  /// All that have some with this one, itself too: views, concatenations.
  std::vector<TensorId> sharing_storage(TensorId tensor) const;
  int step_count() const { return static_cast<int>(steps.size()); }
};

/// Tensors that a layer reads from, or makes in, blocked buffers.
struct StoredTensors {
  std::vector<TensorId> read, made;
};
StoredTensors stored_tensors(const Layer& layer);

/// @param layers  in an order that respects data
/// @param dense   layers of the DSP all of whose operands are to be linear buffers
/// Refuses (presil::Refusal) what has no form: layers that see a tensor in ways that do not fit
/// each other.
Layout lay_out(const ir::Graph& graph, const Layers& layers, const SocConfig& config,
               const std::set<int>& dense = {});

}  // namespace presil::plan
