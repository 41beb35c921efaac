// What prices of the kernels of many functions are listed under.
#include "driver/kernels/host/kernels.h"

namespace {

// Index = enum presil_f32_function.
const char* const kFunctions[PRESIL_F32_FUNCTIONS] = {
    "function_f32_clamp",    "function_f32_leaky_relu", "function_f32_hard_swish",
    "function_f32_logistic", "function_f32_tanh",       "function_f32_elu",
    "function_f32_gelu",     "function_f32_gelu_tanh",  "function_f32_exp",
    "function_f32_log",      "function_f32_sqrt",       "function_f32_rsqrt",
    "function_f32_abs",      "function_f32_neg",        "function_f32_square",
    "function_f32_sin",      "function_f32_cos",        "function_f32_floor",
    "function_f32_ceil",     "function_f32_round",      "function_f32_sign"};

// Index = enum presil_f32_pair.
const char* const kPairs[PRESIL_F32_PAIRS] = {"pair_f32_add",
                                              "pair_f32_sub",
                                              "pair_f32_mul",
                                              "pair_f32_div",
                                              "pair_f32_maximum",
                                              "pair_f32_minimum",
                                              "pair_f32_squared_difference",
                                              "pair_f32_pow",
                                              "pair_f32_prelu",
                                              "pair_f32_floor_div",
                                              "pair_f32_floor_mod"};

}  // namespace

const char* presil_f32_function_price(uint32_t function) {
  return function < PRESIL_F32_FUNCTIONS ? kFunctions[function] : nullptr;
}

const char* presil_f32_pair_price(uint32_t function) {
  return function < PRESIL_F32_PAIRS ? kPairs[function] : nullptr;
}
