// RESCALE and CAST: numbers in another type.
#include <algorithm>

#include "compiler_bridge/import/tosa/importer.h"

namespace presil::import::tosa {
namespace {

using K = ir::OpKind;
using D = ir::DType;

/// INEXACT_ROUND leaves the rounding open; it is a single one here, as in the reference model.
void rescale(Importer& i) {
  const auto& o = i.options<file::Rescale>();
  const auto rounding = o.rounding_mode();
  i.require(rounding >= file::Rounding_SINGLE_ROUND && rounding <= file::Rounding_DOUBLE_ROUND,
            [&] {
              return "rounding_mode is " + std::to_string(rounding) +
                     ", must be SINGLE_ROUND, INEXACT_ROUND or DOUBLE_ROUND";
            });
  const bool narrow = i.type(1) == D::kInt16;
  i.require(narrow != o.scale32(), [&] {
    return std::string("scale32 is ") + (o.scale32() ? "true" : "false") + ", multiplier " +
           ir::to_string(i.type(1)) + ", must be int32 with it and int16 without";
  });
  const Shape x = i.tensor(i.in(0)).shape;
  const int64_t entries = o.per_channel() && !x.empty() ? x.back() : 1;
  for (size_t k : {size_t{1}, size_t{2}}) {
    i.require(i.tensor(i.in(k)).elements() == entries, [&] {
      return std::string(k == 1 ? "multiplier" : "shift") + " has " +
             std::to_string(i.tensor(i.in(k)).elements()) + " entries, must have " +
             std::to_string(entries);
    });
  }
  ir::Rescale a;
  a.in_unsigned = o.input_unsigned(), a.out_unsigned = o.output_unsigned();
  a.in_zero = i.zero_point(3, "input_zp", a.in_unsigned);
  a.out_zero = i.zero_point(4, "output_zp", a.out_unsigned);
  a.round_twice = rounding == file::Rounding_DOUBLE_ROUND;
  i.require(!(narrow && a.round_twice), [] { return "DOUBLE_ROUND requires scale32"; });
  const ir::TensorId made = i.make(K::kRescale, a, {i.in(0), i.in(1), i.in(2)}, i.result_type());
  if (!a.in_unsigned) i.zero_points().state(i.in(0), a.in_zero);
  if (!a.out_unsigned) i.zero_points().state(made, a.out_zero);
  i.give(made);
}

/// Of floats to integers the nearest, halves to even, saturated; of integers the low bits.
void cast(Importer& i) {
  const D from = i.type(0), to = i.result_type();
  ir::TensorId x = i.in(0);
  if (from == to) {
    return i.give(i.make(K::kReshape, ir::None{}, {x}, to, i.tensor(x).shape));
  }
  const bool rounded = from == D::kFloat32 && to != D::kBool;
  if (rounded) x = i.make(K::kRound, ir::None{}, {x}, D::kFloat32);
  i.give(i.make(K::kCast, ir::None{}, {x}, to));
}

}  // namespace

const std::vector<Conversion>& of_scales() {
  static const std::vector<Conversion> table = {
      {file::Op_CAST, 1, 1, cast},
      {file::Op_RESCALE, 5, 5, rescale},
  };
  return table;
}

}  // namespace presil::import::tosa
