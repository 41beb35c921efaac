#include "compiler_bridge/plan/forms.h"

#include <algorithm>
#include <numeric>
#include <set>

namespace presil::plan {

int Lanes::blocks() const {
  return segments.empty() ? 0 : segments.back().block + (segments.back().channels + 15) / 16;
}

int Lanes::channels() const {
  return segments.empty() ? 0 : segments.back().channel + segments.back().channels;
}

std::vector<int> Lanes::channel_of_lane() const {
  std::vector<int> channel(static_cast<size_t>(blocks()) * 16, -1);
  for (const Segment& s : segments) {
    std::iota(channel.begin() + s.block * 16, channel.begin() + s.block * 16 + s.channels,
              s.channel);
  }
  return channel;
}

int Lanes::block_of(int channel) const {
  for (const Segment& s : segments) {
    if (channel < s.channel + s.channels) return s.block + (channel - s.channel) / kWordBytes;
  }
  return kNone;
}

void Lanes::append(const Lanes& more) {
  const int channel = channels(), block = blocks();
  for (const Segment& s : more.segments) {
    if (!segments.empty() && segments.back().channels % 16 == 0) {
      segments.back().channels += s.channels;
    } else {
      segments.push_back({channel + s.channel, s.channels, block + s.block});
    }
  }
}

uint32_t BlockedBuffer::row_pitch(int columns) const {
  if (form == Form::kRows) {
    return (static_cast<uint32_t>(columns * extent.c) + kWordBytes - 1) / kWordBytes * kWordBytes;
  }
  const int words = odd_rows ? columns | 1 : columns;
  return static_cast<uint32_t>(words) * kWordBytes;
}

uint32_t BlockedBuffer::block_pitch(int rows, int columns) const {
  constexpr uint32_t kBanks = 16;  // what differs modulo 16 differs modulo 32 banks too
  // Four rows of an odd pitch take one bank of every residue modulo 4: blocks 4 n words apart do
  // not meet them.
  const uint32_t unit = odd_rows ? 4 : 1;
  const auto meet = [&](uint32_t pitch) {
    std::set<uint32_t> banks;
    for (int b = 0; b < blocks_at_once; ++b)
      banks.insert(static_cast<uint32_t>(b) * pitch % kBanks);
    return banks.size() < static_cast<size_t>(blocks_at_once);
  };
  const uint32_t dense = row_pitch(columns) / kWordBytes * static_cast<uint32_t>(rows);
  if (blocks_at_once < 2 || blocks < 2) return dense * kWordBytes;
  for (uint32_t pitch = dense; pitch < dense + kBanks; ++pitch) {
    if (pitch % unit == 0 && !meet(pitch)) return pitch * kWordBytes;
  }
  return dense * kWordBytes;  // more blocks than banks: they meet in any case
}

}  // namespace presil::plan
