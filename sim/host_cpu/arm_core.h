// A core of the M profile (models/cpu) as a host.
#pragma once

#include <vector>

#include "models/cpu/cpu_core.h"
#include "models/cpu/cpu_elf.h"
#include "sim/host_cpu/host_core.h"

namespace presil::host_cpu {

class ArmCore : public HostCore {
 public:
  ArmCore(const std::string& core_file, const std::string& firmware);

  void add(const CoreRegion& region) override;
  bool move(uint32_t base, uint8_t* host) override {
    m_core.memory().move(base, host);
    return true;
  }
  uint8_t* at(uint32_t address, uint32_t bytes) override {
    return m_core.memory().at(address, bytes, cpu::kWrite);
  }
  void reset() override;
  CoreStop run(uint64_t cycle) override;
  void sleep_until(uint64_t cycle) override { m_core.run_until(cycle); }
  uint64_t next_event() const override { return m_core.next_event(); }
  void set_interrupt(bool level) override { m_core.set_interrupt(kLine, level); }
  void add_wait(uint64_t cycles) override { m_core.add_wait(cycles); }
  uint64_t cycle() const override { return m_core.cycle(); }
  uint64_t instructions() const override { return m_core.instructions(); }
  uint64_t pc() const override { return m_core.hart().pc; }
  uint64_t stack_pointer() const override { return m_core.hart().r[13]; }
  std::string function_at(uint64_t address) const override {
    return cpu::function_at(m_image, static_cast<uint32_t>(address));
  }
  std::string fault() const override;
  std::unique_ptr<CoreDebug> debug(debug::Debugger& debugger) override;
  bool observe(CoreObserver* observer) override;
  const char* fault_words() const override { return "PC, LR, CFSR, BFAR"; }
  void set_console(std::function<void(const std::string&)> console) override {
    m_core.set_console(std::move(console));
  }

 private:
  static constexpr unsigned kLine = 0;
  /// A device as this core calls it.
  class Device : public cpu::Device {
   public:
    explicit Device(CoreDevice& device) : m_device(device) {}
    Answer load(uint32_t address, unsigned bytes, uint64_t cycle, uint32_t& value) override;
    Answer store(uint32_t address, unsigned bytes, uint64_t cycle, uint32_t value) override;
    bool peek(uint32_t address, bool write, uint32_t& value) override {
      return m_device.peek(address, write, value);
    }

   private:
    CoreDevice& m_device;
  };

  /// An observer as this core calls it.
  class Told : public cpu::Tracer {
   public:
    Told(const cpu::Core& core, CoreObserver& observer) : m_core(core), m_observer(observer) {}
    bool before(cpu::Hart&, const cpu::Decoded& op) override {
      m_observer.at(op.pc, m_core.cycle() + op.at);
      return false;
    }

   private:
    const cpu::Core& m_core;
    CoreObserver& m_observer;
  };

  const std::string m_firmware;
  cpu::Image m_image;
  cpu::Core m_core;
  std::vector<std::unique_ptr<Device>> m_devices;
  std::unique_ptr<Told> m_told;
};

}  // namespace presil::host_cpu
