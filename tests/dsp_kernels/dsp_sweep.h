// Random cases of a kernel at VLEN 128 to 1024.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <functional>

#include "tests/dsp_kernels/dsp_rig.h"

namespace presil::dsp {

/// PRESIL_ALL=1: 25 times as many cases.
inline int times_more() {
  const char* all = std::getenv("PRESIL_ALL");
  return all != nullptr && std::string(all) == "1" ? 25 : 1;
}

/// Runs `one` `cases` times, over VLEN 128, 256, 512, 1024 in turn; it returns what is wrong.
inline void sweep(int cases, const std::function<std::string(Rig&, Random&)>& one) {
  for (unsigned vlen = 128; vlen <= 1024; vlen *= 2) {
    Config config;
    config.vlen = vlen;
    config.dlen = vlen < 256 ? 128 : 256;
    config.elen = vlen == 256 ? 32 : 64;
    Rig rig(config);
    for (int i = 0; i < cases * times_more() / 4; ++i) {
      Random random(static_cast<uint64_t>(i) * 1024 + vlen);
      const std::string wrong = one(rig, random);
      ASSERT_EQ(wrong, "") << "VLEN " << vlen << ", case " << i;
    }
  }
}

}  // namespace presil::dsp
