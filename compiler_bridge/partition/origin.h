// Which operator of the imported graph an operator of the rewritten one is.
#pragma once

#include <map>
#include <vector>

#include "compiler_bridge/ir/graph.h"

namespace presil::partition {

class Origins {
 public:
  explicit Origins(const ir::Graph& imported);

  /// The op of the imported graph that makes the same tensor: tensors keep their ids; null: none.
  const ir::Op* maker(ir::TensorId made) const;
  /// The one by the file's number; null: none.
  const ir::Op* by_source(int source) const;
  /// The imported op that an op of the graph is: the one whose tensor it makes, but one of its kind
  /// comes first among those whose work it does; null: none.
  const ir::Op* self(const ir::Op& op) const;

 private:
  const ir::Graph& m_imported;
  std::vector<int> m_producer;               ///< by tensor
  std::map<int, const ir::Op*> m_by_source;  ///< imported ops by the file's
};

}  // namespace presil::partition
