// What the readers of a post.yaml share: keys of a mapping with a sentence for what is not there,
// tables of functions, and the form of a reader.
#pragma once

#include <yaml-cpp/yaml.h>

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "compiler_bridge/ir/graph.h"

namespace presil::import::post {

[[noreturn]] void refuse(const std::string& what);

/// One key of a mapping, which `only` has looked at; the caller names its position for the message.
YAML::Node need(const YAML::Node& node, const std::string& where, const std::string& key);
std::string word(const YAML::Node& node, const std::string& where, const std::string& expected);
int whole(const YAML::Node& node, const std::string& where, int low, int high);
float real(const YAML::Node& node, const std::string& where, float low, float high);
/// A misspelt key must not pass for a default.
void only(const YAML::Node& node, const std::string& where, const std::set<std::string>& keys);

/// [[width, height], ..] of a key, one after another.
std::vector<float> pairs(const YAML::Node& node, const std::string& where, const std::string& key,
                         const std::string& one);

/// The tensor of `output: k`; of an output in floats that are int8 values times their scale,
/// those: what a dequantize makes of them is what decoding does.
ir::TensorId output_of(const ir::Graph& graph, const YAML::Node& node, const std::string& where,
                       const std::string& key = "output");
/// As output_of, of an image: N, H, W, C inside the graph where the file has it N, C, H, W (ONNX).
ir::TensorId head_of(const ir::Graph& graph, const YAML::Node& node, const std::string& where);
/// The input's n, height, width, channels; refused where it is no image, for `why`.
std::vector<int64_t> image_of(const ir::Graph& graph, const std::string& why);

/// Makes what follows the network as a whole, suppression and all.
using Attach = void(ir::Graph& graph, const YAML::Node& decode, int classes, const ir::Nms& nms);
/// Makes rows of boxes for an nms: operators at the end of the graph, their results.
using Append = std::vector<ir::TensorId>(ir::Graph& graph, const YAML::Node& decode, int classes);

/// What `type` may say.
struct Decoder {
  const char* type;
  const char* form;            ///< the key by which it is known among those of its type
  std::set<std::string> keys;  ///< of its own, besides
  bool labelled;               ///< its rows hold a box's best class
  std::function<Append> append;
  std::function<Attach> attach = {};  ///< instead
};

/// Of outputs with boxes and scores (post_boxes.cpp), of raw heads (post_heads.cpp). Where a type
/// is in both, its keys say which is meant.
std::vector<Decoder> box_decoders();
std::vector<Decoder> head_decoders();
/// Of outputs with offsets from priors (post_priors.cpp).
std::vector<Decoder> prior_decoders();

}  // namespace presil::import::post
