// The words of placement records: every sentence about where an operator runs is made here.
#pragma once

#include <string>
#include <vector>

#include "compiler_bridge/placement/record.h"

namespace presil::placement {

/// "kernel height is 17, must be 1..16". Of a user's kernel what to say after its name: "takes
/// about 9 cycles with transfers, the host takes 8".
std::string text(const Verdict& verdict);
/// With the engine that says it: "dla: kernel height is 17, must be 1..16".
std::string line(const Verdict& verdict);
/// Lines of several, one after another.
std::string lines(const std::vector<Verdict>& verdicts);
/// "kernel lift of mine.elf"; without image "kernel lift".
std::string kernel_text(const std::string& kernel, const std::string& image);

/// "conv2d 'c' runs on the host. The dla does not take it: padding at the top is 40, must be 0..31.
/// To run it on the dla, widen the image by a pad of its own before it."
std::string sentence(const Placement& placement);

}  // namespace presil::placement
