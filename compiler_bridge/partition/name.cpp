#include "compiler_bridge/partition/name.h"

#include <algorithm>

#include "compiler_bridge/partition/scope.h"

namespace presil::partition {
namespace {

/// What one op may be called: the last `least` words, or more of them.
struct Words {
  std::vector<std::string> words;
  size_t least = 1;

  std::string last(size_t count) const {
    std::string text;
    for (size_t i = words.size() - count; i < words.size(); ++i) {
      text += (text.empty() ? "" : "/") + words[i];
    }
    return text;
  }
};

/// What stands in a scope.
struct Members {
  int ops = 0, weighted = 0, own = 0;
  bool encloses = false;  ///< other scopes
};

/// The scope is called like the op: it is the one with weights, or the only one that is what its
/// primitive says, or alone; but a block with more inside is no operator.
bool owns(const Members& members, const Scope& scope, bool weighted) {
  if (members.weighted > 0) return weighted && members.weighted == 1;
  if (members.encloses) return false;
  return members.ops == 1 || (scope.own && members.own == 1);
}

std::vector<Words> words_of(const ir::Graph& graph) {
  std::vector<Scope> scopes;
  std::map<std::vector<std::string>, Members> members;
  for (const ir::Op& op : graph.ops) {
    scopes.push_back(scope_of(graph, op));
    const Scope& scope = scopes.back();
    Members& here = members[scope.path];
    ++here.ops;
    here.own += scope.own ? 1 : 0;
    here.weighted += has_weights(graph, op) ? 1 : 0;
    std::vector<std::string> around = scope.path;
    while (!around.empty()) {
      around.pop_back();
      members[around].encloses = true;
    }
  }
  std::vector<Words> all;
  for (size_t i = 0; i < graph.ops.size(); ++i) {
    const Scope& scope = scopes[i];
    Words words{scope.path, 1};
    if (scope.path.empty()) {
      if (!scope.empty()) words.words = {scope.primitive};
    } else if (!owns(members[scope.path], scope, has_weights(graph, graph.ops[i]))) {
      const bool says_it = scope.own && !scope.primitive.empty();
      words.words.push_back(says_it ? scope.primitive : ir::to_string(graph.ops[i].kind));
      words.least = 2;
    }
    all.push_back(std::move(words));
  }
  return all;
}

}  // namespace

std::vector<std::string> op_names(const ir::Graph& imported) {
  const std::vector<Words> words = words_of(imported);
  std::map<std::string, int> said;               // endings, by how many ops have them
  std::map<std::vector<std::string>, int> same;  // ops of which everything is equal
  for (const Words& w : words) {
    if (!w.words.empty()) ++same[w.words];
    for (size_t count = 1; count <= w.words.size(); ++count) ++said[w.last(count)];
  }
  std::vector<std::string> result(words.size());
  Names names;
  for (size_t i = 0; i < words.size(); ++i) {
    const Words& w = words[i];
    if (w.words.empty()) continue;
    size_t count = w.least;
    while (count < w.words.size() && said.at(w.last(count)) != same.at(w.words)) ++count;
    result[i] = names.unique(w.last(count));
  }
  for (size_t i = 0; i < words.size(); ++i) {
    if (words[i].words.empty()) result[i] = names.unique(ir::to_string(imported.ops[i].kind));
  }
  return result;
}

OpNames::OpNames(const ir::Graph& imported)
    : m_imported(imported), m_origins(imported), m_names(op_names(imported)) {}

std::string OpNames::of(const ir::Op& op) const {
  const ir::Op* self = m_origins.self(op);
  for (size_t i = 0; self == nullptr && i < op.source_ops.size(); ++i) {
    self = m_origins.by_source(op.source_ops[i]);
  }
  if (self != nullptr) return m_names[static_cast<size_t>(self - m_imported.ops.data())];
  const Scope scope = scope_of(op.name, op.kind);
  if (scope.empty()) return ir::to_string(op.kind);
  return scope.path.empty() ? scope.primitive : scope.path.back();
}

std::vector<std::string> OpNames::of_all(const std::vector<const ir::Op*>& ops) const {
  std::vector<std::string> result(ops.size());
  Names names;
  const auto rank = [&](const ir::Op& op) {
    const ir::Op* made = m_origins.maker(op.output());
    if (made != nullptr && made->kind == op.kind) return 0;
    return m_origins.self(op) != nullptr ? 1 : 2;
  };
  for (int turn = 0; turn <= 2; ++turn) {
    for (size_t i = 0; i < ops.size(); ++i) {
      if (rank(*ops[i]) == turn) result[i] = names.unique(of(*ops[i]));
    }
  }
  return result;
}

std::vector<std::string> short_names(const ir::Graph& graph, const ir::Graph& imported) {
  std::vector<std::string> shown(graph.tensors.size());
  std::vector<const ir::Op*> ops;
  for (const ir::Op& op : graph.ops) ops.push_back(&op);
  const std::vector<std::string> of_ops = OpNames(imported).of_all(ops);
  Names names;
  const auto name = [&](ir::TensorId id, const std::string& text) {
    if (id == ir::kAbsent || !shown[static_cast<size_t>(id)].empty()) return;
    shown[static_cast<size_t>(id)] = names.unique(text);
  };
  for (size_t i = 0; i < ops.size(); ++i) name(ops[i]->output(), of_ops[i]);
  for (const ir::TensorId id : graph.inputs) {
    const std::string own = graph.tensor(id).name;
    name(id, own.substr(own.find_last_of(";/") + 1));
  }
  for (size_t i = 0; i < ops.size(); ++i) {
    const ir::Op& op = *ops[i];
    const ir::OpInfo& kind = ir::info(op.kind);
    for (size_t j = 1; j < op.outputs.size(); ++j) {
      name(op.outputs[j], of_ops[i] + "." + kind.output_name(j));
    }
    for (size_t j = 0; j < op.inputs.size(); ++j) {
      const ir::TensorId id = op.inputs[j];
      if (id == ir::kAbsent || !graph.tensor(id).is_constant()) continue;
      name(id, of_ops[i] + "." + kind.inputs[std::min(j, kind.inputs.size() - 1)]);
    }
  }
  for (size_t i = 0; i < shown.size(); ++i) {
    if (shown[i].empty()) shown[i] = graph.tensors[i].name;
  }
  return shown;
}

std::string Names::unique(const std::string& name) {
  if (m_taken.insert(name).second) return name;
  int& n = m_last.try_emplace(name, 1).first->second;
  for (;;) {
    std::string candidate = name + "#" + std::to_string(++n);
    if (m_taken.insert(candidate).second) return candidate;
  }
}

}  // namespace presil::partition
