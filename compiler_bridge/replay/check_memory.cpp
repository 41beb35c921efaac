#include "compiler_bridge/replay/check_memory.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <map>
#include <set>

#include "compiler_bridge/replay/bytes.h"
#include "compiler_bridge/replay/data_flow.h"
#include "compiler_bridge/replay/order.h"

namespace presil::replay {
namespace {

constexpr unsigned kSpaces = 1 + PRESIL_REGIONS;

bool is_dma(uint8_t queue) {
  return presil_kind_of_queue(queue) == PRESIL_ENGINE_DMA;
}

constexpr Space kInputs = region_space(PRESIL_REGION_INPUTS);

// Whose bytes a command leaves: a layer's results, its number; constants that were loaded for a
// layer, constants_of its number, which is its own inverse; or the network's inputs.
constexpr int kAnyone = -1;
constexpr int constants_of(int layer) {
  return layer == kAnyone ? kAnyone : -2 - layer;
}

std::string space_name(Space space) {
  static constexpr const char* kRegions[] = {"constants", "inputs", "outputs", "scratch"};
  if (space == kSram) return "the sram";
  const unsigned region = space - 1;
  return "the region " + (region < 4 ? std::string(kRegions[region]) : std::to_string(region));
}

std::string range(uint64_t begin, uint64_t end) {
  char text[64];
  std::snprintf(text, sizeof text, "0x%llx .. 0x%llx", static_cast<unsigned long long>(begin),
                static_cast<unsigned long long>(end - 1));
  return text;
}

/// Of what a layer of the DLA reads: whose results, and the sentence of such an access.
struct Part {
  std::set<int> of;
  std::string said;
};

/// A sentence about what is wrong; none: nothing is.
using Wrong = std::optional<std::string>;

class Replay {
 public:
  explicit Replay(const loadable::Loadable& l)
      : m_l(l), m_queues(read_streams(l)), m_order(order_of(m_queues)), m_feeds(feeds(l)) {
    m_memory[kSram] = History(l.sram_bytes(), kUnwritten);
    m_memory[region_space(PRESIL_REGION_CONSTANTS)] = History(l.image()->size(), kGiven);
    m_memory[kInputs] = History(l.input_bytes(), kGiven);
    m_memory[region_space(PRESIL_REGION_OUTPUTS)] = History(l.output_bytes(), kUnwritten);
    m_memory[region_space(PRESIL_REGION_SCRATCH)] = History(l.scratch_bytes(), kUnwritten);
  }

  Checked run() {
    m_checked.data_flow = !m_feeds.empty();
    m_checked.wrong = first_wrong();
    return m_checked;
  }

 private:
  const Placed& placed(int i) const { return m_order.commands[static_cast<size_t>(i)]; }
  const Command& command(int i) const { return *placed(i).command; }

  Wrong first_wrong() {
    for (size_t i = 0; i < m_order.commands.size(); ++i) {
      if (Wrong wrong = replay(static_cast<int>(i))) return wrong;
    }
    if (m_order.stuck) return m_order.stuck;
    if (Wrong wrong = left_out()) return wrong;
    for (const int32_t output : *m_l.outputs()) {
      if (Wrong wrong = whole(*m_l.tensors()->Get(uint32_t(output)))) return wrong;
    }
    return std::nullopt;
  }

  Wrong replay(int i) {
    ++m_checked.commands;
    m_from.emplace_back();
    const std::vector<Access>& own = command(i).accesses;
    if (Wrong wrong = read_all(i, own)) return wrong;
    std::vector<Access> further;
    if (command(i).regions) {
      std::vector<uint8_t> regions, arguments;
      if (Wrong wrong = constants_at(i, *command(i).arguments, arguments)) return wrong;
      if (Wrong wrong = constants_at(i, *command(i).regions, regions)) return wrong;
      further = accesses_of_regions(regions, arguments);
      if (Wrong wrong = read_all(i, further)) return wrong;
    }
    if (Wrong wrong = write_all(i, own)) return wrong;
    if (Wrong wrong = write_all(i, further)) return wrong;
    if (!passes_on(command(i))) m_from.back() = {command(i).layer};
    return std::nullopt;
  }

  /// A copy for another engine's layer passes on whose bytes it moves; one that is a layer of the
  /// DMA makes that layer's result.
  bool passes_on(const Command& c) const {
    if (!is_dma(c.queue)) return false;
    return c.layer < 0 || m_l.layers()->Get(uint32_t(c.layer))->engine() != loadable::Engine_dma;
  }

  Wrong read_all(int i, const std::vector<Access>& accesses) {
    for (const Access& access : accesses) {
      if (access.write) continue;
      const auto read_span = [&](const Span& span) { return read(i, access, span); };
      if (Wrong wrong = each(access, i, read_span)) return wrong;
    }
    return std::nullopt;
  }

  Wrong write_all(int i, const std::vector<Access>& accesses) {
    for (const Access& access : accesses) {
      if (!access.write) continue;
      const auto write_span = [&](const Span& span) { return write(i, access, span); };
      if (Wrong wrong = each(access, i, write_span)) return wrong;
    }
    return std::nullopt;
  }

  template <class F>
  Wrong each(const Access& access, int i, F&& f) {
    ++m_checked.accesses;
    for (const Span& span : access.spans) {
      const uint64_t size = span.space < kSpaces ? m_memory[span.space].size() : 0;
      if (span.begin >= span.end || span.end > size) {
        return does(i, access, span.begin, span.end, span.space) + ", which has " +
               std::to_string(size) + " bytes";
      }
      m_checked.bytes += span.end - span.begin;
      if (Wrong wrong = f(span)) return wrong;
    }
    return std::nullopt;
  }

  /// "dla 3 (conv2d_1) reads bytes 0x400 .. 0x41f of the sram (weights)"
  std::string does(int i, const Access& access, uint64_t begin, uint64_t end, Space space) const {
    return command(i).name + (access.write ? " writes bytes " : " reads bytes ") +
           range(begin, end) + " of " + space_name(space) + " (" + access.what + ")";
  }

  Wrong read(int i, const Access& access, const Span& span) {
    const auto look = [&](uint64_t begin, Segment& segment) -> Wrong {
      const int writer = segment.writer;
      const auto said = [&] { return does(i, access, begin, segment.end, span.space); };
      if (writer == kUnwritten) return said() + ", which nothing has written";
      if (writer != kGiven && !before(writer, true, i, access)) {
        return said() + " that " + command(writer).name +
               " writes, and no wait makes it begin after that";
      }
      if (writer == kGiven) {
        m_from.back().insert(span.space == kInputs ? kAnyone : constants_of(command(i).layer));
      } else if (!m_feeds.empty()) {
        if (Wrong wrong = flow(i, access, writer, said)) return wrong;
      }
      remember(segment.readers, i);
      return std::nullopt;
    };
    return m_memory[span.space].visit(span.begin, span.end, look);
  }

  Wrong write(int i, const Access& access, const Span& span) {
    const auto look = [&](uint64_t begin, const Segment& segment) -> Wrong {
      const auto said = [&] { return does(i, access, begin, segment.end, span.space); };
      if (segment.writer == kGiven) return said() + ", which is not the job's to write";
      if (segment.writer >= 0 && !before(segment.writer, true, i, access)) {
        return said() + " that " + command(segment.writer).name +
               " writes too, and no wait says which comes first";
      }
      for (const int reader : segment.readers) {
        if (reader == i || before(reader, false, i, access)) continue;
        return said() + " that " + command(reader).name +
               " may still have to read: no wait makes it begin after that";
      }
      return std::nullopt;
    };
    if (Wrong wrong = m_memory[span.space].visit(span.begin, span.end, look)) return wrong;
    m_memory[span.space].write(span.begin, span.end, i);
    return std::nullopt;
  }

  /// Bytes of the SRAM that commands have loaded there from the image as they are.
  Wrong constants_at(int i, const Span& span, std::vector<uint8_t>& bytes) {
    bytes.resize(span.end - span.begin);
    const auto take = [&](uint64_t begin, const Segment& segment) -> Wrong {
      const auto& loaded = command(segment.writer).loaded;
      if (!loaded) {
        return command(i).name + " has its arguments or region table at bytes " +
               range(begin, segment.end) + " of the sram, where " + command(segment.writer).name +
               " has left no constants";
      }
      const uint64_t end = std::min(segment.end, span.end);
      std::memcpy(bytes.data() + (begin - span.begin),
                  m_l.image()->data() + loaded->from + (begin - loaded->to), end - begin);
      return std::nullopt;
    };
    return m_memory[kSram].visit(span.begin, span.end, take);
  }

  /// Is the command certainly done with a byte when this access begins? What a queue does by
  /// itself: rtl/dla/README.md (units in order, the loader and the sequencer ahead of the writer),
  /// rtl/dma/README.md (in order; a copy within one memory reads ahead of what is being written).
  bool before(int earlier, bool writes, int i, const Access& access) const {
    const Command &first = command(earlier), &second = command(i);
    if (first.queue == second.queue && !first.local && !second.local) {
      const bool read_ahead =
          presil_kind_of_queue(first.queue) == PRESIL_ENGINE_DLA && writes && !access.write;
      if (!read_ahead) return true;
    }
    return placed(i).gates[access.gate][first.queue] > first.index;
  }

  /// A layer reads results of layers that it is fed by, and constants: weights, parameters and
  /// tables those that were loaded for it.
  template <class Said>
  Wrong flow(int i, const Access& access, int writer, const Said& said) {
    const Command& reader = command(i);
    const std::set<int>& from = m_from[static_cast<size_t>(writer)];
    if (is_dma(reader.queue)) {
      m_from.back().insert(from.begin(), from.end());
    }
    if (reader.layer < 0) return std::nullopt;
    const Fed& fed = m_feeds[static_cast<size_t>(reader.layer)];
    if (Wrong wrong = mixed(i, access, fed, from, said)) return wrong;
    for (const int origin : from) {
      if (origin == kAnyone || fed.by.count(origin) != 0) continue;
      const bool constant = origin < kAnyone;
      const bool own =
          constant && (access.gate != kWeights || origin == constants_of(reader.layer) ||
                       same_for_images(constants_of(origin), reader.layer) ||
                       shares(constants_of(origin), reader.layer));
      if (own) continue;
      const int layer = constant ? constants_of(origin) : origin;
      return said() + ", where " + command(writer).name + " has left " +
             (constant ? "constants of layer " + name_of(layer)
                       : "what layer " + name_of(layer) + " made, which is none of its operands");
    }
    return std::nullopt;
  }

  /// A part of what the DLA reads (its input, its second operand) is one of the layer's operands.
  template <class Said>
  Wrong mixed(int i, const Access& access, const Fed& fed, const std::set<int>& from,
              const Said& said) {
    const Command& reader = command(i);
    if (presil_kind_of_queue(reader.queue) != PRESIL_ENGINE_DLA || fed.operands.empty()) {
      return std::nullopt;
    }
    std::set<int> others;
    for (const int origin : from) {
      if (origin >= 0 && fed.by.count(origin) != 0 && fed.own.count(origin) == 0) {
        others.insert(origin);
      }
    }
    Part& part = m_parts[reader.layer][access.what];
    const size_t before = part.of.size();
    part.of.insert(others.begin(), others.end());
    if (part.of.size() == before) return std::nullopt;
    part.said = said();
    if (each_holds_one(fed, {part.of})) return std::nullopt;
    return part.said + ", where its " + access.what + " is of " + names(part.of) +
           ", which are not one of its operands";
  }

  /// With as many parts as operands each of these is one of those.
  Wrong left_out() const {
    for (const auto& [layer, by_name] : m_parts) {
      std::vector<std::set<int>> parts;
      std::string text, said;
      for (const auto& [what, part] : by_name) {
        if (part.of.empty()) continue;
        parts.push_back(part.of);
        said = part.said;
        text += (text.empty() ? "its " : ", its ") + what + " is of " + names(part.of);
      }
      if (hold_all(m_feeds[static_cast<size_t>(layer)], parts)) continue;
      return said + ", but does not read one of its operands: " + text;
    }
    return std::nullopt;
  }

  std::string name_of(int layer) const { return m_l.layers()->Get(uint32_t(layer))->name()->str(); }
  std::string names(const std::set<int>& layers) const {
    std::string text;
    for (const int layer : layers) text += (text.empty() ? "layer " : " and ") + name_of(layer);
    return text;
  }

  /// Nothing is loaded for the layer `b`, which has as many constants as `a`: they are the same.
  bool shares(int a, int b) const {
    const loadable::Layer &first = *m_l.layers()->Get(uint32_t(a)),
                          &second = *m_l.layers()->Get(uint32_t(b));
    return m_loaded.count(b) == 0 && first.engine() == second.engine() &&
           first.weight_bytes() == second.weight_bytes();
  }

  static std::set<int> loaded_layers(const Order& order) {
    std::set<int> layers;
    for (const Placed& placed : order.commands) {
      if (placed.command->loaded) layers.insert(placed.command->layer);
    }
    return layers;
  }

  /// Layers that do the same for two images of a batch, whose weights are the same.
  bool same_for_images(int a, int b) const {
    const loadable::Layer &first = *m_l.layers()->Get(uint32_t(a)),
                          &second = *m_l.layers()->Get(uint32_t(b));
    const auto *of = first.source_ops(), *others = second.source_ops();
    if (!m_batch || of == nullptr || others == nullptr || first.engine() != second.engine() ||
        first.macs() != second.macs() || first.weight_bytes() != second.weight_bytes()) {
      return false;
    }
    return std::equal(of->begin(), of->end(), others->begin(), others->end());
  }

  /// Commands of a queue end in order, so its last reader stands for those before.
  void remember(std::vector<int>& readers, int i) const {
    for (int& reader : readers) {
      const Command &known = command(reader), &now = command(i);
      if (known.queue == now.queue && known.local == now.local) {
        reader = i;
        return;
      }
    }
    readers.push_back(i);
  }

  Wrong whole(const loadable::Tensor& output) {
    if (output.space() != loadable::Space_region) return std::nullopt;
    History& memory = m_memory[region_space(output.region())];
    const uint64_t begin = output.offset(), end = begin + output.bytes();
    if (end > memory.size() || begin == end) return std::nullopt;
    return memory.visit(begin, end, [&](uint64_t at, const Segment& segment) -> Wrong {
      if (segment.writer != kUnwritten) return std::nullopt;
      return "output '" + output.name()->str() + "' is never written at bytes " +
             range(at, segment.end) + " of " + space_name(region_space(output.region()));
    });
  }

  const loadable::Loadable& m_l;
  const Queues m_queues;
  const Order m_order;
  const std::set<int> m_loaded = loaded_layers(m_order);  ///< that constants are loaded for
  const std::vector<Fed> m_feeds;  ///< by layer; empty: the file does not say
  const bool m_batch = std::any_of(m_l.tensors()->begin(), m_l.tensors()->end(),
                                   [](const auto* tensor) { return tensor->part_of() >= 0; });
  std::array<History, kSpaces> m_memory;
  std::vector<std::set<int>> m_from;                   ///< by command: whose bytes it leaves
  std::map<int, std::map<std::string, Part>> m_parts;  ///< by layer and what it reads
  Checked m_checked;
};

}  // namespace

Checked check_memory(const loadable::Loadable& loadable) {
  return Replay(loadable).run();
}

}  // namespace presil::replay
