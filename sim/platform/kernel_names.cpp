#include "sim/platform/kernel_names.h"

#include <cxxabi.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "rtl/dsp/dsp_command.h"
#include "rtl/soc/address_map.h"
#include "rtl/soc/loadable_generated.h"

namespace presil::platform {
namespace {

constexpr const char* kEntry = "presil_entry_";

/// The first place at which one of `ends` stands outside of parentheses and angle brackets.
size_t outside(const std::string& text, const std::string& ends, size_t from = 0) {
  int depth = 0;
  for (size_t i = from; i < text.size(); ++i) {
    if (depth == 0 && ends.find(text[i]) != std::string::npos) return i;
    if (text[i] == '(' || text[i] == '<') ++depth;
    if (text[i] == ')' || text[i] == '>') --depth;
  }
  return std::string::npos;
}

}  // namespace

std::string readable(const std::string& symbol) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> made(
      abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status), std::free);
  if (status != 0) return symbol;
  std::string name = made.get();
  const std::string unnamed = "(anonymous namespace)::";
  for (size_t at; (at = name.find(unnamed)) != std::string::npos;) name.erase(at, unnamed.size());
  // Of a template's function the type of its result comes first; parameters come last.
  for (size_t blank; (blank = outside(name, " (")) != std::string::npos && name[blank] == ' ';)
    name.erase(0, blank + 1);
  name.resize(std::min(name.size(), outside(name, "(")));
  constexpr size_t kMostArguments = 24;
  for (size_t open = 0; (open = outside(name, "<", open)) != std::string::npos;) {
    size_t close = open + 1;
    for (int depth = 1; close < name.size() && depth > 0; ++close)
      depth += name[close] == '<' ? 1 : name[close] == '>' ? -1 : 0;
    if (close - open > kMostArguments) {
      name.replace(open, close - open, "<..>");
      close = open + 4;
    }
    open = close;
  }
  return name;
}

std::vector<dsp::Symbol> functions_of(const loadable::Loadable& loadable, uint32_t image_crc) {
  std::vector<dsp::Symbol> functions;
  if (loadable.dsp_images() == nullptr) return functions;
  for (const auto* image : *loadable.dsp_images()) {
    if (image->crc() != image_crc || image->symbols() == nullptr) continue;
    for (const auto* s : *image->symbols())
      functions.push_back({readable(s->name()->str()), s->address(), s->bytes()});
    break;
  }
  return functions;
}

std::string kernel_at(const std::vector<dsp::Symbol>& functions, uint32_t entry) {
  for (const dsp::Symbol& function : functions) {
    if (function.address != entry) continue;
    const bool kernel = function.name.rfind(kEntry, 0) == 0;
    return kernel ? function.name.substr(std::strlen(kEntry)) : function.name;
  }
  char text[16];
  std::snprintf(text, sizeof text, "0x%x", entry);
  return text;
}

std::map<uint32_t, std::string> kernels_of(const loadable::Loadable& loadable) {
  std::map<uint32_t, std::string> kernels;
  for (const auto* stream : *loadable.streams()) {
    if (stream->queue() != PRESIL_QUEUE_DSP) continue;
    for (uint32_t i = 0; i < stream->commands(); ++i) {
      uint32_t words[dsp::Command::kWords];
      const uint64_t at = stream->offset() + uint64_t{i} * dsp::Command::kPitch;
      std::memcpy(words, loadable.image()->data() + at, sizeof words);
      const dsp::Command command = dsp::Command::decode(words);
      if (command.op != dsp::Op::kRun) continue;
      kernels[command.tag] = kernel_at(functions_of(loadable, command.image_crc), command.entry);
    }
  }
  return kernels;
}

}  // namespace presil::platform
