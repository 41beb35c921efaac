// One rule: what an engine requires of an operator, in words and as a check. The support table
// prints `limit`; a verdict has what `finding` found, and `remedy`. All come from the same line of
// code.
#pragma once

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "compiler_bridge/ir/graph.h"
#include "compiler_bridge/placement/verdict.h"
#include "models/soc/soc_config.h"

namespace presil::rules {

using placement::Finding;

struct Subject {
  const ir::Graph& graph;
  const ir::Op& op;
  const DlaConfig& dla;
  const DspConfig& dsp;

  const ir::Tensor& in(size_t i) const { return graph.tensor(op.inputs.at(i)); }
  const ir::Tensor& out(size_t i = 0) const { return graph.tensor(op.outputs.at(i)); }
};

struct Rule {
  std::string limit;  ///< "kernel height 1..16"
  /// nullopt: it is kept
  std::function<std::optional<Finding>(const Subject&)> finding;
  std::string remedy;  ///< "split the kernel by rows and add the parts"; ends a "To run it there, "
  /// What does not keep it is another kind of operator to the engine, none that it computes.
  bool about_kind = false;
};

/// `what` lies in low..high.
Rule within(const std::string& what, int64_t low, int64_t high, const std::string& remedy,
            std::function<int64_t(const Subject&)> value);

/// What an engine says of one kind of operator.
struct Entry {
  ir::OpKind kind;
  std::string dtypes;  ///< "int8"; "" all that the kind is defined for
  std::vector<Rule> rules;
  std::vector<std::string> kernels = {};  ///< of the DSP's library, that compute it or a part of it
};

std::vector<Entry> no_work_entries();
std::vector<Entry> dla_conv_entries();
std::vector<Entry> dla_pool_entries();
std::vector<Entry> dla_post_entries();
std::vector<Entry> dla_shape_entries();
std::vector<Entry> dma_entries();
std::vector<Entry> dsp_entries();
std::vector<Entry> dsp_element_entries();
std::vector<Entry> dsp_move_entries();
std::vector<Entry> dsp_recurrent_entries();
std::vector<Entry> dsp_reduce_entries();
std::vector<Entry> dsp_window_entries();
std::vector<Entry> dsp_user_entries();
std::vector<Entry> host_entries();

/// Axes of tensors that kernels walk along, of host and DSP.
Rule at_most_6_axes();
/// A concatenation that computes nothing.
Rule as_it_is();
/// What the op computes with: y, or an input.
Rule of_types(const std::string& what, std::vector<ir::DType> types,
              std::function<const ir::Tensor&(const Subject&)> of);
/// The rule that tensors have batch 1 and at most four axes.
Rule one_image();
/// Channels that fit the command's 1023 blocks of 16, of x and y.
Rule channels();
/// x is no constant: what the engine reads is made by the graph.
Rule computed();
/// x holds int8, where the operator would move any type.
Rule int8_values();
/// y of an integer softmax holds probabilities in steps of 1/256 from zero point -128.
Rule probabilities();
/// Rows of an integer softmax that its sum can hold.
Rule row_length();
/// Scales that an integer softmax can carry.
Rule steep_enough();

}  // namespace presil::rules
