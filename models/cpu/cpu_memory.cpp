#include "models/cpu/cpu_memory.h"

#include <algorithm>
#include <cstdio>

#include "models/base/refusal.h"

namespace presil::cpu {
namespace {

std::string hex(uint64_t value) {
  char text[24];
  std::snprintf(text, sizeof text, "0x%08llx", static_cast<unsigned long long>(value));
  return text;
}

}  // namespace

void Memory::add(const Region& region) {
  const uint64_t end = uint64_t{region.base} + region.bytes;
  const std::string name = "region " + hex(region.base) + ".." + hex(end);
  if (region.bytes == 0 || end > uint64_t{1} << 32)
    throw Refusal("cpu", name + " must have bytes and end below 4 GiB; correct base or size");
  if ((region.host == nullptr) == (region.device == nullptr))
    throw Refusal("cpu", name + " must have either host bytes or a device; give one of them");
  for (const Region& other : m_regions) {
    if (end <= other.base || uint64_t{other.base} + other.bytes <= region.base) continue;
    throw Refusal("cpu", name + " overlaps the region at " + hex(other.base) +
                             ", regions must be disjoint; move one of them");
  }
  m_regions.push_back(region);
  forget();
}

void Memory::clear() {
  m_regions.clear();
  forget();
}

void Memory::move(uint32_t base, uint8_t* host) {
  for (Region& r : m_regions) {
    if (r.base == base) r.host = host;
  }
  forget();
}

const Region* Memory::find(uint32_t address, uint32_t bytes, Right right) const {
  for (const Region& r : m_regions) {
    const uint32_t offset = address - r.base;
    if (offset < r.bytes && r.bytes - offset >= bytes && (r.rights & right) != 0) return &r;
  }
  return nullptr;
}

uint8_t* Memory::at(uint32_t address, uint32_t bytes, Right right) const {
  const Region* region = find(address, bytes, right);
  return region == nullptr || region->host == nullptr ? nullptr
                                                      : region->host + (address - region->base);
}

bool Memory::allowed(uint32_t address, uint32_t bytes, Right right, bool as_privileged) const {
  if (m_protection == nullptr) return true;
  const auto first = m_protection->look(address, right, as_privileged);
  if (!first.allowed || bytes == 0) return first.allowed;
  const uint32_t last = address + bytes - 1;
  return last <= first.last || m_protection->look(last, right, as_privileged).allowed;
}

const Region* Memory::look(uint32_t address, unsigned bytes, Right right, Refused& why) {
  why = Refused::kNot;
  if (!allowed(address, bytes, right, privileged)) {
    why = Refused::kMpu;
    return nullptr;
  }
  const Region* region = find(address, bytes, right);
  if (region == nullptr) {
    why = Refused::kBus;
    return nullptr;
  }
  const bool watched = right == kRead && m_reads.any();
  if (watched) m_reads.loads(address, bytes);
  if (region->host == nullptr || watched) return region;
  uint32_t first = region->base, last = region->base + (region->bytes - 1);
  if (m_protection != nullptr) {
    const auto extent = m_protection->look(address, right, privileged);
    first = std::max(first, extent.first);
    last = std::min(last, extent.last);
  }
  if (address >= first && last - first >= 3 && address <= last - 3) {
    Hit& hit = m_hits[right == kWrite][slot(address)];
    hit.base = first;
    hit.size = last - first - 2;
    hit.host = region->host + (first - region->base);
    hit.wait = region->wait_data;
  }
  return region;
}

}  // namespace presil::cpu
