#include "sim/host_cpu/shared_pages.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <system_error>
#include <vector>

namespace presil::host_cpu {
namespace {

constexpr uint64_t kPage = 4096;

[[noreturn]] void fail(const char* what) {
  throw std::system_error(errno, std::generic_category(), what);
}

constexpr uint64_t kPresent = uint64_t{3} << 62;  // in memory, or swapped out

// Of each page an entry; where the system does not tell, every page may hold something.
std::vector<uint64_t> pages_of(const uint8_t* host, uint64_t bytes) {
  std::vector<uint64_t> entries(bytes / kPage, kPresent);
  const int map = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
  if (map < 0) return entries;
  std::vector<uint64_t> told(entries.size());
  const auto first = static_cast<off_t>(reinterpret_cast<uintptr_t>(host) / kPage * 8);
  const auto size = static_cast<ssize_t>(told.size() * 8);
  if (pread(map, told.data(), told.size() * 8, first) == size) entries = told;
  close(map);
  return entries;
}

// Copies those pages that have ever been touched and are not zero.
void copy_present(const uint8_t* host, uint64_t bytes, int to, uint64_t offset) {
  static constexpr uint8_t kZeros[kPage] = {};
  const std::vector<uint64_t> entries = pages_of(host, bytes);
  for (uint64_t page = 0; page < entries.size(); ++page) {
    const uint8_t* from = host + page * kPage;
    if ((entries[page] & kPresent) == 0 || std::memcmp(from, kZeros, kPage) == 0) continue;
    const auto at = static_cast<off_t>(offset + page * kPage);
    if (pwrite(to, from, kPage, at) != static_cast<ssize_t>(kPage)) fail("pwrite");
  }
}

}  // namespace

SharedFile::SharedFile() : m_descriptor(memfd_create("presil-core", MFD_CLOEXEC)) {
  if (m_descriptor < 0) fail("memfd_create");
}

SharedFile::~SharedFile() {
  close(m_descriptor);
}

uint64_t SharedFile::grow(uint64_t bytes) {
  const uint64_t begin = m_bytes;
  m_bytes += (bytes + kPage - 1) / kPage * kPage;
  if (ftruncate(m_descriptor, static_cast<off_t>(m_bytes)) != 0) fail("ftruncate");
  return begin;
}

uint64_t SharedFile::take_over(uint8_t* host, uint64_t bytes) {
  const uint64_t size = (bytes + kPage - 1) / kPage * kPage, offset = grow(size);
  copy_present(host, size, m_descriptor, offset);
  const void* map = mmap(host, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED | MAP_NORESERVE,
                         m_descriptor, static_cast<off_t>(offset));
  if (map == MAP_FAILED) fail("mmap");
  return offset;
}

uint8_t* SharedFile::map(uint64_t offset, uint64_t bytes) const {
  void* map = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, m_descriptor,
                   static_cast<off_t>(offset));
  if (map == MAP_FAILED) fail("mmap");
  return static_cast<uint8_t*>(map);
}

void SharedFile::unmap(uint8_t* host, uint64_t bytes) {
  munmap(host, bytes);
}

}  // namespace presil::host_cpu
