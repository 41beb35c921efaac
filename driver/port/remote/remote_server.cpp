// The SoC's side: takes the client's requests and hands them to a port of this process.
#include <presil/remote.h>
#include <signal.h>
#include <unistd.h>

#include <boost/interprocess/mapped_region.hpp>
#include <boost/interprocess/shared_memory_object.hpp>
#include <cstring>
#include <map>
#include <new>
#include <optional>
#include <string>

#include "driver/port/remote/channel.h"

namespace presil::remote {
namespace {

namespace ipc = boost::interprocess;

constexpr unsigned kLookMs = 200;
constexpr uint64_t kPage = 4096;

/// A buffer of the client, by its offset in the shared memory.
struct Shared {
  presil_memory memory;
  uint64_t end;
};

class Server {
 public:
  Server(const char* name, const presil_port& port, size_t bytes) : m_name(name), m_port(port) {
    const uint64_t memory_offset = (sizeof(Channel) + kPage - 1) / kPage * kPage;
    ipc::shared_memory_object::remove(name);  // of a process that has died
    m_object = ipc::shared_memory_object(ipc::create_only, name, ipc::read_write);
    m_object.truncate(static_cast<ipc::offset_t>(memory_offset + bytes));
    m_region = ipc::mapped_region(m_object, ipc::read_write);
    m_channel = new (m_region.get_address()) Channel;
    m_channel->memory_offset = memory_offset;
    m_channel->memory_bytes = bytes;
    m_channel->server = getpid();
    m_channel->magic = kMagic;
  }
  ~Server() {
    m_channel->magic = 0;  // nothing is answered any more
    for (auto& [offset, shared] : m_buffers) m_port.release(m_port.self, &shared.memory);
    ipc::shared_memory_object::remove(m_name.c_str());
  }
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  /// @return false: no client came
  bool run(uint32_t timeout_ms) {
    Channel& c = *m_channel;
    uint64_t waited_ms = 0;
    for (uint64_t next = 0; !m_closed;) {
      if (!c.to_server.wait([&] { return c.asked.load() != next; }, kLookMs)) {
        const int32_t client = c.client;
        if (client != 0 && kill(client, 0) != 0) return true;  // has died
        waited_ms += kLookMs;
        if (client == 0 && timeout_ms != 0 && waited_ms >= timeout_ms) return false;
        continue;
      }
      while (next != c.asked.load() && !m_closed) {
        serve(c.requests[next % kRequests]);
        c.taken.store(++next);
        c.to_client.ring();
      }
    }
    return true;
  }

 private:
  void answer(const Answer& answer) {
    m_channel->answer = answer;
    m_channel->answers.fetch_add(1);
    m_channel->to_client.ring();
  }

  uint8_t* shared(uint64_t offset) {
    return static_cast<uint8_t*>(m_region.get_address()) + m_channel->memory_offset + offset;
  }

  /// The lowest gap that is large enough.
  std::optional<uint64_t> free_offset(uint64_t bytes) const {
    uint64_t from = 0;
    for (const auto& [offset, buffer] : m_buffers) {
      if (bytes <= offset - from) break;
      from = (buffer.end + kPage - 1) / kPage * kPage;
    }
    if (bytes > m_channel->memory_bytes || from > m_channel->memory_bytes - bytes) return {};
    return from;
  }

  Answer alloc(uint64_t bytes, uint64_t align) {
    const std::optional<uint64_t> offset = free_offset(bytes);
    presil_memory memory{};
    if (!offset || m_port.alloc(m_port.self, bytes, align, &memory) != 0) return {-1, 0, 0};
    m_buffers[*offset] = {memory, *offset + bytes};
    return {0, memory.address, *offset};
  }

  /// The buffer that holds these bytes of the client; nullptr: none does.
  Shared* buffer_at(uint64_t offset, uint64_t bytes, uint64_t& inside) {
    auto buffer = m_buffers.upper_bound(offset);
    if (buffer == m_buffers.begin()) return nullptr;
    --buffer;
    inside = offset - buffer->first;
    const uint64_t end = buffer->second.end;
    return offset <= end && bytes <= end - offset ? &buffer->second : nullptr;
  }

  void copy(uint64_t offset, uint64_t bytes, bool to_soc) {
    uint64_t inside = 0;
    const Shared* buffer = buffer_at(offset, bytes, inside);
    if (buffer == nullptr) return;
    uint8_t* const host = static_cast<uint8_t*>(buffer->memory.host) + inside;
    if (to_soc) {
      std::memcpy(host, shared(offset), bytes);
      m_port.clean(m_port.self, host, bytes);
    } else {
      m_port.invalidate(m_port.self, host, bytes);
      std::memcpy(shared(offset), host, bytes);
    }
  }

  void release(uint64_t address) {
    for (auto buffer = m_buffers.begin(); buffer != m_buffers.end(); ++buffer) {
      if (buffer->second.memory.address != address) continue;
      m_port.release(m_port.self, &buffer->second.memory);
      m_buffers.erase(buffer);
      return;
    }
  }

  void serve(const Request& r) {
    void* const self = m_port.self;
    switch (r.what) {
      case Do::kWrite:
        return m_port.write32(self, r.a, r.number);
      case Do::kRead:
        return answer({0, m_port.read32(self, r.a), 0});
      case Do::kAlloc:
        return answer(alloc(r.a, r.b));
      case Do::kRelease:
        return release(r.a);
      case Do::kClean:
        copy(r.a, r.b, true);
        return answer({});
      case Do::kInvalidate:
        copy(r.a, r.b, false);
        return answer({});
      case Do::kWait:
        return answer({m_port.wait(self, r.a), 0, 0});
      case Do::kSpend: {
        const presil_task task = {r.number, r.name, static_cast<uint32_t>(r.c), r.a, r.b};
        return m_port.spend(self, &task);
      }
      case Do::kNow:
        return answer({0, m_port.now_ns(self), 0});
      case Do::kObserve:
        if (m_port.observe != nullptr) {
          m_port.observe(self, static_cast<presil_host_state>(r.number), static_cast<uint32_t>(r.a),
                         static_cast<uint32_t>(r.b));
        }
        return;
      case Do::kReset:
        return answer({m_port.reset != nullptr ? m_port.reset(self) : -1, 0, 0});
      case Do::kClose:
        m_closed = true;
        return answer({});
    }
  }

  const std::string m_name;
  const presil_port& m_port;
  ipc::shared_memory_object m_object;
  ipc::mapped_region m_region;
  Channel* m_channel = nullptr;
  std::map<uint64_t, Shared> m_buffers;
  bool m_closed = false;
};

}  // namespace
}  // namespace presil::remote

const char* presil_remote_serve(const char* name, const presil_port* port, size_t bytes,
                                uint32_t timeout_ms) {
  thread_local std::string why;
  try {
    presil::remote::Server server(name, *port, bytes);
    if (server.run(timeout_ms)) return nullptr;
    why = "remote: no client has come to '" + std::string(name) + "' within " +
          std::to_string(timeout_ms) + " ms";
  } catch (const boost::interprocess::interprocess_exception& no) {
    why = "remote: '" + std::string(name) + "' cannot be served: " + no.what();
  }
  return why.c_str();
}
