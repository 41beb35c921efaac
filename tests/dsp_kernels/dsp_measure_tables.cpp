#include "driver/dsp/cost.h"
#include "driver/dsp/params.h"
#include "tests/dsp_kernels/dsp_measure.h"

namespace presil::dsp {

std::vector<Measured> measure_tables() {
  std::vector<Measured> list;
  Rig rig;
  Random random(1);
  for (const int64_t n : {256, 16384, 65536}) {
    const TensorValue x = random_bytes(random, {n}), table = random_bytes(random, {256});
    const Ran ran = rig.run("table_i8", {{x, {}}, {table, {}}}, {{x, {}}}, presil_dsp_table_i8{});
    const auto count = static_cast<uint64_t>(n);
    list.push_back({"table_i8", std::to_string(n), "element", count, cycles_of(ran), 0.125,
                    presil_dsp_cycles_table_i8(1, count), n > 256});
  }
  const presil_dsp_softmax_i8 params = {1 << 30, 23, -1000};
  using Shape = std::pair<int64_t, int64_t>;
  for (const auto& [rows, depth] :
       {Shape{1, 1001}, Shape{16, 1001}, Shape{4096, 2}, Shape{1024, 16}, Shape{256, 64},
        Shape{64, 100}, Shape{64, 200}}) {
    const TensorValue x = random_bytes(random, {rows, depth});
    const Ran ran = rig.run("softmax_i8", {{x, {}}}, {{x, {}}}, params);
    const auto r = static_cast<uint64_t>(rows), d = static_cast<uint64_t>(depth);
    const double n = static_cast<double>(r * d);
    const double own = depth < 384 ? 1.4 * n + 160.0 * static_cast<double>((rows + 63) / 64)
                                   : 0.72 * n + 314.0 * static_cast<double>(rows);
    const double bound = (own + 1536) / n;
    list.push_back({"softmax_i8", std::to_string(rows) + " x " + std::to_string(depth), "element",
                    r * d, cycles_of(ran), bound, presil_dsp_cycles_softmax_i8(r, d),
                    rows > 1 && (depth % 8 == 0 || depth >= 384)});
  }
  return list;
}

}  // namespace presil::dsp
