// Cycles of the scalar core: the DSP's own, reasoned in rtl/dsp/RATIONALE.md, and as settings of
// other cores with its pipeline.
#pragma once

namespace presil::dsp {

constexpr unsigned cycles_branch_to_target = 2;
constexpr unsigned cycles_jump_register_to_target = 3;
constexpr unsigned cycles_load_to_use = 2;
constexpr unsigned cycles_sram_load_to_use = 6;   // and of registers
constexpr unsigned cycles_dram_load_to_use = 57;  // an idle DRAM, its row open
constexpr unsigned cycles_multiply_to_use = 3;
constexpr unsigned cycles_divide_32 = 18;
constexpr unsigned cycles_divide_64 = 34;
constexpr unsigned cycles_float_to_use = 4;
constexpr unsigned cycles_float_divide = 16;

struct ScalarTiming {
  unsigned branch_to_target = cycles_branch_to_target;
  unsigned jump_register_to_target = cycles_jump_register_to_target;
  unsigned load_to_use = cycles_load_to_use;
  unsigned sram_load_to_use = cycles_sram_load_to_use;
  unsigned dram_load_to_use = cycles_dram_load_to_use;
  unsigned dram_store = 0;  ///< cycles that a store to DRAM stands; the DSP's are posted
  unsigned multiply_to_use = cycles_multiply_to_use;
  unsigned divide_32 = cycles_divide_32, divide_64 = cycles_divide_64;
  unsigned float_to_use = cycles_float_to_use, float_divide = cycles_float_divide;
};

}  // namespace presil::dsp
