// A refusal begins with what it is found in the course of, outermost first, and with nothing once
// that is over.
#include <gtest/gtest.h>

#include <thread>

#include "models/base/refusal.h"

namespace presil {
namespace {

std::string words() {
  return Refusal("ir", "tensor %0 has no type").what();
}

TEST(RefusalContext, refusals_begin_with_it_while_it_lives) {
  {
    const RefusalContext context("import", "net: the network does not hold together");
    EXPECT_EQ(words(),
              "import: net: the network does not hold together: ir: tensor %0 has no type");
  }
  EXPECT_EQ(words(), "ir: tensor %0 has no type");
}

TEST(RefusalContext, the_outer_comes_first) {
  const RefusalContext outer("compile", "a");
  {
    const RefusalContext inner("import", "b");
    EXPECT_EQ(words(), "compile: a: import: b: ir: tensor %0 has no type");
  }
  EXPECT_EQ(words(), "compile: a: ir: tensor %0 has no type");
}

TEST(RefusalContext, a_refusal_that_passes_it_on_its_way_ends_it) {
  EXPECT_THROW(
      {
        const RefusalContext context("import", "a");
        throw Refusal("ir", "b");
      },
      Refusal);
  EXPECT_EQ(words(), "ir: tensor %0 has no type");
}

TEST(RefusalContext, other_threads_have_their_own) {
  const RefusalContext context("import", "a");
  std::string elsewhere;
  std::thread([&] { elsewhere = words(); }).join();
  EXPECT_EQ(elsewhere, "ir: tensor %0 has no type");
}

}  // namespace
}  // namespace presil
