// Registers of a block as its bus and its hardware see them. Each contract prints a table of words
// and a class with one accessor per field (rtl/<block>/<block>_bank.h); this is what they share.
// Timing: none. A read or write is instantaneous; the caller adds bus cycles.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace presil {

// One 32-bit word at `offset`; masks say which bits do what on a bus access.
struct RegisterWord {
  const char* name;
  uint32_t offset;
  uint32_t reset;
  uint32_t readable;  // others read 0
  uint32_t writable;  // others keep their value
  uint32_t w1c;       // of the writable: a 1 clears the bit, a 0 keeps it
  uint32_t pulse;     // of the writable: seen by hooks, never stored
};

// What became of a bus access; all but kOk are answered with SLVERR and change nothing.
enum class Access : uint8_t { kOk, kUnmapped, kMisaligned, kReadOnly, kWriteOnly };

class RegisterBank {
 public:
  // before: stored value before the write; written: what was on the bus, pulses included.
  using WriteHook = std::function<void(uint32_t before, uint32_t written)>;
  using ReadHook = std::function<void()>;

  RegisterBank(const RegisterWord* words, size_t count, uint32_t size_bytes)
      : m_words(words), m_values(count), m_index(size_bytes / 4, -1) {
    for (size_t i = 0; i < count; ++i) m_index[words[i].offset / 4] = static_cast<int>(i);
    reset();
  }
  RegisterBank(const RegisterBank&) = delete;
  RegisterBank& operator=(const RegisterBank&) = delete;

  // All values as after power-on; hooks stay.
  void reset() {
    for (size_t i = 0; i < m_values.size(); ++i) m_values[i] = m_words[i].reset;
  }

  // Those of [from, to).
  void reset(uint32_t from, uint32_t to) {
    for (size_t i = 0; i < m_values.size(); ++i) {
      if (m_words[i].offset >= from && m_words[i].offset < to) m_values[i] = m_words[i].reset;
    }
  }

  // The bus side. value is 0 unless the access is kOk.
  Access read(uint32_t offset, uint32_t& value) {
    value = 0;
    int i = 0;
    const Access found = find(offset, i);
    if (found != Access::kOk) return found;
    if (m_words[i].readable == 0) return Access::kWriteOnly;
    const auto hook = m_read_hooks.find(offset);
    if (hook != m_read_hooks.end()) hook->second();
    value = m_values[i] & m_words[i].readable;
    return Access::kOk;
  }

  Access write(uint32_t offset, uint32_t value) {
    int i = 0;
    const Access found = find(offset, i);
    if (found != Access::kOk) return found;
    const RegisterWord& w = m_words[i];
    if (w.writable == 0) return Access::kReadOnly;
    const uint32_t before = m_values[i];
    const uint32_t stored = w.writable & ~w.w1c & ~w.pulse;
    m_values[i] = ((before & ~stored) | (value & stored)) & ~(value & w.w1c);
    const auto hook = m_write_hooks.find(offset);
    if (hook != m_write_hooks.end()) hook->second(before, value);
    return Access::kOk;
  }

  // One hook per word: after a bus write has been stored; before a bus read is answered.
  void on_write(uint32_t offset, WriteHook hook) {
    at(offset);
    m_write_hooks[offset] = std::move(hook);
  }
  void on_read(uint32_t offset, ReadHook hook) {
    at(offset);
    m_read_hooks[offset] = std::move(hook);
  }

  // The hardware side: any bits, no hooks. Throws std::out_of_range where no register is.
  uint32_t get(uint32_t offset) const { return m_values[at(offset)]; }
  void set(uint32_t offset, uint32_t value) { m_values[at(offset)] = value; }

  const char* name(uint32_t offset) const { return m_words[at(offset)].name; }
  size_t word_count() const { return m_values.size(); }
  const RegisterWord& word(size_t i) const { return m_words[i]; }

 private:
  Access find(uint32_t offset, int& i) const {
    if (offset % 4 != 0) return Access::kMisaligned;
    if (offset / 4 >= m_index.size() || m_index[offset / 4] < 0) return Access::kUnmapped;
    i = m_index[offset / 4];
    return Access::kOk;
  }
  int at(uint32_t offset) const {
    int i = 0;
    if (find(offset, i) != Access::kOk)
      throw std::out_of_range("no register at offset " + std::to_string(offset));
    return i;
  }

  const RegisterWord* m_words;
  std::vector<uint32_t> m_values;
  std::vector<int> m_index;  // by offset / 4: index in m_words, -1: unmapped
  std::map<uint32_t, WriteHook> m_write_hooks;
  std::map<uint32_t, ReadHook> m_read_hooks;
};

// A part of a bank that begins at `base`: offsets are relative to it. Printed views add an accessor
// per field.
class RegisterView {
 public:
  RegisterView(RegisterBank& bank, uint32_t base) : m_bank(&bank), m_base(base) {}

  RegisterBank& bank() const { return *m_bank; }
  uint32_t base() const { return m_base; }
  void on_write(uint32_t offset, RegisterBank::WriteHook hook) const {
    m_bank->on_write(m_base + offset, std::move(hook));
  }
  void on_read(uint32_t offset, RegisterBank::ReadHook hook) const {
    m_bank->on_read(m_base + offset, std::move(hook));
  }
  // The first `bytes` of the part, as after power-on.
  void reset_first(uint32_t bytes) const { m_bank->reset(m_base, m_base + bytes); }
  uint32_t get(uint32_t offset) const { return m_bank->get(m_base + offset); }
  void set(uint32_t offset, uint32_t value) const { m_bank->set(m_base + offset, value); }

 protected:
  uint64_t get_bits(uint32_t offset, unsigned lsb, unsigned width, unsigned register_bits) const {
    uint64_t word = get(offset);
    if (register_bits == 64) word |= static_cast<uint64_t>(get(offset + 4)) << 32;
    return (word >> lsb) & ones(width);
  }
  void set_bits(uint32_t offset, unsigned lsb, unsigned width, unsigned register_bits,
                uint64_t value) const {
    const uint64_t mask = ones(width) << lsb;
    value = (value << lsb) & mask;
    set(offset, (get(offset) & ~static_cast<uint32_t>(mask)) | static_cast<uint32_t>(value));
    if (register_bits == 64) {
      set(offset + 4, (get(offset + 4) & ~static_cast<uint32_t>(mask >> 32)) |
                          static_cast<uint32_t>(value >> 32));
    }
  }

 private:
  static uint64_t ones(unsigned width) {
    return width == 64 ? ~uint64_t{0} : (uint64_t{1} << width) - 1;
  }

  RegisterBank* m_bank;
  uint32_t m_base;
};

}  // namespace presil
