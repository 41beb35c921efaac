// Sound ONNX files in small: what testbench/fuzz mutates.
#include <string>
#include <utility>

#include "onnx.pb.h"
#include "testbench/fuzz/import_targets.h"

namespace presil::fuzz {
namespace {

namespace pb = presil::onnx;
using Numbers = std::vector<int64_t>;
using Names = std::vector<std::string>;

enum : int { kFloat = 1, kUint8 = 2, kInt8 = 3, kInt32 = 6, kInt64 = 7 };

/// A network of operators, most of them one after another.
class Net {
 public:
  explicit Net(const Numbers& shape, int type = kFloat) {
    m_model.set_ir_version(8);
    m_model.add_opset_import()->set_version(13);
    edge(graph().add_input(), "x", type, &shape);
  }

  template <class T>
  std::string constant(int type, const Numbers& shape, const std::vector<T>& values) {
    pb::Tensor* tensor = graph().add_initializer();
    tensor->set_name("c" + std::to_string(graph().initializer_size()));
    tensor->set_data_type(type);
    for (const int64_t extent : shape) tensor->add_dims(extent);
    tensor->set_raw_data(values.data(), values.size() * sizeof(T));
    return tensor->name();
  }
  std::string real(float value) { return constant<float>(kFloat, {}, {value}); }
  std::string reals(const Numbers& shape, float value = 0.5f) {
    return constant(kFloat, shape, std::vector<float>(elements(shape), value));
  }
  std::string integers(const Numbers& values) {
    return constant(kInt64, {static_cast<int64_t>(values.size())}, values);
  }
  std::string bytes(const Numbers& shape) {
    std::vector<int8_t> values(elements(shape));
    for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<int8_t>(i * 37 % 255 - 127);
    return constant(kInt8, shape, values);
  }
  std::string zero(int8_t value = 0) { return constant<int8_t>(kInt8, {}, {value}); }

  /// @param inputs  "": an optional one that is left out
  pb::Node& op(const std::string& type, const Names& inputs) {
    pb::Node* node = graph().add_node();
    node->set_op_type(type);
    for (const std::string& input : inputs) node->add_input(input);
    m_last = "t" + std::to_string(graph().node_size());
    node->add_output(m_last);
    node->set_name(type + m_last);
    return *node;
  }
  pb::Node& then(const std::string& type, Names more = {}) {
    more.insert(more.begin(), m_last);
    return op(type, more);
  }
  const std::string& last() const { return m_last; }

  /// Stored as int8 and real again.
  Net& quantised(float scale, int8_t point) {
    const Names how = {real(scale), zero(point)};
    then("QuantizeLinear", how), then("DequantizeLinear", how);
    return *this;
  }
  std::string stored(const Numbers& shape, float scale) {
    const std::string before = m_last;
    op("DequantizeLinear", {bytes(shape), real(scale), zero()});
    return std::exchange(m_last, before);
  }

  File file(int type = kFloat) {
    edge(graph().add_output(), m_last, type, nullptr);
    const std::string text = m_model.SerializeAsString();
    return {text.begin(), text.end()};
  }

 private:
  pb::Graph& graph() { return *m_model.mutable_graph(); }
  static size_t elements(const Numbers& shape) {
    int64_t count = 1;
    for (const int64_t extent : shape) count *= extent;
    return static_cast<size_t>(count);
  }
  static void edge(pb::ValueInfo* value, const std::string& name, int type, const Numbers* shape) {
    value->set_name(name);
    pb::TensorType* tensor = value->mutable_type()->mutable_tensor_type();
    tensor->set_elem_type(type);
    if (shape == nullptr) return;
    for (const int64_t extent : *shape) {
      tensor->mutable_shape()->add_dim()->set_dim_value(extent);
    }
  }

  pb::Model m_model;
  std::string m_last = "x";
};

pb::Attribute& attribute(pb::Node& node, const char* name) {
  pb::Attribute* made = node.add_attribute();
  made->set_name(name);
  return *made;
}

void with(pb::Node& node, const char* name, const Numbers& values) {
  pb::Attribute& made = attribute(node, name);
  for (const int64_t value : values) made.add_ints(value);
}

void with(pb::Node& node, const char* name, int64_t value) {
  attribute(node, name).set_i(value);
}

void with(pb::Node& node, const char* name, const char* text) {
  attribute(node, name).set_s(text);
}

void window(pb::Node& node, int64_t kernel, int64_t stride, int64_t pad = 0) {
  with(node, "kernel_shape", {kernel, kernel});
  with(node, "strides", {stride, stride});
  with(node, "pads", {pad, pad, pad, pad});
}

/// Convolutions, pools and sums between QuantizeLinear and DequantizeLinear.
File quantised() {
  Net net({1, 4, 6, 6});
  net.quantised(0.1f, 5);
  const std::string x = net.last();
  const std::string w = net.stored({4, 1, 3, 3}, 0.02f);
  pb::Node& conv = net.op("Conv", {x, w, net.reals({4})});
  window(conv, 3, 1, 1), with(conv, "group", 4);
  net.then("Relu"), net.quantised(0.05f, -128);
  net.then("Add", {x}), net.quantised(0.1f, 3);
  window(net.then("MaxPool"), 2, 2);
  with(net.then("Concat", {net.last()}), "axis", 1), net.quantised(0.1f, 3);
  net.then("GlobalAveragePool"), net.quantised(0.04f, 1);
  with(net.then("Flatten"), "axis", 1);
  net.then("Gemm", {net.stored({8, 3}, 0.02f), net.reals({3})}), net.quantised(0.2f, 0);
  with(net.then("Softmax"), "axis", 1), net.quantised(1.0f / 256, -128);
  return net.file();
}

File qlinear() {
  Net net({1, 4, 5, 5}, kInt8);
  const Names how = {net.real(0.1f), net.zero(3)};
  Names inputs = {how[0], how[1], net.bytes({6, 4, 1, 1}), net.reals({6}, 0.01f)};
  inputs.push_back(net.constant(kInt8, {6}, std::vector<int8_t>(6)));
  inputs.insert(inputs.end(), {net.real(0.2f), net.zero(-4)});
  inputs.push_back(net.constant(kInt32, {6}, std::vector<int32_t>(6, 100)));
  net.then("QLinearConv", inputs);
  net.then("Reshape", {net.integers({6, 25})});
  net.then("QLinearMatMul", {net.real(0.2f), net.zero(-4), net.bytes({25, 3}), net.real(0.01f),
                             net.zero(), net.real(0.3f), net.zero(1)});
  return net.file(kInt8);
}

/// Sums of bytes as they are, and whole numbers as float32.
File sums() {
  Net net({1, 4, 5, 5}, kUint8);
  const std::string point = net.constant<uint8_t>(kUint8, {}, {7});
  window(net.then("ConvInteger", {net.bytes({6, 4, 2, 2}), point, net.zero(3)}), 2, 1, 1);
  return net.file(kInt32);
}

File matrices() {
  Net net({2, 3, 8}, kInt8);
  net.then("MatMulInteger", {net.bytes({8, 5}), net.zero(-3), net.zero(2)});
  return net.file(kInt32);
}

File wholes() {
  Net net({1, 2, 4, 4});
  const auto requant = [&net](bool is_signed) {
    pb::Node& node = net.then("RequantShift", {net.reals({}, 514), net.reals({}, 1028)});
    for (const auto& [name, value] : {std::pair<const char*, float>{"div", 65536},
                                      {"n_levels_out", 256},
                                      {"signed", is_signed ? 1 : 0}}) {
      pb::Tensor* tensor = attribute(node, name).mutable_t();
      tensor->set_data_type(kFloat), tensor->add_float_data(value);
    }
  };
  window(net.then("Conv", {net.reals({4, 2, 3, 3}, 3)}), 3, 1, 1), requant(false);
  const std::string x = net.last();
  pb::Node& depthwise = net.then("Conv", {net.reals({4, 1, 1, 1}, -5)});
  window(depthwise, 1, 1), with(depthwise, "group", 4), requant(true);
  net.then("Add", {x}), requant(false);
  with(net.then("Flatten"), "axis", 1);
  net.then("MatMul", {net.reals({64, 3}, 2)}), requant(true);
  return net.file();
}

/// Layouts, slices, shapes that the network computes.
File moves() {
  Net net({2, 4, 6, 6});
  with(net.then("Transpose"), "perm", {0, 1, 3, 2});
  pb::Node& up = net.then("Resize", {"", net.constant<float>(kFloat, {4}, {1, 1, 2, 2})});
  with(up, "mode", "nearest"), with(up, "coordinate_transformation_mode", "asymmetric");
  with(up, "nearest_mode", "floor");
  net.then("Slice", {net.integers({1}), net.integers({9}), net.integers({2}), net.integers({1})});
  net.then("Pad", {net.integers({0, 0, 1, 0, 0, 0, 0, 1})});
  const std::string cut = net.last();
  net.op("Shape", {cut}), with(net.then("Gather", {net.integers({0})}), "axis", int64_t{0});
  with(net.then("Cast"), "to", int64_t{kInt64});
  with(net.then("Concat", {net.integers({-1})}), "axis", int64_t{0});
  const std::string shape = net.last();
  net.op("Reshape", {cut, shape}), net.then("Unsqueeze", {net.integers({0})});
  net.then("Squeeze", {net.integers({0})}), net.then("Identity"), net.then("Dropout");
  pb::Node& split = net.then("Split", {net.integers({68, 400})});
  split.add_output("rest"), with(split, "axis", 1);
  return net.file();
}

File blocks() {
  Net net({1, 4, 4, 4});
  with(net.then("SpaceToDepth"), "blocksize", 2), with(net.then("DepthToSpace"), "blocksize", 2);
  window(net.then("AveragePool"), 2, 1);
  pb::Node& conv = net.then("ConvTranspose", {net.reals({4, 3, 2, 2})});
  window(conv, 2, 2);
  net.then("BatchNormalization", {net.reals({3}), net.reals({3}), net.reals({3}), net.reals({3})});
  pb::Node& up = net.then("Upsample", {net.constant<float>(kFloat, {4}, {1, 1, 2, 2})});
  with(up, "mode", "nearest");
  with(net.then("Gather", {net.integers({2, 0})}), "axis", 2);
  return net.file();
}

File element_functions() {
  Net net({1, 3, 2, 2});
  for (const char* one :
       {"Abs",       "Sqrt", "Exp",  "Log",  "Neg",     "Ceil",        "Floor",     "Sin",
        "Cos",       "Erf",  "Sign", "Tanh", "Sigmoid", "Softplus",    "Softsign",  "Relu",
        "LeakyRelu", "Elu",  "Celu", "Selu", "Mish",    "HardSigmoid", "HardSwish", "Reciprocal"}) {
    net.then(one);
  }
  net.then("Clip", {net.real(-1), net.real(6)}), net.then("PRelu", {net.reals({3, 1, 1})});
  for (const char* two : {"Add", "Sub", "Mul", "Div", "Max", "Min"}) {
    net.then(two, {net.reals({1, 3, 1, 1})});
  }
  net.then("Pow", {net.real(2)});
  return net.file();
}

File axis_reductions() {
  Net net({2, 3, 4, 8});
  net.then("LayerNormalization", {net.reals({8}), net.reals({8})});
  for (const char* one : {"ReduceMean", "ReduceMax", "ReduceMin"}) {
    pb::Node& node = net.then(one);
    with(node, "axes", Numbers{2}), with(node, "keepdims", 1);
  }
  net.then("ReduceSum", {net.integers({1})});
  net.then("MatMul", {net.reals({8, 4})}), net.then("MatMul", {net.reals({2, 1, 4, 5})});
  pb::Node& filled = net.op("ConstantOfShape", {net.integers({5})});
  pb::Tensor* value = attribute(filled, "value").mutable_t();
  value->set_data_type(kFloat), value->add_dims(1), value->add_float_data(2.0f);
  const std::string twos = net.last();
  pb::Node& five = net.op("Constant", {});
  pb::Tensor* fives = attribute(five, "value").mutable_t();
  fives->set_data_type(kFloat), fives->add_float_data(5.0f);
  net.then("Mul", {twos});
  return net.file();
}

}  // namespace

std::vector<File> onnx_networks() {
  return {quantised(), qlinear(),           sums(),           matrices(), wholes(), moves(),
          blocks(),    element_functions(), axis_reductions()};
}

}  // namespace presil::fuzz
