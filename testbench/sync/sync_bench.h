// Random signals, waits, barriers and register accesses for sync, the same for two DUTs; everything
// that they show is compared in every cycle. What has been seen is counted by name.
#pragma once

#include <map>
#include <random>
#include <string>
#include <vector>

#include "testbench/sync/sync_dut.h"

namespace presil::testbench {

class SyncBench {
 public:
  /// @param model the first DUT; its state also guides what is asked, so that things happen
  SyncBench(SyncModel& model, SyncDut& dut, const SyncConfig& config, unsigned seed);

  /// @return the first difference in words, empty if there is none
  std::string run(unsigned cycles);

  /// How often each thing that matters was seen; never seen ones are there with 0.
  const std::map<std::string, unsigned>& coverage() const { return m_coverage; }

 private:
  unsigned random(unsigned n) { return m_random() % n; }
  bool one_in(unsigned n) { return random(n) == 0; }
  uint8_t some_id();
  uint32_t some_value(uint8_t id);
  void new_pace();
  void next_signals();
  void next_waits();
  void next_barriers();
  void next_access();
  SyncInputs::Access some_write();
  uint16_t some_offset();

  void cover(const SyncOutputs& out);
  void cover_landing();
  void cover_waits(const SyncOutputs& out);
  void cover_access();
  void seen(const std::string& what) { ++m_coverage.at(what); }
  static std::string engine_of(unsigned queue);
  std::string difference(const SyncOutputs& model, const SyncOutputs& dut) const;

  SyncModel& m_model;
  SyncDut& m_dut;
  SyncConfig m_config;
  std::mt19937 m_random;
  std::map<std::string, unsigned> m_coverage;

  SyncInputs m_in;
  SyncOutputs m_out;  // of the cycle before
  unsigned m_signal_in = 4, m_ask_in = 4, m_ids = 6;
  unsigned m_pause = 0;
  std::array<unsigned, kSyncPorts> m_waited{};
  std::array<unsigned, PRESIL_LINKED_QUEUES> m_barrier_waited{};
  // Signals of the two cycles before, and the access that acted in the one before.
  std::array<SyncInputs::Signal, PRESIL_LINKED_QUEUES> m_under_way, m_landing;
  std::optional<SyncInputs::Access> m_asked, m_acted;
  std::array<uint32_t, 256> m_counters{};
  uint32_t m_status = 0;
  std::array<unsigned, PRESIL_SYNC_SLOT_COUNT> m_slot_met{};
};

}  // namespace presil::testbench
