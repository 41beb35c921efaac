// A .presil file opened by the tools: whole, and pointing only into itself.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace presil::loadable {
struct Loadable;
}

namespace presil::platform {

/// Checksum, structure, then every index, tensor and stream: what this returns can be read without
/// further checks. What the commands say is the driver's to check.
/// @param bytes aligned to 8
/// @throws Refusal naming what is wrong
const loadable::Loadable& open_loadable(const uint8_t* bytes, size_t size);

/// The layer of each command by its tag; -1: of none.
std::shared_ptr<const std::vector<int>> layers_by_tag(const loadable::Loadable& loadable);

}  // namespace presil::platform
