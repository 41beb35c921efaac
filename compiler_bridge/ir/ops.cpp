// The table of op_kinds.h, and comparison of operators through their field lists.
#include <iterator>
#include <type_traits>

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

/// Field by field, in the order of `fields`.
template <class T>
bool fields_equal(const T& a, const T& b) {
  std::vector<const void*> of_b;
  T::fields(b, [&](const char*, const auto& value) { of_b.push_back(&value); });
  bool equal = true;
  size_t at = 0;
  T::fields(a, [&](const char*, const auto& value) {
    using Field = std::remove_reference_t<decltype(value)>;
    equal = equal && value == *static_cast<Field*>(of_b[at]);
    ++at;
  });
  return equal;
}

bool attributes_equal(const Attributes& a, const Attributes& b) {
  if (a.index() != b.index()) return false;
  return std::visit(
      [&](const auto& of_a) {
        return fields_equal(of_a, std::get<std::decay_t<decltype(of_a)>>(b));
      },
      a);
}

/// What op_kinds.h says, as plain data: a list of OpInfo would be constructed entry by entry in
/// line.
struct Row {
  OpKind kind;
  const char* name;
  Attributes (*defaults)();
  const char* inputs;
  const char* outputs;
  const char* const* types;
};

template <class T>
Attributes defaults_of() {
  return T{};
}

constexpr Row kRows[] = {
#define X(Name, spelling, Struct, inputs, outputs, shape, rule) \
  {OpKind::k##Name, #spelling, defaults_of<Struct>, inputs, outputs, &types::words::rule},
    PRESIL_OP_KINDS(X)
#undef X
};

OpInfo make_info(const Row& row) {
  OpInfo entry{row.kind, row.name,       {},        names_of(row.outputs), 0, false,
               false,    row.defaults(), *row.types};
  for (std::string& output : entry.outputs) entry.variadic_outputs |= repeats(output);
  for (std::string& input : names_of(row.inputs)) {
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

}  // namespace

const std::vector<OpInfo>& op_table() {
  static const std::vector<OpInfo> table = [] {
    std::vector<OpInfo> all;
    all.reserve(std::size(kRows));
    for (const Row& row : kRows) all.push_back(make_info(row));
    return all;
  }();
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
         attributes_equal(attributes, other.attributes);
}

}  // namespace presil::ir
