#include "tests/dsp_kernels/dsp_rig.h"

#include <algorithm>

#include "compiler_bridge/ir/text.h"

namespace presil::dsp {
namespace {

constexpr size_t kGuard = 64;
constexpr uint8_t kCanary = 0xa5;
constexpr uint64_t kRegisters = PRESIL_DSP_REGISTERS;

struct Type {
  uint8_t code, bits;
};

Type type_of(ir::DType dtype) {
  switch (dtype) {
    case ir::DType::kUint8:
    case ir::DType::kBool:
      return {1, 8};
    case ir::DType::kInt16:
      return {0, 16};
    case ir::DType::kInt32:
      return {0, 32};
    case ir::DType::kInt64:
      return {0, 64};
    case ir::DType::kFloat32:
      return {2, 32};
    default:
      return {0, 8};
  }
}

std::vector<int64_t> dense(const std::vector<int64_t>& shape) {
  std::vector<int64_t> strides(shape.size(), 1);
  for (size_t i = shape.size(); i-- > 1;) strides[i - 1] = strides[i] * shape[i];
  return strides;
}

int64_t count(const std::vector<int64_t>& shape) {
  int64_t n = 1;
  for (const int64_t extent : shape) n *= extent;
  return n;
}

/// A tensor in memory: where each of its elements is.
struct Placed {
  std::vector<int64_t> shape, strides;
  size_t size, bytes;  // of an element; from the first to the last

  explicit Placed(const Operand& o)
      : shape(o.value.shape),
        strides(o.strides.empty() ? dense(shape) : o.strides),
        size(ir::size_of(o.value.dtype)) {
    int64_t last = 0;
    for (size_t i = 0; i < shape.size(); ++i) last += (shape[i] - 1) * strides[i];
    bytes = count(shape) == 0 ? 0 : (static_cast<size_t>(last) + 1) * size;
  }
  template <class F>
  void each(const F& f) const {  // f(byte in memory, byte in the dense tensor)
    std::vector<int64_t> index(shape.size(), 0);
    for (int64_t i = 0; i < count(shape); ++i) {
      int64_t at = 0;
      for (size_t k = 0; k < shape.size(); ++k) at += index[k] * strides[k];
      f(static_cast<size_t>(at) * size, static_cast<size_t>(i) * size);
      for (size_t k = shape.size(); k-- > 0 && ++index[k] == shape[k];) index[k] = 0;
    }
  }
};

size_t up(size_t n, size_t to) {
  return (n + to - 1) / to * to;
}

}  // namespace

Device::Answer Rig::Registers::load(uint64_t address, unsigned bytes, uint64_t, uint64_t& value) {
  const uint64_t at = address - PRESIL_DSP_REGION_BASES;
  if (bytes != 8 || at % 8 != 0 || at / 8 >= bases.size()) return Answer::kRefused;
  value = bases[at / 8];
  return Answer::kDone;
}

std::vector<std::string> Rig::library() {
  std::vector<std::string> images;
  for (const char* name :
       {"elements", "integers", "floats", "detection", "boxes", "moves", "pairs", "lstm",
        "recurrent", "rows", "rows_by_table", "segmentation", "sums", "dynamic", "wide"}) {
    images.push_back("driver/kernels/dsp/prebuilt/" + std::string(name) + ".elf");
  }
  return images;
}

Rig::Rig(const Config& config, const std::vector<std::string>& elf)
    : m_core(config), m_itcm(kItcmBytes), m_dtcm(kDtcmBytes) {
  for (const std::string& file : elf) m_images.push_back(read_elf(file));
}

uint64_t Rig::select(const std::string& kernel) {
  for (m_resident = 0; m_resident < m_images.size(); ++m_resident) {
    const auto& functions = image().functions;
    const auto entry = std::find_if(functions.begin(), functions.end(), [&](const Symbol& s) {
      return s.name == "presil_entry_" + kernel;
    });
    if (entry == functions.end()) continue;
    std::fill(m_itcm.begin(), m_itcm.end(), 0);
    for (const Segment& s : image().segments) {
      if (s.address < kItcm || s.address + s.bytes.size() > kItcm + kItcmBytes) continue;
      std::copy(s.bytes.begin(), s.bytes.end(), m_itcm.begin() + (s.address - kItcm));
    }
    const uint8_t ecall[4] = {0x73, 0, 0, 0};
    std::copy(ecall, ecall + 4, m_itcm.end() - 4);
    return entry->address;
  }
  m_resident = 0;
  return 0;
}

Ran Rig::run(const std::string& kernel, const std::vector<Operand>& in,
             const std::vector<Operand>& out, const void* params, size_t params_bytes,
             size_t scratch_bytes) {
  std::vector<Placed> placed;
  for (const Operand& o : in) placed.emplace_back(o);
  for (const Operand& o : out) placed.emplace_back(o);
  size_t rank = 0;
  for (const Placed& p : placed) rank += p.shape.size();

  presil_dsp_header header{};
  header.magic = PRESIL_DSP_MAGIC;
  header.n_in = static_cast<uint16_t>(in.size());
  header.n_out = static_cast<uint16_t>(out.size());
  header.shapes_offset =
      static_cast<uint32_t>(sizeof header + placed.size() * sizeof(presil_dsp_tensor));
  header.params_offset = static_cast<uint32_t>(up(header.shapes_offset + 16 * rank, 16));
  header.params_bytes = static_cast<uint32_t>(params_bytes);
  header.scratch_region =
      scratch_bytes == 0 ? PRESIL_DSP_NO_SCRATCH : static_cast<uint32_t>(placed.size());
  header.scratch_bytes = static_cast<uint32_t>(scratch_bytes);
  const size_t block = up(header.params_offset + params_bytes, 16);

  size_t bytes = block + kGuard;
  std::vector<size_t> offsets;
  for (const Placed& p : placed) {
    offsets.push_back(bytes);
    bytes = up(bytes + p.bytes, 64) + kGuard;
  }
  offsets.push_back(bytes);
  bytes += up(scratch_bytes, 64) + kGuard;
  m_sram.assign(bytes, kCanary);

  // The block.
  std::memcpy(m_sram.data(), &header, sizeof header);
  size_t shapes = header.shapes_offset;
  for (size_t i = 0; i < placed.size(); ++i) {
    const ir::DType dtype = (i < in.size() ? in[i] : out[i - in.size()]).value.dtype;
    presil_dsp_tensor t{};
    t.region = i;
    t.device_type = PRESIL_DSP_DEVICE;
    t.ndim = static_cast<int32_t>(placed[i].shape.size());
    t.code = type_of(dtype).code;
    t.bits = type_of(dtype).bits;
    t.lanes = 1;
    t.shape = shapes;
    t.strides = shapes + 8 * placed[i].shape.size();
    std::memcpy(m_sram.data() + sizeof header + i * sizeof t, &t, sizeof t);
    std::memcpy(m_sram.data() + t.shape, placed[i].shape.data(), 8 * placed[i].shape.size());
    std::memcpy(m_sram.data() + t.strides, placed[i].strides.data(), 8 * placed[i].shape.size());
    shapes += 16 * placed[i].shape.size();
  }
  std::memcpy(m_sram.data() + header.params_offset, params, params_bytes);

  // Regions: each tensor alone may be touched, gaps within its strides included.
  Memory& memory = m_core.memory();
  memory.clear();
  memory.add({kItcm, kItcmBytes, m_itcm.data(), kRead | kExecute, Space::kTcm, 0, nullptr});
  memory.add({kDtcm, kDtcmBytes, m_dtcm.data(), kRead | kWrite, Space::kTcm, 0, nullptr});
  memory.add({kRegisters, 0x200, nullptr, kRead | kWrite, Space::kDevice, 0, &m_registers});
  memory.add({kSram, block, m_sram.data(), kRead, Space::kSram, 0, nullptr});
  m_registers.bases.clear();
  for (size_t i = 0; i <= placed.size(); ++i) {
    const bool scratch = i == placed.size();
    const size_t size = scratch ? scratch_bytes : placed[i].bytes;
    const uint8_t rights = i < in.size() ? kRead : kRead | kWrite;
    m_registers.bases.push_back(kSram + offsets[i]);
    if (size > 0) {
      memory.add({kSram + offsets[i], size, m_sram.data() + offsets[i], rights, Space::kSram,
                  static_cast<uint16_t>(i), nullptr});
    }
    if (i < in.size()) {
      placed[i].each([&](size_t to, size_t from) {
        std::memcpy(m_sram.data() + offsets[i] + to, in[i].value.data.data() + from,
                    placed[i].size);
      });
    }
  }

  const uint64_t entry = select(kernel);
  Ran ran;
  if (entry == 0) {
    ran.where = "there is no kernel " + kernel;
    return ran;
  }
  m_core.reset();
  m_core.forget_instructions();
  Hart& hart = m_core.hart();
  hart.x[1] = kItcm + kItcmBytes - 4;
  hart.x[2] = kDtcm + kDtcmBytes;
  hart.x[10] = kSram;
  const uint64_t before = m_core.instructions();
  ran.stop = m_core.run(entry, 1000000000);
  ran.cycles = hart.cycle;
  ran.instructions = m_core.instructions() - before;
  if (ran.stop.cause == Cause::kCall) {
    ran.refused = static_cast<int32_t>(hart.x[10]);
  } else {
    ran.where = "cause " + std::to_string(static_cast<int>(ran.stop.cause)) + " at " +
                place_in(image(), ran.stop.pc) + ", address " + std::to_string(ran.stop.address);
  }
  for (size_t k = 0; k < out.size(); ++k) {
    const size_t i = in.size() + k;
    const uint8_t* from = m_sram.data() + offsets[i];
    TensorValue y{out[k].value.dtype, placed[i].shape,
                  ir::Bytes(static_cast<size_t>(count(placed[i].shape)) * placed[i].size)};
    std::vector<bool> used(placed[i].bytes, false);
    placed[i].each([&](size_t at, size_t to) {
      std::memcpy(y.data.data() + to, from + at, placed[i].size);
      std::fill_n(used.begin() + static_cast<ptrdiff_t>(at), placed[i].size, true);
    });
    for (size_t b = 0; b < used.size(); ++b) {
      if (!used[b] && from[b] != kCanary) ran.gaps_kept = false;
    }
    ran.out.push_back(std::move(y));
  }
  return ran;
}

Example::Example(const std::string& text, std::vector<TensorValue> inputs,
                 const std::vector<std::pair<std::string, TensorValue>>& constants)
    : graph(ir::parse(text)), in(std::move(inputs)) {
  for (const auto& [name, value] : constants) {
    for (ir::Tensor& t : graph.tensors) {
      if (t.name == name) t.data = std::make_shared<const ir::Bytes>(value.data);
    }
  }
  out = reference::run(graph, in);
}

std::vector<Operand> Example::dense(const std::vector<TensorValue>& values) {
  std::vector<Operand> operands;
  for (const TensorValue& v : values) operands.push_back({v, {}});
  return operands;
}

TensorValue random_bytes(Random& random, const std::vector<int64_t>& shape, ir::DType type) {
  TensorValue t{type, shape, ir::Bytes(static_cast<size_t>(count(shape)) * ir::size_of(type))};
  for (auto& byte : t.data) byte = static_cast<uint8_t>(random());
  return t;
}

TensorValue random_floats(Random& random, const std::vector<int64_t>& shape, float low,
                          float high) {
  std::uniform_real_distribution<float> values(low, high);
  std::vector<float> v(static_cast<size_t>(count(shape)));
  for (float& x : v) x = values(random);
  return tensor_of(ir::DType::kFloat32, shape, v);
}

std::vector<int64_t> loose(Random& random, const std::vector<int64_t>& shape) {
  std::vector<int64_t> strides(shape.size(), 1);
  for (size_t i = shape.size(); i-- > 1;) {
    strides[i - 1] = strides[i] * shape[i] + static_cast<int64_t>(random() % 3);
  }
  return strides;
}

std::string type_of(const std::string& dtype, const std::vector<int64_t>& shape) {
  std::string text = dtype + "[";
  for (size_t i = 0; i < shape.size(); ++i) {
    text += (i == 0 ? "" : ",") + std::to_string(shape[i]);
  }
  return text + "]";
}

std::string difference(const Ran& ran, const std::vector<TensorValue>& expected) {
  if (!ran.where.empty()) return ran.where;
  if (ran.refused != 0) return "refused, " + std::to_string(ran.refused);
  if (!ran.gaps_kept) return "wrote between a result's elements";
  for (size_t k = 0; k < expected.size(); ++k) {
    for (size_t i = 0; i < expected[k].data.size(); ++i) {
      if (ran.out[k].data[i] == expected[k].data[i]) continue;
      return "result " + std::to_string(k) + " byte " + std::to_string(i) + " is " +
             std::to_string(ran.out[k].data[i]) + ", expected " +
             std::to_string(expected[k].data[i]);
    }
  }
  return "";
}

}  // namespace presil::dsp
