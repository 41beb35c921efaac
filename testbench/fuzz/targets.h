// What is fed with mutated files: readers that must take or refuse, never crash, hang or leak.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "testbench/fuzz/mutator.h"

namespace presil::fuzz {

class Target {
 public:
  virtual ~Target() = default;

  /// Small sound files that cover the format; made here, by the project's own writers.
  virtual std::vector<File> seeds() const = 0;

  /// A mutation of a sound file, as a user could hold it in hand.
  virtual File mutate(const File& file, uint64_t seed) = 0;

  /// Reads the file. A refusal is an answer; anything else that is thrown is a defect.
  /// @return true if it was taken
  virtual bool feed(const File& file) = 0;
};

/// "tflite": importer, passes, rules, compiler, and the driver's check of what came out.
/// "presil": the driver's load check over the mock port and the reader of the Python package.
/// "streams": words of commands; the driver's check of streams, and what it takes is executed.
/// "onnx", "tosa": the importer of the format alone.
/// "soc": SoC descriptions. "post": post.yaml. "graph": the graph's text form.
std::unique_ptr<Target> make_target(const std::string& name);

const std::vector<std::string>& target_names();

}  // namespace presil::fuzz
