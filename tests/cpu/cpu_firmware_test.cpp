// The driver as firmware: driver/core and the bare-metal port, compiled by clang-19, run on the
// core before the mock's registers; the same program runs natively on the mock.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "driver/port/mock/mock_port.h"
#include "models/cpu/cpu_core.h"
#include "models/cpu/cpu_elf.h"
#include "tests/cpu/firmware/exercise.h"

namespace presil::cpu {
namespace {

constexpr const char* kNoClang =
    "SKIPPED: firmware is not compiled, clang-19 and ld.lld-19 are not installed (packages "
    "clang-19 "
    "lld-19)";

bool has_clang() {
  return std::system(
             "clang-19 --version > /dev/null 2>&1 && ld.lld-19 --version > /dev/null 2>&1") == 0;
}

// The window of registers: what the mock answers. Its interrupt line follows `raised`.
struct Tile : Device {
  driver::MockPort mock;
  Answer load(uint32_t address, unsigned bytes, uint64_t, uint32_t& value) override {
    if (bytes != 4) return Answer::kRefused;
    value = mock.port()->read32(mock.port()->self, address & 0x3ffffff);
    return Answer::kDone;
  }
  Answer store(uint32_t address, unsigned bytes, uint64_t, uint32_t value) override {
    if (bytes != 4) return Answer::kRefused;
    mock.port()->write32(mock.port()->self, address & 0x3ffffff, value);
    return Answer::kDone;
  }
};

// Capabilities, as a SoC would have them; both runs see the same.
void set_up(driver::MockPort& mock) {
  mock.host.set(PRESIL_HOST_REG_SRAM, 1 << 20);
  // after the wait of 50 us that times out, within the one of 10 ms
  mock.at(60000, [&mock] {
    mock.queue(PRESIL_QUEUE_DMA0).set(PRESIL_QUEUE_REG_IRQ_ENABLE, ~0u);
    mock.queue(PRESIL_QUEUE_DMA0).set_irq_status_error(true);
  });
}

struct Result {
  std::string text;
  int status = -1;
  std::vector<driver::MockPort::Write> writes;
  uint64_t cycles = 0, instructions = 0;
};

std::string* native_text = nullptr;

Result run_natively() {
  Result result;
  driver::MockPort mock;
  set_up(mock);
  native_text = &result.text;
  result.status = presil_exercise(mock.port(), [](const char* text) { *native_text += text; });
  result.writes = mock.writes;
  return result;
}

Region region(uint32_t base, std::vector<uint8_t>& bytes, uint8_t rights) {
  Region r;
  r.base = base;
  r.bytes = static_cast<uint32_t>(bytes.size());
  r.host = bytes.data();
  r.rights = rights;
  return r;
}

Result run_firmware(const std::string& elf, const Config& config) {
  std::vector<uint8_t> flash(1 << 20), ram(256 << 10), dram(1 << 20);
  Tile tile;
  set_up(tile.mock);
  Core core(config);
  core.memory().add(region(0, flash, kRead | kExecute));
  core.memory().add(region(0x20000000, ram, kRead | kWrite));
  core.memory().add(region(0x60000000, dram, kRead | kWrite));
  Region registers;
  registers.base = 0x40000000;
  registers.bytes = 1 << 26;
  registers.rights = kRead | kWrite;
  registers.device = &tile;
  core.memory().add(registers);
  load(read_elf(elf), elf, core.memory());
  core.reset(0);
  Result result;
  core.set_console([&result](const std::string& text) { result.text += text; });
  // the line goes up while it sleeps, 100 us after the wait that timed out
  while (result.text.find("wait 1\n") == std::string::npos && core.cycle() < 10000000)
    core.run_until(core.cycle() + 1000);
  core.run_until(core.cycle() + 10000);
  EXPECT_TRUE(core.sleeping());
  core.set_interrupt(5, true);
  const Stop& stop = core.run_until(100000000);
  EXPECT_EQ(stop.reason, Reason::kExit) << "pc " << function_at(read_elf(elf), stop.pc);
  result.status = static_cast<int>(stop.status);
  result.writes = tile.mock.writes;
  result.cycles = core.cycle();
  result.instructions = core.instructions();
  return result;
}

TEST(CpuFirmware, driver_writes_the_same_registers_as_natively) {
  if (!has_clang()) GTEST_SKIP() << kNoClang;
  const Result native = run_natively();
  ASSERT_EQ(native.status, 0) << native.text;
  EXPECT_GT(native.writes.size(), 10u);
  for (const char* cpu : {"m33", "m4"}) {
    const std::string elf = (std::filesystem::temp_directory_path() /
                             ("presil-firmware-" + std::to_string(getpid()) + cpu + ".elf"))
                                .string();
    const std::string command =
        "/usr/bin/python3 driver/port/baremetal/firmware.py tests/cpu/firmware/main.c "
        "tests/cpu/firmware/exercise.c --cpu " +
        std::string(cpu) + " -o " + elf;
    ASSERT_EQ(std::system(command.c_str()), 0) << command;
    const Result firmware =
        run_firmware(elf, read_config(std::string("models/cpu/cores/cortex_") + cpu + ".yaml"));
    std::filesystem::remove(elf);
    EXPECT_EQ(firmware.status, 0) << firmware.text;
    EXPECT_EQ(firmware.text, native.text) << cpu;
    ASSERT_EQ(firmware.writes.size(), native.writes.size()) << cpu;
    for (size_t i = 0; i < native.writes.size(); ++i) {
      EXPECT_EQ(firmware.writes[i].address, native.writes[i].address) << cpu << " write " << i;
      EXPECT_EQ(firmware.writes[i].value, native.writes[i].value) << cpu << " write " << i;
    }
    RecordProperty(std::string("cycles_") + cpu, std::to_string(firmware.cycles));
    RecordProperty(std::string("instructions_") + cpu, std::to_string(firmware.instructions));
  }
}

}  // namespace
}  // namespace presil::cpu
