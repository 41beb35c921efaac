// Custom operators that are known by name: options as text, shapes from file or kernel.
#include <flatbuffers/flexbuffers.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "compiler_bridge/import/tflite.h"
#include "models/base/refusal.h"
#include "tests/import/tflite_file.h"

namespace presil::import {
namespace {

using testing::HasSubstr;
using Shapes = std::vector<std::vector<int64_t>>;

TfliteFile magic(std::vector<int32_t> result = {1, 4}) {
  TfliteFile f;
  const int x = f.add_tensor("x", {1, 4});
  const int y = f.add_tensor("y", std::move(result));
  f.add_op(file::Builtin_CUSTOM, {x}, {y});
  f.model.operator_codes[0]->custom_code = "Magic";
  f.graph().inputs = {x};
  f.graph().outputs = {y};
  return f;
}

CustomOperators known(const Shapes& shapes) {
  return {{"Magic", [shapes](const ir::Graph&, const ir::Op&) { return shapes; }}};
}

std::string refusal(const TfliteFile& f, const CustomOperators& customs) {
  const std::vector<uint8_t> bytes = f.bytes();
  try {
    import_tflite(bytes.data(), bytes.size(), "net", customs);
  } catch (const Refusal& refusal) {
    return refusal.what();
  }
  return "taken";
}

ir::Graph taken(const TfliteFile& f, const CustomOperators& customs = {{"Magic", {}}}) {
  const std::vector<uint8_t> bytes = f.bytes();
  return import_tflite(bytes.data(), bytes.size(), "net", customs);
}

TEST(TfliteCustom, name_and_options_become_attributes) {
  auto f = magic();
  flexbuffers::Builder map;
  map.Map([&] { map.Double("alpha", 0.25), map.Int("taps", 3), map.String("mode", "a\"b"); });
  map.Finish();
  f.op().custom_options = map.GetBuffer();
  const ir::Op op = taken(f).ops.at(0);
  EXPECT_EQ(op.kind, ir::OpKind::kCustom);
  EXPECT_EQ(op.name, "y");
  EXPECT_EQ(op.source_ops, std::vector<int>{0});
  const auto& custom = op.as<ir::Custom>();
  EXPECT_EQ(custom.code, "Magic");
  EXPECT_EQ(custom.options, R"({ "alpha": 0.25, "mode": "a\"b", "taps": 3 })");
  EXPECT_EQ(custom.kernel, "");
  f.op().custom_options = {7, 8, 9};
  EXPECT_EQ(taken(f).ops.at(0).as<ir::Custom>().options, R"({"bytes": [7, 8, 9]})");
  f.op().custom_options.clear();
  EXPECT_EQ(taken(f).ops.at(0).as<ir::Custom>().options, "");
}

TEST(TfliteCustom, shapes_that_the_file_leaves_open_are_the_kernels) {
  const ir::Graph graph = taken(magic({}), known({{1, 9}}));
  EXPECT_EQ(graph.tensor(graph.outputs[0]).shape, (std::vector<int64_t>{1, 9}));
  EXPECT_EQ(refusal(magic(), known({{1, 4}})), "taken");
}

TEST(TfliteCustom, what_does_not_fit_is_refused_by_name) {
  EXPECT_THAT(refusal(magic(), {{"Other", {}}}),
              HasSubstr("op 0, CUSTOM:Magic \"y\": this operator cannot be imported; `presil ops` "
                        "lists those that can, replace it, cut the network before it, or register "
                        "a kernel for it (--kernels, driver/kernels/dsp/README.md)"));
  EXPECT_THAT(refusal(magic(), known({{1, 9}})),
              HasSubstr("its result 0 is [1,4] in the file, its kernel is registered to make it "
                        "[1,9]"));
  EXPECT_THAT(refusal(magic(), known({})),
              HasSubstr("its kernel is registered with 0 results, it has 1"));
  auto f = magic();
  f.op().inputs.push_back(-1);
  EXPECT_THAT(refusal(f, known({{1, 4}})), HasSubstr("its input 1 is left out, which a kernel"));
  f = magic();
  f.op().custom_options.assign(4097, 1);
  EXPECT_THAT(refusal(f, known({{1, 4}})),
              HasSubstr("its custom options are 4097 bytes, must be at most 4096"));
}

}  // namespace
}  // namespace presil::import
