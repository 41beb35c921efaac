// What the vector DSP moves: random shapes, axes and steps of all types, with an SRAM that holds
// the tensors and with one that does not; and which engine moves what.
#include <numeric>

#include "tests/compiler/compile_dsp_check.h"

namespace presil::tests {
namespace {

using testing::HasSubstr;

const std::vector<std::string> kTypes = {"int8", "uint8", "bool", "int16", "int32", "float32"};

std::string quantised(const std::string& type) {
  return type == "int8" || type == "uint8" ? " q(0.1, 3)" : type == "int16" ? " q(0.1, 0)" : "";
}

/// Exact, whatever computes it; true: on the DSP.
bool is_on_dsp(const std::string& text, uint32_t sram_bytes) {
  SCOPED_TRACE(text + " with SRAM of " + std::to_string(sram_bytes));
  const SocConfig soc = soc_for_dsp(sram_bytes);
  const compile::Compiled c = expect_compiled_exact(ir::parse(text), soc, 2).compiled;
  return std::all_of(c.placements.begin(), c.placements.end(),
                     [](const placement::Placement& p) { return p.engine == "dsp"; });
}

TEST(CompileDspMoves, transpositions_that_take_the_dma_many_rows) {
  int on_dsp = 0;
  for (uint32_t seed = 0; seed < 60; ++seed) {
    Cases c(seed);
    const Shape x = c.shape(3);
    Shape perm(x.size()), y;
    std::iota(perm.begin(), perm.end(), 0);
    for (size_t i = perm.size(); i-- > 1;) std::swap(perm[i], perm[size_t(c.pick(0, int(i)))]);
    for (const int64_t axis : perm) y.push_back(x[size_t(axis)]);
    const std::string type = c.one_of(kTypes), q = quantised(type);
    const std::string lines = "  input %x : " + typed(type, x, q) +
                              "\n  %y = transpose(%x) {perm=" + list_of(perm) +
                              "} from [0] : " + typed(type, y, q);
    on_dsp += is_on_dsp(graph_of(lines, "tflite"), c.one_of<uint32_t>({kLarge, 96 << 10}));
  }
  EXPECT_GT(on_dsp, 20);
}

TEST(CompileDspMoves, margins_on_all_sides) {
  for (uint32_t seed = 0; seed < 30; ++seed) {
    Cases c(seed);
    const Shape x = c.shape(4);
    Shape before, after, y;
    for (const int64_t n : x) {
      before.push_back(c.pick(0, 1) * c.pick(0, 3)), after.push_back(c.pick(0, 1) * c.pick(0, 3));
      y.push_back(before.back() + n + after.back());
    }
    after.back() += 1, y.back() += 1;
    const std::string type = c.one_of(kTypes), q = quantised(type);
    const std::string lines = "  input %x : " + typed(type, x, q) +
                              "\n  %y = pad(%x) {before=" + list_of(before) +
                              ", after=" + list_of(after) + (type == "int8" ? ", value=-7" : "") +
                              "} from [0] : " + typed(type, y, q);
    expect_on_dsp(graph_of(lines, "tflite"), 4 * kLarge);
  }
}

TEST(CompileDspMoves, slices_with_steps_forwards_and_backwards) {
  int on_dsp = 0;
  for (uint32_t seed = 0; seed < 60; ++seed) {
    Cases c(seed);
    const Shape x = c.shape(3);
    Shape begin, size, step;
    for (const int64_t n : x) {
      const bool all = c.pick(0, 2) == 0;
      const int64_t by = all ? 1 : c.one_of<int64_t>({1, 2, 3, -1, -2});
      const int64_t from = all ? 0 : c.pick(0, int(n) - 1);
      const int64_t most = by > 0 ? (n - 1 - from) / by + 1 : from / -by + 1;
      begin.push_back(from), step.push_back(by);
      size.push_back(all ? n : c.pick(1, int(most)));
      if (size.back() == 1) step.back() = 1;
    }
    const std::string type = c.one_of(kTypes), q = quantised(type);
    const std::string lines = "  input %x : " + typed(type, x, q) +
                              "\n  %y = strided_slice(%x) {begin=" + list_of(begin) +
                              ", size=" + list_of(size) + ", step=" + list_of(step) +
                              "} from [0] : " + typed(type, size, q);
    on_dsp += is_on_dsp(graph_of(lines, "tflite"), c.one_of<uint32_t>({kLarge, 96 << 10}));
  }
  EXPECT_GT(on_dsp, 20);
}

TEST(CompileDspMoves, concatenations_of_short_rows) {
  int on_dsp = 0;
  for (uint32_t seed = 0; seed < 30; ++seed) {
    Cases c(seed);
    Shape y = c.shape(3);
    const auto axis = size_t(c.pick(1, int(y.size()) - 1));
    Shape parts;
    const std::string type = c.one_of(kTypes), q = quantised(type);
    std::string lines, names;
    for (int k = c.pick(2, 6); k > 0; --k) {
      Shape x = y;
      x[axis] = c.pick(1, 7);
      parts.push_back(x[axis]);
      const std::string name = "%x" + std::to_string(k);
      const bool constant = k == 1 && c.pick(0, 1) == 0;
      lines += (constant ? "  const " : "  input ") + name + " : " + typed(type, x, q) +
               (constant ? " = random 4\n" : "\n");
      names += (names.empty() ? "" : ", ") + name;
    }
    y[axis] = std::accumulate(parts.begin(), parts.end(), int64_t{0});
    lines += "  %y = concat(" + names + ") {axis=" + std::to_string(axis) +
             "} from [0] : " + typed(type, y, q);
    on_dsp += is_on_dsp(graph_of(lines, "tflite"), c.one_of<uint32_t>({kLarge, kSmall}));
  }
  EXPECT_GT(on_dsp, 10);
}

TEST(CompileDspMoves, gathers_along_any_axis_with_indices_beyond_the_ends) {
  for (uint32_t seed = 0; seed < 30; ++seed) {
    Cases c(seed);
    const Shape x = c.shape(2);
    const int axis = c.pick(0, int(x.size()) - 1), batch = c.pick(0, axis);
    Shape indices(x.begin(), x.begin() + batch), y(x.begin(), x.begin() + axis);
    for (int more = c.pick(0, 2); more > 0; --more) indices.push_back(c.pick(1, 5));
    y.insert(y.end(), indices.begin() + batch, indices.end());
    y.insert(y.end(), x.begin() + axis + 1, x.end());
    const std::string type = c.one_of(kTypes), q = quantised(type);
    const std::string lines =
        "  input %x : " + typed(type, x, q) + "\n  input %i : " + typed("int32", indices) +
        "\n  %y = gather(%x, %i) {axis=" + std::to_string(axis) +
        ", batch_dims=" + std::to_string(batch) + "} from [0] : " + typed(type, y, q);
    expect_on_dsp(graph_of(lines, "tflite"), kLarge);
  }
}

TEST(CompileDspMoves, images_of_another_size) {
  for (uint32_t seed = 0; seed < 60; ++seed) {
    Cases c(seed);
    const Shape x = {c.pick(2, 3), c.pick(1, 12), c.pick(1, 12), c.one_of<int64_t>({1, 3, 16, 70})};
    const bool times = c.pick(0, 1) == 0, near = c.pick(0, 1) == 0;
    // The DLA doubles, and has what lies between twice and four times as many.
    const int many = near ? c.one_of<int>({1, 3, 4}) : c.one_of<int>({1, 3, 8});
    Shape y = {x[0], times ? many * x[1] : c.pick(1, 20), times ? many * x[2] : c.pick(1, 20),
               x[3]};
    const bool few = y[1] <= 4 * x[1] && y[2] <= 4 * x[2];
    if (!near && x != y && few && y[1] % x[1] == 0 && y[2] % x[2] == 0) y[1] = 3 * x[1];
    const std::string mode =
        c.one_of<std::string>({"", " {align_corners=true}", " {half_pixel_centers=true}"});
    const std::string type = near && c.pick(0, 1) == 0 ? "uint8" : "int8", q = quantised(type);
    const std::string op = near ? "resize_nearest" : "resize_bilinear";
    const std::string lines = "  input %x : " + typed(type, x, q) + "\n  %y = " + op + "(%x)" +
                              mode + " from [0] : " + typed(type, y, q);
    const bool bytes = type == "uint8";
    expect_on_dsp(graph_of(lines, bytes || c.pick(0, 1) == 0 ? "tflite" : "xnnpack"), kLarge);
  }
}

TEST(CompileDspMoves, images_larger_than_the_sram_are_cut_where_rows_come_from_their_own_part) {
  const std::string lines =
      "  input %x : int8[2,20,30,16] q(0.1, 3)\n  %y = resize_nearest(%x) from "
      "[0] : int8[2,60,90,16] q(0.1, 3)";
  EXPECT_GT(expect_on_dsp(graph_of(lines, "tflite"), kSmall).layers[0].commands, 8);
}

TEST(CompileDspMoves, tensors_larger_than_the_sram_come_in_tiles) {
  for (const char* lines :
       {"  input %x : int8[200,5,8,10] q(0.1, 3)\n  %y = transpose(%x) {perm=[0, 2, 1, 3]} from "
        "[0] : int8[200,8,5,10] q(0.1, 3)",
        "  input %x : float32[90,10,30]\n  %y = pad(%x) {before=[0, 1, 0], after=[0, 0, 1]} from "
        "[0] : float32[90,11,31]",
        "  input %x : float32[90,10,30]\n  input %i : int32[3]\n  %y = gather(%x, %i) {axis=1} "
        "from [0] : float32[90,3,30]",
        "  input %x : float32[100]\n  input %i : int32[9000]\n  %y = gather(%x, %i) "
        "from [0] : float32[9000]"}) {
    for (const uint32_t bytes : {kSmall, kTiny}) {
      EXPECT_GT(expect_on_dsp(graph_of(lines, "tflite"), bytes).layers[0].commands, 1);
    }
  }
}

TEST(CompileDspMoves, the_engine_that_takes_the_fewest_cycles_moves) {
  const auto placed = [](const std::string& lines, uint32_t call) {
    SocConfig config;
    config.host = quick_host();
    config.host.cycles_call = call;
    const std::string text = graph_of(lines, "tflite");
    return expect_compiled_exact(ir::parse(text), config, 2).compiled.placements.at(0);
  };
  const std::string bytes =
      "  input %x : int8[2,9,64,40] q(0.1, 3)\n  %y = transpose(%x) "
      "{perm=[1, 3, 0, 2]} from [0] : int8[9,40,2,64] q(0.1, 3)";
  const placement::Placement dsp = placed(bytes, 100);
  EXPECT_EQ(dsp.engine, "dsp") << dsp.reason();
  EXPECT_THAT(dsp.reason(),
              testing::ContainsRegex("kernel transpose .*dma: about [0-9]+ cycles "
                                     "\\(bytes in a row: 1\\), the dsp takes [0-9]+"));
  const std::string few =
      "  input %x : int8[2,3,2,2] q(0.1, 3)\n  %y = transpose(%x) {perm=[3, 2, "
      "1, 0]} from [0] : int8[2,2,3,2] q(0.1, 3)";
  EXPECT_EQ(placed(few, 1).engine, "host");
  const std::string rows =
      "  input %x : int8[2,4,4,4096] q(0.1, 3)\n  %y = transpose(%x) {perm=[2, "
      "1, 0, 3]} from [0] : int8[4,4,2,4096] q(0.1, 3)";
  EXPECT_EQ(placed(rows, 100).engine, "dma");
}

}  // namespace
}  // namespace presil::tests
