// Ops that cost nothing because tensors can lie as the next one wants them: views, and
// concatenation by channels, whose inputs are written side by side.
#include "compiler_bridge/rules/image.h"
#include "compiler_bridge/rules/rule.h"

namespace presil::rules {
namespace {

Rule joins_channels() {
  return {"along the channels, without an activation", [](const Subject& s) -> std::string {
            const ir::Concat& concat = s.op.as<ir::Concat>();
            const auto rank = static_cast<int>(s.out().shape.size());
            if (concat.axis != rank - 1) {
              return "concat is along axis " + std::to_string(concat.axis) + " of " +
                     ir::type_of(s.out()) + ", wants the last";
            }
            if (concat.act != ir::Activation::kNone) {
              return std::string("concat has activation ") + ir::to_string(concat.act) +
                     ", wants none";
            }
            return "";
          }};
}

Rule computed_int8() {
  return {"int8 inputs computed by the graph", [](const Subject& s) -> std::string {
            for (const ir::TensorId id : s.op.inputs) {
              const ir::Tensor& x = s.graph.tensor(id);
              if (x.dtype != ir::DType::kInt8 || x.is_constant()) {
                return "an input is " + std::string(x.is_constant() ? "a constant " : "") +
                       ir::type_of(x) + ", wants computed int8";
              }
            }
            return "";
          }};
}

}  // namespace

std::vector<Entry> dla_shape_entries() {
  return {
      {ir::OpKind::kConcat, "int8", {joins_channels(), computed_int8(), one_image(), channels()}}};
}

}  // namespace presil::rules
