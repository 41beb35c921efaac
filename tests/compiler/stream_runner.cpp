#include "tests/compiler/stream_runner.h"

#include <random>

#include "compiler_bridge/ir/shape.h"
#include "driver/kernels/host/kernels.h"
#include "models/dla/dla_check.h"
#include "models/dla/dla_core.h"
#include "models/dma/dma_core.h"
#include "rtl/dma/dma_command.h"
#include "rtl/dsp/dsp_command.h"
#include "rtl/host/host_command.h"
#include "rtl/host/host_task.h"
#include "rtl/soc/address_map.h"

namespace presil::tests {
namespace {

struct Bytes : BytePort {
  explicit Bytes(std::vector<uint8_t>& bytes) : m_bytes(bytes) {}
  uint8_t* bytes_at(uint64_t address, size_t size) override {
    return address + size <= m_bytes.size() ? m_bytes.data() + address : nullptr;
  }
  std::vector<uint8_t>& m_bytes;
};

unsigned pitch(uint8_t queue) {
  if (queue == PRESIL_QUEUE_DLA) return PRESIL_DLA_COMMAND_PITCH;
  if (queue == PRESIL_QUEUE_HOST) return PRESIL_HOST_COMMAND_PITCH;
  if (queue == PRESIL_QUEUE_DSP) return PRESIL_DSP_COMMAND_PITCH;
  return PRESIL_DMA_COMMAND_PITCH;
}

}  // namespace

StreamRunner::StreamRunner(const std::vector<uint8_t>& loadable, const SocConfig& config)
    : m_loadable(loadable::GetLoadable(loadable.data())), m_config(config), m_dsp(config.dsp) {
  for (const auto* stream : *m_loadable->streams()) m_queues.push_back({stream, 0});
}

void StreamRunner::reset(uint32_t seed) {
  for (Queue& queue : m_queues) queue.next = 0;
  m_counters = {};
  // Memory begins as noise: no command may count on zeros.
  std::mt19937 noise(seed);
  m_sram.resize(m_config.sram.bytes);
  for (auto& byte : m_sram) byte = static_cast<uint8_t>(noise());
  m_regions[PRESIL_REGION_CONSTANTS].assign(m_loadable->image()->begin(),
                                            m_loadable->image()->end());
  m_regions[PRESIL_REGION_INPUTS].assign(m_loadable->input_bytes(), 0x55);
  m_regions[PRESIL_REGION_OUTPUTS].assign(m_loadable->output_bytes(), 0x55);
  m_regions[PRESIL_REGION_SCRATCH].assign(m_loadable->scratch_bytes(), 0x55);
}

const uint32_t* StreamRunner::words(const Queue& queue) const {
  return reinterpret_cast<const uint32_t*>(m_loadable->image()->data() + queue.stream->offset() +
                                           size_t{queue.next} * pitch(queue.stream->queue()));
}

bool StreamRunner::met(uint8_t id, int32_t value) const {
  return id == 0 || static_cast<int32_t>(m_counters[id] - static_cast<uint32_t>(value)) >= 0;
}

bool StreamRunner::ready(const Queue& queue) const {
  if (queue.next == queue.stream->commands()) return false;
  // Words 2 to 5 lie alike in every command; DLA and DSP alone have a third wait.
  const uint32_t* w = words(queue);
  const bool third =
      queue.stream->queue() == PRESIL_QUEUE_DLA || queue.stream->queue() == PRESIL_QUEUE_DSP;
  return met(w[2] & 0xff, int32_t(w[3])) && met((w[2] >> 8) & 0xff, int32_t(w[4])) &&
         (!third || met((w[2] >> 16) & 0xff, int32_t(w[5])));
}

std::string StreamRunner::execute(Queue& queue) {
  const uint32_t* w = words(queue);
  std::string error;
  if (queue.stream->queue() == PRESIL_QUEUE_DLA) {
    error = execute_dla(w);
  } else if (queue.stream->queue() == PRESIL_QUEUE_HOST) {
    error = execute_host(w);
  } else if (queue.stream->queue() == PRESIL_QUEUE_DSP) {
    error = execute_dsp(w);
  } else {
    error = execute_dma(w);
  }
  ++queue.next;
  return error;
}

std::string StreamRunner::execute_dla(const uint32_t* words) {
  const auto fault =
      dla::check(words, m_config.dla, 0, m_loadable->counters(), m_config.sram.bytes);
  if (fault) return "dla refuses: " + fault->text;
  const auto command = dla::Command::decode(words);
  if (command.op != dla::Op::kNop) dla::Core(m_config.dla).execute(command, m_sram.data());
  signal(command.signal, command.signal_add);
  return "";
}

std::string StreamRunner::execute_dma(const uint32_t* words) {
  if (const auto violation = dma::Command::check(words))
    return "dma refuses: " + to_text(*violation);
  const auto c = dma::Command::decode(words);
  if (c.op != dma::Op::kNop) {
    Bytes from(c.src_space == dma::Space::kSram ? m_sram : m_regions[c.src_region]);
    Bytes to(c.dst_space == dma::Space::kSram ? m_sram : m_regions[c.dst_region]);
    const auto source = dma::source_of(c, c.src_base);
    const auto destination = dma::destination_of(c, c.dst_base);
    if (!dma::run(c, source, from, destination, to)) return "dma leaves its memory: " + c.to_text();
  }
  signal(c.signal, c.signal_add);
  return "";
}

std::string StreamRunner::execute_dsp(const uint32_t* words) {
  if (const auto violation = dsp::Command::check(words)) {
    return "dsp refuses: " + to_text(*violation);
  }
  const auto c = dsp::Command::decode(words);
  const std::string error = m_dsp.execute(words, m_sram, m_regions);
  signal(c.signal, c.signal_add);
  return error;
}

std::string StreamRunner::execute_host(const uint32_t* words) {
  if (const auto violation = host::Command::check(words)) {
    return "host refuses: " + to_text(*violation);
  }
  const auto c = host::Command::decode(words);
  if (c.op != host::Op::kNop) {
    const auto* list = reinterpret_cast<const presil_host_tensor*>(
        m_regions[PRESIL_REGION_CONSTANTS].data() + c.tensors_offset);
    std::vector<presil_kernel_tensor> tensors;
    for (size_t i = 0; i < c.tensors_bytes / sizeof *list; ++i) {
      presil_kernel_tensor tensor{};
      auto& region = m_regions[list[i].region];
      tensor.data = region.data() + list[i].offset;
      tensor.dtype = list[i].dtype;
      tensor.rank = list[i].rank;
      for (size_t axis = 0; axis < 6; ++axis) tensor.shape[axis] = list[i].shape[axis];
      tensor.scale = list[i].scale;
      tensor.zero_point = list[i].zero_point;
      if (list[i].offset + presil_tensor_bytes(&tensor) > region.size())
        return "host tensor too far";
      tensors.push_back(tensor);
    }
    const uint8_t* attributes = m_regions[PRESIL_REGION_CONSTANTS].data() + c.attributes_offset;
    presil_kernel_refusal refusal{};
    if (!presil_kernel_run(c.kernel_id, tensors.data(), uint32_t(tensors.size()), attributes,
                           c.attributes_bytes, &refusal)) {
      return std::string("host kernel refuses: ") + refusal.what;
    }
  }
  signal(c.signal, c.signal_add);
  return "";
}

uint8_t* StreamRunner::place(const loadable::Tensor& tensor) {
  auto& bytes = tensor.space() == loadable::Space_sram ? m_sram : m_regions[tensor.region()];
  return bytes.data() + tensor.offset();
}

/// The tensor's values as dense NHWC.
std::vector<uint8_t> StreamRunner::dense(const loadable::Tensor& t) {
  const uint8_t* from = place(t);
  if (t.layout() == loadable::Layout_nhwc) return {from, from + t.bytes()};
  const auto& shape = *t.shape();
  const size_t rank = shape.size();
  const auto axis = [&](size_t from_last) {
    return rank > from_last ? size_t(shape[unsigned(rank - 1 - from_last)]) : size_t{1};
  };
  const size_t c = axis(0), w = axis(1);
  size_t h = 1;
  for (size_t i = 2; i < rank; ++i) h *= axis(i);
  std::vector<uint8_t> values(h * w * c);
  const size_t lanes =
      t.lane_channel()->size() != 0 ? t.lane_channel()->size() : (c + 15) / 16 * 16;
  for (size_t lane = 0; lane < lanes; ++lane) {
    const int channel = t.lane_channel()->size() != 0 ? t.lane_channel()->Get(unsigned(lane))
                        : lane < c                    ? int(lane)
                                                      : -1;
    if (channel < 0) continue;
    for (size_t y = 0; y < h; ++y) {
      for (size_t x = 0; x < w; ++x) {
        values[(y * w + x) * c + size_t(channel)] =
            from[lane / 16 * t.block_pitch() + y * t.row_pitch() + x * t.x_pitch() + lane % 16];
      }
    }
  }
  return values;
}

std::string StreamRunner::compare(const loadable::Tensor& tensor,
                                  const reference::TensorValue& expected) {
  const std::vector<uint8_t> got = dense(tensor);
  ++m_compared;
  const std::string name = "tensor " + tensor.name()->str();
  if (got.size() != expected.data.size()) return name + " has another size";
  for (size_t i = 0; i < got.size(); ++i) {
    if (got[i] == expected.data[i]) continue;
    return name + " differs first at byte " + std::to_string(i) + ": got " +
           std::to_string(int8_t(got[i])) + ", expected " +
           std::to_string(int8_t(expected.data[i]));
  }
  return "";
}

namespace {

/// The elements of a value that a tensor is.
reference::TensorValue part_of(const reference::TensorValue& whole,
                               const loadable::Tensor& tensor) {
  reference::TensorValue part{whole.dtype, {}, {}};
  for (const int64_t extent : *tensor.shape()) part.shape.push_back(extent);
  const auto size = static_cast<std::ptrdiff_t>(ir::size_of(whole.dtype));
  const auto begin = whole.data.begin() + static_cast<std::ptrdiff_t>(tensor.part_first()) * size;
  part.data.assign(begin, begin + ir::elements(part.shape) * size);
  return part;
}

}  // namespace

std::string StreamRunner::compare_completed(uint32_t tag,
                                            const std::vector<reference::TensorValue>& expected) {
  for (const auto* tensor : *m_loadable->tensors()) {
    if (!tensor->kept() || tensor->complete_tag() != tag) continue;
    const bool whole = tensor->graph_tensor() >= 0;
    const std::string error =
        whole ? compare(*tensor, expected[size_t(tensor->graph_tensor())])
              : compare(*tensor, part_of(expected[size_t(tensor->part_of())], *tensor));
    if (!error.empty()) return error;
  }
  return "";
}

std::string StreamRunner::run(const ir::Graph& imported,
                              const std::vector<reference::TensorValue>& inputs,
                              const std::vector<reference::TensorValue>& expected, uint32_t seed,
                              bool check_kept) {
  reset(seed);
  m_compared = 0;
  for (size_t i = 0; i < inputs.size(); ++i) {
    const auto* tensor =
        m_loadable->tensors()->Get(unsigned(m_loadable->inputs()->Get(unsigned(i))));
    std::copy(inputs[i].data.begin(), inputs[i].data.end(), place(*tensor));
  }
  std::mt19937 random(seed);
  while (true) {
    std::vector<Queue*> choices;
    for (Queue& queue : m_queues) {
      if (ready(queue)) choices.push_back(&queue);
    }
    if (choices.empty()) break;
    Queue& queue = *choices[random() % choices.size()];
    const uint32_t tag = words(queue)[1];
    std::string error = execute(queue);
    if (error.empty() && check_kept) error = compare_completed(tag, expected);
    if (!error.empty()) return "command " + std::to_string(tag) + ": " + error;
  }
  for (const Queue& queue : m_queues) {
    if (queue.next != queue.stream->commands()) return "the queues stopped before their end";
    if (m_counters[PRESIL_QUEUE_COUNTER(queue.stream->queue())] != m_loadable->job_span()) {
      return "a counter did not advance by job_span";
    }
  }
  for (size_t i = 0; i < imported.outputs.size(); ++i) {
    const auto* tensor =
        m_loadable->tensors()->Get(unsigned(m_loadable->outputs()->Get(unsigned(i))));
    const std::string error = compare(*tensor, expected[size_t(imported.outputs[i])]);
    if (!error.empty()) return "output " + std::to_string(i) + ": " + error;
  }
  return "";
}

}  // namespace presil::tests
