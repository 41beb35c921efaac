#include <algorithm>
#include <cmath>

#include "driver/kernels/dsp/cost.h"
#include "driver/kernels/dsp/params.h"
#include "tests/dsp_kernels/dsp_measure.h"

namespace presil::dsp {

namespace {

using Shape = std::pair<int64_t, int64_t>;

/// Beats of a column of rows: into the room, e of it, results.
double column(int64_t rows, bool gathers, bool fixed) {
  const auto lanes = static_cast<double>(std::min<int64_t>(rows, 64));
  const auto beats = [&](double bits) { return std::ceil(lanes * bits / 256); };
  // A sum waits for the one before: 4.
  const double sum = fixed ? 2 * beats(32) : beats(32), found = lanes / 2 + std::max(sum, 4.0);
  return lanes / 8 + beats(8) + (gathers ? found : lanes) + 2 * beats(32) + beats(16) + beats(8);
}

Measured softmax(Random& random, bool fixed, const Shape& shape) {
  const auto [rows, depth] = shape;
  Rig rig;
  const TensorValue x = random_bytes(random, {rows, depth});
  const TensorValue table =
      tensor_of(ir::DType::kFloat32, {256}, std::vector<float>(256, 0.00390625f));
  const TensorValue fixed_table =
      tensor_of(ir::DType::kInt32, {256}, std::vector<int32_t>(256, 1 << 23));
  const Ran ran = fixed ? rig.run("softmax_i8", {{x, {}}, {fixed_table, {}}}, {{x, {}}},
                                  presil_dsp_softmax_i8{})
                        : rig.run("softmax_table_i8", {{x, {}}, {table, {}}}, {{x, {}}},
                                  presil_dsp_softmax_table_i8{});
  const auto r = static_cast<uint64_t>(rows), d = static_cast<uint64_t>(depth);
  const double n = static_cast<double>(r * d), roomfuls = static_cast<double>((rows + 63) / 64);
  // softmax_rows.h, and the heads of the two.
  const bool gathers = depth > 2 && n >= 1536;
  double own = column(rows, gathers, fixed) * static_cast<double>(depth) * roomfuls;
  if (gathers) own += 4 * 32;  // its planes: two of 16 bits, four of 8
  own += (fixed ? 160 : 128) * roomfuls;
  if (depth == 2 && rows >= 512)
    own = 0.22 * n + 4 * (2 * column(64, false, fixed) + (fixed ? 160 : 128));
  if (fixed && depth >= 128 && rows > 1) own = 0.94 * n + 88.0 * static_cast<double>(rows) + 176;
  if (fixed && depth >= 384) own = 0.72 * n + 314.0 * static_cast<double>(rows) + 176;
  if (!fixed && rows < 6) own = 4.2 * n + 120.0 * static_cast<double>(rows);
  own += fixed ? 96 : 32;
  return {fixed ? "softmax_i8" : "softmax_table_i8",
          std::to_string(rows) + " x " + std::to_string(depth),
          "element",
          r * d,
          cycles_of(ran),
          own / n,
          fixed ? presil_dsp_cycles_softmax_i8(r, d) : presil_dsp_cycles_softmax_table_i8(r, d),
          r > 1};  // of one row a quarter is the way in and out
}

}  // namespace

std::vector<Measured> measure_tables() {
  std::vector<Measured> list;
  Rig rig;
  Random random(1);
  for (const int64_t n : {256, 16384, 65536}) {
    const TensorValue x = random_bytes(random, {n}), table = random_bytes(random, {256});
    const Ran ran = rig.run("table_i8", {{x, {}}, {table, {}}}, {{x, {}}}, presil_dsp_table_i8{});
    const auto count = static_cast<uint64_t>(n);
    list.push_back({"table_i8", n == 256 ? "256: the way in and out" : std::to_string(n), "element",
                    count, cycles_of(ran), 0.125, presil_dsp_cycles_table_i8(1, count), n > 256});
  }
  for (const bool fixed : {true, false}) {
    for (const auto& shape : {Shape{1, 1001}, Shape{16, 1001}, Shape{16384, 2}, Shape{1024, 16},
                              Shape{256, 64}, Shape{64, 100}, Shape{64, 200}}) {
      list.push_back(softmax(random, fixed, shape));
    }
  }
  return list;
}

}  // namespace presil::dsp
