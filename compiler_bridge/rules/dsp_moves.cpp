// What the vector DSP moves, and images of another size. Whether the DMA or the host is faster at
// it is a question of cost, asked by `../compile`.
#include <presil/dsp_kernel.h>

#include "compiler_bridge/rules/rule.h"

namespace presil::rules {
namespace {

using K = ir::OpKind;
using D = ir::DType;

constexpr int64_t kMostColumns = 4096;  // driver/kernels/dsp/params.h

Rule of_32_bits() {
  return {"elements of at most 32 bits",
          [](const Subject& s) -> std::optional<Finding> {
            if (ir::size_of(s.out().dtype) <= 4) return std::nullopt;
            return Finding{"y", ir::type_of(s.out()), "of elements of at most 32 bits"};
          },
          "move it as twice as many values of 32 bits"};
}

// Regions of a command, y's among them.
Rule joined() {
  return within("inputs", 1, PRESIL_DSP_MAX_TENSORS - 1, "join some of them first",
                [](const Subject& s) { return static_cast<int64_t>(s.op.inputs.size()); });
}

Rule indices() {
  return of_types("indices", {D::kInt32},
                  [](const Subject& s) -> const ir::Tensor& { return s.in(1); });
}

Rule values(std::vector<D> types) {
  return of_types("y", std::move(types),
                  [](const Subject& s) -> const ir::Tensor& { return s.out(); });
}

Rule columns() {
  return within("columns", 1, kMostColumns, "resize in parts",
                [](const Subject& s) { return s.out().shape.at(2); });
}

}  // namespace

std::vector<Entry> dsp_move_entries() {
  const std::vector<Rule> moved = {of_32_bits(), at_most_6_axes()};
  const char* types = "all but int64";
  return {
      {K::kTranspose, types, moved, {"transpose"}},
      {K::kConcat, types, {of_32_bits(), as_it_is(), joined()}, {"concat"}},
      {K::kPad, types, moved, {"pad"}},
      {K::kStridedSlice, types, moved, {"strided_slice"}},
      {K::kGather, "all but int64, indices int32", {of_32_bits(), indices()}, {"gather"}},
      {K::kResizeNearest, types, {of_32_bits(), columns()}, {"resize_nearest"}},
      {K::kResizeBilinear,
       "int8, float32",
       {values({D::kInt8, D::kFloat32}), columns()},
       {"resize_bilinear_i8", "resize_bilinear_f32"}},
  };
}

}  // namespace presil::rules
