// Vector loads and stores. Elements are loaded and stored in order; what is refused ends there,
// with vstart at the element.
#include <algorithm>

#include "models/dsp/dsp_isa.h"
#include "models/dsp/dsp_vector_state.h"

namespace presil::dsp {
namespace {

using Access = VectorInfo::Access;

struct Walk {
  uint64_t base;
  uint64_t stride;        // bytes between elements; of segments: between segments
  const uint8_t* index;   // of indexed accesses
  const uint8_t* active;  // null: all
  size_t begin, n;
};

/// Index i, of this width.
template <class Index>
uint64_t indices(const Walk& w, size_t i, Index width) {
  std::memcpy(&width, w.index + i * sizeof width, sizeof width);
  return width;
}

uint64_t index_at(const VectorOp& v, const uint8_t* index, size_t i) {
  uint64_t value = 0;
  std::memcpy(&value, index + i * v.index_bytes, v.index_bytes);
  return value;
}

/// f of a value of the unsigned type that has this many bytes.
template <class F>
auto with_width(unsigned bytes, const F& f) {
  switch (bytes) {
    case 1:
      return f(uint8_t{});
    case 2:
      return f(uint16_t{});
    case 4:
      return f(uint32_t{});
    default:
      return f(uint64_t{});
  }
}

// One element of one field, between memory and the register group of the field.
template <bool store>
bool move(Hart& h, const VectorOp& v, uint64_t address, size_t i, unsigned field, Cause& cause) {
  const unsigned bytes = v.eew_bytes;
  if (address % bytes != 0) {
    cause = store ? Cause::kStoreMisaligned : Cause::kLoadMisaligned;
    return false;
  }
  uint8_t* memory = h.memory.at(address, bytes, store ? kWrite : kRead);
  if (memory == nullptr) {
    cause = store ? Cause::kStoreFault : Cause::kLoadFault;
    return false;
  }
  uint8_t* reg = h.v + v.d + field * v.group_registers * h.config.vlenb() + i * bytes;
  if (store) {
    std::memcpy(memory, reg, bytes);
  } else {
    std::memcpy(reg, memory, bytes);
  }
  return true;
}

// Element by element: any access, and the way to the element that is refused.
template <bool store>
Decoded* walk(Hart& h, Decoded* o, const Walk& w, bool first_fault) {
  const VectorOp& v = *o->in.vector;
  for (size_t i = w.begin; i < w.n; ++i) {
    if (w.active != nullptr && w.active[i] == 0) continue;
    const uint64_t address = w.base + (w.index != nullptr ? index_at(v, w.index, i) : i * w.stride);
    for (unsigned field = 0; field < v.fields; ++field) {
      Cause cause{};
      const uint64_t at = address + uint64_t{field} * v.eew_bytes;
      if (move<store>(h, v, at, i, field, cause)) continue;
      if (first_fault && i > 0) {
        h.vl = i;
        h.vstart = 0;
        return o + 1;
      }
      h.vstart = i;
      return trap(h, o, cause, at);
    }
  }
  h.vstart = 0;
  return o + 1;
}

// A plain extent: checked once, moved at once.
template <bool store, bool whole>
Decoded* run_unit(Hart& h, Decoded* o) {
  const VectorOp& v = *o->in.vector;
  const uint64_t base = h.x[o->rs1];
  const size_t n = whole ? v.vlmax : h.vl;
  start_access(h, o, {base, base + n * v.eew_bytes, Space::kTcm, n, store});
  if (h.vstart == 0 && base % v.eew_bytes == 0 && n != 0) {
    const size_t bytes = n * v.eew_bytes;
    if (uint8_t* memory = h.memory.at(base, bytes, store ? kWrite : kRead); memory != nullptr) {
      uint8_t* reg = h.v + v.d;
      if (store) {
        std::memcpy(memory, reg, bytes);
      } else {
        std::memcpy(reg, memory, bytes);
      }
      return o + 1;
    }
  }
  return walk<store>(h, o, {base, v.eew_bytes, nullptr, nullptr, h.vstart, n}, false);
}

template <bool store>
Decoded* run_mask(Hart& h, Decoded* o) {
  const uint64_t base = h.x[o->rs1], n = (h.vl + 7) / 8;
  start_access(h, o, {base, base + n, Space::kTcm, n, store});
  return walk<store>(h, o, {base, 1, nullptr, nullptr, h.vstart, n}, false);
}

template <class T, bool store>
void strided(uint8_t* reg, uint8_t* memory, uint64_t stride, size_t n) {
  for (size_t i = 0; i < n; ++i, memory += stride) {
    if (store) {
      std::memcpy(memory, reg + i * sizeof(T), sizeof(T));
    } else {
      std::memcpy(reg + i * sizeof(T), memory, sizeof(T));
    }
  }
}

// Element i at its index, all in memory that was checked: `memory` is the byte at address `low`.
// False: one is misaligned, and nothing has been moved.
template <bool store>
bool indexed(const VectorOp& v, const Walk& w, uint8_t* reg, uint8_t* memory, uint64_t low) {
  return with_width(v.index_bytes, [&](auto index) {
    return with_width(v.eew_bytes, [&](auto element) {
      uint64_t bits = w.base;
      for (size_t i = 0; sizeof element > 1 && i < w.n; ++i) bits |= indices(w, i, index);
      if (bits % sizeof element != 0) return false;
      for (size_t i = 0; i < w.n; ++i) {
        uint8_t* at = memory + (w.base + indices(w, i, index) - low);
        uint8_t* lane = reg + i * sizeof element;
        std::memcpy(&element, store ? lane : at, sizeof element);
        std::memcpy(store ? at : lane, &element, sizeof element);
      }
      return true;
    });
  });
}

// The bytes that a walk touches, and how many elements it has.
Extent extent_of(const Hart& h, const VectorOp& v, const Walk& w, uint64_t segment, bool store) {
  Extent e{w.base, w.base, Space::kTcm, h.vl, store};
  if (w.n == 0) return e;
  if (w.active != nullptr) {
    e.elements = 0;
    for (size_t i = 0; i < w.n; ++i) e.elements += w.active[i];
  }
  uint64_t low = w.base, high = w.base;
  if (w.index == nullptr) {
    const uint64_t last = w.base + (w.n - 1) * w.stride;
    low = std::min(low, last);
    high = std::max(high, last);
    // One element for all is loaded once.
    if (w.stride == 0 && !store)
      e.elements = (w.n * segment * 8 + h.config.dlen - 1) / h.config.dlen;
  } else {
    low = ~uint64_t{0};
    high = 0;
    with_width(v.index_bytes, [&](auto width) {
      for (size_t i = 0; i < w.n; ++i) {
        const uint64_t at = w.base + indices(w, i, width);
        low = std::min(low, at);
        high = std::max(high, at);
      }
    });
  }
  e.low = low;
  e.high = high + segment;
  return e;
}

// Segments, strides and masks; the extent is checked once where it ascends and nothing is left out.
template <bool store, Access access, bool masked>
Decoded* run_walk(Hart& h, Decoded* o) {
  const VectorOp& v = *o->in.vector;
  Walk w{h.x[o->rs1], uint64_t{v.fields} * v.eew_bytes, nullptr, nullptr, h.vstart, h.vl};
  if (access == Access::kStrided) w.stride = h.x[o->rs2];
  if (access == Access::kIndexed) w.index = h.v + v.s2;
  if (masked) w.active = active_elements(h);
  const uint64_t segment = uint64_t{v.fields} * v.eew_bytes;
  const bool each = !store && h.memory.reads().any();  // what is loaded from matters, not where
  const bool at_once =
      access == Access::kIndexed && !masked && v.fields == 1 && w.begin == 0 && !each;
  Extent extent;
  if (h.timed || at_once) extent = extent_of(h, v, w, segment, store);
  start_access(h, o, extent);
  if (at_once && w.n != 0) {
    uint8_t* memory = h.memory.at(extent.low, extent.high - extent.low, store ? kWrite : kRead);
    if (memory != nullptr && indexed<store>(v, w, h.v + v.d, memory, extent.low)) return o + 1;
  }
  const bool regular = access != Access::kIndexed && !masked && w.begin == 0 && w.n != 0 && !each &&
                       (w.base | w.stride) % v.eew_bytes == 0 && w.stride < uint64_t{1} << 32;
  if (regular) {
    uint8_t* memory = h.memory.at(w.base, (w.n - 1) * w.stride + segment, store ? kWrite : kRead);
    // Segments that overlap in memory are stored one after the other, by the general way.
    if (memory != nullptr && (!store || w.stride >= segment)) {
      const size_t group = v.group_registers * h.config.vlenb();
      for (unsigned f = 0; f < v.fields; ++f) {
        uint8_t* reg = h.v + v.d + f * group;
        uint8_t* from = memory + f * v.eew_bytes;
        switch (v.eew_bytes) {
          case 1:
            strided<uint8_t, store>(reg, from, w.stride, w.n);
            break;
          case 2:
            strided<uint16_t, store>(reg, from, w.stride, w.n);
            break;
          case 4:
            strided<uint32_t, store>(reg, from, w.stride, w.n);
            break;
          default:
            strided<uint64_t, store>(reg, from, w.stride, w.n);
            break;
        }
      }
      return o + 1;
    }
  }
  return walk<store>(h, o, w, access == Access::kFirstFault);
}

template <bool store, bool masked>
Handler by_access(Access access) {
  switch (access) {
    case Access::kUnit:
      return run_walk<store, Access::kUnit, masked>;
    case Access::kFirstFault:
      return run_walk<store, Access::kFirstFault, masked>;
    case Access::kStrided:
      return run_walk<store, Access::kStrided, masked>;
    default:
      return run_walk<store, Access::kIndexed, masked>;
  }
}

constexpr uint32_t kLoad = 0x07, kStore = 0x27, kVm = 1u << 25;
constexpr uint32_t kWidthMask = 0x707f, kMop = 3u << 26, kMew = 1u << 28, kNf = 7u << 29;
constexpr uint32_t kLumop = 31u << 20;
constexpr uint32_t kWidths[] = {0u << 12, 5u << 12, 6u << 12, 7u << 12};  // 8, 16, 32, 64

Instruction row(bool store, const std::string& name, uint32_t match, uint32_t mask,
                const char* operands, Access access, uint8_t eew_log2) {
  Instruction i;
  i.name = name;
  i.match = match | (store ? kStore : kLoad);
  i.mask = mask | kWidthMask | kMop | kMew | kNf;
  i.operands = operands;
  i.cls = store ? Class::kVectorStore : Class::kVectorLoad;
  i.extension = "Zve64f";
  i.is_vector = true;
  i.vector.access = access;
  i.vector.store = store;
  i.vector.eew_log2 = eew_log2;
  return i;
}

}  // namespace

Handler vector_memory_handler(const VectorInfo& info, const VectorOp& op) {
  const bool store = info.store, masked = op.masked;
  if (info.access == Access::kMask) return store ? run_mask<true> : run_mask<false>;
  if (info.access == Access::kWhole) return store ? run_unit<true, true> : run_unit<false, true>;
  if (info.access == Access::kUnit && op.fields == 1 && !masked)
    return store ? run_unit<true, false> : run_unit<false, false>;
  if (masked)
    return store ? by_access<true, true>(info.access) : by_access<false, true>(info.access);
  return store ? by_access<true, false>(info.access) : by_access<false, false>(info.access);
}

std::vector<Instruction> vector_memory_instructions() {
  std::vector<Instruction> all;
  for (const bool store : {false, true}) {
    const std::string verb = store ? "vs" : "vl";
    for (uint8_t width = 0; width < 4; ++width) {
      const std::string e = std::to_string(8u << width);
      const auto log2 = static_cast<uint8_t>(3 + width);
      for (uint32_t nf = 0; nf < 8; ++nf) {
        const uint32_t base = kWidths[width] | nf << 29;
        const std::string seg = nf == 0 ? "" : "seg" + std::to_string(nf + 1);
        all.push_back(
            row(store, verb + seg + "e" + e + ".v", base, kLumop, "v, am", Access::kUnit, log2));
        if (!store)
          all.push_back(row(store, verb + seg + "e" + e + "ff.v", base | 16u << 20, kLumop, "v, am",
                            Access::kFirstFault, log2));
        all.push_back(row(store, verb + "s" + seg + "e" + e + ".v", base | 2u << 26, 0, "v, a, tm",
                          Access::kStrided, log2));
        all.push_back(row(store, verb + "ux" + seg + "ei" + e + ".v", base | 1u << 26, 0,
                          "v, a, wm", Access::kIndexed, log2));
        all.push_back(row(store, verb + "ox" + seg + "ei" + e + ".v", base | 3u << 26, 0,
                          "v, a, wm", Access::kIndexed, log2));
        const bool power = (nf & (nf + 1)) == 0;
        if (power && (!store || width == 0))
          all.push_back(row(store,
                            verb + std::to_string(nf + 1) + "r" + (store ? "" : "e" + e) + ".v",
                            base | 8u << 20 | kVm, kLumop | kVm, "v, a", Access::kWhole, log2));
      }
    }
    all.push_back(
        row(store, verb + "m.v", 11u << 20 | kVm, kLumop | kVm, "v, a", Access::kMask, 3));
  }
  return all;
}

}  // namespace presil::dsp
