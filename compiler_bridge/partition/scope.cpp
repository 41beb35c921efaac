#include "compiler_bridge/partition/scope.h"

#include <algorithm>
#include <cctype>
#include <map>

namespace presil::partition {
namespace {

using Kind = ir::OpKind;

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  size_t begin = 0;
  while (begin <= text.size()) {
    const size_t end = std::min(text.find(separator, begin), text.size());
    if (end > begin) parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

bool begins(const std::string& text, const std::string& with) {
  return text.rfind(with, 0) == 0;
}

/// Words by which converters call what had no name, with their numbers and types: "Identity_1",
/// "Identity_int8", "Const_173".
bool says_nothing(const std::string& name) {
  for (const char* dialect : {"tfl.", "arith.", "tf.Const", "serving_default"}) {
    if (begins(name, dialect)) return true;
  }
  for (const char* word : {"StatefulPartitionedCall", "PartitionedCall", "Identity", "Const"}) {
    if (!begins(name, word)) continue;
    std::string rest = name.substr(std::string(word).size());
    for (const char* type : {"_int8", "_uint8", "_int16", "_float"}) {
      if (begins(rest, type)) rest = rest.substr(std::string(type).size());
    }
    if (rest.find_first_not_of("_:0123456789") == std::string::npos) return true;
  }
  return name.empty();
}

bool is_lower_word(const std::string& text) {
  return !text.empty() && std::islower(static_cast<unsigned char>(text[0])) != 0;
}

/// A scope as people say it. Keras calls layers made of functions by their Python name
/// ("tf.nn.convolution_7"), exporters of PyTorch modules by class and instance
/// ("torch.nn.modules.conv.Conv2d_cv1"): the function, the instance.
std::string spoken(const std::string& scope) {
  if (begins(scope, "tf.")) return scope.substr(scope.rfind('.') + 1);
  size_t begin = 0;
  for (;;) {
    const size_t dot = scope.find('.', begin);
    const std::string word = scope.substr(begin, dot == std::string::npos ? dot : dot - begin);
    if (begin > 0 && std::isupper(static_cast<unsigned char>(word[0])) != 0) {
      const size_t instance = scope.find('_', begin);
      const bool in_word = instance != std::string::npos && instance - begin < word.size();
      return in_word && instance + 1 < scope.size() ? scope.substr(instance + 1) : scope;
    }
    if (dot == std::string::npos || dot + 1 == scope.size() || !is_lower_word(word)) return scope;
    begin = dot + 1;
  }
}

/// "resize" in "resize_1", "MobilenetV1" in "MobilenetV1": the same scope said again.
bool repeats(const std::string& inner, const std::string& outer) {
  if (!begins(outer, inner)) return false;
  const std::string rest = outer.substr(inner.size());
  return rest.empty() ||
         (rest[0] == '_' && rest.find_first_not_of("0123456789", 1) == std::string::npos);
}

/// Letters alone, in lower case: "FusedBatchNormV3" and "add_1" are "fusedbatchnormv", "add".
std::string letters(const std::string& text) {
  std::string kept;
  for (const char c : text) {
    if (std::isalpha(static_cast<unsigned char>(c)) != 0) {
      kept += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
  }
  return kept;
}

/// How primitives of a kind are called elsewhere, besides its own word.
const std::vector<std::string>& words_of(Kind kind) {
  static const std::vector<std::string> none;
  static const std::map<Kind, std::vector<std::string>> words = {
      {Kind::kConv2d, {"conv", "biasadd", "matmul", "tensordot"}},
      {Kind::kDepthwiseConv2d, {"depthwise", "conv", "biasadd"}},
      {Kind::kTransposeConv2d, {"conv", "biasadd", "deconv"}},
      {Kind::kFullyConnected,
       {"matmul", "biasadd", "dense", "gemm", "linear", "tensordot", "einsum"}},
      {Kind::kLogistic, {"sigmoid"}},
      {Kind::kStridedSlice, {"slice", "split", "crop"}},
      {Kind::kReshape, {"flatten", "squeeze", "expanddims"}},
      {Kind::kMaxPool2d, {"maxpool"}},
      {Kind::kAveragePool2d, {"avgpool", "averagepool"}},
      {Kind::kMul, {"truediv", "div"}},
  };
  const auto found = words.find(kind);
  return found == words.end() ? none : found->second;
}

bool is_own(const std::string& primitive, Kind kind) {
  const std::string said = letters(primitive);
  const std::string word = letters(ir::to_string(kind));
  const auto in = [&](const std::string& text) { return said.find(text) != std::string::npos; };
  const std::vector<std::string>& words = words_of(kind);
  return in(word) ? kind != Kind::kAdd || !in("biasadd")
                  : std::any_of(words.begin(), words.end(), in);
}

Scope part_of(const std::string& text, Kind kind) {
  Scope scope;
  std::vector<std::string> parts = split(text, '/');
  if (parts.empty()) return scope;
  const auto nothing = [](const std::string& part) { return says_nothing(part); };
  scope.primitive = parts.back();
  parts.pop_back();
  parts.erase(std::remove_if(parts.begin(), parts.end(), nothing), parts.end());
  for (const std::string& part : parts) {
    // Keras writes a dense layer of more than two axes as a scope of its own primitives.
    if (part == "Tensordot") continue;
    const std::string word = spoken(part);
    if (scope.path.empty() || !repeats(word, scope.path.back())) scope.path.push_back(word);
  }
  if (says_nothing(scope.primitive)) {
    if (scope.path.empty()) return {};
    scope.primitive.clear();
  }
  scope.own = is_own(scope.primitive, kind);
  return scope;
}

bool within(const std::vector<std::string>& inner, const std::vector<std::string>& outer) {
  return inner.size() >= outer.size() && std::equal(outer.begin(), outer.end(), inner.begin());
}

bool weights_of(Kind kind) {
  return kind == Kind::kConv2d || kind == Kind::kDepthwiseConv2d ||
         kind == Kind::kTransposeConv2d || kind == Kind::kFullyConnected;
}

}  // namespace

Scope scope_of(const std::string& name, Kind kind) {
  // Fused names have the operator's own among those of what follows it (an activation), of what
  // it took in (a normalisation), and of others that share a constant with it: its own are most.
  // Where none is, what was made last stands first, and a layer with weights after it.
  std::vector<Scope> parts;
  for (const std::string& text : split(name, ';')) {
    Scope part = part_of(text, kind);
    if (!part.empty()) parts.push_back(std::move(part));
  }
  if (parts.empty()) return {};
  const Scope* best = nullptr;
  std::ptrdiff_t most = 0;
  for (const Scope& part : parts) {
    if (!part.own) continue;
    const std::ptrdiff_t votes = std::count_if(
        parts.begin(), parts.end(), [&](const Scope& p) { return within(p.path, part.path); });
    if (best == nullptr || votes > most) {
      best = &part;
      most = votes;
    }
  }
  if (best != nullptr) return *best;
  return weights_of(kind) ? parts.back() : parts.front();
}

bool has_weights(const ir::Graph& graph, const ir::Op& op) {
  return weights_of(op.kind) && graph.tensor(op.input(1)).is_constant();
}

Scope scope_of(const ir::Graph& graph, const ir::Op& op) {
  Scope scope = scope_of(op.name, op.kind);
  if (!scope.empty() || !has_weights(graph, op)) return scope;
  for (size_t i = 1; i < op.inputs.size(); ++i) {
    if (op.inputs[i] == ir::kAbsent || !graph.tensor(op.inputs[i]).is_constant()) continue;
    Scope of_constant = scope_of(graph.tensor(op.inputs[i]).name, op.kind);
    if (!of_constant.path.empty()) return of_constant;
  }
  return scope;
}

}  // namespace presil::partition
