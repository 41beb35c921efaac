// TFLite files for tests, one operator each.
#pragma once

#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "compiler_bridge/ir/graph.h"
#include "tflite_generated.h"

namespace presil::import {

class TfliteFile {
 public:
  TfliteFile() {
    model.version = 3;
    model.subgraphs.push_back(std::make_unique<file::SubGraphT>());
    model.buffers.push_back(std::make_unique<file::BufferT>());  // 0: no data
  }

  file::SubGraphT& graph() { return *model.subgraphs[0]; }
  file::TensorT& tensor(int id) { return *graph().tensors[static_cast<size_t>(id)]; }
  file::OperatorT& op(size_t i = 0) { return *graph().operators[i]; }

  int add_tensor(const std::string& name, std::vector<int32_t> shape,
                 file::TensorType type = file::TensorType_Int8) {
    auto tensor = std::make_unique<file::TensorT>();
    tensor->name = name;
    tensor->shape = std::move(shape);
    tensor->type = type;
    if (type == file::TensorType_Int8 || type == file::TensorType_Uint8) {
      tensor->quantization = std::make_unique<file::QuantizationT>();
      tensor->quantization->scale = {0.5f};
      tensor->quantization->zero_point = {3};
    }
    graph().tensors.push_back(std::move(tensor));
    return static_cast<int>(graph().tensors.size()) - 1;
  }

  template <class T>
  int add_constant(const std::string& name, std::vector<int32_t> shape, file::TensorType type,
                   const std::vector<T>& values) {
    const int id = add_tensor(name, std::move(shape), type);
    auto buffer = std::make_unique<file::BufferT>();
    buffer->data.resize(values.size() * sizeof(T));
    std::memcpy(buffer->data.data(), values.data(), buffer->data.size());
    model.buffers.push_back(std::move(buffer));
    tensor(id).buffer = static_cast<uint32_t>(model.buffers.size() - 1);
    if (tensor(id).quantization) tensor(id).quantization->zero_point = {0};
    return id;
  }
  int add_integers(const std::string& name, const std::vector<int32_t>& values) {
    return add_constant(name, {static_cast<int32_t>(values.size())}, file::TensorType_Int32,
                        values);
  }

  file::OperatorT& add_op(file::Builtin code, std::vector<int32_t> inputs,
                          std::vector<int32_t> outputs) {
    auto entry = std::make_unique<file::OperatorCodeT>();
    entry->code = code;
    entry->short_code = static_cast<int8_t>(code < 127 ? code : 127);
    model.operator_codes.push_back(std::move(entry));
    auto made = std::make_unique<file::OperatorT>();
    made->opcode_index = static_cast<uint32_t>(model.operator_codes.size() - 1);
    made->inputs = std::move(inputs);
    made->outputs = std::move(outputs);
    graph().operators.push_back(std::move(made));
    return *graph().operators.back();
  }

  std::vector<uint8_t> bytes() const {
    flatbuffers::FlatBufferBuilder builder;
    file::FinishModelBuffer(builder, file::Model::Pack(builder, &model));
    return {builder.GetBufferPointer(), builder.GetBufferPointer() + builder.GetSize()};
  }

  file::ModelT model;
};

/// What a SPLIT or SPLIT_V states.
inline void set_results(file::OperatorT& op, size_t count) {
  file::SplitT split;
  file::SplitVT split_v;
  split.results = split_v.results = static_cast<int32_t>(count);
  if (op.inputs.size() == 2) {
    op.options.Set(split);
  } else {
    op.options.Set(split_v);
  }
}

/// x [1,h,w,c] -> CONV_2D with a kernel of kh x kw and `out` channels -> y.
inline TfliteFile conv_file(int h, int w, int c, int kh, int kw, int out, file::Padding padding,
                            int stride, std::vector<int32_t> y, int dilation = 1) {
  TfliteFile f;
  const int x = f.add_tensor("x", {1, h, w, c});
  const int weights =
      f.add_constant("w", {out, kh, kw, c}, file::TensorType_Int8,
                     std::vector<int8_t>(static_cast<size_t>(out * kh * kw * c), 1));
  const int bias = f.add_constant("b", {out}, file::TensorType_Int32,
                                  std::vector<int32_t>(static_cast<size_t>(out), 5));
  const int result = f.add_tensor("y", std::move(y));
  file::Conv2DT options;
  options.padding = padding;
  options.stride_h = options.stride_w = stride;
  options.dilation_h = options.dilation_w = dilation;
  options.activation = file::Fused_Relu6;
  f.add_op(file::Builtin_CONV_2D, {x, weights, bias}, {result}).options.Set(std::move(options));
  f.graph().inputs = {x};
  f.graph().outputs = {result};
  return f;
}

}  // namespace presil::import
