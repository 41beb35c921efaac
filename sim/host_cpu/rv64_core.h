// A RISC-V core of 64 bits (models/rv64) as a host. It sees the tile and the DRAM by the same
// windows as a core of 32 bits; the tile's line is its external interrupt.
#pragma once

#include <vector>

#include "models/base/elf_file.h"
#include "models/dsp/dsp_trace.h"
#include "models/rv64/rv64_core.h"
#include "sim/host_cpu/host_core.h"

namespace presil::host_cpu {

class Rv64Core : public HostCore {
 public:
  Rv64Core(const std::string& core_file, const std::string& firmware);

  void add(const CoreRegion& region) override;
  bool move(uint32_t base, uint8_t* host) override;
  uint8_t* at(uint32_t address, uint32_t bytes) override {
    return m_core.memory().at(address, bytes, dsp::kWrite);
  }
  void reset() override;
  CoreStop run(uint64_t cycle) override;
  void sleep_until(uint64_t cycle) override { m_core.run_until(cycle); }
  uint64_t next_event() const override { return m_core.next_event(); }
  void set_interrupt(bool level) override { m_core.set_interrupt(level); }
  void add_wait(uint64_t cycles) override { m_core.add_wait(cycles); }
  uint64_t cycle() const override { return m_core.cycle(); }
  uint64_t instructions() const override { return m_core.instructions(); }
  uint64_t pc() const override { return m_core.pc(); }
  /// That of a program that has failed is in mscratch (driver/port/baremetal/rv64/startup.c).
  uint64_t stack_pointer() const override {
    const uint64_t failed = m_core.machine().scratch();
    return failed != 0 ? failed : m_core.hart().x[2];
  }
  std::string function_at(uint64_t address) const override {
    return elf::place_in(m_program.functions, address);
  }
  const char* fault_words() const override { return "mepc, ra, mcause, mtval"; }
  std::string fault() const override;
  std::unique_ptr<CoreDebug> debug(debug::Debugger& debugger) override;
  bool observe(CoreObserver* observer) override;
  void set_console(std::function<void(const std::string&)> console) override {
    m_core.set_console(std::move(console));
  }

 private:
  class Device : public dsp::Device {
   public:
    explicit Device(CoreDevice& device) : m_device(device) {}
    Answer load(uint64_t address, unsigned bytes, uint64_t cycle, uint64_t& value) override;
    Answer store(uint64_t address, unsigned bytes, uint64_t cycle, uint64_t value) override;
    bool peek(uint64_t address, bool write, uint32_t& value) override {
      return m_device.peek(static_cast<uint32_t>(address), write, value);
    }

   private:
    CoreDevice& m_device;
  };

  /// An observer as this core calls it.
  class Told : public dsp::Tracer {
   public:
    explicit Told(CoreObserver& observer) : m_observer(observer) {}
    void before(const dsp::Hart&, const dsp::Decoded& op, uint64_t cycle) override {
      m_observer.at(op.pc, cycle);
    }
    void stopped(const dsp::Hart&) override {}

   private:
    CoreObserver& m_observer;
  };

  const std::string m_firmware;
  elf::Program m_program;
  rv64::Core m_core;
  std::vector<std::unique_ptr<Device>> m_devices;
  std::unique_ptr<Told> m_told;
};

}  // namespace presil::host_cpu
