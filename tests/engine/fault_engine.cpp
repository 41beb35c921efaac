// An engine of one operation, `go` with a size, and one fault: the environment's ENGINE_FAULT names
// it.
#include <csignal>
#include <cstdlib>
#include <stdexcept>
#include <string_view>

#include "sim/engine/engine_plugin.h"

namespace presil {
namespace {

bool with(std::string_view fault) {
  const char* const given = std::getenv("ENGINE_FAULT");
  return given != nullptr && fault == given;
}

/// When the library is opened.
const bool kOpened = [] {
  if (with("open_crash")) std::raise(SIGSEGV);
  volatile bool ends = !with("open_hang");
  while (!ends) {
  }
  return true;
}();

constexpr unsigned kFrom = 3;  // the size from which a fault of the estimate or the check shows

const presil_command_format* format() {
  static const char* const ops[] = {"go"};
  static const presil_field fields[] = {
      {"op", ops, 0, 0, 1, 0, 1, 0, 0, 4, 0, 1, 0},
      {"size", nullptr, 0, 100, 0, 0, 1, 0, 8, 8, 0, 0, 0},
  };
  static const uint32_t reserved[] = {0xffff00f0, 0xffffffff};
  static presil_command_format command;
  command = {"fault_command", fields, reserved, 2, 2, 8, 0, -1};
  if (with("no_operation")) command.op_field = -1;
  if (with("long_command")) command.word_count = PRESIL_MAX_COMMAND_WORDS + 1;
  return with("no_format") ? nullptr : &command;
}

unsigned size_of(const uint32_t* words) {
  return words[0] >> 8 & 0xff;
}

bool check(const uint32_t* words, const presil_limits*, presil_finding*) {
  if (with("check_crash") && size_of(words) >= kFrom) std::raise(SIGSEGV);
  return true;
}

Cycle estimate(const uint32_t* words, const uint64_t*) {
  if (size_of(words) < kFrom) return 1;
  if (with("crash")) std::raise(SIGSEGV);
  if (with("throw")) throw std::runtime_error("no such size");
  if (with("thrown_number")) throw 7;
  if (with("below_one")) return 0;
  if (with("exit")) _Exit(0);
  volatile bool ends = !with("hang");
  while (!ends) {
  }
  return size_of(words);
}

presil_engine_description described() {
  presil_engine_description d{};
  d.name = with("other_name") || with("other_kind") || with("second_instance") ? "other" : "fault";
  d.meaning = "For tests.";
  d.interface = with("printed_before") ? 0 : kEngineInterface;
  d.kind = 9;
  if (with("kind")) d.kind = PRESIL_ENGINE_DMA;
  if (with("far_kind")) d.kind = 32;
  if (with("other_kind") || with("second_instance")) d.kind = 10;
  d.first_queue = with("queue") ? unsigned{PRESIL_QUEUE_HOST} : 20;
  if (with("far_queue")) d.first_queue = 21;
  d.instances = with("no_instances") ? 0 : 1;
  d.next_queue = 22;
  if (with("two")) d.instances = 2, d.next_queue = 18;
  if (with("four")) d.instances = 4, d.first_queue = 16, d.next_queue = 18;
  if (with("own_next")) d.instances = 2, d.next_queue = PRESIL_QUEUE_DMA7;
  if (with("second_instance")) d.instances = 2, d.first_queue = 16, d.next_queue = 18;
  if (with("named_as_instance")) d.name = "fault1", d.kind = 10, d.first_queue = 14;
  if (with("name")) d.name = nullptr;
  d.queues = with("no_queues") ? 0 : 2;
  d.queue_pitch = with("no_registers") ? 0 : 0x100;
  d.format = with("no_format_function") ? nullptr : format;
  return d;
}

}  // namespace
}  // namespace presil

const presil::EnginePlugin* presil_engine_plugin() {
  using namespace presil;
  static presil_engine_driver driver;
  driver = {};
  driver.check = check;
  if (with("no_check")) driver.check = nullptr;
  static presil_engine_description description;
  static EnginePlugin plugin;
  description = described();
  if (!kOpened || with("no_plugin")) return nullptr;
  plugin = {
      with("interface") ? kEngineInterface + 1 : kEngineInterface,
      with("no_description") ? nullptr : &description,
      with("no_driver") ? nullptr : &driver,
      [](const uint32_t*, uint8_t*) {},
      with("no_estimate") ? nullptr : estimate,
      [](const EnginePlace&) -> EngineModel* { return nullptr; },
  };
  if (with("no_compute")) plugin.compute = nullptr;
  if (with("no_make")) plugin.make = nullptr;
  return &plugin;
}
