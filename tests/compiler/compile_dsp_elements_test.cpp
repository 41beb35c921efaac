// Element-wise operators on the vector DSP: random shapes, broadcasts, scales and both numerics,
// with an SRAM that holds them and with one that does not.
#include "tests/compiler/compile_dsp_check.h"

namespace presil::tests {
namespace {

using testing::HasSubstr;

// What is one image by rows is the DLA's.
TEST(CompileDspElements, two_operands_of_int8_broadcast_as_in_numpy) {
  int on_dsp = 0;
  for (uint32_t seed = 0; seed < 60; ++seed) {
    Cases c(seed);
    const Shape y = c.shape(4);
    const Shape a = c.pick(0, 1) == 0 ? y : c.broadcast(y), b = a == y ? c.broadcast(y) : y;
    const std::string op = c.one_of<std::string>({"add", "sub", "mul"});
    const std::string act = c.one_of<std::string>({"none", "relu", "relu6", "relu_n1_to_1"});
    const std::string kind = c.pick(0, 3) == 0 ? "  const %b : " : "  input %b : ";
    const std::string lines = "  input %a : " + typed("int8", a, c.scale()) + "\n" + kind +
                              typed("int8", b, c.scale()) + (kind[2] == 'c' ? " = random 3" : "") +
                              "\n  %y = " + op + "(%a, %b) {act=" + act +
                              "} from [0] : " + typed("int8", y, c.scale());
    const std::string text = graph_of(lines, c.one_of<std::string>({"tflite", "xnnpack"}));
    SCOPED_TRACE(text);
    const auto done = expect_compiled_exact(ir::parse(text), soc_for_dsp(kLarge), 2).compiled;
    const std::string engine = done.placements.at(0).engine;
    EXPECT_TRUE(engine == "dsp" || engine == "dla") << engine;
    on_dsp += engine == "dsp" ? 1 : 0;
  }
  EXPECT_GE(on_dsp, 30);
}

TEST(CompileDspElements, two_operands_of_float32_in_every_bit) {
  for (uint32_t seed = 0; seed < 60; ++seed) {
    Cases c(seed);
    const Shape y = c.shape(), a = c.broadcast(y);
    const std::string op =
        c.one_of<std::string>({"add", "sub", "mul", "div", "squared_difference"});
    const bool clamps = op != "squared_difference" && c.pick(0, 1) == 0;
    const std::string act = clamps ? " {act=" + c.one_of<std::string>({"relu", "relu6"}) + "}" : "";
    const std::string lines = "  input %a : " + typed("float32", a) +
                              "\n  input %b : " + typed("float32", y) + "\n  %y = " + op +
                              "(%b, %a)" + act + " from [0] : " + typed("float32", y);
    expect_on_dsp(graph_of(lines, "xnnpack"), kLarge);
  }
}

// Of two sources: of one alone all of it is a table.
TEST(CompileDspElements, functions_of_float32_between_integers_of_all_widths) {
  const std::vector<std::string> functions = {
      "relu",     "relu6", "relu_n1_to_1", "relu_0_to_1", "leaky_relu", "hard_swish",
      "logistic", "tanh",  "elu",          "gelu",        "exp",        "log",
      "sqrt",     "rsqrt", "square",       "floor",       "ceil",       "round"};
  for (uint32_t seed = 0; seed < 3 * functions.size(); ++seed) {
    Cases c(seed);
    const std::string f = functions[seed % functions.size()];
    const std::string numerics = c.one_of<std::string>({"tflite", "xnnpack"});
    const bool shorts = numerics == "tflite" && c.pick(0, 2) == 0;
    const char* dtype = shorts ? "int16" : c.pick(0, 1) == 0 ? "int8" : "uint8";
    const std::string q = shorts ? " q(0.001, 0)" : " q(0.07, 11)";
    const Shape s = c.shape();
    const std::string attributes = f == "leaky_relu" ? " {alpha=0.3}"
                                   : f == "gelu"     ? " {approximate=true}"
                                                     : "";
    const std::string lines =
        "  input %x : " + typed(dtype, s, q) + "\n  input %z : " + typed("float32", s) +
        "\n  %r = dequantize(%x) from [0] : " + typed("float32", s) + "\n  %f = " + f + "(%r)" +
        attributes + " from [1] : " + typed("float32", s) +
        "\n  %s = add(%f, %z) from [2] : " + typed("float32", s) +
        "\n  %y = quantize(%s) from [3] : " + typed(dtype, s, q);
    const compile::Compiled done = expect_on_dsp(graph_of(lines, numerics), kLarge);
    EXPECT_EQ(done.layers.size(), 4u);
  }
}

TEST(CompileDspElements, casts_between_types_of_at_most_32_bits) {
  const std::vector<std::string> types = {"int8", "uint8", "int16", "int32", "float32", "bool"};
  for (uint32_t seed = 0; seed < 4 * 36; ++seed) {
    Cases c(seed);
    const std::string from = types[seed % 6], to = types[seed / 6 % 6];
    const auto is_byte = [](const std::string& t) { return t == "int8" || t == "uint8"; };
    if (is_byte(from) && is_byte(to)) continue;  // a table, the DLA's
    const Shape s = c.shape();
    const std::string lines =
        "  input %x : " + typed(from, s) + "\n  %y = cast(%x) from [0] : " + typed(to, s);
    expect_on_dsp(graph_of(lines, "tflite"), seed % 2 == 0 ? kLarge : kTiny);
  }
}

TEST(CompileDspElements, functions_of_any_bits) {
  for (const char* f : {"relu", "hard_swish", "logistic", "tanh", "elu", "exp", "log", "rsqrt",
                        "floor", "round", "square"}) {
    expect_on_dsp(graph_of("  input %x : float32[2,333]\n  %y = " + std::string(f) +
                               "(%x) from [0] : float32[2,333]",
                           "xnnpack"),
                  kTiny);
  }
}

// In tiles, each with the one exponent.
TEST(CompileDspElements, powers_with_one_small_whole_exponent_for_all) {
  const auto power = [](const std::string& base, const std::string& exponent) {
    return "  input %x : " + base + "\n" + exponent + "\n  %y = pow(%x, %e) from [0] : " + base;
  };
  for (const char* e : {"2", "3", "4"}) {
    expect_on_dsp(
        graph_of(power("float32[20,1000]", "  const %e : float32[1] = [" + std::string(e) + "]"),
                 "xnnpack"),
        kTiny);
  }
}

TEST(CompileDspElements, integers_of_one_scale_as_integers_of_another) {
  const std::vector<std::pair<const char*, const char*>> types = {
      {"int16", "int8"},  {"int8", "int16"},  {"int16", "int16"}, {"int32", "int8"},
      {"int32", "int16"}, {"int16", "int32"}, {"int8", "int32"}};
  for (uint32_t seed = 0; seed < 5 * types.size(); ++seed) {
    Cases c(seed);
    const auto [from, to] = types[seed % types.size()];
    const auto is_wide = [](const std::string& t) { return t == "int16" || t == "int32"; };
    const auto q = [&](const std::string& t) {
      const double real = std::ldexp(1.0 + c.pick(0, 99) / 100.0, c.pick(-12, 2));
      const int zero = is_wide(t) ? 0 : c.pick(-128, 127);
      return " q(" + std::to_string(real) + ", " + std::to_string(zero) + ")";
    };
    const Shape s = c.shape();
    const std::string lines = "  input %x : " + typed(from, s, q(from)) +
                              "\n  %y = quantize(%x) from [0] : " + typed(to, s, q(to));
    expect_on_dsp(graph_of(lines, "tflite"), kLarge);
  }
}

// Tables, which the DLA looks up where the tensor is an image.
TEST(CompileDspElements, bytes_of_one_scale_as_bytes_of_another) {
  const std::vector<std::string> types = {"int8", "uint8"};
  for (uint32_t seed = 0; seed < 32; ++seed) {
    Cases c(seed);
    const std::string from = types[seed % 2], to = types[seed / 2 % 2];
    const auto q = [&](const std::string& t) {
      const double real = std::ldexp(1.0 + c.pick(0, 99) / 100.0, c.pick(-12, 2));
      const int zero = t == "uint8" ? c.pick(0, 255) : c.pick(-128, 127);
      return " q(" + std::to_string(real) + ", " + std::to_string(zero) + ")";
    };
    const Shape s = c.shape();
    const std::string text = graph_of("  input %x : " + typed(from, s, q(from)) +
                                          "\n  %y = quantize(%x) from [0] : " + typed(to, s, q(to)),
                                      c.pick(0, 1) == 0 ? "tflite" : "xnnpack");
    SCOPED_TRACE(text);
    expect_compiled_exact(ir::parse(text), soc_for_dsp(kLarge), 2);
  }
}

TEST(CompileDspElements, tensors_larger_than_the_sram_come_in_tiles) {
  for (const uint32_t bytes : {kSmall, kTiny}) {
    const std::string same =
        "  input %a : int8[2,3,30,100] q(0.1, 3)\n  input %b : int8[2,3,30,1] "
        "q(0.2, -3)\n  %y = mul(%a, %b) from [0] : int8[2,3,30,100] q(0.3, 1)";
    EXPECT_GT(expect_on_dsp(graph_of(same, "tflite"), bytes).layers[0].commands, 1);
    const std::string row =
        "  input %a : float32[2,3,30,100]\n  input %b : float32[100]\n  %y = "
        "add(%a, %b) from [0] : float32[2,3,30,100]";
    EXPECT_GT(expect_on_dsp(graph_of(row, "xnnpack"), bytes).layers[0].commands, 1);
    const std::string column =
        "  input %a : float32[2,3,30,100]\n  input %b : float32[2,3,30,1]\n  "
        "%y = div(%a, %b) from [0] : float32[2,3,30,100]";
    EXPECT_GT(expect_on_dsp(graph_of(column, "xnnpack"), bytes).layers[0].commands, 1);
    const std::string prime =
        "  input %x : float32[19,1009]\n  %y = tanh(%x) from [0] : "
        "float32[19,1009]";
    EXPECT_GT(expect_on_dsp(graph_of(prime, "xnnpack"), bytes).layers[0].commands, 1);
    const std::string rows =
        "  input %x : float32[2,40,100]\n  %y = softmax(%x) {beta=1.5} from "
        "[0] : float32[2,40,100]";
    EXPECT_GT(expect_on_dsp(graph_of(rows, "xnnpack"), bytes).layers[0].commands, 1);
  }
}

TEST(CompileDspElements, softmax_of_rows_of_any_length) {
  for (uint32_t seed = 0; seed < 30; ++seed) {
    Cases c(seed);
    const Shape s = c.shape(2);
    const bool real = c.pick(0, 2) == 0;
    const std::string x = real ? typed("float32", s) : typed("int8", s, c.scale());
    const std::string y = real ? typed("float32", s) : typed("int8", s, " q(0.00390625, -128)");
    const std::string lines = "  input %x : " + x + "\n  %y = softmax(%x) {beta=" +
                              c.one_of<std::string>({"1.0", "0.7", "2.5"}) + "} from [0] : " + y;
    const std::string numerics = c.one_of<std::string>({"tflite", "xnnpack"});
    expect_on_dsp(graph_of(lines, numerics), c.one_of<uint32_t>({kLarge, kSmall}));
  }
}

TEST(CompileDspElements, layer_norm_of_rows_of_any_length) {
  for (uint32_t seed = 0; seed < 20; ++seed) {
    Cases c(seed);
    const Shape s = c.shape(2), row = {s.back()};
    const std::string lines = "  input %x : " + typed("float32", s) +
                              "\n  input %gamma : " + typed("float32", row) +
                              "\n  const %beta : " + typed("float32", row) +
                              " = random 3\n  %y = layer_norm(%x, %gamma, %beta) {epsilon=1e-5} "
                              "from [0] : " +
                              typed("float32", s);
    expect_on_dsp(graph_of(lines, "xnnpack"), c.one_of<uint32_t>({kLarge, kSmall}));
  }
}

TEST(CompileDspElements, many_elements_to_one_along_any_axes) {
  for (uint32_t seed = 0; seed < 60; ++seed) {
    Cases c(seed);
    const Shape x = c.shape(4);
    const bool keep = c.pick(0, 1) == 0;
    Shape axes, y;
    for (size_t i = 0; i < x.size(); ++i) {
      const bool goes = c.pick(0, 1) == 0;
      if (goes) axes.push_back(int64_t(i));
      if (keep || !goes) y.push_back(goes ? 1 : x[i]);
    }
    if (axes.empty()) continue;
    const std::string op = c.one_of<std::string>({"mean", "sum", "reduce_max", "reduce_min"});
    const bool picks = op[0] == 'r', whole = op != "mean";
    std::vector<std::string> types = {"int8", "int16", "float32"};
    if (whole) types.push_back("int32");
    const std::string type = c.one_of(types);
    const std::string zero = type == "int8" ? std::to_string(c.pick(-128, 127)) : "0";
    const bool scaled = type == "int8" || type == "int16";
    const std::string q = scaled ? " q(0.05, " + zero + ")" : "";
    const std::string of_y = picks || !scaled ? q : " q(0.021, " + zero + ")";
    const std::string lines =
        "  input %x : " + typed(type, x, q) + "\n  %y = " + op + "(%x) {axes=" + list_of(axes) +
        (keep ? ", keep_dims=true" : ", keep_dims=false") + "} from [0] : " + typed(type, y, of_y);
    const bool tflite = type == "int16" || c.pick(0, 1) == 0;
    expect_on_dsp(graph_of(lines, tflite ? "tflite" : "xnnpack"),
                  c.one_of<uint32_t>({kLarge, 4 * kLarge}));
  }
}

TEST(CompileDspElements, where_the_largest_and_the_smallest_are) {
  for (uint32_t seed = 0; seed < 30; ++seed) {
    Cases c(seed);
    const Shape x = c.shape(2);
    const int axis = c.pick(0, int(x.size()) - 1);
    Shape y = x;
    y.erase(y.begin() + axis);
    const std::string type = c.one_of<std::string>({"int8", "int16", "int32", "float32"});
    const std::string q = type == "int8" ? " q(0.1, 3)" : type == "int16" ? " q(0.1, 0)" : "";
    const std::string lines = "  input %x : " + typed(type, x, q) +
                              "\n  %y = " + c.one_of<std::string>({"arg_max", "arg_min"}) +
                              "(%x) {axis=" + std::to_string(axis) +
                              "} from [0] : " + typed(c.one_of<std::string>({"int32", "int64"}), y);
    expect_on_dsp(graph_of(lines, "tflite"), kLarge);
  }
}

TEST(CompileDspElements, the_largest_of_a_row_in_order) {
  for (uint32_t seed = 0; seed < 20; ++seed) {
    Cases c(seed);
    const Shape x = c.shape(2);
    Shape k = x;
    k.back() = c.pick(1, int(x.back()));
    const std::string type = c.one_of<std::string>({"int8", "int16", "float32"});
    const std::string q = type == "float32" ? "" : " q(0.1, 0)";
    const std::string lines = "  input %x : " + typed(type, x, q) +
                              "\n  %y, %i = top_k(%x) from [0] : " + typed(type, k, q) + ", " +
                              typed("int32", k);
    expect_on_dsp(graph_of(lines, "tflite"), c.one_of<uint32_t>({kLarge, 64 << 10}));
  }
}

// A watchdog of eight times the estimate stops a layer that takes longer.
TEST(CompileDspElements, what_a_long_reduction_costs_is_not_estimated_too_low) {
  for (const char* type : {"int8", "int16", "int32", "float32"}) {
    const std::string t = type, q = t == "int8" || t == "int16" ? " q(0.1, 0)" : "";
    for (const Shape& x : {Shape{2, 20000}, Shape{20000, 2}, Shape{20, 2000, 3}}) {
      for (int axis = 0; axis < int(x.size()); ++axis) {
        Shape y = x;
        y.erase(y.begin() + axis);
        const std::string of_x = "  input %x : " + typed(t, x, q) + "\n  %y = ";
        const std::string along = std::to_string(axis);
        expect_on_dsp(
            graph_of(of_x + "arg_max(%x) {axis=" + along + "} from [0] : " + typed("int32", y),
                     "tflite"),
            kLarge);
        expect_on_dsp(
            graph_of(of_x + "reduce_min(%x) {axes=[" + along + "]} from [0] : " + typed(t, y, q),
                     "tflite"),
            kLarge);
      }
      if (x.size() < 3) continue;
      expect_on_dsp(graph_of("  input %x : " + typed(t, x, q) +
                                 "\n  %y = sum(%x) {axes=[0, 2]} from [0] : " + typed(t, {x[1]}, q),
                             "tflite"),
                    kLarge);
    }
  }
}

TEST(CompileDspElements, where_one_row_does_not_fit_the_host_computes) {
  const std::string outer =
      "  input %a : float32[3,3000]\n  input %b : float32[3,1]\n  %y = "
      "add(%a, %b) from [0] : float32[3,3000]";
  const compile::Compiled c =
      expect_compiled_exact(ir::parse(graph_of(outer, "xnnpack")), soc_for_dsp(kTiny), 2).compiled;
  EXPECT_EQ(c.placements[0].engine, "host");
  EXPECT_THAT(c.placements[0].reason(), HasSubstr("dsp: needs "));
}

}  // namespace
}  // namespace presil::tests
