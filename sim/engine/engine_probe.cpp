// Small commands of every operation, by the table of the engine's contract, go through its check
// and its estimate in a child process. What the child was doing stands in memory that both see.
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <random>

#include "sim/engine/engine_library.h"

namespace presil {
namespace {

constexpr unsigned kCommandsOfAnOperation = 500;
constexpr int kSmall = 8;  // values of a field above its smallest

struct Progress {
  enum What : int { kCheck, kEstimate, kBelowOne, kThrown, kDone } what;
  unsigned estimated;
  int64_t cycles;
  uint32_t words[PRESIL_MAX_COMMAND_WORDS];
  char thrown[256];
};

struct Command {
  uint32_t words[PRESIL_MAX_COMMAND_WORDS] = {};
};

/// One of operation `op` whose fields are legal; sizes are small, so that an estimate takes no
/// time.
Command small_command(const presil_command_format& format, int64_t op, std::mt19937& random) {
  Command command;
  for (int i = 0; i < format.field_count; ++i) {
    const presil_field& f = format.fields[i];
    int64_t value = presil_field_default(&f);
    if (i == format.op_field) {
      value = op;
    } else if (!presil_field_used(&f, op)) {
      value = 0;
    } else if (f.codes != nullptr) {
      do {
        value = static_cast<int64_t>(random() % f.code_count);
      } while ((f.legal_codes >> value & 1) == 0);
    } else if (i != format.isa_version_field) {
      const int64_t step = std::max<int64_t>(f.multiple_of, 1);
      value = (value + step - 1) / step * step + step * static_cast<int64_t>(random() % kSmall);
      while (value > f.max) value -= step;
    }
    presil_field_set(command.words, &f, value);
  }
  return command;
}

std::vector<Command> small_commands(const presil_command_format& format) {
  std::mt19937 random(1);
  std::vector<Command> commands;
  const presil_field& ops = format.fields[format.op_field];
  for (int64_t op = 0; op < ops.code_count; ++op) {
    if ((ops.legal_codes >> op & 1) == 0) continue;
    for (unsigned n = 0; n < kCommandsOfAnOperation; ++n) {
      const Command command = small_command(format, op, random);
      if (presil_command_check(&format, command.words, nullptr) == PRESIL_QUEUE_ERROR_CODE_NONE) {
        commands.push_back(command);
      }
    }
  }
  return commands;
}

/// The child: ends by itself, or by what goes wrong.
void run(const EnginePlugin& plugin, const std::vector<Command>& commands,
         const std::vector<uint64_t>& parameters, Progress& progress) {
  presil_limits limits{};
  limits.sram_bytes = 1 << 20;
  limits.sync_count = 255;
  limits.parameters = parameters.data();
  for (uint32_t& pages : limits.region_pages) pages = 256;
  try {
    for (const Command& command : commands) {
      std::copy_n(command.words, PRESIL_MAX_COMMAND_WORDS, progress.words);
      presil_finding finding{};
      progress.what = Progress::kCheck;
      if (!plugin.driver->check(command.words, &limits, &finding)) continue;
      progress.what = Progress::kEstimate;
      progress.cycles = plugin.estimate(command.words, parameters.data());
      if (progress.cycles < 1) {
        progress.what = Progress::kBelowOne;
        return;
      }
      ++progress.estimated;
    }
    progress.what = Progress::kDone;
  } catch (const std::exception& error) {
    std::snprintf(progress.thrown, sizeof progress.thrown, "%s", error.what());
    progress.what = progress.what == Progress::kCheck ? Progress::kCheck : Progress::kThrown;
  } catch (...) {
    std::snprintf(progress.thrown, sizeof progress.thrown, "something that is no std::exception");
    progress.what = progress.what == Progress::kCheck ? Progress::kCheck : Progress::kThrown;
  }
}

/// "max {out_h 3, out_w 5}": fields that are not as in a fresh command.
std::string text_of(const presil_command_format& format, const uint32_t* words) {
  const presil_field& ops = format.fields[format.op_field];
  const char* name = presil_field_code_name(&ops, presil_field_get(words, &ops));
  std::string text;
  for (int i = 0; i < format.field_count; ++i) {
    const presil_field& f = format.fields[i];
    const int64_t value = presil_field_get(words, &f);
    if (i == format.op_field || value == 0 || i == format.isa_version_field) continue;
    text += (text.empty() ? "" : ", ") + std::string(f.name) + " " + std::to_string(value);
  }
  return std::string(name == nullptr ? "command" : name) + " {" + text + "}";
}

/// How the child ended, in words; empty: by itself.
std::string end_of(int status, const Progress& progress, unsigned seconds) {
  if (WIFSIGNALED(status)) {
    const int signal = WTERMSIG(status);
    if (signal == SIGALRM) return "has not returned after " + std::to_string(seconds) + " s";
    return "ended with signal " + std::to_string(signal) + " (" + strsignal(signal) + ")";
  }
  if (progress.thrown[0] != 0) return "threw \"" + std::string(progress.thrown) + "\"";
  if (progress.what == Progress::kBelowOne) return "said " + std::to_string(progress.cycles);
  if (progress.what != Progress::kDone) return "ended the process";
  return "";
}

}  // namespace

Probe probe_estimates(const EngineLibrary& library, const std::vector<uint64_t>& parameters,
                      unsigned seconds) {
  const presil_command_format& format = *library.description().format();
  const std::vector<Command> commands = small_commands(format);
  void* const shared =
      mmap(nullptr, sizeof(Progress), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) library.refuse("cannot be tried: there is no memory for it");
  Progress& progress = *new (shared) Progress();
  const pid_t child = fork();
  if (child == 0) {
    // What ends it is seen from outside, also where this process handles signals of its own.
    for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGALRM}) {
      std::signal(signal, SIG_DFL);
    }
    alarm(seconds);
    run(library.plugin(), commands, parameters, progress);
    _exit(0);
  }
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child) {
    munmap(shared, sizeof(Progress));
    library.refuse("cannot be tried: there is no process for it");
  }
  const Progress seen = progress;
  munmap(shared, sizeof(Progress));
  const std::string end = end_of(status, seen, seconds);
  if (!end.empty()) {
    const bool check = seen.what == Progress::kCheck;
    library.refuse(std::string(check ? "driver check" : "estimate") + " of " +
                   text_of(format, seen.words) + " " + end +
                   (check
                        ? ", must accept or refuse each command whose fields are legal"
                        : ", must return 1 cycle or more for each command that the check accepts"));
  }
  return {static_cast<unsigned>(commands.size()), seen.estimated};
}

}  // namespace presil
