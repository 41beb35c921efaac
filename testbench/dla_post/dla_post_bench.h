// Drives dla_post (rtl/dla) alone: pixels in, words out, with gaps and back-pressure as asked.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace presil::dla::bench {

/// A pixel before post-processing; groups of 16 channels, of which the narrow array has one.
struct PostPixel {
  unsigned slot = 0;  ///< which of the two commands
  std::array<int32_t, 32> acc{}, multiplier{};
  std::array<int8_t, 32> shift{};
  std::array<uint8_t, 2> lanes{16, 16};
  bool has_second = false;  ///< the command has ew_op
  std::array<uint8_t, 32> second{};
  uint8_t user = 0;
};

/// What comes out: a word of each group.
struct PostWord {
  std::array<uint8_t, 32> bytes{};
  unsigned word = 0;
  bool last = false;
  uint8_t user = 0;
  uint64_t cycle = 0;  ///< in which it was taken
};

/// The two commands in flight, as words, and their tables.
struct PostSetup {
  std::array<std::array<uint32_t, 40>, 2> words{};
  std::array<std::array<uint8_t, 256>, 2> table{};
};

struct PostRun {
  std::vector<PostWord> words;
  std::vector<uint64_t> taken;  ///< cycle of each pixel's last beat
};

/// One size of the hardware.
class PostBench {
 public:
  virtual ~PostBench() = default;
  /// @param gaps  out of 256: how often input, second operand or output pause a cycle
  virtual PostRun run(const PostSetup& setup, const std::vector<PostPixel>& pixels, unsigned gaps,
                      uint32_t seed) = 0;
};

/// @param size "MacsK_PostLanes_EwLanes", one of those in CMakeLists.txt; nullptr if it is none
std::unique_ptr<PostBench> make_post_bench(const std::string& size);

}  // namespace presil::dla::bench
