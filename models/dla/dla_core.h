// The values of a DLA command: exact, fast, without time. Reads and writes one span of SRAM bytes;
// a command's addresses are offsets into it, already relocated (sram_base of the job entry). Every
// input of a command is read before any of its outputs is written, so an output may lie on the
// second operand or on the input.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/dla/dla_plane.h"
#include "models/dla/dla_requantise.h"
#include "models/soc/soc_config.h"
#include "rtl/dla/dla_command.h"

namespace presil::dla {

/// Outputs of a command on their way to memory: [block][row][column][16], bytes or int32. Memory of
/// an earlier command may be given again: compute() makes it as long as it needs.
using Results = std::vector<uint8_t>;

/// Not to be shared between threads: it keeps the scratch memory of the last command.
class Core {
 public:
  /// Of the configuration only macs_k and macs_c matter: the layout of weight sets.
  explicit Core(const DlaConfig& config) : m_config(config) {}

  /// Reads input, weights, parameters, table and second operand, and computes.
  /// @param command accepted by check() for this SRAM; a nop has no results
  void compute(const Command& command, const uint8_t* sram, Results& results);

  /// Writes what compute() found.
  static void store(const Command& command, const Results& results, uint8_t* sram);

  /// Both.
  void execute(const Command& command, uint8_t* sram);

 private:
  struct Task {
    const Command& command;
    const uint8_t* sram;
    uint8_t* results;
  };
  void convolve(const Task& task);
  void pack_weights(const Task& task, unsigned block);
  void pool(const Task& task);
  void maximum_row(const Task& task, unsigned block, unsigned y);
  void sum_row(const Task& task, unsigned block, unsigned y);
  void pad_row(const Task& task, unsigned y);
  /// Output rows y .. y + rows - 1 of a block, side by side in m_acc.
  void start_rows(const Task& task, const Requantise& requantise, unsigned block, unsigned y,
                  unsigned rows);
  void finish_rows(const Task& task, const Requantise& requantise, unsigned block, unsigned y,
                   unsigned rows);

  DlaConfig m_config;
  Plane m_plane;
  std::vector<int16_t> m_weights;   // of one output block, in the order of the loops
  std::vector<ptrdiff_t> m_offset;  // of each weight set (dwconv: tap) from its pixel in the plane
  std::vector<int32_t> m_acc;       // output rows that are computed together
  std::vector<uint8_t> m_second;    // the second operand's words of these
  Results m_results;
};

}  // namespace presil::dla
