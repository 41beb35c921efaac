#include "sim/host_cpu/aarch64_core.h"

#include <elf.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <climits>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <stdexcept>

#include "models/base/refusal.h"
#include "models/base/yaml_text.h"
#include "sim/host_cpu/core_file.h"

extern char** environ;

namespace presil::host_cpu {
namespace {

using aarch64::Channel, aarch64::Event;

constexpr const char* kRequired =
    "required is a linked program for AArch64 (64-bit ELF), as clang --target=aarch64-none-elf "
    "makes it";

// Hundredths of a cycle.
uint32_t read_centicycles(const std::string& file) {
  const YAML::Node root = core_file(file);
  double value = 0;
  const YAML::Node key = root["cycles_per_instruction"];
  const bool is_number = key && key.IsScalar() && YAML::convert<double>::decode(key, value);
  if (!is_number || !(value >= 0.1 && value <= 100)) {
    throw Refusal("aarch64", file + " has cycles_per_instruction: " +
                                 (key && key.IsScalar() ? key.as<std::string>() : "nothing") +
                                 ", must be a number 0.1..100");
  }
  for (const auto& entry : root) {
    const auto name = entry.first.as<std::string>("");
    if (name != "name" && name != "architecture" && name != "cycles_per_instruction")
      throw Refusal("aarch64", file + " has an unknown key \"" + name + "\"; remove or correct it");
  }
  return static_cast<uint32_t>(value * 100 + 0.5);
}

// By the environment, else beside this program.
std::string process_file() {
  char self[PATH_MAX];
  const ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
  const std::string here(self, length > 0 ? static_cast<size_t>(length) : 0);
  const char* const named = std::getenv("PRESIL_AARCH64");
  const std::string file =
      named != nullptr ? named : here.substr(0, here.rfind('/') + 1) + "presil-aarch64";
  if (access(file.c_str(), X_OK) == 0) return file;
  throw Refusal(
      "host",
      "aarch64 requires the program presil-aarch64, which this build lacks; install "
      "libunicorn-dev (Debian) and build again, or run with --host native, m33, m4, rv64");
}

}  // namespace

Aarch64Core::Aarch64Core(const std::string& core_file, const std::string& firmware)
    : m_firmware(firmware),
      m_program(elf::read(firmware, {"aarch64", kRequired, "AArch64", EM_AARCH64, 64})),
      m_centicycles(read_centicycles(core_file)) {
  process_file();  // refused before anything runs
  const uint64_t offset = m_file.grow(Channel::kBytes);
  m_channel = new (m_file.map(offset, Channel::kBytes)) Channel;
  add_part({Distributor::kBase, Distributor::kBytes, nullptr, true, false, 0, &m_distributor}, 0);
  add_part({TimerFrame::kBase, TimerFrame::kBytes, nullptr, true, false, 0, &m_timer}, 0);
}

Aarch64Core::~Aarch64Core() {
  end();
  for (const Mapped& m : m_mapped) SharedFile::unmap(m.host, m.bytes);
  SharedFile::unmap(reinterpret_cast<uint8_t*>(m_channel), Channel::kBytes);
}

// --------------------------------------------------------------------------------------- memory

uint8_t* Aarch64Core::memory(uint32_t bytes) {
  const uint64_t offset = m_file.grow(bytes);
  m_mapped.push_back({m_file.map(offset, bytes), bytes, offset});
  return m_mapped.back().host;
}

void Aarch64Core::add(const CoreRegion& from) {
  if (from.device != nullptr) return add_part(from, 0);
  for (const Mapped& m : m_mapped)
    if (m.host == from.host) return add_part(from, m.offset);
  add_part(from, m_file.take_over(from.host, from.bytes));
}

void Aarch64Core::add_part(const CoreRegion& from, uint64_t offset) {
  Part part;
  part.region = {from.base, from.bytes, offset, from.writes, from.executes, from.device != nullptr};
  part.host = from.host;
  part.device = from.device;
  m_parts.push_back(part);
}

// What its process has mapped stays where it is.
bool Aarch64Core::move(uint32_t base, uint8_t* host) {
  return std::any_of(m_parts.begin(), m_parts.end(),
                     [&](const Part& p) { return p.region.base == base && p.host == host; });
}

uint8_t* Aarch64Core::at(uint32_t address, uint32_t bytes) {
  for (const Part& p : m_parts) {
    const uint64_t offset = address - p.region.base;
    if (p.host != nullptr && p.region.writes != 0 && address >= p.region.base &&
        offset < p.region.bytes && p.region.bytes - offset >= bytes)
      return p.host + offset;
  }
  return nullptr;
}

// -------------------------------------------------------------------------------------- process

void Aarch64Core::reset() {
  end();
  for (const elf::Segment& s : m_program.segments) {
    if (s.bytes.empty()) continue;  // the program clears it
    uint8_t* host = nullptr;
    for (const Part& p : m_parts) {
      const uint64_t offset = s.load_address - p.region.base;
      if (p.host != nullptr && s.load_address >= p.region.base && offset < p.region.bytes &&
          p.region.bytes - offset >= s.bytes.size())
        host = p.host + offset;
    }
    if (host == nullptr) {
      char at[24];
      std::snprintf(at, sizeof at, "0x%08llx", static_cast<unsigned long long>(s.load_address));
      throw Refusal("aarch64", "'" + m_firmware + "' has " + std::to_string(s.bytes.size()) +
                                   " bytes at " + at +
                                   ", where the core has no memory of this size; correct the "
                                   "linker script or the core's regions");
    }
    std::memcpy(host, s.bytes.data(), s.bytes.size());
  }
  const bool runs = std::any_of(m_parts.begin(), m_parts.end(), [this](const Part& p) {
    return p.region.executes != 0 && m_program.entry - p.region.base < p.region.bytes;
  });
  if (!runs || m_program.entry % 4 != 0) throw no_entry("aarch64", m_firmware, m_program.entry);
  m_channel->~Channel();
  m_channel = new (m_channel) Channel;
  m_channel->parent = getpid();
  m_channel->entry = m_channel->pc = m_program.entry;
  m_channel->centicycles = m_centicycles;
  m_channel->debug.on = m_channel->debug.every = m_debug != nullptr ? 1 : 0;
  for (const Part& p : m_parts) m_channel->region[m_channel->regions++] = p.region;
  m_distributor = {};
  m_timer = {};
  m_at_device = false;
}

void Aarch64Core::start() {
  const std::string file = process_file();
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
  // One above, so that the copy is never the descriptor itself, which would be closed.
  const int copy = fcntl(m_file.descriptor(), F_DUPFD_CLOEXEC, Channel::kDescriptor + 1);
  posix_spawn_file_actions_adddup2(&actions, copy, Channel::kDescriptor);
  std::string name = "presil-aarch64";
  char* arguments[] = {name.data(), nullptr};
  const int error = posix_spawn(&m_process, file.c_str(), &actions, nullptr, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  close(copy);
  if (error != 0) {
    m_process = -1;
    throw std::runtime_error("host aarch64: '" + file +
                             "' cannot be started: " + std::strerror(error));
  }
}

void Aarch64Core::end() {
  if (m_process < 0) return;
  kill(m_process, SIGKILL);
  waitpid(m_process, nullptr, 0);
  m_process = -1;
}

// Returns when the core stands.
void Aarch64Core::give_turn() {
  constexpr unsigned kLookMs = 200;
  if (m_process < 0) start();
  m_channel->core_runs = 1;
  m_channel->to_core.ring();
  const auto ready = [this] { return m_channel->core_runs == 0; };
  while (!m_channel->to_simulation.wait(ready, kLookMs)) {
    int status = 0;
    if (waitpid(m_process, &status, WNOHANG) != m_process) continue;
    m_process = -1;
    throw std::runtime_error("host aarch64: the process of the core has ended (wait status " +
                             std::to_string(status) + ")");
  }
}

// The access that the core waits for. False: its device is not ready.
bool Aarch64Core::access() {
  Channel& c = *m_channel;
  const auto address = static_cast<uint32_t>(c.address);
  for (const Part& p : m_parts) {
    if (p.device == nullptr || c.address - p.region.base >= p.region.bytes) continue;
    auto value = static_cast<uint32_t>(c.value);
    const Access answer = c.event == Event::kLoad ? p.device->load(address, c.cycle(), value)
                                                  : p.device->store(address, c.cycle(), value);
    c.value = value;
    c.refused = answer == Access::kRefused;
    return answer != Access::kLater;
  }
  c.refused = 1;
  return true;
}

CoreStop Aarch64Core::run(uint64_t cycle) {
  Channel& c = *m_channel;
  c.limit = cycle;
  for (;;) {
    if (m_at_device && !access()) return {CoreStop::Reason::kLater, c.pc, 0};
    m_at_device = false;
    give_turn();
    switch (c.event) {
      case Event::kTime:
        return {CoreStop::Reason::kTime, c.pc, 0};
      case Event::kWait:
        return {CoreStop::Reason::kWait, c.pc, 0};
      case Event::kLoad:
      case Event::kStore:
        m_at_device = true;
        break;
      case Event::kText:
        if (m_console) m_console(c.text);
        break;
      case Event::kExit:
        return {CoreStop::Reason::kExit, c.pc, static_cast<uint32_t>(c.value)};
      case Event::kBreakpoint:
        return {CoreStop::Reason::kBreakpoint, c.pc, 0};
      case Event::kDebug:
        ask_debugger();
        break;
      case Event::kStuck:
        return {CoreStop::Reason::kStuck, c.pc, 0};
      case Event::kWrong:
        throw std::runtime_error("host aarch64: " + std::string(c.text));
    }
  }
}

void Aarch64Core::sleep_until(uint64_t cycle) {
  if (cycle > m_channel->cycle()) m_channel->waited += cycle - m_channel->cycle();
}

uint64_t Aarch64Core::next_event() const {
  const uint64_t next = m_timer.next();
  return next == kNever ? kNever : std::max(next, cycle());
}

}  // namespace presil::host_cpu
