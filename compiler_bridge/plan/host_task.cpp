#include "compiler_bridge/plan/host_task.h"

#include <iterator>

#include "models/base/refusal.h"
#include "rtl/host/host_task.h"

namespace presil::plan {
namespace {

presil_host_tensor entry_of(const ir::Tensor& tensor, unsigned region, uint64_t offset) {
  presil_host_tensor entry{};
  entry.dtype = static_cast<uint32_t>(tensor.dtype);
  entry.rank = static_cast<uint32_t>(tensor.shape.size());
  if (entry.rank > std::size(entry.shape)) {
    throw Refusal("plan", "tensor " + tensor.name + " has " + std::to_string(entry.rank) +
                              " axes, a host task takes at most 6");
  }
  for (size_t i = 0; i < tensor.shape.size(); ++i) {
    entry.shape[i] = static_cast<uint32_t>(tensor.shape[i]);
  }
  entry.region = region;
  entry.offset = offset;
  if (tensor.quantization.per_tensor()) {
    entry.scale = tensor.quantization.scale();
    entry.zero_point = tensor.quantization.zero_point();
  }
  return entry;
}

}  // namespace

HostTask host_task(const layer::HostLayer& layer, const ir::Graph& graph, const Layout& layout,
                   const Addresses& places, Image& image) {
  HostTask task;
  std::vector<presil_host_tensor> list;
  const auto add = [&](const std::vector<TensorId>& tensors, bool write) {
    for (TensorId t : tensors) {
      const unsigned region = places.linear_region(t);
      const uint64_t begin = places.linear_offset(t), end = begin + graph.tensor(t).bytes();
      list.push_back(entry_of(graph.tensor(t), region, begin));
      // Constants never change: nothing has to wait for them.
      if (region == PRESIL_REGION_CONSTANTS) continue;
      task.accesses.push_back(
          {places.linear_space(t), write ? Gate::kOut : Gate::kIn, write, begin, end});
      if (!write) continue;
      const std::vector<TensorId> made = layout.sharing_linear(t);
      task.completes.insert(task.completes.end(), made.begin(), made.end());
    }
  };
  add(layer.inputs, false);
  add(layer.outputs, true);
  host::Command& c = task.command = host::Command::make(host::Op::kRun);
  c.kernel_id = static_cast<uint16_t>(layer.kernel);
  c.tensors_offset = static_cast<uint32_t>(image.add(list, PRESIL_HOST_TENSOR_ALIGN));
  c.tensors_bytes = static_cast<uint32_t>(list.size() * sizeof(presil_host_tensor));
  if (!layer.attributes.empty()) {
    c.attributes_offset =
        static_cast<uint32_t>(image.add(layer.attributes, PRESIL_HOST_ATTRIBUTE_ALIGN));
    c.attributes_bytes = static_cast<uint32_t>(layer.attributes.size());
  }
  return task;
}

}  // namespace presil::plan
