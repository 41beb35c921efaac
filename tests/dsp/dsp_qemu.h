// The oracle: qemu-riscv64 in its user mode, on the same file as the simulator.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/dsp/dsp_trace.h"
#include "tests/dsp/dsp_program.h"

namespace presil::dsp {

/// False where qemu-riscv64 is not installed.
bool has_qemu();
/// Where it is absent the tests say so.
constexpr const char* kNoQemu =
    "SKIPPED: programs are not compared with qemu-riscv64, it is not installed (package qemu-user)";

void write_elf(const std::string& file, const Linked& linked);
/// What the program writes.
/// @throws std::runtime_error where qemu ends otherwise than with 0
std::vector<uint8_t> run_qemu(const std::string& file, unsigned vlen);
/// The same by the simulator, which reads the file and serves write and exit.
/// @param tracer nullptr: nothing is told
std::vector<uint8_t> run_simulator(const std::string& file, const Config& config,
                                   Tracer* tracer = nullptr);

/// Runs programs on both; empty, or what differs first, in the shortest body that shows it.
/// @param tracer told of a second run, which must come to the same; nullptr: there is none
std::string compare(const std::vector<Program>& programs, const Config& config, bool vectors,
                    Tracer* tracer = nullptr);

}  // namespace presil::dsp
