// The engine's answers to the compiler.
#pragma once

#include "compiler_bridge/engine/engine_compiler.h"
#include "pool_layer.h"

namespace presil::pool {

class PoolCompiler : public engine::EngineCompiler {
 public:
  const char* word() const override { return PoolLayer::kWord; }
  layer::Work read(layer::FieldReader& reader) const override;
  std::vector<rules::Entry> rules(const engine::Instance& instance) const override;
  engine::Lowered lower(ir::Graph& graph, int op, const engine::Instance& instance) const override;
  engine::Tile most(const layer::Work& work, const engine::Instance& instance) const override;
  engine::Part reads(const layer::Work& work, size_t operand,
                     const engine::Tile& tile) const override;
  std::vector<uint8_t> constants(const layer::Work& work, const engine::Tile& tile) const override;
  Cycle cycles(const layer::Work& work, const engine::Tile& tile,
               const engine::Instance& instance) const override;
  std::vector<uint32_t> command(const layer::Work& work, const engine::Tile& tile,
                                const std::vector<engine::Address>& reads,
                                const engine::Address& result, uint32_t constants) const override;
  std::vector<engine::Bytes> touched(const uint32_t* words) const override;
};

}  // namespace presil::pool
