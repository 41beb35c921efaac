#include "sim/debug/connection.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "models/base/refusal.h"

namespace presil::debug {
namespace {

constexpr char kInterrupt = 3;
constexpr int kGone = -1;

[[noreturn]] void refuse(uint16_t port, const char* what) {
  throw Refusal("gdb", "port " + std::to_string(port) + " " + what + " (" + std::strerror(errno) +
                           "); give another one, or 0 for any that is free");
}

}  // namespace

Connection::Connection(uint16_t port) {
  m_listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const int on = 1;
  setsockopt(m_listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  auto* const plain = reinterpret_cast<sockaddr*>(&address);
  socklen_t bytes = sizeof address;
  if (bind(m_listener, plain, bytes) != 0 || listen(m_listener, 1) != 0) {
    const int why = errno;
    ::close(m_listener);
    errno = why;
    refuse(port, "cannot be listened at");
  }
  getsockname(m_listener, plain, &bytes);
  m_port = ntohs(address.sin_port);
}

Connection::~Connection() {
  close();
  ::close(m_listener);
}

void Connection::accept() {
  do {
    m_stream = accept4(m_listener, nullptr, nullptr, SOCK_CLOEXEC);
  } while (m_stream < 0 && errno == EINTR);
  if (m_stream < 0) refuse(m_port, "has no debugger");
  const int on = 1;
  setsockopt(m_stream, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  m_acknowledges = true;
}

void Connection::close() {
  if (m_stream >= 0) ::close(m_stream);
  m_stream = -1;
  m_buffer.clear();
  m_at = 0;
}

int Connection::next_byte() {
  if (m_at == m_buffer.size()) {
    std::array<char, 4096> bytes{};
    const ssize_t got = recv(m_stream, bytes.data(), bytes.size(), 0);
    if (got <= 0) return kGone;
    m_buffer.assign(bytes.data(), static_cast<size_t>(got));
    m_at = 0;
  }
  return static_cast<uint8_t>(m_buffer[m_at++]);
}

// "$packet#checksum"; before it acknowledgements, and interrupts of what stands already.
bool Connection::receive(std::string& packet) {
  for (;;) {
    int byte = 0;
    while ((byte = next_byte()) != '$') {
      if (byte == kGone) return false;
    }
    packet.clear();
    uint8_t sum = 0;
    while ((byte = next_byte()) != '#') {
      if (byte == kGone) return false;
      sum = static_cast<uint8_t>(sum + byte);
      if (byte == '}') {  // the next one is escaped
        byte = next_byte();
        if (byte == kGone) return false;
        sum = static_cast<uint8_t>(sum + byte);
        byte ^= 0x20;
      }
      packet += static_cast<char>(byte);
    }
    const int high = next_byte(), low = next_byte();
    if (high == kGone || low == kGone) return false;
    const char digits[3] = {static_cast<char>(high), static_cast<char>(low), 0};
    const bool whole = std::strtoul(digits, nullptr, 16) == sum;
    if (m_acknowledges) ::send(m_stream, whole ? "+" : "-", 1, MSG_NOSIGNAL);
    if (whole || !m_acknowledges) return true;
  }
}

void Connection::send(const std::string& packet) {
  if (!connected()) return;
  std::string text = "$";
  uint8_t sum = 0;
  for (const char c : packet) {
    const bool escaped = c == '$' || c == '#' || c == '}' || c == '*';
    if (escaped) text += '}';
    text += escaped ? static_cast<char>(c ^ 0x20) : c;
  }
  for (size_t i = 1; i < text.size(); ++i) sum = static_cast<uint8_t>(sum + text[i]);
  char end[8];
  std::snprintf(end, sizeof end, "#%02x", sum);
  text += end;
  for (size_t at = 0; at < text.size();) {
    const ssize_t sent = ::send(m_stream, text.data() + at, text.size() - at, MSG_NOSIGNAL);
    if (sent <= 0) return;  // the next receive tells
    at += static_cast<size_t>(sent);
  }
}

bool Connection::interrupted() {
  if (!connected()) return false;
  for (;;) {
    pollfd wait{m_stream, POLLIN, 0};
    if (m_at == m_buffer.size() && poll(&wait, 1, 0) <= 0) return false;
    const int byte = next_byte();
    if (byte == kInterrupt || byte == kGone) return true;
    if (byte == '$') {  // a packet, of a debugger that does not wait
      --m_at;
      return true;
    }
  }
}

}  // namespace presil::debug
