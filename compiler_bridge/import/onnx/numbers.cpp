// Operators between real numbers and stored ones, and constants.
#include "compiler_bridge/import/onnx/importer.h"
#include "compiler_bridge/import/unsigned_bytes.h"
#include "models/base/utf8.h"

namespace presil::import::onnx {
namespace {

ir::Quantization required(Importer& r, ir::DType* dtype) {
  const auto q = r.quantization(r.node(), dtype);
  r.require(q.has_value(), [] {
    return "its scale and zero point must be constants: positive float32 scales, zero points of "
           "int8, uint8, int16 or int32, as many";
  });
  return *q;
}

void quantize_linear(Importer& r) {
  ir::DType dtype{};
  const ir::Quantization q = required(r, &dtype);
  r.require(q.per_tensor(), [] {
    return "it has several scales, must have one: activations are quantised per tensor";
  });
  Value x = r.in(0);
  if (x.quantized && r.tensor(x).quantization == q && r.tensor(x).dtype == dtype) {
    x.quantized = false;  // what DequantizeLinear has read
    return r.give(x);
  }
  r.require(!r.is_constant(x), [] { return "it quantises a constant; quantise it in the file"; });
  x.id = r.make(ir::OpKind::kQuantize, ir::Quantize{}, {x.id}, q, dtype);
  if (r.gives_unsigned(r.node())) r.set_unsigned(x);
  x.quantized = false;
  r.give(x);
}

void dequantize_linear(Importer& r) {
  ir::DType dtype{};
  ir::Quantization q = required(r, &dtype);
  Value x = r.in(0);
  ir::Tensor stored = r.tensor(x);
  if (!q.per_tensor()) {
    q.axis = static_cast<int>(r.axis(q.axis, x.shape.size()));
    r.require(r.is_constant(x), [] {
      return "it has several scales, must have one: activations are quantised per tensor";
    });
    const int64_t extent = x.shape[static_cast<size_t>(q.axis)];
    r.require(static_cast<int64_t>(q.scales.size()) == extent, [&] {
      return "it has " + std::to_string(q.scales.size()) + " scales, its axis " +
             std::to_string(q.axis) + " has an extent of " + std::to_string(extent);
    });
  }
  if (r.is_constant(x)) {
    const bool bytes = stored.dtype == ir::DType::kUint8;
    if (bytes) {  // make_signed takes zero points as the file has them
      for (int64_t& z : q.zero_points) z += 128;
    }
    stored.quantization = q;
    make_signed(stored, "\"" + stored.name + "\"");
    x.id = r.constant(std::move(stored));
  } else {
    r.set_quantization(x, q);
  }
  x.quantized = true;
  r.give(x);
}

void constant(Importer& r) {
  const auto value = r.node().attributes.find("value");
  r.require(value != r.node().attributes.end() && value->second.tensor.has_value(),
            [] { return "it must have its value as a tensor"; });
  ir::Tensor tensor = *value->second.tensor;
  tensor.name = r.node().outputs.empty() ? "" : printable(r.node().outputs[0]);
  const Shape shape = tensor.shape;
  r.give({r.constant(std::move(tensor)), shape, false, false});
}

void identity(Importer& r) {
  r.give(r.in(0));
}

/// Outside of training it changes nothing.
void dropout(Importer& r) {
  const bool mask = r.node().outputs.size() > 1 && !r.node().outputs[1].empty();
  r.require(!mask, [] { return "its mask is asked for, which training alone needs"; });
  if (r.has(2)) {
    const ir::Tensor& training = r.tensor(r.in(2));
    r.require(training.is_constant() && training.dtype == ir::DType::kBool &&
                  training.elements() == 1 && *training.values<uint8_t>() == 0,
              [] { return "training_mode must be a constant false; export for inference"; });
  }
  identity(r);
}

}  // namespace

const std::vector<Conversion>& of_numbers() {
  static const std::vector<Conversion> table = {{"QuantizeLinear", quantize_linear},
                                                {"DequantizeLinear", dequantize_linear},
                                                {"Cast", cast},
                                                {"Constant", constant},
                                                {"ConstantOfShape", constant_of_shape},
                                                {"Shape", shape_of},
                                                {"Dropout", dropout},
                                                {"Identity", identity}};
  return table;
}

}  // namespace presil::import::onnx
