#include "tests/ports/fake_uio.h"

#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <ucontext.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>

namespace presil::driver {
namespace {

FakeUio* the_fake = nullptr;

/// The register of a mov's ModRM field in the interrupted thread.
greg_t& general(ucontext_t& c, unsigned number) {
  static const int order[16] = {REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP,
                                REG_RSI, REG_RDI, REG_R8,  REG_R9,  REG_R10, REG_R11,
                                REG_R12, REG_R13, REG_R14, REG_R15};
  return c.uc_mcontext.gregs[order[number]];
}

/// Bytes of ModRM, SIB and displacement.
unsigned address_bytes(const uint8_t* modrm) {
  const unsigned mode = modrm[0] >> 6, base = modrm[0] & 7;
  const unsigned sib = base == 4;
  const bool far = mode == 2 || (mode == 0 && (base == 5 || (sib != 0 && (modrm[1] & 7) == 5)));
  return 1 + sib + (far ? 4 : mode == 1 ? 1 : 0);
}

// A 32-bit mov from or to memory: does what it does at the device, and goes on after it.
void fault(int, siginfo_t* info, void* context) {
  auto& c = *static_cast<ucontext_t*>(context);
  const auto* at = static_cast<const uint8_t*>(info->si_addr);
  if (the_fake == nullptr || at < the_fake->begin() ||
      at >= the_fake->begin() + FakeUio::kRegisterBytes) {
    signal(SIGSEGV, SIG_DFL);
    return;
  }
  const auto offset = static_cast<uint64_t>(at - the_fake->begin());
  const auto* code = reinterpret_cast<const uint8_t*>(c.uc_mcontext.gregs[REG_RIP]);
  const uint8_t* op = code;
  const uint8_t rex = (*op & 0xf0) == 0x40 ? *op++ : 0;
  const uint8_t opcode = *op++;
  const unsigned number = (op[0] >> 3 & 7) | (rex & 4) << 1;
  unsigned bytes = static_cast<unsigned>(op - code) + address_bytes(op);
  if (opcode == 0x8b) {
    general(c, number) = the_fake->read(offset);
  } else if (opcode == 0x89) {
    the_fake->write(offset, static_cast<uint32_t>(general(c, number)));
  } else {
    static const char text[] = "fake_uio: the access is no mov of 32 bits\n";
    (void)!::write(2, text, sizeof text - 1);
    std::_Exit(3);
  }
  c.uc_mcontext.gregs[REG_RIP] += bytes;
}

int memory_file(const char* name, size_t bytes) {
  const int fd = memfd_create(name, MFD_CLOEXEC);
  if (fd < 0 || ftruncate(fd, static_cast<off_t>(bytes)) != 0) std::abort();
  return fd;
}

}  // namespace

FakeUio::FakeUio()
    : m_registers_fd(memory_file("registers", kRegisterBytes)),
      m_memory_fd(memory_file("memory", kMemoryBytes)) {
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, m_line) != 0) std::abort();
  auto* bytes = static_cast<uint8_t*>(
      mmap(nullptr, kMemoryBytes, PROT_READ | PROT_WRITE, MAP_SHARED, m_memory_fd, 0));
  m_mock.lend(PRESIL_DRAM_BASE, bytes, kMemoryBytes);
  m_thread = std::thread([this] { work(); });
}

FakeUio::~FakeUio() {
  m_ends = true;
  m_thread.join();
  the_fake = nullptr;
  for (const int fd : {m_registers_fd, m_memory_fd, m_line[0], m_line[1]}) close(fd);
}

presil_uio_config FakeUio::config() const {
  return {m_registers_fd,   PRESIL_TILE_BASE(0), kRegisterBytes, m_line[0], m_memory_fd,
          PRESIL_DRAM_BASE, kMemoryBytes,        nullptr,        nullptr};
}

void FakeUio::trap(presil_uio* uio) {
  m_begin = static_cast<uint8_t*>(const_cast<void*>(presil_uio_registers(uio)));
  mprotect(m_begin, kRegisterBytes, PROT_NONE);
  the_fake = this;
  struct sigaction action {};
  action.sa_sigaction = fault;
  action.sa_flags = SA_SIGINFO | SA_NODEFER;
  sigaction(SIGSEGV, &action, nullptr);
}

uint32_t FakeUio::read(uint64_t offset) {
  const std::lock_guard<std::recursive_mutex> lock(m_mutex);
  ++m_accesses;
  return m_mock.port()->read32(m_mock.port()->self, PRESIL_TILE_BASE(0) + offset);
}

void FakeUio::write(uint64_t offset, uint32_t value) {
  const std::lock_guard<std::recursive_mutex> lock(m_mutex);
  ++m_accesses;
  m_mock.port()->write32(m_mock.port()->self, PRESIL_TILE_BASE(0) + offset, value);
}

// Lets time pass at the device, and interrupts once each time that it has been enabled.
void FakeUio::work() {
  bool enabled = false;
  uint32_t word = 0, count = 0;
  while (!m_ends) {
    pollfd asked = {m_line[1], POLLIN, 0};
    if (poll(&asked, 1, enabled ? 0 : 1) > 0 && ::read(m_line[1], &word, sizeof word) > 0) {
      enabled = word != 0;
    }
    const std::lock_guard<std::recursive_mutex> lock(m_mutex);
    const presil_port* port = m_mock.port();
    const bool up = port->wait(port->self, 200) == PRESIL_WAIT_INTERRUPT;
    if (!up || !enabled) continue;
    enabled = false;
    ++m_interrupts;
    (void)!::write(m_line[1], &++count, sizeof count);
  }
}

}  // namespace presil::driver
