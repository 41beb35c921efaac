// Functions of one tensor, value by value.
#include <cstring>
#include <limits>

#include "compiler_bridge/import/tosa/importer.h"

namespace presil::import::tosa {
namespace {

using K = ir::OpKind;
using D = ir::DType;

constexpr size_t kBytes = 256;

template <K Kind>
void of_float(Importer& i) {
  i.require(i.type(0) == D::kFloat32, [] { return "its input is no FP32, must be"; });
  i.give(i.make(Kind, ir::None{}, {i.in(0)}, D::kFloat32));
}

/// 1 / x.
void reciprocal(Importer& i) {
  i.require(i.type(0) == D::kFloat32, [] { return "its input is no FP32, must be"; });
  const float one = 1.0f;
  int32_t bits = 0;
  std::memcpy(&bits, &one, sizeof bits);
  const Shape shape(i.tensor(i.in(0)).shape.size(), 1);
  i.give(i.make(K::kDiv, ir::Elementwise{},
                {i.constant("one", D::kFloat32, shape, {bits}), i.in(0)}, D::kFloat32));
}

ir::TensorId scalar(Importer& i, const char* what, size_t rank, int64_t value) {
  return i.constant(what, D::kInt32, Shape(rank, 1), {value});
}

void bitwise_not(Importer& i) {
  const size_t rank = i.tensor(i.in(0)).shape.size();
  const ir::TensorId ones = i.constant("ones", i.type(0), Shape(rank, 1), {-1});
  i.give(i.make(K::kBitwiseXor, ir::None{}, {i.in(0), ones}, i.type(0)));
}

void absolute(Importer& i) {
  if (i.type(0) == D::kFloat32) return of_float<K::kAbs>(i);
  const size_t rank = i.tensor(i.in(0)).shape.size();
  const ir::TensorId less =
      i.make(K::kSub, ir::Elementwise{}, {scalar(i, "zero", rank, 0), i.in(0)}, i.type(0));
  i.give(i.make(K::kMaximum, ir::None{}, {i.in(0), less}, i.type(0)));
}

/// in_zero + out_zero - x, within the type of x.
void negate(Importer& i) {
  const D type = i.type(0);
  if (type == D::kFloat32) return of_float<K::kNeg>(i);
  i.require(type == D::kInt8 || type == D::kInt16 || type == D::kInt32, [&] {
    return "its input is " + std::string(ir::to_string(type)) +
           ", must be INT8, INT16, INT32 or FP32";
  });
  const size_t rank = i.tensor(i.in(0)).shape.size();
  const int in_zero = i.zero_point(1, "input1_zp"), out_zero = i.zero_point(2, "output_zp");
  const ir::TensorId x = i.in(0), wide = i.cast(x, D::kInt32);
  const ir::TensorId zeros = scalar(i, "zeros", rank, int64_t{in_zero} + out_zero);
  const ir::TensorId less = i.make(K::kSub, ir::Elementwise{}, {zeros, wide}, D::kInt32);
  if (type == D::kInt32) return i.give(less);
  const int64_t most = (int64_t{1} << (8 * ir::size_of(type) - 1)) - 1;
  const ir::TensorId made = i.cast(i.clamp(less, -most - 1, most), type);
  i.zero_points().state(x, in_zero), i.zero_points().state(made, out_zero);
  i.give(made);
}

/// A bound of CLAMP: its first bytes are a number of the input's type; up to eight may be stored.
template <class T>
T bound(Importer& i, const flatbuffers::Vector<uint8_t>* bytes, const char* what) {
  T value{};
  const size_t stored = bytes == nullptr ? 0 : bytes->size();
  i.require(stored >= sizeof value && stored <= 8, [&] {
    return std::string(what) + " has " + std::to_string(stored) + " bytes, must have " +
           std::to_string(sizeof value) + "..8";
  });
  std::memcpy(&value, bytes->data(), sizeof value);
  return value;
}

void clamp_floats(Importer& i, const file::Clamp& o) {
  const Shape one(i.tensor(i.in(0)).shape.size(), 1);
  i.require(o.nan_mode() != file::NanMode_IGNORE,
            [] { return "nan_mode is IGNORE, must be PROPAGATE"; });
  ir::TensorId made = i.in(0);
  const auto with = [&](K kind, float value, float open, const char* what) {
    if (value == open) return;
    int32_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    made =
        i.make(kind, ir::None{}, {made, i.constant(what, D::kFloat32, one, {bits})}, D::kFloat32);
  };
  const float infinity = std::numeric_limits<float>::infinity();
  with(K::kMaximum, bound<float>(i, o.min_val(), "min_val"), -infinity, "least");
  with(K::kMinimum, bound<float>(i, o.max_val(), "max_val"), infinity, "most");
  i.give(made);
}

void clamp(Importer& i) {
  const auto& o = i.options<file::Clamp>();
  const auto within = [&](auto least, auto most) {
    i.require(least <= most, [] { return "min_val is more than max_val"; });
    i.give(i.clamp(i.in(0), least, most));
  };
  switch (i.type(0)) {
    case D::kInt8:
      return within(bound<int8_t>(i, o.min_val(), "min_val"),
                    bound<int8_t>(i, o.max_val(), "max_val"));
    case D::kInt16:
      return within(bound<int16_t>(i, o.min_val(), "min_val"),
                    bound<int16_t>(i, o.max_val(), "max_val"));
    case D::kFloat32:
      return clamp_floats(i, o);
    default:
      i.refuse("its input is " + std::string(ir::to_string(i.type(0))) +
               ", must be INT8, INT16 or FP32");
  }
}

void table(Importer& i) {
  if (i.type(0) == D::kInt16) {
    return i.give(i.make(K::kTableBetween, ir::None{}, {i.in(0), i.in(1)}, D::kInt32));
  }
  i.require(i.type(0) == D::kInt8, [] { return "its input must be INT8 or INT16"; });
  const std::vector<int64_t> entries = i.numbers(1, "table");
  i.require(entries.size() == kBytes, [&] {
    return "table has " + std::to_string(entries.size()) + " entries, must have 256";
  });
  std::vector<int64_t> by_byte(kBytes);  // TOSA's begins with that of -128
  for (size_t k = 0; k < kBytes; ++k) by_byte[k] = entries[k ^ 0x80];
  const ir::TensorId lut = i.constant("table", D::kInt8, {static_cast<int64_t>(kBytes)}, by_byte);
  i.give(i.make(K::kLut, ir::None{}, {i.in(0), lut}, D::kInt8));
}

void leading_zeros(Importer& i) {
  i.give(i.make(K::kLeadingZeros, ir::None{}, {i.in(0)}, D::kInt32));
}

void logical_not(Importer& i) {
  i.give(i.make(K::kLogicalNot, ir::None{}, {i.in(0)}, D::kBool));
}

}  // namespace

const std::vector<Conversion>& of_functions() {
  static const std::vector<Conversion> family = {
      {file::Op_CLAMP, 1, 1, clamp},
      {file::Op_TABLE, 2, 2, table},
      {file::Op_ABS, 1, 1, absolute},
      {file::Op_NEGATE, 3, 3, negate},
      {file::Op_BITWISE_NOT, 1, 1, bitwise_not},
      {file::Op_LOGICAL_NOT, 1, 1, logical_not},
      {file::Op_CLZ, 1, 1, leading_zeros},
      {file::Op_SIGMOID, 1, 1, of_float<K::kLogistic>},
      {file::Op_TANH, 1, 1, of_float<K::kTanh>},
      {file::Op_EXP, 1, 1, of_float<K::kExp>},
      {file::Op_LOG, 1, 1, of_float<K::kLog>},
      {file::Op_RECIPROCAL, 1, 1, reciprocal},
      {file::Op_RSQRT, 1, 1, of_float<K::kRsqrt>},
      {file::Op_SIN, 1, 1, of_float<K::kSin>},
      {file::Op_COS, 1, 1, of_float<K::kCos>},
      {file::Op_FLOOR, 1, 1, of_float<K::kFloor>},
      {file::Op_CEIL, 1, 1, of_float<K::kCeil>},
  };
  return family;
}

}  // namespace presil::import::tosa
