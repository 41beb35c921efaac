// The way to one debugger: a TCP port of this machine, and packets of GDB's remote serial protocol.
#pragma once

#include <cstdint>
#include <string>

namespace presil::debug {

class Connection {
 public:
  /// Listens at 127.0.0.1. @param port 0: any that is free
  /// @throws Refusal where it is taken
  explicit Connection(uint16_t port);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  uint16_t port() const { return m_port; }
  bool connected() const { return m_stream >= 0; }
  /// Waits until a debugger comes.
  void accept();
  void close();

  /// The next packet. @return false: the debugger is gone
  bool receive(std::string& packet);
  void send(const std::string& packet);
  /// Without waiting: the debugger has asked to stop, or is gone.
  bool interrupted();
  void stop_acknowledging() { m_acknowledges = false; }

 private:
  int next_byte();

  int m_listener = -1, m_stream = -1;
  uint16_t m_port = 0;
  bool m_acknowledges = true;
  std::string m_buffer;  // received, not read
  size_t m_at = 0;
};

}  // namespace presil::debug
