#include "tests/driver/loadable_maker.h"

#include "rtl/soc/loadable_generated.h"

namespace presil::driver {
namespace {

struct Stream {
  uint8_t queue;
  uint64_t offset;
  uint32_t commands;
};

// Streams one after another, each at a multiple of 256; tags count through.
struct Streams {
  std::vector<uint8_t>& image;
  const std::vector<uint8_t>& program;
  std::vector<Stream> list;
  std::vector<std::array<int, 3>> map;

  /// The next tag, or that of the queue's command in the program.
  uint32_t tag(uint8_t queue, size_t index) {
    size_t tag = map.size();
    for (size_t i = 0, seen = 0; i < program.size(); ++i) {
      if (program[i] == queue && seen++ == index) tag = i;
    }
    if (map.size() < program.size()) map.resize(program.size());
    if (map.size() <= tag) map.resize(tag + 1);
    map[tag] = {queue, static_cast<int>(index), queue % 2};
    return static_cast<uint32_t>(tag);
  }

  template <class Command>
  void add(uint8_t queue, std::vector<Command> commands) {
    if (commands.empty()) return;
    image.resize((image.size() + 255) / 256 * 256);
    list.push_back({queue, image.size(), static_cast<uint32_t>(commands.size())});
    for (Command& c : commands) {
      c.tag = tag(queue, static_cast<size_t>(&c - commands.data()));
      uint32_t words[Command::kPitch / 4] = {};
      c.encode(words);
      const auto* bytes = reinterpret_cast<const uint8_t*>(words);
      image.insert(image.end(), bytes, bytes + Command::kPitch);
    }
  }

  void add(uint8_t queue, std::vector<std::vector<uint32_t>> commands) {
    image.resize((image.size() + 255) / 256 * 256);
    list.push_back({queue, image.size(), static_cast<uint32_t>(commands.size())});
    for (size_t i = 0; i < commands.size(); ++i) {
      commands[i][1] = tag(queue, i);
      const auto* bytes = reinterpret_cast<const uint8_t*>(commands[i].data());
      image.insert(image.end(), bytes, bytes + 4 * commands[i].size());
    }
  }
};

}  // namespace

presil_host_tensor host_tensor(uint32_t dtype, std::vector<uint32_t> shape, uint32_t region,
                               uint64_t offset) {
  presil_host_tensor t{};
  t.dtype = dtype;
  t.rank = static_cast<uint32_t>(shape.size());
  for (size_t i = 0; i < shape.size(); ++i) t.shape[i] = shape[i];
  t.region = region;
  t.offset = offset;
  return t;
}

uint32_t LoadableMaker::constant(const void* bytes, size_t size, size_t align) {
  m_constants.resize((m_constants.size() + align - 1) / align * align);
  const auto at = static_cast<uint32_t>(m_constants.size());
  const auto* from = static_cast<const uint8_t*>(bytes);
  m_constants.insert(m_constants.end(), from, from + size);
  return at;
}

host::Command& LoadableMaker::task(presil_kernel kernel,
                                   const std::vector<presil_host_tensor>& tensors,
                                   const void* attributes, uint32_t attribute_bytes) {
  host::Command c = host::Command::make(host::Op::kRun);
  c.kernel_id = kernel;
  c.tensors_bytes = static_cast<uint32_t>(tensors.size() * sizeof(presil_host_tensor));
  c.tensors_offset = constant(tensors.data(), c.tensors_bytes);
  if (attribute_bytes) c.attributes_offset = constant(attributes, attribute_bytes, 16);
  c.attributes_bytes = attribute_bytes;
  host.push_back(c);
  return host.back();
}

std::vector<uint8_t> LoadableMaker::finish() const {
  std::vector<uint8_t> image = m_constants;
  Streams streams{image, program, {}, {}};
  streams.add(PRESIL_QUEUE_DLA, dla);
  streams.add(PRESIL_QUEUE_DSP, dsp);
  streams.add(PRESIL_QUEUE_HOST, host);
  for (uint8_t c = 0; c < 8; ++c) streams.add(static_cast<uint8_t>(PRESIL_QUEUE_DMA0 + c), dma[c]);
  for (const auto& [queue, commands] : outside) streams.add(queue, commands);
  if (change_image) change_image(image);
  if (change_map) change_map(streams.map);

  flatbuffers::FlatBufferBuilder b;
  std::vector<flatbuffers::Offset<loadable::Tensor>> tensors;
  std::vector<int32_t> in, out;
  const auto add_tensors = [&](const std::vector<EdgeTensor>& edges, std::vector<int32_t>& list) {
    for (const EdgeTensor& e : edges) {
      list.push_back(static_cast<int32_t>(tensors.size()));
      const std::vector<float> scales{0.5f};
      const std::vector<int64_t> zeros{-1};
      tensors.push_back(loadable::CreateTensorDirect(
          b, e.name.c_str(), static_cast<loadable::DType>(e.dtype), &e.shape, &scales, &zeros, -1,
          loadable::Space_region, e.region, e.offset, e.bytes));
    }
  };
  add_tensors(inputs, in);
  add_tensors(outputs, out);
  std::vector<flatbuffers::Offset<loadable::Stream>> stream_list;
  for (const Stream& s : streams.list) {
    stream_list.push_back(loadable::CreateStream(b, s.queue, s.offset, s.commands));
  }
  std::vector<flatbuffers::Offset<loadable::Command>> commands;
  for (const auto& [queue, index, layer] : streams.map) {
    commands.push_back(loadable::CreateCommand(b, static_cast<uint8_t>(queue),
                                               static_cast<uint32_t>(index), layer, 0));
  }
  std::vector<flatbuffers::Offset<loadable::Layer>> layers;
  const auto engine = [&](size_t layer) {
    return static_cast<loadable::Engine>(layer_engines[layer]);
  };
  layers.push_back(loadable::CreateLayerDirect(b, "even_layer", "conv2d", engine(0)));
  layers.push_back(loadable::CreateLayerDirect(b, "odd_layer", "lut", engine(1)));
  for (unsigned i = 2; i < this->layers; ++i)
    layers.push_back(
        loadable::CreateLayerDirect(b, ("layer" + std::to_string(i)).c_str(), "lut", engine(0)));
  const std::vector<flatbuffers::Offset<loadable::Placement>> placements;
  std::vector<flatbuffers::Offset<loadable::DspImage>> images;
  for (const DspImage& i : dsp_images) {
    std::vector<flatbuffers::Offset<loadable::DspSymbol>> symbols;
    for (const DspSymbol& s : i.symbols)
      symbols.push_back(loadable::CreateDspSymbolDirect(b, s.name.c_str(), s.address, s.bytes));
    images.push_back(loadable::CreateDspImageDirect(b, i.offset, i.bytes, i.crc, &symbols));
  }
  b.Finish(
      loadable::CreateLoadableDirect(
          b, isa_version, "test", "tiny", "tflite", soc_name.c_str(), soc_sha256.c_str(),
          soc_text.c_str(), &image, &tensors, &in, &out, &stream_list, &commands, &layers,
          &placements, input_bytes, output_bytes, scratch_bytes, sram_bytes, counters, job_span,
          nullptr, 0, nullptr, dsp_images.empty() ? nullptr : &images, nullptr, overlaps),
      loadable::LoadableIdentifier());
  std::vector<uint8_t> file(b.GetBufferPointer(), b.GetBufferPointer() + b.GetSize());
  append_checksum(file);
  return file;
}

LoadableMaker four_queues() {
  LoadableMaker m;
  m.inputs = {{"image", {1, 4, 4, 16}, PRESIL_REGION_INPUTS, 0, 256}};
  m.outputs = {{"result", {1, 4, 4, 16}, PRESIL_REGION_OUTPUTS, 0, 256}};

  dma::Command load = dma::Command::make(dma::Op::kCopy);
  load.src_space = dma::Space::kSystem;
  load.src_region = PRESIL_REGION_INPUTS;
  load.src_row_bytes = load.dst_row_bytes = 256;
  load.signal = PRESIL_QUEUE_COUNTER(PRESIL_QUEUE_DMA0);
  load.signal_add = 1;
  m.dma[0] = {load};

  dla::Command pass = dla::Command::make(dla::Op::kPass);
  pass.rule = dla::Rule::kNone;
  pass.in_h = pass.in_w = pass.out_h = pass.out_w = 4;
  pass.in_kb_step = 1;
  pass.in_row_pitch = pass.out_row_pitch = 64;
  pass.in_cb_pitch = pass.out_cb_pitch = 256;
  pass.in_x_step = pass.out_x_step = 16;
  pass.out_base = 0x1000;
  pass.out_lanes_last = 16;
  pass.act_min = -128;
  pass.act_max = 127;
  pass.wait_in = PRESIL_QUEUE_COUNTER(PRESIL_QUEUE_DMA0);
  pass.wait_in_value = 1;
  pass.signal = PRESIL_QUEUE_COUNTER(PRESIL_QUEUE_DLA);
  pass.signal_add = 1;
  m.dla = {pass};

  dma::Command store = dma::Command::make(dma::Op::kCopy);
  store.dst_space = dma::Space::kSystem;
  store.dst_region = PRESIL_REGION_SCRATCH;
  store.src_base = 0x1000;
  store.src_row_bytes = store.dst_row_bytes = 256;
  store.wait0 = PRESIL_QUEUE_COUNTER(PRESIL_QUEUE_DLA);
  store.wait0_value = 1;
  store.signal = PRESIL_QUEUE_COUNTER(PRESIL_QUEUE_DMA0 + 1);
  store.signal_add = 1;
  m.dma[1] = {store};

  int8_t table[256];
  for (int i = 0; i < 256; ++i) table[i] = static_cast<int8_t>(static_cast<uint8_t>(i + 1));
  const uint32_t at = m.constant(table, sizeof table);
  host::Command& lut = m.task(PRESIL_KERNEL_LUT_I8,
                              {host_tensor(PRESIL_INT8, {1, 4, 4, 16}, PRESIL_REGION_SCRATCH, 0),
                               host_tensor(PRESIL_INT8, {256}, PRESIL_REGION_CONSTANTS, at),
                               host_tensor(PRESIL_INT8, {1, 4, 4, 16}, PRESIL_REGION_OUTPUTS, 0)});
  lut.wait0 = PRESIL_QUEUE_COUNTER(PRESIL_QUEUE_DMA0 + 1);
  lut.wait0_value = 1;
  lut.signal = PRESIL_QUEUE_COUNTER(PRESIL_QUEUE_HOST);
  lut.signal_add = 1;
  return m;
}

}  // namespace presil::driver
