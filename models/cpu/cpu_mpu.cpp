#include "models/cpu/cpu_mpu.h"

#include <algorithm>

namespace presil::cpu {
namespace {

constexpr uint32_t kSystemSpace = 0xe0000000;

// The default map: devices and the system's space hold no instructions.
bool default_allows(uint32_t address, Right right) {
  if (right != kExecute) return true;
  const uint32_t part = address >> 29;
  return part != 2 && part != 5 && part != 6 && part != 7;
}

}  // namespace

void Mpu::configure(const Config& config) {
  m_v8 = config.v8();
  m_regions.assign(config.mpu_regions, {});
}

void Mpu::reset() {
  m_control = m_number = 0;
  std::fill(m_regions.begin(), m_regions.end(), Region{});
}

// False: not enabled, or the address lies outside; then first and last are narrowed to the part of
// the address space without this region.
bool Mpu::covers(const Region& region, uint32_t address, uint32_t& first, uint32_t& last) const {
  uint32_t begin = region.base & ~31u, end = region.limit | 31;
  if ((region.limit & 1) == 0) return false;
  if (!m_v8) {
    const unsigned bits = (region.limit >> 1 & 31) + 1;
    if (bits < 5) return false;
    const uint32_t low = bits >= 32 ? ~0u : (1u << bits) - 1;
    begin = region.base & ~low;
    end = begin + low;
    const uint32_t disabled = region.limit >> 8 & 255;
    if (bits >= 8 && disabled != 0 && address >= begin && address <= end) {
      const uint32_t piece = (low >> 3) + 1, n = (address - begin) / piece;
      begin += n * piece;
      end = begin + (piece - 1);
      if ((disabled >> n & 1) != 0) {
        first = std::max(first, begin);
        last = std::min(last, end);
        return false;
      }
    }
  }
  if (begin > end) return false;
  if (address < begin) last = std::min(last, begin - 1);
  if (address > end) first = std::max(first, end + 1);
  if (address < begin || address > end) return false;
  first = std::max(first, begin);
  last = std::min(last, end);
  return true;
}

bool Mpu::permits(const Region& region, Right right, bool privileged) const {
  if (m_v8) {
    const bool never = (region.base & 1) != 0, read_only = (region.base & 4) != 0,
               program = (region.base & 2) != 0;
    if (!privileged && !program) return false;
    return right == kWrite ? !read_only : right != kExecute || !never;
  }
  const unsigned ap = region.limit >> 24 & 7;
  const bool never = (region.limit >> 28 & 1) != 0;
  const bool read = privileged ? ap != 0 && ap != 4 : ap == 2 || ap == 3 || ap >= 6;
  const bool write = privileged ? ap >= 1 && ap <= 3 : ap == 3;
  return right == kWrite ? write : read && (right != kExecute || !never);
}

Protection::Extent Mpu::look(uint32_t address, Right right, bool privileged) const {
  Extent extent{0, 0xffffffff, true};
  if (!enabled() || bypassed) {
    extent.first = address & 0xe0000000;
    extent.last = extent.first | 0x1fffffff;
    extent.allowed = default_allows(address, right);
    return extent;
  }
  const Region* hit = nullptr;
  unsigned hits = 0;
  for (const Region& region : m_regions) {
    if (!covers(region, address, extent.first, extent.last)) continue;
    hit = &region;  // of v7 the one with the highest number decides
    ++hits;
  }
  if (hits > 1 && m_v8) {
    extent.allowed = false;
  } else if (hit != nullptr) {
    extent.allowed = permits(*hit, right, privileged);
  } else {
    const bool background = privileged && (m_control & 4) != 0;
    extent.first = std::max(extent.first, address & 0xe0000000);
    extent.last = std::min(extent.last, address | 0x1fffffff);
    extent.allowed = (background || address >= kSystemSpace) && default_allows(address, right);
  }
  if (right == kExecute && address >= kSystemSpace) extent.allowed = false;
  return extent;
}

Mpu::Region* Mpu::selected(unsigned alias) {
  // v8: the aliases name the other regions of a group of four; v7: all name the same one
  const uint32_t n = m_v8 && alias != 0 ? (m_number & ~3u) + alias : m_number;
  return n < m_regions.size() ? &m_regions[n] : nullptr;
}

uint32_t Mpu::load(uint32_t offset) const {
  auto* self = const_cast<Mpu*>(this);
  if (offset == 0) return static_cast<uint32_t>(m_regions.size()) << 8;
  if (offset == 4) return m_control;
  if (offset == 8) return m_number;
  if (m_v8 && (offset == 0x30 || offset == 0x34)) return m_attributes[(offset - 0x30) / 4];
  if (offset < 0xc || offset >= 0x2c) return 0;
  const Region* region = self->selected((offset - 0xc) / 8);
  if (region == nullptr) return 0;
  if ((offset - 0xc) % 8 != 0) return region->limit;
  return m_v8 ? region->base : (region->base & ~31u) | m_number;
}

void Mpu::store(uint32_t offset, uint32_t value) {
  if (offset == 4) m_control = m_regions.empty() ? 0 : value & 7;
  if (offset == 8) m_number = value & 255;
  if (m_v8 && (offset == 0x30 || offset == 0x34)) m_attributes[(offset - 0x30) / 4] = value;
  if (offset < 0xc || offset >= 0x2c) return;
  const bool is_base = (offset - 0xc) % 8 == 0;
  if (!m_v8 && is_base && (value & 16) != 0) m_number = value & 15;  // VALID: selects the region
  Region* region = selected((offset - 0xc) / 8);
  if (region == nullptr) return;
  (is_base ? region->base : region->limit) = value;
}

}  // namespace presil::cpu
