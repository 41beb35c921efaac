#include "sim/faults/fault.h"

#include <array>
#include <stdexcept>

namespace presil::faults {
namespace {

constexpr std::array<const char*, static_cast<size_t>(Kind::kCount)> kNames = {
    "bus_error",       "wrong_order", "late_answer",    "ecc_single",         "ecc_double",
    "stuck",           "clock_stop",  "lost_interrupt", "spurious_interrupt", "lost_doorbell",
    "corrupt_command", "corrupt_job", "reset",          "power_loss"};

Kind kind_of(const std::string& name) {
  for (size_t i = 0; i < kNames.size(); ++i) {
    if (name == kNames[i]) return static_cast<Kind>(i);
  }
  throw std::invalid_argument("fault: kind '" + name + "' is unknown");
}

Access access_of(const std::string& name) {
  if (name == "any") return Access::kAny;
  if (name == "read") return Access::kRead;
  if (name == "write") return Access::kWrite;
  if (name == "fetch") return Access::kFetch;
  throw std::invalid_argument("fault: access '" + name + "' is unknown");
}

}  // namespace

const char* name_of(Kind kind) {
  return kNames[static_cast<size_t>(kind)];
}

Fault fault_of(const nlohmann::json& m) {
  Fault fault;
  fault.kind = kind_of(m.at("kind"));
  fault.queue = m.value("queue", fault.queue);
  fault.access = access_of(m.value("access", "any"));
  fault.lines = m.value("lines", fault.lines);
  fault.cycle = m.value("cycle", fault.cycle);
  fault.cycles = m.value("cycles", fault.cycles);
  fault.after = m.value("after", fault.after);
  fault.count = m.value("count", fault.count);
  fault.sram = m.value("sram", fault.sram);
  fault.address = m.value("address", fault.address);
  fault.word = m.value("word", fault.word);
  fault.new_crc = m.value("new_crc", fault.new_crc);
  fault.bits = m.value("bits", fault.bits);
  fault.seed = m.value("seed", fault.seed);
  return fault;
}

}  // namespace presil::faults
