// Names that a person reads in a table.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "compiler_bridge/ir/graph.h"
#include "compiler_bridge/partition/origin.h"

namespace presil::partition {

/// A name for each operator of an imported graph, by index, all different: the innermost scope that
/// is its alone ("conv2d_7"), with scopes around it where others are called the same
/// ("block_3/expand"), with its primitive where others stand in the same scope
/// ("attention/Softmax"). What has no name is called by its kind. Where all that is written is the
/// same, the later are numbered: "softmax#2".
/// They follow from the file alone, and of its operators only those of equal names touch another's.
std::vector<std::string> op_names(const ir::Graph& imported);

/// Makes names unique by "#2", "#3", ...
class Names {
 public:
  std::string unique(const std::string& name);

 private:
  std::set<std::string> m_taken;
  std::map<std::string, int> m_last;  ///< number given to a name
};

/// What operators of a rewritten graph are called: like the imported operator whose work they do.
class OpNames {
 public:
  explicit OpNames(const ir::Graph& imported);

  /// Of the imported graph's.
  const std::string& operator[](size_t index) const { return m_names.at(index); }
  /// Of any, not unique where a pass made several of one.
  std::string of(const ir::Op& op) const;
  /// Unique, in order; of several that do the work of one, the one that makes its tensor has its
  /// name ("conv2d_7"), the others have numbers ("conv2d_7#2").
  std::vector<std::string> of_all(const std::vector<const ir::Op*>& ops) const;

 private:
  const ir::Graph& m_imported;
  Origins m_origins;
  std::vector<std::string> m_names;
};

/// Names of all tensors, by id, as a reader of a graph expects them: results are named like their
/// op ("conv2d_7", further ones "nms.count"), constants like the op that reads them first
/// ("conv2d_7.weights"), inputs by the last component of their own name.
std::vector<std::string> short_names(const ir::Graph& graph, const ir::Graph& imported);

}  // namespace presil::partition
