// Tiny loadables, written by hand: commands of each queue, host tasks with tensor lists, and every
// field of the file that a test may set wrong.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "driver/kernels/host/kernels.h"
#include "models/base/checksum.h"
#include "rtl/dla/dla_command.h"
#include "rtl/dma/dma_command.h"
#include "rtl/dsp/dsp_command.h"
#include "rtl/host/host_command.h"
#include "rtl/host/host_task.h"
#include "rtl/soc/address_map.h"

namespace presil::driver {

struct EdgeTensor {
  std::string name;
  std::vector<int64_t> shape;
  uint8_t region;
  uint64_t offset;
  uint64_t bytes;
  uint8_t dtype = 0;  ///< loadable::DType; int8
};

/// A function of a DSP image, for reports.
struct DspSymbol {
  std::string name;
  uint32_t address, bytes;
};
struct DspImage {
  uint64_t offset;
  uint32_t bytes, crc;
  std::vector<DspSymbol> symbols;
};

class LoadableMaker {
 public:
  std::vector<dla::Command> dla;
  std::vector<dsp::Command> dsp;
  std::vector<DspImage> dsp_images;
  std::array<std::vector<dma::Command>, 8> dma;
  std::vector<host::Command> host;
  /// Of engines from outside, by queue: words of each command up to its pitch. Word 1 is its tag.
  std::map<uint8_t, std::vector<std::vector<uint32_t>>> outside;
  std::vector<EdgeTensor> inputs, outputs;

  std::array<uint8_t, 2> layer_engines = {0, 0};  ///< of even_layer, odd_layer: kinds

  uint8_t isa_version = 1;
  std::string soc_name = "edge", soc_sha256 = std::string(64, '0'), soc_text;
  uint64_t input_bytes = 4096, output_bytes = 4096, scratch_bytes = 4096;
  uint32_t sram_bytes = 1 << 16, job_span = 1;
  uint8_t counters = 11;
  bool overlaps = false;
  /// Queues of all commands as tags number them; empty: queue by queue.
  std::vector<uint8_t> program;
  unsigned layers = 2;  ///< even_layer, odd_layer, and further ones
  /// Last change to the image.
  std::function<void(std::vector<uint8_t>&)> change_image;
  /// Last change to the debug map: queue, index, layer of each tag.
  std::function<void(std::vector<std::array<int, 3>>&)> change_map;

  /// Appends a task; its list and attributes go into the image.
  host::Command& task(presil_kernel kernel, const std::vector<presil_host_tensor>& tensors,
                      const void* attributes = nullptr, uint32_t attribute_bytes = 0);
  /// Puts bytes into the image, before the streams; returns their offset.
  uint32_t constant(const void* bytes, size_t size, size_t align = 64);

  /// The file with its checksum; its data() is aligned to 16 bytes.
  std::vector<uint8_t> finish() const;

 private:
  std::vector<uint8_t> m_constants;
};

presil_host_tensor host_tensor(uint32_t dtype, std::vector<uint32_t> shape, uint32_t region,
                               uint64_t offset);

/// dma0 brings the input (256 bytes int8) to SRAM 0, the dla passes it to SRAM 0x1000, dma1 takes
/// it to scratch 0, the host puts it through the table y = x + 1 (wrapping) into the output.
LoadableMaker four_queues();

}  // namespace presil::driver
