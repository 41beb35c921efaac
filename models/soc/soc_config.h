// The sizes of a tile and its memory: the one description that models, compiler and platform
// share. A preset is a YAML file in sim/socs with these names (dla.macs_k, sram.bytes, ...); its
// defaults are those of `edge`. Every time is in cycles of the SoC clock unless the name says ps.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace presil {

/// Time in cycles of the SoC clock.
using Cycle = int64_t;

/// Convolution / matrix engine; meanings in rtl/dla/README.md.
struct DlaConfig {
  unsigned units = 1;         ///< DLAs of the tile, all alike: 1 to 4
  unsigned macs_k = 16;       ///< rows: output channels per step, a multiple of 16
  unsigned macs_c = 16;       ///< lanes: input channels per step, a multiple of 16
  unsigned feat_ports = 4;    ///< SRAM read ports for features, one word each
  unsigned weight_ports = 1;  ///< SRAM read ports for weights, parameters, tables
  unsigned acc_depth = 128;   ///< pixels of one accumulator block
  unsigned post_lanes = 16;   ///< requantised results per cycle
  unsigned ew_lanes = 8;      ///< element-wise results per cycle
  unsigned prefetch = 2;      ///< commands fetched ahead of the offered one
  // What other engines of the family have, in time alone; the RTL has the values here.
  unsigned cycles_command = 0;   ///< before the first step of a command: decode, tokens
  unsigned cycles_layer = 0;     ///< before the first command of a layer: set-up by software
  unsigned cycles_step = 1;      ///< of a step: a smaller array takes several turns
  unsigned post_operations = 1;  ///< passes over a result: requantisation by vector instructions
  unsigned post_overlap = 1;     ///< 0: the array stands while results are post-processed
  unsigned memory_overlap = 1;   ///< 0: the array stands while the DMA moves data
  unsigned banks = 16;  ///< of the SRAM: SramConfig::banks, which set_parameter() keeps equal
};

struct DmaConfig {
  unsigned channels = 4;            ///< queues that run side by side
  unsigned bursts_per_channel = 8;  ///< read bursts outstanding per channel
  unsigned bursts_total = 16;       ///< read bursts outstanding in all
  unsigned prefetch = 4;            ///< commands fetched ahead per channel
};

/// Vector DSP; meanings in rtl/dsp/README.md.
struct DspConfig {
  unsigned units = 1;                  ///< DSPs of the tile: 0 or 1
  unsigned vlen = 512;                 ///< bits of a vector register
  unsigned dlen = 256;                 ///< bits that a vector sequencer handles in a cycle
  unsigned elen = 64;                  ///< bits of the widest element: 64 is Zve64f, 32 is Zve32f
  unsigned arithmetic_sequencers = 1;  ///< 1 or 2
  unsigned gather_by_element = 0;      ///< 1: vrgather.vv, vcompress an element a cycle
  uint32_t itcm_bytes = 64 << 10;      ///< instruction memory: most that an image may have
  uint32_t dtcm_bytes = 128 << 10;     ///< data memory, stack included
  unsigned prefetch = 2;               ///< commands fetched ahead of the offered one
};

struct SyncConfig {
  unsigned counters = 64;  ///< timeline counters, id 0 means none
  unsigned slots = 8;      ///< host compare slots
};

struct SramConfig {
  uint32_t bytes = 1u << 20;
  unsigned banks = 16;  ///< a power of two, word-interleaved: bank = address / 16 % banks
};

/// What the controller's queues feed.
enum class DramSetting : uint8_t {
  kReal,       ///< banks, rows, turnarounds, refresh
  kIdeal,      ///< a fixed latency and the peak rate
  kContended,  ///< real, with background masters in the same queues
};
enum class DramRefresh : uint8_t { kPerBank, kAllBanks, kNone };
enum class DramPattern : uint8_t { kStream, kRandom };  ///< of the background masters

/// When an open row is closed without another one being asked for.
enum class DramPage : uint8_t {
  kOpen,      ///< never
  kClosed,    ///< with the last access to it that waits
  kAdaptive,  ///< after t_idle clocks without an access to its bank
};

/// DRAM with one controller per channel. t_*: clocks of clock_ps, as data sheets have them.
/// Sources in sim/socs/edge.yaml; tables of other devices in dram_presets.h.
struct DramConfig {
  uint64_t bytes = 1ull << 30;
  DramSetting setting = DramSetting::kReal;
  unsigned channels = 1;             ///< 1 or 2, each with queues and a bus of its own
  unsigned peak_mb_per_s = 12800;    ///< of all channels together
  unsigned read_latency_ps = 40000;  ///< open row: arrival at the controller to first data
  unsigned ideal_latency_ps = 60000;
  unsigned clock_ps = 625;
  unsigned t_rcd = 29, t_rp = 29, t_ras = 68, t_rrd = 16, t_faw = 64;
  unsigned t_rl = 28, t_dqsck = 6, t_wl = 14, t_dqss = 1, t_wtr = 16, t_wr = 29, t_rtp = 12;
  unsigned t_ccd_l = 0, t_rrd_l = 0, t_wtr_l = 0;  ///< inside a bank group; 0: as outside
  DramRefresh refresh = DramRefresh::kPerBank;
  unsigned t_refi = 6246, t_refi_pb = 780;  ///< between refreshes: of all banks, of any one
  unsigned t_rfc_ab = 448, t_rfc_pb = 224;
  unsigned command_buses = 1;  ///< 2: one for rows and one for columns
  unsigned command_activate = 4, command_precharge = 2, command_column = 4;  ///< clocks of it
  std::string map =
      "row-col2-bank3-col2-channel-col2";  ///< of address bits 6 and up, models/memory
  unsigned bank_hash = 1;                  ///< 1: bank ^= row ^ row >> its bits
  DramPage page = DramPage::kOpen;
  unsigned t_idle = 256;     ///< of kAdaptive
  unsigned read_queue = 32;  ///< bursts, of all channels
  unsigned write_queue = 32;
  unsigned write_high = 80, write_low = 20;  ///< % of write_queue: a drain begins, and ends
  unsigned write_least = 16;                 ///< atoms of a drain, where so many wait
  unsigned write_idle = 0;                   ///< clocks without a read: a drain begins, too
  unsigned background_mb_per_s = 3200;
  DramPattern background_pattern = DramPattern::kStream;
  unsigned background_seed = 1;
};

struct NocConfig {
  unsigned data_bytes = 16;            ///< width of an AXI data beat, a power of two
  unsigned cycles_request = 4;         ///< AR or last W at the master to arrival at the slave
  unsigned cycles_response = 4;        ///< slave output to R or B at the master
  unsigned cycles_register_write = 8;  ///< host store to register effect
  unsigned cycles_register_read = 16;  ///< host load, both ways
};

/// Cycles of one kernel of driver/kernels/host.
struct KernelPrice {
  double call = 0;     ///< besides what every task takes
  double element = 0;  ///< for each that presil_kernel_elements counts: MACs, taps, results
  double byte = 0;     ///< of operands and results
};
/// The name of a price that all kernels have which the list does not name.
inline constexpr const char* kOtherKernels = "other";

/// Those of `edge`.
std::map<std::string, KernelPrice> assumed_kernel_prices();

/// The ARM with its native cost model: what it takes, from the list `base` (host_prices.h) as far
/// as nothing else is said. A task takes
///
///   cycles_call + its kernel's call + elements * element + bytes * byte
///   + lines of its bytes * cycles_cache_line.
///
/// As made it is the list of `edge`: assumed, not executed, of a core whose caches hide the DRAM;
/// the driver's code by 1.3 cycles an instruction of `--host aarch64`.
struct HostConfig {
  std::string base = "assumed_edge";
  unsigned cycles_submit = 2300;        ///< driver's code of a job's submission, besides queues
  unsigned cycles_submit_queue = 2400;  ///< the same for each queue: ring entry, its CRC
  unsigned cycles_return = 2000;        ///< driver's code from its last interrupt to the program
  unsigned cycles_cache_line = 4;       ///< a line cleaned or invalidated, besides its bytes' way
  unsigned cache_line_bytes = 64;       ///< a power of two; 0: it has no data cache
  unsigned cycles_interrupt = 200;      ///< interrupt line to first register access of the driver
  unsigned cycles_call = 100;           ///< a task read, checked and prepared, whatever its kernel
  double bytes_per_cycle = 8;           ///< of DRAM, in copies of the program and cleaned lines
  /// By what presil_kernel_price calls it. Softmax counts its inputs; nms, detections, box_decode
  /// the scores.
  std::map<std::string, KernelPrice> kernels = assumed_kernel_prices();
};

/// The kernel's own price, or that of others; null: there is neither.
inline const KernelPrice* price_of(const HostConfig& host, const std::string& kernel) {
  auto found = host.kernels.find(kernel);
  if (found == host.kernels.end()) found = host.kernels.find(kOtherKernels);
  return found == host.kernels.end() ? nullptr : &found->second;
}

/// An engine from a folder outside presil (sim/engine). Which parameters it has, and their ranges,
/// its engine.yaml says: they are checked where the engine is known.
struct EngineConfig {
  unsigned units = 1;  ///< instances, all alike; 0: as if it were not named
  std::map<std::string, uint64_t> parameters;
};

struct SocConfig {
  SocConfig();
  SocConfig(const SocConfig&);
  SocConfig(SocConfig&&) noexcept;
  SocConfig& operator=(const SocConfig&);
  SocConfig& operator=(SocConfig&&) noexcept;
  ~SocConfig();

  std::string name = "edge";
  unsigned clock_mhz = 1000;
  DlaConfig dla;
  DmaConfig dma;
  DspConfig dsp;
  SyncConfig sync;
  SramConfig sram;
  DramConfig dram;
  NocConfig noc;
  HostConfig host;
  std::map<std::string, EngineConfig> engines;  ///< by name
  /// Of a SoC of several tiles, those after the first, which is described here; clock and DRAM are
  /// those of the first. Without further tiles of their own.
  std::vector<SocConfig> others;
};

/// Tiles that a SoC can have.
inline constexpr unsigned kMostTiles = 64;

inline unsigned tiles_of(const SocConfig& config) {
  return 1 + static_cast<unsigned>(config.others.size());
}
/// A tile as a SoC of its own: what programs are compiled for, and what its registers say it is.
/// Of several its name is that of the SoC and "-tile<n>".
SocConfig tile_of(const SocConfig& config, unsigned tile);

/// Every parameter as sorted "name=value" lines: what a loadable's stamp is the SHA-256 of. Engines
/// from outside, where there are any: "engines.<name>.units", "engines.<name>.<parameter>". Of
/// several tiles "tiles", and "tiles.<n>.<parameter>" where tile n has another value than tile 0.
std::string canonical_text(const SocConfig& config);

/// The same, and engines from outside with units 0: a process that adds the engines which it knows
/// to each SoC leaves these out. set_parameter of every line gives the same SoC again.
std::string complete_text(const SocConfig& config);

/// Sets one parameter by its name in the YAML, e.g. ("dla.macs_k", "32"), in every tile;
/// ("tiles.1.dla.macs_k", "32") in one of them; ("tiles", "4"): so many, further ones like the
/// first; "dram.preset" sets those of a memory in
/// dram_presets.h, "host.base" those of a list in host_prices.h.
/// @throws Refusal for an unknown name or a value outside its range
void set_parameter(SocConfig& config, const std::string& name, const std::string& value);

/// @throws Refusal where parameters that are legal one by one contradict each other
void check(const SocConfig& config);

}  // namespace presil
