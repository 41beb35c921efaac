// The table of op_kinds.h, and comparison of operators through their field lists.
#include <algorithm>

#include "compiler_bridge/ir/graph.h"
#include "compiler_bridge/ir/type_case.h"

namespace presil::ir {
namespace {

// op_kinds.h names attribute structs without their namespace; some share a name with a kind.
std::vector<std::string> names_of(std::string_view list) {
  std::vector<std::string> names;
  while (!list.empty()) {
    const size_t comma = list.find(", ");
    names.emplace_back(list.substr(0, comma));
    list = comma == std::string_view::npos ? std::string_view() : list.substr(comma + 2);
  }
  return names;
}

/// Takes "..." off a name.
bool repeats(std::string& name) {
  const bool dots = name.size() > 3 && name.substr(name.size() - 3) == "...";
  if (dots) name.resize(name.size() - 3);
  return dots;
}

OpInfo make_info(OpKind kind, const char* name, Attributes defaults, const char* inputs,
                 const char* outputs, const char* types) {
  OpInfo entry{kind, name, {}, names_of(outputs), 0, false, false, std::move(defaults), types};
  for (std::string& output : entry.outputs) entry.variadic_outputs |= repeats(output);
  for (std::string& input : names_of(inputs)) {
    entry.variadic |= repeats(input);
    if (input.back() == '?') {
      input.pop_back();
    } else {
      ++entry.min_inputs;
    }
    entry.inputs.push_back(std::move(input));
  }
  return entry;
}

struct FieldsEqual {
  template <class T>
  bool operator()(const T& a, const T& b) const {
    // The field list is walked over `a` while `b`'s values are fetched at the same position.
    bool equal = true;
    size_t position = 0;
    T::fields(a, [&](const char*, const auto& value) {
      size_t other = 0;
      T::fields(b, [&](const char*, const auto& candidate) {
        if constexpr (std::is_same_v<decltype(value), decltype(candidate)>) {
          if (other == position && !(value == candidate)) equal = false;
        }
        ++other;
      });
      ++position;
    });
    return equal;
  }
  template <class A, class B>
  bool operator()(const A&, const B&) const {
    return false;
  }
};

}  // namespace

const std::vector<OpInfo>& op_table() {
  static const std::vector<OpInfo> table = {
#define X(Name, spelling, Struct, inputs, outputs, shape, rule) \
  make_info(OpKind::k##Name, #spelling, Struct{}, inputs, outputs, types::words::rule),
      PRESIL_OP_KINDS(X)
#undef X
  };
  return table;
}

std::string OpInfo::output_name(size_t i) const {
  if (!variadic_outputs) return outputs.at(i);
  return i == 0 ? outputs[0] : outputs[0] + std::to_string(i);
}

const OpInfo& info(OpKind kind) {
  return op_table().at(static_cast<size_t>(kind));
}

const OpInfo* find_op(std::string_view name) {
  for (const OpInfo& entry : op_table()) {
    if (entry.name == name) return &entry;
  }
  return nullptr;
}

bool Op::operator==(const Op& other) const {
  return kind == other.kind && name == other.name && inputs == other.inputs &&
         outputs == other.outputs && source_ops == other.source_ops &&
         std::visit(FieldsEqual{}, attributes, other.attributes);
}

}  // namespace presil::ir
