// What the programs of the DSP did, kernel by kernel: always their sums; if asked, a row for each
// pc, or a line for each instruction in a file.
#pragma once

#include <cstdint>
#include <fstream>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "models/dsp/dsp_engine.h"
#include "models/dsp/dsp_trace.h"

namespace presil::loadable {
struct Loadable;
}

namespace presil::platform {

/// Which instructions of the next job go to a file.
struct TraceOrder {
  std::string file;
  std::set<uint32_t> tags;  ///< of the commands
  uint64_t first = 0, end = ~uint64_t{0};
  uint64_t most = 0;  ///< lines
};

class Kernels : public dsp::ProgramWatch {
 public:
  /// Of another network; forgets what was counted. The loadable must outlive this, or the next.
  void load(const loadable::Loadable& loadable);
  /// Rows by pc too, from the next program on.
  void set_profiled(bool profiled) { m_profiled = profiled; }
  /// From the next program on. @throws Refusal where the file cannot be written
  void begin_trace(const TraceOrder& order);
  /// @return {"written", "left_out"}; null: there was no trace. @throws Refusal as above
  nlohmann::json end_trace();
  /// As in README.md, kernel by kernel in the order of their first calls.
  nlohmann::json answer() const;

  void begins(const dsp::ProgramStart& start, dsp::Core& core) override;
  void ends(const dsp::ProgramStart& start, const dsp::Core& core) override;

 private:
  /// An image as it was when a program of it ended.
  struct Code {
    std::vector<std::vector<uint8_t>> bytes;
    dsp::Memory memory;
    std::vector<dsp::Symbol> functions;
  };
  struct Kernel {
    std::string name;
    uint32_t image_crc = 0, entry = 0;
    uint64_t cycles = 0, instructions = 0, elements = 0, calls = 0;
    dsp::Stalls stalls{};
    std::map<uint32_t, std::pair<uint64_t, uint64_t>> tags;  // calls and cycles of each command
    dsp::Profile profile;
  };
  struct Trace {
    TraceOrder order;
    std::ofstream file;
    dsp::Listing listing;
    bool ended = false;
    explicit Trace(const TraceOrder& o) : order(o), file(o.file), listing(file, o.most) {}
  };
  Code& code_of(uint32_t image_crc, const dsp::Memory& memory);
  nlohmann::json profile_of(const Kernel& kernel) const;

  const loadable::Loadable* m_loadable = nullptr;
  std::vector<Kernel> m_kernels;
  std::map<uint32_t, std::unique_ptr<Code>> m_code;  // by CRC of the image
  bool m_profiled = false;
  std::unique_ptr<Trace> m_trace;
};

}  // namespace presil::platform
