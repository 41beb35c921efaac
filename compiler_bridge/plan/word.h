// A command as the compiler holds it until it is written down, of any engine.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "compiler_bridge/plan/order.h"
#include "rtl/common/engine_description.h"
#include "rtl/dla/dla_command.h"
#include "rtl/dma/dma_command.h"
#include "rtl/dsp/dsp_command.h"
#include "rtl/host/host_command.h"

namespace presil::plan {

/// Of an engine from outside: words, and which fields they have.
class OutsideCommand {
 public:
  /// A nop.
  explicit OutsideCommand(const presil_engine_description& engine);
  /// @throws std::logic_error where these are not as many words as the contract has
  OutsideCommand(const presil_engine_description& engine, const std::vector<uint32_t>& words);

  const presil_engine_description& engine() const { return *m_engine; }
  const uint32_t* words() const { return m_words.data(); }
  void set(unsigned field, int64_t value);
  int64_t get(unsigned field) const;

 private:
  const presil_engine_description* m_engine;
  std::array<uint32_t, PRESIL_MAX_COMMAND_WORDS> m_words{};
};

using Word = std::variant<dla::Command, dma::Command, dsp::Command, host::Command, OutsideCommand>;

Word nop_of(uint8_t queue);

/// Counters that a command of the queue can wait for at once.
size_t wait_ports(uint8_t queue);

void put_waits(Word& word, const Ordered& ordered, uint32_t job_span);
void put_signal(Word& word, uint8_t counter, uint32_t add);
void put_tag(Word& word, uint32_t tag);

struct Signal {
  uint8_t counter = 0;
  uint32_t add = 0;
};
Signal signal_of(const Word& word);

/// What of its contract it breaks, with the command in text; "": nothing.
std::string violation_of(const Word& word);

/// As it lies in memory, gaps included.
void append(const Word& word, std::vector<uint32_t>& words);

}  // namespace presil::plan
