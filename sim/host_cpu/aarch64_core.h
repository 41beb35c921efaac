// An AArch64 core as a host: Unicorn in a process of its own (aarch64/process.cpp). They take
// turns: the core runs up to a cycle, a device, a sleep, its end; the simulation while the core
// stands.
//
// Timing: an instruction takes the same as every other, `cycles_per_instruction` of the core's
// file; a block of them is counted when it begins. Accesses of memory are in that price.
#pragma once

#include <vector>

#include "models/base/elf_file.h"
#include "sim/host_cpu/aarch64/channel.h"
#include "sim/host_cpu/aarch64_peripherals.h"
#include "sim/host_cpu/host_core.h"
#include "sim/host_cpu/shared_pages.h"

namespace presil::host_cpu {

class Aarch64Core : public HostCore {
 public:
  Aarch64Core(const std::string& core_file, const std::string& firmware);
  ~Aarch64Core() override;

  uint8_t* memory(uint32_t bytes) override;
  void add(const CoreRegion& region) override;
  bool move(uint32_t base, uint8_t* host) override;
  uint8_t* at(uint32_t address, uint32_t bytes) override;
  void reset() override;
  CoreStop run(uint64_t cycle) override;
  void sleep_until(uint64_t cycle) override;
  uint64_t next_event() const override;
  void set_interrupt(bool level) override { m_distributor.set_line(level); }
  void add_wait(uint64_t cycles) override { m_channel->waited += cycles; }
  uint64_t cycle() const override { return m_channel->cycle(); }
  uint64_t instructions() const override { return m_channel->instructions; }
  uint64_t pc() const override { return m_channel->pc; }
  uint64_t stack_pointer() const override { return m_channel->sp; }
  std::string function_at(uint64_t address) const override {
    return elf::place_in(m_program.functions, address);
  }
  const char* fault_words() const override { return "ELR, LR, ESR, FAR"; }
  std::string fault() const override;
  std::unique_ptr<CoreDebug> debug(debug::Debugger& debugger) override;
  void set_console(std::function<void(const std::string&)> console) override {
    m_console = std::move(console);
  }

 private:
  class Debug;

  /// A region with the bytes or the device of this process.
  struct Part {
    aarch64::Region region;
    uint8_t* host = nullptr;
    CoreDevice* device = nullptr;
  };
  struct Mapped {
    uint8_t* host;
    uint64_t bytes, offset;
  };

  void ask_debugger();
  bool device_at(uint64_t address) const;
  bool reach(uint64_t address, uint8_t* data, size_t bytes, bool write) const;
  void add_part(const CoreRegion& from, uint64_t offset);
  void start();
  void end();
  void give_turn();
  bool access();

  const std::string m_firmware;
  elf::Program m_program;
  SharedFile m_file;
  aarch64::Channel* m_channel;
  std::vector<Mapped> m_mapped;  // memory of its own
  std::vector<Part> m_parts;
  Distributor m_distributor;
  TimerFrame m_timer;
  std::function<void(const std::string&)> m_console;
  uint32_t m_centicycles;
  int m_process = -1;
  Debug* m_debug = nullptr;  // while there is one: aarch64_debug.cpp
  bool m_at_device = false;  // it waits for the answer of an access
};

}  // namespace presil::host_cpu
