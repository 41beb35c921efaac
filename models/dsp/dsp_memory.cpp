#include "models/dsp/dsp_memory.h"

namespace presil::dsp {

void Memory::add(const Region& region) {
  m_regions.push_back(region);
  m_hits = {};
}

void Memory::clear() {
  m_regions.clear();
  m_hits = {};
}

const Region* Memory::find(uint64_t address, uint64_t bytes, Right right) const {
  for (const Region& region : m_regions) {
    const uint64_t offset = address - region.base;
    if ((region.rights & right) != 0 && offset < region.bytes && region.bytes - offset >= bytes)
      return &region;
  }
  return nullptr;
}

const Region* Memory::look(uint64_t address, unsigned bytes, Right right) {
  const Region* region = find(address, bytes, right);
  const bool watched = right == kRead && m_reads.any();
  if (watched) m_reads.loads(address, bytes);
  if (region == nullptr || region->host == nullptr || watched) return region;
  if (region->bytes >= 8 && right != kExecute)
    m_hits[right == kWrite][slot(address)] = {region->base, region->bytes - 8, region->host,
                                              region->space};
  return region;
}

}  // namespace presil::dsp
