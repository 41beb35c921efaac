// The printed list of instructions is what the table says. PRESIL_PRINT=1 prints it again.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "models/dsp/dsp_isa.h"

namespace presil::dsp {
namespace {

TEST(DspInstructions, the_printed_list_is_not_stale) {
  const std::string file = "models/dsp/dsp_instructions.md";
  if (std::getenv("PRESIL_PRINT") != nullptr) std::ofstream(file) << instruction_list();
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  EXPECT_EQ(text.str() == instruction_list(), true)
      << file << " is stale: PRESIL_PRINT=1 with this test, from the root, prints it";
}

}  // namespace
}  // namespace presil::dsp
