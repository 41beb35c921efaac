// The oracle: qemu-arm in its user mode, on the same program as the simulator.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tests/cpu/cpu_program.h"

namespace presil::cpu {

/// False where qemu-arm is not installed.
bool has_qemu();
/// Where it is absent the tests say so.
constexpr const char* kNoQemu =
    "SKIPPED: programs are not compared with qemu-arm, it is not installed (package qemu-user)";

/// Runs programs on both; empty, or what differs first, in the shortest body that shows it.
std::string compare(const std::vector<Program>& programs, const Config& config);

}  // namespace presil::cpu
