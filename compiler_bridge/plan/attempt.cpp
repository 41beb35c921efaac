#include "compiler_bridge/plan/attempt.h"

#include <algorithm>

namespace presil::plan {

std::vector<Attempt> attempts(int steps, const std::optional<int>& decided) {
  constexpr int kMostAhead = 256;  // so that time and memory of planning are linear
  std::vector<Attempt> all;
  if (decided) {
    all = {{*decided, 1.0}, {*decided, 1.0, true}, {*decided, 0.6}};
    if (*decided != 0) all.push_back({0, 1.0});  // what is least says what is missing
    return all;
  }
  const int most = std::min(steps, kMostAhead);
  for (int ahead = most; ahead > 1; ahead /= 2) all.push_back({ahead, 1.0});
  for (int ahead : {most, 1}) all.push_back({ahead, 1.0, true});
  for (double share : {1.0, 0.8, 0.6, 0.4, 0.2, 0.1, 0.05}) all.push_back({1, share});
  for (double share : {1.0, 0.8, 0.6}) all.push_back({0, share});
  return all;
}

}  // namespace presil::plan
