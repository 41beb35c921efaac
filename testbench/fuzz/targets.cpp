#include "testbench/fuzz/targets.h"

#include <presil/presil.h>

#include <cstddef>
#include <stdexcept>

#include "compiler_bridge/compile/compile.h"
#include "compiler_bridge/import/post.h"
#include "compiler_bridge/import/tflite.h"
#include "compiler_bridge/ir/binary.h"
#include "compiler_bridge/ir/text.h"
#include "driver/port/mock/mock_engine.h"
#include "models/base/checksum.h"
#include "models/base/refusal.h"
#include "rtl/soc/engines.h"
#include "rtl/soc/loadable_generated.h"
#include "sim/platform/loadable_file.h"
#include "sim/socs/soc_file.h"
#include "testbench/fuzz/import_targets.h"
#include "testbench/fuzz/networks.h"
#include "testbench/fuzz/reading.h"
#include "testbench/fuzz/streams.h"
#include "tests/driver/loadable_maker.h"
#include "tflite_generated.h"

namespace presil::fuzz {
namespace {

/// A device on the mock port that loads one file after another.
class Loader {
 public:
  Loader() {
    m_mock.host.set_engines_kinds(m_mock.host.engines_kinds() | 1u << PRESIL_ENGINE_DSP);
    if (presil_open(m_mock.port(), m_device_storage.data(), bytes_of(m_device_storage),
                    &m_device) != PRESIL_OK) {
      throw std::logic_error("the mock does not open");
    }
  }
  ~Loader() { presil_close(m_device); }

  presil_status load(const File& file) {
    m_mock.trace.clear();
    const size_t memory = m_mock.allocations();
    presil_network* network = nullptr;
    const presil_status status =
        presil_network_load(m_device, file.data(), file.size(), m_network_storage.data(),
                            bytes_of(m_network_storage), &network);
    if (status == PRESIL_OK) {
      if (presil_network_set_preemptible(network, nullptr, PRESIL_EVERY_LAYER) != PRESIL_OK)
        check_text(text());
      presil_network_unload(network);
    } else {
      check_text(text());
    }
    if (m_mock.allocations() != memory) throw std::logic_error("memory of the device is lost");
    return status;
  }
  std::string text() const { return presil_error(m_device)->text; }

 private:
  using Memory = std::vector<std::max_align_t>;
  static size_t bytes_of(const Memory& s) { return s.size() * sizeof(std::max_align_t); }

  driver::MockPort m_mock;
  driver::MockEngines m_engines{m_mock};
  Memory m_device_storage = Memory(presil_device_bytes() / sizeof(std::max_align_t) + 1);
  Memory m_network_storage = Memory(presil_network_bytes() / sizeof(std::max_align_t) + 1);
  presil_device* m_device = nullptr;
};

class Import : public Structured {
 public:
  Import()
      : Structured({FUZZ_SCHEMAS "/tflite.bfbs",
                    [](const uint8_t* bytes, size_t size) {
                      flatbuffers::Verifier verifier(bytes, size);
                      return size >= 8 && import::file::VerifyModelBuffer(verifier);
                    },
                    nullptr}) {}

  std::vector<File> seeds() const override { return small_networks(); }
  File mutate(const File& file, uint64_t seed) override { return mutate_structure(file, seed); }
  bool feed(const File& file) override {
    return taken([&] { ir::verify(import::import_tflite(file, "net")); });
  }
};

/// The importer and all that follows it.
class Tflite : public Import {
 public:
  bool feed(const File& file) override {
    ir::Graph graph;
    if (!taken([&] { graph = import::import_tflite(file, "net"); })) return false;
    bool any = false;
    for (const ir::Numerics numerics : {ir::Numerics::kTflite, ir::Numerics::kXnnpack}) {
      graph.numerics = numerics;
      any = compiled(graph) || any;
    }
    return any;
  }

 private:
  bool compiled(const ir::Graph& graph) {
    File loadable;
    const bool made = taken([&] {
      ir::verify(graph);
      loadable = compile::compile(graph, SocConfig()).loadable;
      platform::open_loadable(loadable.data(), loadable.size());
    });
    if (!made) return false;
    const presil_status status = m_loader.load(loadable);
    if (status != PRESIL_OK && status != PRESIL_NO_MEMORY) {
      throw std::logic_error("what the compiler made, the driver refuses: " + m_loader.text());
    }
    return true;
  }

  Loader m_loader;
};

/// Words of the commands, by queue and number.
void add_commands(const File& file, Groups& groups) {
  const auto& l = *loadable::GetLoadable(file.data());
  const auto add = [&](const std::string& name, const loadable::Stream& s, size_t pitch) {
    for (size_t word = 0; word < pitch / 4; ++word) {
      Group group{name + " word " + std::to_string(word), {}};
      for (uint64_t i = 0; i < s.commands(); ++i) {
        const uint64_t at = s.offset() + i * pitch + 4 * word;
        if (at > l.image()->size() || l.image()->size() - at < 4) break;
        group.sites.push_back({static_cast<size_t>(l.image()->data() + at - file.data()), 4});
      }
      if (!group.sites.empty()) groups.push_back(std::move(group));
    }
  };
  for (const auto* s : *l.streams()) {
    if (presil_kind_of_queue(s->queue()) == PRESIL_ENGINE_NONE) continue;
    const auto& engine = *presil_engine_description_of(presil_kind_of_queue(s->queue()));
    add(engine.name, *s, engine.format()->pitch_bytes);
  }
  Group words{"image word", {}};
  for (size_t at = 0; at + 4 <= l.image()->size() && at < 65536; at += 4) {
    words.sites.push_back({static_cast<size_t>(l.image()->data() - file.data()) + at, 4});
  }
  if (!words.sites.empty()) groups.insert(groups.end(), 8, words);
}

class Presil : public Structured {
 public:
  Presil()
      : Structured({FUZZ_SCHEMAS "/loadable.bfbs",
                    [](const uint8_t* bytes, size_t size) {
                      flatbuffers::Verifier verifier(bytes, size);
                      return size >= 8 && loadable::VerifyLoadableBuffer(verifier);
                    },
                    add_commands}) {}

  std::vector<File> seeds() const override {
    std::vector<File> files = {driver::four_queues().finish()};
    for (const File& network : small_networks()) {
      files.push_back(
          compile::compile(import::import_tflite(network, "net"), SocConfig()).loadable);
    }
    return files;
  }

  /// Most mutations get a new checksum: the old one would keep all else from being tried.
  File mutate(const File& file, uint64_t seed) override {
    Random random(~seed);
    if (file.size() < kChecksumBytes || random.one_in(16)) return mutate_structure(file, seed);
    File result = mutate_structure(File(file.begin(), file.end() - kChecksumBytes), seed);
    append_checksum(result);
    return result;
  }

  bool feed(const File& file) override {
    taken([&] {
      const loadable::Loadable& l = platform::open_loadable(file.data(), file.size());
      if (l.graph() != nullptr) ir::from_bytes(l.graph()->data(), l.graph()->size());
    });
    return m_loader.load(file) == PRESIL_OK;
  }

 private:
  Loader m_loader;
};

/// Files of text: lines and tokens are swapped, numbers replaced.
class Text : public Target {
 public:
  File mutate(const File& file, uint64_t seed) override {
    static const char* const kTokens[] = {"0",    "-1",   "1e99", "nan", "99999999999999999999",
                                          "16",   "true", "\"",   "{",   "}",
                                          "[",    "]",    ":",    ", ",  "- ",
                                          "\n  ", "%x",   "#",    "&a",  "*a",
                                          "<<: ", "~"};
    Random random(seed);
    File result = file;
    for (uint64_t left = random.one_in(2) ? 1 : random.below(4); left > 0; --left) {
      if (result.empty()) break;
      const auto at = result.begin() + static_cast<std::ptrdiff_t>(random.below(result.size()));
      const auto end = at + static_cast<std::ptrdiff_t>(std::min<uint64_t>(
                                1 + random.below(6), static_cast<uint64_t>(result.end() - at)));
      const std::string token = kTokens[random.below(std::size(kTokens))];
      if (random.one_in(3)) {
        *at = static_cast<uint8_t>(random.next());
      } else {
        const auto after = random.one_in(2) ? result.erase(at, end) : at;
        result.insert(after, token.begin(), token.end());
      }
    }
    return result;
  }

 protected:
  static File bytes(const std::string& text) { return {text.begin(), text.end()}; }
};

class Soc : public Text {
 public:
  std::vector<File> seeds() const override {
    std::string text;  // "a.b=1" as YAML, flat
    for (char c : canonical_text(SocConfig()))
      text += c == '=' ? std::string(": ") : std::string(1, c);
    return {bytes(text),
            bytes("dla:\n  macs_k: 32\n  macs_c: 16\nhost:\n  kernel_cycles_per_element: "
                  "{nms: 2.5}\ndram: {refresh: none}\n"),
            bytes("engines:\n- {kind: dla, name: dla, macs_k: 32}\n- {kind: dla, name: dla1, "
                  "macs_k: 32}\n- {kind: dma, name: dma}\ntiles: [{sram: {banks: 8}}]\n")};
  }
  bool feed(const File& file) override {
    return taken([&] {
      const SocConfig config = socs::parse_soc({file.begin(), file.end()}, "fuzz");
      for (const ir::Graph& network : m_networks) compile::compile(network, config);
    });
  }

 private:
  static std::vector<ir::Graph> networks() {
    std::vector<ir::Graph> graphs;
    for (const File& file : small_networks()) graphs.push_back(import::import_tflite(file, "net"));
    return graphs;
  }
  std::vector<ir::Graph> m_networks = networks();
};

class Post : public Text {
 public:
  std::vector<File> seeds() const override {
    return {
        bytes("decode:\n  type: yolov3\n  classes: [a, b]\n  heads:\n    - {output: 0, stride: 8, "
              "anchors: [[12, 14]]}\nnms: {score: 0.3, iou: 0.45, max: 32}\n"),
        bytes("decode: {type: yolov8, classes: [a, b, c], output: 1, unit: image}\n"
              "nms: {score: 0.3, iou: 0.45, max: 32}\n")};
  }
  bool feed(const File& file) override {
    return taken([&] {
      ir::Graph graph = ir::parse(
          "graph \"g\" tflite {\n input %x : int8[1,4,4,7] q(0.5, 1)\n"
          " %y = leaky_relu(%x) {alpha=0.1} : int8[1,4,4,7] q(0.5, 1)\n"
          " %z = reshape(%x) : int8[1,16,7] q(0.5, 1)\n output %y, %z\n}\n");
      import::attach_post(graph, {file.begin(), file.end()});
    });
  }
};

class Graph : public Text {
 public:
  std::vector<File> seeds() const override {
    return {
        bytes("graph \"small\" xnnpack {\n  input %x : int8[1,4,4,3] q(0.5, -1)\n"
              "  const %w : int8[2,3,3,3] q([0.1, 0.2], 0, axis=0) = random 7\n"
              "  const %b : int32[2] = [100, -7]\n"
              "  %y = conv2d(%x, %w, %b) {pad_top=1, pad_bottom=1, pad_left=1, pad_right=1, "
              "act=relu6} from [3] : int8[1,4,4,2] q(0.25, 3)\n  output %y\n}\n")};
  }
  bool feed(const File& file) override {
    return taken([&] { ir::verify(ir::parse({file.begin(), file.end()})); });
  }
};

}  // namespace

std::unique_ptr<Target> make_target(const std::string& name) {
  if (name == "import") return std::make_unique<Import>();
  if (name == "tflite") return std::make_unique<Tflite>();
  if (name == "presil") return std::make_unique<Presil>();
  if (name == "streams") return streams_target(Presil().seeds());
  if (name == "soc") return std::make_unique<Soc>();
  if (name == "post") return std::make_unique<Post>();
  if (name == "graph") return std::make_unique<Graph>();
  if (name == "onnx") return onnx_target();
  if (name == "tosa") return tosa_target();
  throw std::invalid_argument("there is no target '" + name + "'");
}

const std::vector<std::string>& target_names() {
  static const std::vector<std::string> names = {"import", "tflite", "presil", "streams", "soc",
                                                 "post",   "graph",  "onnx",   "tosa"};
  return names;
}

}  // namespace presil::fuzz
