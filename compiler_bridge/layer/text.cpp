#include "compiler_bridge/layer/text.h"

#include <map>
#include <utility>

#include "compiler_bridge/layer/dla_layer.h"
#include "compiler_bridge/layer/dma_layer.h"
#include "compiler_bridge/layer/dsp_layer.h"
#include "compiler_bridge/layer/host_layer.h"
#include "compiler_bridge/layer/in_place_layer.h"

namespace presil::layer {
namespace {

constexpr size_t kLineLength = 100;

struct Header {
  std::string name, op;
  std::vector<int> source_ops, graph_ops;
  uint64_t macs = 0;
  int beside = 0;

  template <class Self, class F>
  static void fields(Self& s, F&& f) {
    f("name", s.name), f("op", s.op), f("source_ops", s.source_ops);
    f("graph_ops", s.graph_ops), f("macs", s.macs);
    f("beside", s.beside);
  }
};

/// "word {a=1, b=2}", broken into lines between fields.
std::string lines_of(const std::string& word, const std::vector<std::string>& fields) {
  std::string text, line = word + " {";
  for (size_t i = 0; i < fields.size(); ++i) {
    const std::string field = fields[i] + (i + 1 < fields.size() ? "," : "}");
    if (i > 0 && line.size() + 1 + field.size() > kLineLength) {
      text += line + "\n";
      line = "      " + field;
    } else {
      line += (i > 0 ? " " : "") + field;
    }
  }
  return text + line + (fields.empty() ? "}\n" : "\n");
}

using Read = std::function<Work(FieldReader&)>;

std::map<std::string, Read>& known() {
  static std::map<std::string, Read> all = {
      {DlaLayer::kWord, read_work<DlaLayer>},         {DmaLayer::kWord, read_work<DmaLayer>},
      {DspLayer::kWord, read_work<DspLayer>},         {HostLayer::kWord, read_work<HostLayer>},
      {InPlaceLayer::kWord, read_work<InPlaceLayer>},
  };
  return all;
}

}  // namespace

void know_work(const std::string& word, Read read) {
  known()[word] = std::move(read);
}

std::string print(const Layers& layers, const PrintOptions& options) {
  std::string text;
  for (const Layer& layer : layers) {
    FieldWriter header(true), work(options.payload);
    header.write(
        Header{layer.name, layer.op, layer.source_ops, layer.graph_ops, layer.macs, layer.beside});
    layer.work.write(work);
    text += lines_of("layer", header.fields());
    text += lines_of("  " + std::string(layer.work.word()), work.fields());
  }
  return text;
}

Layers parse(const std::string& text, const std::vector<ImagePtr>& images) {
  ir::Lexer from(text);
  FieldReader reader(from, images);
  Layers layers;
  while (from.peek().kind != ir::Lexer::Kind::kEnd) {
    from.expect("layer");
    Header header;
    reader.read(header);
    const auto found = known().find(from.peek().text);
    if (found == known().end()) {
      std::string words;
      for (const auto& [word, read] : known()) words += (words.empty() ? "" : ", ") + word;
      from.refuse("the word of a layer's engine: " + words);
    }
    from.next();
    layers.push_back({header.name, header.op, header.source_ops, header.graph_ops, header.macs,
                      found->second(reader), header.beside});
  }
  return layers;
}

}  // namespace presil::layer
