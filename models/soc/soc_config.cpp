#include "models/soc/soc_config.h"

#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <type_traits>
#include <vector>

#include "models/base/closest.h"
#include "models/base/refusal.h"
#include "models/soc/dram_map.h"
#include "models/soc/dram_presets.h"
#include "models/soc/host_prices.h"
#include "rtl/soc/engine_kinds.h"

namespace presil {
namespace {

// The names of enumerated parameters, in the order of their values.
constexpr std::array<const char*, 3> names_of(DramSetting) {
  return {"real", "ideal", "contended"};
}
constexpr std::array<const char*, 3> names_of(DramRefresh) {
  return {"per_bank", "all_banks", "none"};
}
constexpr std::array<const char*, 3> names_of(DramPage) {
  return {"open", "closed", "adaptive"};
}
constexpr std::array<const char*, 2> names_of(DramPattern) {
  return {"stream", "random"};
}

/// The one list of parameters: calls f(name, member, least, most) for each number and
/// f(name, member) for each enumerated one, and for text.
template <class Config, class F>
void for_each_parameter(Config& c, F&& f) {
  f("clock_mhz", c.clock_mhz, 1, 10000);
  f("dla.units", c.dla.units, 1, 4);
  f("dla.macs_k", c.dla.macs_k, 16, 64);
  f("dla.macs_c", c.dla.macs_c, 16, 64);
  f("dla.feat_ports", c.dla.feat_ports, 1, 16);
  f("dla.weight_ports", c.dla.weight_ports, 1, 16);
  f("dla.acc_depth", c.dla.acc_depth, 16, 128);
  f("dla.post_lanes", c.dla.post_lanes, 1, 64);
  f("dla.ew_lanes", c.dla.ew_lanes, 1, 64);
  f("dla.prefetch", c.dla.prefetch, 1, 16);
  f("dla.cycles_command", c.dla.cycles_command, 0, 1000000);
  f("dla.cycles_layer", c.dla.cycles_layer, 0, 10000000);
  f("dla.cycles_step", c.dla.cycles_step, 1, 64);
  f("dla.post_operations", c.dla.post_operations, 1, 64);
  f("dla.post_overlap", c.dla.post_overlap, 0, 1);
  f("dla.memory_overlap", c.dla.memory_overlap, 0, 1);
  f("dma.channels", c.dma.channels, 1, 8);
  f("dma.bursts_per_channel", c.dma.bursts_per_channel, 1, 64);
  f("dma.bursts_total", c.dma.bursts_total, 1, 64);
  f("dma.prefetch", c.dma.prefetch, 1, 16);
  f("dsp.units", c.dsp.units, 0, 1);
  f("dsp.vlen", c.dsp.vlen, 128, 1024);
  f("dsp.dlen", c.dsp.dlen, 64, 512);
  f("dsp.elen", c.dsp.elen, 32, 64);
  f("dsp.arithmetic_sequencers", c.dsp.arithmetic_sequencers, 1, 2);
  f("dsp.gather_by_element", c.dsp.gather_by_element, 0, 1);
  f("dsp.itcm_bytes", c.dsp.itcm_bytes, 4096, 1 << 20);
  f("dsp.dtcm_bytes", c.dsp.dtcm_bytes, 16384, 1 << 20);
  f("dsp.prefetch", c.dsp.prefetch, 1, 16);
  f("sync.counters", c.sync.counters, 16, 255);
  f("sync.slots", c.sync.slots, 1, 8);
  f("sram.bytes", c.sram.bytes, 16 << 10, 16 << 20);
  f("sram.banks", c.sram.banks, 1, 64);
  f("dram.bytes", c.dram.bytes, 1 << 20, 1ll << 36);
  f("dram.peak_mb_per_s", c.dram.peak_mb_per_s, 10, 1000000);
  f("dram.setting", c.dram.setting);
  f("dram.channels", c.dram.channels, 1, 2);
  f("dram.read_latency_ps", c.dram.read_latency_ps, 0, 10000000);
  f("dram.ideal_latency_ps", c.dram.ideal_latency_ps, 0, 10000000);
  f("dram.clock_ps", c.dram.clock_ps, 100, 100000);
  f("dram.t_rcd", c.dram.t_rcd, 0, 1000);
  f("dram.t_rp", c.dram.t_rp, 0, 1000);
  f("dram.t_ras", c.dram.t_ras, 0, 1000);
  f("dram.t_rrd", c.dram.t_rrd, 0, 1000);
  f("dram.t_faw", c.dram.t_faw, 0, 1000);
  f("dram.t_rl", c.dram.t_rl, 0, 1000);
  f("dram.t_dqsck", c.dram.t_dqsck, 0, 1000);
  f("dram.t_wl", c.dram.t_wl, 0, 1000);
  f("dram.t_dqss", c.dram.t_dqss, 0, 1000);
  f("dram.t_wtr", c.dram.t_wtr, 0, 1000);
  f("dram.t_wr", c.dram.t_wr, 0, 1000);
  f("dram.t_rtp", c.dram.t_rtp, 0, 1000);
  f("dram.t_ccd_l", c.dram.t_ccd_l, 0, 1000);
  f("dram.t_rrd_l", c.dram.t_rrd_l, 0, 1000);
  f("dram.t_wtr_l", c.dram.t_wtr_l, 0, 1000);
  f("dram.refresh", c.dram.refresh);
  f("dram.t_refi", c.dram.t_refi, 1, 1000000);
  f("dram.t_refi_pb", c.dram.t_refi_pb, 1, 1000000);
  f("dram.t_rfc_ab", c.dram.t_rfc_ab, 0, 100000);
  f("dram.t_rfc_pb", c.dram.t_rfc_pb, 0, 100000);
  f("dram.command_buses", c.dram.command_buses, 1, 2);
  f("dram.command_activate", c.dram.command_activate, 1, 64);
  f("dram.command_precharge", c.dram.command_precharge, 1, 64);
  f("dram.command_column", c.dram.command_column, 1, 64);
  f("dram.map", c.dram.map);
  f("dram.bank_hash", c.dram.bank_hash, 0, 1);
  f("dram.page", c.dram.page);
  f("dram.t_idle", c.dram.t_idle, 1, 1000000);
  f("dram.read_queue", c.dram.read_queue, 1, 1024);
  f("dram.write_queue", c.dram.write_queue, 1, 1024);
  f("dram.write_high", c.dram.write_high, 1, 100);
  f("dram.write_low", c.dram.write_low, 0, 99);
  f("dram.write_least", c.dram.write_least, 1, 1024);
  f("dram.write_idle", c.dram.write_idle, 0, 100000);
  f("dram.background_mb_per_s", c.dram.background_mb_per_s, 0, 1000000);
  f("dram.background_pattern", c.dram.background_pattern);
  f("dram.background_seed", c.dram.background_seed, 0, 1000000);
  f("noc.data_bytes", c.noc.data_bytes, 4, 128);
  f("noc.cycles_request", c.noc.cycles_request, 1, 1000);
  f("noc.cycles_response", c.noc.cycles_response, 1, 1000);
  f("noc.cycles_register_write", c.noc.cycles_register_write, 1, 1000);
  f("noc.cycles_register_read", c.noc.cycles_register_read, 1, 1000);
  f("host.base", c.host.base);
  f("host.cycles_submit", c.host.cycles_submit, 0, 100000000);
  f("host.cycles_submit_queue", c.host.cycles_submit_queue, 0, 1000000);
  f("host.cycles_return", c.host.cycles_return, 0, 100000000);
  f("host.cycles_cache_line", c.host.cycles_cache_line, 0, 10000);
  f("host.cache_line_bytes", c.host.cache_line_bytes, 0, 256);
  f("host.cycles_interrupt", c.host.cycles_interrupt, 0, 1000000);
  f("host.cycles_call", c.host.cycles_call, 0, 1000000);
  f("host.bytes_per_cycle", c.host.bytes_per_cycle, 0.001, 1024);
}

/// Names of a kernel's prices, before the kernel's own.
struct KernelParameter {
  const char* prefix;
  double KernelPrice::*price;
};
constexpr KernelParameter kKernelParameters[] = {
    {"host.kernel_cycles_call.", &KernelPrice::call},
    {"host.kernel_cycles_per_byte.", &KernelPrice::byte},
    {"host.kernel_cycles_per_element.", &KernelPrice::element}};
constexpr const char* kEnginePrefix = "engines.";

bool has_prefix(const std::string& name, const std::string& prefix) {
  return name.size() > prefix.size() && name.compare(0, prefix.size(), prefix) == 0;
}

/// All digits of a whole number, 9 of another.
std::string shortest(double value) {
  const bool whole = value == std::floor(value) && std::fabs(value) < 1e15;
  char text[32];
  std::snprintf(text, sizeof text, whole ? "%.0f" : "%.9g", value);
  return text;
}

template <class T>
std::string text_of(T value) {
  if constexpr (std::is_enum_v<T>)
    return names_of(value)[static_cast<size_t>(value)];
  else if constexpr (std::is_same_v<T, std::string>)
    return value;
  else if constexpr (std::is_floating_point_v<T>)
    return shortest(value);
  else
    return std::to_string(value);
}

[[noreturn]] void refuse(const std::string& name, const std::string& got,
                         const std::string& required) {
  throw Refusal("soc", name + " is '" + got + "', must be " + required +
                           "; see sim/socs/edge.yaml for every parameter and its meaning");
}

double number(const std::string& name, const std::string& text, double least, double most) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  const std::string required = "a number from " + shortest(least) + " to " + shortest(most);
  if (text.empty() || *end != '\0' || !std::isfinite(value)) refuse(name, text, required);
  if (value < least || value > most) refuse(name, text, required);
  return value;
}

template <class T>
T named(const std::string& name, const std::string& text) {
  std::string required = "one of";
  const auto names = names_of(T{});
  for (size_t i = 0; i < names.size(); ++i) {
    if (text == names[i]) return static_cast<T>(i);
    required += (i == 0 ? " " : ", ") + std::string(names[i]);
  }
  refuse(name, text, required);
}

uint64_t whole(const std::string& name, const std::string& text, double least, double most) {
  const double value = number(name, text, least, most);
  if (value != std::floor(value)) refuse(name, text, "a whole number");
  return static_cast<uint64_t>(value);
}

/// As engine.yaml names engines and parameters.
bool is_name(const std::string& text) {
  const char* const others = "abcdefghijklmnopqrstuvwxyz0123456789_";
  return !text.empty() && text.size() <= 31 && text[0] >= 'a' && text[0] <= 'z' &&
         text.find_first_not_of(others) == std::string::npos;
}

/// All the values that the preset has.
void set_dram_preset(SocConfig& config, const std::string& value) {
  std::string known;
  for (const DramPreset& preset : dram_presets()) {
    known += (known.empty() ? "one of " : ", ") + preset.name;
    if (preset.name != value) continue;
    for (const auto& [name, text] : preset.values) set_parameter(config, "dram." + name, text);
    return;
  }
  refuse("dram.preset", value, known);
}

/// All the values that the list has.
void set_host_base(SocConfig& config, const std::string& value) {
  const HostConfig* const found = host_prices_of(value);
  if (found == nullptr) {
    std::string known;
    for (const HostConfig& list : host_prices()) {
      known += (known.empty() ? "one of " : ", ") + list.base;
    }
    refuse("host.base", value, known);
  }
  config.host = *found;
}

/// A price of a kernel that does not exist would change nothing and say nothing.
[[noreturn]] void refuse_kernel(const std::string& name) {
  std::string known;
  for (const std::string& kernel : priced_kernels()) known += (known.empty() ? "" : ", ") + kernel;
  throw Refusal("soc", name + " names no kernel of the host; must be one of " + known);
}

bool set_kernel_price(SocConfig& config, const std::string& name, const std::string& value) {
  for (const KernelParameter& p : kKernelParameters) {
    if (!has_prefix(name, p.prefix)) continue;
    const std::string kernel = name.substr(std::strlen(p.prefix));
    if (priced_kernels().count(kernel) == 0) refuse_kernel(name);
    const KernelPrice* const before = price_of(config.host, kernel);
    KernelPrice price = before == nullptr ? KernelPrice() : *before;
    price.*p.price = number(name, value, 0, 1e8);
    config.host.kernels[kernel] = price;
    return true;
  }
  return false;
}

/// "engines.<engine>.<parameter>"
void set_engine_parameter(SocConfig& config, const std::string& name, const std::string& value) {
  const size_t begin = std::string(kEnginePrefix).size(), dot = name.find('.', begin);
  const std::string engine = name.substr(begin, dot - begin);
  const std::string parameter = dot == std::string::npos ? "" : name.substr(dot + 1);
  if (!is_name(engine) || !is_name(parameter)) {
    throw Refusal("soc", "there is no parameter '" + name +
                             "'; of an engine from outside they are called "
                             "engines.<engine>.units and engines.<engine>.<parameter>, as its "
                             "engine.yaml names them");
  }
  if (parameter == "units") {
    config.engines[engine].units =
        static_cast<unsigned>(whole(name, value, 0, PRESIL_ENGINE_INSTANCES));
  } else {
    config.engines[engine].parameters[parameter] = whole(name, value, 0, 4294967296.0);
  }
}

std::map<std::string, std::string> lines_of_tile(const SocConfig& config) {
  std::map<std::string, std::string> lines;
  for_each_parameter(config,
                     [&](const char* name, auto value, auto...) { lines[name] = text_of(value); });
  for (const std::string& kernel : priced_kernels()) {  // whether the list names it or not
    const KernelPrice* const price = price_of(config.host, kernel);
    if (price == nullptr) continue;
    for (const KernelParameter& p : kKernelParameters) {
      lines[p.prefix + kernel] = shortest(price->*p.price);
    }
  }
  return lines;
}

std::string units_of(const std::string& engine) {
  return kEnginePrefix + engine + ".units";
}

/// @param with  engines of units 0 too
void add_engines(const SocConfig& config, bool with, std::map<std::string, std::string>& lines) {
  for (const auto& [engine, c] : config.engines) {
    if (c.units == 0 && !with) continue;
    lines[units_of(engine)] = text_of(c.units);
    for (const auto& [parameter, value] : c.parameters) {
      lines[kEnginePrefix + engine + "." + parameter] = text_of(value);
    }
  }
}

/// @param with  engines of units 0 too
std::map<std::string, std::string> lines_of(const SocConfig& config, bool with) {
  std::map<std::string, std::string> lines = lines_of_tile(config);
  add_engines(config, with, lines);
  if (config.others.empty()) return lines;
  std::map<std::string, std::string> first = lines_of_tile(config);
  add_engines(config, true, first);
  lines["tiles"] = std::to_string(tiles_of(config));
  for (unsigned t = 1; t < tiles_of(config); ++t) {
    std::map<std::string, std::string> own = lines_of_tile(config.others[t - 1]);
    add_engines(config.others[t - 1], true, own);
    for (const auto& [engine, c] : config.engines) own.emplace(units_of(engine), "0");
    for (const auto& [name, value] : own) {
      const auto same = first.find(name);
      // Another list of prices sets all of them: what it must not is said, though it is the same.
      const bool listed =
          has_prefix(name, "host.") && config.others[t - 1].host.base != config.host.base;
      if (listed || (same == first.end() ? value != "0" : same->second != value))
        lines["tiles." + std::to_string(t) + "." + name] = value;
    }
  }
  return lines;
}

std::string joined(const std::map<std::string, std::string>& lines) {
  std::string text;
  for (const auto& [name, value] : lines) text += name + "=" + value + "\n";
  return text;
}

void set_in_tile(SocConfig& config, const std::string& name, const std::string& value) {
  if (name == "host.base") return set_host_base(config, value);
  bool found = false;
  for_each_parameter(config, [&](const char* known, auto& member, auto... range) {
    if (name != known) return;
    found = true;
    using T = std::remove_reference_t<decltype(member)>;
    if constexpr (std::is_enum_v<T>) {
      member = named<T>(name, value);
    } else if constexpr (std::is_same_v<T, std::string>) {
      member = value;
    } else {
      const double parsed = number(name, value, static_cast<double>(range)...);
      if constexpr (std::is_integral_v<T>) {
        if (parsed != std::floor(parsed)) refuse(name, value, "a whole number");
      }
      member = static_cast<T>(parsed);
    }
  });
  config.dla.banks = config.sram.banks;
  if (name == "dram.preset") return set_dram_preset(config, value);
  found = found || set_kernel_price(config, name, value);
  if (!found && has_prefix(name, kEnginePrefix)) return set_engine_parameter(config, name, value);
  if (!found) {
    std::vector<std::string> known;
    for_each_parameter(config, [&](const char* one, auto&&...) { known.push_back(one); });
    throw Refusal("soc", "there is no parameter '" + name + "'" + did_you_mean(name, known) +
                             "; sim/socs/edge.yaml lists every parameter with its meaning");
  }
}

void check_tile(const SocConfig& config) {
  const auto multiple = [](const char* name, uint64_t value, uint64_t unit) {
    if (value % unit != 0)
      refuse(name, std::to_string(value), "a multiple of " + std::to_string(unit));
  };
  multiple("dla.macs_k", config.dla.macs_k, 16);
  multiple("dla.macs_c", config.dla.macs_c, 16);
  multiple("dsp.itcm_bytes", config.dsp.itcm_bytes, 4096);
  multiple("dsp.dtcm_bytes", config.dsp.dtcm_bytes, 4096);
  multiple("sram.bytes", config.sram.bytes, 4096);
  multiple("dram.bytes", config.dram.bytes, 4096);
  const auto power_of_two = [](const char* name, unsigned value) {
    if ((value & (value - 1)) != 0) refuse(name, std::to_string(value), "a power of two");
  };
  power_of_two("dsp.vlen", config.dsp.vlen);
  power_of_two("dsp.dlen", config.dsp.dlen);
  power_of_two("dsp.elen", config.dsp.elen);
  power_of_two("sram.banks", config.sram.banks);
  power_of_two("noc.data_bytes", config.noc.data_bytes);
  power_of_two("host.cache_line_bytes", config.host.cache_line_bytes);
  if (config.host.cache_line_bytes != 0 && config.host.cache_line_bytes < 16) {
    refuse("host.cache_line_bytes", std::to_string(config.host.cache_line_bytes),
           "0 (no data cache) or at least 16");
  }
  const auto has_banks = [&](const char* name, unsigned ports) {
    if (ports <= config.sram.banks) return;
    refuse(name, std::to_string(ports),
           "at most sram.banks (" + std::to_string(config.sram.banks) +
               "): a bank answers one port a cycle");
  };
  has_banks("dla.feat_ports", config.dla.feat_ports);
  has_banks("dla.weight_ports", config.dla.weight_ports);
  if (config.noc.cycles_register_read < config.noc.cycles_register_write) {
    refuse("noc.cycles_register_read", std::to_string(config.noc.cycles_register_read),
           "at least noc.cycles_register_write (" +
               std::to_string(config.noc.cycles_register_write) +
               "): a read goes there as a write does, and back");
  }
  const DramMap map(config.dram);
  if (config.dram.write_low >= config.dram.write_high) {
    refuse("dram.write_low", std::to_string(config.dram.write_low),
           "less than dram.write_high (" + std::to_string(config.dram.write_high) + ")");
  }
  if (map.groups() == 1) {
    const auto ungrouped = [&](const char* name, unsigned clocks) {
      if (clocks == 0) return;
      refuse(name, std::to_string(clocks), "0 where dram.map has no bank groups");
    };
    ungrouped("dram.t_ccd_l", config.dram.t_ccd_l);
    ungrouped("dram.t_rrd_l", config.dram.t_rrd_l);
    ungrouped("dram.t_wtr_l", config.dram.t_wtr_l);
  }
  const auto shared = [&](const char* name, unsigned places) {
    if (config.dram.setting != DramSetting::kContended || places > 1) return;
    refuse(name, std::to_string(places),
           "at least 2 with dram.setting contended: one entry is the background's");
  };
  shared("dram.read_queue", config.dram.read_queue);
  shared("dram.write_queue", config.dram.write_queue);
  const auto shorter = [](const char* name, unsigned value, const char* than, unsigned most) {
    if (value < most) return;
    refuse(name, std::to_string(value),
           std::string("less than ") + than + " (" + std::to_string(most) + ")");
  };
  shorter("dram.t_rfc_ab", config.dram.t_rfc_ab, "dram.t_refi", config.dram.t_refi);
  shorter("dram.t_rfc_pb", config.dram.t_rfc_pb, "dram.t_refi_pb", config.dram.t_refi_pb);
}

/// So many tiles, further ones like the first.
void set_tiles(SocConfig& config, const std::string& value) {
  const auto tiles = static_cast<size_t>(whole("tiles", value, 1, kMostTiles));
  SocConfig like = config;
  like.others.clear();
  config.others.resize(tiles - 1, like);
}

/// Of "tiles.1.dla.macs_k" the tile and "dla.macs_k"; empty: the name is of no one tile.
std::string of_one_tile(const SocConfig& config, const std::string& name, unsigned& tile) {
  const std::string prefix = "tiles.";
  if (!has_prefix(name, prefix)) return "";
  const size_t begin = prefix.size(), dot = name.find('.', begin);
  const std::string number = name.substr(begin, dot - begin);
  const std::string own = dot == std::string::npos ? "" : name.substr(dot + 1);
  const bool is = number.find_first_not_of("0123456789") == std::string::npos && !number.empty();
  tile = is && number.size() <= 2 ? static_cast<unsigned>(std::stoul(number)) : kMostTiles;
  if (tile >= tiles_of(config) || own.empty()) {
    throw Refusal("soc", "there is no parameter '" + name + "'; those of one tile are called " +
                             "tiles.<n>.<parameter>, with n from 0 to " +
                             std::to_string(tiles_of(config) - 1) + ", for the SoC has " +
                             std::to_string(tiles_of(config)) +
                             (tiles_of(config) == 1 ? " tile" : " tiles") +
                             "; tiles sets how many");
  }
  if (own == "clock_mhz" || has_prefix(own, "dram.")) {
    throw Refusal("soc", name + " is of one tile, must be of all: tiles share the clock and the " +
                             "DRAM; write " + own);
  }
  return own;
}

}  // namespace

std::string canonical_text(const SocConfig& config) {
  return joined(lines_of(config, false));
}

std::string complete_text(const SocConfig& config) {
  return joined(lines_of(config, true));
}

SocConfig tile_of(const SocConfig& config, unsigned tile) {
  SocConfig alone = tile == 0 ? config : config.others.at(tile - 1);
  alone.others.clear();
  if (tiles_of(config) > 1) alone.name = config.name + "-tile" + std::to_string(tile);
  return alone;
}

void set_parameter(SocConfig& config, const std::string& name, const std::string& value) {
  if (name == "tiles") return set_tiles(config, value);
  unsigned tile = 0;
  const std::string own = of_one_tile(config, name, tile);
  if (!own.empty()) return set_in_tile(tile == 0 ? config : config.others[tile - 1], own, value);
  set_in_tile(config, name, value);
  for (SocConfig& other : config.others) set_in_tile(other, name, value);
}

void check(const SocConfig& config) {
  check_tile(config);
  for (const SocConfig& other : config.others) check_tile(other);
}

}  // namespace presil
