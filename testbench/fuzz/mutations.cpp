// mutations TARGET [--count N] [--seed S] [--limit-s T] [--save FILE] [FILE...]
//
// Feeds N mutations of the target's own seeds, or of the files, to the target. Mutation number i is
// that of seed S + i, so that one that fails is repeated with --seed and --count 1, and kept with
// --save. A mutation that takes longer than the limit, or a defect, ends the program.
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include "testbench/fuzz/targets.h"

using presil::fuzz::File;

// What is thrown at the reader must not make it take memory without bound.
#ifdef FUZZ_SANITIZED
extern "C" const char* __asan_default_options() {
  // A large quarantine would keep pages of every size that has ever been in it.
  return "hard_rss_limit_mb=2000:max_allocation_size_mb=1500:detect_leaks=1:quarantine_size_mb=16";
}
extern "C" void __sanitizer_set_death_callback(void (*)());
#endif

namespace {

char g_now[512];  // what a signal handler can write out

void tell() {
  (void)!write(STDERR_FILENO, g_now, std::strlen(g_now));
}

void too_long(int) {
  static const char text[] = "mutations: this one does not end in time\n";
  (void)!write(STDERR_FILENO, text, sizeof text - 1);
  std::abort();
}

#ifdef FUZZ_SANITIZED
void watch_memory() {
  __sanitizer_set_death_callback(tell);
}
#else
void watch_memory() {
  constexpr rlim_t kMost = rlim_t{2000} << 20;
  const rlimit limit = {kMost, kMost};
  if (setrlimit(RLIMIT_AS, &limit) != 0) throw std::runtime_error("memory cannot be limited");
  for (const int fault : {SIGSEGV, SIGBUS, SIGFPE, SIGILL}) {
    std::signal(fault, [](int signal) {
      tell();
      std::signal(signal, SIG_DFL);
      (void)raise(signal);
    });
  }
}
#endif

File read(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  if (!stream) {
    std::fprintf(stderr, "mutations: '%s' cannot be read\n", path.c_str());
    std::exit(2);
  }
  return File(std::istreambuf_iterator<char>(stream), {});
}

int run(int argc, char** argv) {
  uint64_t count = 1000, seed = 1;
  unsigned limit = 20;
  std::string save;
  std::vector<File> files;
  for (int i = 2; i < argc; ++i) {
    const std::string option = argv[i];
    const bool value = i + 1 < argc;
    if (option == "--count" && value)
      count = std::strtoull(argv[++i], nullptr, 10);
    else if (option == "--seed" && value)
      seed = std::strtoull(argv[++i], nullptr, 10);
    else if (option == "--limit-s" && value)
      limit = static_cast<unsigned>(std::strtoul(argv[++i], nullptr, 10));
    else if (option == "--save" && value)
      save = argv[++i];
    else
      files.push_back(read(option));
  }
  const auto target = presil::fuzz::make_target(argv[1]);
  if (files.empty()) files = target->seeds();
  for (const File& file : files) {
    if (!target->feed(file)) throw std::runtime_error("a seed is refused");
  }
  // Seed after seed, so that each is walked once; a mutation depends on its own number only.
  uint64_t taken = 0, done = 0;
  for (size_t f = 0; f < files.size(); ++f) {
    for (uint64_t s = seed; s < seed + count; ++s) {
      if (s % files.size() != f) continue;
      std::snprintf(g_now, sizeof g_now, "mutations: repeat with: %s --seed %llu --count 1\n",
                    argv[1], static_cast<unsigned long long>(s));
      const File mutated = target->mutate(files[f], s);
      if (!save.empty()) {
        std::ofstream(save, std::ios::binary)
            .write(reinterpret_cast<const char*>(mutated.data()),
                   static_cast<std::streamsize>(mutated.size()));
      }
      alarm(limit);
      taken += target->feed(mutated) ? 1 : 0;
      ++done;
    }
  }
  alarm(0);
  g_now[0] = '\0';
  std::printf("%s: %llu mutations of %zu files, %llu taken, the others refused\n", argv[1],
              static_cast<unsigned long long>(done), files.size(),
              static_cast<unsigned long long>(taken));
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: mutations TARGET [--count N] [--seed S] [FILE...]\n");
    return 2;
  }
  std::signal(SIGALRM, too_long);
  std::signal(SIGABRT, [](int) { tell(); });
  try {
    watch_memory();
    return run(argc, argv);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "mutations: %s\n", e.what());
    tell();
    return 70;
  }
}
