// presil-sim: a SoC in a process of its own. Reads one JSON message a line from standard input and
// writes one JSON answer a line to standard output, until the input ends.
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <iostream>
#include <string>
#include <systemc>

#include "models/base/refusal.h"
#include "sim/platform/session.h"

namespace {

constexpr int kRefused = 2;
constexpr int kDefect = 70;
constexpr auto kReplace = nlohmann::json::error_handler_t::replace;

nlohmann::json no(int exit, const std::string& text, const nlohmann::json& detail = nullptr) {
  return {{"ok", false}, {"exit", exit}, {"error", text}, {"detail", detail}};
}

nlohmann::json answer(presil::platform::Session& session, const std::string& line) {
  try {
    nlohmann::json reply = session.answer(nlohmann::json::parse(line));
    reply["ok"] = true;
    return reply;
  } catch (const presil::platform::Failure& failure) {
    return no(failure.exit(), failure.what(), failure.detail());
  } catch (const presil::Refusal& refusal) {
    return no(kRefused, refusal.what());
  } catch (const std::exception& defect) {
    return no(kDefect, defect.what());
  }
}

}  // namespace

int sc_main(int argc, char**) {
  if (argc > 1) {
    std::cerr
        << "presil-sim: takes no arguments; it reads JSON messages, see sim/platform/README.md\n";
    return kRefused;
  }
  std::signal(SIGXFSZ, SIG_IGN);  // a file that may not grow is told as a full disk
  // Whatever else is printed, as by an assertion of a Verilated block, goes to standard error.
  std::FILE* answers = fdopen(dup(STDOUT_FILENO), "w");
  if (answers == nullptr || dup2(STDERR_FILENO, STDOUT_FILENO) < 0) return kDefect;
  presil::platform::Session session;
  for (std::string line; std::getline(std::cin, line);) {
    // The driver quotes names of a loadable as they are.
    const std::string text = answer(session, line).dump(-1, ' ', false, kReplace);
    std::fprintf(answers, "%s\n", text.c_str());
    std::fflush(answers);
  }
  return 0;
}
