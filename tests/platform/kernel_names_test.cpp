// Names of the DSP's functions, for people.
#include "sim/platform/kernel_names.h"

#include <gtest/gtest.h>

namespace presil::platform {
namespace {

TEST(KernelNames, of_functions_are_readable) {
  EXPECT_EQ(readable("presil_entry_nms"), "presil_entry_nms");
  EXPECT_EQ(readable("_ZN6presil3dsp12_GLOBAL__N_15clampEPK8DLTensorPS2_ff"), "presil::dsp::clamp");
  EXPECT_EQ(readable("_ZN6presil3dsp10CandidatesILm4096EE9sort_manyEv"),
            "presil::dsp::Candidates<4096ul>::sort_many");
  EXPECT_EQ(readable("_ZN6presil3dspplERKNS0_4RealES3_"), "presil::dsp::operator+");
  EXPECT_EQ(
      readable("_ZN6presil3dsp12_GLOBAL__N_14eachIZNS1_12function_f32EPK8DLTensorPS3_PK23presil_"
               "dsp_function_f32E3$_0EEiS5_S6_RKT_"),
      "presil::dsp::each<..>");
}

TEST(KernelNames, a_kernel_is_called_as_its_author_did) {
  const std::vector<dsp::Symbol> functions = {{"presil_entry_softmax_i8", 0x10000000, 64},
                                              {"clamp", 0x10000040, 64}};
  EXPECT_EQ(kernel_at(functions, 0x10000000), "softmax_i8");
  EXPECT_EQ(kernel_at(functions, 0x10000040), "clamp");
  EXPECT_EQ(kernel_at(functions, 0x10000004), "0x10000004");
}

}  // namespace
}  // namespace presil::platform
