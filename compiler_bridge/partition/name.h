// Names that a person reads in a table.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "compiler_bridge/ir/graph.h"

namespace presil::partition {

/// "model/conv2d_7/Conv2D" -> "conv2d_7": of the weights' name where there are weights, else of the
/// op's; the operator's kind where exporters wrote nothing to be read.
std::string short_name(const ir::Graph& graph, const ir::Op& op);

/// Names of all tensors, by id, as a reader of a graph wants them: results are named like their op
/// ("conv2d_7", further ones "nms.count"), constants like the op that reads them first
/// ("conv2d_7.weights"), inputs by the last component of their own name.
std::vector<std::string> short_names(const ir::Graph& graph);

/// Makes names unique by "_2", "_3", ...
class Names {
 public:
  std::string unique(const std::string& name);

 private:
  std::set<std::string> m_taken;
  std::map<std::string, int> m_last;  ///< number given to a name
};

}  // namespace presil::partition
