// Texts, graphs and stored graphs that are no graphs, by what is said of them.
#include "tests/ir/refusals.h"

#include <functional>

#include "compiler_bridge/ir/binary.h"
#include "graph_generated.h"

namespace presil::ir {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

TEST(IrRefusals, text_is_refused_with_what_was_expected) {
  const Line lines[] = {
      {"output 3", "expected a tensor such as %3"},
      {"const %c : int8[1] = hex 3", "expected a string in quotes"},
      {"const %c : int8[1] = hex \"0G\"", "text: hex must be the digits 0-9 and a-f"},
      {"const %c : int8[1] = hex \"0\"", "text: hex must have two digits per byte"},
      {"input %c : int8[1.5]", "expected a whole number "},
      {"input %c : int9[1]", "\"int9\" is no element type"},
      {"%y = conv9() : int8[1]", "text: \"conv9\" is no operator"},
      {"input %x : int8[1]", "is there already; give this one another name"},
  };
  for (const Line& line : lines) EXPECT_THAT(refusal_of(line.graph), HasSubstr(line.text));
}

/// The graph `x -> relu -> y`, to be made wrong in ways that no text can say.
Graph sound() {
  return parse(std::string(kHead) + "%y = relu(%x) : int8[1,4,4,8] q(0.5, 0) output %y }");
}

std::string refusal_after(const std::function<void(Graph&)>& change) {
  Graph graph = sound();
  change(graph);
  return refusal([&] { verify(graph); });
}

TEST(IrRefusals, graphs_that_no_text_can_say_are_refused) {
  EXPECT_EQ(refusal_after([](Graph&) {}), "taken");
  const struct {
    std::function<void(Graph&)> change;
    const char* text;
  } cases[] = {
      {[](Graph& g) { g.tensors[0].quantization.zero_points.clear(); },
       "has 1 scales and 0 zero points, expected as many"},
      {[](Graph& g) {
         g.tensors[0].quantization = {{1, 2}, {0, 0}, -1};
       },
       "has 2 scales and no axis, expected one scale or an axis"},
      {[](Graph& g) {
         g.tensors[0].quantization = {{1, 2}, {0, 0}, 3};
       },
       "of [1,4,4,8], expected one scale per index of that axis"},
      {[](Graph& g) { g.tensors[0].dtype = static_cast<DType>(99); }, "\"x\" has an unknown type"},
      {[](Graph& g) {
         g.tensors[0].shape = {1 << 30, 1 << 30};
       },
       "must have extents of at least 1 and at most 2^40 elements together"},
      {[](Graph& g) { g.ops[0].kind = static_cast<OpKind>(250); }, "an op has an unknown kind"},
      {[](Graph& g) { g.ops[0].attributes = Conv2d(); }, "carries attributes of another kind"},
      {[](Graph& g) { g.numerics = static_cast<Numerics>(9); }, "the graph's numerics are unknown"},
  };
  for (const auto& c : cases) EXPECT_THAT(refusal_after(c.change), HasSubstr(c.text));
}

TEST(IrRefusals, a_constant_is_no_input) {
  EXPECT_THAT(refusal_after([](Graph& g) {
                for (size_t t = 0; t < g.tensors.size(); ++t) {
                  if (g.tensors[t].is_constant()) return g.inputs.push_back(static_cast<int>(t));
                }
              }),
              HasSubstr("\"w\" is input and constant"));
}

/// The stored graph with bytes of it replaced by as many others.
std::string stored(const std::string& from, const std::string& to) {
  const Bytes bytes = to_bytes(parse(
      "graph \"g\" tflite { input %x : int8[1,4,4,8] q(0.5, 0) %a = leaky_relu(%x) {alpha=0.1}"
      " : int8[1,4,4,8] q(0.5, 0) %y = max_pool2d(%a) : int8[1,4,4,8] q(0.5, 0) "
      "%z = transpose(%y) {perm=[0,1,2,3]} : int8[1,4,4,8] q(0.5, 0) output %z }"));
  std::string text(bytes.begin(), bytes.end());
  for (size_t at; (at = text.find(from)) != std::string::npos;) text.replace(at, from.size(), to);
  return refusal([&] { from_bytes(Bytes(text.begin(), text.end())); });
}

TEST(IrRefusals, a_stored_graph_that_is_damaged_is_refused_with_what_to_do) {
  EXPECT_THAT(stored("max_pool2d", "max_fool2d"),
              AllOf(HasSubstr("the stored graph is damaged: it has an operator \"max_fool2d\""),
                    HasSubstr("; compile the network again to get a sound one")));
  EXPECT_THAT(stored("max_pool2d",
                     "max_\xff\xff\xff\xff"
                     "2d"),
              HasSubstr("damaged: it has a name that is not text in UTF-8; compile"));
  EXPECT_THAT(stored("stride_h", "stride_x"), HasSubstr("max_pool2d lacks its attribute stride_h"));
  EXPECT_THAT(stored("alpha", "alphX"), HasSubstr("leaky_relu lacks its attribute alpha"));
  EXPECT_THAT(stored("perm", "porm"), HasSubstr("transpose lacks its attribute perm"));
  EXPECT_THAT(refusal([] { from_bytes(Bytes(40, 1)); }), HasSubstr("its 40 bytes are no graph"));
}

/// The stored graph with one number changed where it lies.
template <class Find>
std::string patched(Find find, uint8_t value, const Graph& graph = sound()) {
  Bytes bytes = to_bytes(graph);
  const uint8_t* at = find(*stored::GetGraph(bytes.data()));
  EXPECT_NE(at, nullptr);
  if (at != nullptr) bytes[static_cast<size_t>(at - bytes.data())] = value;
  return refusal([&] { from_bytes(bytes); });
}

TEST(IrRefusals, unknown_numbers_in_a_stored_graph_are_refused) {
  Graph graph = sound();
  EXPECT_THAT(patched(
                  [](const stored::Graph& g) {
                    for (const auto* tensor : *g.tensors()) {
                      const uint8_t* at =
                          reinterpret_cast<const flatbuffers::Table*>(tensor)->GetAddressOf(
                              stored::Tensor::VT_DTYPE);
                      if (at != nullptr) return at;
                    }
                    return static_cast<const uint8_t*>(nullptr);
                  },
                  99),
              HasSubstr("damaged: a tensor has an unknown type"));
  graph.numerics = Numerics::kXnnpack;
  EXPECT_THAT(patched(
                  [](const stored::Graph& g) {
                    return reinterpret_cast<const flatbuffers::Table&>(g).GetAddressOf(
                        stored::Graph::VT_NUMERICS);
                  },
                  99, graph),
              HasSubstr("damaged: its numerics are unknown; compile the network again"));
  EXPECT_THAT(
      patched(
          [](const stored::Graph& g) {
            for (const auto* attribute : *g.ops()->Get(0)->attributes()) {
              if (attribute->name()->string_view() == "act") return attribute->integers()->Data();
            }
            return static_cast<const uint8_t*>(nullptr);
          },
          4, parse(std::string(kHead) + "%y = conv2d(%x, %w) : int8[1,2,2,4] q(1, 0) output %y }")),
      HasSubstr("damaged: conv2d has act 4, must be 0..3; compile the network again"));
}

}  // namespace
}  // namespace presil::ir
