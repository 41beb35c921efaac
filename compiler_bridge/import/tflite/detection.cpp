// TFLite_Detection_PostProcess: a custom operator, whose options are a map in the FlexBuffers
// format. Options that say nothing of its result ("_output_quantized") are passed over.
#include <flatbuffers/flexbuffers.h>

#include <cmath>

#include "compiler_bridge/import/tflite/reader.h"

namespace presil::import {
namespace {

constexpr size_t kMostBytes = 4096;  // a few hundred in real files; the verifier's time is a square
constexpr int64_t kMost = 1 << 20;

class Options {
 public:
  explicit Options(const OpReader& reader) : m_reader(reader) {
    const auto* stored = reader.from.custom_options();
    const size_t size = stored == nullptr ? 0 : stored->size();
    reader.require(size > 0, "its options are missing; export the file again");
    reader.require(size <= kMostBytes, [&] {
      return "its options are " + std::to_string(size) + " bytes, must be at most " +
             std::to_string(kMostBytes);
    });
    // A copy, so that numbers stand where a read of their width may go, followed by zeros, where
    // a key without an end has one.
    m_bytes.assign(stored->begin(), stored->end());
    m_bytes.resize(size + sizeof(uint64_t), 0);
    reader.require(flexbuffers::VerifyBuffer(m_bytes.data(), size),
                   "its options are damaged: they are no FlexBuffer");
    const flexbuffers::Reference root = flexbuffers::GetRoot(m_bytes.data(), size);
    reader.require(root.IsMap(), "its options are no map of names and values");
    m_map = root.AsMap();
  }

  int whole(const char* name) const {
    const flexbuffers::Reference value = m_map[name];
    m_reader.require(value.IsIntOrUint(), [&] { return missing(name, "a whole number", value); });
    const int64_t number = value.AsInt64();
    m_reader.require(number >= 1 && number <= kMost, [&] {
      return std::string("its option ") + name + " is " + std::to_string(number) + ", must be 1.." +
             std::to_string(kMost);
    });
    return static_cast<int>(number);
  }
  int whole_or(const char* name, int fallback) const {
    return m_map[name].IsNull() ? fallback : whole(name);
  }
  float real(const char* name) const {
    const flexbuffers::Reference value = m_map[name];
    m_reader.require(value.IsNumeric(), [&] { return missing(name, "a number", value); });
    return value.AsFloat();
  }
  bool flag(const char* name) const {
    const flexbuffers::Reference value = m_map[name];
    if (value.IsNull()) return false;
    m_reader.require(value.IsBool(), [&] { return missing(name, "true or false", value); });
    return value.AsBool();
  }

 private:
  static std::string missing(const char* name, const char* expected, flexbuffers::Reference value) {
    return std::string("its option ") + name +
           (value.IsNull() ? " is missing" : " is of another type") + ", must be " + expected;
  }

  const OpReader& m_reader;
  std::vector<uint8_t> m_bytes;
  flexbuffers::Map m_map = flexbuffers::Map::EmptyMap();
};

/// What dequantize made of int8 values is what the operator means by these values: it gets them
/// itself, and the DSP can compute it.
void read_bytes(const OpReader& r, size_t input) {
  const int producer = r.graph.producer(r.op.input(input));
  if (producer < 0) return;
  const ir::Op& before = r.graph.ops[static_cast<size_t>(producer)];
  if (before.kind != ir::OpKind::kDequantize) return;
  const ir::Tensor& bytes = r.graph.tensor(before.input(0));
  if (bytes.dtype == ir::DType::kInt8 && bytes.quantization.per_tensor()) {
    r.op.inputs[input] = before.input(0);
  }
}

}  // namespace

void detection_post_process(const OpReader& r) {
  const Options options(r);
  ir::DetectionPostProcess a;
  a.max = options.whole("max_detections");
  a.classes = options.whole("num_classes");
  a.classes_per_box = options.whole("max_classes_per_detection");
  a.boxes_per_class = options.whole_or("detections_per_class", 100);
  a.regular = options.flag("use_regular_nms");
  a.score = options.real("nms_score_threshold");
  a.iou = options.real("nms_iou_threshold");
  a.y_scale = options.real("y_scale"), a.x_scale = options.real("x_scale");
  a.h_scale = options.real("h_scale"), a.w_scale = options.real("w_scale");
  r.op.attributes = a;
  // The converter leaves these shapes to the operator.
  const int64_t results = int64_t{a.max} * a.classes_per_box;
  r.require(results <= kMost, [&] {
    return "max_detections times max_classes_per_detection is " + std::to_string(results) +
           ", must be at most " + std::to_string(kMost);
  });
  r.set_shape(0, {1, results, 4});
  r.set_shape(1, {1, results});
  r.set_shape(2, {1, results});
  r.set_shape(3, {1});
  read_bytes(r, 0);
  read_bytes(r, 1);
}

std::vector<Conversion> detection_conversions() {
  return {
      {file::Builtin_CUSTOM,
       ir::OpKind::kDetectionPostProcess,
       3,
       3,
       types::kBoxTypes,
       detection_post_process,
       {},
       0,
       4,
       4,
       "TFLite_Detection_PostProcess"},
  };
}

}  // namespace presil::import
