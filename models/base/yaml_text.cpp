#include "models/base/yaml_text.h"

#include <yaml-cpp/eventhandler.h>

#include <sstream>

namespace presil {
namespace {

/// Takes a document and keeps nothing of it.
struct Silent : YAML::EventHandler {
  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark&, YAML::anchor_t) override {}
  void OnAlias(const YAML::Mark&, YAML::anchor_t) override {}
  void OnScalar(const YAML::Mark&, const std::string&, YAML::anchor_t,
                const std::string&) override {}
  void OnSequenceStart(const YAML::Mark&, const std::string&, YAML::anchor_t,
                       YAML::EmitterStyle::value) override {}
  void OnSequenceEnd() override {}
  void OnMapStart(const YAML::Mark&, const std::string&, YAML::anchor_t,
                  YAML::EmitterStyle::value) override {}
  void OnMapEnd() override {}
};

/// YAML::Load reads the first document and is silent about what follows; YAML::LoadAll does not end
/// where that is no document.
bool goes_on(const std::string& text) {
  std::istringstream stream(text);
  YAML::Parser parser(stream);
  Silent silent;
  parser.HandleNextDocument(silent);
  return static_cast<bool>(parser);
}

}  // namespace

YamlText parse_yaml(const std::string& text, bool rest) {
  YamlText read;
  try {
    read.root = YAML::Load(text);
    read.more = rest && goes_on(text);
  } catch (const YAML::Exception& error) {
    read.wrong = error.what(), read.message = error.msg;
    read.line = error.mark.line + 1;
  }
  return read;
}

}  // namespace presil
