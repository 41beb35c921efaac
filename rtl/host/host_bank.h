// Printed from rtl/host/host.rdl by `python3 rtl/gen/print.py`; do not edit.
// clang-format off
#pragma once

#include <cstdint>

#include "rtl/host/host.h"
#include "rtl/common/register_bank.h"

namespace presil::host {

// Host registers. What the host finds in its tile: identity, time and the interrupt lines of the blocks.
class View : public RegisterView {
 public:
  using RegisterView::RegisterView;

  // id: What this tile is.
  uint8_t id_isa_version() const { return uint8_t(get_bits(PRESIL_HOST_REG_ID, 0, 8, 32)); }
  void set_id_isa_version(uint8_t value) { set_bits(PRESIL_HOST_REG_ID, 0, 8, 32, uint64_t(value)); }
  uint8_t id_most_instances() const { return uint8_t(get_bits(PRESIL_HOST_REG_ID, 8, 8, 32)); }
  void set_id_most_instances(uint8_t value) { set_bits(PRESIL_HOST_REG_ID, 8, 8, 32, uint64_t(value)); }
  uint16_t id_tile() const { return uint16_t(get_bits(PRESIL_HOST_REG_ID, 16, 16, 32)); }
  void set_id_tile(uint16_t value) { set_bits(PRESIL_HOST_REG_ID, 16, 16, 32, uint64_t(value)); }

  // engines: Which engines the tile has.
  uint32_t engines_kinds() const { return uint32_t(get_bits(PRESIL_HOST_REG_ENGINES, 0, 32, 32)); }
  void set_engines_kinds(uint32_t value) { set_bits(PRESIL_HOST_REG_ENGINES, 0, 32, 32, uint64_t(value)); }

  // clock: Clock of the tile.
  uint32_t clock_khz() const { return uint32_t(get_bits(PRESIL_HOST_REG_CLOCK, 0, 32, 32)); }
  void set_clock_khz(uint32_t value) { set_bits(PRESIL_HOST_REG_CLOCK, 0, 32, 32, uint64_t(value)); }

  // sram: SRAM of the tile.
  uint32_t sram_bytes() const { return uint32_t(get_bits(PRESIL_HOST_REG_SRAM, 0, 32, 32)); }
  void set_sram_bytes(uint32_t value) { set_bits(PRESIL_HOST_REG_SRAM, 0, 32, 32, uint64_t(value)); }

  // time: Time. Read high, low, high again until high repeats.
  uint64_t time_cycles() const { return uint64_t(get_bits(PRESIL_HOST_REG_TIME, 0, 64, 64)); }
  void set_time_cycles(uint64_t value) { set_bits(PRESIL_HOST_REG_TIME, 0, 64, 64, uint64_t(value)); }

  // dram: Memory after the crossbar.
  uint64_t dram_bytes() const { return uint64_t(get_bits(PRESIL_HOST_REG_DRAM, 0, 64, 64)); }
  void set_dram_bytes(uint64_t value) { set_bits(PRESIL_HOST_REG_DRAM, 0, 64, 64, uint64_t(value)); }

  // irq_pending: Interrupt lines of the blocks, levels; cleared at the block.
  bool irq_pending_sync() const { return bool(get_bits(PRESIL_HOST_REG_IRQ_PENDING, 0, 1, 32)); }
  void set_irq_pending_sync(bool value) { set_bits(PRESIL_HOST_REG_IRQ_PENDING, 0, 1, 32, uint64_t(value)); }
  bool irq_pending_user() const { return bool(get_bits(PRESIL_HOST_REG_IRQ_PENDING, 1, 1, 32)); }
  void set_irq_pending_user(bool value) { set_bits(PRESIL_HOST_REG_IRQ_PENDING, 1, 1, 32, uint64_t(value)); }
  uint32_t irq_pending_engines() const { return uint32_t(get_bits(PRESIL_HOST_REG_IRQ_PENDING, 2, 30, 32)); }
  void set_irq_pending_engines(uint32_t value) { set_bits(PRESIL_HOST_REG_IRQ_PENDING, 2, 30, 32, uint64_t(value)); }

  // irq_enable: Which lines interrupt the host.
  bool irq_enable_sync() const { return bool(get_bits(PRESIL_HOST_REG_IRQ_ENABLE, 0, 1, 32)); }
  void set_irq_enable_sync(bool value) { set_bits(PRESIL_HOST_REG_IRQ_ENABLE, 0, 1, 32, uint64_t(value)); }
  bool irq_enable_user() const { return bool(get_bits(PRESIL_HOST_REG_IRQ_ENABLE, 1, 1, 32)); }
  void set_irq_enable_user(bool value) { set_bits(PRESIL_HOST_REG_IRQ_ENABLE, 1, 1, 32, uint64_t(value)); }
  uint32_t irq_enable_engines() const { return uint32_t(get_bits(PRESIL_HOST_REG_IRQ_ENABLE, 2, 30, 32)); }
  void set_irq_enable_engines(uint32_t value) { set_bits(PRESIL_HOST_REG_IRQ_ENABLE, 2, 30, 32, uint64_t(value)); }

  // tiles: The tiles of the SoC.
  uint16_t tiles_count() const { return uint16_t(get_bits(PRESIL_HOST_REG_TILES, 0, 16, 32)); }
  void set_tiles_count(uint16_t value) { set_bits(PRESIL_HOST_REG_TILES, 0, 16, 32, uint64_t(value)); }

  // config_hash: SHA-256 of the SoC configuration, first byte in bits 7:0 of word 0. A loadable compiled for another is refused.
  uint32_t config_hash(unsigned i) const { return uint32_t(get_bits(PRESIL_HOST_REG_CONFIG_HASH(i), 0, 32, 32)); }
  void set_config_hash(unsigned i, uint32_t value) { set_bits(PRESIL_HOST_REG_CONFIG_HASH(i), 0, 32, 32, uint64_t(value)); }

  // instances: How many engines of each kind the tile has.
  uint32_t instances_of_kinds(unsigned i) const { return uint32_t(get_bits(PRESIL_HOST_REG_INSTANCES(i), 0, 32, 32)); }
  void set_instances_of_kinds(unsigned i, uint32_t value) { set_bits(PRESIL_HOST_REG_INSTANCES(i), 0, 32, 32, uint64_t(value)); }
};

namespace detail {
// name, offset, reset, readable, writable, w1c, pulse
inline constexpr RegisterWord kHostWords[] = {
    {"id", 0x0, 0x101, 0xffffffff, 0x0, 0x0, 0x0},
    {"engines", 0x4, 0x0, 0xffffffff, 0x0, 0x0, 0x0},
    {"clock", 0x8, 0xf4240, 0xffffffff, 0x0, 0x0, 0x0},
    {"sram", 0xc, 0x100000, 0xffffffff, 0x0, 0x0, 0x0},
    {"time", 0x10, 0x0, 0xffffffff, 0x0, 0x0, 0x0},
    {"time.hi", 0x14, 0x0, 0xffffffff, 0x0, 0x0, 0x0},
    {"dram", 0x18, 0x0, 0xffffffff, 0x0, 0x0, 0x0},
    {"dram.hi", 0x1c, 0x0, 0xffffffff, 0x0, 0x0, 0x0},
    {"irq_pending", 0x20, 0x0, 0xffffffff, 0x0, 0x0, 0x0},
    {"irq_enable", 0x24, 0x0, 0xffffffff, 0xffffffff, 0x0, 0x0},
    {"tiles", 0x28, 0x1, 0xffff, 0x0, 0x0, 0x0},
    {"config_hash[0]", 0x40, 0x0, 0xffffffff, 0x0, 0x0, 0x0},
    {"config_hash[1]", 0x44, 0x0, 0xffffffff, 0x0, 0x0, 0x0},
    {"config_hash[2]", 0x48, 0x0, 0xffffffff, 0x0, 0x0, 0x0},
    {"config_hash[3]", 0x4c, 0x0, 0xffffffff, 0x0, 0x0, 0x0},
    {"config_hash[4]", 0x50, 0x0, 0xffffffff, 0x0, 0x0, 0x0},
    {"config_hash[5]", 0x54, 0x0, 0xffffffff, 0x0, 0x0, 0x0},
    {"config_hash[6]", 0x58, 0x0, 0xffffffff, 0x0, 0x0, 0x0},
    {"config_hash[7]", 0x5c, 0x0, 0xffffffff, 0x0, 0x0, 0x0},
    {"instances[0]", 0x60, 0x0, 0xffffffff, 0x0, 0x0, 0x0},
    {"instances[1]", 0x64, 0x0, 0xffffffff, 0x0, 0x0, 0x0},
    {"instances[2]", 0x68, 0x0, 0xffffffff, 0x0, 0x0, 0x0},
    {"instances[3]", 0x6c, 0x0, 0xffffffff, 0x0, 0x0, 0x0},
    {"instances[4]", 0x70, 0x0, 0xffffffff, 0x0, 0x0, 0x0},
    {"instances[5]", 0x74, 0x0, 0xffffffff, 0x0, 0x0, 0x0},
    {"instances[6]", 0x78, 0x0, 0xffffffff, 0x0, 0x0, 0x0},
    {"instances[7]", 0x7c, 0x0, 0xffffffff, 0x0, 0x0, 0x0},
};
}  // namespace detail

// All registers of the block.
class Bank : public RegisterBank, public View {
 public:
  static constexpr uint32_t kSizeBytes = PRESIL_HOST_SIZE;

  Bank() : RegisterBank(detail::kHostWords, sizeof detail::kHostWords / sizeof detail::kHostWords[0], kSizeBytes), View(static_cast<RegisterBank&>(*this), 0) {}

  using RegisterBank::get;
  using RegisterBank::on_read;
  using RegisterBank::on_write;
  using RegisterBank::set;
};

}  // namespace presil::host
