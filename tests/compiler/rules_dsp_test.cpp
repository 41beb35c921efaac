// What the vector DSP says of operators.
#include <set>

#include "compiler_bridge/dsp_image/dsp_image.h"
#include "tests/compiler/rules_check.h"

namespace presil::rules {
namespace {

using testing::Contains;
using testing::HasSubstr;

std::string dsp(const std::string& lines, ir::Numerics numerics = ir::Numerics::kTflite) {
  return sentence(Engine::kDsp, lines, numerics);
}

/// What helps where a limit is not kept, of all of the operator's.
std::vector<std::string> remedies(const std::string& op) {
  for (const OpSupport& row : support_table()) {
    if (row.op == op && row.engine == "dsp") return row.remedies;
  }
  return {};
}

TEST(RulesDsp, softmax_of_int8_and_float32) {
  const std::string graph =
      "input %x : " + int8({1, 9}) + "\n%y = softmax(%x) : " + int8({1, 9}, "q(0.00390625, -128)");
  EXPECT_EQ(dsp(graph), "");
  EXPECT_EQ(dsp(graph, ir::Numerics::kXnnpack), "");
  EXPECT_EQ(dsp("input %x : float32[1,9]\n%y = softmax(%x) : float32[1,9]"), "");
  EXPECT_THAT(dsp("input %x : int16[1,9] q(0.1, 0)\n%y = softmax(%x) : int16[1,9] q(3.0517578e-05, "
                  "0)"),
              HasSubstr(", must be int8 or float32"));
}

TEST(RulesDsp, sums_and_products_of_int8_with_scales_and_of_float32) {
  const auto of = [](const std::string& op, const std::string& type) {
    return "input %a : " + type + "\ninput %b : " + type + "\n%y = " + op + "(%a, %b) : " + type;
  };
  for (const char* op : {"add", "sub", "mul"}) {
    EXPECT_EQ(dsp(of(op, "int8[5,3] q(0.1, 3)")), "");
    EXPECT_EQ(dsp(of(op, "float32[5,3]"), ir::Numerics::kXnnpack), "");
    EXPECT_EQ(dsp(of(op, "int16[5,3] q(0.1, 0)")),
              "dsp: y is int16[5,3] q(0.1, 0), must be int8 or float32");
  }
  EXPECT_EQ(dsp(of("div", "float32[2,2,2,2,2,2,2]")), "dsp: axes is 7, must be 0..6");
  EXPECT_THAT(remedies("add"), Contains("compute it with values of such a type"));
  EXPECT_THAT(remedies("add"), Contains("give the tensors scales"));
}

TEST(RulesDsp, lstm_of_as_many_inputs_and_units_as_its_memory_holds) {
  const auto lstm = [](int inputs, int units) {
    const auto shape = [](int rows, int columns) {
      return "[" + std::to_string(rows) + "," + std::to_string(columns) + "]";
    };
    const std::string u = std::to_string(units), hidden = " q(0.0078125, 0)";
    const std::string state = "int8" + shape(1, units) + hidden;
    std::string text = "input %x : int8[1,1," + std::to_string(inputs) +
                       "] q(0.5, -3)\nconst %w : int8" + shape(units, inputs) +
                       " q(0.01, 0) = splat 1\nconst %r : int8" + shape(units, units) +
                       " q(0.01, 0) = splat 1\nconst %b : int32[" + u + "] = splat 0\n";
    return text + "%y, %h, %c = lstm(%x, %w, %w, %w, %w, %r, %r, %r, %r, %b, %b, %b, %b) : " +
           "int8[1,1," + u + "]" + hidden + ", " + state + ", int16" + shape(1, units) +
           " q(0.00048828125, 0)";
  };
  EXPECT_EQ(dsp(lstm(4096, 1)), "");
  EXPECT_EQ(dsp(lstm(4097, 1)), "dsp: inputs is 4097, must be 1..4096");
  EXPECT_EQ(dsp(lstm(1, 1024)), "");
  EXPECT_EQ(dsp(lstm(1, 1025)), "dsp: units is 1025, must be 1..1024");
  EXPECT_THAT(remedies("lstm"), Contains("make them fewer by a product before it"));
  EXPECT_THAT(remedies("lstm"), Contains("take fewer units"));
}

TEST(RulesDsp, windows_and_products_of_float32_alone) {
  const auto conv = [](const std::string& type) {
    return "input %x : " + type + "[1,4,4,3]\ninput %w : " + type +
           "[2,3,3,3]\n%y = conv2d(%x, %w) : " + type + "[1,2,2,2]";
  };
  EXPECT_EQ(dsp(conv("float32")), "");
  EXPECT_EQ(dsp("input %x : float32[2,5]\nconst %w : int8[3,5] q(0.1, 0) = random 1\n%y = "
                "fully_connected(%x, %w) : float32[2,3]"),
            "dsp: weights is int8[3,5] q(0.1, 0), must be float32");
  EXPECT_EQ(dsp("input %x : int8[1,4,4,3] q(0.1, 0)\n%y = max_pool2d(%x) {kernel_h=2, kernel_w=2} "
                ": int8[1,3,3,3] q(0.1, 0)"),
            "dsp: x is int8[1,4,4,3] q(0.1, 0), must be float32");
  EXPECT_THAT(remedies("conv2d"), Contains("compute it with values of such a type"));
  const auto product = [](const std::string& a, const std::string& b) {
    return "input %a : float32[" + a + "4,5]\ninput %b : float32[" + b +
           "5,6]\n%y = batch_matmul(%a, %b) : float32[2,3,4,6]";
  };
  EXPECT_EQ(dsp(product("2,3,", "2,3,")), "");
  EXPECT_EQ(dsp(product("2,3,", "")), "");
  EXPECT_EQ(dsp(product("2,3,", "2,1,")),
            "dsp: matrices in b is 2, must be as many as in y, 6, or 1");
  EXPECT_THAT(remedies("batch_matmul"), Contains("repeat them (tile)"));
}

TEST(RulesDsp, functions_of_float32) {
  const auto of = [](const std::string& op) {
    return "input %x : float32[5,3]\n%y = " + op + " : float32[5,3]";
  };
  for (const char* op : {"relu(%x)", "tanh(%x)", "exp(%x)", "log(%x)", "pow(%x, %x)",
                         "gelu(%x) {approximate=true}"}) {
    EXPECT_EQ(dsp(of(op)), "") << op;
  }
  EXPECT_EQ(dsp(of("gelu(%x)")),
            "dsp: gelu is that of the error function, must be the form with tanh");
  EXPECT_THAT(remedies("gelu"), Contains("export gelu with approximate = true"));
  EXPECT_EQ(dsp(of("sin(%x)")), "dsp: does not compute sin");
}

TEST(RulesDsp, what_moves_elements_of_at_most_32_bits) {
  EXPECT_EQ(dsp("input %x : int32[2,3,4]\n%y = transpose(%x) {perm=[2,0,1]} : int32[4,2,3]"), "");
  EXPECT_EQ(dsp("input %x : int64[2,3,4]\n%y = transpose(%x) {perm=[2,0,1]} : int64[4,2,3]"),
            "dsp: y is int64[4,2,3], must be of elements of at most 32 bits");
  EXPECT_THAT(remedies("transpose"), Contains("move it as twice as many values of 32 bits"));
  EXPECT_EQ(dsp("input %x : int8[9,4] q(0.1, 0)\ninput %i : int64[2]\n%y = gather(%x, %i) : "
                "int8[2,4] q(0.1, 0)"),
            "dsp: indices is int64[2], must be int32");
  EXPECT_EQ(dsp("input %x : int64[1,2,2,1]\n%y = resize_nearest(%x) : int64[1,4,4,1]"),
            "dsp: y is int64[1,4,4,1], must be of elements of at most 32 bits");
  EXPECT_EQ(dsp("input %x : float32[1,2,2,1]\n%y = resize_bilinear(%x) : float32[1,4,4,1]"), "");
  EXPECT_EQ(dsp("input %x : " + int8({1, 2, 2, 1}) +
                "\n%y = resize_bilinear(%x) : " + int8({1, 4, 5000, 1})),
            "dsp: columns is 5000, must be 1..4096");
  EXPECT_THAT(remedies("resize_bilinear"), Contains("resize in parts"));
}

TEST(RulesDsp, casts_of_at_most_32_bits) {
  EXPECT_EQ(dsp("input %x : bool[2]\n%y = cast(%x) : int32[2]"), "");
  EXPECT_EQ(dsp("input %x : int64[2]\n%y = cast(%x) : int32[2]"),
            "dsp: x is int64[2], must be a type of at most 32 bits");
  EXPECT_EQ(dsp("input %x : int32[2]\n%y = cast(%x) : int64[2]"),
            "dsp: y is int64[2], must be a type of at most 32 bits");
  EXPECT_THAT(remedies("cast"), Contains("cast to int32 when the network is exported"));
}

TEST(RulesDsp, many_elements_to_one) {
  EXPECT_EQ(dsp("input %x : int32[2,3]\n%y = sum(%x) {axes=[1], keep_dims=false} : int32[2]"), "");
  EXPECT_EQ(dsp("input %x : int64[2,3]\n%y = sum(%x) {axes=[1], keep_dims=false} : int64[2]"),
            "dsp: x is int64[2,3], must be int8, int16, int32 or float32");
  EXPECT_EQ(dsp("input %x : int8[2,70000] q(0.1, 0)\n%y = arg_max(%x) {axis=1} : int32[2]"),
            "dsp: elements of int8 along the axis is 70000, must be 1..65536");
  EXPECT_THAT(remedies("arg_max"), Contains("look for it in parts"));
}

TEST(RulesDsp, every_kernel_of_the_library_computes_an_operator_and_no_other_is_named) {
  std::set<std::string> named;
  for (const OpSupport& row : support_table()) {
    if (row.op == "custom") continue;  // the user's
    // Beside the DLA it cuts values into bytes, and finishes sums.
    const bool may = row.engine == "dsp" || row.engine == "dla";
    EXPECT_TRUE(may || row.kernels.empty()) << row.op << " on " << row.engine;
    EXPECT_FALSE(row.engine == "dsp" && row.kernels.empty()) << row.op;
    named.insert(row.kernels.begin(), row.kernels.end());
  }
  std::set<std::string> kernels;
  for (const dsp_image::Image& image : dsp_image::library()) {
    for (const std::string& kernel : image.kernels()) kernels.insert(kernel);
  }
  EXPECT_EQ(named, kernels);
}

std::string nms(int tables, int rows, int classes, int max, const char* iou = "0.5") {
  const std::string shape =
      "float32[" + std::to_string(rows) + "," + std::to_string(4 + classes) + "]";
  std::string lines, names;
  for (int i = 0; i < tables; ++i) {
    lines += "input %t" + std::to_string(i) + " : " + shape + "\n";
    names += (i == 0 ? "%t" : ", %t") + std::to_string(i);
  }
  const std::string most = std::to_string(max);
  return lines + "%d, %n = nms(" + names + ") {max=" + most + ", iou=" + iou + "} : float32[" +
         most + ",6], int32[1]";
}

TEST(RulesDsp, suppression_within_its_room) {
  EXPECT_EQ(dsp(nms(14, 20, 80, 100)), "");
  EXPECT_EQ(dsp(nms(15, 20, 80, 100)), "dsp: tables of rows is 15, must be 1..14");
  EXPECT_EQ(dsp(nms(1, 20, 80, 100000)), "dsp: boxes is 100000, must be 1..512");
  EXPECT_EQ(dsp(nms(14, 40000, 8200, 9)),
            "dsp: rows times classes is 560000 x 8200, must be numbers of 32 bits");
  EXPECT_THAT(dsp(nms(1, 20, 80, 9, "-0.5")), HasSubstr("must be 0 or more"));
  EXPECT_THAT(remedies("nms"), Contains("join some of them first"));
  EXPECT_THAT(remedies("nms"), Contains("ask for fewer boxes"));
}

TEST(RulesDsp, boxes_with_their_best_class_in_a_byte) {
  const auto boxes = [](int classes) {
    const std::string k = std::to_string(classes), channels = std::to_string(4 + classes);
    return "input %x : int8[1," + channels + ",9] q(0.5, 0)\n%y = box_decode(%x) {classes=" + k +
           "} : float32[9,6]";
  };
  EXPECT_EQ(dsp(boxes(256)), "");
  EXPECT_EQ(dsp(boxes(257)), "dsp: classes is 257, must be 1..256");
  EXPECT_THAT(remedies("box_decode"), Contains("leave out classes"));
  EXPECT_EQ(dsp("input %x : float32[9,6]\n%d, %n = nms(%x) {max=4, labelled=true} : "
                "float32[4,6], int32[1]"),
            "");
}

std::string detections(const char* anchors, int classes, const char* boxes = "int8") {
  const std::string k = std::to_string(classes);
  return std::string("input %b : ") + boxes + "[1,30,4] " + (boxes[0] == 'i' ? "q(0.1, 3)" : "") +
         "\ninput %s : int8[1,30," + k + "] q(0.00390625, -128)\n" + anchors +
         "\n%y, %c, %v, %n = detection_post_process(%b, %s, %a) {max=6, classes=" + k +
         "} : float32[1,6,4], float32[1,6], float32[1,6], float32[1]";
}

TEST(RulesDsp, the_end_of_a_detector_with_known_anchors) {
  const char* known = "const %a : int8[30,4] q(0.0078125, -128) = splat 1";
  EXPECT_EQ(dsp(detections(known, 5)), "");
  const char* floats = "const %a : float32[30,4] = splat 1";
  EXPECT_EQ(dsp(detections(floats, 5, "float32")), "dsp: input 0 is float32[1,30,4], must be int8");
  EXPECT_EQ(dsp(detections(known, 2000)), "dsp: classes is 2000, must be 1..1024");
  for (const char* change : {"leave out classes", "take fewer anchors", "ask for fewer boxes"}) {
    EXPECT_THAT(remedies("detection_post_process"), Contains(change));
  }
}

TEST(RulesDsp, a_soc_has_one_or_has_none) {
  ir::Graph graph =
      ir::parse("graph \"g\" tflite {\ninput %x : " + int8({1, 9}) +
                "\n%y = softmax(%x) : " + int8({1, 9}, "q(0.00390625, -128)") + "\n}");
  SocConfig soc;
  EXPECT_THAT(engines_of(soc), Contains(Engine::kDsp));
  soc.dsp.units = 0;
  EXPECT_THAT(engines_of(soc), testing::Not(Contains(Engine::kDsp)));
  EXPECT_EQ(take(Engine::kDsp, graph, graph.ops.back(), soc).rule, "dsp.units");
}

}  // namespace
}  // namespace presil::rules
