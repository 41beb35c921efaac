// The block in SystemC: registers after the socket, a command from doorbell to result in kernel
// time.
#include <gtest/gtest.h>
#include <tlm_utils/simple_initiator_socket.h>

#include "models/dla/dla.h"
#include "tests/dla/dla_world.h"

namespace presil::dla {
namespace {

struct Bus : sc_core::sc_module {
  tlm_utils::simple_initiator_socket<Bus> out{"out"};
  explicit Bus(sc_core::sc_module_name name) : sc_module(name) {}

  tlm::tlm_response_status access(tlm::tlm_command command, uint64_t address, uint32_t& data,
                                  unsigned bytes = 4) {
    tlm::tlm_generic_payload payload;
    payload.set_command(command);
    payload.set_address(address);
    payload.set_data_ptr(reinterpret_cast<unsigned char*>(&data));
    payload.set_data_length(bytes);
    payload.set_streaming_width(bytes);
    sc_core::sc_time delay;
    out->b_transport(payload, delay);
    return payload.get_response_status();
  }
  void write(uint64_t address, uint32_t value) {
    EXPECT_EQ(access(tlm::TLM_WRITE_COMMAND, address, value), tlm::TLM_OK_RESPONSE);
  }
};

TEST(DlaSmoke, a_nop_goes_from_doorbell_to_head_in_kernel_time) {
  SocConfig config;
  Timekeeper timekeeper("timekeeper", 1000);
  test::Memory dram(PRESIL_DRAM_BASE, 1 << 20), sram(0, config.sram.bytes);
  test::FixedLatency fetch;
  sync::SyncUnit sync(config.sync, timekeeper.timeline());
  Dla dla("dla", PRESIL_QUEUE_DLA, config, timekeeper, fetch, dram, sram,
          sync.port(PRESIL_QUEUE_DLA));
  Bus bus("bus");
  bus.out.bind(dla.registers);
  sc_core::sc_start(sc_core::SC_ZERO_TIME);

  uint32_t value = 0;
  EXPECT_EQ(bus.access(tlm::TLM_READ_COMMAND, PRESIL_DLA_REG_ARRAY, value), tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(value, 0x100010u);
  EXPECT_EQ(bus.access(tlm::TLM_READ_COMMAND, 0x100, value), tlm::TLM_ADDRESS_ERROR_RESPONSE);
  EXPECT_EQ(bus.access(tlm::TLM_WRITE_COMMAND, PRESIL_DLA_REG_ARRAY, value),
            tlm::TLM_ADDRESS_ERROR_RESPONSE);
  for (const unsigned bytes : {2u, 8u}) {
    EXPECT_EQ(bus.access(tlm::TLM_READ_COMMAND, PRESIL_DLA_REG_ARRAY, value, bytes),
              tlm::TLM_BURST_ERROR_RESPONSE);
  }

  Command nop;
  nop.signal = 1;
  nop.signal_add = 1;
  uint32_t words[Command::kWords];
  nop.encode(words);
  std::memcpy(dram.bytes_at(test::World::kStream, sizeof words), words, sizeof words);
  JobEntry job;
  job.stream_address = test::World::kStream;
  job.sync_count = 1;
  uint32_t entry[JobEntry::kWords];
  job.encode(entry);
  std::memcpy(dram.bytes_at(test::World::kRing, sizeof entry), entry, sizeof entry);
  const uint64_t queue = PRESIL_DLA_REG_QUEUE;
  bus.write(queue + PRESIL_QUEUE_REG_RING_BASE, static_cast<uint32_t>(test::World::kRing));
  bus.write(queue + PRESIL_QUEUE_REG_RING_BASE_HI, static_cast<uint32_t>(test::World::kRing >> 32));
  bus.write(queue + PRESIL_QUEUE_REG_CONTROL, PRESIL_QUEUE_CONTROL_ENABLE_MASK);
  bus.write(queue + PRESIL_QUEUE_REG_TAIL, 1);

  CommandRecord record;
  dla.engine().observe([&](const CommandRecord& r) {
    record = r;
    // The observer runs in the kernel cycle of the end.
    EXPECT_EQ(sc_core::sc_time_stamp(),
              sc_core::sc_time(static_cast<double>(r.end), sc_core::SC_NS));
  });
  sc_core::sc_start(1, sc_core::SC_US);
  EXPECT_EQ(record.end, test::World::kFirstOffer + 2);
  EXPECT_EQ(bus.access(tlm::TLM_READ_COMMAND, queue + PRESIL_QUEUE_REG_HEAD, value),
            tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(value, 1u);
  EXPECT_EQ(sync.counter(1), 1u);
}

}  // namespace
}  // namespace presil::dla
