// Types of operators on stored integers, whatever scale they have.
#include "compiler_bridge/ir/type_case.h"

namespace presil::ir::types {
namespace {

bool one_of(DType type, std::initializer_list<DType> list) {
  for (const DType each : list) {
    if (each == type) return true;
  }
  return false;
}

void require_one_of(const Case& c, const Tensor& tensor, const std::string& subject,
                    std::initializer_list<DType> list) {
  std::string expected;
  for (const DType each : list) {
    expected += (expected.empty() ? "" : " or ") + std::string(to_string(each));
  }
  c.require(one_of(tensor.dtype, list),
            [&] { return subject + " is " + type_of(tensor) + ", must be " + expected; });
}

void require_constant(const Case& c, size_t input) {
  c.require(c.in(input).is_constant(), [&] {
    return info(c.op.kind).inputs[input] + " is computed by the graph, expected a constant";
  });
}

/// Sums of products of `x`: int8 to int32, int16 to int64.
void require_sums(const Case& c) {
  require_one_of(c, c.in(0), info(c.op.kind).inputs[0], {DType::kInt8, DType::kInt16});
  const DType sums = c.in(0).dtype == DType::kInt8 ? DType::kInt32 : DType::kInt64;
  c.require_type(c.out(), "y", sums);
}

}  // namespace

const char* const words::rescale = "int8, uint8, int16, int32, int64 to int8, uint8, int16, int32";
void rescale(const Case& c) {
  using D = DType;
  const auto& r = c.op.as<Rescale>();
  if (c.in(0).dtype != D::kUint8 || !r.in_unsigned) {
    require_one_of(c, c.in(0), "x", {D::kInt8, D::kInt16, D::kInt32, D::kInt64});
  }
  require_one_of(c, c.in(1), "multiplier", {D::kInt32, D::kInt16});
  c.require_type(c.in(2), "shift", D::kInt8);
  if (c.out().dtype != D::kUint8 || !r.out_unsigned) {
    require_one_of(c, c.out(), "y", {D::kInt8, D::kInt16, D::kInt32});
  }
  require_constant(c, 1), require_constant(c, 2);
  const bool narrow = c.in(1).dtype == D::kInt16;
  c.require(narrow || c.in(0).dtype != D::kInt64,
            "x is int64 and multiplier int32, of 48 bits it must be int16");
  c.require(!narrow || !r.round_twice,
            "multiplier is int16 and round_twice set, must have 32 bits of scale");
  for (int64_t i = 0; i < c.in(2).elements(); ++i) {
    const int shift = c.in(2).values<int8_t>()[i];
    c.require(shift >= 2 && shift <= 62, [&] {
      return "shift " + std::to_string(i) + " is " + std::to_string(shift) + ", must be 2..62";
    });
  }
  for (int64_t i = 0; i < c.in(1).elements(); ++i) {
    const int32_t multiplier = narrow ? c.in(1).values<int16_t>()[i] : c.in(1).values<int32_t>()[i];
    c.require(multiplier >= 0, [&] {
      return "multiplier " + std::to_string(i) + " is " + std::to_string(multiplier) +
             ", must not be negative";
    });
  }
}

const char* const words::conv_sums = "int8 to int32, int16 to int64, weights int8";
void conv_sums(const Case& c) {
  require_sums(c);
  c.require_type(c.in(1), "weights", DType::kInt8);
  c.require_type(c.in(2), "bias", c.out().dtype);
}

const char* const words::matmul_sums = "int8 to int32, int16 to int64";
void matmul_sums(const Case& c) {
  require_sums(c);
  c.require_type(c.in(1), "b", c.in(0).dtype);
}

const char* const words::mean_pool = "int8, int16";
void mean_pool(const Case& c) {
  require_one_of(c, c.in(0), "x", {DType::kInt8, DType::kInt16});
  c.require_type_of_y(c.in(0), "x");
}

const char* const words::resize_by_ratio =
    "int8, int16; of the four around int8 to int32, int16 to int64";
void resize_by_ratio(const Case& c) {
  require_one_of(c, c.in(0), "x", {DType::kInt8, DType::kInt16});
  if (c.op.as<ResizeByRatio>().nearest) return c.require_type_of_y(c.in(0), "x");
  require_sums(c);
}

const char* const words::table_between = "int16 to int32";
void table_between(const Case& c) {
  c.require_type(c.in(0), "x", DType::kInt16);
  c.require_type(c.in(1), "table", DType::kInt16);
  require_constant(c, 1);
  c.require(c.in(1).elements() == 513, [&] {
    return "table has " + std::to_string(c.in(1).elements()) + " entries, must have 513";
  });
  c.require_type(c.out(), "y", DType::kInt32);
}

const char* const words::scatter = "any, indices int32";
void scatter(const Case& c) {
  moved(c);
  c.require_type(c.in(1), "indices", DType::kInt32);
  c.require_type(c.in(2), "updates", c.out().dtype);
}

const char* const words::bits = "int8, int16, int32";
void bits(const Case& c) {
  require_one_of(c, c.out(), "y", {DType::kInt8, DType::kInt16, DType::kInt32});
  c.require_type_of_y(c.in(0), "a"), c.require_type_of_y(c.in(1), "b");
}

const char* const words::mul_shift = "int32";
void mul_shift(const Case& c) {
  c.require_type(c.in(0), "a", DType::kInt32), c.require_type(c.in(1), "b", DType::kInt32);
  c.require_type(c.out(), "y", DType::kInt32);
  const int shift = c.op.as<MulShift>().shift;
  c.require(shift >= 1 && shift <= 63,
            [&] { return "shift is " + std::to_string(shift) + ", must be 1..63"; });
}

const char* const words::leading_zeros = "int32";
void leading_zeros(const Case& c) {
  c.require_type(c.in(0), "x", DType::kInt32);
  c.require_type(c.out(), "y", DType::kInt32);
}

}  // namespace presil::ir::types
