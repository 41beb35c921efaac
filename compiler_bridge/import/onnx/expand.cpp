#include "compiler_bridge/import/onnx/expand.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "models/base/refusal.h"
#include "models/base/utf8.h"

namespace presil::import::onnx {
namespace {

/// Where the operands of an operator on stored values stand among its inputs; each is a value, its
/// scale and its zero point.
struct Form {
  const char* op;     ///< on stored values
  const char* real;   ///< of real numbers
  size_t operands;    ///< 0: the rest of the inputs, after the result's scale and zero point
  int bias = -1;      ///< the input that is one, int32 in steps of both operands'
  bool gemm = false;  ///< the bias comes before the result's scale
};

constexpr const char* kMatMul = "MatMul";

const std::vector<Form>& forms() {
  static const std::vector<Form> all = {
      {"QLinearConv", "Conv", 2, 8},
      {"QLinearMatMul", kMatMul, 2},
      {"com.microsoft.QGemm", "Gemm", 2, 6, true},
      {"com.microsoft.QLinearAdd", "Add", 2},
      {"com.microsoft.QLinearMul", "Mul", 2},
      {"com.microsoft.QLinearSigmoid", "Sigmoid", 1},
      {"com.microsoft.QLinearLeakyRelu", "LeakyRelu", 1},
      {"com.microsoft.QLinearSoftmax", "Softmax", 1},
      {"com.microsoft.QLinearAveragePool", "AveragePool", 1},
      {"com.microsoft.QLinearGlobalAveragePool", "GlobalAveragePool", 1},
      {"com.microsoft.QLinearConcat", "Concat", 0},
  };
  return all;
}

class Expander {
 public:
  Expander(File& file, std::string name) : m_file(file), m_name(std::move(name)) {}

  void run() {
    std::vector<Node> nodes = std::move(m_file.nodes);
    m_file.nodes.clear();
    for (Node& node : nodes) {
      const auto form = std::find_if(forms().begin(), forms().end(),
                                     [&](const Form& one) { return node.op == one.op; });
      if (form == forms().end()) {
        m_file.nodes.push_back(std::move(node));
      } else {
        replace(node, *form);
      }
    }
  }

 private:
  void require(bool holds, const Node& node, const char* what) const {
    if (holds) return;
    throw Refusal("import", m_name + ": op " + std::to_string(node.index) + ", " + node.op + " \"" +
                                printable(node.name) + "\": " + what);
  }

  static bool node_is_plain(const Node& gemm) {
    const auto turned = gemm.attributes.find("transB");
    return turned == gemm.attributes.end() || turned->second.i == 0;
  }

  // Inputs as a node of the standard's that reads stored values, or makes them.
  std::string add(const Node& of, const char* op, std::vector<std::string> inputs,
                  const std::string& result, int64_t axis) {
    Node node;
    node.op = op, node.name = result, node.index = of.index;
    node.inputs = std::move(inputs), node.outputs = {result};
    node.attributes["axis"].i = axis;
    m_file.nodes.push_back(std::move(node));
    return result;
  }

  void replace(const Node& node, const Form& form) {
    const auto flag = node.attributes.find("channels_last");
    require(flag == node.attributes.end() || flag->second.i == 0, node,
            "channels_last is 1, must be 0");
    require(!node.outputs.empty() && !node.outputs[0].empty(), node, "it has no result");
    const bool many = form.operands == 0;
    const size_t first = many ? 2 : 0, count = node.inputs.size();
    const size_t operands = many ? (count - std::min(count, first)) / 3 : form.operands;
    const size_t to = many ? 0 : 3 * operands + (form.gemm ? 1 : 0);
    require(operands > 0 && count >= std::max(to + 2, first + 3 * operands), node,
            "it lacks inputs: each operand and the result has a scale and a zero point");
    const std::string& result = node.outputs[0];
    Node real = node;
    real.op = form.real, real.outputs = {result + kReal}, real.inputs.clear();
    for (size_t k = 0; k < operands; ++k) {
      const auto input = node.inputs.begin() + static_cast<std::ptrdiff_t>(first + 3 * k);
      // Of a matrix [in, out] the scales are of its columns, of other weights of the first axis.
      const bool turned = k == 1 && (form.gemm ? node_is_plain(node) : form.real == kMatMul);
      real.inputs.push_back(add(node, "DequantizeLinear", {input[0], input[1], input[2]},
                                result + "/operand" + std::to_string(k), turned ? 1 : 0));
    }
    const auto bias = static_cast<size_t>(form.bias);
    if (form.bias >= 0 && count > bias && !node.inputs[bias].empty()) {
      real.inputs.push_back(biased(node, node.inputs[bias]));
    }
    m_file.nodes.push_back(std::move(real));
    add(node, "QuantizeLinear", {result + kReal, node.inputs[to], node.inputs[to + 1]}, result, 1);
  }

  // A bias has steps of both operands': x's scale times that of the weights of each channel.
  std::string biased(const Node& node, const std::string& bias) {
    const auto constant = [&](const std::string& name) {
      const auto found = m_file.constants.find(name);
      require(found != m_file.constants.end() && found->second.dtype == ir::DType::kFloat32, node,
              "the scales of its operands must be initializers of float32");
      return std::vector<float>(found->second.values<float>(),
                                found->second.values<float>() + found->second.elements());
    };
    const std::vector<float> x = constant(node.inputs[1]), w = constant(node.inputs[4]);
    require(x.size() == 1 && !w.empty(), node, "the scale of its x must be one number");
    const std::string scale = node.outputs[0] + "/bias/scale";
    ir::Tensor steps;
    steps.name = scale, steps.dtype = ir::DType::kFloat32;
    steps.shape = {static_cast<int64_t>(w.size())};
    if (w.size() == 1) steps.shape.clear();
    ir::Bytes bytes(w.size() * sizeof(float));
    for (size_t i = 0; i < w.size(); ++i) {
      const float step = x[0] * w[i];
      std::memcpy(bytes.data() + i * sizeof step, &step, sizeof step);
    }
    steps.data = std::make_shared<const ir::Bytes>(std::move(bytes));
    ir::Tensor zeros = steps;
    zeros.name = node.outputs[0] + "/bias/zeros", zeros.dtype = ir::DType::kInt32;
    zeros.data = std::make_shared<const ir::Bytes>(ir::Bytes(w.size() * sizeof(int32_t), 0));
    const std::string zero = zeros.name;
    m_file.constants[scale] = std::move(steps);
    m_file.constants[zero] = std::move(zeros);
    return add(node, "DequantizeLinear", {bias, scale, zero}, node.outputs[0] + "/bias", 0);
  }

  File& m_file;
  const std::string m_name;
};

}  // namespace

void expand(File& file, const std::string& name) {
  Expander(file, name).run();
}

const std::vector<std::string>& expanded() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const Form& form : forms()) all.emplace_back(form.op);
    return all;
  }();
  return names;
}

}  // namespace presil::import::onnx
