#include "models/memory/memory_core.h"

#include <sys/mman.h>

#include <new>

namespace presil::memory {

Bytes::Bytes(uint64_t size) : m_size(size) {
  void* map = mmap(nullptr, size, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (map == MAP_FAILED) throw std::bad_alloc();
  m_data = static_cast<uint8_t*>(map);
}

Bytes::~Bytes() {
  munmap(m_data, m_size);
}

Slave SystemBytes::slave_of(uint64_t address, uint64_t bytes) const {
  if (address >= PRESIL_DRAM_BASE) {
    const uint64_t offset = address - PRESIL_DRAM_BASE;
    return offset <= m_dram.size() && bytes <= m_dram.size() - offset ? Slave::kDram : Slave::kNone;
  }
  if (address < m_window) return Slave::kNone;
  const uint64_t offset = address - m_window;
  return offset <= m_sram.size() && bytes <= m_sram.size() - offset ? Slave::kSram : Slave::kNone;
}

uint8_t* SystemBytes::bytes_at(uint64_t address, size_t bytes) {
  switch (slave_of(address, bytes)) {
    case Slave::kDram:
      return m_dram.bytes_at(address - PRESIL_DRAM_BASE, bytes);
    case Slave::kSram:
      return m_sram.bytes_at(address - m_window, bytes);
    case Slave::kNone:
      break;
  }
  return nullptr;
}

std::optional<uint64_t> SystemBytes::read(uint64_t address, uint64_t bytes) {
  switch (slave_of(address, bytes)) {
    case Slave::kDram:
      if (const auto at = m_dram.read(address - PRESIL_DRAM_BASE, bytes))
        return *at + PRESIL_DRAM_BASE;
      break;
    case Slave::kSram:
      if (const auto at = m_sram.read(address - m_window, bytes)) return *at + m_window;
      break;
    case Slave::kNone:
      break;
  }
  return {};
}

void SystemBytes::written(uint64_t address, uint64_t bytes) {
  switch (slave_of(address, bytes)) {
    case Slave::kDram:
      return m_dram.written(address - PRESIL_DRAM_BASE, bytes);
    case Slave::kSram:
      return m_sram.written(address - m_window, bytes);
    case Slave::kNone:
      break;
  }
}

}  // namespace presil::memory
