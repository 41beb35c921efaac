// Runs one kernel on the DSP's processor, with the cycle model: lays out what a command would load
// (argument block, region table, tensors with guards around them) and takes back what it wrote.
#pragma once

#include <presil/dsp_kernel.h>

#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "compiler_bridge/ir/graph.h"
#include "compiler_bridge/reference/reference.h"
#include "models/dsp/dsp_core.h"
#include "models/dsp/dsp_elf.h"

namespace presil::dsp {

using reference::TensorValue;
using Random = std::mt19937_64;

/// A tensor and how far apart its elements are; no strides: dense, row by row.
struct Operand {
  TensorValue value;
  std::vector<int64_t> strides;
};

struct Ran {
  int32_t refused = -1;  ///< what the entry returned; -1: it trapped
  Stop stop;
  std::string where;  ///< of a trap
  uint64_t cycles = 0, instructions = 0;
  std::vector<TensorValue> out;
  bool gaps_kept = true;  ///< nothing was written between a result's elements
};

class Rig {
 public:
  static constexpr uint64_t kItcm = 0x10000000, kDtcm = 0x11000000, kSram = 0x20000000;
  static constexpr size_t kItcmBytes = 64 << 10, kDtcmBytes = 128 << 10, kStack = 8 << 10;
  /// The prebuilt images, from the root: a kernel runs by the first that has it.
  static std::vector<std::string> library();

  explicit Rig(const Config& config = {}, const std::vector<std::string>& elf = library());

  /// @param out types and shapes; their data is ignored
  Ran run(const std::string& kernel, const std::vector<Operand>& in,
          const std::vector<Operand>& out, const void* params, size_t params_bytes,
          size_t scratch_bytes = 0);
  template <class Params>
  Ran run(const std::string& kernel, const std::vector<Operand>& in,
          const std::vector<Operand>& out, const Params& params, size_t scratch_bytes = 0) {
    return run(kernel, in, out, &params, sizeof params, scratch_bytes);
  }
  const Config& config() const { return m_core.hart().config; }
  Core& core() { return m_core; }
  /// By which the last kernel ran.
  const Image& image() const { return m_images[m_resident]; }

 private:
  struct Registers : Device {
    std::vector<uint64_t> bases;
    Answer load(uint64_t address, unsigned bytes, uint64_t cycle, uint64_t& value) override;
    Answer store(uint64_t, unsigned, uint64_t, uint64_t) override { return Answer::kRefused; }
  };
  /// Puts the image with a kernel into the instruction memory. @return its entry; 0: there is none
  uint64_t select(const std::string& kernel);

  Core m_core;
  std::vector<Image> m_images;
  size_t m_resident = 0;
  Registers m_registers;
  std::vector<uint8_t> m_itcm, m_dtcm, m_sram;
};

/// A graph of one operator, and what it makes of random inputs.
struct Example {
  ir::Graph graph;
  std::vector<TensorValue> in;
  std::vector<TensorValue> out;  ///< of the reference interpreter

  /// @param constants of the text, by name, whose values are these instead
  Example(const std::string& text, std::vector<TensorValue> inputs,
          const std::vector<std::pair<std::string, TensorValue>>& constants = {});
  const ir::Tensor& input(size_t i) const { return graph.tensor(graph.inputs[i]); }
  const ir::Tensor& output(size_t i = 0) const { return graph.tensor(graph.outputs[i]); }
  /// Operands as dense tensors.
  std::vector<Operand> operands() const { return dense(in); }
  std::vector<Operand> results() const { return dense(out); }

 private:
  static std::vector<Operand> dense(const std::vector<TensorValue>& values);
};

TensorValue random_bytes(Random& random, const std::vector<int64_t>& shape,
                         ir::DType type = ir::DType::kInt8);
TensorValue random_floats(Random& random, const std::vector<int64_t>& shape, float low, float high);
template <class T>
TensorValue tensor_of(ir::DType type, const std::vector<int64_t>& shape, const std::vector<T>& v) {
  TensorValue t{type, shape, ir::Bytes(v.size() * sizeof(T))};
  std::memcpy(t.data.data(), v.data(), t.data.size());
  return t;
}
/// Strides with gaps after the rows of some axes; the last axis stays dense.
std::vector<int64_t> loose(Random& random, const std::vector<int64_t>& shape);

/// "int8[2,3]"
std::string type_of(const std::string& dtype, const std::vector<int64_t>& shape);

/// Empty, or what differs first.
std::string difference(const Ran& ran, const std::vector<TensorValue>& expected);

}  // namespace presil::dsp
