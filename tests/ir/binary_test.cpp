#include "compiler_bridge/ir/binary.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "models/base/refusal.h"
#include "tests/ir/random_graph.h"

namespace presil::ir {
namespace {

bool taken(const Bytes& bytes) {
  try {
    from_bytes(bytes);
    return true;
  } catch (const Refusal&) {
    return false;
  }
}

TEST(Binary, five_hundred_random_graphs_come_back_identical) {
  for (uint32_t seed = 0; seed < 500; ++seed) {
    const Graph graph = RandomGraph(seed).make();
    ASSERT_EQ(from_bytes(to_bytes(graph)), graph) << "seed " << seed;
  }
}

TEST(Binary, the_same_graph_gives_the_same_bytes) {
  EXPECT_EQ(to_bytes(RandomGraph(3).make()), to_bytes(RandomGraph(3).make()));
}

TEST(Binary, bytes_at_odd_addresses_are_read_too) {
  const Graph graph = RandomGraph(5).make();
  Bytes bytes = to_bytes(graph);
  bytes.insert(bytes.begin(), 0);
  EXPECT_EQ(from_bytes(bytes.data() + 1, bytes.size() - 1), graph);
}

TEST(Binary, nothing_and_cut_bytes_are_refused) {
  const Bytes bytes = to_bytes(RandomGraph(11).make());
  for (size_t length = 0; length < bytes.size(); length += 7) {
    EXPECT_FALSE(taken(Bytes(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(length))));
  }
}

TEST(Binary, two_thousand_mutated_bytes_never_crash) {
  const Bytes sound = to_bytes(RandomGraph(17).make());
  std::mt19937 random(1);
  for (int i = 0; i < 2000; ++i) {
    Bytes bytes = sound;
    bytes[random() % bytes.size()] = static_cast<uint8_t>(random());
    taken(bytes);  // what matters is that it returns
  }
}

}  // namespace
}  // namespace presil::ir
