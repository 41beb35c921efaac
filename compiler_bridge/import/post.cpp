// post.yaml: decode and nms become operators; README.md shows the file.
#include "compiler_bridge/import/post.h"

#include "compiler_bridge/import/post_parts.h"
#include "compiler_bridge/ir/shape.h"
#include "models/base/yaml_text.h"

namespace presil::import {
namespace {

using post::Decoder;
using post::need, post::only, post::real, post::refuse, post::whole;

/// Of the decoders of a type that whose own key is there, or else the first.
Decoder decoder_of(const YAML::Node& decode) {
  if (!decode.IsMap()) refuse("decode must be keys and values");
  const std::string type = post::word(need(decode, "decode", "type"), "decode: type", "a word");
  std::vector<Decoder> all = post::head_decoders();
  for (const auto more : {post::prior_decoders, post::box_decoders}) {
    for (Decoder& decoder : more()) all.push_back(std::move(decoder));
  }
  std::set<std::string> types;
  std::vector<Decoder> found;
  for (const Decoder& decoder : all) {
    types.insert(decoder.type);
    if (type == decoder.type) found.push_back(decoder);
  }
  for (const Decoder& decoder : found) {
    if (decode[decoder.form]) return decoder;
  }
  if (!found.empty()) return found.back();
  std::string known;
  for (const std::string& name : types) {
    known += (known.empty() ? "" : name == *types.rbegin() ? " or " : ", ") + name;
  }
  refuse("decode: type is \"" + type + "\", must be " + known);
}

void append_nms(ir::Graph& graph, const std::vector<ir::TensorId>& rows, const ir::Nms& nms) {
  ir::Tensor detections;
  detections.name = "detections";
  detections.dtype = ir::DType::kFloat32;
  detections.shape = {nms.max, 6};
  ir::Tensor count;
  count.name = "count";
  count.dtype = ir::DType::kInt32;
  count.shape = {1};
  const ir::TensorId first = graph.add(detections);
  const ir::TensorId second = graph.add(count);
  graph.add(ir::Op{ir::OpKind::kNms, "nms", rows, {first, second}, nms, {}});
  graph.outputs.push_back(first);
  graph.outputs.push_back(second);
}

}  // namespace

std::vector<std::string> attach_post(ir::Graph& graph, const std::string& yaml) {
  const YamlText text = parse_yaml(yaml);
  if (!text.is_yaml()) refuse("the file is no YAML: " + text.wrong);
  const YAML::Node& file = text.root;
  only(file, "the file", {"decode", "nms"});
  const YAML::Node decode = need(file, "the file", "decode");
  const Decoder decoder = decoder_of(decode);
  std::set<std::string> keys = decoder.keys;
  keys.insert({"type", "classes", decoder.form});
  only(decode, "decode", keys);

  std::vector<std::string> classes;
  const YAML::Node names = need(decode, "decode", "classes");
  if (!names.IsSequence() || names.size() == 0) refuse("decode: classes must be a list of names");
  for (const YAML::Node& name : names) {
    classes.push_back(post::word(name, "decode: a class", "a name"));
  }

  const YAML::Node limits = need(file, "the file", "nms");
  only(limits, "nms", {"score", "iou", "max"});
  ir::Nms nms;
  nms.score = real(need(limits, "nms", "score"), "nms: score", 0, 1);
  nms.iou = real(need(limits, "nms", "iou"), "nms: iou", 0, 1);
  nms.max = whole(need(limits, "nms", "max"), "nms: max", 1, 65536);

  nms.labelled = decoder.labelled;
  // A file that is refused leaves the graph as it is.
  ir::Graph extended = graph;
  const int count = static_cast<int>(classes.size());
  if (decoder.attach) {
    decoder.attach(extended, decode, count, nms);
  } else {
    append_nms(extended, decoder.append(extended, decode, count), nms);
  }
  ir::verify(extended);
  graph = std::move(extended);
  return classes;
}

}  // namespace presil::import
