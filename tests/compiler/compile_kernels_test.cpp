// Kernels of the user: those of the library stand for them here, in an image of their own.
#include <gmock/gmock.h>

#include "compiler_bridge/emit/stream.h"
#include "compiler_bridge/ir/text.h"
#include "compiler_bridge/replay/check_memory.h"
#include "driver/kernels/dsp/params.h"
#include "models/base/refusal.h"
#include "rtl/soc/loadable_generated.h"
#include "tests/compiler/compile_check.h"

namespace presil::tests {
namespace {

using partition::UserKernel;
using testing::HasSubstr;
using testing::MatchesRegex;

const std::shared_ptr<const dsp_image::Image>& mine() {
  static const auto image = [] {
    auto copy = std::make_shared<dsp_image::Image>(dsp_image::library().front());
    copy->name = "mine.elf";
    return std::shared_ptr<const dsp_image::Image>(copy);
  }();
  return image;
}

UserKernel resize(int op = 0, uint64_t cycles = 1) {
  UserKernel kernel;
  kernel.op = op;
  kernel.image = mine();
  kernel.kernel = "resize_nearest";
  kernel.params.assign(sizeof(presil_dsp_resize), 0);
  kernel.cycles = cycles;
  kernel.rows = -1;
  return kernel;
}

UserKernel lookup(int op = 0) {
  UserKernel kernel = resize(op);
  kernel.kernel = "table_i8";
  kernel.params.assign(sizeof(presil_dsp_table_i8), 0);
  kernel.rows = 1;
  return kernel;
}

ir::Graph wide() {
  return ir::parse(R"(graph "g" tflite {
    input %x : int8[1,9,10,20] q(0.05, -3)
    %y "the end" = resize_nearest(%x) from [0] : int8[1,9,20,20] q(0.05, -3)
    output %y
  })");
}

/// A softmax of presil's own between two kernels of the user.
ir::Graph chain() {
  return ir::parse(R"(graph "g" tflite {
    input %x : int8[1,40,10,20] q(0.05, -3)
    const %t : int8[256] q(0.05, -3) = random 3
    %a = custom(%x, %t) {code="Lookup"} from [0] : int8[1,40,10,20] q(0.05, -3)
    %p = softmax(%a) from [1] : int8[1,40,10,20] q(0.00390625, -128)
    %y = custom(%p, %t) {code="Lookup"} from [2] : int8[1,40,10,20] q(0.05, -3)
    output %y
  })");
}

std::vector<reference::TensorValue> looked_up(const ir::Graph&, const ir::Op&,
                                              const std::vector<reference::TensorValue>& in) {
  reference::TensorValue y = in.at(0);
  for (uint8_t& byte : y.data) byte = in.at(1).data.at(byte);
  return {y};
}

compile::Compiled compiled(const ir::Graph& graph, std::vector<UserKernel> kernels,
                           const SocConfig& config = {}) {
  compile::CompileOptions options;
  options.kernels = std::move(kernels);
  compile::Compiled c = compile::compile(graph, config, options);
  const replay::Checked checked = replay::check_memory(*loadable::GetLoadable(c.loadable.data()));
  EXPECT_FALSE(checked.wrong) << *checked.wrong;
  EXPECT_EQ(emit::assemble(c.stream_text, c.loadable), c.loadable);
  const auto inputs = random_values(graph, 7);
  const auto expected = reference::run_all(graph, inputs, looked_up);
  StreamRunner runner(c.loadable, config);
  for (uint32_t seed = 0; seed < 3; ++seed) {
    EXPECT_EQ(runner.run(graph, inputs, expected, seed, seed == 0), "") << c.stream_text;
  }
  return c;
}

size_t count(const std::string& text, const std::string& what) {
  size_t n = 0;
  for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++n;
  return n;
}

TEST(CompileKernels, an_operator_of_presil_is_computed_by_the_users_kernel) {
  UserKernel kernel = resize();
  kernel.rule = "columns times 2";
  const compile::Compiled c = compiled(wide(), {kernel});
  EXPECT_EQ(c.placements.at(0).op, "resize_nearest");
  EXPECT_EQ(c.placements.at(0).engine, "dsp");
  EXPECT_EQ(c.placements.at(0).reason(), "kernel resize_nearest of mine.elf (columns times 2)");
  EXPECT_EQ(c.layers.at(0).op, "resize_nearest");
  const auto* images = loadable::GetLoadable(c.loadable.data())->dsp_images();
  ASSERT_EQ(images->size(), 1u);
  EXPECT_EQ(images->Get(0)->crc(), mine()->crc);
}

TEST(CompileKernels, rows_are_cut_into_tiles_where_the_kernel_says_so) {
  SocConfig config;
  config.sram.bytes = 4 << 10;
  UserKernel kernel = resize();
  kernel.rows = 1;
  const compile::Compiled c = compiled(wide(), {kernel}, config);
  EXPECT_EQ(c.placements.at(0).engine, "dsp") << c.placements.at(0).reason();
  EXPECT_GT(c.layers.at(0).commands, 1);
}

TEST(CompileKernels, images_are_selected_in_turn) {
  const compile::Compiled c = compiled(chain(), {lookup(0), lookup(2)});
  EXPECT_EQ(c.placements.at(0).op, "Lookup");
  EXPECT_EQ(c.placements.at(1).engine, "dsp") << c.placements.at(1).reason();
  EXPECT_EQ(count(c.stream_text, ": select "), 3u) << c.stream_text;
  EXPECT_EQ(loadable::GetLoadable(c.loadable.data())->dsp_images()->size(), 2u);
}

TEST(CompileKernels, one_that_takes_more_cycles_is_left_with_both_figures) {
  const compile::Compiled c = compiled(wide(), {resize(0, 10000000)});
  EXPECT_THAT(c.placements.at(0).reason(),
              MatchesRegex(".*; dsp: kernel resize_nearest of mine.elf takes about [0-9]+ cycles "
                           "with transfers, [a-z' ]+ takes [0-9]+"));
  UserKernel kernel = resize(0, 10000000);
  kernel.prefer = true;
  EXPECT_EQ(compiled(wide(), {kernel}).placements.at(0).reason(),
            "kernel resize_nearest of mine.elf");
}

TEST(CompileKernels, what_the_dla_computes_in_another_layer_must_be_preferred) {
  const ir::Graph graph = ir::parse(R"(graph "g" tflite {
    input %x : int8[1,9,10,16] q(0.05, -3)
    %y = resize_nearest(%x) from [0] : int8[1,18,20,16] q(0.05, -3)
    output %y
  })");
  const compile::Compiled c = compiled(graph, {resize()});
  EXPECT_EQ(c.placements.at(0).engine, "dla");
  EXPECT_THAT(
      c.placements.at(0).reason(),
      HasSubstr("; dsp: kernel resize_nearest of mine.elf is not asked: the dla computes it "
                "in another layer (prefer: true gives it to the kernel)"));
}

TEST(CompileKernels, an_operator_that_it_cannot_be_called_for_goes_elsewhere) {
  UserKernel kernel = resize();
  kernel.prefer = true;
  kernel.rows = 2;
  EXPECT_THAT(compiled(wide(), {kernel}).placements.at(0).reason(),
              HasSubstr("; dsp: kernel resize_nearest of mine.elf cannot be called: axis 2 of "));
}

TEST(CompileKernels, what_needs_no_engine_must_be_preferred) {
  const ir::Graph graph = ir::parse(R"(graph "g" tflite {
    input %x : int8[1,4,6] q(0.05, -3)
    %r = reshape(%x) from [0] : int8[1,24] q(0.05, -3)
    %y = relu(%r) from [1] : int8[1,24] q(0.05, -3)
    output %y
  })");
  EXPECT_THAT(compiled(graph, {resize()}).placements.at(0).reason(),
              HasSubstr("is not asked: the operator needs no engine (prefer: true"));
}

TEST(CompileKernels, one_that_does_not_fit_the_sram_is_left_or_the_network_refused) {
  SocConfig config;
  config.sram.bytes = 4 << 10;
  UserKernel kernel = resize();
  kernel.prefer = true;
  EXPECT_THAT(compiled(wide(), {kernel}, config).placements.at(0).reason(),
              HasSubstr("; dsp: kernel resize_nearest of mine.elf needs "));
}

std::string refusal(const ir::Graph& graph, const UserKernel& kernel, const SocConfig& config = {},
                    bool given = true) {
  compile::CompileOptions options;
  if (given) options.kernels = {kernel};
  try {
    compile::compile(graph, config, options);
  } catch (const Refusal& refusal) {
    return refusal.what();
  }
  return "";
}

TEST(CompileKernels, what_cannot_be_is_refused_by_name) {
  ir::Graph graph = chain();
  graph.ops.resize(1);
  graph.outputs = graph.ops[0].outputs;
  const UserKernel kernel = lookup();
  EXPECT_EQ(refusal(graph, kernel), "");
  EXPECT_THAT(
      refusal(graph, kernel, {}, false),
      HasSubstr("kernels: custom operator Lookup 'a' has no kernel; register one that takes "
                "it (--kernels, driver/kernels/dsp/README.md)"));
  UserKernel wrong = kernel;
  wrong.kernel = "look_up";
  EXPECT_THAT(refusal(graph, wrong), HasSubstr("'mine.elf' has no kernel look_up, it has "));
  wrong = kernel, wrong.rows = 2;
  EXPECT_THAT(refusal(graph, wrong),
              HasSubstr("Lookup 'a': kernel table_i8 of mine.elf cannot be called: axis 2 of "
                        "int8[1,40,10,20] q(0.05, -3) is not one of rows, must be as long in each "
                        "tensor and after axes of 1"));
  wrong = kernel, wrong.params.resize(2000);
  EXPECT_THAT(refusal(graph, wrong), HasSubstr("bytes, must be at most 2048"));
  SocConfig config;
  config.dsp.itcm_bytes = 8 << 10;
  EXPECT_THAT(refusal(graph, kernel, config),
              HasSubstr("'mine.elf' cannot run on the DSP: program is "));
  config = {};
  config.name = "micro";
  config.dsp.units = 0;
  EXPECT_THAT(refusal(graph, kernel, config),
              HasSubstr("custom operator Lookup 'a' has kernel table_i8 of mine.elf, and SoC "
                        "'micro' has no DSP to run it (dsp.units is 0); choose a SoC with one, "
                        "such as edge, or give this one a DSP (--set dsp.units=1)"));
  config = {};
  config.sram.bytes = 4 << 10;
  wrong = kernel, wrong.rows = -1;
  EXPECT_THAT(refusal(graph, wrong, config),
              HasSubstr("custom operator Lookup 'a' does not fit the SRAM with kernel table_i8 of "
                        "mine.elf: needs "));
  EXPECT_THAT(refusal(graph, wrong, config), HasSubstr("; let it be cut into rows (rows: AXIS)"));
  ir::Graph many = graph;
  many.ops[0].inputs.assign(16, many.ops[0].inputs[0]);
  EXPECT_THAT(refusal(many, kernel),
              HasSubstr("number of tensors, with scratch, is 17, must be at most 16"));
}

TEST(CompileKernels, axes_that_a_kernel_cannot_see_are_refused) {
  const ir::Graph graph = ir::parse(R"(graph "g" tflite {
    input %x : int8[1,1,1,1,1,1,8] q(0.05, -3)
    %y = custom(%x) {code="Deep"} from [0] : int8[1,1,1,1,1,1,8] q(0.05, -3)
    output %y
  })");
  EXPECT_THAT(refusal(graph, lookup()), HasSubstr("is 7, must be at most 6"));
}

TEST(CompileKernels, without_a_dsp_an_operator_of_presil_goes_elsewhere_and_says_so) {
  SocConfig config;
  config.dsp.units = 0;
  const compile::Compiled c = compiled(wide(), {resize()}, config);
  EXPECT_NE(c.placements.at(0).engine, "dsp");
  EXPECT_THAT(c.placements.at(0).reason(),
              HasSubstr("; dsp: kernel resize_nearest of mine.elf has no DSP to run on"));
}

}  // namespace
}  // namespace presil::tests
