// Printed from every engine.yaml with its contract by `python3 rtl/gen/print.py`; do not edit.
// clang-format off
#pragma once

#include <cstddef>
#include <cstdint>

#include "rtl/soc/engine_kinds.h"

namespace presil {

/// The kind of engine that would have to signal for a wait to end: enum presil_engine_kind.
enum class Signaller : uint8_t {
  kDla = PRESIL_ENGINE_DLA,
  kDsp = PRESIL_ENGINE_DSP,
  kDma = PRESIL_ENGINE_DMA,
  kHost = PRESIL_ENGINE_HOST,
};
inline constexpr size_t kSignallers = PRESIL_ENGINE_KINDS;

/// Where a cycle of an engine went. Waits come in groups of one for each Signaller.
enum class Cause : uint16_t {
  kRun,  ///< A step fires in the operand stage.
  kFeatureBank,  ///< No feature word: the reads of a step met in one bank.
  kWeights,  ///< The next weight set, parameter set or table is not complete.
  kPost,  ///< No room in the post FIFO: requantise, residual operand or output after it.
  kStart,  ///< A command was offered, its features are fetched or loops reload.
  kFetch,  ///< The ring is not empty and no command is offered: entry or command being fetched, or the job's barrier.
  kLoadUse,  ///< A scalar instruction waits for a load from TCM.
  kBranch,  ///< Refetch after a taken branch or jump.
  kDivide,  ///< A scalar instruction waits for the divider, the multiplier or the float unit.
  kFarLoad,  ///< A scalar load waits for SRAM, DRAM or a register, beyond what TCM takes.
  kVectorQueue,  ///< The queue to the vector unit is full.
  kVectorResult,  ///< A scalar result of the vector unit, a fence or the end of the program is awaited.
  kSramBank,  ///< An access to SRAM meets the DLA's in a bank.
  kOwnDma,  ///< The program waits for a copy of its own DMA channel.
  kReadCredit,  ///< All read bursts that the channel may have are outstanding: latency.
  kDramRow,  ///< The DRAM opens or closes a row.
  kDramTurnaround,  ///< The DRAM turns its bus round.
  kDramRefresh,  ///< The DRAM refreshes.
  kDramBusy,  ///< The DRAM serves other masters or channels.
  kWriteQueue,  ///< The DRAM's write queue is full.
  kSramPort,  ///< The SRAM port is taken by another channel or its bank by another master.
  kDrain,  ///< Waits for its own outstanding bursts: change of direction, fence, completion.
  kWaitIn,  // + Signaller
  kWaitWeights = kWaitIn + kSignallers,  // + Signaller
  kWaitOut = kWaitWeights + kSignallers,  // + Signaller
  kWait = kWaitOut + kSignallers,  // + Signaller
  kCount = kWait + kSignallers
};

/// Names in run.json, by Cause up to the waits; these are "<group>:<engine>".
inline constexpr const char* kCauseNames[] = {
    "run",
    "feature_bank",
    "weights",
    "post",
    "start",
    "fetch",
    "load_use",
    "branch",
    "divide",
    "far_load",
    "vector_queue",
    "vector_result",
    "sram_bank",
    "own_dma",
    "read_credit",
    "dram_row",
    "dram_turnaround",
    "dram_refresh",
    "dram_busy",
    "write_queue",
    "sram_port",
    "drain",
};
inline constexpr const char* kWaitGroupNames[] = {"wait_in", "wait_weights", "wait_out", "wait"};
inline constexpr Cause kFirstWait = Cause::kWaitIn;
inline constexpr const char* kSignallerNames[kSignallers] = {"dla", "dsp", "dma", "host"};

}  // namespace presil
