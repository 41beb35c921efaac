#include "models/rv64/rv64_clint.h"

namespace presil::rv64 {
namespace {

// Bytes `offset` .. `offset + bytes - 1` of a register, least significant first.
uint64_t part(uint64_t all, uint64_t offset, unsigned bytes) {
  const uint64_t mask = bytes == 8 ? ~uint64_t{0} : (uint64_t{1} << 8 * bytes) - 1;
  return all >> 8 * offset & mask;
}

uint64_t with_part(uint64_t all, uint64_t offset, unsigned bytes, uint64_t value) {
  const uint64_t mask = bytes == 8 ? ~uint64_t{0} : (uint64_t{1} << 8 * bytes) - 1;
  return (all & ~(mask << 8 * offset)) | (value & mask) << 8 * offset;
}

}  // namespace

void Clint::reset() {
  m_software = false;
  m_compare = kNever;
  m_ahead = 0;
}

uint64_t Clint::timer_cycle() const {
  return m_compare == kNever ? kNever : m_compare <= m_ahead ? 0 : m_compare - m_ahead;
}

Clint::Answer Clint::load(uint64_t address, unsigned bytes, uint64_t cycle, uint64_t& value) {
  const uint64_t offset = address - kBase;
  if (bytes < 4) return Answer::kRefused;
  if (offset == kSoftware && bytes == 4) {
    value = m_software ? 1 : 0;
  } else if (offset - kCompare < 8) {
    value = part(m_compare, offset - kCompare, bytes);
  } else if (offset - kTime < 8) {
    value = part(time(cycle), offset - kTime, bytes);
  } else {
    return Answer::kRefused;
  }
  return Answer::kDone;
}

Clint::Answer Clint::store(uint64_t address, unsigned bytes, uint64_t cycle, uint64_t value) {
  const uint64_t offset = address - kBase;
  if (bytes < 4) return Answer::kRefused;
  if (offset == kSoftware && bytes == 4) {
    m_software = (value & 1) != 0;
  } else if (offset - kCompare < 8) {
    m_compare = with_part(m_compare, offset - kCompare, bytes, value);
  } else if (offset - kTime < 8) {
    m_ahead = with_part(time(cycle), offset - kTime, bytes, value) - cycle;
  } else {
    return Answer::kRefused;
  }
  m_hart.limit = 0;
  return Answer::kDone;
}

}  // namespace presil::rv64
