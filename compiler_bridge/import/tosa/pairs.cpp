// Functions of two tensors, and SELECT.
#include "compiler_bridge/import/tosa/importer.h"

namespace presil::import::tosa {
namespace {

using K = ir::OpKind;
using D = ir::DType;

template <K Kind>
void arithmetic(Importer& i) {
  i.give(i.make(Kind, ir::Elementwise{}, {i.in(0), i.in(1)}, i.type(0)));
}

template <K Kind>
void plain(Importer& i) {
  const ir::TensorId made = i.make(Kind, ir::None{}, {i.in(0), i.in(1)}, i.type(0));
  i.zero_points().alike(i.in(0), made), i.zero_points().alike(i.in(1), made);
  i.give(made);
}

template <K Kind>
void compared(Importer& i) {
  i.give(i.make(Kind, ir::None{}, {i.in(0), i.in(1)}, D::kBool));
}

/// Of MAXIMUM and MINIMUM of floats.
template <K Kind>
void chosen(Importer& i) {
  i.require(i.type(0) != D::kFloat32 || i.options<file::Nan>().nan_mode() != file::NanMode_IGNORE,
            [] { return "nan_mode is IGNORE, must be PROPAGATE"; });
  plain<Kind>(i);
}

void shift_right(Importer& i) {
  const ir::ShiftRight a{i.options<file::Shift>().round()};
  i.give(i.make(K::kShiftRight, a, {i.in(0), i.in(1)}, i.type(0)));
}

void product(Importer& i) {
  if (i.type(0) == D::kFloat32) return arithmetic<K::kMul>(i);
  const ir::TensorId a = i.cast(i.in(0), D::kInt32), b = i.cast(i.in(1), D::kInt32);
  const std::vector<int64_t> shift = i.numbers(2, "shift");
  i.require(shift.size() == 1 && shift[0] >= 0 && shift[0] <= 63, [&] {
    return "shift is " + (shift.empty() ? "empty" : std::to_string(shift[0])) + ", must be 0..63";
  });
  i.give(shift[0] == 0
             ? i.make(K::kMul, ir::Elementwise{}, {a, b}, D::kInt32)
             : i.make(K::kMulShift, ir::MulShift{static_cast<int>(shift[0])}, {a, b}, D::kInt32));
}

void select(Importer& i) {
  const ir::TensorId made = i.make(K::kSelect, ir::None{}, {i.in(0), i.in(1), i.in(2)}, i.type(1));
  i.zero_points().alike(i.in(1), made), i.zero_points().alike(i.in(2), made);
  i.give(made);
}

}  // namespace

const std::vector<Conversion>& of_pairs() {
  static const std::vector<Conversion> table = {
      {file::Op_ADD, 2, 2, arithmetic<K::kAdd>},
      {file::Op_SUB, 2, 2, arithmetic<K::kSub>},
      {file::Op_MUL, 3, 3, product},
      {file::Op_POW, 2, 2, plain<K::kPow>},
      {file::Op_INTDIV, 2, 2, plain<K::kIntDiv>},
      {file::Op_MAXIMUM, 2, 2, chosen<K::kMaximum>},
      {file::Op_MINIMUM, 2, 2, chosen<K::kMinimum>},
      {file::Op_ARITHMETIC_RIGHT_SHIFT, 2, 2, shift_right},
      {file::Op_LOGICAL_LEFT_SHIFT, 2, 2, plain<K::kShiftLeft>},
      {file::Op_LOGICAL_RIGHT_SHIFT, 2, 2, plain<K::kShiftRightLogical>},
      {file::Op_BITWISE_AND, 2, 2, plain<K::kBitwiseAnd>},
      {file::Op_BITWISE_OR, 2, 2, plain<K::kBitwiseOr>},
      {file::Op_BITWISE_XOR, 2, 2, plain<K::kBitwiseXor>},
      {file::Op_LOGICAL_AND, 2, 2, plain<K::kLogicalAnd>},
      {file::Op_LOGICAL_OR, 2, 2, plain<K::kLogicalOr>},
      {file::Op_LOGICAL_XOR, 2, 2, compared<K::kNotEqual>},
      {file::Op_EQUAL, 2, 2, compared<K::kEqual>},
      {file::Op_GREATER, 2, 2, compared<K::kGreater>},
      {file::Op_GREATER_EQUAL, 2, 2, compared<K::kGreaterEqual>},
      {file::Op_SELECT, 3, 3, select},
  };
  return table;
}

}  // namespace presil::import::tosa
