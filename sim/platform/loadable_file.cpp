#include "sim/platform/loadable_file.h"

#include <cstring>
#include <initializer_list>
#include <string>

#include "models/base/checksum.h"
#include "models/base/refusal.h"
#include "models/base/utf8.h"
#include "rtl/dla/dla_command.h"
#include "rtl/soc/address_map.h"
#include "rtl/soc/loadable_generated.h"
#include "sim/platform/tensor_bytes.h"

namespace presil::platform {
namespace {

using loadable::Loadable;

[[noreturn]] void refuse(const std::string& what) {
  throw Refusal("loadable", what + "; copy the file again or compile the network again");
}

std::string number(uint64_t n) {
  return std::to_string(n);
}

void check_indices(const flatbuffers::Vector<int32_t>* list, uint64_t count,
                   const std::string& subject) {
  if (list == nullptr) return;
  for (const int32_t index : *list) {
    if (index < 0 || static_cast<uint64_t>(index) >= count) {
      refuse(subject + " name tensor " + std::to_string(index) + " of " + number(count));
    }
  }
}

uint64_t space_bytes(const Loadable& l, const loadable::Tensor& t) {
  if (t.space() == loadable::Space_sram) return l.sram_bytes();
  switch (t.region()) {
    case PRESIL_REGION_CONSTANTS:
      return l.image()->size();
    case PRESIL_REGION_INPUTS:
      return l.input_bytes();
    case PRESIL_REGION_OUTPUTS:
      return l.output_bytes();
    case PRESIL_REGION_SCRATCH:
      return l.scratch_bytes();
    default:
      return 0;
  }
}

/// The verifier aligns the count before an array, not the array. One of no numbers, the shape
/// of a scalar, may lie anywhere.
bool aligned(const flatbuffers::Vector<int64_t>* numbers) {
  return numbers == nullptr || numbers->size() == 0 ||
         reinterpret_cast<uintptr_t>(numbers->Data()) % 8 == 0;
}

/// Every name goes on into messages and records.
void check_names(const Loadable& l) {
  const auto check = [](std::initializer_list<const flatbuffers::String*> names) {
    for (const auto* name : names) {
      if (!is_utf8(name->string_view())) refuse("it has a name that is not text in UTF-8");
    }
  };
  check(
      {l.presil_version(), l.network(), l.numerics(), l.soc_name(), l.soc_sha256(), l.soc_text()});
  for (const auto* tensor : *l.tensors()) check({tensor->name()});
  for (const auto* layer : *l.layers()) {
    check({layer->name(), layer->op()});
    for (const auto* operands : {layer->reads(), layer->makes()}) {
      if (operands == nullptr) continue;
      for (const auto* operand : *operands) check({operand->name()});
    }
  }
  for (const auto* p : *l.placements()) check({p->op(), p->name(), p->reason()});
  if (l.dsp_images() != nullptr) {
    for (const auto* image : *l.dsp_images()) {
      if (image->symbols() == nullptr) continue;
      for (const auto* symbol : *image->symbols()) check({symbol->name()});
    }
  }
  if (l.buffers() == nullptr) return;
  for (const auto* buffer : *l.buffers()) check({buffer->what()});
}

/// They are said in reports and nothing else.
void check_operands(const flatbuffers::Vector<flatbuffers::Offset<loadable::Operand>>* operands,
                    const std::string& subject) {
  if (operands == nullptr) return;
  for (const auto* operand : *operands) {
    if (operand->dtype() > loadable::DType_MAX) {
      refuse(subject + " has an operand of a type that does not exist");
    }
    if (!aligned(operand->shape())) refuse(subject + " has 64-bit numbers at odd places");
  }
}

void check_tensor(const Loadable& l, uint32_t index) {
  const loadable::Tensor& t = *l.tensors()->Get(index);
  const std::string subject = "tensor " + number(index) + " '" + t.name()->str() + "'";
  if (t.dtype() > loadable::DType_MAX || t.space() > loadable::Space_MAX ||
      t.layout() > loadable::Layout_MAX) {
    refuse(subject + " has a type, space or layout that does not exist");
  }
  if (!aligned(t.shape()) || !aligned(t.zero_points())) {
    refuse(subject + " has 64-bit numbers at odd places");
  }
  uint64_t elements = 1;
  for (const int64_t extent : *t.shape()) {
    if (extent < 1 || static_cast<uint64_t>(extent) > (uint64_t{1} << 31) / elements) {
      refuse(subject + " has an extent of " + std::to_string(extent) +
             ", must be 1 or more and at most 2^31 elements in all");
    }
    elements *= static_cast<uint64_t>(extent);
  }
  if (t.space() == loadable::Space_none) return;
  if (t.kept() && t.complete_tag() >= l.commands()->size()) {
    refuse(subject + " is complete after command " + number(t.complete_tag()) + " of " +
           number(l.commands()->size()));
  }
  for (size_t i = 0; t.other_tags() != nullptr && i < t.other_tags()->size(); ++i) {
    if (t.other_tags()->Get(static_cast<flatbuffers::uoffset_t>(i)) < l.commands()->size())
      continue;
    refuse(subject + " is complete after command " +
           number(t.other_tags()->Get(static_cast<flatbuffers::uoffset_t>(i))) + " of " +
           number(l.commands()->size()));
  }
  const uint64_t room = space_bytes(l, t), span = span_bytes(t);
  if (span == 0) refuse(subject + " has lanes for channels that its shape does not have");
  if (t.offset() > room || span > room - t.offset()) {
    refuse(subject + " takes " + number(span) + " bytes from " + number(t.offset()) +
           ", its memory has " + number(room));
  }
}

void check_stream(const Loadable& l, const loadable::Stream& s) {
  if (s.queue() >= PRESIL_QUEUES || presil_kind_of_queue(s.queue()) != PRESIL_ENGINE_DLA) return;
  const std::string subject = "the stream of " + number(s.commands()) + " DLA commands";
  const uint64_t bytes = l.image()->size();
  if (s.offset() > bytes || uint64_t{s.commands()} * dla::Command::kPitch > bytes - s.offset()) {
    refuse(subject + " at " + number(s.offset()) + " lies outside the image of " + number(bytes) +
           " bytes");
  }
  for (uint32_t i = 0; i < s.commands(); ++i) {
    uint32_t words[dla::Command::kWords];
    std::memcpy(words, l.image()->data() + s.offset() + uint64_t{i} * dla::Command::kPitch,
                sizeof words);
    const uint64_t tag = dla::Command::decode(words).tag;
    if (tag >= l.commands()->size()) {
      refuse(subject + " has tag " + number(tag) + ", the debug map has " +
             number(l.commands()->size()) + " entries");
    }
  }
}

void check_buffer(const Loadable& l, const loadable::Buffer& b) {
  const std::string subject = "buffer '" + b.what()->str() + "'";
  if (uint64_t{b.offset()} + b.bytes() > l.sram_bytes()) {
    refuse(subject + " ends at " + number(uint64_t{b.offset()} + b.bytes()) +
           ", the loadable uses " + number(l.sram_bytes()) + " bytes of SRAM");
  }
  for (const uint32_t tag : *b.commands()) {
    if (tag >= l.commands()->size()) {
      refuse(subject + " is touched by command " + number(tag) + " of " +
             number(l.commands()->size()));
    }
  }
}

void check(const Loadable& l) {
  check_names(l);
  const uint64_t tensors = l.tensors()->size();
  check_indices(l.inputs(), tensors, "its inputs");
  check_indices(l.outputs(), tensors, "its outputs");
  for (const auto* layer : *l.layers()) {
    check_indices(layer->outputs(), tensors, "a layer's outputs");
    const std::string subject = "layer '" + layer->name()->str() + "'";
    check_operands(layer->reads(), subject);
    check_operands(layer->makes(), subject);
  }
  for (uint32_t i = 0; i < tensors; ++i) check_tensor(l, i);
  const auto layers = static_cast<int64_t>(l.layers()->size());
  for (const auto* command : *l.commands()) {
    if (command->layer() < -1 || command->layer() >= layers) {
      refuse("its debug map names layer " + std::to_string(command->layer()) + " of " +
             std::to_string(layers));
    }
  }
  for (const auto* stream : *l.streams()) check_stream(l, *stream);
  if (l.buffers() == nullptr) return;
  for (const auto* buffer : *l.buffers()) check_buffer(l, *buffer);
}

}  // namespace

const Loadable& open_loadable(const uint8_t* bytes, size_t size) {
  if (size == 0) refuse("the file is empty");
  if (size < kChecksumBytes + 8) refuse("the file is cut short: it ends before its checksum");
  if (!loadable::LoadableBufferHasIdentifier(bytes)) {
    refuse("the file does not begin as a .presil file does");
  }
  if (!has_checksum(bytes, size)) {
    refuse(
        "the file is cut short or damaged: its last 4 bytes are not the CRC-32 of all before "
        "them");
  }
  flatbuffers::Verifier verifier(bytes, size - kChecksumBytes, 16, 8u << 20);
  if (!loadable::VerifyLoadableBuffer(verifier)) refuse("its structure points outside the file");
  const Loadable& l = *loadable::GetLoadable(bytes);
  check(l);
  return l;
}

std::shared_ptr<const std::vector<int>> layers_by_tag(const loadable::Loadable& loadable) {
  std::vector<int> layers;
  for (const auto* command : *loadable.commands()) layers.push_back(command->layer());
  return std::make_shared<const std::vector<int>>(std::move(layers));
}

}  // namespace presil::platform
