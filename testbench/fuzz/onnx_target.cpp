#include <algorithm>
#include <string>

#include "compiler_bridge/import/onnx.h"
#include "onnx.pb.h"
#include "testbench/fuzz/import_targets.h"
#include "testbench/fuzz/reading.h"

namespace presil::fuzz {
namespace {

namespace pb = presil::onnx;

constexpr int64_t kOdd[] = {0,
                            1,
                            -1,
                            2,
                            3,
                            4,
                            5,
                            7,
                            255,
                            65535,
                            65536,
                            1 << 20,
                            INT32_MAX,
                            INT32_MIN,
                            INT64_MAX,
                            INT64_MIN,
                            int64_t{1} << 31,
                            int64_t{1} << 40};
constexpr float kOddReals[] = {0.0f, -1.0f, 1e-45f, 1e38f, __builtin_nanf(""), __builtin_inff()};
constexpr const char* kWords[] = {
    "axis",       "axes",   "perm",       "pads",      "kernel_shape",
    "strides",    "group",  "mode",       "linear",    "align_corners",
    "block_size", "NOTSET", "SAME_UPPER", "ceil_mode", "keepdims",
    "",           "x"};
constexpr const char* kLocations[] = {"tosa.bfbs", "../secret",  "/etc/passwd",  "a/../../b",
                                      "",          "absent.bin", "tosa.bfbs/..", "."};

/// One change of one field, as `what` says.
class Change {
 public:
  Change(pb::Model& model, Random& random) : m_model(model), m_random(random) {
    collect(*model.mutable_graph());
  }

  void make() {
    switch (m_random.below(16)) {
      case 0:
        return input_named_otherwise();
      case 1:
      case 2:
        return attribute_changed();
      case 3:
        return attribute_added();
      case 4:
        return extent_changed();
      case 5:
        return type_changed();
      case 6:
        return data_changed();
      case 7:
        return data_outside();
      case 8:
        return operator_changed();
      case 9:
        return nodes_moved();
      case 10:
        return inputs_cut();
      case 11:
        return edge_changed();
      case 12:
        return nested();
      case 13:
        return result_named_otherwise();
      case 14:
        return outputs_changed();
      default:
        if (m_model.opset_import_size() != 0)
          m_model.mutable_opset_import(0)->set_version(static_cast<int64_t>(m_random.below(26)));
    }
  }

 private:
  template <class List>
  auto* any(List* list) {
    using Item = std::remove_reference_t<decltype(*list->Mutable(0))>;
    if (list->empty()) return static_cast<Item*>(nullptr);
    return list->Mutable(static_cast<int>(m_random.below(static_cast<uint64_t>(list->size()))));
  }
  int64_t odd() { return kOdd[m_random.below(std::size(kOdd))]; }
  std::string word() { return kWords[m_random.below(std::size(kWords))]; }
  std::string name() { return m_names.empty() ? word() : m_names[m_random.below(m_names.size())]; }
  pb::Node* node() { return any(m_model.mutable_graph()->mutable_node()); }
  pb::Tensor* tensor() {
    pb::Node* from = m_random.one_in(4) ? node() : nullptr;
    pb::Attribute* a = from ? any(from->mutable_attribute()) : nullptr;
    if (a && a->has_t()) return a->mutable_t();
    return any(m_model.mutable_graph()->mutable_initializer());
  }

  void collect(const pb::Graph& graph) {
    for (const auto& t : graph.initializer()) m_names.push_back(t.name());
    for (const auto& i : graph.input()) m_names.push_back(i.name());
    for (const auto& n : graph.node()) {
      for (const auto& o : n.output()) m_names.push_back(o);
    }
  }

  void input_named_otherwise() {  // forward references and cycles among them
    pb::Node* n = node();
    std::string* input = n ? any(n->mutable_input()) : nullptr;
    if (input) *input = name();
  }
  void result_named_otherwise() {
    pb::Node* n = node();
    std::string* output = n ? any(n->mutable_output()) : nullptr;
    if (output) *output = name();
  }
  void attribute_changed() {
    pb::Node* n = node();
    pb::Attribute* a = n ? any(n->mutable_attribute()) : nullptr;
    if (!a) return;
    if (a->ints_size() != 0 && !m_random.one_in(4)) {
      *any(a->mutable_ints()) = odd();
    } else if (m_random.one_in(4)) {
      a->add_ints(odd());
    } else if (m_random.one_in(4)) {
      a->clear_ints();
    } else {
      a->set_i(odd()), a->set_f(kOddReals[m_random.below(std::size(kOddReals))]);
      a->set_s(word());
    }
  }
  void attribute_added() {
    pb::Node* n = node();
    if (!n) return;
    pb::Attribute* a = n->add_attribute();
    a->set_name(word()), a->set_i(odd());
    for (uint64_t left = m_random.below(5); left > 0; --left) {
      a->add_ints(static_cast<int64_t>(m_random.below(4)));
    }
  }
  void extent_changed() {
    pb::Tensor* t = tensor();
    if (!t) return;
    if (t->dims_size() != 0 && !m_random.one_in(3)) {
      *any(t->mutable_dims()) = odd();
    } else {
      m_random.one_in(2) ? t->add_dims(odd()) : t->clear_dims();
    }
  }
  void type_changed() {
    if (pb::Tensor* t = tensor()) t->set_data_type(static_cast<int>(m_random.below(24)));
  }
  void data_changed() {
    pb::Tensor* t = tensor();
    if (!t) return;
    std::string* raw = t->mutable_raw_data();
    if (raw->empty() || m_random.one_in(4)) {
      raw->resize(m_random.below(raw->size() + 9));
    } else {
      (*raw)[m_random.below(raw->size())] = static_cast<char>(m_random.next());
    }
  }
  void data_outside() {
    pb::Tensor* t = tensor();
    if (!t) return;
    t->set_data_location(1);
    t->clear_raw_data();
    const auto entry = [&](const char* key, const std::string& value) {
      pb::Entry* e = t->add_external_data();
      e->set_key(key), e->set_value(value);
    };
    entry("location", kLocations[m_random.below(std::size(kLocations))]);
    if (m_random.one_in(2)) entry("offset", std::to_string(odd()));
    if (m_random.one_in(2)) entry("length", std::to_string(odd()));
  }
  void operator_changed() {
    static const std::vector<std::string> operators = import::onnx_operators();
    if (pb::Node* n = node()) n->set_op_type(operators[m_random.below(operators.size())]);
  }
  void nodes_moved() {
    auto* nodes = m_model.mutable_graph()->mutable_node();
    if (nodes->empty()) return;
    const auto at = [&] {
      return static_cast<int>(m_random.below(static_cast<uint64_t>(nodes->size())));
    };
    const int first = at(), second = at();
    if (m_random.one_in(2)) {
      nodes->SwapElements(first, second);
    } else if (m_random.one_in(2)) {
      nodes->DeleteSubrange(first, 1);
    } else {
      *nodes->Add() = pb::Node(nodes->Get(first));
    }
  }
  void inputs_cut() {
    pb::Node* n = node();
    if (!n) return;
    auto* list = m_random.one_in(3) ? n->mutable_output() : n->mutable_input();
    if (list->empty() || m_random.one_in(3)) {
      *list->Add() = name();
    } else {
      list->RemoveLast();
    }
  }
  void edge_changed() {
    pb::Graph* graph = m_model.mutable_graph();
    pb::ValueInfo* edge =
        any(m_random.one_in(4) ? graph->mutable_output() : graph->mutable_input());
    if (!edge) return;
    pb::TensorType* type = edge->mutable_type()->mutable_tensor_type();
    auto* dims = type->mutable_shape()->mutable_dim();
    if (m_random.one_in(4)) {
      type->set_elem_type(static_cast<int>(m_random.below(24)));
    } else if (dims->empty() || m_random.one_in(4)) {
      dims->Add()->set_dim_value(odd());
    } else if (m_random.one_in(4)) {
      dims->RemoveLast();
    } else {
      any(dims)->set_dim_value(odd());
    }
  }
  void nested() {  // graphs in graphs
    pb::Node* n = node();
    if (!n) return;
    pb::Attribute* a = n->add_attribute();
    a->set_name("body");
    for (uint64_t deep = m_random.below(80); deep > 0; --deep) {
      a = a->mutable_g()->add_node()->add_attribute();
    }
  }
  void outputs_changed() {
    pb::Graph* graph = m_model.mutable_graph();
    if (m_random.one_in(2)) {
      graph->add_output()->set_name(name());
    } else if (pb::ValueInfo* output = any(graph->mutable_output())) {
      output->set_name(name());
    }
  }

  pb::Model& m_model;
  Random& m_random;
  std::vector<std::string> m_names;
};

class Onnx : public Target {
 public:
  std::vector<File> seeds() const override { return onnx_networks(); }

  /// Bytes of what is damaged anyway; else fields, of which the wire format stays sound.
  File mutate(const File& file, uint64_t seed) override {
    Random random(seed);
    pb::Model model;
    const bool sound = model.ParseFromArray(file.data(), static_cast<int>(file.size()));
    if (!sound || random.one_in(8)) return bytes_changed(file, random);
    for (uint64_t left = 1 + (random.one_in(2) ? 0 : random.below(3)); left > 0; --left) {
      Change(model, random).make();
    }
    const std::string text = model.SerializeAsString();
    return {text.begin(), text.end()};
  }

  bool feed(const File& file) override {
    return taken(
        [&] { ir::verify(import::import_onnx(file.data(), file.size(), "net", FUZZ_SCHEMAS)); });
  }

 private:
  static File bytes_changed(File file, Random& random) {
    for (uint64_t left = 1 + random.below(4); left > 0 && !file.empty(); --left) {
      const size_t at = random.below(file.size());
      if (random.one_in(4)) {
        file.erase(file.begin() + static_cast<std::ptrdiff_t>(at));
      } else {
        file[at] = static_cast<uint8_t>(random.one_in(2) ? 0xff : random.next());
      }
    }
    return file;
  }
};

}  // namespace

std::unique_ptr<Target> onnx_target() {
  return std::make_unique<Onnx>();
}

}  // namespace presil::fuzz
