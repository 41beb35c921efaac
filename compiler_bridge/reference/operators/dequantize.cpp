// y = float32(x - z_x) * s_x.
#include "compiler_bridge/reference/case.h"

namespace presil::reference::operators {

void dequantize(const Case& c) {
  const ir::Quantization& q = c.in().quantization;
  float* y = c.write<float>();
  for (int64_t i = 0; i < c.in().elements(); ++i) {
    const int32_t x = c.in().dtype == ir::DType::kInt8    ? int32_t{c.read<int8_t>()[i]}
                      : c.in().dtype == ir::DType::kInt16 ? int32_t{c.read<int16_t>()[i]}
                                                          : int32_t{c.read<uint8_t>()[i]};
    y[i] = static_cast<float>(x - q.zero_point()) * q.scale();
  }
}

}  // namespace presil::reference::operators
