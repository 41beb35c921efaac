// Values along one axis as one.
#include "compiler_bridge/import/tosa/importer.h"

namespace presil::import::tosa {
namespace {

using K = ir::OpKind;
using D = ir::DType;

int axis_of(const Importer& i) {
  return i.axis(i.options<file::Axis>().axis(), i.tensor(i.in(0)).shape.size());
}

ir::TensorId reduced(Importer& i, K kind, ir::TensorId x) {
  ir::Reduce a;
  a.axes = {axis_of(i)};
  a.keep_dims = true;
  const ir::TensorId made = i.make(kind, a, {x}, i.tensor(x).dtype);
  i.zero_points().alike(x, made);
  return made;
}

template <K Kind>
void reduce(Importer& i) {
  i.require(i.type(0) != D::kFloat32 || i.options<file::Axis>().nan_mode() != file::NanMode_IGNORE,
            [] { return "nan_mode is IGNORE, must be PROPAGATE"; });
  i.give(reduced(i, Kind, i.in(0)));
}

/// Of truth values as numbers 0 and 1.
template <K Kind>
void reduce_bool(Importer& i) {
  i.give(i.cast(reduced(i, Kind, i.cast(i.in(0), D::kInt32)), D::kBool));
}

void arg_max(Importer& i) {
  i.require(i.type(0) != D::kFloat32 || i.options<file::Axis>().nan_mode() != file::NanMode_IGNORE,
            [] { return "nan_mode is IGNORE, must be PROPAGATE"; });
  i.give(i.make(K::kArgMax, ir::Arg{axis_of(i)}, {i.in(0)}, D::kInt32));
}

}  // namespace

const std::vector<Conversion>& of_reductions() {
  static const std::vector<Conversion> table = {
      {file::Op_ARGMAX, 1, 1, arg_max},
      {file::Op_REDUCE_ALL, 1, 1, reduce_bool<K::kReduceMin>},
      {file::Op_REDUCE_ANY, 1, 1, reduce_bool<K::kReduceMax>},
      {file::Op_REDUCE_MAX, 1, 1, reduce<K::kReduceMax>},
      {file::Op_REDUCE_MIN, 1, 1, reduce<K::kReduceMin>},
      {file::Op_REDUCE_PRODUCT, 1, 1, reduce<K::kReduceProd>},
      {file::Op_REDUCE_SUM, 1, 1, reduce<K::kSum>},
  };
  return table;
}

}  // namespace presil::import::tosa
