// Networks of any size, for time and memory of the compiler.
#pragma once

#include <filesystem>

namespace presil::tests {

/// Blocks of 5 operators: a 1x1 convolution, SiLU in two, another convolution, the sum with the
/// block's input; of 4 x 4 pixels.
/// @param as_unsigned  of uint8, every block's result an output of the network
void write_size_network(const std::filesystem::path& path, int ops, int channels,
                        bool as_unsigned = false);

}  // namespace presil::tests
