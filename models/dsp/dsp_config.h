// What a DSP is built with, and vtype as the instruction-set simulator handles it.
#pragma once

#include <cstdint>

#include "models/dsp/dsp_scalar_timing.h"

namespace presil::dsp {

struct Config {
  unsigned vlen = 512;  ///< bits of a vector register: a power of two, 128..1024
  unsigned dlen =
      256;             ///< bits that a vector sequencer handles in a cycle: a power of two, 64..512
  unsigned elen = 64;  ///< bits of the widest element: 64 is Zve64f, 32 is Zve32f
  unsigned arithmetic_sequencers = 1;  ///< vector sequencers for arithmetic: 1 or 2
  bool common_host = false;            ///< values by the host's common instructions alone
  bool gather_by_element = false;      ///< vrgather.vv, vcompress: an element a cycle, no crossbar
  bool vector = true;                  ///< false: vector instructions are illegal ones
  ScalarTiming scalar;

  unsigned vlenb() const { return vlen / 8; }
};

/// @throws Refusal that names the parameter, what it is and what it may be
void check(const Config& config);

/// A vtype that an instruction can see: vill alone, or SEW, LMUL, vta, vma.
class Vtype {
 public:
  constexpr Vtype() = default;
  /// What vsetvl makes of `value`: vill where it is reserved or asks for more than the DSP has.
  static Vtype of(uint64_t value, const Config& config);

  constexpr bool vill() const { return m_bits == kIll; }
  constexpr unsigned sew_log2() const { return 3 + (m_bits >> 3 & 7); }
  constexpr unsigned sew() const { return 1u << sew_log2(); }
  /// -3..3
  constexpr int lmul_log2() const { return (m_bits & 4) != 0 ? int(m_bits & 7) - 8 : m_bits & 7; }
  unsigned vlmax(const Config& config) const {
    return vill() ? 0 : shift(config.vlen >> sew_log2(), lmul_log2());
  }
  /// As the CSR reads.
  constexpr uint64_t csr() const { return vill() ? uint64_t{1} << 63 : m_bits; }
  constexpr uint16_t key() const { return m_bits; }
  static constexpr Vtype of_key(uint16_t key) {
    Vtype t;
    t.m_bits = key;
    return t;
  }
  constexpr bool operator==(const Vtype& o) const { return m_bits == o.m_bits; }

 private:
  static constexpr uint16_t kIll = 0x8000;
  static constexpr unsigned shift(unsigned n, int by) { return by < 0 ? n >> -by : n << by; }
  uint16_t m_bits = kIll;
};

/// vl for an application vector length: all of it, or a register group's worth.
inline uint64_t vl_for(uint64_t avl, unsigned vlmax) {
  return avl < vlmax ? avl : vlmax;
}

}  // namespace presil::dsp
