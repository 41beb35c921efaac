#include "driver/kernels/dsp/cost.h"
#include "driver/kernels/dsp/params.h"
#include "tests/dsp_kernels/dsp_measure.h"

namespace presil::dsp {
namespace {

using Shape = std::vector<int64_t>;
using ir::DType;

struct Row {
  const char *kernel, *what;
  Shape x, y;
  DType type;
  double bound;
  uint64_t estimate;
};

template <class Params>
Measured of(const Row& row, DType out, const Params& params) {
  Rig rig;
  Random random(1);
  const TensorValue x = row.type == DType::kFloat32 ? random_floats(random, row.x, -9, 9)
                                                    : random_bytes(random, row.x, row.type);
  const Operand y{{out, row.y, {}}, {}};
  const Ran ran = rig.run(row.kernel, {{x, {}}}, {y}, params);
  return {row.kernel,     row.what,  "element",    x.data.size() / ir::size_of(row.type),
          cycles_of(ran), row.bound, row.estimate, false};
}

}  // namespace

std::vector<Measured> measure_reduce() {
  const presil_dsp_reduce mean{PRESIL_DSP_REDUCE_SCALED, 1, 0x3c000000, 0, 3, -5};
  const presil_dsp_reduce most{PRESIL_DSP_REDUCE_MAX, 0, 0, 0, 0, 0};
  const presil_dsp_reduce_f32 mean_f32{PRESIL_DSP_REDUCE_SCALED}, most_f32{PRESIL_DSP_REDUCE_MAX};
  constexpr auto kByte = DType::kInt8, kFloat = DType::kFloat32;
  std::vector<Measured> list;
  list.push_back(of({"reduce",
                     "mean, 7 x 7 of 1280 channels",
                     {49, 1280},
                     {1, 1280},
                     kByte,
                     0.082,
                     presil_dsp_cycles_reduce_i8(20, 49, PRESIL_DSP_SUM_I8)},
                    kByte, mean));
  list.push_back(of({"reduce",
                     "mean, 56 x 56 of 64 channels",
                     {3136, 64},
                     {1, 64},
                     kByte,
                     0.063,
                     presil_dsp_cycles_reduce_i8(1, 3136, PRESIL_DSP_SUM_I8)},
                    kByte, mean));
  list.push_back(of({"reduce",
                     "mean, 64 rows of 1024",
                     {64, 1024},
                     {64, 1},
                     kByte,
                     0.15,
                     presil_dsp_cycles_reduce_rows(64, 1024, PRESIL_DSP_ROW_SUM_I8)},
                    kByte, mean));
  list.push_back(of({"reduce",
                     "largest, 49 of 1280 channels",
                     {49, 1280},
                     {1, 1280},
                     kByte,
                     0.031,
                     presil_dsp_cycles_most_i8(1, 1280, 49)},
                    kByte, most));
  list.push_back(of({"reduce",
                     "largest, 64 rows of 1024",
                     {64, 1024},
                     {64, 1},
                     kByte,
                     0.1,
                     presil_dsp_cycles_most_i8_rows(64, 1024)},
                    kByte, most));
  list.push_back(of({"reduce_f32",
                     "mean, 49 of 1280 channels",
                     {49, 1280},
                     {1, 1280},
                     kFloat,
                     0.37,
                     presil_dsp_cycles_reduce_f32(10, 49)},
                    kFloat, mean_f32));
  list.push_back(of({"reduce_f32",
                     "mean, 784 of 128 channels",
                     {784, 128},
                     {1, 128},
                     kFloat,
                     0.26,
                     presil_dsp_cycles_reduce_f32(1, 784)},
                    kFloat, mean_f32));
  list.push_back(of({"reduce_f32",
                     "mean, 64 rows of 1024",
                     {64, 1024},
                     {64, 1},
                     kFloat,
                     0.3,
                     presil_dsp_cycles_reduce_rows(64, 1024, PRESIL_DSP_ROW_SUM_F32)},
                    kFloat, mean_f32));
  list.push_back(of({"reduce_f32",
                     "largest, 64 rows of 1024",
                     {64, 1024},
                     {64, 1},
                     kFloat,
                     0.184,
                     presil_dsp_cycles_reduce_rows(64, 1024, PRESIL_DSP_ROW_MOST_F32)},
                    kFloat, most_f32));
  list.push_back(of({"arg",
                     "int8, 16 rows of 1001",
                     {16, 1001},
                     {16, 1},
                     kByte,
                     0.21,
                     presil_dsp_cycles_reduce_rows(16, 1001, PRESIL_DSP_ROW_ARG_I8)},
                    DType::kInt32, presil_dsp_arg{1, 0}));
  list.push_back(of({"arg",
                     "int8, 1600 rows of 21",
                     {1600, 21},
                     {1600, 1},
                     kByte,
                     0.149,
                     presil_dsp_cycles_arg_rows_i8(1600, 21)},
                    DType::kInt32, presil_dsp_arg{1, 0}));
  list.push_back(of({"arg",
                     "int8, 600 of 64 lanes",
                     {600, 64},
                     {1, 64},
                     kByte,
                     0.094,
                     presil_dsp_cycles_reduce_i8(1, 600, PRESIL_DSP_ARG_I8)},
                    DType::kInt32, presil_dsp_arg{0, 0}));
  list.push_back(of({"arg",
                     "float32, 16 rows of 1001",
                     {16, 1001},
                     {16, 1},
                     kFloat,
                     0.5,
                     presil_dsp_cycles_reduce_rows(16, 1001, PRESIL_DSP_ROW_ARG_F32)},
                    DType::kInt32, presil_dsp_arg{1, 0}));
  list.push_back(of({"arg",
                     "float32, 21 of 1600 lanes",
                     {21, 1600},
                     {1, 1600},
                     kFloat,
                     0.5,
                     presil_dsp_cycles_reduce(25, 21, PRESIL_DSP_ARG_WORDS)},
                    DType::kInt32, presil_dsp_arg{0, 0}));
  return list;
}

}  // namespace presil::dsp
