// What a test has shown of an engine's contract, for `presil coverage`: a file for each test in the
// folder that PRESIL_COVERAGE names, nothing without it.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace presil::test {

class Shown {
 public:
  /// @param kinds  how the engine ran: "model", "rtl", or both side by side
  Shown(std::string engine, std::vector<std::string> kinds)
      : m_engine(std::move(engine)), m_kinds(std::move(kinds)) {}
  Shown(const Shown&) = delete;
  Shown& operator=(const Shown&) = delete;
  ~Shown() { write(); }

  /// @param text  of a command that was executed, as command_to_text says it
  void command(const std::string& text) { ++m_commands[text]; }
  /// @param rule  its name in engine.yaml; a command that breaks it was refused for it
  void broken(const std::string& rule) { seen("rules/" + rule + "/broken", 1); }
  /// @param cause  as run.json names it: feature_bank, wait_in:dma
  void cause(const std::string& cause, uint64_t cycles) {
    for (const std::string& kind : m_kinds) this->cause(cause, cycles, kind);
  }
  void cause(const std::string& cause, uint64_t cycles, const std::string& kind) {
    const bool waits = cause.find(':') != std::string::npos;
    if (cycles != 0) m_hits[(waits ? "waits/" : "stalls/") + cause + "/seen"][kind] += cycles;
  }

 private:
  using Counts = std::map<std::string, uint64_t>;

  void seen(const std::string& bin, uint64_t times) {
    for (const std::string& kind : m_kinds) m_hits[bin][kind] += times;
  }

  void write() const {
    const char* folder = std::getenv("PRESIL_COVERAGE");
    if (folder == nullptr || (m_commands.empty() && m_hits.empty())) return;
    const auto* info = ::testing::UnitTest::GetInstance()->current_test_info();
    if (info == nullptr) return;
    std::string test = std::string(info->test_suite_name()) + "." + info->name();
    for (char& c : test) {
      if (c == '/') c = '-';  // of a test with parameters
    }
    std::filesystem::create_directories(folder);
    static unsigned number = 0;  // a test may show several times
    test += "-" + std::to_string(number++);
    std::ofstream file(std::string(folder) + "/" + m_engine + "-" + test + ".json");
    file << "{\"coverage\": 1, \"sources\": [\"" << test << "\"], \"hits\": {\"" << m_engine
         << "\": {";
    const char* between = "";
    for (const auto& [name, kinds] : m_hits) {
      file << between << "\n \"" << name << "\": {";
      const char* comma = "";
      for (const auto& [kind, times] : kinds) {
        file << comma << '"' << kind << "\": " << times;
        comma = ", ";
      }
      file << '}';
      between = ",";
    }
    file << "}}, \"commands\": {\"" << m_engine << "\": {";
    between = "";
    for (const std::string& kind : m_kinds) {
      file << between << '"' << kind << "\": {";
      const char* comma = "";
      for (const auto& [text, times] : m_commands) {
        file << comma << "\n \"" << text << "\": " << times;
        comma = ",";
      }
      file << '}';
      between = ", ";
    }
    file << "}}}\n";
  }

  std::string m_engine;
  std::vector<std::string> m_kinds;
  Counts m_commands;
  std::map<std::string, Counts> m_hits;  // by bin and kind
};

}  // namespace presil::test
