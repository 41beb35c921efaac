// Networks that are mutated, grown by one operator after another.
#pragma once

#include "testbench/fuzz/networks.h"
#include "tests/import/detection_file.h"
#include "tests/import/tflite_file.h"

namespace presil::fuzz {

using import::TfliteFile;
namespace file = import::file;
using Shape = std::vector<int32_t>;

/// A network that grows by one operator after another.
class Chain {
 public:
  explicit Chain(Shape input, file::TensorType type = file::TensorType_Int8)
      : m_type(type), m_last(m_file.add_tensor("x", std::move(input), type)) {
    m_file.graph().inputs = {m_last};
    if (type == file::TensorType_Int16) symmetric(m_last);
  }

  /// Of what follows.
  Chain& type(file::TensorType type) {
    m_type = type;
    return *this;
  }

  template <class Options>
  Chain& then(file::Builtin code, Shape result, Options options, std::vector<int32_t> more = {}) {
    file::OperatorT& op = append(code, std::move(result), std::move(more));
    op.options.Set(std::move(options));
    return *this;
  }
  Chain& then(file::Builtin code, Shape result, std::vector<int32_t> more = {}) {
    append(code, std::move(result), std::move(more));
    return *this;
  }

  /// Its input follows the shape of the result and the weights.
  Chain& transposed(Shape result, int weights, file::TransposeConvT options) {
    file::OperatorT& op = append(file::Builtin_TRANSPOSE_CONV, result, {weights});
    op.inputs = {integers(result), weights, op.inputs[0]};
    op.options.Set(std::move(options));
    return *this;
  }

  /// Scale and zero point of the last result.
  Chain& quantised(float scale, int64_t zero_point) {
    m_file.tensor(m_last).quantization->scale = {scale};
    m_file.tensor(m_last).quantization->zero_point = {zero_point};
    return *this;
  }

  int weights(Shape shape) {
    size_t count = 1;
    for (int32_t n : shape) count *= static_cast<size_t>(n);
    std::vector<int8_t> values(count);
    for (size_t i = 0; i < count; ++i) values[i] = static_cast<int8_t>(i * 37 % 255 - 127);
    const bool is_unsigned = m_type == file::TensorType_Uint8;
    const int id = m_file.add_constant("w", std::move(shape),
                                       is_unsigned ? m_type : file::TensorType_Int8, values);
    if (is_unsigned) m_file.tensor(id).quantization->zero_point = {117};
    return id;
  }
  /// Weights with a scale for each channel along `axis`.
  int weights_by_channel(Shape shape, int axis) {
    const auto channels = static_cast<size_t>(shape[static_cast<size_t>(axis)]);
    const int id = weights(std::move(shape));
    file::QuantizationT& q = *m_file.tensor(id).quantization;
    q.scale.assign(channels, 0.25f);
    q.zero_point.assign(channels, 0);
    q.quantized_dimension = axis;
    return id;
  }
  /// Of float32; or of half precision, after the operator that makes them float32.
  int floats(Shape shape, bool halves = false) {
    size_t count = 1;
    for (int32_t n : shape) count *= static_cast<size_t>(n);
    if (!halves) {
      std::vector<float> values(count);
      for (size_t i = 0; i < count; ++i) values[i] = static_cast<float>(i * 37 % 255) / 64 - 2;
      return m_file.add_constant("f", std::move(shape), file::TensorType_Float32, values);
    }
    const int half = m_file.add_constant("h", shape, file::TensorType_Float16,
                                         std::vector<uint16_t>(count, 0x3e00));  // 1.5
    const int whole = m_file.add_tensor("w", std::move(shape), file::TensorType_Float32);
    m_file.add_op(file::Builtin_DEQUANTIZE, {half}, {whole});
    return whole;
  }
  int value(int8_t value) {
    return m_file.add_constant("v", {1}, file::TensorType_Int8, std::vector<int8_t>{value});
  }
  int bias(int32_t count) {
    return m_file.add_constant("b", {count}, file::TensorType_Int32,
                               std::vector<int32_t>(static_cast<size_t>(count), 100));
  }
  int long_bias(int32_t count) {
    return m_file.add_constant("b", {count}, file::TensorType_Int64,
                               std::vector<int64_t>(static_cast<size_t>(count), 100));
  }
  int integers(const Shape& values) { return m_file.add_integers("n", values); }
  int scalar(int32_t value) {
    return m_file.add_constant("s", {}, file::TensorType_Int32, std::vector<int32_t>{value});
  }
  int long_integers(const std::vector<int64_t>& values) {
    return m_file.add_constant("l", {static_cast<int32_t>(values.size())}, file::TensorType_Int64,
                               values);
  }
  int long_matrix(int32_t rows, const std::vector<int64_t>& values) {
    return m_file.add_constant("l", {rows, static_cast<int32_t>(values.size()) / rows},
                               file::TensorType_Int64, values);
  }
  int matrix(int32_t rows, const Shape& values) {
    return m_file.add_constant("m", {rows, static_cast<int32_t>(values.size()) / rows},
                               file::TensorType_Int32, values);
  }
  int last() const { return m_last; }
  Chain& from(int tensor) {
    m_last = tensor;
    return *this;
  }

  /// The largest values of each row, and where they are, which stays.
  Chain& largest(Shape result, int k) {
    file::OperatorT& op = append(file::Builtin_TOPK_V2, result, {k});
    m_last = m_file.add_tensor("i", std::move(result), file::TensorType_Int32);
    op.outputs.push_back(m_last);
    m_type = file::TensorType_Int32;
    return *this;
  }

  /// The last of so many results stays.
  Chain& unpacked(int count, int axis, Shape result) {
    file::UnstackT options;
    options.num = count, options.axis = axis;
    file::OperatorT& op = append(file::Builtin_UNPACK, result, {});
    for (int i = 1; i < count; ++i) {
      op.outputs.insert(op.outputs.begin(), m_file.add_tensor("u", result, m_type));
    }
    op.options.Set(std::move(options));
    return *this;
  }

  /// Boxes of n anchors and their scores, `classes` and the background: an end with four results.
  File detections(int boxes, int scores, int32_t n, int32_t classes, bool regular) {
    const std::vector<uint8_t> sides(static_cast<size_t>(4 * n), 9);
    const int anchors = m_file.add_constant("a", {n, 4}, file::TensorType_Uint8, sides);
    import::DetectionOptions options;
    options.classes = classes, options.regular = regular;
    m_file.graph().outputs = import::add_detection(m_file, boxes, scores, anchors, options).outputs;
    return m_file.bytes();
  }

  File bytes() {
    m_file.graph().outputs = {m_last};
    return m_file.bytes();
  }

 private:
  /// As 16 bits are quantised.
  void symmetric(int tensor) {
    auto q = std::make_unique<file::QuantizationT>();
    q->scale = {1.0f / 4096};
    q->zero_point = {0};
    m_file.tensor(tensor).quantization = std::move(q);
  }

  file::OperatorT& append(file::Builtin code, Shape result, std::vector<int32_t> more) {
    const int y = m_file.add_tensor("t" + std::to_string(m_last), std::move(result), m_type);
    if (m_type == file::TensorType_Int16) symmetric(y);
    more.insert(more.begin(), m_last);
    m_last = y;
    return m_file.add_op(code, std::move(more), {y});
  }

  TfliteFile m_file;
  file::TensorType m_type;
  int m_last;
};

}  // namespace presil::fuzz
