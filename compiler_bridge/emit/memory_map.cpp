#include "compiler_bridge/emit/memory_map.h"

#include <algorithm>
#include <cstdio>

#include "rtl/soc/address_map.h"
#include "rtl/soc/loadable_generated.h"

namespace presil::emit {
namespace {

struct Line {
  uint64_t begin = 0, bytes = 0;
  int first = 0, last = 0;
  std::string when, what;
};

std::string print(std::vector<Line> lines) {
  std::stable_sort(lines.begin(), lines.end(), [](const Line& a, const Line& b) {
    return a.begin != b.begin ? a.begin < b.begin : a.first < b.first;
  });
  std::string text;
  for (const Line& line : lines) {
    char place[64];
    std::snprintf(place, sizeof place, "  0x%06llx .. 0x%06llx  %9llu B  ",
                  static_cast<unsigned long long>(line.begin),
                  static_cast<unsigned long long>(line.begin + line.bytes - 1),
                  static_cast<unsigned long long>(line.bytes));
    text += place + line.when + line.what + "\n";
  }
  return text;
}

std::string sram(const loadable::Loadable& l) {
  std::vector<Line> lines;
  if (l.buffers() == nullptr) return "";
  for (const loadable::Buffer* b : *l.buffers()) {
    char when[32];
    std::snprintf(when, sizeof when, "steps %3d .. %3d  ", b->first(), b->last());
    lines.push_back({b->offset(), b->bytes(), b->first(), b->last(), when, b->what()->str()});
  }
  return print(std::move(lines));
}

/// The layer that makes the tensor; of one that none makes the last component of its own name.
std::string name_of(const loadable::Loadable& l, int32_t tensor) {
  for (const loadable::Layer* layer : *l.layers()) {
    if (layer->outputs() == nullptr) continue;
    const auto& made = *layer->outputs();
    for (uint32_t k = 0; k < made.size(); ++k) {
      if (made[k] != tensor) continue;
      return layer->name()->str() + (k == 0 ? "" : "." + std::to_string(k));
    }
  }
  const std::string own = l.tensors()->Get(static_cast<uint32_t>(tensor))->name()->str();
  return own.substr(own.find_last_of(";/") + 1);
}

/// Tensors that are the same bytes share a line.
std::string region(const loadable::Loadable& l, unsigned region) {
  std::vector<Line> lines;
  for (uint32_t i = 0; i < l.tensors()->size(); ++i) {
    const loadable::Tensor* t = l.tensors()->Get(i);
    const std::string name = name_of(l, static_cast<int32_t>(i));
    if (t->space() != loadable::Space_region || t->region() != region || t->bytes() == 0) continue;
    const auto same = std::find_if(lines.begin(), lines.end(), [&](const Line& line) {
      return line.begin == t->offset() && line.bytes == t->bytes();
    });
    if (same != lines.end() && region != PRESIL_REGION_SCRATCH) {
      same->what += " = " + name;
    } else {
      lines.push_back({t->offset(), t->bytes(), 0, 0, "", "tensor " + name});
    }
  }
  return print(std::move(lines));
}

std::string bytes(const char* what, uint64_t count) {
  return std::string(what) + ": " + std::to_string(count) + " bytes\n";
}

}  // namespace

std::string memory_map(const loadable::Loadable& l) {
  return bytes("sram", l.sram_bytes()) + sram(l) + bytes("inputs", l.input_bytes()) +
         region(l, PRESIL_REGION_INPUTS) + bytes("outputs", l.output_bytes()) +
         region(l, PRESIL_REGION_OUTPUTS) + bytes("scratch", l.scratch_bytes()) +
         region(l, PRESIL_REGION_SCRATCH);
}

}  // namespace presil::emit
