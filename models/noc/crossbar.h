// The data crossbar of a tile as time: fetch units, DMA data port (and later DSP and host) on one
// side, SRAM window and the tile's port of the DRAM controller on the other. Arbitration per burst,
// round robin over the inputs: enum presil_queue, the DMA's data port, the user's block; one grant
// per cycle, slave and direction. It never looks at bytes.
//
// Timing on `edge`; the README has the equations.
//   AR granted in c: at the slave in c + 4; the slave's data: at the master 4 later.
//   R: starts when the first atom is there and the R ports of slave and master are free; one beat
//      per cycle as the atoms come, bursts whole.
//   W: AW granted when the write queue has a free entry; w_first = max(data there, aw + 1, W port
//   free),
//      one beat per cycle; arrival = w_last + 4; B = arrival + 4.
//   SRAM window: first word 2 cycles after arrival, then one per cycle: 4 + 2 + 4 = 10 in all.
#pragma once

#include <array>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "models/common/ports.h"
#include "models/common/timeline.h"
#include "models/memory/dram.h"
#include "models/memory/memory_core.h"
#include "models/noc/dma_sink.h"
#include "models/noc/dram_ports.h"
#include "models/noc/fabric.h"

namespace presil::noc {

inline constexpr Cycle cycles_sram_window = 2;  ///< arrival to the first word

class Crossbar : public Fabric, private DramPorts::User {
 public:
  /// @param dram  that other tiles use, too; nullptr: one of its own
  Crossbar(const SocConfig& config, Cycle period_ps, Timeline& timeline, memory::SystemBytes& map,
           DramPorts* dram = nullptr);
  ~Crossbar() override;

  BurstPort& port(unsigned input) override { return *m_ports[input]; }
  void read(unsigned input, const Burst& burst, ReadDone done) override;
  void write(unsigned input, const WriteBurst& write, WriteDone done) override;
  Cycle reserve_dma_sink(Cycle earliest, unsigned cycles, unsigned next) override;
  Cycle gone(uint32_t booking, Cycle otherwise) const override;

  /// The last W beat of a burst that was sent_later leaves, now.
  void sent(uint32_t token, Cycle now);

  /// The DMA has not taken a beat from the DRAM: its R port and the slave's are free from `until`
  /// on.
  void hold_dma_sink(Cycle until);

  const memory::DramStatistics& dram_statistics() const { return m_dram.statistics(); }

  /// A memory that errs, to see what masters do about it: bursts for which `fails` holds are
  /// answered with SLVERR in their time.
  void fail(std::function<bool(const Burst&)> fails) { m_fails = std::move(fails); }

  /// What happens to a burst on its way.
  struct BurstFault {
    bool error = false;  ///< answered with SLVERR
    Cycle late = 0;      ///< cycles that it stands on its way; bursts of other ids pass a read
  };
  /// Asked for every burst when its master sends it; empty: none is disturbed.
  void disturb(std::function<BurstFault(const Burst&)> fault) { m_disturb = std::move(fault); }

 private:
  class Port;
  struct Request {
    Burst burst;
    Cycle data_first = 0;  // of a write
    unsigned data_cycles = 0;
    bool sent_later = false;
    unsigned input = 0;
    ReadDone read_done;
    WriteDone write_done;
    bool failed = false;   // by disturb()
    bool decided = false;  // a read of the DRAM whose times are known
    memory::DramTimes dram;
  };
  static_assert(kInputs <= 32, "a bit each");
  struct Channel {                                      // one slave, one direction
    std::array<std::deque<uint32_t>, kInputs> waiting;  // requests by input, by ready time
    uint32_t inputs = 0;                                // bit i: waiting[i] is not empty
    unsigned last_input = kInputs - 1;                  // round robin from reset: input 0 first
    Cycle next_grant = 0;
    Cycle wakes_at = Timeline::kNever;
    unsigned places = 0;  // of the SRAM window, not reserved; those of the DRAM are m_dram's
  };
  enum : unsigned { kDramRead, kDramWrite, kSramRead, kSramWrite, kChannels };
  static_assert(kDramRead == unsigned{DramPorts::kRead} &&
                kDramWrite == unsigned{DramPorts::kWrite});

  bool fails(const Request& request) const {
    return request.failed || (m_fails && m_fails(request.burst));
  }
  void disturb_read(unsigned channel, uint32_t token);
  uint32_t hold(unsigned input, const Burst& burst);
  void release(uint32_t token) { m_free.push_back(token); }
  void enqueue(unsigned channel, uint32_t token);
  void wake(unsigned channel, Cycle at);
  void arbitrate(unsigned channel);
  void grant(unsigned channel, uint32_t token, Cycle now);
  void grant_write(unsigned channel, uint32_t token, Cycle now);
  unsigned places(unsigned channel) const {
    return channel <= kDramWrite ? m_dram.places(channel) : m_channels[channel].places;
  }
  void take_place(unsigned channel);
  void push(uint32_t token, bool write);
  void arrives(uint32_t token, bool dram, Cycle at);
  void answer_sram(uint32_t token);
  BurstTimes book(const Burst& burst, unsigned input, Cycle& slave_free, Cycle first_ready,
                  int64_t first_ps, int64_t atom_ps);
  Cycle& return_port(unsigned input);
  void read_decided(uint32_t token, const memory::DramTimes& times) override;
  void write_decided(uint32_t token) override;
  void place_free(unsigned direction) override;
  std::deque<uint32_t>& returning_of(const Request& request);
  void answer_dram(uint32_t token);

  NocConfig m_config;
  const int64_t m_dram_channels;
  Cycle m_period_ps;
  Timeline& m_timeline;
  memory::SystemBytes& m_map;
  std::unique_ptr<DramPorts> m_own_dram;
  DramPorts& m_dram;
  const unsigned m_tile;  // of m_dram
  std::function<bool(const Burst&)> m_fails;
  std::function<BurstFault(const Burst&)> m_disturb;
  std::map<unsigned, std::deque<uint32_t>> m_standing;  // reads, by input and id: none passes
  std::vector<std::unique_ptr<BurstPort>> m_ports;
  std::vector<Request> m_requests;  // by token
  std::vector<uint32_t> m_free;
  std::array<Channel, kChannels> m_channels;
  // Reads under way at the DRAM, by input and AXI id (the asking queue): data return in this order.
  std::array<std::deque<uint32_t>, kInputs * PRESIL_QUEUES> m_returning;
  Cycle m_dram_r_free = 0, m_sram_r_free = 0;  // R port of the slaves; the DRAM's has one a tile
  std::array<Cycle, 2> m_w_free{};             // W port of the slaves
  std::array<Cycle, kInputs> m_return_free{};  // R port of the masters
  DmaSink m_dma_sink;                          // but of the DMA's data
};

}  // namespace presil::noc
