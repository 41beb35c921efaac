// Accesses that the quick way does not serve: first touch, devices, registers, not aligned,
// refused.
#include "models/cpu/cpu_scalar.h"
#include "models/cpu/cpu_system.h"

namespace presil::cpu {
namespace {

enum class Outcome : uint8_t { kDone, kBus, kMpu, kLater };

Outcome of(Device::Answer answer) {
  if (answer == Device::Answer::kDone) return Outcome::kDone;
  return answer == Device::Answer::kLater ? Outcome::kLater : Outcome::kBus;
}

Outcome access(Hart& h, const Decoded* o, uint32_t address, unsigned bytes, Right right,
               uint32_t& value) {
  const uint64_t cycle = cycle_of(h, *o);
  if (System::owns(address)) {
    if (!h.memory.privileged) return Outcome::kBus;
    const bool done = right == kRead ? h.system->load(address, bytes, cycle, value)
                                     : h.system->store(address, bytes, cycle, value);
    return done ? Outcome::kDone : Outcome::kBus;
  }
  Memory::Refused why;
  const Region* region = h.memory.look(address, bytes, right, why);
  if (region == nullptr) return why == Memory::Refused::kMpu ? Outcome::kMpu : Outcome::kBus;
  if (region->device != nullptr) {
    const Outcome outcome =
        of(right == kRead ? region->device->load(address, bytes, cycle, value)
                          : region->device->store(address, bytes, cycle, value));
    if (outcome != Outcome::kDone) return outcome;
  } else {
    uint8_t* host = region->host + (address - region->base);
    if (right == kRead) value = 0;
    std::memcpy(right == kRead ? reinterpret_cast<uint8_t*>(&value) : host,
                right == kRead ? host : reinterpret_cast<const uint8_t*>(&value), bytes);
  }
  h.cycle += region->wait_data;
  return Outcome::kDone;
}

// LDRT and STRT: with the rights of a program.
bool asks_as_program(const Hart& h, const Decoded* o) {
  return o->mode != 0 && o->word >> 25 == 0x7c && h.memory.privileged;
}

Outcome access_as_program(Hart& h, const Decoded* o, uint32_t address, unsigned bytes, Right right,
                          uint32_t& value) {
  h.memory.privileged = false;
  h.memory.forget();
  const Outcome outcome = access(h, o, address, bytes, right, value);
  h.memory.privileged = true;
  h.memory.forget();
  return outcome;
}

Slow slowly(Hart& h, Decoded* o, uint32_t address, unsigned bytes, bool must_align, Right right,
            uint32_t& value) {
  if ((address & (bytes - 1)) != 0) {
    if (must_align || h.system->traps_unaligned())
      return {false, fault(h, *o, Fault::kUnaligned, address)};
    uint32_t whole = 0;
    for (unsigned i = 0; i < bytes; ++i) {
      uint32_t byte = value >> 8 * i & 255;
      const Slow slow = slowly(h, o, address + i, 1, false, right, byte);
      if (!slow.done) return slow;
      whole |= byte << 8 * i;
    }
    value = whole;
    h.cycle += h.config.timing.unaligned;
    return {true, nullptr};
  }
  const Outcome outcome = asks_as_program(h, o)
                              ? access_as_program(h, o, address, bytes, right, value)
                              : access(h, o, address, bytes, right, value);
  if (outcome == Outcome::kDone) return {true, nullptr};
  if (outcome != Outcome::kLater)
    return {false,
            fault(h, *o, outcome == Outcome::kMpu ? Fault::kDataMpu : Fault::kDataBus, address)};
  Decoded* next = stop(h, *o, Reason::kLater, o->pc);
  h.stop.address = address;
  return {false, next};
}

}  // namespace

Slow load_slowly(Hart& h, Decoded* o, uint32_t address, unsigned bytes, bool must_align,
                 uint32_t& value) {
  return slowly(h, o, address, bytes, must_align, kRead, value);
}

Slow store_slowly(Hart& h, Decoded* o, uint32_t address, unsigned bytes, bool must_align,
                  uint32_t value) {
  return slowly(h, o, address, bytes, must_align, kWrite, value);
}

}  // namespace presil::cpu
