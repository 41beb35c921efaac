// Whose results a layer may read, from what the layers of the loadable say that they read and make.
#pragma once

#include <set>
#include <vector>

#include "rtl/soc/loadable_generated.h"

namespace presil::replay {

/// What a layer may read.
struct Fed {
  /// Layers: itself, and those that make what it reads or makes (parts of one tensor); after layers
  /// without commands (views, wholes of parts) those before them too. A layer of which nothing is
  /// known reads all and is for all to read.
  std::set<int> by;
  std::set<int> own;                    ///< of those: that make what it makes
  std::vector<std::set<int>> operands;  ///< those of each tensor that it reads and layers make
};

/// By layer. Empty where the loadable does not say what its layers make.
std::vector<Fed> feeds(const loadable::Loadable& l);

/// Which of a layer's operands do its parts (the DLA's input, second operand, weights) hold? Every
/// part holds one of them, and as many parts as operands hold all.
/// @param parts  by part the layers that made it, `own` left out
bool each_holds_one(const Fed& fed, const std::vector<std::set<int>>& parts);
bool hold_all(const Fed& fed, const std::vector<std::set<int>>& parts);

}  // namespace presil::replay
