// YAML as a value. yaml-cpp throws where a text is none; here that ends, for all that read YAML.
#pragma once

#include <yaml-cpp/yaml.h>

#include <string>

namespace presil {

struct YamlText {
  YAML::Node root;
  std::string wrong;    ///< why the text is no YAML, with line and column; "": it is
  std::string message;  ///< the same without them,
  int line = 0;         ///< from 1
  bool more = false;    ///< another document follows

  bool is_yaml() const { return wrong.empty(); }
};

/// The first document. @param rest  what follows it is looked at too, and says `more`
YamlText parse_yaml(const std::string& text, bool rest = false);

}  // namespace presil
