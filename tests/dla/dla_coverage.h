// Which commands a run has seen: every class of legal values of every field, by operation, and what
// matters together.
#pragma once

#include <iosfwd>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "rtl/dla/dla_command.h"

namespace presil::dla::test {

/// Classes of a field: its legal codes; of a signed number negative, 0, positive; of another one
/// its least value, the next one, and more.
class Coverage {
 public:
  void add(const Command& command);
  /// How many classes and crosses were seen, and those that were not.
  void print(std::ostream& out) const;
  size_t classes_seen() const { return m_classes.size(); }
  size_t crosses_seen() const { return m_crosses.size(); }

  /// All that the table of fields allows; rules between fields take some of them away.
  static std::set<std::string> all_classes();
  static std::set<std::string> all_crosses();

 private:
  std::map<std::string, unsigned> m_classes, m_crosses;
};

}  // namespace presil::dla::test
