// Networks of one layer with random shapes, kernels, strides, padding and channels, as TFLite
// files. Seeded: a number is a layer.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "tests/import/tflite_file.h"

namespace presil::lockstep {

struct Layer {
  std::string kind;  ///< one of kinds()
  std::vector<uint8_t> file;
};

/// conv, depthwise, fc, pool, elementwise: layer i is of kind i modulo their number.
const std::vector<std::string>& kinds();

Layer random_layer(uint32_t number);

}  // namespace presil::lockstep
