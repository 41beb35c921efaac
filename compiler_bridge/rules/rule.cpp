// Rules that engines share, those from outside too.
#include "compiler_bridge/rules/rule.h"

#include "compiler_bridge/rules/image.h"
#include "rtl/dla/dla_command.h"

namespace presil::rules {
namespace {

constexpr char kQuantiseToInt8[] = "quantise the network to int8";

}  // namespace

Rule within(const std::string& what, int64_t low, int64_t high, const std::string& remedy,
            std::function<int64_t(const Subject&)> value) {
  const std::string range = std::to_string(low) + ".." + std::to_string(high);
  return {what + " " + range,
          [=](const Subject& s) -> std::optional<Finding> {
            const int64_t got = value(s);
            if (got >= low && got <= high) return std::nullopt;
            return Finding{what, std::to_string(got), range};
          },
          remedy};
}

Rule one_image() {
  return {"batch 1, at most 4 axes",
          [](const Subject& s) -> std::optional<Finding> {
            for (const auto& ids : {s.op.inputs, s.op.outputs}) {
              for (const ir::TensorId id : ids) {
                if (id == ir::kAbsent || s.graph.tensor(id).is_constant()) continue;
                if (!image_of(s.graph.tensor(id))) {
                  return Finding{"a tensor", ir::type_of(s.graph.tensor(id)),
                                 "of batch 1 and at most 4 axes"};
                }
              }
            }
            return std::nullopt;
          },
          "export the network for batch 1, or reshape to rows, columns and channels around it"};
}

Rule channels() {
  return within("channels", 1, int64_t{dla::Command::kInBlocksMax} * 16,
                "split it by channels and join the parts", [](const Subject& s) {
                  const auto last = [](const ir::Tensor& t) {
                    return t.shape.empty() ? 1 : t.shape.back();
                  };
                  return std::max(last(s.in(0)), last(s.out()));
                });
}

Rule int8_values() {
  return {"int8 values",
          [](const Subject& s) -> std::optional<Finding> {
            if (s.in(0).dtype == ir::DType::kInt8) return std::nullopt;
            return Finding{ir::info(s.op.kind).inputs[0], ir::type_of(s.in(0)), "int8"};
          },
          kQuantiseToInt8};
}

Rule computed() {
  return {"x computed by the graph",
          [](const Subject& s) -> std::optional<Finding> {
            if (!s.in(0).is_constant()) return std::nullopt;
            return Finding{ir::info(s.op.kind).inputs[0], "a constant", "a computed tensor"};
          },
          "compute it when the network is exported: all it reads is known by then"};
}

}  // namespace presil::rules
