// The client's side: every call of the port is a request.
#include <presil/remote.h>
#include <signal.h>
#include <unistd.h>

#include <boost/interprocess/mapped_region.hpp>
#include <boost/interprocess/shared_memory_object.hpp>
#include <chrono>
#include <cstring>
#include <mutex>
#include <string>
#include <thread>

#include "driver/port/remote/channel.h"

namespace ipc = boost::interprocess;
using presil::remote::Answer;
using presil::remote::Channel;
using presil::remote::Do;
using presil::remote::kRequests;
using presil::remote::Request;

struct presil_remote {
  ipc::shared_memory_object object;
  ipc::mapped_region region;
  Channel* channel = nullptr;
  presil_port port{};
  std::mutex mutex;
  bool dead = false;
};

namespace {

constexpr unsigned kLookMs = 200;  // between two looks whether the server lives

std::string& error_text() {
  thread_local std::string text;
  return text;
}

presil_remote& me(void* self) {
  return *static_cast<presil_remote*>(self);
}

bool alive(const presil_remote& r) {
  return r.channel->magic == presil::remote::kMagic && kill(r.channel->server, 0) == 0;
}

/// Until `ready`; false: the server has died.
template <class Ready>
bool until(presil_remote& r, Ready&& ready) {
  while (!r.dead && !r.channel->to_client.wait(ready, kLookMs)) r.dead = !alive(r);
  return !r.dead;
}

void post(presil_remote& r, const Request& request) {
  Channel& c = *r.channel;
  const uint64_t number = c.asked.load(std::memory_order_relaxed);
  if (!until(r, [&] { return number - c.taken.load() < kRequests; })) return;
  c.requests[number % kRequests] = request;
  c.asked.store(number + 1);
  c.to_server.ring();
}

/// All ones where the server has died.
Answer ask(presil_remote& r, const Request& request) {
  const uint64_t before = r.channel->answers.load();
  post(r, request);
  if (!until(r, [&] { return r.channel->answers.load() != before; })) return {-1, UINT64_MAX, 0};
  return r.channel->answer;
}

uint64_t offset_of(const presil_remote& r, const void* host) {
  const auto* memory = static_cast<const char*>(r.region.get_address()) + r.channel->memory_offset;
  return static_cast<uint64_t>(static_cast<const char*>(host) - memory);
}

void fill(presil_remote& remote) {
  presil_port& port = remote.port;
  port.self = &remote;
  port.read32 = [](void* self, uint64_t address) {
    return static_cast<uint32_t>(ask(me(self), {Do::kRead, 0, address, 0, 0, {}}).value);
  };
  port.write32 = [](void* self, uint64_t address, uint32_t value) {
    post(me(self), {Do::kWrite, value, address, 0, 0, {}});
  };
  port.alloc = [](void* self, size_t bytes, size_t align, presil_memory* memory) {
    const Answer answer = ask(me(self), {Do::kAlloc, 0, bytes, align, 0, {}});
    if (answer.status != 0) return -1;
    auto* base = static_cast<char*>(me(self).region.get_address());
    *memory = {base + me(self).channel->memory_offset + answer.offset, answer.value, bytes};
    return 0;
  };
  port.release = [](void* self, presil_memory* memory) {
    post(me(self), {Do::kRelease, 0, memory->address, 0, 0, {}});
  };
  port.clean = [](void* self, const void* host, size_t bytes) {
    ask(me(self), {Do::kClean, 0, offset_of(me(self), host), bytes, 0, {}});
  };
  port.invalidate = [](void* self, const void* host, size_t bytes) {
    ask(me(self), {Do::kInvalidate, 0, offset_of(me(self), host), bytes, 0, {}});
  };
  port.wait = [](void* self, uint64_t timeout_ns) {
    const Answer answer = ask(me(self), {Do::kWait, 0, timeout_ns, 0, 0, {}});
    return answer.status < 0 ? PRESIL_WAIT_DEAD : static_cast<presil_wait_result>(answer.status);
  };
  port.spend = [](void* self, const presil_task* task) {
    Request request{Do::kSpend, task->kernel, task->elements, task->bytes, task->tag, {}};
    std::strncpy(request.name, task->kernel_name, sizeof request.name - 1);
    post(me(self), request);
  };
  port.now_ns = [](void* self) { return ask(me(self), {Do::kNow, 0, 0, 0, 0, {}}).value; };
  port.observe = [](void* self, presil_host_state state, uint32_t id, uint32_t tag) {
    post(me(self), {Do::kObserve, static_cast<uint32_t>(state), id, tag, 0, {}});
  };
  port.lock = [](void* self) { me(self).mutex.lock(); };
  port.unlock = [](void* self) { me(self).mutex.unlock(); };
  port.reset = [](void* self) {
    return static_cast<int>(ask(me(self), {Do::kReset, 0, 0, 0, 0, {}}).status);
  };
}

/// Mapped, once the server has made it.
bool attach(presil_remote& r, const char* name) {
  r.object = ipc::shared_memory_object(ipc::open_only, name, ipc::read_write);
  ipc::offset_t bytes = 0;
  if (!r.object.get_size(bytes) || bytes < static_cast<ipc::offset_t>(sizeof(Channel)))
    return false;
  r.region = ipc::mapped_region(r.object, ipc::read_write);
  r.channel = static_cast<Channel*>(r.region.get_address());
  return r.channel->magic.load() == presil::remote::kMagic;
}

}  // namespace

presil_remote* presil_remote_open(const char* name, uint32_t timeout_ms) {
  using std::chrono::steady_clock;
  const auto end = steady_clock::now() + std::chrono::milliseconds(timeout_ms);
  auto* remote = new presil_remote;
  std::string why;
  for (bool last = false;; last = steady_clock::now() >= end) {
    try {
      if (attach(*remote, name)) break;
      why = "its server does not answer";
    } catch (const ipc::interprocess_exception& no) {
      why = no.what();
    }
    if (last) {
      error_text() = "remote: '" + std::string(name) + "' cannot be reached (" + why +
                     "); is it served, by this name and this version?";
      delete remote;
      return nullptr;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  int32_t taken = 0;
  if (!remote->channel->client.compare_exchange_strong(taken, getpid())) {
    error_text() = "remote: '" + std::string(name) + "' has a client already, process " +
                   std::to_string(taken) + "; a SoC serves one at a time";
    delete remote;
    return nullptr;
  }
  fill(*remote);
  return remote;
}

const char* presil_remote_error(void) {
  return error_text().c_str();
}

const presil_port* presil_remote_port(presil_remote* remote) {
  return remote == nullptr ? nullptr : &remote->port;
}

void presil_remote_close(presil_remote* remote) {
  if (remote == nullptr) return;
  ask(*remote, {Do::kClose, 0, 0, 0, 0, {}});
  delete remote;
}
