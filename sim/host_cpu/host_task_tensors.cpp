#include "sim/host_cpu/host_task_tensors.h"

#include <algorithm>
#include <cstring>

#include "driver/kernels/host/kernels.h"
#include "rtl/host/host.h"
#include "rtl/host/host_task.h"
#include "rtl/soc/address_map.h"

namespace presil::host_cpu {

std::vector<TaskBytes> bytes_of_task(const uint32_t* words, const uint8_t* image) {
  const auto field = [words](unsigned f) {
    return static_cast<uint64_t>(presil_field_get(words, &presil_host_command_fields()[f]));
  };
  std::vector<TaskBytes> all;
  if (field(PRESIL_HOST_COMMAND_OP) != PRESIL_HOST_OP_RUN) return all;
  const uint64_t list = field(PRESIL_HOST_COMMAND_TENSORS_OFFSET);
  const uint64_t list_bytes = field(PRESIL_HOST_COMMAND_TENSORS_BYTES);
  all.push_back({PRESIL_REGION_CONSTANTS, list, list_bytes, false});
  all.push_back({PRESIL_REGION_CONSTANTS, field(PRESIL_HOST_COMMAND_ATTRIBUTES_OFFSET),
                 field(PRESIL_HOST_COMMAND_ATTRIBUTES_BYTES), false});
  const auto kernel = static_cast<uint32_t>(field(PRESIL_HOST_COMMAND_KERNEL_ID));
  const auto count = static_cast<uint32_t>(list_bytes / PRESIL_HOST_TENSOR_BYTES);
  const uint32_t reads = presil_kernel_reads(kernel, count);
  for (uint32_t i = 0; i < count; ++i) {
    presil_host_tensor entry;
    std::memcpy(&entry, image + list + i * sizeof entry, sizeof entry);
    presil_kernel_tensor tensor{};
    tensor.dtype = entry.dtype;
    tensor.rank = entry.rank;
    std::copy_n(entry.shape, entry.rank, tensor.shape);
    all.push_back({entry.region, entry.offset, static_cast<uint64_t>(presil_tensor_bytes(&tensor)),
                   i >= reads});
  }
  return all;
}

}  // namespace presil::host_cpu
