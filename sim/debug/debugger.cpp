#include "sim/debug/debugger.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace presil::debug {
namespace {

constexpr size_t kMostBytes = 4096;  // of memory at once
const std::string kDone = "OK", kNo = "E01", kTrap = "T05", kAsked = "T02";

std::string hexadecimal(const uint8_t* bytes, size_t count) {
  std::string text;
  for (size_t i = 0; i < count; ++i) {
    char digits[3];
    std::snprintf(digits, sizeof digits, "%02x", bytes[i]);
    text += digits;
  }
  return text;
}

Bytes bytes_of(const std::string& text) {
  Bytes bytes;
  for (size_t i = 0; i + 1 < text.size(); i += 2)
    bytes.push_back(static_cast<uint8_t>(std::strtoul(text.substr(i, 2).c_str(), nullptr, 16)));
  return bytes;
}

/// "address,length" and what follows them.
struct Extent {
  uint64_t address = 0, bytes = 0;
  std::string rest;
};
Extent extent_of(const std::string& text) {
  char* end = nullptr;
  Extent extent;
  extent.address = std::strtoull(text.c_str(), &end, 16);
  if (*end == ',') extent.bytes = std::strtoull(end + 1, &end, 16);
  extent.rest = text.substr(static_cast<size_t>(end - text.c_str()));  // may be any bytes
  return extent;
}

bool begins(const std::string& text, const char* with) {
  return text.rfind(with, 0) == 0;
}

}  // namespace

Debugger::~Debugger() {
  if (!m_connection.connected()) return;
  char text[8];
  std::snprintf(text, sizeof text, "W%02x", m_status & 255);
  m_connection.send(text);
}

void Debugger::look(Target& target, uint64_t pc) {
  std::string why;
  if (!m_came) {
    m_connection.accept();
    m_came = true;
    why = kTrap;
  } else if (changed(target, why)) {
  } else if (m_breakpoints.count(pc) != 0) {
    why = kTrap + "swbreak:;";
  } else if (m_steps) {
    why = kTrap;
  } else if (m_instructions % kLook == 0 && m_connection.interrupted()) {
    why = kAsked;
  }
  if (!why.empty()) stand(target, why);
}

void Debugger::asleep(Target& target) {
  if (!m_free && m_came && m_connection.interrupted()) stand(target, kAsked);
}

// What a write watchpoint looks at is compared before each instruction: a write of the core, and of
// any engine. Loads are told by the core.
bool Debugger::changed(Target& target, std::string& why) {
  const Watched* met = nullptr;
  uint64_t loaded = 0;
  const bool reads = target.was_read(loaded);
  for (Watched& watched : m_watched) {
    if (watched.what != Watches::kWrites && reads && watched.address == loaded) met = &watched;
    if (watched.what == Watches::kReads) continue;
    Bytes now(watched.value.size());
    if (!target.read(watched.address, now.data(), now.size()) || now == watched.value) continue;
    watched.value = now;
    met = &watched;
  }
  if (met == nullptr) return false;
  static constexpr const char* kWords[] = {"watch", "rwatch", "awatch"};
  char text[40];
  std::snprintf(text, sizeof text, "%s:%llx;", kWords[static_cast<unsigned>(met->what)],
                static_cast<unsigned long long>(met->address));
  why = kTrap + text;
  return true;
}

/// @return false: the core cannot tell of loads
bool Debugger::tell_reads(Target& target) {
  std::vector<WatchedReads::Extent> extents;
  for (const Watched& w : m_watched)
    if (w.what != Watches::kWrites) extents.push_back({w.address, w.value.size()});
  return target.watch_reads(extents) || extents.empty();
}

void Debugger::leave() {
  m_connection.close();
  m_free = true;
  m_breakpoints.clear();
  m_watched.clear();
}

// Answers until the core may go on.
void Debugger::stand(Target& target, const std::string& why) {
  const bool first = m_why.empty();
  m_why = why;
  m_steps = false;
  if (!first) m_connection.send(why);  // the first stop is asked for: "?"
  std::string packet, reply;
  for (;;) {
    if (!m_connection.receive(packet)) return leave();
    reply.clear();
    if (!answer(target, packet, reply)) return;
    m_connection.send(reply);
  }
}

/// @return false: the core goes on
bool Debugger::answer(Target& target, const std::string& packet, std::string& reply) {
  const std::string rest = packet.empty() ? "" : packet.substr(1);
  switch (packet.empty() ? 0 : packet[0]) {
    case '?':
      reply = m_why;
      return true;
    case 'g':
      reply = read_registers(target);
      return true;
    case 'G':
      reply = write_registers(target, rest);
      return true;
    case 'p': {
      const auto number = static_cast<unsigned>(std::strtoul(rest.c_str(), nullptr, 16));
      if (number >= target.registers()) {
        reply = kNo;
      } else {
        const Bytes value = target.register_bytes(number);
        reply = hexadecimal(value.data(), value.size());
      }
      return true;
    }
    case 'P': {
      const auto number = static_cast<unsigned>(std::strtoul(rest.c_str(), nullptr, 16));
      const size_t equals = std::min(rest.find('='), rest.size());
      const Bytes value = bytes_of(rest.substr(std::min(equals + 1, rest.size())));
      reply = number < target.registers() && target.set_register(number, value) ? kDone : kNo;
      return true;
    }
    case 'm':
      reply = read_memory(target, rest);
      return true;
    case 'M':
    case 'X':
      reply = write_memory(target, rest, packet[0] == 'X');
      return true;
    case 'Z':
    case 'z':
      reply = set_point(target, rest, packet[0] == 'Z');
      return true;
    case 'H':
    case 'T':
      reply = kDone;
      return true;
    case 'c':
      return false;
    case 's':
      m_steps = true;
      return false;
    case 'D':
      m_connection.send(kDone);
      leave();
      return false;
    case 'k':
      leave();
      throw Killed("the debugger has ended the program");
    case 'v':
      if (begins(packet, "vCont?")) reply = "vCont;c;s;C;S";
      if (begins(packet, "vCont;")) {
        m_steps = packet[6] == 's' || packet[6] == 'S';
        return false;
      }
      return true;
    case 'q':
    case 'Q':
      reply = query(target, packet);
      return true;
    default:
      return true;  // empty: not supported
  }
}

std::string Debugger::query(Target& target, const std::string& packet) {
  if (begins(packet, "qSupported"))
    return "PacketSize=4000;qXfer:features:read+;swbreak+;vContSupported+;QStartNoAckMode+";
  if (packet == "QStartNoAckMode") {
    m_connection.stop_acknowledging();
    return kDone;
  }
  const std::string features = "qXfer:features:read:target.xml:";
  if (begins(packet, features.c_str())) {
    const Extent part = extent_of(packet.substr(features.size()));
    const std::string& text = target.description();
    if (part.address >= text.size()) return "l";
    const std::string piece = text.substr(part.address, part.bytes);
    return (part.address + piece.size() < text.size() ? "m" : "l") + piece;
  }
  if (begins(packet, "qRcmd,")) return monitor(target, packet.substr(6));
  if (packet == "qAttached") return "1";
  if (packet == "qfThreadInfo") return "m1";
  if (packet == "qsThreadInfo") return "l";
  if (packet == "qC") return "QC1";
  return "";
}

std::string Debugger::monitor(Target& target, const std::string& hex) {
  const Bytes word = bytes_of(hex);
  const std::string command(word.begin(), word.end());
  const std::string text = (command == "status" ? target.status() : "monitor status") + "\n";
  return hexadecimal(reinterpret_cast<const uint8_t*>(text.data()), text.size());
}

std::string Debugger::read_registers(Target& target) const {
  std::string text;
  for (unsigned n = 0; n < target.registers(); ++n) {
    const Bytes value = target.register_bytes(n);
    text += hexadecimal(value.data(), value.size());
  }
  return text;
}

std::string Debugger::write_registers(Target& target, const std::string& hex) {
  const Bytes all = bytes_of(hex);
  size_t at = 0;
  for (unsigned n = 0; n < target.registers(); ++n) {
    const size_t bytes = target.register_bytes(n).size();
    if (at + bytes > all.size()) break;
    const auto first = all.begin() + static_cast<ptrdiff_t>(at);
    const Bytes value(first, first + static_cast<ptrdiff_t>(bytes));
    at += bytes;
    if (value != target.register_bytes(n) && !target.set_register(n, value)) return kNo;
  }
  return kDone;
}

std::string Debugger::read_memory(Target& target, const std::string& where) {
  const Extent extent = extent_of(where);
  Bytes bytes(std::min<size_t>(extent.bytes, kMostBytes));
  if (!target.read(extent.address, bytes.data(), bytes.size())) return kNo;
  return hexadecimal(bytes.data(), bytes.size());
}

std::string Debugger::write_memory(Target& target, const std::string& packet, bool binary) {
  const Extent extent = extent_of(packet);
  if (extent.rest.empty() || extent.rest[0] != ':') return kNo;
  const std::string data = extent.rest.substr(1);
  const Bytes bytes = binary ? Bytes(data.begin(), data.end()) : bytes_of(data);
  if (bytes.size() != extent.bytes) return kNo;
  return target.write(extent.address, bytes.data(), bytes.size()) ? kDone : kNo;
}

// 0, 1: of an instruction; 2: of a write, 3: of a read, 4: of both.
std::string Debugger::set_point(Target& target, const std::string& packet, bool on) {
  if (packet.size() < 3 || packet[0] < '0' || packet[0] > '4') return "";
  const Extent extent = extent_of(packet.substr(2));
  if (packet[0] < '2') {
    const auto found = m_breakpoints.find(extent.address);
    if (on)
      m_breakpoints.insert(extent.address);
    else if (found != m_breakpoints.end())
      m_breakpoints.erase(found);
    return kDone;
  }
  return set_watch(target,
                   {static_cast<Watches>(packet[0] - '2'), extent.address,
                    Bytes(std::min<size_t>(extent.bytes, kMostBytes))},
                   on);
}

std::string Debugger::set_watch(Target& target, const Watched& watched, bool on) {
  if (on) {
    m_watched.push_back(watched);
    Bytes& value = m_watched.back().value;
    if (target.read(watched.address, value.data(), value.size())) {
      if (tell_reads(target)) return kDone;
      m_watched.pop_back();
      return "";  // not supported
    }
    m_watched.pop_back();
    return kNo;
  }
  const auto found = std::find_if(m_watched.begin(), m_watched.end(), [&](const Watched& w) {
    return w.what == watched.what && w.address == watched.address &&
           w.value.size() == watched.value.size();
  });
  if (found != m_watched.end()) m_watched.erase(found);
  tell_reads(target);
  return kDone;
}

}  // namespace presil::debug
