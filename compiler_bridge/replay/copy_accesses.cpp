// What moves or is computed outside the DLA: DMA commands and host tasks.
#include <cstring>

#include "compiler_bridge/replay/accesses.h"
#include "compiler_bridge/replay/spans.h"
#include "driver/kernels/host/kernels.h"
#include "models/base/refusal.h"
#include "rtl/host/host_task.h"

namespace presil::replay {
namespace {

/// One end of a DMA command: a row and four dimensions, n1 innermost.
std::vector<Span> rows(Space space, uint64_t base, uint32_t row, const std::array<uint16_t, 4>& n,
                       const std::array<int32_t, 4>& stride) {
  Spans spans(space);
  for (int64_t d = 0; d < n[3]; ++d) {
    for (int64_t c = 0; c < n[2]; ++c) {
      for (int64_t b = 0; b < n[1]; ++b) {
        const int64_t at =
            static_cast<int64_t>(base) + d * stride[3] + c * stride[2] + b * stride[1];
        for (int64_t a = 0; a < n[0]; ++a) spans.add(at + a * stride[0], row);
      }
    }
  }
  return spans.take();
}

Space space_of(dma::Space space, uint8_t region) {
  return space == dma::Space::kSram ? kSram : region_space(region);
}

}  // namespace

std::vector<Access> accesses_of(const dma::Command& c) {
  std::vector<Access> all;
  if (c.op == dma::Op::kCopy) {
    all.push_back({kIn, false, "source",
                   rows(space_of(c.src_space, c.src_region), c.src_base, c.src_row_bytes, c.src_n,
                        c.src_stride)});
  }
  if (c.op != dma::Op::kNop) {
    all.push_back({kIn, true, "destination",
                   rows(space_of(c.dst_space, c.dst_region), c.dst_base, c.dst_row_bytes, c.dst_n,
                        c.dst_stride)});
  }
  return all;
}

std::vector<Access> accesses_of(const host::Command& c, const uint8_t* image, uint64_t bytes) {
  if (c.op == host::Op::kNop) return {};
  if (uint64_t{c.tensors_offset} + c.tensors_bytes > bytes) {
    throw Refusal("memory", "a host task's tensor list ends at " +
                                std::to_string(uint64_t{c.tensors_offset} + c.tensors_bytes) +
                                ", outside the image of " + std::to_string(bytes) + " bytes");
  }
  const uint32_t count = c.tensors_bytes / PRESIL_HOST_TENSOR_BYTES;
  const uint32_t reads = presil_kernel_reads(c.kernel_id, count);
  std::vector<Access> all;
  for (uint32_t i = 0; i < count; ++i) {
    presil_host_tensor tensor;
    std::memcpy(&tensor, image + c.tensors_offset + i * PRESIL_HOST_TENSOR_BYTES, sizeof tensor);
    uint64_t size = presil_dtype_bytes(tensor.dtype);
    for (uint32_t k = 0; k < tensor.rank && k < 6; ++k) size *= tensor.shape[k];
    Spans spans(region_space(tensor.region));
    spans.add(static_cast<int64_t>(tensor.offset), static_cast<int64_t>(size));
    all.push_back({kIn, i >= reads, i < reads ? "an operand" : "a result", spans.take()});
  }
  return all;
}

}  // namespace presil::replay
