#include "compiler_bridge/partition/host_layer.h"

#include <map>

#include "compiler_bridge/partition/host_lowering.h"
#include "models/base/refusal.h"

namespace presil::partition {
namespace {

using Lower = layer::HostLayer (*)(ir::Graph&, const ir::Op&);

// Functions of one int8 value are not in it: they are tables by now.
const std::map<ir::OpKind, Lower>& lowerings() {
  static const std::map<ir::OpKind, Lower> all = [] {
    std::map<ir::OpKind, Lower> by_kind;
    for (const auto& family :
         {window_lowerings(), product_lowerings(), lstm_lowerings(), function_lowerings(),
          number_lowerings(), integer_lowerings(), move_lowerings(), detection_lowerings()}) {
      for (const Lowering& lowering : family) by_kind.emplace(lowering.kind, lowering.lower);
    }
    return by_kind;
  }();
  return all;
}

}  // namespace

layer::HostLayer host_layer(ir::Graph& graph, const ir::Op& op) {
  const auto found = lowerings().find(op.kind);
  if (found == lowerings().end()) {
    throw Refusal("partition", std::string(ir::to_string(op.kind)) + " \"" + op.name +
                                   "\" has no kernel on the host; a rule says otherwise");
  }
  layer::HostLayer layer = found->second(graph, op);
  layer.outputs.insert(layer.outputs.end(), op.outputs.begin(), op.outputs.end());
  return layer;
}

}  // namespace presil::partition
