// One target under libFuzzer, with the same mutations as `mutations` between its own.
#include <algorithm>
#include <memory>

#include "testbench/fuzz/targets.h"

using presil::fuzz::File;

namespace {

presil::fuzz::Target& target() {
  static const auto made = presil::fuzz::make_target(FUZZ_TARGET);
  return *made;
}

}  // namespace

extern "C" size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t room);

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  target().feed(File(data, data + size));
  return 0;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t room, unsigned seed) {
  if (seed % 4 == 0) return LLVMFuzzerMutate(data, size, room);
  // Sound files come in here: a corpus that begins empty would never hold one.
  static const auto seeds = target().seeds();
  const bool fresh = size < 64 || seed % 8 == 1;
  const File file = fresh ? seeds[seed / 8 % seeds.size()] : File(data, data + size);
  const File mutated = target().mutate(file, seed);
  const size_t result = std::min(mutated.size(), room);
  std::copy_n(mutated.begin(), result, data);
  return result;
}
