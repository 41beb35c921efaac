#include "sim/engine/try_engine.h"

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <string>

#include "sim/engine/engine_library.h"

namespace presil {
namespace {

/// A Refusal's text goes on in another process.
class Told : public Refusal {
 public:
  explicit Told(const std::string& text)
      : Refusal(text.substr(0, text.find(": ")), text.substr(text.find(": ") + 2)) {}
};

/// In the child. @return what is refused, empty: nothing
std::string looked_at(const BuiltEngine& built) {
  try {
    const EngineLibrary library(built.library, built.folder);
    EngineNumbers().claim(library);
    std::vector<uint64_t> parameters;
    for (uint32_t i = 0; i < library.description().parameter_count; ++i) {
      parameters.push_back(library.description().parameters[i].value);
    }
    parameters.push_back(0);  // where there are none, the check is given an array too
    probe_estimates(library, parameters);
  } catch (const Refusal& refusal) {
    return refusal.what();
  }
  return "";
}

[[noreturn]] void child(const BuiltEngine& built, int to, unsigned seconds) {
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGALRM, SIGINT, SIGTERM}) {
    std::signal(signal, SIG_DFL);
  }
  alarm(seconds);
  const std::string said = looked_at(built);
  const char* at = said.data();
  for (size_t left = said.size(); left > 0;) {
    const ssize_t written = ::write(to, at, left);
    if (written <= 0) break;
    at += written;
    left -= static_cast<size_t>(written);
  }
  _exit(0);
}

std::string text_from(int from) {
  std::string text;
  std::array<char, 4096> part;
  for (;;) {
    const ssize_t got = ::read(from, part.data(), part.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return text;
    text.append(part.data(), static_cast<size_t>(got));
  }
}

}  // namespace

void try_engine(const BuiltEngine& built, unsigned seconds) {
  const auto refuse = [&](const std::string& what) {
    throw Refusal("engine", built.folder + ": " + built.library + ": " + what);
  };
  int ends[2];
  if (pipe(ends) != 0) refuse("cannot be tried: there is no pipe for it");
  const pid_t process = fork();
  if (process == 0) {
    close(ends[0]);
    child(built, ends[1], seconds);
  }
  close(ends[1]);
  const std::string said = process < 0 ? "" : text_from(ends[0]);
  close(ends[0]);
  int status = 0;
  pid_t ended = -1;
  if (process > 0) {
    do ended = waitpid(process, &status, 0);
    while (ended < 0 && errno == EINTR);
  }
  if (ended < 0) refuse("cannot be tried: there is no process for it");
  if (!said.empty()) throw Told(said);
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM) {
    refuse("has not been opened after " + std::to_string(seconds) +
           " s, must return from its initialisers and from presil_engine_plugin");
  }
  if (WIFSIGNALED(status)) {
    refuse("ends the process that opens it with signal " + std::to_string(WTERMSIG(status)) + " (" +
           strsignal(WTERMSIG(status)) +
           "), must return from its initialisers and from presil_engine_plugin");
  }
}

}  // namespace presil
