// When instructions start and how long they take. The scalar core issues one instruction a cycle,
// in order: the cycles inside a block are known when it is decoded (`schedule`). Vector
// instructions leave it in one cycle for a queue of eight and start in order, one per cycle, each
// on its sequencer (`VectorUnit`). Every constant is reasoned in rtl/dsp/RATIONALE.md.
#pragma once

#include <array>
#include <cstdint>

#include "models/dsp/dsp_config.h"
#include "models/dsp/dsp_memory.h"

namespace presil::dsp {

struct Block;
struct VectorOp;
struct Instruction;
enum class Class : uint8_t;

// The vector unit.
constexpr unsigned kVectorQueue = 8;
constexpr unsigned cycles_lane = 4;        // first beat in to first beat out
constexpr unsigned cycles_long_lane = 6;   // fixed point, widening, narrowing
constexpr unsigned cycles_gather_one = 8;  // an element to all
constexpr unsigned cycles_compare = 3;
constexpr unsigned cycles_fold = 4;  // one trip of a reduction's operands through the lanes
constexpr unsigned cycles_float_add = 4;
constexpr unsigned cycles_divide_lane_32 = 16, cycles_divide_lane_64 = 32,
                   cycles_divide_lane_16 = 10;
constexpr unsigned cycles_tcm_to_first = 4, cycles_sram_to_first = 6, cycles_dram_to_first = 57;
constexpr unsigned cycles_address_to_first = 3;  // more, where elements are collected one by one

// Copies of images and of a program's own channel (dsp_copier.h).
constexpr unsigned kPiecesOutstanding = 8;  ///< of a burst each

enum class Sequencer : uint8_t { kArithmetic, kSecondArithmetic, kLoad, kStore, kCount };

/// How long a sequencer is busy, as a function of vl.
enum class Beats : uint8_t {
  kOfWidth,   ///< d = ceil(vl x bits / Dlen), at least 1, times `factor`
  kOne,       ///< 1
  kFold,      ///< d + 4 log2(Dlen / bits)
  kFloatSum,  ///< 4 vl
  kDivide,    ///< ceil(vl / dividers) x factor
  kCrossbar,  ///< d x registers
  kElements,  ///< one per active element, `factor` beats each
};

/// What a decoded vector instruction costs.
struct Cost {
  Sequencer sequencer = Sequencer::kArithmetic;
  Beats beats = Beats::kOfWidth;
  bool chains = true;       ///< a consumer may start when the first beat is there
  bool core_waits = false;  ///< a scalar result, or vl
  uint8_t factor = 1;
  uint8_t latency = cycles_lane;
  uint8_t bits_log2 = 3;  ///< of an element in a beat
  struct Group {
    uint8_t reg = 0, last = 0, log2 = 0;  ///< log2 of their number
    bool used = false;
  };
  Group read2, read1, read_d, written;
};

/// An access of a vector load or store, as far as it decides cycles.
struct Extent {
  uint64_t low = 0, high = 0;  ///< bytes low .. high - 1
  Space space = Space::kTcm;
  uint64_t elements = 0;  ///< active ones
  bool store = false;
};

/// The banks of the SRAM, which other ports have first.
class SramBanks {
 public:
  virtual ~SramBanks() = default;
  /// Cycles that an access loses that begins in the core's cycle `cycle` and takes `words` of 16
  /// bytes.
  virtual uint64_t lost(uint64_t cycle, uint64_t words) = 0;
};

class VectorUnit {
 public:
  void reset(const Config& config);
  /// nullptr: no other requester has them. Kept over a reset.
  void share(SramBanks* banks) { m_banks = banks; }

  /// An instruction that the core issues at cycle `issue`, or later where the queue is full.
  /// @return cycles that the core waits for the queue
  /// @param result the cycle in which a scalar result is there; the last one of the access
  template <bool access>
  uint64_t start(const VectorOp& op, uint64_t vl, uint64_t issue, const Extent* extent,
                 uint64_t& result);
  /// The cycle in which all sequencers are done.
  uint64_t idle() const { return m_idle; }
  /// Elements of all vector instructions.
  uint64_t elements() const { return m_elements; }
  uint64_t busy(Sequencer s) const { return m_busy[static_cast<unsigned>(s)]; }
  /// Of all sequencers.
  uint64_t beats() const { return m_busy[0] + m_busy[1] + m_busy[2] + m_busy[3]; }
  /// An access of the scalar core to SRAM. @return cycles that it loses
  uint64_t lost(uint64_t cycle) { return m_banks == nullptr ? 0 : m_banks->lost(cycle, 1); }
  /// Of cycles that the core waits, those that accesses have lost and that are not charged yet.
  uint64_t charge_lost(uint64_t cycles) {
    const uint64_t bank = cycles < m_lost ? cycles : m_lost;
    m_lost -= bank;
    return bank;
  }
  /// Bytes of vector accesses to SRAM.
  uint64_t sram_read() const { return m_sram_bytes[0]; }
  uint64_t sram_written() const { return m_sram_bytes[1]; }

 private:
  uint64_t beats_of(const Cost& cost, uint64_t d, uint64_t vl, const Extent* extent) const;

  SramBanks* m_banks = nullptr;
  uint64_t m_lost = 0;  // cycles of accesses, not charged
  std::array<uint64_t, 2> m_sram_bytes{};
  unsigned m_dlen_log2 = 8;
  bool m_second = false;  // arithmetic sequencer
  unsigned m_count = 0, m_next_store = 0;
  uint64_t m_last_start = 0, m_idle = 0, m_sram_free = 0, m_elements = 0, m_stores_end = 0;
  std::array<uint64_t, 4> m_free{}, m_busy{};
  std::array<uint64_t, 32> m_first{};      // of a register: when a consumer may start on it
  std::array<uint64_t, 32> m_read_done{};  // when all have read it
  std::array<uint64_t, kVectorQueue> m_starts{};
  struct Store {
    uint64_t low = 0, high = 0, end = 0;
  };
  std::array<Store, 8> m_stores{};
};

inline int log2_of(unsigned n) {
  return 31 - __builtin_clz(n);
}

/// What the table's class means for this width and this DSP.
Cost cost_of(const Instruction& row, const VectorOp& op, const Config& config);

/// Puts the issue cycles of a block's instructions in place.
void schedule(Block& block, const ScalarTiming& timing);

}  // namespace presil::dsp
