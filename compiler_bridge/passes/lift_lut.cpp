// A table after what only moves values becomes a table before it.
//
//   before   y = interleave(p0 .. p3)     after   q0 = lut(p0, table) .. q3
//            z = lut(y, table)                    z = interleave(q0 .. q3)
//   and      z = lut(reshape(x), table)           z = reshape(lut(x, table))      transpose
//   likewise
//
// Why: the inputs are made by convolutions, whose commands look values up for nothing; after the
// move it would be one more walk over all of them. Only where nothing else reads y, and not from
// rows of one image, as flatten_batch makes them, to a batch, of which no engine looks values up.
#include <iterator>
#include <map>

#include "compiler_bridge/passes/passes.h"
#include "compiler_bridge/passes/rewrite.h"

namespace presil::passes {
namespace {

bool moves(ir::OpKind kind) {
  return kind == ir::OpKind::kInterleave || kind == ir::OpKind::kReshape ||
         kind == ir::OpKind::kTranspose;
}

bool makes_one_image(const ir::Graph& graph, const ir::Op& move) {
  return move.kind == ir::OpKind::kReshape && is_batch(graph.tensor(move.input(0)).shape) &&
         !is_batch(graph.tensor(move.output()).shape);
}

/// As widen_tables has made it: nothing is in front that could look it up.
bool widens_pixels(const ir::Graph& graph, const ir::Uses& uses, const ir::Op& move) {
  constexpr int64_t kLanes = 16;
  const auto channels = [&](ir::TensorId id) {
    const std::vector<int64_t>& shape = graph.tensor(id).shape;
    return shape.empty() ? 1 : shape.back();
  };
  return move.kind == ir::OpKind::kReshape && comes_from_outside(graph, uses, move.input(0)) &&
         channels(move.input(0)) < kLanes && channels(move.output()) == kLanes;
}

}  // namespace

int lift_lut(ir::Graph& graph) {
  const ir::Uses uses = ir::uses(graph);
  std::vector<bool> gone(graph.ops.size(), false);
  std::map<int, std::vector<ir::Op>> tables;  // by the op before which they stand
  for (int i = 0; i < static_cast<int>(graph.ops.size()); ++i) {
    const ir::Op& lut = graph.ops[static_cast<size_t>(i)];
    if (lut.kind != ir::OpKind::kLut) continue;
    const int before = producer(uses, lut.input(0));
    if (before < 0 || only_consumer(graph, uses, lut.input(0)) != i) continue;
    ir::Op& move = graph.ops[static_cast<size_t>(before)];
    if (!moves(move.kind) || makes_one_image(graph, move)) continue;
    if (widens_pixels(graph, uses, move)) continue;
    for (ir::TensorId& x : move.inputs) {
      ir::Tensor tensor = graph.tensor(lut.output());
      tensor.name += "/lifted";
      tensor.shape = graph.tensor(x).shape;
      ir::Op table = lut;
      table.inputs[0] = x;
      table.outputs[0] = x = graph.add(std::move(tensor));
      tables[before].push_back(std::move(table));
    }
    move.outputs = lut.outputs;
    absorb_source_ops(move, lut);
    gone[static_cast<size_t>(i)] = true;
  }
  if (tables.empty()) return 0;
  const int lifted = static_cast<int>(tables.size());
  std::vector<ir::Op> ops;
  for (int i = 0; i < static_cast<int>(graph.ops.size()); ++i) {
    if (const auto found = tables.find(i); found != tables.end()) {
      std::move(found->second.begin(), found->second.end(), std::back_inserter(ops));
    }
    if (!gone[static_cast<size_t>(i)]) ops.push_back(std::move(graph.ops[static_cast<size_t>(i)]));
  }
  graph.ops = std::move(ops);
  return lifted;
}

}  // namespace presil::passes
