// Files that are whole by their checksum and by FlatBuffers' rules, but point outside themselves.
#include "sim/platform/loadable_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "models/base/checksum.h"
#include "models/base/refusal.h"
#include "rtl/dla/dla_command.h"
#include "rtl/soc/address_map.h"
#include "rtl/soc/loadable_generated.h"

namespace presil::platform {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

/// One tensor of 2 x 3 pixels with 20 channels in SRAM: two blocks of 16 lanes, 96 bytes each.
struct Parts {
  std::string name = "t";
  loadable::DType dtype = loadable::DType_int8;
  loadable::Space space = loadable::Space_sram;
  loadable::Layout layout = loadable::Layout_c16;
  std::vector<int64_t> shape = {1, 2, 3, 20};
  uint8_t region = 0;
  uint64_t offset = 64;
  uint32_t row_pitch = 48, block_pitch = 96;
  std::vector<int16_t> lanes;
  uint32_t complete_tag = 0;
  std::vector<int32_t> inputs = {0}, outputs = {0}, layer_outputs = {0};
  loadable::DType operand_dtype = loadable::DType_int8;
  std::string operand = "x";
  int32_t layer = 0;
  // 64 + one block + one row + two pixels + 16 lanes
  uint32_t sram_bytes = 64 + 96 + 48 + 2 * 16 + 16;
  uint64_t stream_offset = 0;
  uint32_t commands = 1, tag = 0;
  uint32_t buffer_bytes = 256;
  std::vector<uint32_t> buffer_tags = {0};

  std::vector<uint8_t> without_checksum() const {
    flatbuffers::FlatBufferBuilder b;
    dla::Command command = dla::Command::make(dla::Op::kPass);
    command.tag = tag;
    uint32_t words[dla::Command::kWords];
    command.encode(words);
    std::vector<uint8_t> image(dla::Command::kPitch);
    std::memcpy(image.data(), words, sizeof words);
    const auto tensor = loadable::CreateTensorDirect(
        b, name.c_str(), dtype, &shape, nullptr, nullptr, 0, space, region, offset, 192, layout, 16,
        row_pitch, block_pitch, &lanes, complete_tag, true);
    const std::vector<flatbuffers::Offset<loadable::Tensor>> tensors = {tensor};
    const std::vector<flatbuffers::Offset<loadable::Stream>> streams = {
        loadable::CreateStream(b, PRESIL_QUEUE_DLA, stream_offset, commands)};
    const std::vector<flatbuffers::Offset<loadable::Command>> map = {
        loadable::CreateCommand(b, PRESIL_QUEUE_DLA, 0, layer, 0)};
    const std::vector<flatbuffers::Offset<loadable::Operand>> operands = {
        loadable::CreateOperandDirect(b, operand.c_str(), operand_dtype, &shape)};
    const std::vector<flatbuffers::Offset<loadable::Layer>> layers = {loadable::CreateLayerDirect(
        b, "l", "conv2d", loadable::Engine_dla, nullptr, 0, &layer_outputs, &operands)};
    const std::vector<flatbuffers::Offset<loadable::Placement>> placements;
    const std::vector<flatbuffers::Offset<loadable::Buffer>> buffers = {
        loadable::CreateBufferDirect(b, "tensor t", 0, buffer_bytes, &buffer_tags)};
    b.Finish(
        loadable::CreateLoadableDirect(b, 1, "", "net", "tflite", "edge", "", "", &image, &tensors,
                                       &inputs, &outputs, &streams, &map, &layers, &placements, 0,
                                       0, 0, sram_bytes, 0, 0, nullptr, 0, &buffers),
        loadable::LoadableIdentifier());
    return {b.GetBufferPointer(), b.GetBufferPointer() + b.GetSize()};
  }
};

std::string refusal(const std::vector<uint8_t>& file) {
  try {
    open_loadable(file.data(), file.size());
  } catch (const Refusal& refusal) {
    return refusal.what();
  }
  return "taken";
}

std::string refusal(const std::function<void(Parts&)>& change) {
  Parts parts;
  change(parts);
  auto file = parts.without_checksum();
  append_checksum(file);
  return refusal(file);
}

TEST(LoadableFile, a_tensor_that_ends_where_its_memory_ends_is_taken) {
  EXPECT_EQ(refusal([](Parts&) {}), "taken");
}

TEST(LoadableFile, what_points_outside_is_refused_by_name) {
  const struct {
    std::function<void(Parts&)> change;
    const char* text;
  } cases[] = {
      {[](Parts& p) { p.name = "\xff"; }, "it has a name that is not text in UTF-8"},
      {[](Parts& p) { p.sram_bytes -= 1; },
       "tensor 0 't' takes 192 bytes from 64, its memory has 255"},
      {[](Parts& p) { p.offset = UINT64_MAX; }, "its memory has 256"},
      {[](Parts& p) { p.row_pitch = 1 << 20; }, "tensor 0 't' takes"},
      {[](Parts& p) { p.space = loadable::Space_region, p.region = 9; }, "its memory has 0"},
      {[](Parts& p) { p.lanes.assign(32, 20); },
       "has lanes for channels that its shape does not have"},
      {[](Parts& p) { p.dtype = loadable::DType_int32; }, "has lanes for channels"},
      {[](Parts& p) { p.shape[0] = 2; }, "tensor 0 't' takes"},
      {[](Parts& p) { p.shape[1] = 0; }, "has an extent of 0, must be 1 or more"},
      {[](Parts& p) { p.shape.assign(8, 1 << 20); }, "at most 2^31 elements in all"},
      {[](Parts& p) { p.dtype = static_cast<loadable::DType>(99); },
       "a type, space or layout that does not exist"},
      {[](Parts& p) { p.complete_tag = 1; }, "is complete after command 1 of 1"},
      {[](Parts& p) { p.inputs = {1}; }, "its inputs name tensor 1 of 1"},
      {[](Parts& p) { p.outputs = {-1}; }, "its outputs name tensor -1 of 1"},
      {[](Parts& p) { p.layer_outputs = {7}; }, "a layer's outputs name tensor 7 of 1"},
      {[](Parts& p) { p.operand_dtype = static_cast<loadable::DType>(9); },
       "layer 'l' has an operand of a type that does not exist"},
      {[](Parts& p) { p.operand = "\xff"; }, "it has a name that is not text in UTF-8"},
      {[](Parts& p) { p.layer = 1; }, "its debug map names layer 1 of 1"},
      {[](Parts& p) { p.commands = 1 << 30; }, "lies outside the image"},
      {[](Parts& p) { p.stream_offset = UINT64_MAX - 100; }, "lies outside the image"},
      {[](Parts& p) { p.tag = 1; }, "has tag 1, the debug map has 1 entries"},
      {[](Parts& p) { p.buffer_bytes = 257; },
       "buffer 'tensor t' ends at 257, the loadable uses 256 bytes of SRAM"},
      {[](Parts& p) {
         p.buffer_tags = {0, 1};
       },
       "buffer 'tensor t' is touched by command 1 of 1"},
  };
  for (const auto& c : cases) {
    EXPECT_THAT(refusal(c.change),
                AllOf(StartsWith("loadable: "), HasSubstr(c.text),
                      HasSubstr("; copy the file again or compile the network again")));
  }
}

TEST(LoadableFile, what_is_no_whole_file_is_refused) {
  const auto whole = Parts().without_checksum();
  auto valid = whole;
  append_checksum(valid);
  EXPECT_THAT(refusal(std::vector<uint8_t>()), HasSubstr("the file is empty"));
  EXPECT_THAT(refusal(std::vector<uint8_t>(kChecksumBytes + 7, 1)),
              HasSubstr("it ends before its checksum"));
  EXPECT_THAT(refusal(whole), HasSubstr("its last 4 bytes are not the CRC-32"));
  valid[5] ^= 1;
  EXPECT_THAT(refusal(valid), HasSubstr("does not begin as a .presil file does"));
  auto cut = whole;
  cut.resize(cut.size() - 8);
  cut[0] ^= 0x40;
  append_checksum(cut);
  EXPECT_THAT(refusal(cut), HasSubstr("its structure points outside the file"));
}

// FlatBuffers' verifier aligns the count before an array only.
TEST(LoadableFile, numbers_of_64_bits_at_odd_places_are_refused) {
  auto file = Parts().without_checksum();
  const auto* tensor = loadable::GetLoadable(file.data())->tensors()->Get(0);
  const auto at =
      static_cast<size_t>(reinterpret_cast<const flatbuffers::Table*>(tensor)->GetAddressOf(
                              loadable::Tensor::VT_SHAPE) -
                          file.data());
  for (uint32_t to = static_cast<uint32_t>(at) + 4; to + 4 <= file.size(); to += 4) {
    uint32_t count;
    std::memcpy(&count, &file[to], 4);
    if (count != 1 || (to + 4) % 8 == 0) continue;  // an array of one, at an odd place
    const uint32_t offset = to - static_cast<uint32_t>(at);
    std::memcpy(&file[at], &offset, 4);
    break;
  }
  append_checksum(file);
  EXPECT_THAT(refusal(file), HasSubstr("has 64-bit numbers at odd places"));
}

}  // namespace
}  // namespace presil::platform
