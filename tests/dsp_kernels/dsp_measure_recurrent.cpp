#include "driver/kernels/dsp/cost.h"
#include "driver/kernels/dsp/params.h"
#include "tests/dsp_kernels/dsp_measure.h"

namespace presil::dsp {
namespace {

Measured lstm(int64_t steps, int64_t inputs, int64_t units) {
  Rig rig;
  Random random(1);
  const int64_t lanes = 4 * units;
  std::vector<int32_t> terms(static_cast<size_t>(7 * lanes), 1 << 30), table;
  for (size_t row : {size_t{0}, size_t{2}, size_t{3}, size_t{5}, size_t{6}}) {
    const auto first = terms.begin() + static_cast<int64_t>(row) * lanes;
    std::fill(first, first + lanes, row == 3 || row == 6 ? 8 : 0);
  }
  for (int32_t i = 0; i < 256; ++i) table.push_back(32768 + 128 * i);
  const presil_dsp_lstm_i8 p = {0, 1, 3, -3, 1 << 30, -14, 1 << 30, -17, 1 << 30, -22, -12, 0};
  const TensorValue h = random_bytes(random, {1, units}),
                    c = random_bytes(random, {1, units}, ir::DType::kInt16),
                    y = random_bytes(random, {1, steps, units});
  const Ran ran =
      rig.run("lstm_i8",
              {{random_bytes(random, {1, steps, inputs}), {}},
               {tensor_of(ir::DType::kInt16, {inputs + units, lanes},
                          std::vector<int16_t>(static_cast<size_t>((inputs + units) * lanes), 5)),
                {}},
               {tensor_of(ir::DType::kInt32, {7, lanes}, terms), {}},
               {tensor_of(ir::DType::kInt32, {256}, table), {}},
               {h, {}},
               {c, {}}},
              {{y, {}}, {h, {}}, {c, {}}}, p);
  const auto s = static_cast<uint64_t>(steps), n = static_cast<uint64_t>(inputs),
             u = static_cast<uint64_t>(units);
  const uint64_t products = s * (n + u) * 4 * u;
  return {"lstm_i8",
          std::to_string(steps) + " steps of " + std::to_string(inputs) + " inputs, " +
              std::to_string(units) + " units",
          "product", products, cycles_of(ran),
          // The head of the kernel: products, and what goes with a unit.
          0.125 + static_cast<double>(s * u) * 13.5 / static_cast<double>(products),
          presil_dsp_cycles_lstm_i8(s, n, u), units > 20};
}

}  // namespace

std::vector<Measured> measure_recurrent() {
  return {lstm(28, 28, 20), lstm(49, 10, 64), lstm(20, 64, 128)};
}

}  // namespace presil::dsp
