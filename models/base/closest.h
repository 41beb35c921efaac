// "did you mean": the known name that a mistyped one is nearest to.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

namespace presil {

/// Letters to insert, leave out, change or swap with their neighbour to get from one to the other.
inline size_t edits(const std::string& a, const std::string& b) {
  std::vector<std::vector<size_t>> d(a.size() + 1, std::vector<size_t>(b.size() + 1));
  for (size_t i = 0; i <= a.size(); ++i) {
    for (size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        d[i][j] = i + j;
        continue;
      }
      const size_t changed = d[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, changed});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  }
  return d[a.size()][b.size()];
}

/// The nearest of `known`; a whole last part counts as one edit (macs_k for dla.macs_k).
/// @return "" where none is near: more than a third of the letters differ
inline std::string closest(const std::string& name, const std::vector<std::string>& known) {
  constexpr size_t kMostLetters = 100;  // of what a user may have typed
  if (name.size() > kMostLetters) return "";
  std::string best;
  size_t fewest = std::max<size_t>(1, name.size() / 3) + 1;
  for (const std::string& candidate : known) {
    const size_t dot = candidate.rfind('.');
    const bool part = dot != std::string::npos && candidate.substr(dot + 1) == name;
    const size_t count = part ? 1 : edits(name, candidate);
    if (count < fewest) fewest = count, best = candidate;
  }
  return best;
}

/// " (did you mean 'dla.macs_k'?)", or "" where no known name is near.
inline std::string did_you_mean(const std::string& name, const std::vector<std::string>& known) {
  const std::string found = closest(name, known);
  return found.empty() ? "" : " (did you mean '" + found + "'?)";
}

}  // namespace presil
