#include "compiler_bridge/layer/dsp_layer.h"

#include "compiler_bridge/layer/work_model.h"

namespace presil::layer {
namespace {

constexpr std::array<const char*, 4> kCuts = {"rows", "window", "whole", "memory"};
constexpr std::array<const char*, 4> kBlocks = {"none", "lanes", "rows", "own"};
constexpr std::array<const char*, 7> kTypes = {"i8", "u8", "i16", "i32", "i64", "f32", "bool"};

Operand operand_of(const DspOperand& o, bool write) {
  Operand operand = Operand::linear(o.tensor, write);
  if (o.stored) {
    const bool together = o.blocks == DspOperand::Blocks::kLanes;
    operand.form = Operand::Form::kBlocked;
    operand.by_choice = true;
    operand.lanes = write      ? Operand::Lanes::kFree
                    : together ? Operand::Lanes::kAligned
                               : Operand::Lanes::kDense;
  } else if (!write && o.is_carried()) {
    operand.form = Operand::Form::kCarried;
  }
  operand.in_sram = o.is_moved();
  return operand;
}

}  // namespace

bool DspOperand::is_moved() const {
  if (stored || cut == Cut::kMemory) return false;
  return !constant || is_cut();
}

uint64_t DspOperand::bytes() const {
  uint64_t elements = 1;
  for (const int64_t n : shape) elements *= static_cast<uint64_t>(n);
  return elements * ir::size_of(dtype);
}

std::vector<const dsp_image::Image*> DspLayer::programs(const DspConfig* config) const {
  using dsp_image::Image;
  std::vector<const Image*> all =
      image != nullptr ? std::vector<const Image*>{image.get()} : dsp_image::library_with(kernel);
  if (config == nullptr) return all;
  all.erase(std::remove_if(all.begin(), all.end(),
                           [&](const Image* i) { return unfit(*i, *config).has_value(); }),
            all.end());
  return all;
}

Operands DspLayer::operands() const {
  Operands all;
  for (const DspOperand& input : inputs) all.push_back(operand_of(input, false));
  for (const DspOperand& output : outputs) all.push_back(operand_of(output, true));
  return all;
}

template <class Self, class F>
void DspOperand::fields(Self& s, F&& f) {
  f("tensor", layer::tensor(s.tensor)), f("cut", word(kCuts, s.cut));
  f("dtype", word(kTypes, s.dtype)), f("shape", s.shape), f("constant", s.constant);
  f("blocks", word(kBlocks, s.blocks)), f("stored", s.stored), f("strides", s.strides);
  f("image", s.image);
}

template <class Self, class F>
void DspLayer::Window::fields(Self& s, F&& f) {
  f("step", s.step), f("size", s.size), f("pad", s.pad), f("extent", s.extent);
  f("pad_at", s.pad_at), f("per", s.per), f("part_at", s.part_at);
}

template <class Self, class F>
void DspCost::fields(Self& s, F&& f) {
  f("function", s.function), f("arguments", s.arguments);
}

template <class Self, class F>
void DspLayer::fields(Self& s, F&& f) {
  f("kernel", s.kernel), f("image", s.image), f("inputs", s.inputs), f("outputs", s.outputs);
  f("params", s.params), f("rows", s.rows), f("by_row", s.by_row), f("window", s.window);
  f("scratch_bytes", s.scratch_bytes), f("cost", s.cost), f("longest", s.longest);
  f("host_kernel", s.host_kernel), f("host_elements", s.host_elements);
  f("columns", s.columns), f("padding", s.padding);
}

template Work::Work(DspLayer);
template Work read_work<DspLayer>(FieldReader&);

}  // namespace presil::layer
