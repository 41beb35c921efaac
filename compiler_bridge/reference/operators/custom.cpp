// Not defined here: the program that runs the graph says what it computes.
#include "compiler_bridge/reference/case.h"
#include "models/base/refusal.h"

namespace presil::reference::operators {

void custom(const Case& c) {
  const std::string subject =
      "custom operator " + c.attributes<ir::Custom>().code + " \"" + c.op.name + "\"";
  if (!c.custom) {
    throw Refusal("reference",
                  subject + " has no reference; give one where its kernel is registered");
  }
  std::vector<TensorValue> inputs;
  for (const ir::TensorId id : c.op.inputs) inputs.push_back(c.values[static_cast<size_t>(id)]);
  std::vector<TensorValue> results = c.custom(c.graph, c.op, inputs);
  for (size_t i = 0; i < c.op.outputs.size(); ++i) {
    const ir::Tensor& expected = c.out(i);
    const bool fits = i < results.size() && results[i].dtype == expected.dtype &&
                      results[i].shape == expected.shape &&
                      results[i].data.size() == expected.bytes();
    if (!fits) {
      throw Refusal("reference", subject + ": its reference gives no result " + std::to_string(i) +
                                     " of type " + ir::type_of(expected));
    }
    c.values[static_cast<size_t>(c.op.outputs[i])] = std::move(results[i]);
  }
}

}  // namespace presil::reference::operators
