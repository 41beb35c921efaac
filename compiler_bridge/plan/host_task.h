// The host command of a layer: its tensor list and attributes go into the image.
#pragma once

#include "compiler_bridge/layer/host_layer.h"
#include "compiler_bridge/plan/addresses.h"
#include "compiler_bridge/plan/image.h"
#include "rtl/host/host_command.h"

namespace presil::plan {

struct HostTask {
  host::Command command;  ///< waits, tag and signal are not its
  std::vector<Access> accesses;
  std::vector<int> completes;  ///< tensors that it writes
};

/// Refuses (presil::Refusal) a tensor of more than 6 axes.
HostTask host_task(const layer::HostLayer& layer, const ir::Graph& graph, const Layout& layout,
                   const Addresses& places, Image& image);

}  // namespace presil::plan
