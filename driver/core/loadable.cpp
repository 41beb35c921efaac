// The only C++ of the core: FlatBuffers' verifier and accessors, as a C header gives them. No
// heap, no exceptions.
#include "driver/core/loadable.h"

#include "rtl/soc/loadable_generated.h"

namespace {

namespace fb = presil::loadable;

const fb::Loadable& root(const presil_loadable* l) {
  return *static_cast<const fb::Loadable*>(l->root);
}

/// The verifier aligns the count before an array, not the array. One of no numbers, the shape
/// of a scalar, may lie anywhere.
bool aligned(const flatbuffers::Vector<int64_t>* numbers) {
  return numbers == nullptr || numbers->size() == 0 ||
         reinterpret_cast<uintptr_t>(numbers->Data()) % 8 == 0;
}

bool tensors_aligned(const fb::Loadable& r) {
  for (const fb::Tensor* t : *r.tensors()) {
    if (!aligned(t->shape()) || !aligned(t->zero_points())) return false;
  }
  return true;
}

}  // namespace

const char* presil_loadable_read(const void* bytes, size_t size, presil_loadable* l) {
  if (reinterpret_cast<uintptr_t>(bytes) % 8 != 0) return "its bytes must start at a multiple of 8";
  if (size > (size_t{1} << 31) - 1) return "the file is larger than 2 GiB";
  if (size < 16) return "it ends before its header";
  flatbuffers::Verifier verifier(static_cast<const uint8_t*>(bytes), size, 16, 8u << 20);
  if (!fb::VerifyLoadableBuffer(verifier)) {
    return "its structure points outside the file";
  }
  const fb::Loadable& r = *fb::GetLoadable(bytes);
  if (!tensors_aligned(r)) return "its tensors have 64-bit numbers at odd places";
  *l = presil_loadable{};
  l->root = &r;
  l->isa_version = r.isa_version();
  l->network = r.network()->c_str();
  l->numerics = r.numerics()->c_str();
  l->soc_name = r.soc_name()->c_str();
  l->soc_sha256 = r.soc_sha256()->c_str();
  l->image = r.image()->data();
  l->image_bytes = r.image()->size();
  l->input_bytes = r.input_bytes();
  l->output_bytes = r.output_bytes();
  l->scratch_bytes = r.scratch_bytes();
  l->sram_bytes = r.sram_bytes();
  l->job_span = r.job_span();
  l->overlaps = r.overlaps();
  l->counters = r.counters();
  l->streams = r.streams()->size();
  l->commands = r.commands()->size();
  l->layers = r.layers()->size();
  l->tensors = r.tensors()->size();
  l->inputs = r.inputs()->size();
  l->outputs = r.outputs()->size();
  l->dsp_images = r.dsp_images() == nullptr ? 0 : r.dsp_images()->size();
  return nullptr;
}

presil_loadable_stream presil_loadable_get_stream(const presil_loadable* l, uint32_t i) {
  const fb::Stream& s = *root(l).streams()->Get(i);
  return {s.queue(), s.offset(), s.commands()};
}

presil_loadable_command presil_loadable_get_command(const presil_loadable* l, uint32_t i) {
  const fb::Command& c = *root(l).commands()->Get(i);
  return {c.queue(), c.index(), c.layer()};
}

const char* presil_loadable_get_layer(const presil_loadable* l, uint32_t i) {
  return root(l).layers()->Get(i)->name()->c_str();
}

int32_t presil_loadable_get_input(const presil_loadable* l, uint32_t i) {
  return root(l).inputs()->Get(i);
}

int32_t presil_loadable_get_output(const presil_loadable* l, uint32_t i) {
  return root(l).outputs()->Get(i);
}

presil_loadable_dsp_image presil_loadable_get_dsp_image(const presil_loadable* l, uint32_t i) {
  const fb::DspImage& image = *root(l).dsp_images()->Get(i);
  return {image.offset(), image.bytes(), image.crc(),
          image.symbols() == nullptr ? 0 : image.symbols()->size()};
}

presil_loadable_symbol presil_loadable_get_symbol(const presil_loadable* l, uint32_t image,
                                                  uint32_t i) {
  const fb::DspSymbol& s = *root(l).dsp_images()->Get(image)->symbols()->Get(i);
  return {s.name()->c_str(), s.address(), s.bytes()};
}

presil_loadable_tensor presil_loadable_get_tensor(const presil_loadable* l, uint32_t i) {
  const fb::Tensor& t = *root(l).tensors()->Get(i);
  presil_loadable_tensor out{};
  out.name = t.name()->c_str();
  out.dtype = static_cast<uint32_t>(t.dtype());
  out.rank = t.shape()->size();
  for (uint32_t axis = 0; axis < out.rank && axis < 8; ++axis)
    out.shape[axis] = t.shape()->Get(axis);
  if (t.scales() && t.scales()->size() > 0) out.scale = t.scales()->Get(0);
  if (t.zero_points() && t.zero_points()->size() > 0) {
    out.zero_point = static_cast<int32_t>(t.zero_points()->Get(0));
  }
  out.in_region = t.space() == fb::Space_region;
  out.nhwc = t.layout() == fb::Layout_nhwc;
  out.region = t.region();
  out.offset = t.offset();
  out.bytes = t.bytes();
  return out;
}
