// What a command of the DSP touches: the region table says it, for the processor lets the program
// touch nothing else.
#include <presil/dsp_kernel.h>

#include <cstring>

#include "compiler_bridge/replay/accesses.h"
#include "compiler_bridge/replay/spans.h"
#include "models/base/refusal.h"
#include "rtl/dsp/dsp_view.h"
#include "rtl/soc/address_map.h"

namespace presil::replay {
namespace {

Access one(Space space, uint64_t begin, uint64_t bytes, bool write, const char* what) {
  return {kIn, write, what, {{space, begin, begin + bytes}}};
}

/// Tensors of an argument block.
class Arguments {
 public:
  explicit Arguments(const std::vector<uint8_t>& bytes) : m_bytes(bytes) {
    m_header = at<presil_dsp_header>(0);
    if (m_header.magic != PRESIL_DSP_MAGIC) refuse("no argument block");
  }

  /// Elements of the tensor that lies in a region; the whole region where none does.
  std::vector<Span> in_region(uint64_t region, const Span& whole) const {
    Spans spans(whole.space);
    bool any = false;
    for (uint32_t i = 0; i < uint32_t{m_header.n_in} + m_header.n_out; ++i) {
      const auto tensor = at<presil_dsp_tensor>(sizeof m_header + i * sizeof(presil_dsp_tensor));
      if (tensor.region != region) continue;
      any = true;
      add(tensor, i, whole, spans);
    }
    return any ? spans.take() : std::vector<Span>{whole};
  }

 private:
  [[noreturn]] static void refuse(const std::string& what) {
    throw Refusal("memory", "a command of the dsp has " + what + "; compile the network again");
  }

  template <class T>
  T at(uint64_t offset) const {
    T value;
    if (offset > m_bytes.size() || sizeof value > m_bytes.size() - offset) {
      refuse("an argument block of " + std::to_string(m_bytes.size()) + " bytes that needs more");
    }
    std::memcpy(&value, m_bytes.data() + offset, sizeof value);
    return value;
  }

  void add(const presil_dsp_tensor& tensor, uint32_t number, const Span& whole,
           Spans& spans) const {
    const auto leaves = [&] {
      refuse("tensor " + std::to_string(number) + " outside its region, must be inside");
    };
    const int64_t element = tensor.bits / 8, room = int64_t(whole.end - whole.begin);
    if (tensor.ndim < 0 || tensor.ndim > PRESIL_DSP_MAX_RANK || element == 0) leaves();
    int64_t shape[PRESIL_DSP_MAX_RANK], step[PRESIL_DSP_MAX_RANK];
    int64_t last = int64_t(tensor.byte_offset) + element;
    for (int32_t k = 0; k < tensor.ndim; ++k) {
      shape[k] = at<int64_t>(tensor.shape + sizeof(int64_t) * uint64_t(k));
      step[k] = at<int64_t>(tensor.strides + sizeof(int64_t) * uint64_t(k));
      if (shape[k] == 1) step[k] = 0;
      if (shape[k] <= 0 || step[k] < 0 || shape[k] > room || step[k] > room) leaves();
      step[k] *= element;
      if (step[k] != 0 && shape[k] - 1 > room / step[k]) leaves();
      last += (shape[k] - 1) * step[k];
    }
    if (last > room || last < element) leaves();
    int32_t rank = tensor.ndim;
    for (int32_t k = 1; k < rank; ++k) {  // as they lie, whatever the order of axes
      for (int32_t i = k; i > 0 && step[i - 1] < step[i]; --i) {
        std::swap(step[i - 1], step[i]), std::swap(shape[i - 1], shape[i]);
      }
    }
    int64_t run = element;  // inner axes that lie one after another
    while (rank > 0 && (step[rank - 1] == run || shape[rank - 1] == 1)) run *= shape[--rank];
    elements(int64_t(whole.begin + tensor.byte_offset), rank, shape, step, run, spans);
  }

  static void elements(int64_t begin, int32_t rank, const int64_t* shape, const int64_t* step,
                       int64_t run, Spans& spans) {
    if (rank == 0) return spans.add(begin, run);
    for (int64_t i = 0; i < *shape; ++i) {
      elements(begin + i * *step, rank - 1, shape + 1, step + 1, run, spans);
    }
  }

  const std::vector<uint8_t>& m_bytes;
  presil_dsp_header m_header{};
};

}  // namespace

std::vector<Access> accesses_of(const dsp::Command& c) {
  if (c.op == dsp::Op::kSelect) {
    const Space space = c.image_in_sram ? kSram : region_space(c.image_region);
    return {one(space, c.image_offset, c.image_bytes, false, "image")};
  }
  if (c.op != dsp::Op::kRun) return {};
  return {one(kSram, c.args_base, c.args_bytes, false, "arguments"),
          one(kSram, c.regions_base, c.region_count * sizeof(presil_dsp_region), false,
              "region table")};
}

std::vector<Access> accesses_of_regions(const std::vector<uint8_t>& table,
                                        const std::vector<uint8_t>& arguments) {
  const Arguments tensors(arguments);
  std::vector<Access> all;
  for (size_t at = 0; at + sizeof(presil_dsp_region) <= table.size();
       at += sizeof(presil_dsp_region)) {
    presil_dsp_region entry;
    std::memcpy(&entry, table.data() + at, sizeof entry);
    const uint32_t space = entry.what & PRESIL_DSP_REGION_SPACE_MASK;
    const bool read = (entry.what & PRESIL_DSP_REGION_READ) != 0;
    const bool write = (entry.what & PRESIL_DSP_REGION_WRITE) != 0;
    if (space > PRESIL_DSP_REGION_SPACE_SRAM || entry.bytes == 0 || !(read || write)) {
      throw Refusal("memory", "entry " + std::to_string(at / sizeof entry) +
                                  " of a region table says nothing, expected a space, bytes and a "
                                  "right; compile the network again");
    }
    all.push_back(one(space == PRESIL_DSP_REGION_SPACE_SRAM ? kSram : region_space(space),
                      entry.offset, entry.bytes, write, write ? "a result" : "an operand"));
    std::vector<Span>& spans = all.back().spans;
    std::vector<Span> exact = tensors.in_region(at / sizeof entry, spans.front());
    if (!write) spans = std::move(exact);
  }
  return all;
}

}  // namespace presil::replay
