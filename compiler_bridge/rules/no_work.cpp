// Ops that need no engine: the same bytes under another shape, or with a bit flipped on their way.
#include "compiler_bridge/rules/rule.h"

namespace presil::rules {
namespace {

bool contains(const std::vector<ir::TensorId>& ids, ir::TensorId id) {
  return std::find(ids.begin(), ids.end(), id) != ids.end();
}

// Another op before this one that shows the same bytes as an output.
bool shown_before(const Subject& s) {
  for (const ir::Op& op : s.graph.ops) {
    if (op.output() == s.op.output()) return false;
    if (op.kind == s.op.kind && op.input(0) == s.op.input(0) && s.graph.is_output(op.output())) {
      return true;
    }
  }
  return false;
}

// Each input and each output of the graph is memory of the caller's, so y has bytes of its own if
// it is an output and x's bytes are an input or an output already.
Rule one_memory() {
  return {"at most one of x, y and other views of x is an input or output of the graph",
          [](const Subject& s) -> std::optional<Finding> {
            const ir::TensorId x = s.op.input(0), y = s.op.output();
            if (!s.graph.is_output(y)) return std::nullopt;
            if (!contains(s.graph.inputs, x) && !s.graph.is_output(x) && !shown_before(s))
              return std::nullopt;
            return Finding{"y", "an output of the graph, and x's bytes are the caller's already",
                           "one of the two, else they are copied"};
          },
          "leave the reshape to the consumer of the output"};
}

// A value less 128, as int8, is the value as uint8 with its sign bit flipped.
Rule flips_bit_7() {
  return {
      "the same scale, int8 zero point 128 less: the DMA flips bit 7 of every byte on its way",
      [](const Subject& s) -> std::optional<Finding> {
        const ir::Tensor &x = s.in(0), &y = s.out();
        const bool widens = x.dtype == ir::DType::kUint8 && y.dtype == ir::DType::kInt8;
        const bool narrows = x.dtype == ir::DType::kInt8 && y.dtype == ir::DType::kUint8;
        if ((widens || narrows) && x.quantization.scale() == y.quantization.scale() &&
            y.quantization.zero_point() - x.quantization.zero_point() == (widens ? -128 : 128)) {
          return std::nullopt;
        }
        return Finding{"x", ir::type_of(x) + " and y " + ir::type_of(y),
                       "uint8 and int8 of the same scale, zero point of the int8 one 128 less"};
      },
      "keep the scale, and give int8 a zero point 128 below that of uint8"};
}

}  // namespace

std::vector<Entry> no_work_entries() {
  return {{ir::OpKind::kReshape, "any", {computed(), one_memory()}},
          {ir::OpKind::kQuantize, "uint8 to int8, int8 to uint8", {computed(), flips_bit_7()}}};
}

}  // namespace presil::rules
