#include "testbench/fuzz/mutator.h"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include "testbench/fuzz/sites.h"

namespace presil::fuzz {
namespace {

/// Numbers at which sizes, signs and counts change.
constexpr uint64_t kEdges[] = {0,
                               1,
                               2,
                               3,
                               4,
                               7,
                               15,
                               16,
                               17,
                               31,
                               32,
                               64,
                               127,
                               128,
                               255,
                               256,
                               1000,
                               4096,
                               0x7fff,
                               0x8000,
                               0xffff,
                               0x10000,
                               0xffffff,
                               0x7ffffff0,
                               0x7fffffff,
                               0x80000000,
                               0xffffffff,
                               0x100000000,
                               0x7fffffffffffffff,
                               0x8000000000000000,
                               0x3f800000 /* 1.0f */,
                               0x7f800000 /* infinity */,
                               0x7fc00000 /* not a number */,
                               0x00000001 /* the smallest float */,
                               0x7f7fffff /* the largest float */};

uint64_t load(const File& file, Site site) {
  uint64_t value = 0;
  std::memcpy(&value, file.data() + site.at, std::min<size_t>(site.bytes, 8));
  return value;
}

void store(File& file, Site site, uint64_t value) {
  std::memcpy(file.data() + site.at, &value, std::min<size_t>(site.bytes, 8));
}

void change_word(File& file, const Group& group, Site site, Random& random) {
  const uint64_t value = load(file, site);
  switch (random.below(7)) {
    case 0:
      return store(file, site, kEdges[random.below(std::size(kEdges))]);
    case 1:
      return store(file, site, ~kEdges[random.below(std::size(kEdges))] + 1);
    case 2:
      return store(file, site, value + 1 + random.below(4));
    case 3:
      return store(file, site, value - 1 - random.below(4));
    case 4:
      return store(file, site, value ^ uint64_t{1} << random.below(8 * site.bytes));
    case 5:  // another one of the same name
      return store(file, site, load(file, group.sites[random.below(group.sites.size())]));
    default:
      return store(file, site, random.one_in(2) ? random.next() : value * 2);
  }
}

void change_bytes(File& file, Site site, Random& random) {
  const size_t from = random.below(site.bytes);
  const size_t count = std::min<size_t>(site.bytes - from, 1 + random.below(8));
  for (size_t i = 0; i < count; ++i) {
    file[site.at + from + i] = static_cast<uint8_t>(random.one_in(3) ? 0xff : random.next());
  }
}

void change_blindly(File& file, Random& random) {
  if (file.empty()) return file.push_back(static_cast<uint8_t>(random.next()));
  const size_t at = random.below(file.size());
  const size_t length = std::min<size_t>(file.size() - at, 1 + random.below(64));
  const auto begin = file.begin() + static_cast<std::ptrdiff_t>(at);
  switch (random.below(6)) {
    case 0:
      file.resize(at);
      break;
    case 1:
      file.erase(begin, begin + static_cast<std::ptrdiff_t>(length));
      break;
    case 2: {
      const File block(begin, begin + static_cast<std::ptrdiff_t>(length));
      file.insert(file.begin() + static_cast<std::ptrdiff_t>(random.below(file.size())),
                  block.begin(), block.end());
      break;
    }
    case 3:
      std::copy_n(
          begin, length,
          file.begin() + static_cast<std::ptrdiff_t>(random.below(file.size() - length + 1)));
      break;
    default:
      change_bytes(file, {at, length}, random);
  }
}

}  // namespace

uint64_t Random::next() {
  uint64_t z = m_state += 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return z ^ z >> 31;
}

Mutator::Mutator(Format format) : m_format(std::move(format)) {
  std::ifstream stream(m_format.schema, std::ios::binary);
  m_schema.assign(std::istreambuf_iterator<char>(stream), {});
  if (m_schema.empty()) throw std::runtime_error("fuzz: no schema at " + m_format.schema);
}

Groups Mutator::groups(const File& file) const {
  if (!m_format.whole(file.data(), file.size())) return {};
  Groups groups = sites_of(m_schema, file);
  if (m_format.more) m_format.more(file, groups);
  return groups;
}

File Mutator::mutate(const File& file, const Groups& groups, uint64_t seed) const {
  Random random(seed);
  File result = file;
  const bool blind = groups.empty() || random.one_in(16);
  for (uint64_t left = 1 + (random.one_in(2) ? 0 : random.below(4)); left > 0; --left) {
    if (blind) {
      change_blindly(result, random);
      continue;
    }
    const Group& group = groups[random.below(groups.size())];
    const Site site = group.sites[random.below(group.sites.size())];
    if (site.bytes <= 8)
      change_word(result, group, site, random);
    else
      change_bytes(result, site, random);
  }
  return result;
}

}  // namespace presil::fuzz
