// What follows a network on the device: box decoding and non-maximum suppression, attached from a
// post.yaml as operators of the graph.
#pragma once

#include <string>
#include <vector>

#include "compiler_bridge/ir/graph.h"

namespace presil::import {

/// Appends what makes rows of boxes (a yolo_decode per head, or a box_decode) and one nms;
/// detections float32 [max, 6] and count int32 [1] follow the network's own outputs. The form of
/// the file is in README.md.
/// @return class names, in order
/// Refuses (presil::Refusal) a file that does not say that, or not of this graph.
std::vector<std::string> attach_post(ir::Graph& graph, const std::string& yaml);

}  // namespace presil::import
